"""``firsthit assess ecdf``: runtime profiles, as numbers and drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    axis,
    beside,
    chosen_from,
    count,
    format_,
    given,
    interval,
    question,
    recommended,
    reference,
    resolved,
    seed,
    targets,
    unequal,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


def _checked(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that cannot be drawn into before logs are read."""
    if path is not None:
        from ....assessment.figures.ecdf import check_plot_path

        check_plot_path(path)
    return path


@click.command(short_help="Print or draw runtime profiles (ECDF).")
@question
@targets("the suite's, such as 51, 1e2 … 1e-8")
@chosen_from(
    "--group-by", ["all", "group", "function"], "What a curve spans; never several dimensions."
)
@reference("none; its curves are added, thick in figures; --targets runlength needs one")
@chosen_from(
    "--runtimes",
    ["suite", "expected", "restarts", "runs"],
    "expected: of the algorithm restarted until it succeeds, as an exact distribution; restarts: "
    "the same by simulation; runs: of single runs, failures counting as never; suite: expected, "
    "but runs with two objectives.",
)
@axis
@count
@recommended
@unequal
@interval("each fraction")
@seed("simulated restarts, and of bands")
@click.option(
    "--plot",
    metavar="FILE",
    callback=_checked,
    help="Draw into FILE.png, .svg or .pdf, one file for each dimension and group "
    "(their names are appended where there are several).",
)
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
    group_by: str,
    runtimes: str,
    axis: str,
    unequal: bool,
    interval: float | None,
    seed: int,
    plot: str | None,
) -> Table | None:
    """Print or draw runtime profiles: the share of function-target pairs solved in a budget.

    Every function-target pair weighs the same; dimensions are never joined. The cross is at the
    median over functions of the longest run that missed the hardest target: right of it a profile
    rests on simulated restarts.

    --interval adds a band by a bootstrap over runs, pointwise: at a budget named beforehand, within
    the longest run, 95 % bands hold in 93 to 98 % of experiments with 5 to 30 runs, and in more
    where few runs all end alike; not beyond the longest run where nobody reached a target that is
    reached rarely.

    With --plot, the numbers are printed only if --format asks for them.
    """
    from ....assessment.figures.ecdf import save_ecdf

    wanted = resolved(results, targets, reference, selectors, "0.5..50/15")
    table = results.ecdf(
        wanted,
        group_by=group_by,
        runtimes=runtimes,
        axis=axis,
        seed=seed,
        interval=interval,
        unequal=unequal,
        reference=beside(targets, reference),
        **selectors,
    )
    if plot is None:
        return table
    for file in save_ecdf(table, plot):
        click.echo(f"wrote {file}", err=True)
    return table if given("form") else None

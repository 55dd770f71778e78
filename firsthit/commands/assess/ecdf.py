"""``firsthit assess ecdf``: runtime profiles, as numbers and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .options import (
    axis,
    choice,
    format_,
    interval,
    load,
    reference,
    seed,
    selection,
    show,
    targets,
)
from .target_option import asked_targets


@click.command(short_help="Print or draw runtime profiles (ECDF).")
@selection
@targets("the suite's, such as 51, 1e2 … 1e-8")
@click.option(
    "--group-by",
    type=click.Choice(["function", "group", "all"]),
    default="all",
    show_default=True,
    help="What a curve spans; never several dimensions.",
)
@reference("none; --targets runlength needs one")
@click.option(
    "--runtimes",
    type=click.Choice(["expected", "restarts", "runs"]),
    default="expected",
    show_default=True,
    help="Of the algorithm restarted until it succeeds, as an exact distribution; the same by "
    "simulation; or of single runs, failures counting as never.",
)
@axis
@click.option(
    "--area",
    type=float,
    metavar="BUDGET",
    help="Print the area under each curve up to BUDGET instead, and its geometric mean runtime.",
)
@interval("each fraction")
@seed("simulated restarts, and of bands")
@click.option(
    "--plot",
    metavar="FILE",
    help="Draw into FILE.png, .svg or .pdf, one file for each dimension and group "
    "(their names are appended where there are several).",
)
@format_(None)
def command(
    logs: Sequence[str],
    targets: str | None,
    reference: str | None,
    group_by: str,
    runtimes: str,
    axis: str,
    area: float | None,
    interval: float | None,
    seed: int,
    plot: str | None,
    form: str | None,
    **filters: Any,
) -> None:
    """Print or draw runtime profiles: the share of function-target pairs solved in a budget.

    Every function-target pair weighs the same; dimensions are never joined. The cross is at the
    median over functions of the longest run that missed the hardest target: right of it a profile
    rests on simulated restarts.

    --interval adds a band by a bootstrap over runs, pointwise: at a budget named beforehand, 95 %
    bands hold in 93 to 97 % of experiments of 15 runs (91 % at shares just below 1); not beyond the
    longest run where nobody reached a target that is reached rarely.

    With --plot, the numbers are printed only if --format asks for them.
    """
    from ...assessment import ProfileOptions, Simulation
    from ...assessment.figures.ecdf import check_plot_path, save_ecdf

    if plot is not None:
        check_plot_path(plot)
    results = load(logs)
    chosen = choice(results, filters)
    wanted = asked_targets(results, targets, reference, chosen, "0.5..50/15")
    if area is not None:
        options = ProfileOptions(group_by, runtimes, axis, simulation=Simulation(seed))
        show(results.areas(wanted, budget=area, options=options, **chosen), form or "table")
        return
    table = results.ecdf(
        targets=wanted,
        group_by=group_by,
        runtimes=runtimes,
        axis=axis,
        seed=seed,
        interval=interval,
        **chosen,
    )
    if plot is not None:
        for file in save_ecdf(table, plot):
            click.echo(f"wrote {file}", err=True)
    if form is not None or plot is None:
        show(table, form or "table")

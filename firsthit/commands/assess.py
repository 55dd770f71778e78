"""``firsthit assess art|ecdf``: runtimes and their distributions from logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..assessment import Results, Table


def _selection(command: Callable[..., None]) -> Callable[..., None]:
    """The arguments and options that all assessments share."""
    for decorate in reversed(
        [
            click.argument("logs", nargs=-1, required=True),
            click.option(
                "--algorithms",
                multiple=True,
                metavar="NAMES",
                help="Names, separated by commas, or the option repeated [default: all].",
            ),
            click.option(
                "--suites", multiple=True, metavar="NAMES", help="Likewise [default: all]."
            ),
            click.option("--functions", metavar="NUMBERS", help="Such as 1-5,7 [default: all]."),
            click.option("--dimensions", metavar="NUMBERS", help="Such as 2,5 [default: all]."),
        ]
    ):
        command = decorate(command)
    return command


def _format(default: str | None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--format",
        "form",
        type=click.Choice(["table", "csv", "json"]),
        default=default,
        help="What goes to standard output [default: table].",
    )


@click.group()
def command() -> None:
    """Compute runtimes and their distributions from logs.

    LOGS are files, folders or globs; logs still being written count with their finished runs.
    """


@command.command()
@_selection
@click.option(
    "--targets", metavar="NUMBERS", help="Precisions such as 1e1,1e-8 [default: 1e1, 1e0, … 1e-8]."
)
@_format("table")
def art(logs: Sequence[str], targets: str | None, form: str, **filters: Any) -> None:
    """Print the average runtime (aRT) to each target.

    aRT = evaluations of all runs until they hit the target or else ended / runs that hit it.
    """
    results = _load(logs)
    _print(results.art(targets=targets, **_choice(results, filters)), form)


@command.command(short_help="Print or draw runtime profiles (ECDF).")
@_selection
@click.option(
    "--targets", metavar="NUMBERS", help="Precisions such as 1e1,1e-8 [default: 51, 1e2 … 1e-8]."
)
@click.option(
    "--group-by",
    type=click.Choice(["function", "group", "all"]),
    default="all",
    show_default=True,
    help="What a curve spans; never several dimensions.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the simulated restarts.")
@click.option(
    "--plot",
    metavar="FILE",
    help="Draw into FILE.png, .svg or .pdf, one file for each dimension and group "
    "(their names are appended where there are several).",
)
@_format(None)
def ecdf(
    logs: Sequence[str],
    targets: str | None,
    group_by: str,
    seed: int,
    plot: str | None,
    form: str | None,
    **filters: Any,
) -> None:
    """Print or draw runtime profiles: the share of function-target pairs solved in a budget.

    With --plot, the numbers are printed only if --format asks for them.
    """
    from ..assessment.figure import check_plot_path, save_ecdf

    if plot is not None:
        check_plot_path(plot)
    results = _load(logs)
    table = results.ecdf(targets=targets, group_by=group_by, seed=seed, **_choice(results, filters))
    if plot is not None:
        for file in save_ecdf(table, plot):
            click.echo(f"wrote {file}", err=True)
    if form is not None or plot is None:
        _print(table, form or "table")


def _load(logs: Sequence[str]) -> Results:
    from ..assessment import load

    return load(list(logs))


def _choice(results: Results, filters: dict[str, Any]) -> dict[str, Any]:
    return {
        "algorithm": _names(filters["algorithms"], results.algorithms),
        "suite": _names(filters["suites"], results.suites),
        "function": filters["functions"],
        "dimension": filters["dimensions"],
    }


def _names(given: Iterable[str], known: Sequence[str]) -> list[str] | None:
    """Names as given, split at commas unless the whole is a name that exists."""
    names = [
        name.strip() for item in given for name in ([item] if item in known else item.split(","))
    ]
    return names or None


def _print(table: Table, form: str) -> None:
    for note in table.notes:
        click.echo(f"note: {note}", err=True)
    if form == "table":
        click.echo(str(table))
    else:
        click.echo(table.to_csv() if form == "csv" else table.to_json(), nl=False)

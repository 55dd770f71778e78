"""What all assessments share on the command line: options, reading of logs, printing of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ...assessment import Results, Table

Command = Callable[..., None]
Decorator = Callable[[Command], Command]

FORMATS = ("table", "csv", "json", "latex")


def selection(command: Command) -> Command:
    """``LOGS --algorithms --suites --functions --dimensions``: what `load` and `choice` take."""
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


def targets(default: str) -> Decorator:
    """``--targets``: precisions.

    Args:
        default: What is taken without it, for the help.
    """
    return click.option(
        "--targets",
        metavar="NUMBERS",
        help="Precisions such as 1e1,1e-8 or 1e-5,0,-1e-5; 1e2..1e-8/5: five per decade; "
        "runlength or runlength:0.5,10 with --reference; dynamic; a file NAME.csv that "
        "`assess targets` wrote "
        f"[default: {default}].",
    )


def budgets(default: str) -> Decorator:
    """``--budgets``: evaluations divided by the dimension, or in the unit of ``--axis``.

    Args:
        default: What is taken without it, for the help.
    """
    return click.option(
        "--budgets",
        metavar="NUMBERS",
        help=f"Evaluations divided by the dimension, such as 10,1e3 [default: {default}].",
    )


def axis(command: Command) -> Command:
    """``--axis``: the unit of budgets."""
    return click.option(
        "--axis",
        type=click.Choice(["evaluations/dimension", "evaluations"]),
        default="evaluations/dimension",
        show_default=True,
        help="Unit of budgets.",
    )(command)


def reference(default: str) -> Decorator:
    """``--reference``: what algorithms are measured against.

    Args:
        default: What is taken without it, for the help.
    """
    return click.option(
        "--reference",
        metavar="NAME",
        help="An algorithm of LOGS, 'best' for the best of them on each target, or a file of "
        f"COCO's reference data [default: {default}].",
    )


def seed(of: str) -> Decorator:
    """``--seed``, 1 by default.

    Args:
        of: What is random, for the help.
    """
    return click.option("--seed", type=int, default=1, show_default=True, help=f"Of {of}.")


def interval(of: str) -> Decorator:
    """``--interval``: level of confidence intervals, None without.

    Args:
        of: What they are intervals of, for the help.
    """
    return click.option(
        "--interval",
        type=float,
        metavar="LEVEL",
        help=f"Add the confidence interval of {of}, such as 0.95.",
    )


def format_(default: str | None = "table") -> Decorator:
    """``--format``, as the argument ``form``: what `show` takes.

    Args:
        default: None where printing is left out unless asked for.
    """
    return click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default=default,
        help="What goes to standard output [default: table].",
    )


def load(logs: Sequence[str]) -> Results:
    """Results of the logs that ``LOGS`` names; what an import guessed is said on stderr."""
    from ...assessment import load

    results = load(list(logs))
    for note in results.log.notes:
        click.echo(f"note: {note}", err=True)
    return results


def choice(results: Results, filters: dict[str, Any]) -> dict[str, Any]:
    """The filters of `selection` as the arguments that every question of `Results` takes."""
    return {
        "algorithm": names(filters["algorithms"], results.algorithms),
        "suite": names(filters["suites"], results.suites),
        "function": filters["functions"],
        "dimension": filters["dimensions"],
    }


def names(given: Iterable[str], known: Sequence[str]) -> list[str] | None:
    """Names as given, split at commas unless the whole is a name that exists; None for none."""
    split = [
        name.strip() for item in given for name in ([item] if item in known else item.split(","))
    ]
    return split or None


def show(table: Table, form: str) -> None:
    """Print a table to standard output and its notes to standard error."""
    for note in table.notes:
        click.echo(f"note: {note}", err=True)
    if form == "table":
        click.echo(str(table))
    else:
        click.echo(getattr(table, f"to_{form}")(), nl=False)

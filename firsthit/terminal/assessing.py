"""What all assessments share on the command line: logs and selectors, options, printing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

from . import options
from .options import Command, Decorator

if TYPE_CHECKING:
    from ..assessment import Results, Selectors, Table, TargetTable
    from ..assessment.data.target_choice import Counted

    AskedTargets = str | TargetTable | None
    """The argument ``targets`` of a question."""

_FORMATS = ("table", "csv", "json", "latex")
_RUNLENGTH = "runlength"


def question(answer: Callable[..., Table | None]) -> click.Command:
    """Make a command of a function that takes `Results` and selectors and returns a table.

    The command's own options are decorators of the function; ``--format`` comes after them. The
    table is printed, none where the function returns None.
    """

    @click.command()
    @of_logs
    @functools.wraps(answer)
    def command(results: Results, selectors: Selectors, form: str, **others: Any) -> None:
        table = answer(results, selectors, **others)
        if table is not None:
            show(table, form)

    command.params.append(
        click.Option(
            ["--format", "form"],
            type=click.Choice(_FORMATS),
            default="table",
            help="What goes to standard output [default: table].",
        )
    )
    return command


def of_logs(command: Command) -> Command:
    """Options ``LOGS --algorithms --suites --functions --dimensions --instances`` of a command.

    And ``--hypervolume-reference``. It is called with the `Results` of the logs and with
    ``selectors``, the keywords that every question of these takes. What an import guessed is said
    on standard error.
    """
    names = "Names, separated by commas, or the option repeated [default: all]."

    @click.argument("logs", nargs=-1, required=True)
    @click.option("--algorithms", multiple=True, metavar="NAMES", help=names)
    @click.option("--suites", multiple=True, metavar="NAMES", help="Likewise [default: all].")
    @options.functions
    @options.dimensions
    @options.instances
    @options.hypervolume_reference
    @functools.wraps(command)
    def reading(
        logs: Sequence[str],
        algorithms: Sequence[str],
        suites: Sequence[str],
        functions: str | None,
        dimensions: str | None,
        instances: str | None,
        hypervolume_reference: str | None,
        **others: Any,
    ) -> None:
        from ..assessment import load

        results = load(list(logs), others.pop("recommended", False))
        for note in results.log.notes:
            click.echo(f"note: {note}", err=True)
        selectors: Selectors = {
            "algorithms": _names(algorithms, results.algorithms),
            "suites": _names(suites, results.suites),
            "functions": functions,
            "dimensions": dimensions,
            "instances": instances,
        }
        if hypervolume_reference is not None:
            results = results.measured_from(hypervolume_reference, **selectors)
        count = others.pop("count", None)
        counted = cast("Counted", selectors)
        if count is not None:
            counted["count"] = count
        command(results, counted, **others)

    return reading


def asked_targets(default: str, budgets: str | None = None) -> Decorator:
    """``--targets``, and ``--reference`` that run-length based ones are made from.

    The command gets them as one argument, ``targets``: numbers and names pass as they are,
    ``runlength`` or ``runlength:BUDGETS`` and files ``NAME.csv`` are tables.

    Args:
        default: What the help says.
        budgets: Of ``runlength``.

    Raises:
        AssessmentError: There is a reference without run-length targets.
    """

    def decorate(command: Command) -> Command:
        @options.targets(default)
        @options.reference("none; --targets runlength needs one")
        @functools.wraps(command)
        def asking(
            results: Results,
            selectors: Selectors,
            targets: str | None,
            reference: str | None,
            **others: Any,
        ) -> Table | None:
            from ..assessment.errors import AssessmentError

            if reference is not None and not _is_runlength(targets):
                raise AssessmentError(
                    "reference: it is what --targets runlength are made from; give both or none"
                )
            wanted = resolved(results, targets, reference, selectors, budgets)
            table: Table | None = command(results, selectors, targets=wanted, **others)
            return table

        return asking

    return decorate


def resolved(
    results: Results,
    targets: str | None,
    reference: str | None,
    selectors: Selectors,
    budgets: str | None = None,
) -> AskedTargets:
    """The argument ``targets`` of a question, from the texts of ``--targets`` and ``--reference``.

    For commands where the reference has a meaning of its own, too; see `asked_targets`.
    """
    from ..assessment.targets.target_sets import read_targets

    if targets is not None and _is_runlength(targets):
        own = targets.partition(":")[2]
        chosen: Any = {name: one for name, one in selectors.items() if name != "count"}
        return results.targets("runlength", reference, own or budgets, **chosen)
    if targets is not None and targets.endswith(".csv"):
        return read_targets(targets)
    return targets


def two_algorithms(results: Results, selectors: Selectors) -> tuple[str, str]:
    """The two algorithms chosen, or there, of a question about two; chosen no more.

    Raises:
        click.UsageError: They are not two.
    """
    names = list(selectors.pop("algorithms", None) or results.algorithms)
    if len(names) != 2:
        raise click.UsageError(
            f"this compares two algorithms, not {len(names)}: name them with --algorithms A,B; "
            f"the logs hold {', '.join(results.algorithms)}"
        )
    return names[0], names[1]


def beside(targets: str | None, reference: str | None) -> str | None:
    """The reference that is shown beside the algorithms: none where targets are made of it."""
    return None if _is_runlength(targets) else reference


def _is_runlength(targets: str | None) -> bool:
    return targets is not None and targets.partition(":")[0] == _RUNLENGTH


def _names(given: Iterable[str], known: Sequence[str]) -> list[str] | None:
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

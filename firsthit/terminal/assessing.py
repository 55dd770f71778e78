"""What all assessments share on the command line: logs and selectors, options, printing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

if TYPE_CHECKING:
    from ..assessment import Results, Selectors, Table, TargetTable
    from ..assessment.data.target_choice import Counted

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

FORMATS = ("table", "csv", "json", "latex")
_RUNLENGTH = "runlength"


def question(answer: Callable[..., Table | None]) -> Command:
    """Make a command of a function that takes `Results` and selectors and returns a table.

    The command's options, `format_` among them, are decorators of the function; its table is
    printed, none where it returns None.
    """

    @of_logs
    @functools.wraps(answer)
    def command(results: Results, selectors: Selectors, form: str, **options: Any) -> None:
        table = answer(results, selectors, **options)
        if table is not None:
            show(table, form)

    return command


def of_logs(command: Command) -> Command:
    """Options ``LOGS --algorithms --suites --functions --dimensions --instances`` of a command.

    And ``--hypervolume-reference``. It is called with the `Results` of the logs and with
    ``selectors``, the keywords that every question of these takes. What an import guessed is said
    on standard error.
    """

    def reading(
        logs: Sequence[str],
        algorithms: Sequence[str],
        suites: Sequence[str],
        functions: str | None,
        dimensions: str | None,
        instances: str | None,
        hypervolume_reference: str | None,
        **options: Any,
    ) -> None:
        from ..assessment import load

        results = load(list(logs), options.pop("recommended", False))
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
        count = options.pop("count", None)
        counted = cast("Counted", selectors)
        if count is not None:
            counted["count"] = count
        command(results, counted, **options)

    decorated: Command = functools.wraps(command)(reading)
    names = "Names, separated by commas, or the option repeated [default: all]."
    for decorate in (
        hypervolume_reference,
        numbers("--instances", "1-5,71-80"),
        numbers("--dimensions", "2,5"),
        numbers("--functions", "1-5,7"),
        click.option("--suites", multiple=True, metavar="NAMES", help="Likewise [default: all]."),
        click.option("--algorithms", multiple=True, metavar="NAMES", help=names),
        click.argument("logs", nargs=-1, required=True),
    ):
        decorated = decorate(decorated)
    return decorated


def numbers(option: str, example: str) -> Decorator:
    """A selector of functions, dimensions or instances."""
    return click.option(option, metavar="NUMBERS", help=f"Such as {example} [default: all].")


hypervolume_reference = click.option(
    "--hypervolume-reference",
    metavar="archive|FILE",
    help="With two objectives, measure from the best of the archives in LOGS together, or from a "
    "file that `firsthit references` wrote [default: what each log was measured from].",
)
"""``--hypervolume-reference``: what hypervolumes are measured from anew."""


def targets(default: str) -> Decorator:
    """``--targets``: precisions, for `asked_targets`; ``default`` is what the help says."""
    return click.option(
        "--targets",
        metavar="NUMBERS",
        help="Precisions such as 1e1,1e-8 or 1e-5,0,-1e-5; 1e2..1e-8/5: five per decade; "
        "runlength or runlength:0.5,10 with --reference; dynamic; a file NAME.csv that "
        "`assess targets` wrote "
        f"[default: {default}].",
    )


def budgets(default: str) -> Decorator:
    """``--budgets``: multiples of the dimension, or in the unit of ``--axis``."""
    return click.option(
        "--budgets",
        metavar="NUMBERS",
        help="Multiples of the dimension, such as 10,1e3 or 10*D,1000*D, or in the unit of "
        f"--axis [default: {default}].",
    )


def one_budget(
    meaning: str, default: str = "that of the runs, where all have the same"
) -> Decorator:
    """``--budget``: one, as text."""
    return click.option(
        "--budget",
        metavar="NUMBER",
        help=f"{meaning}, such as 100 or 100*D: a multiple of the dimension, or in the unit of "
        f"--axis [default: {default}].",
    )


def chosen_from(option: str, names: Sequence[str], help: str) -> Decorator:
    """One of several names, the first by default."""
    return click.option(
        option, type=click.Choice(names), default=names[0], show_default=True, help=help
    )


axis = chosen_from("--axis", ["evaluations/dimension", "evaluations"], "Unit of budgets.")


def reference(default: str) -> Decorator:
    """``--reference``: what algorithms are measured against."""
    return click.option(
        "--reference",
        metavar="NAME",
        help="An algorithm of LOGS, 'best' for the best of them on each target, or a file of "
        f"COCO's reference data [default: {default}].",
    )


unequal = click.option(
    "--unequal",
    is_flag=True,
    help="Show all runs of each algorithm, and mark who lacks what another has [default: only "
    "functions, dimensions and instances that all were run on].",
)
"""``--unequal``: of a question that joins algorithms over many functions."""


count = click.option(
    "--count",
    type=click.Choice(["f+g", "f", "g"]),
    help="What counts as an evaluation: of the objective or of the constraints, as COCO counts; of "
    "the objective; of the constraints [default: f+g].",
)
"""``--count``: goes with the selectors."""


recommended = click.option(
    "--recommended",
    is_flag=True,
    help="Measure runs by the solutions that they recommended (problem.recommend), not by all that "
    "they evaluated.",
)
"""``--recommended``: says how the logs are read."""


def seed(of: str) -> Decorator:
    """``--seed`` of what is random, 1 by default."""
    return click.option("--seed", type=int, default=1, show_default=True, help=f"Of {of}.")


def interval(of: str) -> Decorator:
    """``--interval``: level of confidence intervals, None without."""
    return click.option(
        "--interval",
        type=float,
        metavar="LEVEL",
        help=f"Add the confidence interval of {of}, such as 0.95.",
    )


format_ = click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    help="What goes to standard output [default: table].",
)
"""``--format``, as the argument ``form``: what `show` takes."""


def given(option: str) -> bool:
    """Whether the option, by its argument's name, is on the command line."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def asked_targets(
    results: Results,
    targets: str | None,
    reference: str | None,
    selectors: Selectors,
    budgets: str | None = None,
) -> str | TargetTable | None:
    """The argument ``targets`` of a question, from ``--targets`` and ``--reference``.

    Args:
        results: What is asked.
        targets: Numbers and names, which pass as they are; ``runlength`` or ``runlength:BUDGETS``;
            or a file ``NAME.csv`` with columns suite, function, dimension, target.
        reference: For run-length based targets only.
        selectors: Of the question.
        budgets: Of ``runlength``.

    Raises:
        AssessmentError: There is a reference without run-length targets.
    """
    from ..assessment.errors import AssessmentError

    if reference is not None and not _is_runlength(targets):
        raise AssessmentError(
            "reference: it is what --targets runlength are made from; give both or none"
        )
    return resolved(results, targets, reference, selectors, budgets)


def resolved(
    results: Results,
    targets: str | None,
    reference: str | None,
    selectors: Selectors,
    budgets: str | None = None,
) -> str | TargetTable | None:
    """As `asked_targets`, where the reference has a meaning of its own, too."""
    from ..assessment.targets.target_sets import read_targets

    if targets is not None and _is_runlength(targets):
        own = targets.partition(":")[2]
        chosen: Any = {name: one for name, one in selectors.items() if name != "count"}
        return results.targets(_RUNLENGTH, reference, own or budgets, **chosen)
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

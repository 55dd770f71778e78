"""Options that several commands have, and the table they print: each is declared here, once."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

if TYPE_CHECKING:
    from ..assessment.data.selection import Selectors
    from ..assessment.data.target_choice import Counted

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]
Cell = str | int | None


def _numbers(option: str, example: str) -> Decorator:
    return click.option(option, metavar="NUMBERS", help=f"Such as {example} [default: all].")


functions = _numbers("--functions", "1-5,7")
dimensions = _numbers("--dimensions", "2,5")
instances = _numbers("--instances", "1-5,71-80")

format_option = click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", help="Of the output."
)

algorithms = click.option(
    "--algorithms",
    multiple=True,
    metavar="NAMES",
    help="Names, separated by commas, or the option repeated [default: all].",
)

hypervolume_reference = click.option(
    "--hypervolume-reference",
    metavar="archive|FILE",
    help="With two objectives, measure from the best of the archives in LOGS together, or from a "
    "file that `firsthit references` wrote [default: what each log was measured from].",
)
"""``--hypervolume-reference``: another reference of hypervolumes."""


def _use_archive(context: click.Context, option: click.Parameter, place: str | None) -> None:
    """Take names of published data from ``place`` until the command has ended."""
    if place is None:
        return
    from ..loggers.formats.coco.fetching import VARIABLE

    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = place

    @context.call_on_close
    def restore() -> None:
        os.environ.pop(VARIABLE, None) if before is None else os.environ.update({VARIABLE: before})


coco_archive = click.option(
    "--coco-archive",
    metavar="URL|FOLDER",
    expose_value=False,
    callback=_use_archive,
    help="Where names such as 'coco:bbob/2009/BFGS' are looked up [default: the variable "
    "FIRSTHIT_COCO_ARCHIVE, else COCO's own archive].",
)
"""``--coco-archive``: of what takes names of published data for logs."""


def chosen_from(option: str, names: Sequence[str], help: str) -> Decorator:
    """One of several names, the first by default."""
    return click.option(
        option, type=click.Choice(names), default=names[0], show_default=True, help=help
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
    type=click.Choice(["f+g", "f", "g", "seconds", "mixed-seconds"]),
    help="What counts as an evaluation: of the objective or of the constraints, as COCO counts; of "
    "the objective; of the constraints. Or seconds, simulated or of one machine; mixed-seconds are "
    "of any [default: f+g].",
)
"""``--count``: goes with the selectors."""


recommended = click.option(
    "--recommended",
    is_flag=True,
    help="Measure runs by the solutions that they recommended (problem.recommend), not by all that "
    "they evaluated.",
)
"""``--recommended``: says how the logs are read."""


def is_given(option: str) -> bool:
    """Whether the option, by its argument's name, is on the command line."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def of_logs(command: Command) -> Command:
    """Options ``LOGS --algorithms --suites --functions --dimensions --instances`` of a command.

    And ``--hypervolume-reference`` and ``--coco-archive``. It is called with the `Results` of the
    logs and with ``selectors``, the keywords that every question of these takes. What an import
    guessed is printed to standard error.
    """

    @click.argument("logs", nargs=-1, required=True)
    @algorithms
    @click.option("--suites", multiple=True, metavar="NAMES", help="Likewise [default: all].")
    @functions
    @dimensions
    @instances
    @hypervolume_reference
    @coco_archive
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
        from ..assessment.data.selection import split_names
        from ..loggers.errors import LogNotFoundError

        try:
            results = load(list(logs), others.pop("recommended", False))
        except LogNotFoundError as error:
            if len(logs) == 1:
                raise
            between = "several values of an option stand between commas: --functions 1,8"
            raise LogNotFoundError(f"{error}; {between}") from error
        for note in results.log.notes:
            click.echo(f"note: {note}", err=True)
        selectors: Selectors = {
            "algorithms": split_names(algorithms, results.algorithms),
            "suites": split_names(suites, results.suites),
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


def print_rows(rows: Sequence[Mapping[str, Cell]], form: str, none: str = "unlimited") -> None:
    """Print rows that have the same keys, as JSON or as a table; ``none`` is what None is there."""
    if form == "json":
        click.echo(json.dumps([dict(row) for row in rows], indent=2))
        return
    lines = [
        list(rows[0]),
        *([none if cell is None else str(cell) for cell in row.values()] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    to_right = [not isinstance(cell, str) for cell in rows[0].values()]
    for line in lines:
        cells = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, to_right, strict=True)
        )
        click.echo("  ".join(cells).rstrip())

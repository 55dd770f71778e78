"""Options that several commands share, and the function that prints their rows.

An option is a decorator of a command (`functions`, `count`, …). `read_logs` adds all options of a
command that reads logs, and reads the logs before it calls the command. A command that writes files
has the option `overwrite`, and calls `refuse_existing` before it begins its work.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import click

from .activity import show_activity
from .help import add_option

if TYPE_CHECKING:
    from ..assessment.selection import Selectors
    from ..assessment.target_choice import Counted

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]
Cell = str | int | None
OutputFormat = Literal["table", "json"]


functions = add_option(
    "--functions", metavar="NUMBERS", help="Functions, e.g. 1-5,7. Default: all."
)
dimensions = add_option(
    "--dimensions", metavar="NUMBERS", help="Dimensions, e.g. 2,5. Default: all."
)
instances = add_option(
    "--instances", metavar="NUMBERS", help="Instances, e.g. 1-5,71-80. Default: all."
)

format_option = add_option(
    "--format",
    "output_format",
    type=click.Choice(get_args(OutputFormat)),
    default="table",
    show_default=True,
    help="Output format.",
)

algorithms = add_option(
    "--algorithms",
    multiple=True,
    metavar="NAMES",
    help="Algorithms, separated by commas; may be repeated. Default: all.",
)

suites = add_option(
    "--suites",
    multiple=True,
    metavar="NAMES",
    help="Suites, separated by commas; may be repeated. Default: all.",
)

hypervolume_reference = add_option(
    "--hypervolume-reference",
    metavar="archive|FILE",
    help="Reference value of the hypervolume (two objectives): 'archive' for the hypervolume of "
    "all archives in LOGS together, or a file written by `firsthit references`. Default: the value "
    "in each log.",
)
"""``--hypervolume-reference``: replace the reference from which hypervolumes are measured."""


def _use_archive(context: click.Context, option: click.Parameter, location: str | None) -> None:
    """Set the environment variable of COCO's archive until the command has ended.

    Args:
        context: Context of the command; restores the variable when it closes.
        option: The option ``--coco-archive``.
        location: URL or folder of the archive. None: the variable stays as it is.
    """
    if location is None:
        return
    from ..loggers.formats.coco.fetching import VARIABLE

    previous_location = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = location

    @context.call_on_close
    def restore() -> None:
        if previous_location is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = previous_location


coco_archive = add_option(
    "--coco-archive",
    metavar="URL|FOLDER",
    expose_value=False,
    callback=_use_archive,
    help="Data archive for names such as 'coco:bbob/2009/BFGS'. Default: the environment variable "
    "FIRSTHIT_COCO_ARCHIVE, else COCO's archive.",
)
"""``--coco-archive``: for commands that accept names of published data as logs."""


def declare_choice_option(option: str, names: Sequence[str], help: str) -> Decorator:
    """Return an option whose value is one of several names.

    Args:
        option: The option, such as ``--width``.
        names: Allowed values; the first is the default.
        help: Help of the option.
    """
    return add_option(
        option, type=click.Choice(names), default=names[0], show_default=True, help=help
    )


width = declare_choice_option(
    "--width", ["column", "page"], "Width of figures in a paper: 3.4 inches or 7 inches."
)
"""``--width``: draw figures as wide as a column or a page."""

highlight = add_option(
    "--highlight",
    metavar="NAMES",
    help="Algorithms that figures draw in colour, separated by commas; all others are grey. "
    "Default: all algorithms are in colour.",
)
"""``--highlight``: draw some algorithms in colour and all others in grey."""


def split_highlighted_names(names: str | None, algorithms: Sequence[str]) -> list[str] | None:
    """Split the value of ``--highlight``.

    Args:
        names: The value. None: the option is not given.
        algorithms: Algorithms of the logs.

    Returns:
        The names of the highlighted algorithms. None: the option is not given.

    Raises:
        UnknownNameError: A name is no algorithm of the logs.
    """
    from ..assessment.selection import split_names
    from ..suites.errors import UnknownNameError

    if names is None:
        return None
    highlighted = split_names([names], algorithms) or []
    for name in highlighted:
        if name not in algorithms:
            raise UnknownNameError.of("algorithm to highlight", name, algorithms)
    return highlighted


unequal = add_option(
    "--unequal",
    is_flag=True,
    help="Use all runs of each algorithm, and mark algorithms with missing data. Default: only the "
    "functions, dimensions and instances that all algorithms were run on.",
)
"""``--unequal``: for questions that join algorithms over many functions."""

count = add_option(
    "--count",
    type=click.Choice(["f+g", "f", "g", "seconds", "mixed-seconds"]),
    help="Unit of runtimes. f+g: evaluations of the objective and of the constraints (as in COCO); "
    "f: of the objective; g: of the constraints; seconds: measured on one machine, or "
    "simulated; mixed-seconds: measured on several machines. Default: f+g.",
)
"""``--count``: choose what counts as an evaluation; `read_logs` puts it among the selectors."""

recommended = add_option(
    "--recommended",
    is_flag=True,
    help="Use the solutions that runs recommended (problem.recommend) instead of all evaluated "
    "solutions.",
)
"""``--recommended``: measure recommended solutions; `read_logs` passes the value to `load`."""


DAMAGE_KEY = "firsthit.damage"
"""Key of `click.Context.meta` whose value is True if a log has a damaged journal."""


def report_damage(
    logs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    printed_notes: Collection[str] = (),
) -> None:
    """Make the command end with exit code 1 if a journal of the logs has a damaged record.

    A note on each of these journals is printed to standard error.

    Args:
        logs: The logs, as the command received them.
        printed_notes: Notes that the command has printed or will print itself.
    """
    from ..loggers.hdf5.reader import damaged_journals, describe_tail

    for journal, tail in damaged_journals(logs).items():
        click.get_current_context().meta[DAMAGE_KEY] = True
        note = describe_tail(journal, tail)
        if note not in printed_notes:
            click.echo(f"note: {note}", err=True)


def declare_overwrite(help: str) -> Decorator:
    """Return the option ``--overwrite``; the command checks it with `refuse_existing`."""
    return add_option("--overwrite", is_flag=True, help=help)


overwrite = declare_overwrite("Replace existing files. Default: refuse to write.")
"""``--overwrite``: for commands that write files; `refuse_existing` checks it."""


def refuse_existing(
    paths: Iterable[str | os.PathLike[str] | None], overwrite: bool, option: str = "--output"
) -> None:
    """Raise an error if a file or folder to be written exists. Call this before any other work.

    Args:
        paths: Files, folders and logs that the command writes; None is ignored. A log also exists
            if it consists of journals only.
        overwrite: Whether the command has the option ``--overwrite``; then nothing is refused.
        option: Option that names the output, for the message.

    Raises:
        LogExistsError: One of the paths exists.
    """
    if overwrite:
        return
    for path in paths:
        if path is not None and _exists(Path(path)):
            from ..loggers.errors import LogExistsError

            raise LogExistsError(
                f"{os.fspath(path)!r} exists; give another {option}, or replace it with --overwrite"
            )


def _exists(path: Path) -> bool:
    if os.path.lexists(path):
        return True
    from ..loggers.hdf5.files import journals, parts_folder

    return path.suffix == ".h5" and bool(journals(parts_folder(path)))


def call_first(check: Callable[..., None]) -> Decorator:
    """Return a decorator that calls a check with all options of a command before the command.

    Above `read_logs`, the check is called before logs are read.

    Args:
        check: Function that takes the options of the command as keywords.
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def check_and_call(**options: Any) -> None:
            check(**options)
            command(**options)

        return check_and_call

    return decorate


def is_given(option: str) -> bool:
    """Return whether an option of the current command is on the command line.

    Args:
        option: Name of the option's parameter, such as ``group_by`` for ``--group-by``.
    """
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def read_logs(command: Command) -> Command:
    """Add LOGS and the options that select runs to a command, and read the logs before its call.

    The options are ``--algorithms``, ``--suites``, ``--functions``, ``--dimensions``,
    ``--instances``, ``--hypervolume-reference`` and ``--coco-archive``. What an import of other
    data guessed is printed to standard error.

    Args:
        command: Function that is called with the `Results` of the logs, with the selectors that
            every question of `Results` takes as a dictionary (``count`` among them, if the command
            has ``--count`` and the option has a value), and with its other options as keywords.

    Returns:
        The function to be decorated further, with the same help as ``command``.
    """

    @click.argument("logs", nargs=-1, required=True)
    @algorithms
    @suites
    @functions
    @dimensions
    @instances
    @hypervolume_reference
    @coco_archive
    @functools.wraps(command)
    def read_logs_and_call(
        logs: Sequence[str],
        algorithms: Sequence[str],
        suites: Sequence[str],
        functions: str | None,
        dimensions: str | None,
        instances: str | None,
        hypervolume_reference: str | None,
        **other_options: Any,
    ) -> None:
        from ..assessment import load
        from ..assessment.selection import split_names
        from ..loggers.errors import LogNotFoundError

        show_activity("reading logs")
        try:
            results = load(list(logs), other_options.pop("recommended", False))
        except LogNotFoundError as error:
            if len(logs) == 1:
                raise
            # In `--functions 1 8`, click takes the 8 for the name of a log.
            hint = "several values of an option stand between commas: --functions 1,8"
            raise LogNotFoundError(f"{error}; {hint}") from error
        for note in results.log.notes:
            click.echo(f"note: {note}", err=True)
        report_damage(logs, results.log.notes)
        selectors: Selectors = {
            "algorithms": split_names(algorithms, results.algorithms),
            "suites": split_names(suites, results.suites),
            "functions": functions,
            "dimensions": dimensions,
            "instances": instances,
        }
        if hypervolume_reference is not None:
            show_activity("measuring hypervolumes")
            results = results.measured_from(hypervolume_reference, **selectors)
        count = other_options.pop("count", None)
        counted = cast("Counted", selectors)
        if count is not None:
            counted["count"] = count
        show_activity("computing the results")
        command(results, counted, **other_options)

    return read_logs_and_call


def print_rows(
    rows: Sequence[Mapping[str, Cell]],
    output_format: OutputFormat,
    none_text: str = "unlimited",
) -> None:
    """Print rows to standard output, as JSON or as a table.

    Args:
        rows: At least one row, by column; all rows have the same columns.
        output_format: "json", or "table": titles and rows, with texts aligned to the left and
            columns of numbers to the right.
        none_text: What the table shows for None.
    """
    if output_format == "json":
        click.echo(json.dumps([dict(row) for row in rows], indent=2))
        return
    lines = [
        list(rows[0]),
        *([none_text if cell is None else str(cell) for cell in row.values()] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    are_numeric = [not isinstance(cell, str) for cell in rows[0].values()]
    for line in lines:
        cell_texts = (
            cell.rjust(width) if is_numeric else cell.ljust(width)
            for cell, width, is_numeric in zip(line, widths, are_numeric, strict=True)
        )
        click.echo("  ".join(cell_texts).rstrip())

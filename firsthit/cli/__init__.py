"""The command line ``firsthit``: find and import commands, and print their errors.

Each command is a file of this package, which is imported when the command is used. To add a
command, copy `suites.py` and add its name to `_SECTIONS`. The questions of ``firsthit assess``
become commands without further code.

An error that a user can cause is printed as one sentence, and the exit code is 2. If finished runs
are missing in a log, or a journal is damaged (`options.report_damage`), the exit code is 1.
"""

from __future__ import annotations

import errno
import sys
from pkgutil import resolve_name

import click

from .lazy import LazyGroup
from .options import DAMAGE_KEY
from .streams import guarded_streams

__all__ = ["group", "main"]

_SECTIONS = {
    "Campaigns": {
        "run": "run a campaign file (again: continue it)",
        "status": "show the progress of a campaign",
        "watch": "show a campaign live in the browser",
        "check": "check a campaign file, and print the planned runs",
        "schema": "print the JSON schema of campaign files, for editors",
        "rerun": "repeat the runs of a report or a log, and compare the first hits",
    },
    "Tables, figures and reports": {
        "assess": "compute runtimes and their distributions from logs",
        "regressions": "test whether a new version of an optimizer is slower or less reliable",
        "figures": "draw figures for papers, with captions",
        "report": "write an interactive report on logs: one HTML file",
        "publish": "write a folder for the web: log, data, report, figures, licence",
    },
    "Logs and other formats": {
        "merge": "join logs into one file",
        "references": "list the references of hypervolumes, and the best of logs",
        "import": "read data of COCO or IOHprofiler into a log",
        "export": "write logs as data of COCO or IOHprofiler, or as Parquet",
    },
    "Published data": {
        "data": "list, download and index published data, such as 'coco:bbob/2009/BFGS'",
    },
    "Suites and optimizers": {
        "suites": "list suites with their functions, dimensions and instances",
        "optimizers": "list optimizers, their packages and parameters",
        "doctor": "test the built-in optimizers on this machine",
    },
}

_SHARED_FILES = {
    "schema": "check:schema",
    "merge": "logs:merge",
    "references": "logs:references",
    "import": "logs:import_",
    "export": "logs:export",
}
"""Module and function of commands that share a file. Others are ``command`` in the file NAME.py."""

_RENAMED_COMMANDS = {
    "compare": "'firsthit compare BASE NEW' is now 'firsthit regressions BASE NEW'; "
    "'firsthit assess compare LOGS' compares algorithms",
}
"""Former names of commands to the message for their users."""

_SYSTEM_ERROR_NUMBERS = {
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EACCES,
    errno.EIO,
    errno.ENOMEM,
    errno.ENAMETOOLONG,
}
"""Errors with a cause outside of firsthit. They are printed without traceback."""

_MAX_NAME_CHARACTERS = 200
"""Longest part of a file name in a message about the operating system."""


class _Commands(LazyGroup):
    """Group of the commands of ``firsthit``."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name of a command, the command, and the arguments after it.

        Raises:
            UsageError: There is no such command; the message names its new name or the nearest one.
        """
        if args[0] in _RENAMED_COMMANDS:
            raise click.UsageError(_RENAMED_COMMANDS[args[0]], ctx)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command and return it; None if there is no such command."""
        if cmd_name not in self.summaries:
            return None
        location = _SHARED_FILES.get(cmd_name, f"{cmd_name}:command")
        command: click.Command = resolve_name(f"{__name__}.{location}")
        return command


@click.command(
    cls=_Commands,
    sections=_SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"]},
    examples=[
        "firsthit run quickstart",
        "firsthit assess summary results/quickstart.h5",
        "firsthit report results/quickstart.h5",
    ],
)
@click.version_option(package_name="firsthit")
def group() -> None:
    """Benchmark black-box optimizers: run campaigns, assess their logs."""


@group.result_callback()
@click.pass_context
def _end_after_command(context: click.Context, result: object) -> None:
    """End with exit code 1 if a command succeeded on a log with a damaged journal."""
    if context.meta.get(DAMAGE_KEY):
        context.exit(1)


def main() -> None:
    """Run the command line and end the process with the exit code of the command.

    Raises:
        SystemExit: With code 0 for success, 1 if runs failed or are missing, or 2 for wrong use.
            Commands such as ``regressions`` and ``run`` describe further codes in their help.
    """
    with guarded_streams():
        try:
            group(prog_name="firsthit")
        except Exception as error:
            # These imports load numpy, which would delay `firsthit --help`.
            from ..loggers.errors import MissingRunsError
            from ..suites.errors import FirsthitError
            from ..suites.texts import shorten_words

            is_system_error = isinstance(error, OSError) and error.errno in _SYSTEM_ERROR_NUMBERS
            if not (is_system_error or isinstance(error, FirsthitError)):
                raise
            message = _describe(error) if isinstance(error, OSError) else str(error)
            click.echo(f"firsthit: {shorten_words(message)}", err=True)
            sys.exit(1 if isinstance(error, MissingRunsError) else 2)


def _describe(error: OSError) -> str:
    """Return the message of an error; of a long file name, it quotes the beginning only."""
    name = str(error.filename or "")
    if len(name) <= _MAX_NAME_CHARACTERS:
        return str(error)
    return f"{error.strerror}: {name[:_MAX_NAME_CHARACTERS]!r}…, {len(name)} characters"

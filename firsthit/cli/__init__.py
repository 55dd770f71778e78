"""The command line ``firsthit``: finds commands; errors are one sentence and exit code 2.

Commands are files here, imported when used. To add one, copy `suites.py`, and name it below.
Questions of `firsthit assess` become commands by themselves.
"""

from __future__ import annotations

import errno
import sys
from pkgutil import resolve_name

import click

from .lazy import LazyGroup
from .streams import usable_streams

_SECTIONS = {
    "Campaigns": {
        "run": "run a campaign file (again: continue it)",
        "status": "say how far a campaign is",
        "check": "say what a campaign file would run, without running it",
        "schema": "print the JSON schema of campaign files, for editors",
        "rerun": "run a report or a log again, and compare the first hits",
    },
    "Answers": {
        "assess": "compute runtimes and their distributions from logs",
        "compare": "say what a new version of an optimizer does slower or less reliably",
        "figures": "draw figures for papers, with captions",
        "report": "write one interactive HTML file that answers what logs say",
        "publish": "write a folder for the web: log, data, report, figures, licence",
    },
    "Logs and other formats": {
        "merge": "join logs into one file",
        "references": "list what hypervolumes are measured from, and the best of logs",
        "import": "read data of COCO or IOHprofiler into a log",
        "export": "write logs as data of COCO or IOHprofiler, or as Parquet",
    },
    "Published data": {
        "data": "list, fetch and index published data, such as 'coco:bbob/2009/BFGS'",
    },
    "What there is": {
        "suites": "list suites with their functions, dimensions and instances",
        "optimizers": "list optimizers, their packages and parameters",
        "doctor": "run every optimizer for a moment and say what works here",
    },
}
_ELSEWHERE = {
    "schema": "check:schema", "merge": "logs:merge", "references": "logs:references",
    "import": "logs:import_", "export": "logs:export",
}  # fmt: skip
"""Commands that share a file; each other one is ``command`` in the file of its name."""

_SYSTEM_ERRORS = {
    errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO,
    errno.ENOMEM,
}  # fmt: skip
"""Errors of the system, not of firsthit: a sentence suffices, without traceback."""


class _Commands(LazyGroup):
    """The commands of ``firsthit``."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None where there is none."""
        if cmd_name not in self.summaries:
            return None
        place = _ELSEWHERE.get(cmd_name, f"{cmd_name}:command")
        command: click.Command = resolve_name(f"{__name__}.{place}")
        return command


@click.command(
    cls=_Commands,
    sections=_SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="firsthit")
def group() -> None:
    """Benchmark black-box optimizers: run campaigns, assess their logs."""


def main() -> None:
    """Run the command line; exit code 0 fine, 1 some runs failed, 2 wrong use."""
    with usable_streams():
        try:
            group(prog_name="firsthit")
        except Exception as error:
            from ..suites.errors import FirsthitError

            is_system_error = isinstance(error, OSError) and error.errno in _SYSTEM_ERRORS
            if not (is_system_error or isinstance(error, FirsthitError)):
                raise
            click.echo(f"firsthit: {error}", err=True)
            sys.exit(2)

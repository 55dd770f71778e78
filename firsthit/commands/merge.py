"""``firsthit merge``: several logs, or the parts of one, into one file."""

from __future__ import annotations

import click


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "--output", metavar="FILE.h5", help="The file to write; with one log: that log itself."
)
def command(logs: tuple[str, ...], output: str | None) -> None:
    """Join LOGS (files, folders, globs) into one log, every run once.

    Runs that are in several logs must be equal in all. A log whose writer was killed is finished
    by naming it alone.
    """
    from ..loggers import merge_logs

    if output is None and len(logs) > 1:
        raise click.UsageError("several logs need --output FILE.h5")
    click.echo(merge_logs(list(logs), output or logs[0]))

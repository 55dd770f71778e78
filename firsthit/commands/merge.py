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

    Runs that are in several logs must be equal in all; a run that failed gives way to the same run
    that did not. A log whose writer was killed is finished by naming it alone. Logs with other
    parameters of an algorithm, or another version of a suite, are refused; other libraries and
    machines are told.
    """
    from ..loggers import merge_logs, read_log
    from ..loggers.hdf5.provenance import differing

    if output is None and len(logs) > 1:
        raise click.UsageError("several logs need --output FILE.h5")
    merged = merge_logs(list(logs), output or logs[0])
    for sentence in differing(read_log(merged).headers):
        click.echo(f"note: {sentence}", err=True)
    click.echo(merged)

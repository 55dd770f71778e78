"""``firsthit merge``: several logs, or the parts of one, into one file."""

from __future__ import annotations

import click


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "--output", metavar="FILE.h5", help="The file to write; with one log: that log itself."
)
@click.option("--partial", is_flag=True, help="Join batches of a campaign though some are missing.")
def command(logs: tuple[str, ...], output: str | None, partial: bool) -> None:
    """Join LOGS (files, folders, globs) into one log, every run once.

    Runs that are in several logs must be equal in all; a run that failed gives way to the same run
    that did not. A log whose writer was killed is finished by naming it alone. Logs with other
    parameters of an algorithm, or another version of a suite, are refused; other libraries and
    machines are told. So are batches of a campaign without the others: nothing is written then,
    unless --partial is given; the others can be merged with the outcome later.
    """
    from ...loggers import LogConflictError, merge_logs, read_log
    from ...loggers.records.provenance import differing
    from ...runner.campaign.batches import missing_batches

    if output is None and len(logs) > 1:
        raise click.UsageError("several logs need --output FILE.h5")
    if output is not None and output not in logs:
        for name, batches in missing_batches(read_log(list(logs)).headers).items():
            missing = ", ".join(map(str, batches))
            sentence = f"campaign {name!r}: missing batches {missing}"
            if not partial:
                raise LogConflictError(
                    f"{sentence}; give their logs, too, or --partial to do without them"
                )
            click.echo(f"note: {sentence}", err=True)
    merged = merge_logs(list(logs), output or logs[0])
    for sentence in differing(read_log(merged).headers):
        click.echo(f"note: {sentence}", err=True)
    click.echo(merged)

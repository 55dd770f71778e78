"""``firsthit import``: data of COCO and IOHprofiler into a log."""

from __future__ import annotations

import click


@click.command()
@click.argument("sources", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="LOG.h5", required=True, help="The log to write; never overwritten."
)
@click.option(
    "--algorithm",
    metavar="NAME",
    help="Name of the algorithm in the log; by default the one in the data.",
)
def command(sources: tuple[str, ...], output: str, algorithm: str | None) -> None:
    """Read SOURCES (folders or .tar.gz, .tgz, .tar, .zip archives) into one log.

    Read are data of COCO, formats bbob, bbob-new, bbob-new2 and bbob-biobj, and of IOHprofiler,
    JSON and .info. Archives are read in memory and never unpacked to disk. What had to be guessed
    or left out is said on stderr and stands in the log. `firsthit assess` also takes such folders
    and archives directly.
    """
    from ...loggers import import_data

    done = import_data(sources, output, algorithm)
    for note in done.notes:
        click.echo(f"note: {note}", err=True)
    click.echo(f"{done.path}: {done.runs} runs", err=True)

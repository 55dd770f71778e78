"""``firsthit export``: the runs of logs as data of COCO or IOHprofiler."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(["coco", "ioh"]), required=True, help="What to write."
)
@click.option(
    "-o", "--output", metavar="FOLDER", required=True, help="A new folder; never overwritten."
)
def command(logs: tuple[str, ...], form: str, output: str) -> None:
    """Write the runs of LOGS (files, folders, globs) into a new folder.

    coco: format bbob-new2, for cocopp. ioh: JSON and .dat files, for IOHanalyzer and iohinspector.
    With several algorithms or suites, each gets a folder of its own in it.
    """
    from ...loggers import read_log, write_coco, write_ioh

    write = write_coco if form == "coco" else write_ioh
    for note in write(read_log(list(logs)), Path(output)):
        click.echo(f"note: {note}", err=True)
    click.echo(output)

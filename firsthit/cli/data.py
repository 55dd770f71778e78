"""``firsthit data``: published data by name, and definition files for data of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from . import options
from .options import format_option, print_rows


@click.group()
def command() -> None:
    """List, fetch and index published data.

    Names of published data may be given wherever LOGS may: `firsthit report own.h5
    'coco:bbob/2009/BIPOP-CMA-ES'`. A PATTERN is part of a name, in upper or lower case, or a
    regular expression; 'PATTERN!' is the first that matches, 'PATTERN*' all. Quotes keep shells
    from taking these characters for themselves.
    """


@command.command("list")
@click.argument("pattern", default="")
@options.coco_archive
@format_option
def list_(pattern: str, form: str) -> None:
    """List published data: names, sizes, and whether they are on this machine already.

    PATTERN is part of a name or a regular expression [default: all]. The list of names is fetched
    anew; without a network the last one is shown, and a note says so.
    """
    from ..loggers.errors import LogReadError
    from ..loggers.formats.coco.archive import selected
    from ..loggers.formats.coco.fetching import archive

    place = archive()
    try:
        found = place.data_sets(renew=True)
    except LogReadError as error:
        found = place.data_sets()
        click.echo(f"note: the list of names is the one fetched before: {error}", err=True)
    every = pattern.removeprefix("coco:").rstrip("!*") + "*"
    names = set(selected([entry.name for entry in found], every, place.place))
    rows = [
        {
            "name": f"coco:{entry.name}",
            "MB": None if entry.kilobytes is None else f"{entry.kilobytes / 1000:.1f}",
            "here": "yes" if place.local(entry) else "no",
        }
        for entry in found
        if entry.name in names
    ]
    print_rows(rows, form, none="?")


@command.command()
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@options.coco_archive
def fetch(patterns: tuple[str, ...]) -> None:
    """Fetch the published data that each PATTERN names, to use them offline; print the files."""
    from ..loggers.formats.coco.fetching import fetched

    for pattern in patterns:
        for data in fetched(pattern):
            click.echo(data.path)


@command.command()
@click.argument("folder")
def index(folder: str) -> None:
    """Write coco_archive_definition.txt: FOLDER is an archive then, for --coco-archive and cocopp.

    FOLDER holds archives (.tgz, .tar.gz, .tar, .zip) with COCO's data, one data set each; their
    paths below FOLDER are their names. Put it on any web server, or use it where it is. An older
    definition is replaced.
    """
    from ..loggers.formats.coco.archive import DEFINITION, write_definition

    found = write_definition(Path(folder))
    click.echo(f"{len(found)} data sets", err=True)
    click.echo(Path(folder, DEFINITION))

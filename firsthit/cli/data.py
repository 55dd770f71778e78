"""``firsthit data``: list and download published data, and write definitions of own archives."""

from __future__ import annotations

from pathlib import Path

import click

from . import options
from .activity import show_activity
from .help import Command, Group
from .options import OutputFormat, format_option, print_rows


@click.group(
    cls=Group,
    examples=[
        "firsthit data list 2009",
        "firsthit data fetch 'coco:bbob/2009/BFGS'",
        "firsthit report my.h5 'coco:bbob/2009/BIPOP-CMA-ES'",
    ],
)
def command() -> None:
    """List, fetch and index published data.

    All commands that take LOGS accept names of published data. A PATTERN is part of a name, in
    upper or lower case, or a regular expression. 'PATTERN!' is the first match, and 'PATTERN*' is
    all matches. Quotes are necessary because shells replace the characters ! and *.
    """


@command.command(
    "list",
    cls=Command,
    examples=["firsthit data list", "firsthit data list bbob-biobj --format json"],
)
@click.argument("pattern", default="")
@options.coco_archive
@format_option
def list_(pattern: str, output_format: OutputFormat) -> None:
    """List published data: names, sizes, and whether they are on this machine.

    PATTERN is part of a name or a regular expression. Default: all data. The command downloads the
    list of names. Without a network, it shows the list of the last download, and a note says so.
    """
    from ..loggers.errors import LogReadError
    from ..loggers.formats.coco.archive import selected
    from ..loggers.formats.coco.fetching import archive

    published = archive()
    try:
        data_sets = published.data_sets(renew=True)
    except LogReadError as error:
        data_sets = published.data_sets()
        click.echo(f"note: the list of names is the one fetched before: {error}", err=True)
    # The list contains all matches of a pattern; elsewhere only a pattern with * names several.
    pattern_of_all = pattern.removeprefix("coco:").rstrip("!*") + "*"
    all_names = [data_set.name for data_set in data_sets]
    names = set(selected(all_names, pattern_of_all, published.location))
    rows = [
        {
            "name": f"coco:{data_set.name}",
            "MB": None if data_set.kilobytes is None else f"{data_set.kilobytes / 1000:.1f}",
            "here": "yes" if published.local(data_set) else "no",
        }
        for data_set in data_sets
        if data_set.name in names
    ]
    print_rows(rows, output_format, none_text="?")


@command.command(
    cls=Command,
    examples=["firsthit data fetch 'coco:bbob/2009/BFGS'", "firsthit data fetch 'bbob/2009/*'"],
)
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@options.coco_archive
def fetch(patterns: tuple[str, ...]) -> None:
    """Download the published data that each PATTERN names, and print the files.

    Downloaded data work offline.
    """
    from ..loggers.formats.coco.fetching import fetched

    for pattern in patterns:
        show_activity(f"fetching {pattern}")
        for data_set in fetched(pattern):
            click.echo(data_set.path)


@command.command(cls=Command, examples=["firsthit data index my-archive"])
@click.argument("folder")
def index(folder: str) -> None:
    """Write the file coco_archive_definition.txt, which makes FOLDER a data archive.

    firsthit (--coco-archive) and cocopp can read the archive from a web server or from this folder.
    FOLDER contains .tgz, .tar.gz, .tar or .zip files with COCO's data, one data set in each. The
    path of a file in FOLDER is the name of its data set. An earlier definition is replaced.
    """
    from ..loggers.formats.coco.archive import DEFINITION, write_definition

    data_sets = write_definition(Path(folder))
    click.echo(f"{len(data_sets)} data sets", err=True)
    click.echo(Path(folder, DEFINITION))

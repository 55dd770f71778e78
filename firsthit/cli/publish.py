"""``firsthit publish``: write logs, report and data into a folder for the web or an archive."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from . import options
from .activity import show_activity
from .help import Command, add_option
from .run import INTERRUPTED, handle_interrupts

_REQUIRED_OPTIONS = {
    "title": "--title",
    "authors": "--author",
    "license": "--license",
    "date": "--date",
}
"""Option by key of the metadata that every publication has."""


@click.command(
    cls=Command,
    examples=[
        "firsthit publish results/my.h5 -o public/my",
        "firsthit publish results/my.h5 -o public/my --doi 10.5281/zenodo.123",
        "firsthit publish --index public",
    ],
)
@click.argument("logs", nargs=-1)
@add_option("-o", "--output", metavar="FOLDER", help="Folder to write. Required with LOGS.")
@options.overwrite
@add_option(
    "--title",
    metavar="TEXT",
    help="Title of the publication, one line. Default: the title in the campaign.",
)
@add_option(
    "--author",
    "authors",
    multiple=True,
    metavar="'FAMILY, GIVEN'",
    help="Author, e.g. 'Doe, Jane', 'Doe, Jane, 0000-0002-1825-0097', or the name of an "
    "organisation; give the option once per author. Default: the authors in the campaign.",
)
@add_option(
    "--license",
    metavar="NAME|FILE",
    help="Licence: CC-BY-4.0, CC0-1.0, or a file with the text of another licence. Default: the "
    "licence in the campaign.",
)
@add_option(
    "--date",
    metavar="YYYY-MM-DD",
    help="Date of the publication. Default: the date in the campaign.",
)
@add_option(
    "--doi",
    metavar="DOI",
    help="DOI of the publication, e.g. 10.5281/zenodo.123. Reserve it before, because the log "
    "contains it. Default: no DOI.",
)
@add_option(
    "--code",
    metavar="FOLDER",
    help="Folder of the files that campaigns name; the files are copied. Default: no files.",
)
@add_option("--with-others", is_flag=True,
              help="Copy published data of others, too. Default: only their names are "
              "written.")  # fmt: skip
@options.coco_archive
@add_option("--index", metavar="FOLDER",
              help="Write FOLDER/index.html, with a link to each published folder in FOLDER, "
              "instead of a publication. Give no LOGS then. Default: publish LOGS.")  # fmt: skip
def command(
    logs: Sequence[str],
    output: str | None,
    overwrite: bool,
    doi: str | None,
    code: str | None,
    with_others: bool,
    index: str | None,
    **metadata: Any,
) -> None:
    """Write a folder to publish: LOGS and all data, figures and tables computed from them.

    The folder contains the log, COCO's data, Parquet files, the report, figures, tables, the
    campaign, the installed packages, the licence, CITATION.cff, README.md and
    ro-crate-metadata.json. Put it on a web server or into an archive such as Zenodo. Licence,
    authors and DOI are also attributes of the log.

    In the same environment, the command writes the same bytes again. `firsthit rerun FOLDER -o
    again` repeats the runs. --overwrite replaces a folder only if it is empty or if this command
    wrote all files in it.
    """
    from ..loggers import read_log
    from ..publishing.contents import publish
    from ..publishing.metadata import Publication, told_by_campaigns
    from ..publishing.pages import index_publications

    if index is not None:
        if logs:
            raise click.UsageError("--index FOLDER stands alone, without LOGS")
        click.echo(f"wrote {index_publications(index)}", err=True)
        return
    if not logs:
        raise click.UsageError("Missing argument 'LOGS...'.")
    if not output:
        raise click.UsageError("a publication needs --output FOLDER")
    options.refuse_existing([output], overwrite)
    options.report_damage(logs)
    show_activity("reading logs")
    # What the command line lacks may be in the campaigns that the logs hold.
    if not all(metadata.values()):
        metadata = told_by_campaigns(read_log(list(logs)).headers, metadata)
    missing = [option for key, option in _REQUIRED_OPTIONS.items() if not metadata.get(key)]
    if missing:
        raise click.UsageError(
            f"a publication needs {', '.join(missing)}, or 'publication' in the campaign"
        )
    publication = Publication.of(**metadata, doi=doi)
    try:
        with handle_interrupts():
            notes = publish(
                list(logs),
                output,
                publication,
                with_others=with_others,
                code=code,
                overwrite=overwrite,
                on_step=show_activity,
            )
    except KeyboardInterrupt:
        click.echo(f"interrupted; {output} was not written", err=True)
        sys.exit(INTERRUPTED)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    click.echo(output)

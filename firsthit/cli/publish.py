"""``firsthit publish``: a folder for a web server or an archive, with all that belongs to runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from . import options


@click.command()
@click.argument("logs", nargs=-1)
@click.option("-o", "--output", metavar="FOLDER", help="A new folder; never overwritten.")
@click.option("--title", metavar="TEXT", help="One line.")
@click.option(
    "--author",
    "authors",
    multiple=True,
    metavar="'FAMILY, GIVEN'",
    help="Or 'FAMILY, GIVEN, ORCID', or an organisation's name; once for each author.",
)
@click.option(
    "--license",
    metavar="NAME|FILE",
    help="CC-BY-4.0, CC0-1.0, or a file with the text of another licence.",
)
@click.option("--date", metavar="YYYY-MM-DD", help="Of the publication.")
@click.option("--code", metavar="FOLDER", help="Copy the files that campaigns name from there.")
@click.option("--with-others", is_flag=True,
              help="Copy published data of others, too [default: they are named].")  # fmt: skip
@options.coco_archive
@click.option("--index", metavar="FOLDER",
              help="Alone, without LOGS: write FOLDER/index.html, with a link to each published "
              "folder in FOLDER.")  # fmt: skip
def command(
    logs: Sequence[str],
    output: str | None,
    code: str | None,
    with_others: bool,
    index: str | None,
    **facts: Any,
) -> None:
    """Write a folder to publish: LOGS and all that was made of them.

    It holds the log, COCO's data, Parquet files, the report, figures, tables, the campaign, what
    was installed, licence, CITATION.cff, README.md and ro-crate-metadata.json. Put it on any web
    server or into an archive such as Zenodo. Made again in the same environment it has the same
    bytes; `firsthit rerun FOLDER -o again` makes its runs again.
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
    if not all(facts.values()):
        facts = told_by_campaigns(read_log(list(logs)).headers, facts)
    names = {"title": "--title", "authors": "--author", "license": "--license", "date": "--date"}
    if missing := [option for name, option in names.items() if not facts.get(name)]:
        raise click.UsageError(
            f"a publication needs {', '.join(missing)}, or 'publication' in the campaign"
        )
    publication = Publication.of(**facts)
    for note in publish(list(logs), output, publication, with_others=with_others, code=code):
        click.echo(f"note: {note}", err=True)
    click.echo(output)

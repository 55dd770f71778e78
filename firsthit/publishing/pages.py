"""Create the pages that describe published folders.

`readme` and `folder_page` return the texts of ``README.md`` and ``index.html`` of one published
folder. `index_publications` writes a page with links to several published folders.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from ..assessment.report.index_page import INDEX, IndexEntry, plain_page, write_index
from .metadata import CRATE, LICENSE, SOFTWARE, Publication, PublicationError

_GENERATOR = "firsthit publish"
_CRATE_DESCRIPTION = "A description of all files for catalogues of data sets (RO-Crate 1.1)."
_MAX_CRATE_BYTES = 2**24
"""Maximum size of a metadata file that is read. firsthit writes about 400 bytes for each file."""


def readme(
    publication: Publication,
    description: str,
    rows: Sequence[tuple[str, str]],
    others: Mapping[str, str],
    notes: Sequence[str],
) -> str:
    """Return the text of ``README.md`` of a published folder.

    It lists the files, the commands that make the runs again, and the content that is missing.

    Args:
        publication: Title, authors, licence, date and DOI.
        description: A sentence about the contents of the folder.
        rows: Path below the folder and description of each file or subfolder.
        others: Published data of others that the report, figures and tables compare with: name to
            SHA-256.
        notes: Sentences about content that is missing in the folder.
    """
    part_list = "\n".join(f"- `{path}`: {text}" for path, text in rows)
    blocks = [
        f"# {publication.title}",
        _format_byline(publication),
        description,
        f"Cite as: {publication.cite_as}",
        f"## Files\n\n{part_list}\n- `{CRATE}`: {_CRATE_DESCRIPTION}",
    ]
    paths = [path for path, _ in rows]
    if any(path.startswith("campaign") for path in paths):
        blocks.append(_explain_rerun(paths))
    if others:
        other_list = "\n".join(f"- `{name}`, SHA-256 {sha256}" for name, sha256 in others.items())
        blocks.append(
            "## Data of others\n\nReport, figures and tables compare with these published data, "
            "which are not in the folder. `firsthit data fetch NAME` downloads them:\n\n"
            f"{other_list}"
        )
    if notes:
        blocks.append("## Missing content\n\n" + "\n".join(f"- {note}" for note in notes))
    return "\n\n".join(blocks) + "\n"


def _explain_rerun(paths: Sequence[str]) -> str:
    """Return the section with the commands that make the runs again.

    Args:
        paths: Paths of the files and subfolders below the published folder.
    """
    locks = [f"-r {path}" for path in paths if path.startswith("requirements")]
    options = " --code code --trust" if "code/" in paths else ""
    commands = ["python -m venv ../env && . ../env/bin/activate"]
    commands += [f"pip install {' '.join(locks)}"] if locks else []
    commands += [f"firsthit rerun .{options} -o ../again"]
    command_block = "\n".join(f"    {command}" for command in commands)
    trust = "" if not options else " `--trust` runs the files in `code/`: read them before."
    return (
        f"## Repeat the runs\n\nIn this folder:\n\n{command_block}\n\nThe last command repeats the "
        f"runs and says whether their first hits are equal.{trust}"
    )


def _format_byline(publication: Publication) -> str:
    """Return a line with authors, date and licence."""
    names = ", ".join(author.name for author in publication.authors)
    return f"{names}. {publication.date}. Licence: {publication.license.name} (see `{LICENSE}`)."


def folder_page(
    publication: Publication,
    description: str,
    rows: Sequence[tuple[str, str]],
    figures: Sequence[str],
    files: Sequence[str] = (),
) -> str:
    """Return the text of ``index.html`` of a published folder.

    The page links to all files, and shows the figures.

    A folder without a file that describes it is followed by links to the files in it.

    Args:
        publication: Title, authors, licence, date and DOI.
        description: A sentence about the contents of the folder.
        rows: Path below the folder and description of each file or subfolder.
        figures: The names of the figures in ``figures/``, without their suffix.
        files: Paths of all files below the folder.
    """
    # Many web servers do not list the files of a folder. Therefore the link of a folder leads to a
    # file in it. A folder that is missing here has no link; links to its files follow.
    folder_links = {
        "coco/": "coco/coco_archive_definition.txt",
        "parquet/": "parquet/firsthit.json",
    }
    blocks = [
        f"<p>{_render_code(_format_byline(publication))}</p>",
        f"<p>{escape(description)}</p>",
        f"<p>Cite as: {_link_doi(publication)}</p>",
        "<dl>",
    ]
    all_rows = [*rows, ("README.md", "This description as text."), (CRATE, _CRATE_DESCRIPTION)]
    for path, text in all_rows:
        target = folder_links.get(path, path)
        name = escape(path)
        if not target.endswith("/"):
            name = f'<a href="{quote(target)}">{name}</a>'
        content = _render_code(text)
        if target.endswith("/"):
            content += "".join(
                f'<br><a href="{quote(file)}">{escape(file)}</a>'
                for file in files
                if file.startswith(target)
            )
        blocks.append(f"<dt>{name}</dt>\n<dd>{content}</dd>")
    blocks.append("</dl>")
    for name in figures:
        url = quote(f"figures/{name}")
        blocks.append(
            f'<figure><img src="{url}.svg" alt="{escape(name)}" loading="lazy">'
            f'<figcaption><a href="{url}.pdf">{escape(name)}</a>: '
            f'<a href="{url}.txt">what is drawn</a></figcaption></figure>'
        )
    return plain_page(publication.title, "\n".join(blocks), _GENERATOR)


def _link_doi(publication: Publication) -> str:
    """Return the line to cite a folder as HTML; the DOI is a link."""
    text, url = escape(publication.cite_as), escape(publication.url)
    return text.replace(url, f'<a href="{url}">{url}</a>') if url else text


def _render_code(text: str) -> str:
    """Return a text as HTML; words between backticks become code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def index_publications(folder: str | Path) -> Path:
    """Write ``index.html`` into a folder, with a link to each published folder in it.

    An existing index of published folders is replaced.

    Returns:
        The path of the file.

    Raises:
        AssessmentError: There is no published folder, or an existing ``index.html`` is not such an
            index.
        PublicationError: The metadata of a published folder was not written by firsthit.
    """
    parent = Path(folder)
    return write_index(
        parent,
        "Published benchmarks",
        _read_entries(parent),
        listed="published folder",
        option="publish --index",
        generator=_GENERATOR,
    )


def find_unpublished_entry(folder: Path) -> str | None:
    """Return the name of an entry of a folder that `publish` did not write, else None.

    The RO-Crate metadata of a published folder list all its entries.
    """
    published_names = set()
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        graph = json.loads((folder / CRATE).read_bytes())["@graph"]
        ids = {str(entity["@id"]) for entity in graph}
        if SOFTWARE in ids:
            published_names = {CRATE, *(entity_id.partition("/")[0] for entity_id in ids)}
    names = sorted(entry.name for entry in folder.iterdir())
    return next((name for name in names if name not in published_names), None)


def _read_entries(folder: Path) -> Iterator[IndexEntry]:
    """Yield the index entries of the published folders in a folder, sorted by name."""
    for file in sorted(folder.glob(f"*/{CRATE}")):
        if file.is_symlink() or file.stat().st_size > _MAX_CRATE_BYTES:
            continue
        try:
            graph = {entity["@id"]: entity for entity in json.loads(file.read_bytes())["@graph"]}
            root = graph["./"]
            authors = root["author"] if isinstance(root["author"], list) else [root["author"]]
            names = ", ".join(str(graph[author["@id"]]["name"]) for author in authors)
            summary = f"{names}. {root['datePublished']}. {root['description']}"
            yield IndexEntry(f"{file.parent.name}/{INDEX}", str(root["name"]), summary)
        except (ValueError, KeyError, TypeError) as error:
            raise PublicationError(
                f"publish --index: {str(file)!r} is no crate that firsthit wrote"
            ) from error

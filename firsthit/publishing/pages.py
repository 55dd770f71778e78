"""What people read of published folders: README.md, index.html, and an index of several folders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from .metadata import CRATE, LICENSE, Publication, PublicationError

INDEX = "index.html"
_GENERATOR = "firsthit publish"
_MOST_BYTES = 2**20
_PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="generator" content="{_GENERATOR}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self'">
<title>{{title}}</title>
<style>
body {{{{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; overflow-wrap: anywhere; }}}}
dt {{{{ font-weight: 600; margin-top: 1rem; }}}}
dd {{{{ margin: 0; }}}}
img {{{{ max-width: 100%; background: white; }}}}
</style>
<h1>{{title}}</h1>
{{content}}
</html>
"""


def readme(
    publication: Publication,
    description: str,
    rows: Sequence[tuple[str, str]],
    others: Mapping[str, str],
    notes: Sequence[str],
) -> str:
    """``README.md``: what is what, how the runs are made again, and what is not there.

    ``rows`` are places and what stands there, ``others`` data of others that are compared with:
    name to SHA-256, ``notes`` sentences on what is not there.
    """
    listed = "\n".join(f"- `{place}`: {tells}" for place, tells in rows)
    blocks = [
        f"# {publication.title}",
        _byline(publication),
        description,
        f"## What is what\n\n{listed}\n- `{CRATE}`: all this for machines (RO-Crate 1.1).",
    ]
    places = [place for place, _ in rows]
    if any(place.startswith("campaign") for place in places):
        blocks.append(_runs_again(places))
    if others:
        named = "\n".join(f"- `{name}`, SHA-256 {sha256}" for name, sha256 in others.items())
        blocks.append(
            "## Data of others\n\nReport, figures and tables compare with these published data; "
            f"they are not copied, `firsthit data fetch` gets them:\n\n{named}"
        )
    if notes:
        blocks.append("## What is not here\n\n" + "\n".join(f"- {note}" for note in notes))
    return "\n\n".join(blocks) + "\n"


def _runs_again(places: Sequence[str]) -> str:
    """What a reader types in the folder to make the runs again."""
    locks = [f"-r {place}" for place in places if place.startswith("requirements")]
    options = " --code code --trust" if "code/" in places else ""
    commands = ["python -m venv ../env && . ../env/bin/activate"]
    commands += [f"pip install {' '.join(locks)}"] if locks else []
    commands += [f"firsthit rerun .{options} -o ../again"]
    typed = "\n".join(f"    {command}" for command in commands)
    trust = "" if not options else " `--trust` runs the files in `code/`: look at them before."
    return (
        f"## Runs again\n\nIn this folder:\n\n{typed}\n\nThe last command makes the runs again and "
        f"says whether their first hits are equal.{trust}"
    )


def _byline(publication: Publication) -> str:
    names = ", ".join(author.name for author in publication.authors)
    return f"{names}. {publication.date}. Licence: {publication.license.name} (see `{LICENSE}`)."


def folder_page(
    publication: Publication,
    description: str,
    rows: Sequence[tuple[str, str]],
    figures: Sequence[str],
) -> str:
    """``index.html`` of one folder: links to its files, and the figures.

    Web servers do not list folders; so only files have links, and files that stand in folders whose
    names are known.
    """
    known = {"coco/": "coco/coco_archive_definition.txt", "parquet/": "parquet/firsthit.json"}
    blocks = [f"<p>{escape(_byline(publication))}</p>", f"<p>{escape(description)}</p>", "<dl>"]
    places = [*rows, ("README.md", "What is what, as text."), (CRATE, "For machines.")]
    for place, tells in places:
        target = known.get(place, place)
        name = escape(place)
        if not target.endswith("/"):
            name = f'<a href="{quote(target)}">{name}</a>'
        blocks.append(f"<dt>{name}</dt>\n<dd>{escape(tells)}</dd>")
    blocks.append("</dl>")
    for name in figures:
        place = quote(f"figures/{name}")
        blocks.append(
            f'<figure><img src="{place}.svg" alt="{escape(name)}" loading="lazy">'
            f'<figcaption><a href="{place}.pdf">{escape(name)}</a>: '
            f'<a href="{place}.txt">what is drawn</a></figcaption></figure>'
        )
    return _PAGE.format(title=escape(publication.title), content="\n".join(blocks))


def index_publications(folder: str | Path) -> Path:
    """Write ``index.html`` into a folder, with a link to each published folder in it; its path.

    An index that is there is replaced, but not one of somebody else.
    """
    place = Path(folder)
    target = place / INDEX
    if target.exists() and _GENERATOR not in target.read_text("utf-8", "replace")[:1000]:
        raise PublicationError(f"publish --index: {str(target)!r} is of somebody else; move it")
    entries = [
        f'<dt><a href="{quote(name)}/{INDEX}">{escape(title)}</a></dt>\n<dd>{escape(text)}</dd>'
        for name, title, text in _publications(place)
    ]
    if not entries:
        raise PublicationError(f"publish --index: there is no published folder in {str(folder)!r}")
    content = "\n".join(["<dl>", *entries, "</dl>"])
    try:
        page = _PAGE.format(title="Published benchmarks", content=content)
        target.write_text(page, encoding="utf-8", newline="")
    except OSError as error:
        raise PublicationError(f"cannot write {str(target)!r}: {error.strerror}") from error
    return target


def _publications(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Name, title and description of each published folder in a folder, by name."""
    for file in sorted(folder.glob(f"*/{CRATE}")):
        if file.is_symlink() or file.stat().st_size > _MOST_BYTES:
            continue
        try:
            graph = {entity["@id"]: entity for entity in json.loads(file.read_bytes())["@graph"]}
            root = graph["./"]
            authors = root["author"] if isinstance(root["author"], list) else [root["author"]]
            names = ", ".join(str(graph[author["@id"]]["name"]) for author in authors)
            facts = f"{names}. {root['datePublished']}. {root['description']}"
            yield file.parent.name, str(root["name"]), facts
        except (ValueError, KeyError, TypeError) as error:
            raise PublicationError(
                f"publish --index: {str(file)!r} is no crate that firsthit wrote"
            ) from error

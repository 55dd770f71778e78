"""Pages without scripts, and the ``index.html`` of a folder with links to its pages.

`index_reports` writes an index of reports. Published folders use `write_index` for their own index.
Both replace only an ``index.html`` with the title that they write themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from ..errors import AssessmentError
from ..tables.table import written

INDEX = "index.html"
_GENERATOR = "firsthit"
_HEAD_CHARACTERS = 200_000
"""Length of the part of a report that is read: title and summary precede the page's data."""
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">{generator}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self'">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; overflow-wrap: anywhere; }}
dt {{ font-weight: 600; margin-top: 1rem; }}
dd {{ margin: 0; }}
img {{ max-width: 100%; background: white; }}
</style>
<h1>{title}</h1>
{content}
</html>
"""


class IndexEntry(NamedTuple):
    """A link to a page, with its text.

    Attributes:
        place: Path of the page, relative to the index, with ``/``.
        title: Text of the link.
        description: Text below the link.
    """

    place: str
    title: str
    description: str


def plain_page(title: str, content: str, generator: str = "") -> str:
    """Return an HTML page without scripts.

    Args:
        title: Title and heading of the page, as plain text.
        content: HTML below the heading.
        generator: Name of the program in the page's ``meta`` element. Empty: no such element.
    """
    meta = f'\n<meta name="generator" content="{generator}">' if generator else ""
    return _PAGE.format(title=escape(title), content=content, generator=meta)


def write_index(
    folder: Path,
    title: str,
    entries: Iterable[IndexEntry],
    *,
    listed: str,
    option: str,
    generator: str = "",
) -> Path:
    """Write ``index.html`` into a folder, with a link to each entry.

    Args:
        folder: Folder of the index. An index with the same title is replaced.
        title: Heading of the index.
        entries: Pages that it links to.
        listed: Noun for an entry in messages, such as ``"report"``.
        option: Option of the command line that asks for the index, for messages.
        generator: Program that the head of the page names; empty for none.

    Returns:
        The file.

    Raises:
        AssessmentError: There is no such folder, or no entry; the folder has an ``index.html`` of
            another kind; or the file cannot be written.
    """
    if not folder.is_dir():
        raise AssessmentError(f"{option}: there is no folder {str(folder)!r}")
    target = folder / INDEX
    if target.exists() and f"<h1>{escape(title)}</h1>" not in _read_beginning(target):
        raise AssessmentError(f"{option}: {str(target)!r} is no index of {listed}s; move it")
    items = [
        f'<dt><a href="{quote(entry.place)}">{escape(entry.title)}</a></dt>\n'
        f"<dd>{escape(entry.description)}</dd>"
        for entry in entries
    ]
    if not items:
        raise AssessmentError(f"{option}: there is no {listed} in {str(folder)!r}")
    written(plain_page(title, "\n".join(["<dl>", *items, "</dl>"]), generator), target)
    return target


def index_reports(folder: str | Path) -> Path:
    """Write ``index.html`` into a folder, with a link to each report in it and its subfolders.

    Pages that are no reports are left out. An existing index of reports is replaced.

    Returns:
        The file.

    Raises:
        AssessmentError: There is no such folder, or no report in it; the folder has an
            ``index.html`` of another kind; or the file cannot be written.
    """
    root = Path(folder)
    return write_index(
        root, "Benchmark reports", _reports(root), listed="report", option="report --index"
    )


def _reports(folder: Path) -> Iterator[IndexEntry]:
    """Yield entries for the reports in a folder and its subfolders, in order of their paths."""
    for file in sorted(folder.rglob("*.html")):
        if file.is_file() and not file.is_symlink():
            reader = _ReportReader()
            reader.feed(_read_beginning(file))
            if reader.generator.startswith(_GENERATOR):
                relative_path = file.relative_to(folder).as_posix()
                yield IndexEntry(relative_path, reader.title or file.stem, reader.what)


def _read_beginning(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as text:
        return text.read(_HEAD_CHARACTERS)


class _ReportReader(HTMLParser):
    """Parser that collects the generator, the title and the summary line of a report.

    Attributes:
        generator: Program in the ``meta`` element; empty if there is none.
        title: Text of the element ``title``.
        what: Text of the paragraph of class ``what``, the summary line.
    """

    def __init__(self) -> None:
        super().__init__()
        self.generator = self.title = self.what = ""
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "meta" and attributes.get("name") == "generator":
            self.generator = attributes.get("content") or ""
        self._inside = "what" if tag == "p" and attributes.get("class") == "what" else tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("title", "what"):
            setattr(self, self._inside, getattr(self, self._inside) + data)

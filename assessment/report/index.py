"""``index_reports``: one page that names all reports of a folder, each with a link."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

from ..errors import AssessmentError, writing

INDEX = "index.html"
_GENERATOR = "firsthit"
_HEAD_CHARACTERS = 200_000
"""Title and summary stand in this part of a report; its data come after."""
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Benchmark reports</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; }}
dt {{ font-weight: 600; margin-top: 1rem; overflow-wrap: anywhere; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
</style>
<h1>Benchmark reports</h1>
<dl>
{entries}
</dl>
</html>
"""


@dataclass(frozen=True)
class _ReportFacts:
    """What a report says of itself: its heading, and on which runs it is."""

    title: str
    what: str


def index_reports(folder: str | Path) -> Path:
    """Write ``index.html`` into a folder: a link to each report in it and below.

    Other pages are left out. An index that is there is replaced.

    Returns:
        The file.

    Raises:
        AssessmentError: There is no such folder, or no report in it; or it has an ``index.html``
            of somebody else.
    """
    place = Path(folder)
    if not place.is_dir():
        raise AssessmentError(f"report --index: there is no folder {str(folder)!r}")
    target = place / INDEX
    if target.exists() and "<h1>Benchmark reports</h1>" not in _head(target):
        raise AssessmentError(f"report --index: {str(target)!r} is no index of reports; move it")
    entries = [
        f'<dt><a href="{quote(file.relative_to(place).as_posix())}">'
        f"{escape(facts.title)}</a></dt>\n<dd>{escape(facts.what)}</dd>"
        for file, facts in _reports(place)
    ]
    if not entries:
        raise AssessmentError(f"report --index: there is no report in {str(folder)!r}")
    with writing(target):
        target.write_text(_PAGE.format(entries="\n".join(entries)), encoding="utf-8", newline="")
    return target


def _reports(folder: Path) -> Iterator[tuple[Path, _ReportFacts]]:
    """Reports of the folder and those below, by path, with what they say of themselves."""
    for file in sorted(folder.rglob("*.html")):
        if file.is_file() and not file.is_symlink():
            reader = _Reader()
            reader.feed(_head(file))
            if reader.generator.startswith(_GENERATOR):
                yield file, _ReportFacts(reader.title or file.stem, reader.what)


def _head(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as text:
        return text.read(_HEAD_CHARACTERS)


class _Reader(HTMLParser):
    """Reads the generator, the heading and the line below it of a report."""

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

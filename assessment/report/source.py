"""What reports say of themselves: reading back what one was made of, and an index of a folder.

Fingerprints of first hits say whether two logs tell the same of the same runs. A report from a
stranger is data: it is read as text, and nothing in it is run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from ...loggers.hdf5.opening import open_regular
from ..data.selection import cells, values_of
from ..errors import AssessmentError
from ..tables.table import written

if TYPE_CHECKING:
    from ...loggers import Log
    from ...loggers.records.dtypes import Rows


_MOST_BYTES = 256 * 2**20
_BLOCK = re.compile(
    r'<script type="application/json" id="provenance-data">(.*?)</script>', re.DOTALL
)


@dataclass(frozen=True, slots=True, order=True)
class Fingerprint:
    """What the runs of one algorithm on one function in one dimension hit, as a checksum.

    ``digest`` is the SHA-256, hexadecimal, of the runs' keys, evaluations and first hits.
    """

    algorithm: str
    suite: str
    function: int
    dimension: int
    runs: int
    digest: str

    @property
    def cell(self) -> tuple[str, str, int, int]:
        """What the runs have in common."""
        return self.algorithm, self.suite, self.function, self.dimension


def fingerprints(log: Log) -> tuple[Fingerprint, ...]:
    """Fingerprints of all runs of a log, by algorithm, suite, function and dimension.

    Runs are read in the order of the log: a file gives up neighbours together.
    """
    runs, columns = log.runs, ("algorithm", "suite", "function", "dimension")
    last = {int(rows[-1]): rows.tolist() for rows in cells(log, np.arange(len(log)), columns)}
    keys, evaluations = runs["key"], runs["evaluations"].astype("<i8")
    read: dict[int, bytes] = {}
    found = []
    for row in range(len(log)):
        read[row] = _content(str(keys[row]), evaluations[row], log.hits(row))
        if row in last:
            ordered = sorted(last[row], key=lambda place: (keys[place], place))
            digest = hashlib.sha256(b"".join(map(read.pop, ordered))).hexdigest()
            algorithm, suite, function, dimension = values_of(log, row, columns)
            about = (algorithm, suite, function, dimension, len(ordered))
            found.append(Fingerprint(*about, digest))
    return tuple(sorted(found))


def _content(key: str, evaluations: np.int64, hits: Rows) -> bytes:
    """What a run hit, as bytes: little-endian, as the log's own."""
    rows = hits.view(np.ndarray)  # a record array takes several times as long
    parts = (rows[name].tobytes() for name in ("target", "evaluation", "precision"))
    return b"".join([key.encode(), evaluations.tobytes(), *parts])


@dataclass(frozen=True)
class ReportSource:
    """What a report was made of.

    Attributes:
        headers: What each log said of its runs: campaign, algorithms, tuning, provenance.
        first_hits: What the runs hit.
    """

    headers: Sequence[dict[str, Any]]
    first_hits: tuple[Fingerprint, ...]


def read_report(path: str | Path) -> ReportSource:
    """Read what a report was made of.

    Raises:
        AssessmentError: The file cannot be read, or is no report of firsthit.
    """
    file = Path(path)
    try:
        with open_regular(os.path.realpath(file), _MOST_BYTES) as opened:
            text = opened.read(_MOST_BYTES).decode()
    except UnicodeDecodeError as error:
        raise AssessmentError(f"{file} is no report of firsthit: it is not UTF-8") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AssessmentError(f"cannot read {str(path)!r}: {reason}") from error
    found = _BLOCK.search(text)
    if found is None:
        raise AssessmentError(f"{file} is no report of firsthit: it tells of no logs")
    try:
        return _source(json.loads(found[1]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise AssessmentError(f"{file}: what the report tells of its logs is damaged") from error


def _source(data: Any) -> ReportSource:
    headers = data["headers"]
    if not isinstance(headers, list) or not all(isinstance(head, dict) for head in headers):
        raise TypeError
    names = Fingerprint.__dataclass_fields__
    texts = ("algorithm", "suite", "digest")
    first_hits = []
    for first_hit in data["first_hits"]:
        kinds = {name: str if name in texts else int for name in names}
        if not all(type(first_hit[name]) is kind for name, kind in kinds.items()):
            raise TypeError
        first_hits.append(Fingerprint(**{name: first_hit[name] for name in names}))
    return ReportSource(headers, tuple(first_hits))


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
        f"{escape(title)}</a></dt>\n<dd>{escape(what)}</dd>"
        for file, title, what in _reports(place)
    ]
    if not entries:
        raise AssessmentError(f"report --index: there is no report in {str(folder)!r}")
    written(_PAGE.format(entries="\n".join(entries)), target)
    return target


def _reports(folder: Path) -> Iterator[tuple[Path, str, str]]:
    """Reports of the folder and those below, by path, each with its heading and the line below."""
    for file in sorted(folder.rglob("*.html")):
        if file.is_file() and not file.is_symlink():
            reader = _Reader()
            reader.feed(_head(file))
            if reader.generator.startswith(_GENERATOR):
                yield file, reader.title or file.stem, reader.what


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

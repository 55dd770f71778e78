"""Render the page: one HTML file that contains its style, script, plotting library and data.

jinja2 escapes text from logs. Numbers are stored as compressed JSON, and the page's script writes
them into text nodes. A content security policy allows only the page's own script, by its hash, and
forbids all network connections.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from importlib import import_module, metadata, resources
from pathlib import Path
from typing import Any

import numpy as np

from ..cost import SECONDS
from ..errors import AssessmentError, MissingPackageError
from ..questions._framework.question import Section
from ..questions._framework.registry import sections as all_sections
from ..tables.table import written
from .source import Fingerprint

_FIRST_SCRIPTS = ("core.js", "axes.js", "table.js")
_LAST_SCRIPT = "main.js"
_PLOTLY = "plotly.offline"
_CAPTION_WORDS = {
    False: {
        "unit": "evaluations",
        "per_dimension": "/ dimension",
        "proportional": "proportional to the dimension",
    },
    True: {
        "unit": "seconds",
        "per_dimension": "in seconds",
        "proportional": "that is the same in all dimensions",
    },
}
"""Words that captions contain in braces, by whether seconds are counted."""


@dataclass(frozen=True)
class Page:
    """The contents of the page.

    Attributes:
        title: Heading of the page.
        what: The algorithms, suites and runs in one sentence.
        answer: The answer in each suite and dimension, with ``suite``, ``dimension``, ``axis``,
            ``title`` and ``sentences``.
        warnings: Caveats below the answer.
        how: How the answer is computed.
        choices: The options of the report, as rows ``name``, ``here`` (value) and ``change``
            (command).
        targets: The targets in words, for captions.
        axis: Unit of budgets.
        sections: The sections in the order of the page.
        data: What the scripts draw, as `packed` returns it.
        logs: Name and SHA-256 of each file, as ``file`` and ``sha256``; of a published log also
            ``license``, ``author`` and ``identifier``.
        headers: What each log says of its runs.
        first_hits: Fingerprints of the runs.
        created: Date of the page, ISO 8601. Empty: the time of rendering.
    """

    title: str
    what: str
    answer: Sequence[Any]
    warnings: Sequence[str]
    how: str
    choices: Sequence[Mapping[str, str]]
    targets: str
    axis: str
    sections: Sequence[Section]
    data: str
    logs: Sequence[Mapping[str, Any]]
    headers: Sequence[Mapping[str, Any]]
    first_hits: Sequence[Fingerprint]
    created: str = ""


def write_report(page: Page, path: str | Path) -> Path:
    """Write the page, replace an existing file, and return its path."""
    written(render(page), path)
    return Path(path)


def check_report_path(path: str | Path) -> Path:
    """Check that a report can be written, before anything is computed.

    Raises:
        AssessmentError: The path does not end in .html, is a folder, or lies in no folder.
        MissingPackageError: jinja2 or plotly is not installed.
    """
    file = Path(path)
    if file.suffix.lower() != ".html":
        raise AssessmentError(f"report {str(path)!r}: its name must end in .html")
    if not file.parent.is_dir():
        raise AssessmentError(f"report {str(path)!r}: there is no folder {str(file.parent)!r}")
    if file.is_dir():
        raise AssessmentError(f"report {str(path)!r} is a folder; it must be a file .html")
    check_report_packages()
    return file


def check_report_packages() -> None:
    """Raise MissingPackageError if jinja2 or plotly is not installed."""
    for module in ("jinja2", _PLOTLY):
        _require(module)


def render(page: Page) -> str:
    """Render the page as HTML."""
    jinja2 = _require("jinja2")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    script = _script()
    panels = [
        {**vars(section), "caption": caption_of(section, page.targets, page.axis)}
        for section in page.sections
    ]
    sections = [
        ("answer", "Best algorithm by budget"),
        *((section.id, section.title) for section in page.sections),
        ("provenance", "Provenance"),
    ]
    markup = import_module("markupsafe").Markup
    html: str = environment.from_string(_read_resource("page", "page.html")).render(
        vars(page),
        panels=panels,
        headers=[json.dumps(header, indent=2, ensure_ascii=False) for header in page.headers],
        sections=sections,
        version=metadata.version("firsthit"),
        created=page.created or datetime.now(UTC).isoformat(timespec="seconds"),
        style=markup(_read_resource("page", "style.css")),
        script=markup(script),
        script_hash=markup(f"'sha256-{_digest(script)}'"),
        provenance_json=markup(_json_in_html(_provenance(page))),
        plotly=packed_plotly(),
    )
    return html


def caption_of(section: Section, targets: str, axis: str) -> str:
    """Return the caption of a section.

    Args:
        section: The section.
        targets: The targets in words.
        axis: Unit of budgets.
    """
    words = {"targets": targets, **_CAPTION_WORDS[axis == SECONDS]}
    return re.sub(r"\{(\w+)\}", lambda match: words[match[1]], section.caption)


def packed(text: str) -> str:
    """Compress text with zlib, and encode it in base 64, as the page's script expects it."""
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode("ascii")


class PageData:
    """The data that the page's script draws, as a JSON object.

    Each field is compressed when it is added, because all fields together take much memory.

    Attributes:
        names: Names of the fields that were added.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        # Level 6 takes twice the time and makes pages 3 % smaller.
        self._compressor = zlib.compressobj(5)
        self._compressed: list[bytes] = []

    def add(self, fields: Mapping[str, Any]) -> None:
        """Add fields. Each name may be added once; arrays become lists."""
        for name, value in fields.items():
            self._write(f"{',' if self.names else '{'}{json.dumps(name)}:")
            for part in _json_parts(value):
                self._write(part)
            self.names.append(name)

    def packed(self) -> str:
        """Return all fields as one JSON object, in the form of `packed`, and end it."""
        self._write("}" if self.names else "{}")
        self._compressed.append(self._compressor.flush())
        return base64.b64encode(b"".join(self._compressed)).decode("ascii")

    def _write(self, text: str) -> None:
        self._compressed.append(self._compressor.compress(text.encode()))


def _json_parts(value: Any) -> Iterator[str]:
    """Yield JSON in parts: each value of a mapping, and each element of a list of mappings."""
    if isinstance(value, Mapping) and value:
        for i, (name, member) in enumerate(value.items()):
            yield f"{',' if i else '{'}{json.dumps(name)}:"
            yield from _json_parts(member)
        yield "}"
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for i, row in enumerate(value):
            yield f"{',' if i else '['}{_json(row)}"
        yield "]"
    else:
        yield _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"), default=np.ndarray.tolist)


@lru_cache(maxsize=1)
def packed_plotly() -> str:
    """Return the script of the plotting library, in the form of `packed`."""
    return packed(_require(_PLOTLY).get_plotlyjs())


def _provenance(page: Page) -> dict[str, Any]:
    """Return the data that `firsthit.assessment.report.source.read_report` reads."""
    return {
        "logs": list(page.logs),
        "headers": list(page.headers),
        "first_hits": [asdict(first_hit) for first_hit in page.first_hits],
    }


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")


def _json_in_html(value: Any) -> str:
    """Return JSON that no HTML parser reads as markup."""
    text = json.dumps(value, ensure_ascii=True)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _script() -> str:
    """Return the page's script: shared code, the script of each section, and the start."""
    ids = ["answer", *(section.id.replace("-", "_") for section in all_sections())]
    files = [
        *(("page", name) for name in _FIRST_SCRIPTS),
        *(("scripts", f"{section_id}.js") for section_id in ids),
        ("page", _LAST_SCRIPT),
    ]
    return "\n".join(_read_resource(*file) for file in files)


def _read_resource(*path: str) -> str:
    return resources.files(__package__).joinpath(*path).read_text(encoding="utf-8")


def _require(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingPackageError.of(package, "report", "a report") from error

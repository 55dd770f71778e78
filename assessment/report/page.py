"""Makes the page: one HTML file with its style, program, plotting library and data inside.

Text from logs is escaped by jinja2; the numbers travel as compressed JSON, which the page's program
puts into text nodes. The page may run its own program alone: a content security policy names its
hash and forbids every connection.
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

from ..asking.declaration import Section
from ..asking.registry import sections as all_sections
from ..data.counting import SECONDS
from ..errors import AssessmentError, MissingPackageError
from ..tables.table import written
from .source import Fingerprint

_SHARED = ("core.js", "table.js")
_LAST = "main.js"
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
"""Of captions, where seconds are counted or not."""


@dataclass(frozen=True)
class Page:
    """All that the page says.

    ``data`` is JSON as `packed` gives it; ``created`` is empty for now.
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
    """Write the page; an existing file is replaced."""
    written(render(page), path)
    return Path(path)


def check_report_path(path: str | Path) -> Path:
    """Refuse what cannot become a report before anything is computed."""
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
    """Raise MissingPackageError where jinja2 or plotly is not installed."""
    for module in ("jinja2", _PLOTLY):
        _require(module)


def render(page: Page) -> str:
    """The page as HTML."""
    jinja2 = _require("jinja2")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    script = _script()
    panels = [
        {**vars(section), "caption": caption_of(section, page.targets, page.axis)}
        for section in page.sections
    ]
    sections = [
        ("answer", "Who leads"),
        *((section.id, section.title) for section in page.sections),
        ("provenance", "Provenance"),
    ]
    markup = import_module("markupsafe").Markup
    html: str = environment.from_string(_text("page", "page.html")).render(
        vars(page),
        panels=panels,
        headers=[json.dumps(header, indent=2, ensure_ascii=False) for header in page.headers],
        sections=sections,
        version=metadata.version("firsthit"),
        created=page.created or datetime.now(UTC).isoformat(timespec="seconds"),
        style=markup(_text("page", "style.css")),
        script=markup(script),
        script_hash=markup(f"'sha256-{_digest(script)}'"),
        provenance_json=markup(_json_in_html(_provenance(page))),
        plotly=packed_plotly(),
    )
    return html


def caption_of(section: Section, targets: str, axis: str) -> str:
    """The caption of a section, budgets being in the unit ``axis``."""
    words = {"targets": targets, **_CAPTION_WORDS[axis == SECONDS]}
    return re.sub(r"\{(\w+)\}", lambda place: words[place[1]], section.caption)


def packed(text: str) -> str:
    """Text compressed (zlib) and in base 64, as the page's program unpacks it."""
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode("ascii")


class PageData:
    """What the page's program draws, compressed as it comes: all of it would take much memory.

    Attributes:
        names: Of the fields that were added.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._compressor = zlib.compressobj(6)
        self._compressed: list[bytes] = []

    def add(self, fields: Mapping[str, Any]) -> None:
        """Add fields, each once; arrays become lists."""
        for name, value in fields.items():
            self._write(f"{',' if self.names else '{'}{json.dumps(name)}:")
            for part in _json_parts(value):
                self._write(part)
            self.names.append(name)

    def packed(self) -> str:
        """All fields as one JSON object, as `packed` gives it; nothing can be added any more."""
        self._write("}" if self.names else "{}")
        self._compressed.append(self._compressor.flush())
        return base64.b64encode(b"".join(self._compressed)).decode("ascii")

    def _write(self, text: str) -> None:
        self._compressed.append(self._compressor.compress(text.encode()))


def _json_parts(value: Any) -> Iterator[str]:
    """JSON in parts: each value of a mapping, each element of a list of mappings."""
    if isinstance(value, Mapping) and value:
        for i, (name, own) in enumerate(value.items()):
            yield f"{',' if i else '{'}{json.dumps(name)}:"
            yield from _json_parts(own)
        yield "}"
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for i, own in enumerate(value):
            yield f"{',' if i else '['}{_json(own)}"
        yield "]"
    else:
        yield _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"), default=np.ndarray.tolist)


@lru_cache(maxsize=1)
def packed_plotly() -> str:
    """The plotting library, `packed`."""
    return packed(_require(_PLOTLY).get_plotlyjs())


def _provenance(page: Page) -> dict[str, Any]:
    """What `read_report` reads; see `firsthit.assessment.report.source`."""
    return {
        "logs": list(page.logs),
        "headers": list(page.headers),
        "first_hits": [asdict(first_hit) for first_hit in page.first_hits],
    }


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")


def _json_in_html(value: Any) -> str:
    """JSON that no HTML parser reads as markup."""
    text = json.dumps(value, ensure_ascii=True)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _script() -> str:
    """The page's whole script: what all sections share, each section's own, and the start."""
    ids = ["answer", *(section.id.replace("-", "_") for section in all_sections())]
    own = [_text("scripts", f"{section_id}.js") for section_id in ids]
    return "\n".join([*(_text("page", name) for name in _SHARED), *own, _text("page", _LAST)])


def _text(*place: str) -> str:
    return resources.files(__package__).joinpath(*place).read_text(encoding="utf-8")


def _require(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingPackageError.of(package, "report", "a report") from error

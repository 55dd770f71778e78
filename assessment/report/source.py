"""Reads back from a report what it was made of: campaigns, checksums of logs and first hits.

A report from a stranger is data: it is read as text, and nothing in it is run.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...loggers.hdf5.opening import open_regular
from ..errors import AssessmentError
from .fingerprint import Fingerprint

_MOST_BYTES = 256 * 2**20
_BLOCK = re.compile(
    r'<script type="application/json" id="provenance-data">(.*?)</script>', re.DOTALL
)


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

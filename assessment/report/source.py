"""What a report is made of: fingerprints of first hits, and reading it back from the page.

Fingerprints say whether two logs tell the same of the same runs. A report from a stranger is data:
it is read as text, and nothing in it is run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...loggers.hdf5.opening import open_regular
from ..data.selection import cells, values_of
from ..errors import AssessmentError

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

    Attributes:
        algorithm: Its name.
        suite: The suite's name.
        function: The function's number.
        dimension: Number of variables.
        runs: How many.
        digest: SHA-256, hexadecimal, of the runs' keys, evaluations and first hits.
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

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)


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

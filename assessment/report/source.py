"""Compute checksums of first hits, and read from a report the logs that it was made from.

Two logs have equal fingerprints if their runs have equal first hits. `read_report` reads a report
as text, because a report may come from a stranger: nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...loggers.hdf5.opening import open_regular
from ..errors import AssessmentError
from ..selection import cells, values_of

if TYPE_CHECKING:
    from ...loggers import Log

_MOST_BYTES = 256 * 2**20
_HITS_PER_BLOCK = 2**18
"""Number of hits that are read at once, about 10 MB."""
_HIT_COLUMNS = ("target", "evaluation", "precision")
"""Columns of hits that belong to a fingerprint."""
_PROVENANCE = re.compile(
    r'<script type="application/json" id="provenance-data">(.*?)</script>', re.DOTALL
)


@dataclass(frozen=True, slots=True, order=True)
class Fingerprint:
    """Checksum of the first hits of one algorithm on one function in one dimension.

    Attributes:
        runs: Number of runs.
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
        """Algorithm, suite, function and dimension."""
        return self.algorithm, self.suite, self.function, self.dimension


def fingerprints(log: Log) -> tuple[Fingerprint, ...]:
    """Compute the fingerprints of all runs of a log.

    Returns:
        A fingerprint for each algorithm, suite, function and dimension, in this order.
    """
    keys, columns = log.runs["key"], ("algorithm", "suite", "function", "dimension")
    rows_of_cell = {int(rows[-1]): rows for rows in cells(log, np.arange(len(log)), columns)}
    pending: dict[int, bytes] = {}
    result = []
    # Runs are read in the order of the log, because a file reads neighbouring runs together. A
    # cell is complete at its last row.
    for row, data in enumerate(_encode_runs(log)):
        pending[row] = data
        if row in rows_of_cell:
            rows = sorted(rows_of_cell[row].tolist(), key=lambda member: (keys[member], member))
            digest = hashlib.sha256(b"".join(pending.pop(member) for member in rows)).hexdigest()
            algorithm, suite, function, dimension = values_of(log, row, columns)
            result.append(
                Fingerprint(algorithm, suite, function, dimension, runs=len(rows), digest=digest)
            )
    return tuple(sorted(result))


def _encode_runs(log: Log) -> Iterator[bytes]:
    """Yield key, evaluations and first hits of each run as bytes, little-endian as in the log."""
    keys = log.runs["key"].tolist()
    evaluations = log.runs["evaluations"].astype("<i8")
    block_numbers = np.cumsum(log.entries("hits")) // _HITS_PER_BLOCK
    for block in np.split(np.arange(len(log)), np.flatnonzero(np.diff(block_numbers)) + 1):
        hits = log.hits_of_runs(block)
        columns = [np.ascontiguousarray(hits.rows[name]) for name in _HIT_COLUMNS]
        for row, start, stop in zip(
            block.tolist(), hits.offsets[:-1].tolist(), hits.offsets[1:].tolist(), strict=True
        ):
            hits_of_run = (column[start:stop].tobytes() for column in columns)
            yield b"".join([keys[row].encode(), evaluations[row].tobytes(), *hits_of_run])


@dataclass(frozen=True)
class ReportSource:
    """The logs that a report was made from.

    Attributes:
        headers: Header of each log: campaign, algorithms, tuning, provenance.
        first_hits: Fingerprints of the runs.
        logs: Names of the files of the logs.
    """

    headers: Sequence[dict[str, Any]]
    first_hits: tuple[Fingerprint, ...]
    logs: tuple[str, ...]


def read_report(path: str | Path) -> ReportSource:
    """Read the headers and fingerprints of the logs that a report was made from.

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
    match = _PROVENANCE.search(text)
    if match is None:
        raise AssessmentError(f"{file} is no report of firsthit: it tells of no logs")
    try:
        return _parse(json.loads(match[1]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise AssessmentError(f"{file}: what the report tells of its logs is damaged") from error


def _parse(data: Any) -> ReportSource:
    """Parse the provenance of a report; raise TypeError or KeyError if a value is not valid."""
    headers = data["headers"]
    if not isinstance(headers, list) or not all(isinstance(header, dict) for header in headers):
        raise TypeError
    names = Fingerprint.__dataclass_fields__
    texts = ("algorithm", "suite", "digest")
    types = {name: str if name in texts else int for name in names}
    first_hits = []
    for entry in data["first_hits"]:
        # isinstance would accept a bool as an int.
        if not all(type(entry[name]) is expected for name, expected in types.items()):
            raise TypeError
        first_hits.append(Fingerprint(**{name: entry[name] for name in names}))
    logs = tuple(str(entry["file"]) for entry in data["logs"])
    return ReportSource(headers, tuple(first_hits), logs)

"""Fingerprints of first hits: whether two logs tell the same of the same runs."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.selection import cells, values_of

if TYPE_CHECKING:
    from ...loggers import Log
    from ...loggers.records.dtypes import Rows


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

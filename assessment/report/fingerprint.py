"""Fingerprints of first hits: whether two logs tell the same of the same runs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ...loggers import Log


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
    """Fingerprints of all runs of a log, by algorithm, suite, function and dimension."""
    runs = log.runs
    names = ("algorithm", "suite", "function", "dimension")
    cells: dict[tuple[Any, ...], list[int]] = {}
    keys = (runs[name].tolist() for name in (*names, "key"))
    for *cell, _, row in sorted(zip(*keys, range(len(log)), strict=True)):
        cells.setdefault(tuple(cell), []).append(row)
    return tuple(
        Fingerprint(algorithm, suite, function, dimension, len(rows), _digest(log, rows))
        for (algorithm, suite, function, dimension), rows in sorted(cells.items())
    )


def _digest(log: Log, rows: Sequence[int]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        hits = log.hits(row)
        digest.update(str(log.runs["key"][row]).encode())
        digest.update(int(log.runs["evaluations"][row]).to_bytes(8, "little"))
        for name, kind in (("target", "<f8"), ("evaluation", "<i8"), ("precision", "<f8")):
            digest.update(np.ascontiguousarray(hits[name], dtype=kind).tobytes())
    return digest.hexdigest()

"""What a run has besides hits: best-so-far at scheduled counts, restarts, recommendations."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..records.run_record import MAX_REASON_BYTES, clean_text

_NO_RESTARTS: tuple[list[int], list[int], list[bytes], list[bytes]] = ([], [], [], [])
_NO_RECOMMENDATIONS: tuple[list[int], list[float], list[float]] = ([], [], [])
"""Shared by all runs that have none: not to be changed."""


class RunJournal:
    """Collects events in the order in which they happen.

    Most runs have neither restarts nor recommendations, and many are there at once: no empty lists.
    """

    __slots__ = ("_best", "_counts", "_recommendations", "_restarts")

    def __init__(self) -> None:
        self._counts = array("q")
        self._best = array("d")
        self._restarts: list[tuple[int, int, bytes, bytes]] | None = None
        self._recommendations: list[tuple[int, float, NDArray[np.float64]]] | None = None

    def add_best(self, evaluations: Sequence[int], precisions: Sequence[float]) -> None:
        """Take the best precision so far at these evaluation counts, ascending."""
        while self._counts and evaluations and self._counts[-1] >= evaluations[0]:
            del self._counts[-1], self._best[-1]
        self._counts.extend(evaluations)
        self._best.extend(precisions)

    def add_restart(
        self, evaluations: int, seed: int, start: ArrayLike | None, reason: object
    ) -> None:
        """Take a restart after so many evaluations."""
        digest = b""
        if start is not None:
            point = np.ascontiguousarray(start, dtype="<f8")
            digest = hashlib.sha256(point.tobytes()).hexdigest()[:16].encode()
        text = clean_text("" if reason is None else str(reason), MAX_REASON_BYTES)
        self._restarts = self._restarts or []
        self._restarts.append((evaluations, seed, digest, text.encode()))

    def add_recommendation(
        self, evaluations: int, precision: float, x: NDArray[np.float64]
    ) -> None:
        """Take a recommended solution, after so many evaluations."""
        self._recommendations = self._recommendations or []
        self._recommendations.append((evaluations, precision, x.copy()))

    def trajectory(self, evaluations: int, precision: float) -> tuple[array[int], array[float]]:
        """All best-so-far points, the last of them at the last evaluation; not to be changed."""
        if evaluations and (not self._counts or self._counts[-1] < evaluations):
            self.add_best([evaluations], [precision])
        return self._counts, self._best

    def restarts(self) -> tuple[list[int], list[int], list[bytes], list[bytes]]:
        """All restarts: evaluations, seeds, hashes of start points, reasons."""
        if not self._restarts:
            return _NO_RESTARTS
        counts, seeds, digests, reasons = map(list, zip(*self._restarts, strict=True))
        return counts, seeds, digests, reasons

    def recommendations(self) -> tuple[list[int], list[float], list[float]]:
        """All recommended solutions: evaluations, precisions, solutions one after the other."""
        if not self._recommendations:
            return _NO_RECOMMENDATIONS
        counts, precisions, points = zip(*self._recommendations, strict=True)
        return list(counts), list(precisions), np.concatenate(points).tolist()

"""First hits of targets, exact for single evaluations and batches, without a loop over points."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..targets.grid import FINAL_TARGET, NO_TARGET, grid, hardest_hit

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Improvements:
    """Which values of a batch improve on all before them.

    Attributes:
        rows: int64 (m,), ascending positions in the batch.
        values: float64 (m,), strictly descending.
        best: float64 (n,), best so far after each value of the batch.
    """

    rows: NDArray[np.int64]
    values: Array
    best: Array


def improvements(values: Array, best: float) -> Improvements:
    """Find the values that are finite and below ``best`` and below all finite values before them.

    Args:
        values: Shape ``(n,)``; NaN and infinities are passed over.
        best: Best finite value before the batch, inf where there is none.
    """
    clean = np.where(np.isfinite(values), values, np.inf)
    running = np.minimum(np.minimum.accumulate(clean), best)
    before = np.concatenate(([best], running[:-1]))
    rows = np.flatnonzero(clean < before)
    return Improvements(rows, clean[rows], running)


_NO_THRESHOLDS: tuple[Array, float, float] = (np.empty(0), math.inf, -math.inf)


@lru_cache(maxsize=512)
def _thresholds(reference: float) -> tuple[Array, float, float]:
    """The values that hit the targets of the grid, read-only; the easiest and the hardest."""
    thresholds: Array = reference + grid()
    thresholds.flags.writeable = False
    return thresholds, float(thresholds[-1]), float(thresholds[0])


class FirstHits:
    """Collects, of strictly falling indicator values, those that hit a new target of the grid.

    It keeps plain numbers in arrays of Python's: objects of thousands of numbers would fill the
    processor's caches, and the garbage collector would look at them again and again.

    Args:
        reference: What target precisions are added to; NaN where no target applies.
        every_improvement: Keep all values given, not only those that hit a new target.

    Attributes:
        threshold: A value must be <= this to be kept.
        final_threshold: A value must be <= this to hit the final target; -inf without a reference.
        final_target_hit: Whether the hardest target of the grid was hit.
    """

    __slots__ = (
        "_evaluations",
        "_every",
        "_level",
        "_origin",
        "_precisions",
        "_targets",
        "_thresholds",
        "final_target_hit",
        "final_threshold",
        "threshold",
    )

    def __init__(self, reference: float, every_improvement: bool) -> None:
        known = math.isfinite(reference)
        self._origin = reference if known else 0.0
        self._thresholds, easiest, hardest = _thresholds(reference) if known else _NO_THRESHOLDS
        self._every = every_improvement or not known
        self._level = len(self._thresholds)
        self._targets = array("h")
        self._evaluations = array("q")
        self._precisions = array("d")
        self.final_threshold = hardest
        self.final_target_hit = False
        self.threshold = math.inf if self._every else easiest

    def precision(self, value: float) -> float:
        """The value's distance to the reference; the value itself where there is no reference."""
        return value - self._origin

    def add(self, evaluation: int, value: float) -> None:
        """Take one value that is finite and below all before it.

        Of two threads that improve at the same count, the later and better stands.
        """
        level = bisect_left(self._thresholds, value, 0, self._level)
        if level < self._level:
            self._level = level
            self.final_target_hit = level == 0
            if not self._every:
                self.threshold = float(self._thresholds[level - 1]) if level else -np.inf
        elif not self._every:
            return
        while self._evaluations and self._evaluations[-1] >= evaluation:
            del self._targets[-1], self._evaluations[-1], self._precisions[-1]
        beyond = level == len(self._thresholds)
        self._targets.append(NO_TARGET if beyond else level + FINAL_TARGET)
        self._evaluations.append(evaluation)
        self._precisions.append(value - self._origin)

    def extend(self, evaluations: NDArray[np.int64], values: Array) -> None:
        """Take values as ``add`` does, one after the other.

        Args:
            evaluations: int64 (m,), ascending.
            values: float64 (m,), strictly descending, finite, and below all before them.
        """
        targets = hardest_hit(values, self._thresholds).astype(np.int64)
        if not self._every:
            now = self._level + FINAL_TARGET if self._level < len(self._thresholds) else NO_TARGET
            new = targets < np.concatenate(([now], targets[:-1]))
            targets, evaluations, values = targets[new], evaluations[new], values[new]
        if not len(targets):
            return
        self._targets.extend(targets.tolist())
        self._evaluations.extend(evaluations.tolist())
        self._precisions.extend((values - self._origin).tolist())
        if targets[-1] != NO_TARGET:
            self._level = int(targets[-1]) - FINAL_TARGET
            self.final_target_hit = self._level == 0
            if not self._every:
                level = self._level
                self.threshold = float(self._thresholds[level - 1]) if level else -np.inf

    def columns(self) -> tuple[array[int], array[int], array[float]]:
        """What was collected: targets, evaluations, precisions; not to be changed."""
        return self._targets, self._evaluations, self._precisions

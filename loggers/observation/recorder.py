"""Puts a run's record together, from counts and indicator values; knows nothing of evaluating."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..records.outcome import Recorded
from .hit_recorder import FirstHits, improvements
from .run_events import RunJournal
from .schedule import evaluation_schedule

Vector = NDArray[np.float64]
_NOWHERE = np.empty(0)


class RunRecorder:
    """The best so far, first hits, and best-so-far at the scheduled evaluation counts.

    Args:
        dimension: Number of variables.
        reference: What precisions are measured from; NaN where there is nothing.
        every_improvement: Keep every improvement, not only first hits.
        hits: Collects first hits; by default a new ``FirstHits``.
        journal: Collects everything else; by default a new ``RunJournal``.

    Attributes:
        reference: What precisions are measured from.
        best: Best finite indicator value, inf before.
        best_x: Where it was, shape ``(dimension,)``; None before.
        hits: First hits of targets.
        journal: Everything else.
    """

    __slots__ = ("_due", "_schedule", "best", "best_x", "hits", "journal", "reference")

    def __init__(
        self,
        dimension: int,
        reference: float,
        every_improvement: bool,
        *,
        hits: FirstHits | None = None,
        journal: RunJournal | None = None,
    ) -> None:
        self.reference = reference
        self.best = np.inf
        self.best_x: Vector | None = None
        self.hits = hits or FirstHits(reference, every_improvement)
        self.journal = journal or RunJournal()
        self._schedule = evaluation_schedule(dimension)
        self._due = 0

    def next_scheduled(self, evaluations: int) -> int:
        """The first scheduled count after so many evaluations."""
        return self._schedule[bisect_right(self._schedule, evaluations)]

    def improve(self, evaluation: int, value: float, x: ArrayLike) -> None:
        """Take a value below ``best``; minus infinity is passed over, as all that is not finite."""
        if value == -np.inf:
            return
        self.best = value
        self.best_x = np.array(x, dtype=np.float64)
        if value <= self.hits.threshold:
            self.hits.add(evaluation, value)

    def pass_count(self, evaluation: int) -> None:
        """Take the best so far where this count is scheduled."""
        position = bisect_right(self._schedule, evaluation)
        if position and self._schedule[position - 1] == evaluation:
            self.journal.add_best([evaluation], [self.best_precision])

    def take(self, before: int, points: Vector, quality: Vector) -> None:
        """Take a batch, as if its points came one after the other.

        Args:
            before: Evaluations made before it.
            points: Shape ``(m, dimension)`` with m >= n.
            quality: Shape ``(n,)``, n >= 1, the indicator's values; NaN and infinities included.
        """
        after = before + len(quality)
        is_better = not least(quality) >= self.best
        if after < self._due and not is_better:
            return
        self._due = self.next_scheduled(after)
        first, last = (bisect_right(self._schedule, count) for count in (before, after))
        counts = self._schedule[first:last]
        if not is_better:
            self.journal.add_best(counts, [self.best_precision] * len(counts))
            return
        better = improvements(quality, self.best)
        at_counts = better.best[np.array(counts, dtype=np.int64) - (before + 1)]
        self.journal.add_best(counts, [self.hits.precision(y) for y in at_counts.tolist()])
        if len(better.rows):
            self.best = float(better.values[-1])
            self.best_x = points[better.rows[-1]].copy()
            self.hits.extend(better.rows + (before + 1), better.values)

    @property
    def best_precision(self) -> float:
        """The best so far minus the reference; inf before the first finite value."""
        return self.hits.precision(float(self.best))

    def recorded(self, evaluations: int) -> Recorded:
        """What was recorded, after the last evaluation."""
        return Recorded(
            self.hits.columns(),
            self.journal.trajectory(evaluations, self.best_precision),
            self.journal.restarts(),
            self.journal.recommendations(),
            _NOWHERE if self.best_x is None else self.best_x,
        )

    def outcome(self, evaluations: int) -> dict[str, Any]:
        """The fields of ``RunRecord`` that were recorded here, after the last evaluation."""
        return {
            "reference_value": self.reference,
            "evaluations": evaluations,
            "best_precision": self.best_precision,
            **self.recorded(evaluations).tables(),
        }


def least(values: Vector) -> float:
    """The least of at least one value; NaN where one of them is NaN."""
    number: float = values[values.argmin()]
    return number


def up_to_target(quality: Vector, threshold: float) -> Vector:
    """The values up to the first that is finite and <= ``threshold``; all where none is."""
    if least(quality) > threshold:
        return quality
    hit = (quality <= threshold) & (quality > -np.inf)
    row = int(hit.argmax())
    return quality[: row + 1] if hit[row] else quality

"""Turns counts and indicator values into a run's record; knows nothing of evaluating."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ObservationError
from ..records.rows import MAX_NOTE_NAME_BYTES, MAX_REASON_BYTES
from ..records.run_record import clean_text
from ..targets.grid import NO_TARGET, TargetGrid
from ..targets.schedule import evaluation_schedule
from .memory import CONSTRAINTS, RunMemory

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a run is recorded by.

    Attributes:
        dimension: Number of variables.
        reference: What precisions are measured from; NaN where there is nothing: then every
            improvement is recorded, and a precision is the value itself.
        grid: The targets whose first hits are recorded.
        final_target: The precision at which the problem is solved; None where there is none.
        every_improvement: Record every improvement, not only first hits.
    """

    dimension: int
    reference: float
    grid: TargetGrid
    final_target: float | None
    every_improvement: bool


class Recorder:
    """The best so far, first hits, and the best so far at the scheduled evaluation counts.

    Args:
        rules: What is recorded.
        memory: Where.

    Attributes:
        best: Best finite indicator value, inf before.
        final_threshold: A value must be <= this to hit the final target; -inf without one.
    """

    __slots__ = (
        "_due", "_every", "_grid", "_level", "_memory", "_notes", "_origin", "_schedule",
        "_threshold", "_thresholds", "best", "final_threshold",
    )  # fmt: skip

    def __init__(self, rules: Rules, memory: RunMemory) -> None:
        known = math.isfinite(rules.reference)
        has_final = known and rules.final_target is not None
        self._memory = memory
        self._grid = rules.grid.values
        self._origin = rules.reference if known else 0.0
        self._thresholds = _thresholds(rules.reference, rules.grid) if known else _NO_THRESHOLDS
        self._every = rules.every_improvement or not known
        self._level = len(self._thresholds)
        self._threshold = math.inf if self._every else float(self._thresholds[-1])
        self._schedule = evaluation_schedule(rules.dimension)
        self._due = 0
        self._notes: dict[bytes, float] = {}
        self.best = math.inf
        self.final_threshold = self._origin + (rules.final_target or 0) if has_final else -math.inf

    @property
    def final_target_hit(self) -> bool:
        """Whether the final target was hit."""
        return self.best <= self.final_threshold

    @property
    def best_precision(self) -> float:
        """The best so far minus the reference; inf before the first finite value."""
        return self.precision(float(self.best))

    def precision(self, value: float) -> float:
        """The value's distance to the reference; the value itself where there is no reference."""
        return value - self._origin

    def next_scheduled(self, evaluations: int) -> int:
        """The first scheduled count after so many evaluations."""
        return self._schedule[bisect_right(self._schedule, evaluations)]

    def improve(self, evaluation: int, value: float, x: ArrayLike) -> None:
        """Take a value below ``best``; minus infinity is passed over, as all that is not finite."""
        if value == -math.inf:
            return
        self.best = value
        self._memory.put_best(self.precision(value), x)
        if value <= self._threshold:
            self._hit(evaluation, value)
            self._write_notes(evaluation)

    def _hit(self, evaluation: int, value: float) -> None:
        level = bisect_left(self._thresholds, value, 0, self._level)
        self._set_level(level)
        target = float(self._grid[level]) if level < len(self._thresholds) else NO_TARGET
        hits = self._memory.table("hits")
        hits.drop_from(evaluation)  # of two threads at the same count the later and better stands
        constraints = self._memory.counts[CONSTRAINTS]
        hits.append(target, evaluation, value - self._origin, constraints)

    def _set_level(self, level: int) -> None:
        self._level = level
        if not self._every:
            self._threshold = float(self._thresholds[level - 1]) if level else -math.inf

    def pass_count(self, evaluation: int) -> None:
        """Take the best so far where this count is scheduled."""
        position = bisect_right(self._schedule, evaluation)
        if position and self._schedule[position - 1] == evaluation:
            self._add_best([evaluation], [self.best_precision])
            self._write_notes(evaluation)

    def take(self, before: int, points: Vector, quality: Vector) -> None:
        """Take a batch, as if its points came one after the other.

        Args:
            before: Evaluations made before it.
            points: Shape ``(m, dimension)`` with m >= n.
            quality: Shape ``(n,)``, n >= 1, the indicator's values; NaN and infinities included.
        """
        after = before + len(quality)
        lowest = least(quality)
        is_better = not lowest >= self.best
        if after < self._due:
            if not is_better:
                return
            if self._threshold < lowest:  # no target is hit: all but the best point is passed over
                self.best = float(lowest)
                self._memory.put_best(self.best_precision, points[quality.argmin()])
                return
        self._due = self.next_scheduled(after)
        first, last = (bisect_right(self._schedule, count) for count in (before, after))
        counts = self._schedule[first:last]
        if not is_better:
            self._add_best(counts, [self.best_precision] * len(counts))
        else:
            rows, values, running = improvements(quality, self.best)
            at_counts = running[np.array(counts, dtype=np.int64) - (before + 1)]
            self._add_best(counts, [self.precision(y) for y in at_counts.tolist()])
            if len(rows):
                self.best = float(values[-1])
                self._memory.put_best(self.best_precision, points[rows[-1]])
                self._hit_many(rows + (before + 1), values)
        self._write_notes(after)

    def _hit_many(self, evaluations: NDArray[np.int64], values: Vector) -> None:
        """Take values as ``_hit`` does, one after the other.

        Args:
            evaluations: int64 (m,), ascending.
            values: float64 (m,), strictly descending, finite, and below all before them.
        """
        levels = np.searchsorted(self._thresholds, values, side="left")
        if not self._every:
            new = levels < np.concatenate(([self._level], levels[:-1]))
            levels, evaluations, values = levels[new], evaluations[new], values[new]
        if not len(levels):
            return
        targets = np.append(self._grid, NO_TARGET)[np.minimum(levels, len(self._grid))]
        if not len(self._thresholds):
            targets = np.full(len(levels), NO_TARGET)
        constraints = np.full(len(levels), self._memory.counts[CONSTRAINTS])
        hits = self._memory.table("hits")
        hits.extend((targets, evaluations, values - self._origin, constraints))
        self._set_level(int(levels[-1]))

    def _add_best(self, evaluations: Sequence[int], precisions: Sequence[float]) -> None:
        """Take the best precision so far at these counts, ascending."""
        trajectory = self._memory.table("trajectory")
        constraints = self._memory.counts[CONSTRAINTS]
        for evaluation, precision in zip(evaluations, precisions, strict=True):
            trajectory.drop_from(evaluation)
            trajectory.append(evaluation, precision, constraints)

    def note(self, values: Mapping[str, float]) -> None:
        """Parameters of the algorithm, to be recorded at hits and scheduled counts from now on.

        Raises:
            ObservationError: A name is too long, or a value no number.
        """
        for name, value in values.items():
            encoded = name.encode()
            if len(encoded) > MAX_NOTE_NAME_BYTES:
                raise ObservationError(
                    f"note {name[:40]!r}… is longer than {MAX_NOTE_NAME_BYTES} bytes"
                )
            try:
                self._notes[encoded] = float(value)
            except (TypeError, ValueError):
                raise ObservationError(f"note {name}={value!r} is no number") from None

    def _write_notes(self, evaluation: int) -> None:
        if self._notes:
            notes = self._memory.table("notes")
            notes.drop_from(evaluation)
            for name, value in self._notes.items():
                notes.append(evaluation, name, value)

    def enter(self, evaluation: int, value: Vector) -> None:
        """Take a point that entered the archive; its value has shape ``(2,)``."""
        archive = self._memory.table("archive")
        # threads at the same count: the order in which points entered stands
        archive.append(max(evaluation, archive.last_evaluation), *value.tolist())

    def enter_many(self, evaluations: NDArray[np.int64], values: Vector) -> None:
        """Take points that entered the archive, as ``enter`` does, one after the other.

        Args:
            evaluations: Ascending, shape ``(n,)``.
            values: Shape ``(n, 2)``.
        """
        archive = self._memory.table("archive")
        archive.extend((np.maximum(evaluations, archive.last_evaluation), *values.T))

    def restart(self, evaluations: int, seed: int, start: ArrayLike | None, reason: object) -> None:
        """Take a restart after so many evaluations."""
        digest = b""
        if start is not None:
            point = np.ascontiguousarray(start, dtype="<f8")
            digest = hashlib.sha256(point.tobytes()).hexdigest()[:16].encode()
        text = clean_text("" if reason is None else str(reason), MAX_REASON_BYTES)
        self._memory.table("restarts").append(evaluations, seed, digest, text.encode())

    def recommend(self, evaluations: int, value: float, x: Vector) -> None:
        """Take a recommended solution, after so many evaluations."""
        self._memory.table("recommendations").append(evaluations, self.precision(value))
        self._memory.table("recommended_solutions").extend([x])


_NO_THRESHOLDS = np.empty(0)


@lru_cache(maxsize=512)
def _thresholds(reference: float, grid: TargetGrid) -> Vector:
    """The values that hit the targets of a grid, read-only, ascending."""
    thresholds: Vector = reference + grid.values
    thresholds.flags.writeable = False
    return thresholds


def improvements(values: Vector, best: float) -> tuple[NDArray[np.int64], Vector, Vector]:
    """The values that are finite and below ``best`` and below all finite values before them.

    Args:
        values: Shape ``(n,)``; NaN and infinities are passed over.
        best: Best finite value before the batch, inf where there is none.

    Returns:
        Their positions, int64 (m,), ascending; the values, float64 (m,), strictly descending; and
        the best so far after each of ``values``, shape ``(n,)``.
    """
    clean = np.where(np.isfinite(values), values, np.inf)
    running = np.minimum(np.minimum.accumulate(clean), best)
    before = np.concatenate(([best], running[:-1]))
    rows = np.flatnonzero(clean < before)
    return rows, clean[rows], running


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

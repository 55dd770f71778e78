"""Turns counts and indicator values into a run's record; knows nothing of evaluating."""

from __future__ import annotations

import hashlib
import math
import platform
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ObservationError
from ..records.dtypes import MAX_NOTE_NAME_BYTES, MAX_REASON_BYTES, ORIGIN
from ..records.run_record import clean_text
from ..targets.grid import NO_TARGET, TargetGrid, evaluation_schedule
from .memory import CONSTRAINTS, RunMemory, Table

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a run is recorded by.

    Without a reference every improvement is recorded, and a precision is the value itself.
    """

    dimension: int
    reference: float  # what precisions are measured from; NaN where there is nothing
    grid: TargetGrid  # whose first hits are recorded
    final_target: float | None  # the precision at which the problem is solved
    every_improvement: bool  # recorded, not only first hits
    keeps_archive: bool  # of two objectives: the points that enter it are recorded


class Recorder:
    """The best so far, first hits, and the best so far at the scheduled evaluation counts.

    An exception may come in between anywhere; then the same is to be recorded again. So rows are
    written first, after those of the same evaluations are dropped, and ``best``, on which all
    depends, is set last. What one evaluation may add has room before it is made: ``reserve``.

    Attributes:
        best: Best finite indicator value, inf before.
        final_threshold: A value must be <= this to hit the final target; -inf without one.
        next_scheduled: The first scheduled count that was not recorded.
        sure: So many evaluations that add something have room surely; below 1: look.
    """

    __slots__ = (
        "_archive", "_clock", "_every", "_for_one", "_grid", "_hit_seconds", "_hits", "_memory",
        "_notes", "_origin", "_schedule", "_threshold", "_thresholds", "_trajectory",
        "_trajectory_seconds", "best", "final_threshold", "next_scheduled", "sure",
    )  # fmt: skip

    def __init__(
        self, rules: Rules, memory: RunMemory, clock: Callable[[], float] | None = None
    ) -> None:
        known = math.isfinite(rules.reference)
        has_final = known and rules.final_target is not None
        self._memory = memory
        self._clock = clock
        self._hits, self._trajectory = memory.table("hits"), memory.table("trajectory")
        self._hit_seconds = memory.table("hit_seconds") if clock else None
        self._trajectory_seconds = memory.table("trajectory_seconds") if clock else None
        self._archive = memory.table("archive") if rules.keeps_archive else None
        self._grid = rules.grid.values
        self._origin = rules.reference if known else 0.0
        self._thresholds = _thresholds(rules.reference, rules.grid) if known else _NO_THRESHOLDS
        self._every = rules.every_improvement or not known
        self._threshold = math.inf if self._every else float(self._thresholds[-1])
        self._schedule = evaluation_schedule(rules.dimension)
        self.next_scheduled = self._schedule[0]
        self.best = math.inf
        self.final_threshold = self._origin + (rules.final_target or 0) if has_final else -math.inf
        memory.reserve_best(rules.dimension)
        self._notes: dict[bytes, float] = {}
        self._for_one = self._needed(1, 0)
        self.sure = 0
        self.reserve(1)

    @property
    def final_target_hit(self) -> bool:
        """Whether the final target was hit."""
        return self.best <= self.final_threshold

    @property
    def best_precision(self) -> float:
        """The best so far minus the reference; inf before the first finite value."""
        return self.precision(float(self.best))

    @property
    def best_solution(self) -> Vector | None:
        """The best point so far, a copy; None before the first."""
        point = self._memory.best()[1]
        return point if len(point) else None

    def precision(self, value: float) -> float:
        """The value's distance to the reference; the value itself where there is no reference."""
        return value - self._origin

    def reserve(self, evaluations: int) -> None:
        """Make room for what so many evaluations may add; OSError, MemoryError: there is none."""
        for table, rows in self._needed(evaluations, len(self._notes)):
            table.reserve(rows)
        self.sure = evaluations

    def has_room(self) -> bool:
        """Whether there is room for what one evaluation more may add."""
        if self.sure < 1:
            self.sure = min(table.room // rows for table, rows in self._for_one)
        return self.sure >= 1

    def _needed(self, evaluations: int, notes: int) -> list[tuple[Table, int]]:
        """How many rows so many evaluations may add to each table, with so many notes."""
        hits = evaluations if self._every else min(evaluations, len(self._thresholds))
        scheduled = min(evaluations, len(self._schedule))
        needed = [(self._hits, hits), (self._trajectory, scheduled + 1)]  # and one at the end
        if self._hit_seconds is not None and self._trajectory_seconds is not None:
            needed += [(self._hit_seconds, hits), (self._trajectory_seconds, scheduled + 1)]
        if notes:
            needed.append((self._memory.table("notes"), notes))
        if self._archive is not None:
            needed.append((self._archive, evaluations))
        return needed

    def improve(self, evaluation: int, value: float, place: int) -> None:
        """Take a value below ``best``, of a point put at ``place``; -inf is passed over."""
        if value == -math.inf:
            return
        self._memory.keep_best(self.precision(value), place)
        if value <= self._threshold:
            level = bisect_left(self._thresholds, value)
            target = float(self._grid[level]) if level < len(self._thresholds) else NO_TARGET
            self.sure -= 1
            # of two threads at the same count the later and better stands
            self._hits.drop_from(evaluation)
            self._time(self._hits, self._hit_seconds, 1)
            self._hits.append(target, evaluation, value - self._origin, self._constraints)
            self._write_notes(evaluation)
            self._pass_targets(level)
        self.best = value

    @property
    def _constraints(self) -> int:
        return self._memory.counts[CONSTRAINTS]

    def _pass_targets(self, level: int) -> None:
        """Targets from this one on, up to the easiest, are hit."""
        if not self._every:
            self._threshold = float(self._thresholds[level - 1]) if level else -math.inf

    def take(self, before: int, points: Vector, quality: Vector) -> None:
        """Take the improvements of a batch, as if its points came one after the other.

        ``quality``, shape ``(n,)``, are the indicator's values of the first of the points.
        """
        self.pass_counts(before)
        after, lowest = before + len(quality), least(quality)
        if lowest >= self.best:
            return
        if after < self.next_scheduled and self._threshold < lowest:  # no target is hit
            self._memory.keep_best(
                self.precision(lowest), self._memory.put_point(points[quality.argmin()])
            )
            self.best = float(lowest)
            return
        rows, values, running = improvements(quality, self.best)
        counts = self._scheduled(after)
        at_counts = running[np.array(counts, dtype=np.int64) - (before + 1)]
        self._pass(counts, (at_counts - self._origin).tolist(), after)
        if len(rows):
            place = self._memory.put_point(points[rows[-1]])
            self._memory.keep_best(self.precision(float(values[-1])), place)
            self._hit_many(rows + (before + 1), values, after)
            self.best = float(values[-1])

    def _hit_many(self, evaluations: NDArray[np.int64], values: Vector, after: int) -> None:
        """Record values, strictly descending, as ``improve`` does; notes after the batch."""
        levels = np.searchsorted(self._thresholds, np.append(self.best, values), side="left")
        new = np.full(len(values), True) if self._every else levels[1:] < levels[:-1]
        if not new.any():
            return
        levels, evaluations, values = levels[1:][new], evaluations[new], values[new]
        targets = np.append(self._grid, NO_TARGET)[np.minimum(levels, len(self._grid))]
        if not len(self._thresholds):
            targets = np.full(len(levels), NO_TARGET)
        constraints = np.full(len(levels), self._constraints)
        self.sure -= len(levels)
        self._hits.drop_from(int(evaluations[0]))
        self._time(self._hits, self._hit_seconds, len(levels))
        self._hits.extend((targets, evaluations, values - self._origin, constraints))
        self._write_notes(after)
        self._pass_targets(int(levels[-1]))

    def pass_counts(self, evaluation: int) -> None:
        """Take the best so far at the scheduled counts up to this one."""
        if evaluation >= self.next_scheduled:
            counts = self._scheduled(evaluation)
            self._pass(counts, [self.best_precision] * len(counts), evaluation)

    def _scheduled(self, evaluation: int) -> tuple[int, ...]:
        """The scheduled counts up to this one that were not recorded."""
        if evaluation == self.next_scheduled:
            return (evaluation,)  # mostly
        first = bisect_left(self._schedule, self.next_scheduled)
        return self._schedule[first : bisect_right(self._schedule, evaluation)]

    def _pass(self, counts: Sequence[int], precisions: Sequence[float], after: int) -> None:
        """Take the best precision so far at the next counts of the schedule; and the notes."""
        if not counts:
            return
        self.sure -= len(counts)
        self._trajectory.drop_from(counts[0])
        self._time(self._trajectory, self._trajectory_seconds, len(counts))
        for count, precision in zip(counts, precisions, strict=True):
            self._trajectory.append(count, precision, self._constraints)
        self._write_notes(after)
        self.next_scheduled = self._schedule[bisect_right(self._schedule, counts[-1])]

    def _time(self, table: Table, seconds: Table | None, rows: int) -> None:
        """Write the second of rows that are to follow: first, as a row of the table may lack none.

        The points of a batch get the second at which it was evaluated.
        """
        if seconds is None or self._clock is None:
            return
        if rows == 1:  # 3 µs less, at every hit
            seconds.put(len(table), self._clock())
        else:
            seconds.cut(len(table))
            seconds.extend((np.full(rows, self._clock()),))

    @property
    def archive_length(self) -> int:
        """How many points that entered the archive are recorded."""
        return 0 if self._archive is None else len(self._archive)

    def enter(self, length: int, evaluation: int, value: Vector) -> None:
        """Take a point that entered the archive, which had this length before."""
        archive = self._archive_at(length, 1)
        # threads at the same count: the order in which points entered stands
        archive.append(max(evaluation, archive.last_evaluation), *value.tolist())

    def enter_many(self, length: int, evaluations: NDArray[np.int64], values: Vector) -> None:
        """Take points that entered the archive, as ``enter`` does, one after the other."""
        archive = self._archive_at(length, len(evaluations))
        archive.extend((np.maximum(evaluations, archive.last_evaluation), *values.T))

    def _archive_at(self, length: int, rows: int) -> Table:
        """The archive as it was at this length, for so many rows that are to follow."""
        assert self._archive is not None
        self.sure -= rows
        self._archive.cut(length)
        return self._archive

    def note(self, values: Mapping[str, float]) -> None:
        """Parameters of the algorithm, to be recorded at hits and scheduled counts from now on.

        Raises:
            ObservationError: A name is too long, or a value no number.
        """
        notes = self._notes.copy()
        for name, value in values.items():
            encoded = name.encode()
            if len(encoded) > MAX_NOTE_NAME_BYTES:
                raise ObservationError(
                    f"note {name[:40]!r}… is longer than {MAX_NOTE_NAME_BYTES} bytes"
                )
            try:
                notes[encoded] = float(value)
            except (TypeError, ValueError):
                raise ObservationError(f"note {name}={value!r} is no number") from None
        self._memory.table("notes").reserve(len(notes))
        self._for_one = self._needed(1, len(notes))
        self.sure, self._notes = 0, notes

    def _write_notes(self, evaluation: int) -> None:
        if self._notes:
            notes = self._memory.table("notes")
            notes.drop_from(evaluation)
            for name, value in self._notes.items():
                notes.append(evaluation, name, value)

    def restart(self, evaluations: int, seed: int, start: ArrayLike | None, reason: object) -> None:
        """Take a restart after so many evaluations."""
        digest = b""
        if start is not None:
            point = np.ascontiguousarray(start, dtype="<f8")
            digest = hashlib.sha256(point.tobytes()).hexdigest()[:16].encode()
        text = clean_text("" if reason is None else str(reason), MAX_REASON_BYTES)
        restarts = self._memory.table("restarts")
        restarts.reserve(1)
        restarts.append(evaluations, seed, digest, text.encode())

    def note_host(self) -> None:
        """Write down whose clock gives the seconds."""
        host = clean_text(platform.node(), ORIGIN["host"].itemsize)
        self._memory.table("origin").append(host.encode())

    def drop(self, evaluations: int, count: int) -> None:
        """Take evaluations whose values nobody will know, the last of so many."""
        dropped = self._memory.table("dropped")
        dropped.reserve(1)
        dropped.append(evaluations, count)

    def recommend(self, evaluations: int, value: float, x: Vector) -> None:
        """Take a recommended solution, after so many evaluations."""
        values = self._memory.table("recommendations")
        solutions = self._memory.table("recommended_solutions")
        values.reserve(1)
        solutions.cut(len(values) * len(x))  # of one that was interrupted here
        solutions.reserve(len(x))
        solutions.extend([x])
        values.append(evaluations, self.precision(value))


_NO_THRESHOLDS = np.empty(0)


@lru_cache(maxsize=512)
def _thresholds(reference: float, grid: TargetGrid) -> Vector:
    """The values that hit the targets of a grid, read-only, ascending."""
    thresholds: Vector = reference + grid.values
    thresholds.flags.writeable = False
    return thresholds


def improvements(values: Vector, best: float) -> tuple[NDArray[np.int64], Vector, Vector]:
    """The values that are finite and below ``best`` and below all finite values before them.

    Returns:
        Their positions, shape ``(m,)``; the values; and the best so far after each of ``values``.
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

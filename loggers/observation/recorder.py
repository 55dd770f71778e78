"""The recorder of one run: turns evaluation numbers and indicator values into rows of its tables.

It records first hits of targets (or all improvements), the best value at scheduled evaluation
counts, restarts, recommendations and notes. It knows nothing of evaluating.

A process may be killed between any two steps. Therefore an improvement is recorded in this order:
the second of the hit, the hit, the best point. Switching to the new best point is the commit:
`make_record` leaves out hits that are better than the best point.
"""

from __future__ import annotations

import hashlib
import math
import platform
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ObservationError
from ..records.dtypes import MAX_NOTE_NAME_BYTES, MAX_REASON_BYTES, ORIGIN
from ..records.run_record import clean_text
from ..targets.grid import NO_TARGET, TargetGrid, evaluation_schedule
from .memory import BEST_SLOT, CONSTRAINTS, RunMemory
from .point_recorder import write_limit_note

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RecordingRules:
    """Rules that decide which evaluations of a run are recorded.

    Without a reference value, all improvements are recorded, and a precision is the value itself.
    """

    dimension: int
    reference: float  # precisions are differences to this value; NaN: there is no reference value
    grid: TargetGrid  # targets whose first hits are recorded
    final_target: float | None  # precision at which the problem is solved
    every_improvement: bool  # record all improvements, not only first hits
    keeps_archive: bool  # with two objectives: record the points that enter the archive
    max_hit_point_bytes: int = 0  # maximum size of the points of hits; 0: they are not recorded


class Recorder:
    """Records one run into a `RunMemory`.

    Args:
        rules: Rules that decide which evaluations are recorded.
        memory: The tables that rows are added to.
        read_seconds: Returns the current second of the run, which is recorded with each hit and
            each scheduled count; None: seconds are not recorded.

    Attributes:
        best: Best finite indicator value; inf before the first one.
        final_threshold: Indicator values up to this one hit the final target; -inf if there is no
            final target.
        next_scheduled: The first scheduled evaluation count that was not recorded yet.
        read_seconds: See the argument.
    """

    __slots__ = (
        "_archive", "_counts", "_grid", "_hit_points_left", "_hit_seconds", "_hits",
        "_max_hit_point_bytes", "_memory", "_notes", "_origin", "_records_all", "_schedule",
        "_threshold", "_thresholds", "_trajectory", "_trajectory_seconds", "best",
        "final_threshold", "next_scheduled", "read_seconds",
    )  # fmt: skip

    def __init__(
        self,
        rules: RecordingRules,
        memory: RunMemory,
        read_seconds: Callable[[], float] | None = None,
    ) -> None:
        has_reference = math.isfinite(rules.reference)
        has_final_target = has_reference and rules.final_target is not None
        self.read_seconds = read_seconds
        self._memory = memory
        self._counts = memory.counts
        self._hits, self._trajectory = memory.get_table("hits"), memory.get_table("trajectory")
        self._hit_seconds = memory.get_table("hit_seconds") if read_seconds else None
        self._trajectory_seconds = memory.get_table("trajectory_seconds") if read_seconds else None
        self._archive = memory.get_table("archive") if rules.keeps_archive else None
        self._max_hit_point_bytes = rules.max_hit_point_bytes
        # Number of hits whose points are still to be recorded; None: none, or the limit was noted.
        self._hit_points_left: int | None = None
        if rules.max_hit_point_bytes:
            self._hit_points_left = rules.max_hit_point_bytes // (8 * rules.dimension)
        self._grid = rules.grid.values
        self._origin = rules.reference if has_reference else 0.0
        self._thresholds = (
            _compute_thresholds(rules.reference, rules.grid) if has_reference else np.empty(0)
        )
        self._records_all = rules.every_improvement or not has_reference
        # Improvements up to this indicator value are recorded as hits.
        self._threshold = math.inf if self._records_all else float(self._thresholds[-1])
        self._schedule = evaluation_schedule(rules.dimension)
        self.next_scheduled = self._schedule[0]
        self.best = math.inf
        final_target = rules.final_target or 0.0
        self.final_threshold = self._origin + final_target if has_final_target else -math.inf
        self._notes: Mapping[bytes, float] = {}
        memory.reserve_slots(rules.dimension)

    @property
    def final_target_hit(self) -> bool:
        """Whether the final target was hit."""
        return self.best <= self.final_threshold

    def take_point(self, number: int, x: ArrayLike, value: float) -> None:
        """Record one evaluated point.

        Args:
            number: Number of its evaluation, from 1.
            x: The point, shape ``(dimension,)``; it is copied.
            value: Its indicator value. NaN and infinite values are no improvements.
        """
        if number > self.next_scheduled:  # overlapping evaluations have passed scheduled counts
            self.pass_counts(number - 1)
        if -math.inf < value < self.best:
            if value <= self._threshold:
                level = bisect_left(self._thresholds, value)
                target = float(self._grid[level]) if level < len(self._thresholds) else NO_TARGET
                if self._hit_seconds is not None and self.read_seconds is not None:
                    self._hit_seconds.append(self.read_seconds())
                if self._hit_points_left is not None:
                    self._add_hit_points([number], np.reshape(x, (1, -1)))
                constraints = self._counts[CONSTRAINTS]
                self._hits.append(target, number, value - self._origin, constraints)
                self._set_best(x, value)
                self._set_threshold(level)
                self._write_notes(number)
            else:
                self._set_best(x, value)
        if number >= self.next_scheduled:
            self.pass_counts(number)

    def take_batch(self, number: int, points: Vector, values: Vector) -> None:
        """Record a batch, as if its points were evaluated one after the other.

        Args:
            number: Number of the evaluation of the last of ``values``.
            points: The points, shape ``(m, dimension)``, at least as many as values.
            values: Indicator values of the first points, shape ``(n,)``.
        """
        first = number - len(values) + 1
        if first > self.next_scheduled:
            self.pass_counts(first - 1)
        lowest = find_lowest(values)  # NaN if any is NaN; then others may still be below the best
        if lowest >= self.best:
            self.pass_counts(number)
            return
        if number < self.next_scheduled and self._threshold < lowest:  # no hit, nothing scheduled
            if lowest < self.best:
                self._set_best(points[values.argmin()], lowest)
            return
        rows, improved, running = find_improvements(values, self.best)
        if len(rows):
            self._add_hits(rows + first, improved, points[rows])
            self._set_best(points[rows[-1]], float(improved[-1]))
            self._write_notes(number)
        if number >= self.next_scheduled:
            counts = self._find_scheduled(number)
            best_at_counts = running[np.array(counts) - first] - self._origin
            self._add_trajectory(counts, best_at_counts.tolist(), number)

    def _add_hits(self, numbers: NDArray[np.int64], values: Vector, points: Vector) -> None:
        """Add rows for those of a batch's improvements that hit a new target."""
        levels = np.searchsorted(self._thresholds, np.append(self.best, values), side="left")
        is_hit = np.full(len(values), True) if self._records_all else levels[1:] < levels[:-1]
        if not is_hit.any():
            return
        levels, numbers, values = levels[1:][is_hit], numbers[is_hit], values[is_hit]
        if len(self._thresholds):
            targets = np.append(self._grid, NO_TARGET)[levels]
        else:
            targets = np.full(len(levels), NO_TARGET)
        if self._hit_seconds is not None and self.read_seconds is not None:
            # All points of a batch get the second at which the batch was evaluated.
            self._hit_seconds.extend((np.full(len(levels), self.read_seconds()),))
        if self._hit_points_left is not None:
            self._add_hit_points(numbers.tolist(), points[is_hit])
        constraints = np.full(len(levels), self._counts[CONSTRAINTS])
        self._hits.extend((targets, numbers, values - self._origin, constraints))
        self._set_threshold(int(levels[-1]))

    def _add_hit_points(self, numbers: Sequence[int], points: Vector) -> None:
        """Record the points of new hits, before their hits, until the maximum size is reached."""
        n_left = self._hit_points_left or 0
        self._memory.get_table("hit_solutions").extend([points[:n_left].reshape(-1)])
        if n_left >= len(numbers):
            self._hit_points_left = n_left - len(numbers)
            return
        self._hit_points_left = None
        last = self._hits.last_evaluation if n_left == 0 else numbers[n_left - 1]
        write_limit_note(self._memory, last, self._max_hit_point_bytes)

    def _set_best(self, x: ArrayLike, value: float) -> None:
        """Make a point with this indicator value the best one, in the memory and in `best`."""
        slot = self._memory.write_spare_slot(value - self._origin, x)
        # No call lies between these two assignments, so no signal handler can interrupt them.
        self._counts[BEST_SLOT] = slot
        self.best = value

    def _set_threshold(self, level: int) -> None:
        """Record only hits of harder targets than the target with this index from now on."""
        if not self._records_all:
            self._threshold = float(self._thresholds[level - 1]) if level else -math.inf

    def pass_counts(self, number: int) -> None:
        """Record the best value at all scheduled counts up to an evaluation number."""
        if number >= self.next_scheduled:
            counts = self._find_scheduled(number)
            self._add_trajectory(counts, [self.best - self._origin] * len(counts), number)

    def _find_scheduled(self, number: int) -> tuple[int, ...]:
        """Return the scheduled counts up to a number that were not recorded yet."""
        if number == self.next_scheduled:  # the usual case
            return (number,)
        first = bisect_left(self._schedule, self.next_scheduled)
        return self._schedule[first : bisect_right(self._schedule, number)]

    def _add_trajectory(
        self, counts: Sequence[int], precisions: Sequence[float], number: int
    ) -> None:
        """Record best precisions at scheduled counts.

        Args:
            counts: The scheduled counts, ascending, at least one.
            precisions: Best precision at each count.
            number: Number of the current evaluation.
        """
        for count, precision in zip(counts, precisions, strict=True):
            if self._trajectory_seconds is not None and self.read_seconds is not None:
                self._trajectory_seconds.append(self.read_seconds())
            self._trajectory.append(count, precision, self._counts[CONSTRAINTS])
        self._write_notes(number)
        self.next_scheduled = self._schedule[bisect_right(self._schedule, counts[-1])]

    def _write_notes(self, number: int) -> None:
        """Record the parameters of the algorithm at an evaluation, unless that was done before."""
        if self._notes:
            notes = self._memory.get_table("notes")
            # An evaluation that is both a hit and a scheduled count gets its notes only once.
            if notes.last_evaluation < number:
                for name, value in self._notes.items():
                    notes.append(number, name, value)

    def enter_point(self, number: int, value: Vector) -> None:
        """Record a point that entered the archive; ``value`` has its objectives, shape ``(2,)``."""
        if self._archive is not None:
            self._archive.append(number, *value.tolist())

    def enter_batch(self, numbers: NDArray[np.int64], values: Vector) -> None:
        """Record points that entered the archive; ``values`` are their objectives, ``(n, 2)``."""
        if self._archive is not None:
            self._archive.extend((numbers, *values.T))

    def set_notes(self, values: Mapping[str, float]) -> None:
        """Set parameters of the algorithm, which are recorded at hits and scheduled counts.

        Values of other names stay as they are.

        Raises:
            ObservationError: A name is too long, or a value is no number.
        """
        notes = dict(self._notes)
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
        self._notes = notes

    def add_restart(self, evaluations: int, seed: int, start_hash: bytes, reason: bytes) -> None:
        """Record a restart after ``evaluations`` evaluations; see `describe_restart`."""
        self._memory.get_table("restarts").append(evaluations, seed, start_hash, reason)

    def add_dropped(self, evaluations: int, count: int) -> None:
        """Record that the last ``count`` of ``evaluations`` evaluations have no values."""
        self._memory.get_table("dropped").append(evaluations, count)
        self.pass_counts(evaluations)

    def add_recommendation(self, evaluations: int, value: float, x: Vector) -> None:
        """Record a recommended solution after ``evaluations`` evaluations; its value may be NaN."""
        # The solution comes first: `make_record` reads as many solutions as there are values.
        self._memory.get_table("recommended_solutions").extend([x])
        self._memory.get_table("recommendations").append(evaluations, value - self._origin)

    def add_host(self) -> None:
        """Record the name of this machine, whose clock gives the seconds."""
        host = clean_text(platform.node(), ORIGIN["host"].itemsize)
        self._memory.get_table("origin").append(host.encode())


def describe_restart(seed: int, start: Vector | None, reason: object) -> tuple[int, bytes, bytes]:
    """Return the fields of a row of ``restarts`` after the evaluation: seed, hash and reason.

    Args:
        seed: Seed of the next start, 0 <= seed < 2**64.
        start: Start point, shape ``(dimension,)``. None: unknown; the hash is then empty.
        reason: Reason of the restart; its text is cut to 200 bytes. None: unknown.

    Raises:
        ObservationError: The seed is out of range.
    """
    if not 0 <= seed < 2**64:
        raise ObservationError(f"the seed of a restart is {seed}; it must be in [0, 2**64)")
    digest = ""
    if start is not None:
        point = np.ascontiguousarray(start, dtype="<f8")
        digest = hashlib.sha256(point.tobytes()).hexdigest()[:16]
    text = clean_text("" if reason is None else str(reason), MAX_REASON_BYTES)
    return int(seed), digest.encode(), text.encode()


@lru_cache(maxsize=512)
def _compute_thresholds(reference: float, grid: TargetGrid) -> Vector:
    """Return the largest indicator value that hits each target of a grid, read-only, ascending."""
    thresholds: Vector = reference + grid.values
    thresholds.flags.writeable = False
    return thresholds


class Improvements(NamedTuple):
    """The improvements in a sequence of ``n`` values, of which ``m`` are improvements."""

    rows: NDArray[np.int64]  # their positions, shape ``(m,)``
    values: Vector  # shape ``(m,)``
    running: Vector  # the best value after each of all values, shape ``(n,)``


def find_improvements(values: Vector, best: float) -> Improvements:
    """Find the finite values that are below ``best`` and below all finite values before them."""
    finite = np.where(np.isfinite(values), values, np.inf)
    running = np.minimum(np.minimum.accumulate(finite), best)
    before = np.concatenate(([best], running[:-1]))
    rows = np.flatnonzero(finite < before)
    return Improvements(rows, finite[rows], running)


def find_lowest(values: Vector) -> float:
    """Return the lowest of at least one value; NaN if one of them is NaN."""
    lowest: float = values[values.argmin()]
    return float(lowest)


def cut_at_target(values: Vector, threshold: float) -> Vector:
    """Return the values up to the first finite one that is <= ``threshold``, which is included.

    If there is no such value, all values are returned.
    """
    if find_lowest(values) > threshold:
        return values
    hits = (values <= threshold) & (values > -np.inf)
    row = int(hits.argmax())
    return values[: row + 1] if hits[row] else values

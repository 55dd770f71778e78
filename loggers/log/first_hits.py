"""When runs first hit target precisions, from what a log recorded, and whether that is exact."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..hdf5.ragged import Ragged
from ..hdf5.table import LogTable
from ..records.run_record import RECORDS, Record
from ..targets.grid import GRID_TOLERANCE, SIGNED, TARGETS_PER_DECADE, grid

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

FINAL = float(grid()[0])
"""1e-8, the hardest of the targets that every run records; harder ones need their own indicator."""
_PER_DECADE: dict[Record, int] = {
    "targets": TARGETS_PER_DECADE,
    "improvements": TARGETS_PER_DECADE,
    "targets_10": 10,
    "targets_5": 5,
}
_OBSERVED = ("targets", "improvements")
_BLOCK_RUNS = 2000
"""Of so many runs the hits of targets are gathered in fast memory."""


class FirstHitTimes(NamedTuple):
    """Evaluations at first hits, and whether each is exact; both ``(n_rows, n_targets)``."""

    evaluations: Array
    exact: NDArray[np.bool_]


def first_hits(
    table: LogTable,
    rows: Indices,
    targets: Array,
    constraints_weight: float = 0.0,
    in_seconds: bool = False,
) -> FirstHitTimes:
    """First hits of ``targets``, shape ``(n_targets,)``, in runs: see `Log.first_hits`."""
    precisions = np.asarray(targets, dtype=np.float64)
    evaluations = np.full((len(rows), len(precisions)), np.nan)
    exact = np.ones(evaluations.shape, dtype=bool)
    kinds = table.runs["record"][rows]
    for code in np.unique(kinds).tolist():
        alike = np.flatnonzero(kinds == code)
        for start in range(0, len(alike), _BLOCK_RUNS):
            part = alike[start : start + _BLOCK_RUNS]
            block = _Block(table, rows[part], RECORDS[code])
            evaluations[part], exact[part] = block.first_hits(precisions)
            if in_seconds:
                evaluations[part] = block.seconds_at(evaluations[part])
            elif constraints_weight:
                spent = block.constraints_at(evaluations[part])
                evaluations[part] += constraints_weight * spent
    without_reference = np.isnan(table.runs["reference_value"][rows])
    evaluations[without_reference], exact[without_reference] = np.nan, True
    return FirstHitTimes(evaluations, exact)


class _Block:
    """What was recorded of some runs, all with the same kind of record."""

    def __init__(self, table: LogTable, rows: Indices, record: Record) -> None:
        self._table = table
        self._rows = rows
        self.record = record

    @cached_property
    def targets(self) -> Ragged:
        """Targets and evaluations of the hits: of a large log they are read faster than all."""
        return self._table.ragged["hits"].pick(self._rows, ("target", "evaluation"))

    @cached_property
    def hits(self) -> Ragged:
        return self._table.ragged["hits"].pick(self._rows)

    @cached_property
    def path(self) -> Ragged:
        return self._table.ragged["trajectory"].pick(self._rows)

    def first_hits(self, precisions: Array) -> tuple[Array, NDArray[np.bool_]]:
        evaluations = np.full((len(self._rows), len(precisions)), np.nan)
        exact = np.ones(evaluations.shape, dtype=bool)
        meant = self._recorded_targets(precisions)
        recorded = ~np.isnan(meant)
        evaluations[:, recorded] = _grid_hits(self.targets, meant[recorded])
        for column, target in enumerate(meant.tolist()):
            if not recorded[column]:
                evaluations[:, column], exact[:, column] = self._between(float(precisions[column]))
            elif target <= 0:
                self._below_what_was_recorded(target, evaluations[:, column], exact[:, column])
        return evaluations, exact

    def _below_what_was_recorded(
        self, target: float, evaluations: Array, exact: NDArray[np.bool_]
    ) -> None:
        """Fill in runs that reached a target at or below 0 of which none were recorded."""
        best = self._table.runs["best_precision"][self._rows]
        missed = np.isnan(evaluations) & (best <= target + self._slack(target))
        if missed.any():
            times, are_exact = self._between(target)
            evaluations[missed], exact[missed] = times[missed], are_exact[missed]

    def constraints_at(self, evaluations: Array) -> Array:
        """Evaluations of the constraints made by these recorded evaluations, 0 without any."""
        at_hit, seen = (
            _found_at(part, part.rows["constraints"], evaluations)
            for part in (self.hits, self.path)
        )
        return np.nan_to_num(np.where(np.isnan(at_hit), seen, at_hit))

    def seconds_at(self, evaluations: Array) -> Array:
        """Seconds at these recorded evaluations, NaN without any."""
        at_hit, seen = (
            _found_at(part, self._table.ragged[name].pick(self._rows).rows["seconds"], evaluations)
            for part, name in ((self.hits, "hit_seconds"), (self.path, "trajectory_seconds"))
        )
        return np.where(np.isnan(at_hit), seen, at_hit)

    def _recorded_targets(self, precisions: Array) -> Array:
        """Values of the grid whose first hits are among the hits for certain; NaN for others."""
        meant = [SIGNED.value_meant(target) for target in precisions.tolist()]
        values = np.array(meant, dtype=np.float64)  # None becomes NaN
        return np.where(np.isin(values, recorded_targets(self.record)), values, np.nan)

    def _between(self, target: float) -> tuple[Array, NDArray[np.bool_]]:
        """First recorded evaluation with a precision <= target, and whether it is the first of all.

        It is where every improvement was recorded; where it is the first that hits the next easier
        of the targets whose first hits are recorded; and where the evaluation before it is recorded
        too.
        """
        hit, seen = (_first(part, self._reaches(part, target)) for part in (self.hits, self.path))
        at = np.fmin(hit.evaluation, seen.evaluation)
        if self.record == "improvements":
            return at, np.ones(len(at), dtype=bool)
        exact = (at == 1) | (hit.before == at - 1) | (seen.before == at - 1)
        exact |= at == self._entered(target)
        return at, exact if self.record == "sampled" else exact | np.isnan(at)

    def _reaches(self, part: Ragged, target: float) -> NDArray[np.bool_]:
        """Where a recorded precision hits the target; what was printed may be off in digit ten."""
        return np.asarray(part.rows["precision"] <= target + self._slack(target))

    def _slack(self, target: float) -> float:
        return 0.0 if self.record in _OBSERVED else GRID_TOLERANCE * abs(target)

    def _entered(self, target: float) -> Array:
        """First evaluation that hits the next easier target whose first hit is recorded."""
        recorded = recorded_targets(self.record)
        place = int(np.searchsorted(recorded, target - self._slack(target)))
        if np.isnan(target) or place == len(recorded):
            return np.full(len(self._rows), np.nan)
        easier = float(recorded[place])
        if easier <= 0 and self.record == "targets_10":
            return _first(self.hits, self._reaches(self.hits, easier)).evaluation
        entered = _first(self.hits, self.hits.rows["target"] <= easier).evaluation
        if easier > 0:
            return entered
        final = _first(self.hits, self.hits.rows["target"] <= FINAL).evaluation
        return np.where(np.isnan(entered), final, entered)


class _Found(NamedTuple):
    """Evaluation of a first entry and of the entry before it (0 at the start); NaN without one."""

    evaluation: Array
    before: Array


def _first(part: Ragged, mask: NDArray[np.bool_]) -> _Found:
    """The first entry of each run where ``mask`` is true."""
    offset = part.offsets
    found = np.flatnonzero(mask)
    place = np.append(found, len(mask))[np.searchsorted(found, offset[:-1])]
    evaluation = np.append(part.rows["evaluation"], 0).astype(np.float64)
    there = place < offset[1:]
    before = np.where(place > offset[:-1], evaluation[place - 1], 0.0)
    return _Found(np.where(there, evaluation[place], np.nan), np.where(there, before, np.nan))


def _found_at(part: Ragged, column: NDArray[Any], evaluations: Array) -> Array:
    """A column of entries at evaluations; NaN where no entry has this evaluation."""
    place = first_after(part, evaluations) - 1
    same = np.append(part.rows["evaluation"], -1)[place] == evaluations
    return np.where(
        same & (place >= part.offsets[:-1, np.newaxis]), np.append(column, 0)[place], np.nan
    )


def first_after(part: Ragged, counts: Indices | Array) -> Indices:
    """Bisection in all runs at once: position of the first entry later than each count."""
    evaluation = np.append(part.rows["evaluation"], 0)
    low = np.broadcast_to(part.offsets[:-1, np.newaxis], counts.shape).copy()
    high = np.broadcast_to(part.offsets[1:, np.newaxis], counts.shape).copy()
    while (low < high).any():
        middle = (low + high) // 2
        later = (evaluation[middle] > counts) | (low >= high)
        high = np.where(later, middle, high)
        low = np.where(later, low, middle + 1)
    return low


def _grid_hits(hits: Ragged, targets: Array) -> Array:
    """First evaluation that hits each target of the grid, NaN where none; (n_runs, n_targets)."""
    easiest_first = np.argsort(-targets, kind="stable")
    hardest_first = targets[easiest_first][::-1]
    reached = len(targets) - np.searchsorted(hardest_first, hits.rows["target"])
    times = _spread(reached, hits.rows["evaluation"], hits.offsets, len(targets))
    ordered = (np.diff(easiest_first) > 0).all()
    return times if ordered else times[:, np.argsort(easiest_first)]


def _spread(
    reached: Indices, evaluation: NDArray[np.int64], offset: Indices, n_targets: int
) -> Array:
    """The evaluation at which each of the targets was reached first, ``(n_runs, n_targets)``.

    ``reached`` says how many of the targets are reached after each hit.
    """
    # behind the last hit of each run one more, never made, that reaches all of them
    ends = offset[1:] + np.arange(len(offset) - 1)
    hit = np.ones(len(reached) + len(ends), dtype=np.bool_)
    hit[ends] = False
    after, at = np.full(len(hit), n_targets, dtype=np.int64), np.full(len(hit), np.nan)
    after[hit], at[hit] = reached, evaluation
    gained = np.diff(after, prepend=0)
    starts = offset[:-1] + np.arange(len(ends))
    gained[starts] = after[starts]
    return at.repeat(gained).reshape(len(ends), n_targets)


@cache
def recorded_targets(record: Record) -> Array:
    """Precisions, ascending, of the targets whose first hits are among the hits of a run.

    Those at and below 0 are among them only for a run that recorded such targets at all, which it
    did if it hit one. Empty for ``sampled``.
    """
    if record not in _PER_DECADE:
        return np.empty(0)
    step = TARGETS_PER_DECADE // _PER_DECADE[record]
    positive = grid()[::step]
    if record == "targets_5":
        return positive
    negative = -positive[-positive >= SIGNED.values[0]][::-1]
    return np.concatenate([negative, [0.0], positive])

"""Find the first hits of target precisions in many runs at once, from their recorded rows.

First hits of the targets of the recorded grid are read from the log. Any other target lies between
two targets of the grid. Its result is the first recorded row that reaches it, and a flag tells
whether this result is exact. The recorded targets depend on the kind of record
(`recorded_targets`), so the runs of each kind are processed separately. They are divided into
blocks that fit in the processor's cache.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suites.arrays import Floats
from ..hdf5.ragged import Ragged
from ..hdf5.table import LogTable
from ..records.run_record import RECORDS, Record
from ..targets.grid import GRID_TOLERANCE, SIGNED, TARGETS_PER_DECADE, grid

Indices = NDArray[np.int64]

FINAL = float(grid()[0])
"""The hardest positive target, 1e-8. Only runs whose indicator may fall below the reference value
record harder targets: 0 and negative ones."""
_PER_DECADE: dict[Record, int] = {
    "targets": TARGETS_PER_DECADE,
    "improvements": TARGETS_PER_DECADE,
    "targets_10": 10,
    "targets_5": 5,
}
"""Recorded targets per decade; "targets_10" and "targets_5" are imports of data of COCO."""
_OBSERVED = ("targets", "improvements")
"""Kinds of record that firsthit observed itself, so their precisions are not rounded."""
_BLOCK_RUNS = 2000
"""Number of runs whose hits are processed at a time, so that they fit in the processor's cache."""


class FirstHitTimes(NamedTuple):
    """First hits of targets, both arrays of shape ``(n_rows, n_targets)``.

    Attributes:
        evaluations: Number of the evaluation of the first recorded hit; NaN: no hit is recorded.
        exact: True if the first recorded hit is the first hit. False if an earlier evaluation that
            was not recorded may have hit the target.
    """

    evaluations: Floats
    exact: NDArray[np.bool_]


def first_hits(
    table: LogTable,
    rows: Indices,
    targets: Floats,
    constraints_weight: float = 0.0,
    in_seconds: bool = False,
) -> FirstHitTimes:
    """Find the first hits of targets in runs; see `Log.first_hits`.

    Args:
        table: Runs of a log.
        rows: Positions of the runs, shape ``(n_rows,)``.
        targets: Precisions, shape ``(n_targets,)``.
        constraints_weight: Weight of the evaluations of the constraints up to the hit, which are
            added to those of the objective.
        in_seconds: Whether to return the seconds at the hits instead of evaluations; all runs must
            have seconds.

    Returns:
        Evaluations or seconds, and whether they are exact, both of shape ``(n_rows, n_targets)``.
    """
    precisions = np.asarray(targets, dtype=np.float64)
    evaluations = np.full((len(rows), len(precisions)), np.nan)
    exact = np.ones(evaluations.shape, dtype=bool)
    record_codes = table.runs["record"][rows]
    for code in np.unique(record_codes).tolist():
        indices_of_code = np.flatnonzero(record_codes == code)
        for start in range(0, len(indices_of_code), _BLOCK_RUNS):
            indices = indices_of_code[start : start + _BLOCK_RUNS]
            block = _Block(table, rows[indices], RECORDS[code])
            evaluations[indices], exact[indices] = block.first_hits(precisions)
            if in_seconds:
                evaluations[indices] = block.seconds_at(evaluations[indices])
            elif constraints_weight:
                n_constraints = block.constraints_at(evaluations[indices])
                evaluations[indices] += constraints_weight * n_constraints
    has_no_reference = np.isnan(table.runs["reference_value"][rows])
    evaluations[has_no_reference], exact[has_no_reference] = np.nan, True
    return FirstHitTimes(evaluations, exact)


class _Block:
    """Recorded rows of some runs, which all have the same kind of record.

    Rows are read when a property is first used.
    """

    def __init__(self, table: LogTable, rows: Indices, record: Record) -> None:
        self._table = table
        self._rows = rows
        self._record = record

    @cached_property
    def _targets(self) -> Ragged:
        """Targets and evaluations of the hits. In a large log, two columns are read faster."""
        return self._table.ragged["hits"].pick(self._rows, ("target", "evaluation"))

    @cached_property
    def _hits(self) -> Ragged:
        return self._table.ragged["hits"].pick(self._rows)

    @cached_property
    def _trajectory(self) -> Ragged:
        return self._table.ragged["trajectory"].pick(self._rows)

    def first_hits(self, precisions: Floats) -> FirstHitTimes:
        """Find the first hits of target precisions, shape ``(n_targets,)``, in all runs."""
        evaluations = np.full((len(self._rows), len(precisions)), np.nan)
        exact = np.ones(evaluations.shape, dtype=bool)
        grid_values = self._match_recorded_targets(precisions)
        is_recorded = ~np.isnan(grid_values)
        evaluations[:, is_recorded] = _find_grid_hits(self._targets, grid_values[is_recorded])
        for column, target in enumerate(grid_values.tolist()):
            if not is_recorded[column]:
                times = self._find_between(float(precisions[column]))
                evaluations[:, column], exact[:, column] = times
            elif target <= 0:
                self._fill_unrecorded_runs(target, evaluations[:, column], exact[:, column])
        return FirstHitTimes(evaluations, exact)

    def constraints_at(self, evaluations: Floats) -> Floats:
        """Return the evaluations of the constraints up to recorded evaluations; 0 if unknown."""
        at_hits, at_scheduled = (
            _look_up_column(entries, entries.rows["constraints"], evaluations)
            for entries in (self._hits, self._trajectory)
        )
        return np.nan_to_num(np.where(np.isnan(at_hits), at_scheduled, at_hits))

    def seconds_at(self, evaluations: Floats) -> Floats:
        """Return the seconds at recorded evaluations of timed runs; NaN where there is no row."""
        at_hits, at_scheduled = (
            _look_up_column(
                entries, self._table.ragged[name].pick(self._rows).rows["seconds"], evaluations
            )
            for entries, name in (
                (self._hits, "hit_seconds"),
                (self._trajectory, "trajectory_seconds"),
            )
        )
        return np.where(np.isnan(at_hits), at_scheduled, at_hits)

    def _match_recorded_targets(self, precisions: Floats) -> Floats:
        """Return the recorded grid value that equals each precision up to rounding; NaN: none."""
        meant_values = [SIGNED.value_meant(target) for target in precisions.tolist()]
        values = np.array(meant_values, dtype=np.float64)  # None becomes NaN
        return np.where(np.isin(values, recorded_targets(self._record)), values, np.nan)

    def _fill_unrecorded_runs(
        self, target: float, evaluations: Floats, exact: NDArray[np.bool_]
    ) -> None:
        """Set the hits of runs that reached a target at or below 0 without recording such targets.

        Args:
            target: A precision of at most 0.
            evaluations: Recorded first hits, shape ``(n_runs,)``; changed in place.
            exact: Whether they are exact, shape ``(n_runs,)``; changed in place.
        """
        best = self._table.runs["best_precision"][self._rows]
        is_missing = np.isnan(evaluations) & (best <= target + self._slack(target))
        if is_missing.any():
            times = self._find_between(target)
            evaluations[is_missing] = times.evaluations[is_missing]
            exact[is_missing] = times.exact[is_missing]

    def _find_between(self, target: float) -> FirstHitTimes:
        """Find the first recorded evaluations that reach a target between those of the grid.

        The evaluation is exact if every improvement was recorded, if it is the first hit of the
        next easier recorded target, or if the evaluation before it was recorded, too.
        """
        hit, scheduled = (
            _find_first(entries, self._reaches(entries, target))
            for entries in (self._hits, self._trajectory)
        )
        evaluations = np.fmin(hit.evaluation, scheduled.evaluation)
        if self._record == "improvements":
            return FirstHitTimes(evaluations, np.ones(len(evaluations), dtype=bool))
        previous = evaluations - 1
        exact = (
            (evaluations == 1)
            | (hit.previous_evaluation == previous)
            | (scheduled.previous_evaluation == previous)
        )
        exact |= evaluations == self._find_easier_hits(target)
        if self._record != "sampled":  # other runs record a hit if there was one
            exact |= np.isnan(evaluations)
        return FirstHitTimes(evaluations, exact)

    def _reaches(self, entries: Ragged, target: float) -> NDArray[np.bool_]:
        """Return for each row whether its precision is at most the target, up to rounding."""
        return np.asarray(entries.rows["precision"] <= target + self._slack(target))

    def _slack(self, target: float) -> float:
        """Return the tolerance of a target: imported precisions were printed with ten digits."""
        return 0.0 if self._record in _OBSERVED else GRID_TOLERANCE * abs(target)

    def _find_easier_hits(self, target: float) -> Floats:
        """Find the first hits of the next easier recorded target; NaN: none."""
        recorded = recorded_targets(self._record)
        position = int(np.searchsorted(recorded, target - self._slack(target)))
        if np.isnan(target) or position == len(recorded):
            return np.full(len(self._rows), np.nan)
        easier_target = float(recorded[position])
        if easier_target <= 0 and self._record == "targets_10":
            return _find_first(self._hits, self._reaches(self._hits, easier_target)).evaluation
        targets = self._hits.rows["target"]
        evaluations = _find_first(self._hits, targets <= easier_target).evaluation
        if easier_target > 0:
            return evaluations
        # a run may have recorded no targets at and below 0
        final_hits = _find_first(self._hits, targets <= FINAL).evaluation
        return np.where(np.isnan(evaluations), final_hits, evaluations)


class _FirstRow(NamedTuple):
    """First matching row of each run, both of shape ``(n_runs,)``; NaN: no row matches."""

    evaluation: Floats
    previous_evaluation: Floats  # that of the row before; 0 if the first row of the run matches


def _find_first(entries: Ragged, is_match: NDArray[np.bool_]) -> _FirstRow:
    """Find the first row of each run for which ``is_match``, shape ``(n_entries,)``, is true."""
    start, stop = entries.offsets[:-1], entries.offsets[1:]
    matches = np.flatnonzero(is_match)
    first = np.append(matches, len(is_match))[np.searchsorted(matches, start)]
    evaluation = np.append(entries.rows["evaluation"], 0).astype(np.float64)
    has_match = first < stop
    previous = np.where(first > start, evaluation[first - 1], 0.0)
    return _FirstRow(
        np.where(has_match, evaluation[first], np.nan), np.where(has_match, previous, np.nan)
    )


def _look_up_column(entries: Ragged, column: NDArray[Any], evaluations: Floats) -> Floats:
    """Return a column at the rows with the evaluations; NaN where no row has the evaluation.

    Args:
        entries: Rows of the runs.
        column: A column of these rows, shape ``(n_entries,)``.
        evaluations: Shape ``(n_runs, n_targets)``.
    """
    last = find_first_after(entries, evaluations) - 1
    is_equal = np.append(entries.rows["evaluation"], -1)[last] == evaluations
    is_of_run = last >= entries.offsets[:-1, np.newaxis]
    return np.where(is_equal & is_of_run, np.append(column, 0)[last], np.nan)


def find_first_after(entries: Ragged, counts: Indices | Floats) -> Indices:
    """Find the first row of each run that is later than each count, by bisection in all runs.

    Args:
        entries: Rows of the runs, with ascending evaluations in each run.
        counts: Numbers of evaluations, shape ``(n_runs, n_counts)``.

    Returns:
        Positions in ``entries.rows``, shape ``(n_runs, n_counts)``. If no row of the run is later,
        the position is that after the last row of the run.
    """
    evaluation = np.append(entries.rows["evaluation"], 0)
    low = np.broadcast_to(entries.offsets[:-1, np.newaxis], counts.shape).copy()
    high = np.broadcast_to(entries.offsets[1:, np.newaxis], counts.shape).copy()
    while (low < high).any():
        middle = (low + high) // 2
        is_later = (evaluation[middle] > counts) | (low >= high)
        high = np.where(is_later, middle, high)
        low = np.where(is_later, low, middle + 1)
    return low


def _find_grid_hits(hits: Ragged, targets: Floats) -> Floats:
    """Find the first hit of each grid value ``targets``, in any order; NaN: not hit."""
    easiest_first = np.argsort(-targets, kind="stable")
    ascending_targets = targets[easiest_first][::-1]
    n_reached = len(targets) - np.searchsorted(ascending_targets, hits.rows["target"])
    times = _spread_hits(n_reached, hits.rows["evaluation"], hits.offsets, len(targets))
    is_ordered = (np.diff(easiest_first) > 0).all()
    return times if is_ordered else times[:, np.argsort(easiest_first)]


def _spread_hits(
    n_reached: Indices, evaluations: NDArray[np.int64], offsets: Indices, n_targets: int
) -> Floats:
    """Return the evaluation at which each target was first reached, easiest target first.

    Args:
        n_reached: Number of targets that are reached after each hit, shape ``(n_hits,)``.
        evaluations: Evaluation of each hit, shape ``(n_hits,)``.
        offsets: Offsets of the runs in the hits, shape ``(n_runs + 1,)``.
        n_targets: Number of targets.

    Returns:
        Shape ``(n_runs, n_targets)``; NaN: not reached.
    """
    has_hits = offsets[1:] > offsets[:-1]
    first_hits_of_runs = offsets[:-1][has_hits]
    n_new = np.empty_like(n_reached)  # number of targets that each hit reaches first
    n_new[1:] = n_reached[1:] - n_reached[:-1]
    n_new[first_hits_of_runs] = n_reached[first_hits_of_runs]
    n_reached_by_run = np.zeros(len(has_hits), dtype=np.int64)
    n_reached_by_run[has_hits] = n_reached[offsets[1:][has_hits] - 1]
    times = np.full((len(has_hits), n_targets), np.nan)
    times[np.arange(n_targets) < n_reached_by_run[:, np.newaxis]] = evaluations.repeat(n_new)
    return times


@cache
def recorded_targets(record: Record) -> Floats:
    """Return the precisions, ascending, whose first hits a kind of record contains.

    The targets at and below 0 are recorded only in runs whose indicator may reach them; a run that
    hit one recorded all of them. The result is empty for "sampled", which has only some
    evaluations.
    """
    if record not in _PER_DECADE:
        return np.empty(0)
    step = TARGETS_PER_DECADE // _PER_DECADE[record]
    positive = grid()[::step]
    if record == "targets_5":
        return positive
    negative = -positive[-positive >= SIGNED.values[0]][::-1]
    return np.concatenate([negative, [0.0], positive])

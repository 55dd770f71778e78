"""Compute the best precisions of runs at given evaluation counts from their recorded rows.

A log has the hits of a run and its best precision at scheduled counts, but not the value of each
evaluation. So `best_so_far` returns two arrays: the best precision that is recorded up to a count,
and a lower bound on the best precision that the run may have had. The bound follows from the next
recorded row, and from the next target whose hit would have been recorded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suites.arrays import Floats
from ..hdf5.ragged import Ragged
from ..hdf5.table import LogTable
from ..records.run_record import RECORDS
from ..targets.grid import GRID_TOLERANCE
from .first_hits import FINAL, find_first_after, recorded_targets

Indices = NDArray[np.int64]

_IMPROVEMENTS, _TARGETS = RECORDS.index("improvements"), RECORDS.index("targets")
_BLOCK_RUNS = 2_000
"""Number of runs whose rows are in memory at a time, so that memory is independent of the log."""


class BestSoFar(NamedTuple):
    """Best precisions of runs at evaluation counts, both of shape ``(n_rows, n_counts)``.

    Attributes:
        precision: Best recorded precision up to the count. It is inf before the first finite value
            and constant after the run's last evaluation.
        bound: Lower bound on the best precision of all evaluations up to the count; equal to
            ``precision`` where that is exact.
    """

    precision: Floats
    bound: Floats

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Whether ``precision`` is exactly the best of all evaluations up to the count."""
        return np.asarray(self.precision == self.bound)


def best_so_far(table: LogTable, rows: Indices, counts: Indices) -> BestSoFar:
    """Compute the best precisions of runs at evaluation counts, and lower bounds on them.

    The precision is exact if every improvement was recorded, which holds for all runs without a
    reference value. It is also exact at scheduled counts, at recorded hits, after the last
    evaluation, and where the next recorded value is equal. Elsewhere the run may have had a better
    value. That value is not below the next recorded one, and it does not hit the next target whose
    hit is recorded.

    Args:
        table: Runs of a log.
        rows: Positions of the runs, shape ``(n_rows,)``.
        counts: Numbers of evaluations, shape ``(n_counts,)`` or ``(n_rows, n_counts)``.

    Returns:
        Precisions and bounds, both of shape ``(n_rows, n_counts)``.
    """
    counts_of_runs = np.broadcast_to(counts, (len(rows), np.shape(counts)[-1]))
    result = BestSoFar(np.empty(counts_of_runs.shape), np.empty(counts_of_runs.shape))
    for start in range(0, len(rows), _BLOCK_RUNS):
        block = slice(start, start + _BLOCK_RUNS)
        result.precision[block], result.bound[block] = _compute_block(
            table, rows[block], counts_of_runs[block]
        )
    return result


def _compute_block(table: LogTable, rows: Indices, counts: Indices) -> BestSoFar:
    """Compute `best_so_far` for runs whose rows fit in memory, with counts for each run."""
    hits, trajectory = (table.ragged[name].pick(rows) for name in ("hits", "trajectory"))
    near_hits, near_scheduled = _find_neighbours(hits, counts), _find_neighbours(trajectory, counts)
    precision = np.minimum(near_hits.precision_before, near_scheduled.precision_before)
    next_precision = np.maximum(near_hits.precision_after, near_scheduled.precision_after)
    runs = table.runs[rows]
    record = runs["record"].astype(np.intp)[:, np.newaxis]
    next_target = _find_next_targets(hits, near_hits.last, record)
    bound = np.minimum(precision, np.maximum(next_precision, next_target))
    has_no_reference = np.isnan(runs["reference_value"])[:, np.newaxis]
    has_all_improvements = (record == _IMPROVEMENTS) | ((record == _TARGETS) & has_no_reference)
    has_ended = runs["evaluations"].astype(np.int64)[:, np.newaxis] <= counts
    is_exact = near_hits.is_at_count | near_scheduled.is_at_count | has_ended | has_all_improvements
    return BestSoFar(precision, np.where(is_exact, precision, bound))


class _Neighbours(NamedTuple):
    """Recorded rows around each count; all arrays have the shape ``(n_rows, n_counts)``."""

    last: Indices  # position of the last row up to the count; -1: none
    precision_before: Floats  # precision of that row; inf: none
    precision_after: Floats  # precision of the next row; -inf: none
    is_at_count: NDArray[np.bool_]  # whether the last row is at the count itself


def _find_neighbours(entries: Ragged, counts: Indices) -> _Neighbours:
    """Find the rows of hits or of a trajectory around each count of each run."""
    start, stop = entries.offsets[:-1, np.newaxis], entries.offsets[1:, np.newaxis]
    # the appended values are at index -1, and at the index after the last row
    evaluation = np.append(entries.rows["evaluation"], -1)
    precision = np.append(entries.rows["precision"], np.nan)
    following = find_first_after(entries, counts)
    has_last, has_following = following > start, following < stop
    last = np.where(has_last, following - 1, -1)
    precision_before = np.where(has_last, precision[last], np.inf)
    precision_after = np.where(has_following, precision[following], -np.inf)
    is_at_count = has_last & (evaluation[last] == counts)
    return _Neighbours(last, precision_before, precision_after, is_at_count)


def _find_next_targets(hits: Ragged, last: Indices, record: Indices) -> Floats:
    """Find the easiest target that was not hit up to each count and whose hit would be recorded.

    Args:
        hits: Hits of the runs.
        last: Position of the last hit up to each count, shape ``(n_rows, n_counts)``; -1: none.
        record: Code of what each run recorded, shape ``(n_rows, 1)``.

    Returns:
        Precisions, shape ``(n_rows, n_counts)``. A precision is -inf, which is no bound, in these
        cases: before the first hit; if the last hit has no target; if the kind of record does not
        contain all first hits; and after the final target if the run hit no harder target, because
        the run may have recorded none of the targets at and below 0.
    """
    target = np.append(hits.rows["target"], np.inf)[last]
    last_target = np.append(hits.rows["target"], np.inf)[hits.offsets[1:] - 1]
    hardest = np.where(hits.lengths > 0, last_target, np.inf)[:, np.newaxis]
    is_bounded = (last >= 0) & np.isfinite(target) & ((target > FINAL) | (hardest < FINAL))
    next_targets = np.full(target.shape, -np.inf)
    for code in np.unique(record).tolist():
        recorded = np.append(-np.inf, recorded_targets(RECORDS[code]))
        is_of_code = is_bounded & (record == code)
        below_target = target[is_of_code] - GRID_TOLERANCE * np.abs(target[is_of_code])
        next_targets[is_of_code] = recorded[np.searchsorted(recorded, below_target) - 1]
    return next_targets

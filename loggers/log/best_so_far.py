"""The best precision of runs at given evaluation counts, from what a log recorded, with bounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..hdf5.ragged import Ragged
from ..hdf5.table import LogTable
from ..records.run_record import RECORDS
from ..targets.grid import GRID_TOLERANCE
from .first_hits import FINAL, first_after, recorded_targets

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_EVERY, _TARGETS = RECORDS.index("improvements"), RECORDS.index("targets")
_BLOCK_RUNS = 2_000
"""So many runs are read at once, whatever the size of a log."""


class BestSoFar(NamedTuple):
    """Best precision of runs at evaluation counts, both arrays ``(n_rows, n_counts)``.

    Attributes:
        precision: The best that the log tells: the run had it by then. It is inf before the first
            finite value and stays what it was after the run's last evaluation.
        bound: The run had nothing better than this by then; equal to ``precision`` where that is
            exact.
    """

    precision: Array
    bound: Array

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Where ``precision`` is exactly the best of all evaluations up to the count."""
        return np.asarray(self.precision == self.bound)


def best_so_far(table: LogTable, rows: Indices, counts: Indices) -> BestSoFar:
    """Best precision of the runs ``rows`` at the evaluation ``counts``: see `Log.best_at`.

    It is exact where every improvement was recorded, as always without a reference value; at the
    scheduled counts, at recorded hits and after the last evaluation; and wherever the next recorded
    value is still the same. Elsewhere the run may have improved without telling, by less than what
    hits the next target whose hits are recorded and by no more than the next recorded value.
    """
    requested_counts = np.broadcast_to(counts, (len(rows), np.shape(counts)[-1]))
    result = BestSoFar(np.empty(requested_counts.shape), np.empty(requested_counts.shape))
    for start in range(0, len(rows), _BLOCK_RUNS):
        part = slice(start, start + _BLOCK_RUNS)
        result.precision[part], result.bound[part] = _block_best(
            table, rows[part], requested_counts[part]
        )
    return result


def _block_best(table: LogTable, rows: Indices, counts: Indices) -> tuple[Array, Array]:
    hits, path = (table.ragged[name].pick(rows) for name in ("hits", "trajectory"))
    hit, seen = _around(hits, counts), _around(path, counts)
    precision = np.minimum(hit.before, seen.before)
    following = np.maximum(hit.after, seen.after)
    runs = table.runs[rows]
    record = runs["record"].astype(np.intp)[:, np.newaxis]
    unhit = _next_target(hits, hit.last, record)
    bound = np.minimum(precision, np.maximum(following, unhit))
    no_reference = np.isnan(runs["reference_value"])[:, np.newaxis]
    every = (record == _EVERY) | ((record == _TARGETS) & no_reference)
    ended = runs["evaluations"].astype(np.int64)[:, np.newaxis] <= counts
    exact = hit.at | seen.at | ended | every
    return precision, np.where(exact, precision, bound)


class _Around(NamedTuple):
    """The entries around each count, all ``(n_rows, n_counts)``."""

    last: Indices  # position of the last entry up to the count; -1: none
    before: Array  # its precision; inf: none
    after: Array  # the next entry's precision; -inf: none
    at: NDArray[np.bool_]  # whether the last entry is at the count itself


def _around(entries: Ragged, counts: Indices) -> _Around:
    offset = entries.offsets
    first, stop = offset[:-1, np.newaxis], offset[1:, np.newaxis]
    evaluation = np.append(entries.rows["evaluation"], -1)
    following = first_after(entries, counts)
    precision = np.append(entries.rows["precision"], np.nan)
    there, follows = following > first, following < stop
    last = np.where(there, following - 1, -1)
    before = np.where(there, precision[last], np.inf)
    after = np.where(follows, precision[following], -np.inf)
    return _Around(last, before, after, there & (evaluation[last] == counts))


def _next_target(hits: Ragged, last: Indices, record: Indices) -> Array:
    """The easiest target not hit whose first hit would be recorded: nothing was at or below it.

    It is -inf where hits have no target or are not promised, before the first hit (there the
    easiest target is no bound to speak of), and where the final target was hit by a run that hit
    none below: it may not have recorded these.
    """
    target = np.append(hits.rows["target"], np.inf)[last]
    final = np.append(hits.rows["target"], np.inf)[hits.offsets[1:] - 1]
    hardest = np.where(hits.lengths > 0, final, np.inf)[:, np.newaxis]
    known = (last >= 0) & np.isfinite(target) & ((target > FINAL) | (hardest < FINAL))
    bound = np.full(target.shape, -np.inf)
    for code in np.unique(record).tolist():
        recorded = np.append(-np.inf, recorded_targets(RECORDS[code]))
        there = known & (record == code)
        harder = target[there] - GRID_TOLERANCE * np.abs(target[there])
        bound[there] = recorded[np.searchsorted(recorded, harder) - 1]
    return bound

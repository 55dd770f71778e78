"""When runs first hit target precisions, from what a log recorded, and whether that is exact."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..hdf5.ragged_columns import Entries
from ..records.run_record import RECORDS
from ..records.table import LogTable
from ..targets.grid import EASIEST_TARGET, FINAL_TARGET, GRID_TOLERANCE, NO_TARGET, grid, grid_index

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_PER_DECADE = {"targets": 20, "targets_5": 5, "targets_10": 10}
_OBSERVED = ("targets", "improvements")
_BLOCK_RUNS = 20_000
_RUNS_AT_ONCE = 1000
"""Of so many runs the hits of targets are gathered in fast memory."""


class FirstHitTimes(NamedTuple):
    """Evaluations at first hits, and whether each is exact; both ``(n_rows, n_targets)``."""

    evaluations: Array
    exact: NDArray[np.bool_]


def first_hits(
    table: LogTable, rows: Indices, targets: Array, constraints_weight: float = 0.0
) -> FirstHitTimes:
    """First hits of ``targets``, shape ``(n_targets,)``, in the runs ``rows``, shape ``(n_rows,)``.

    With ``constraints_weight`` each evaluation of the constraints made by then counts as that part
    of an evaluation; COCO counts it as 1.

    Raises:
        IndexError: There is no such run.
    """
    precisions = np.asarray(targets, dtype=np.float64)
    if len(rows) and not (-len(table) <= rows.min() and rows.max() < len(table)):
        raise IndexError(f"rows must be positions of runs, from 0 to {len(table) - 1}")
    rows = rows % max(len(table), 1)
    evaluations = np.full((len(rows), len(precisions)), np.nan)
    exact = np.ones(evaluations.shape, dtype=bool)
    kinds = table.runs["record"][rows]
    for code in np.unique(kinds).tolist():
        alike = np.flatnonzero(kinds == code)
        for start in range(0, len(alike), _BLOCK_RUNS):
            part = alike[start : start + _BLOCK_RUNS]
            block = _Block(table, rows[part], RECORDS[code])
            evaluations[part], exact[part] = block.first_hits(precisions)
            if constraints_weight:
                spent = block.constraints_at(evaluations[part])
                evaluations[part] += constraints_weight * spent
    without_reference = np.isnan(table.runs["reference_value"][rows])
    evaluations[without_reference], exact[without_reference] = np.nan, True
    return FirstHitTimes(evaluations, exact)


class _Block:
    """What was recorded of some runs, all with the same kind of record."""

    def __init__(self, table: LogTable, rows: Indices, record: str) -> None:
        self._table = table
        self._rows = rows
        self.record = record

    @cached_property
    def hits(self) -> Entries:
        return self._table.ragged["hits"].take(self._rows)

    @cached_property
    def path(self) -> Entries:
        return self._table.ragged["trajectory"].take(self._rows)

    def first_hits(self, precisions: Array) -> tuple[Array, NDArray[np.bool_]]:
        evaluations = np.full((len(self._rows), len(precisions)), np.nan)
        exact = np.ones(evaluations.shape, dtype=bool)
        known = [self._recorded_target(float(target)) for target in precisions]
        columns = [i for i, k in enumerate(known) if k is not None]
        k = np.array([k for k in known if k is not None], dtype=np.int64)
        evaluations[:, columns] = _of_grid(self.hits, k)
        for column in (i for i, k in enumerate(known) if k is None):
            times = self._between(float(precisions[column]))
            evaluations[:, column], exact[:, column] = times
        return evaluations, exact

    def constraints_at(self, evaluations: Array) -> Array:
        """Evaluations of the constraints made by these recorded evaluations, 0 without any."""
        return np.fmax(*(_constraints_at(part, evaluations) for part in (self.hits, self.path)))

    def _recorded_target(self, target: float) -> int | None:
        """The grid's ``k`` of a target whose first hit is among the hits for certain."""
        k = grid_index(target)
        if k is None or self.record == "improvements":
            return k
        per_decade = _PER_DECADE.get(self.record)
        return k if per_decade and k % (20 // per_decade) == 0 else None

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

    def _reaches(self, part: Entries, target: float) -> NDArray[np.bool_]:
        """Where a recorded precision hits the target; what was printed may be off in digit ten."""
        slack = 0.0 if self.record in _OBSERVED else GRID_TOLERANCE * abs(target)
        return np.asarray(part.columns["precision"] <= target + slack)

    def _entered(self, target: float) -> Array:
        """First evaluation that hits the next easier target whose first hit is recorded."""
        per_decade = _PER_DECADE.get(self.record)
        if per_decade is None or np.isnan(target):
            return np.full(len(self._rows), np.nan)
        if self.record == "targets_10" and target <= grid()[0]:
            easier = _easier_below_the_reference(target, per_decade)
            return _first(self.hits, self._reaches(self.hits, easier)).evaluation
        slack = 0.0 if self.record in _OBSERVED else GRID_TOLERANCE * abs(target)
        k = int(np.searchsorted(grid(), target - slack)) + FINAL_TARGET
        step = 20 // per_decade
        k = min(-(-k // step) * step, EASIEST_TARGET)
        return _first(self.hits, self.hits.columns["target"] <= k).evaluation


class _Found(NamedTuple):
    """Evaluation of a first entry and of the entry before it (0 at the start); NaN without one."""

    evaluation: Array
    before: Array


def _first(part: Entries, mask: NDArray[np.bool_]) -> _Found:
    """The first entry of each run where ``mask`` is true."""
    offset = part.offset.astype(np.int64)
    found = np.flatnonzero(mask)
    place = np.append(found, len(mask))[np.searchsorted(found, offset[:-1])]
    evaluation = np.append(part.columns["evaluation"], 0).astype(np.float64)
    there = place < offset[1:]
    before = np.where(place > offset[:-1], evaluation[place - 1], 0.0)
    return _Found(np.where(there, evaluation[place], np.nan), np.where(there, before, np.nan))


def _constraints_at(part: Entries, evaluations: Array) -> Array:
    """See ``_Block``; 0 where no entry has this evaluation. Shape of ``evaluations``."""
    count = part.columns["evaluation"]
    span = int(count.max(initial=0)) + 2
    places = np.repeat(np.arange(len(part.lengths)), part.lengths) * span + count
    wanted = np.where(np.isnan(evaluations), span - 1, evaluations).astype(np.int64)
    wanted = np.minimum(wanted, span - 1) + np.arange(len(evaluations))[:, np.newaxis] * span
    found = np.searchsorted(places, wanted)
    there = np.append(places, -1)[found] == wanted
    return np.where(there, np.append(part.columns["constraints"], 0)[found], 0.0)


def _of_grid(hits: Entries, k: Indices) -> Array:
    """First evaluation that hits grid target ``k``, NaN where none; ``(n_runs, n_targets)``."""
    easiest_first = np.argsort(-k, kind="stable")
    targets = np.arange(FINAL_TARGET, NO_TARGET + 1)
    as_hard = np.searchsorted(-k[easiest_first], -targets, side="right").astype(np.int16)
    offset = hits.offset.astype(np.int64)
    target, evaluation = hits.columns["target"], hits.columns["evaluation"]
    times = np.empty((len(offset) - 1, len(k)))
    for start in range(0, len(times), _RUNS_AT_ONCE):
        stops = offset[start : start + _RUNS_AT_ONCE + 1]
        part = slice(stops[0], stops[-1])
        reached = as_hard[target[part].astype(np.intp) - FINAL_TARGET]
        found = _spread(reached, evaluation[part], stops - stops[0], len(k))
        times[start : start + _RUNS_AT_ONCE] = found
    ordered = (np.diff(easiest_first) > 0).all()
    return times if ordered else times[:, np.argsort(easiest_first)]


def _spread(
    reached: NDArray[np.int16], evaluation: NDArray[np.int64], offset: Indices, n_targets: int
) -> Array:
    """The evaluation at which each of the targets was reached first, ``(n_runs, n_targets)``.

    Args:
        reached: How many of the targets are reached after each hit.
        evaluation: Of each hit.
        offset: Of each run's hits, shape ``(n_runs + 1,)``.
        n_targets: Of how many.
    """
    # behind the last hit of each run one more, never made, that reaches all of them
    ends = offset[1:] + np.arange(len(offset) - 1)
    hit = np.ones(len(reached) + len(ends), dtype=np.bool_)
    hit[ends] = False
    after, at = np.full(len(hit), n_targets, dtype=np.int16), np.full(len(hit), np.nan)
    after[hit], at[hit] = reached, evaluation
    gained = np.diff(after, prepend=np.int16(0))
    starts = offset[:-1] + np.arange(len(ends))
    gained[starts] = after[starts]
    return at.repeat(gained).reshape(len(ends), n_targets)


def _easier_below_the_reference(target: float, per_decade: int) -> float:
    """The next easier of the targets 1e-8, 0, -1e-8, … that bi-objective data record.

    >>> [_easier_below_the_reference(t, 10) for t in (2e-9, 0.0, -1e-9, -1e-5, -1.1e-5)]
    [1e-08, 0.0, 0.0, -1e-05, -1e-05]
    """
    final = float(grid()[0])
    if target > -final * (1 - GRID_TOLERANCE):
        return final if target > 0 else 0.0
    step = 20 // per_decade
    size = -target * (1 + GRID_TOLERANCE)
    k = (int(np.searchsorted(grid(), size, side="right")) - 1 + FINAL_TARGET) // step * step
    return -float(grid()[k - FINAL_TARGET])

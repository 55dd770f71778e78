"""When runs first hit target precisions, from what a log recorded, and whether that is exact."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .record import RECORDS
from .table import LogTable, Ragged
from .targets import EASIEST_TARGET, FINAL_TARGET, NO_TARGET, grid, grid_index

Array = NDArray[np.float64]

_IMPROVEMENTS = RECORDS.index("improvements")


class FirstHitTimes(NamedTuple):
    """Evaluations at first hits, and whether each is exact; both ``(n_rows, n_targets)``."""

    evaluations: Array
    exact: NDArray[np.bool_]


def first_hits(table: LogTable, rows: NDArray[np.int64], targets: Array) -> FirstHitTimes:
    """First hits of ``targets``, shape ``(n_targets,)``, in the runs ``rows``, shape ``(n_rows,)``.

    Raises:
        IndexError: There is no such run.
    """
    precisions = np.asarray(targets, dtype=np.float64)
    if len(rows) and not (-len(table) <= rows.min() and rows.max() < len(table)):
        raise IndexError(f"rows must be positions of runs, from 0 to {len(table) - 1}")
    rows = rows % max(len(table), 1)
    evaluations = np.full((len(rows), len(precisions)), np.nan)
    exact = np.ones(evaluations.shape, dtype=bool)
    on_grid = [grid_index(float(precision)) for precision in precisions]
    grid_columns = [i for i, k in enumerate(on_grid) if k is not None]
    evaluations[:, grid_columns] = _of_grid(
        table.ragged["hits"], rows, np.array([k for k in on_grid if k is not None], dtype=np.int64)
    )
    for column, k in enumerate(on_grid):
        if k is None and not np.isnan(precisions[column]):
            times = _off_grid(table, rows, float(precisions[column]))
            evaluations[:, column], exact[:, column] = times
    without_reference = np.isnan(table.runs["reference_value"][rows])
    evaluations[without_reference], exact[without_reference] = np.nan, True
    return FirstHitTimes(evaluations, exact)


def _of_grid(hits: Ragged, rows: NDArray[np.int64], k: NDArray[np.int64]) -> Array:
    """First evaluation that hits grid target ``k``, NaN where none does: always exact.

    Targets fall within a run, so the pair (run, -target) rises over the whole table, and one
    binary search finds all.
    """
    span = 2 * NO_TARGET
    run = np.repeat(np.arange(len(hits.offset) - 1), hits.lengths)
    rank = run * span - hits.columns["target"].astype(np.int64)
    found = np.searchsorted(rank, rows[:, np.newaxis] * span - k)
    reached = found < hits.offset.astype(np.int64)[rows + 1][:, np.newaxis]
    evaluation = np.append(hits.columns["evaluation"], 0)
    return np.where(reached, evaluation[found], np.nan)


def _off_grid(
    table: LogTable, rows: NDArray[np.int64], target: float
) -> tuple[Array, NDArray[np.bool_]]:
    """First recorded evaluation with a precision <= target, and whether it is the first of all.

    It is where every improvement was recorded; where it is the first that hits the next easier
    target of the grid; and where the evaluation before it is recorded too.
    """
    position = int(np.searchsorted(grid(), target))
    easier = min(position + FINAL_TARGET, EASIEST_TARGET)
    evaluations = np.full(len(rows), np.nan)
    exact = np.ones(len(rows), dtype=bool)
    for i, row in enumerate(rows.tolist()):
        hits, path = table.ragged["hits"].of(row), table.ragged["trajectory"].of(row)
        hit = hits["evaluation"][hits["precision"] <= target]
        seen = path["evaluation"][path["precision"] <= target]
        if not len(hit) and not len(seen):
            continue
        at = min([*hit[:1].tolist(), *seen[:1].tolist()])
        evaluations[i] = at
        if table.runs["record"][row] == _IMPROVEMENTS or at == 1:
            continue
        entered = hits["evaluation"][hits["target"] <= easier][:1]
        exact[i] = at in entered or at - 1 in hits["evaluation"] or at - 1 in path["evaluation"]
    return evaluations, exact

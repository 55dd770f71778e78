"""Compute convergence curves of runs, and bounds of the areas over them.

A log may have entries at some evaluations only: at first hits of targets, or at chosen evaluations.
Between two entries the best precision is known up to a lower and an upper bound. A curve falls at
entries only; an area has a lower and an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..cost import SECONDS, Count, at_entries, axis_of, check_count, is_seconds, spent_of
from ..errors import AssessmentError
from ..grouping import CellRuns, by_cell
from ..selection import cells, refuse_mixed, suite_of, with_reference
from ..statistics.aocc import PrecisionScale, area_over_curve
from ..statistics.quantiles import Floats
from ..targets.budgets import counts_of, one_budget, unit_of
from .within_budgets import Counts, best_within, entries_of, padded

if TYPE_CHECKING:
    from ...loggers import Log


@dataclass(frozen=True, eq=False, kw_only=True)
class RunCurves(CellRuns):
    """The runs of one algorithm on one function in one dimension, with their convergence curves.

    Attributes (besides those of `CellRuns`):
        curves: For each run, the budgets at which the recorded best precision falls, in the
            requested unit, and the best precision from each of them on.
        has_all: Number of runs whose every improvement was recorded.
        has_reference: Whether there are reference values; else precisions are indicator values.
    """

    curves: tuple[tuple[Floats, Floats], ...]
    has_all: int
    has_reference: bool


def run_curves(
    log: Log, rows: NDArray[np.intp], axis: str, count: Count = "f+g"
) -> Iterator[RunCurves]:
    """Yield the convergence curves of runs, by algorithm, suite, dimension and function.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        axis: Unit of budgets.
        count: What counts as an evaluation.

    Raises:
        UnknownNameError: There is no such unit or count.
        AssessmentError: The runs must not be mixed, or cannot be counted as requested.
    """
    axis = axis_of(axis, count)
    refuse_mixed(log, rows)
    check_count(log, rows, count)
    runs = log.runs
    unknown = np.isnan(runs["reference_value"])
    is_complete = (runs["record"] == "improvements") | ((runs["record"] == "targets") & unknown)
    for positions, attributes in by_cell(log, rows, count):
        cell_rows = rows[positions]
        unit = unit_of(axis, int(runs["dimension"][cell_rows[0]]))
        curves = (_read_curve(log, row, count) for row in cell_rows.tolist())
        yield RunCurves(
            **attributes,
            curves=tuple((evaluations / unit, precision) for evaluations, precision in curves),
            has_all=int(is_complete[cell_rows].sum()),
            has_reference=not unknown[cell_rows].any(),
        )


def _read_curve(log: Log, row: int, count: Count) -> tuple[Floats, Floats]:
    """Return the evaluations at which a run's recorded best precision falls, and that precision."""
    tables = [log.hits(row), log.trajectory(row)]
    evaluation = np.concatenate(at_entries(log, row, count))
    precision = np.concatenate([table["precision"] for table in tables])
    order = np.lexsort((precision, evaluation))
    evaluation, precision = evaluation[order], precision[order]
    before = np.concatenate([[np.inf], np.minimum.accumulate(precision)[:-1]])
    is_improvement = precision < before
    return evaluation[is_improvement], precision[is_improvement]


_MAX_BLOCK_SIZE = 1_000_000
"""Maximum number of array elements in a block of runs, which bounds the memory."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RunAreas(CellRuns):
    """The runs of one algorithm on one function in one dimension, with their areas.

    Attributes (besides those of `CellRuns`):
        budget: End of the areas, in evaluations or seconds.
        least: Lower bound of each area, shape ``(n_runs,)``.
        most: Upper bound of each area; larger than ``least`` if improvements may be unrecorded.
        spent: Evaluations or seconds of each run, shape ``(n_runs,)``.
        cut: Number of runs that ended by a budget below this one, and might have improved later.
    """

    budget: float
    least: Floats
    most: Floats
    spent: Floats
    cut: int


def run_areas(
    log: Log,
    rows: NDArray[np.intp],
    budget: float | str | None,
    scale: PrecisionScale,
    count: Count = "f+g",
) -> list[RunAreas]:
    """Return the areas over the convergence curves, by algorithm, suite, dimension and function.

    Args:
        log: The log.
        rows: Rows of ``log.runs``; runs without a reference value are left out.
        budget: End of the areas. None: the budget of the runs, if all have the same.
        scale: The precisions worth 0 and 1.
        count: What counts as an evaluation.

    Raises:
        AssessmentError: The text holds no budget or several, or the runs differ in their budget or
            count it differently; or no function has a reference value.
    """
    refuse_mixed(log, rows)
    rows = with_reference(log, rows)
    check_count(log, rows, count)
    budgets: Counts = np.empty(len(rows), dtype=np.int64)
    if is_seconds(count):
        budgets = np.empty(len(rows), dtype=np.float64)
    for positions in cells(log, rows, ("suite", "dimension")):
        budgets[positions] = _choose_budget(log, rows[positions], budget, count)
    least, most = _bound_areas(log, rows, budgets, scale, count)
    runs = log.runs
    names, codes = runs.codes("status")
    ended_by_budget = np.zeros(len(rows), dtype=np.bool_)
    if "budget" in names:
        ended_by_budget = (codes == names.index("budget"))[rows]
    all_spent = spent_of(log, rows, count)
    areas = []
    for positions, attributes in by_cell(log, rows, count):
        spent = all_spent[positions]
        areas.append(
            RunAreas(
                **attributes,
                budget=budgets[positions[0]].item(),
                least=least[positions],
                most=most[positions],
                spent=spent,
                cut=int((ended_by_budget[positions] & (spent < budgets[positions])).sum()),
            )
        )
    return areas


def _choose_budget(
    log: Log, rows: NDArray[np.intp], budget: float | str | None, count: Count
) -> float:
    """Return the end of areas of one suite in one dimension, in evaluations or seconds."""
    dimension = int(log.runs["dimension"][rows[0]])
    if budget is not None:
        requested = one_budget(budget)
        if is_seconds(count):
            return requested.on(SECONDS, dimension)
        evaluations = int(counts_of([requested.on("evaluations", dimension)], 1.0)[0])
        if evaluations < 1:
            raise AssessmentError(f"budget: {requested.factor:g}*D is less than one evaluation")
        return evaluations
    counts = counts_of_budgets(log, rows)
    if is_seconds(count):
        raise AssessmentError("budget: of areas over seconds, name one")
    if log.runs["evaluations_constraints"][rows].any() and counts != {count}:
        counted = " or ".join(sorted(counts))
        raise AssessmentError(
            f"budget: that of the runs on {suite_of(log, rows[0])} counts {counted}, and {count} "
            "is asked for; name a budget, or another count"
        )
    run_budgets = np.unique(log.runs["budget"][rows])
    if len(run_budgets) > 1 or run_budgets[0] < 1:
        budgets = ", ".join(
            "none" if evaluations < 1 else str(evaluations)
            for evaluations in run_budgets[:4].tolist()
        )
        raise AssessmentError(
            f"budget: the runs on {suite_of(log, rows[0])} in {dimension}-D have not one in common "
            f"({budgets}); name one"
        )
    return int(run_budgets[0])


def counts_of_budgets(log: Log, rows: NDArray[np.intp]) -> set[Count]:
    """Return the counts of the runs' budgets: ``"f+g"`` if the campaign says so, else ``"f"``.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
    """
    budgets = [(header.get("campaign") or {}).get("budget") for header, _ in log.headers_of(rows)]
    texts = [str(budget[0] if isinstance(budget, list) else budget) for budget in budgets]
    return {"f+g" if text.endswith("f+g") else "f" for text in texts}


def _bound_areas(
    log: Log,
    rows: NDArray[np.intp],
    budgets: Counts,
    scale: PrecisionScale,
    count: Count,
) -> tuple[Floats, Floats]:
    """Return lower and upper bounds of the areas, both of shape ``(n_rows,)``."""
    least, most = np.empty(len(rows)), np.empty(len(rows))
    for block, counts in _split_into_blocks(log, rows, budgets, count):
        best = best_within(log, rows[block], counts, count)
        # `area_over_curve` gives evaluation i the interval from i to i + 1 and ends at budget + 1;
        # a precision that is reached at second s holds from s on, which is s + 1 on this scale
        starts = counts + 1 if is_seconds(count) else counts
        least[block] = area_over_curve(starts, best.precision, budgets[block], scale)
        most[block] = area_over_curve(starts, best.bound, budgets[block], scale)
    return least, most


def _split_into_blocks(
    log: Log, rows: NDArray[np.intp], budgets: Counts, count: Count
) -> Iterator[tuple[slice, Counts]]:
    """Yield blocks of rows, with the counts at which the bounds of each run may change, padded."""
    block: list[Counts] = []
    start, longest = 0, 0
    for position, (row, budget) in enumerate(zip(rows.tolist(), budgets.tolist(), strict=True)):
        counts = _change_counts(log, row, budget, count)
        if block and (len(block) + 1) * max(longest, len(counts)) > _MAX_BLOCK_SIZE:
            yield slice(start, position), padded(block)
            start, longest, block = position, 0, []
        block.append(counts)
        longest = max(longest, len(counts))
    if block:
        yield slice(start, len(rows)), padded(block)


def _change_counts(log: Log, row: int, budget: float, count: Count) -> Counts:
    """Return the counts up to ``budget`` at which a bound of the best precision may change.

    At an entry of the log the best precision is known exactly; right after the entry, and until
    the next one, it lies between two bounds.
    """
    spent = entries_of(log, row, count)[1]
    if is_seconds(count):
        seconds = np.unique(np.concatenate([spent, np.nextafter(spent, np.inf)]))
        return seconds[seconds <= budget]
    entries = spent.astype(np.int64)
    counts = np.unique(np.concatenate([entries, entries + 1]))
    return counts[(counts >= 1) & (counts <= budget)]

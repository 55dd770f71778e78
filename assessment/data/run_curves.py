"""Convergence curves of runs as far as a log tells them, and the areas over them, with bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import AssessmentError
from ..statistics.aocc import PrecisionScale, area_over_curve
from ..statistics.quantiles import Floats
from ..targets.budgets import counts_of, one_budget, unit_of
from .counting import SECONDS, at_entries, axis_of, check_count, is_seconds, spent_of
from .fixed_budget_data import Counts, best_within, entries_of, padded
from .grouping import CellRuns, by_cell
from .notes import basis
from .run_sets import BROKEN
from .selection import cells, refuse_mixed, suite_of, with_reference

if TYPE_CHECKING:
    from ...loggers import Log


@dataclass(frozen=True, eq=False, kw_only=True)
class RunCurves(CellRuns):
    """The runs of one algorithm on one function in one dimension, with their convergence curves.

    Attributes (besides those of `CellRuns`):
        curves: Of each run: budgets, in the unit asked for, where the best precision that the log
            tells falls, and that precision from there on.
        has_all: Of how many runs the log tells every improvement.
        has_reference: Whether there are reference values; else precisions are indicator values.
    """

    curves: tuple[tuple[Floats, Floats], ...]
    has_all: int
    has_reference: bool


def run_curves(
    log: Log, rows: NDArray[np.intp], axis: str, count: str = "f+g"
) -> Iterator[RunCurves]:
    """Convergence curves of rows of the log, by algorithm, suite, dimension and function."""
    axis = axis_of(axis, count)
    refuse_mixed(log, rows)
    check_count(log, rows, count)
    runs = log.runs
    unknown = np.isnan(runs["reference_value"])
    every = (runs["record"] == "improvements") | ((runs["record"] == "targets") & unknown)
    for places, facts in by_cell(log, rows, count):
        mine = rows[places]
        unit = unit_of(axis, int(runs["dimension"][mine[0]]))
        curves = (_curve(log, row, count) for row in mine.tolist())
        yield RunCurves(
            **facts,
            curves=tuple((evaluations / unit, precision) for evaluations, precision in curves),
            has_all=int(every[mine].sum()),
            has_reference=not unknown[mine].any(),
        )


def notes_on_curves(data: Sequence[RunCurves]) -> tuple[str, ...]:
    """Sentences on curves that may lie too high, on missing references, and on what runs weigh."""
    runs, complete = sum(len(cell.curves) for cell in data), sum(cell.has_all for cell in data)
    notes = []
    if complete < runs:
        notes.append(
            f"{runs - complete} of {runs} runs may have been better in between: their logs hold "
            "first hits of targets, not every improvement (record: improvements)."
        )
    if not all(cell.has_reference for cell in data):
        notes.append("without a reference value, precisions are indicator values.")
    return (*notes, *basis(data, "every run weighs the same, after its end with its last value"))


def _curve(log: Log, row: int, count: str) -> tuple[Floats, Floats]:
    """Evaluations at which the best known precision of a run falls, and the precision there."""
    tables = [log.hits(row), log.trajectory(row)]
    evaluation = np.concatenate(at_entries(log, row, count))
    precision = np.concatenate([table["precision"] for table in tables])
    order = np.lexsort((precision, evaluation))
    evaluation, precision = evaluation[order], precision[order]
    before = np.concatenate([[np.inf], np.minimum.accumulate(precision)[:-1]])
    falls = precision < before
    return evaluation[falls], precision[falls]


_CELLS_AT_ONCE = 1_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class RunAreas(CellRuns):
    """The runs of one algorithm on one function in one dimension, with their areas.

    Attributes (besides those of `CellRuns`):
        budget: Up to which, in evaluations, or in seconds.
        least: The area that the log proves, shape ``(n_runs,)``.
        most: What it can be at most: larger where the log may not tell all improvements.
        spent: Evaluations of each run, shape ``(n_runs,)``.
        cut: How many runs were ended by a budget below this one, and might have gone on.
        broken: How many runs failed, timed out or were interrupted.
    """

    budget: float
    least: Floats
    most: Floats
    spent: Floats
    cut: int
    broken: int


def run_areas(
    log: Log,
    rows: NDArray[np.intp],
    budget: float | str | None,
    scale: PrecisionScale,
    count: str = "f+g",
) -> list[RunAreas]:
    """Areas over the convergence curves of rows of the log, by algorithm, suite and function.

    ``budget`` None: that of the runs, where all have the same one.

    Raises:
        AssessmentError: The budget is none, several, or not that of all runs, or theirs counts
            something else than ``count``; or no function has a reference value.
    """
    refuse_mixed(log, rows)
    rows = with_reference(log, rows)
    check_count(log, rows, count)
    budgets: Counts = np.empty(len(rows), dtype=np.int64)
    if is_seconds(count):
        budgets = np.empty(len(rows), dtype=np.float64)
    for places in cells(log, rows, ("suite", "dimension")):
        budgets[places] = _budget_of(log, rows[places], budget, count)
    least, most = _areas(log, rows, budgets, scale, count)
    runs = log.runs
    names, codes = runs.codes("status")
    broken = np.isin(codes, [names.index(n) for n in names if n in BROKEN])[rows]
    by_budget = (codes == names.index("budget"))[rows] if "budget" in names else broken & False
    all_spent = spent_of(log, rows, count)
    found = []
    for places, facts in by_cell(log, rows, count):
        spent = all_spent[places]
        found.append(
            RunAreas(
                **facts,
                budget=budgets[places[0]].item(),
                least=least[places],
                most=most[places],
                spent=spent,
                cut=int((by_budget[places] & (spent < budgets[places])).sum()),
                broken=int(broken[places].sum()),
            )
        )
    return found


def _budget_of(log: Log, rows: NDArray[np.intp], budget: float | str | None, count: str) -> float:
    """The budget, in evaluations or seconds, of runs of one suite in one dimension."""
    dimension = int(log.runs["dimension"][rows[0]])
    if budget is not None:
        requested = one_budget(budget)
        if is_seconds(count):
            return requested.on(SECONDS, dimension)
        evaluations = int(counts_of([requested.on("evaluations", dimension)], 1.0)[0])
        if evaluations < 1:
            raise AssessmentError(f"budget: {requested.factor:g}*D is less than one evaluation")
        return evaluations
    counts = _counted_by_budgets(log, rows)
    if is_seconds(count):
        raise AssessmentError("budget: of areas over seconds, name one")
    if log.runs["evaluations_constraints"][rows].any() and counts != {count}:
        counted = " or ".join(sorted(counts))
        raise AssessmentError(
            f"budget: that of the runs on {suite_of(log, rows[0])} counts {counted}, and {count} "
            "is asked for; name a budget, or another count"
        )
    own = np.unique(log.runs["budget"][rows])
    if len(own) > 1 or own[0] < 1:
        budgets = ", ".join(
            "none" if evaluations < 1 else str(evaluations) for evaluations in own[:4].tolist()
        )
        raise AssessmentError(
            f"budget: the runs on {suite_of(log, rows[0])} in {dimension}-D have not one in common "
            f"({budgets}); name one"
        )
    return int(own[0])


def _counted_by_budgets(log: Log, rows: NDArray[np.intp]) -> set[str]:
    """What the budgets of runs count: ``"f+g"`` where their campaign says so, else ``"f"``."""
    budgets = [(header.get("campaign") or {}).get("budget") for header, _ in log.headers_of(rows)]
    texts = [str(budget[0] if isinstance(budget, list) else budget) for budget in budgets]
    return {"f+g" if text.endswith("f+g") else "f" for text in texts}


def _areas(
    log: Log,
    rows: NDArray[np.intp],
    budgets: Counts,
    scale: PrecisionScale,
    count: str,
) -> tuple[Floats, Floats]:
    """What the areas are at least and at most, both of shape ``(n_rows,)``."""
    least, most = np.empty(len(rows)), np.empty(len(rows))
    for places, counts in _blocks(log, rows, budgets, count):
        best = best_within(log, rows[places], counts, count)
        # the best after evaluation i counts from i on, a value that came at second s from there
        starts = counts + 1 if is_seconds(count) else counts
        least[places] = area_over_curve(starts, best.precision, budgets[places], scale)
        most[places] = area_over_curve(starts, best.bound, budgets[places], scale)
    return least, most


def _blocks(
    log: Log, rows: NDArray[np.intp], budgets: Counts, count: str
) -> Iterator[tuple[slice, Counts]]:
    """Consecutive rows with the counts at which what is known of each may change, padded."""
    block: list[Counts] = []
    start, longest = 0, 0
    for place, (row, budget) in enumerate(zip(rows.tolist(), budgets.tolist(), strict=True)):
        counts = _changes(log, row, budget, count)
        if block and (len(block) + 1) * max(longest, len(counts)) > _CELLS_AT_ONCE:
            yield slice(start, place), padded(block)
            start, longest, block = place, 0, []
        block.append(counts)
        longest = max(longest, len(counts))
    if block:
        yield slice(start, len(rows)), padded(block)


def _changes(log: Log, row: int, budget: float, count: str) -> Counts:
    """Counts up to ``budget`` between which neither the best known nor its bound changes.

    At an entry of the log the best is known; right after it, and until the next one, it is between
    two bounds.
    """
    spent = entries_of(log, row, count)[1]
    if is_seconds(count):
        seconds = np.unique(np.concatenate([spent, np.nextafter(spent, np.inf)]))
        return seconds[seconds <= budget]
    known = spent.astype(np.int64)
    counts = np.unique(np.concatenate([known, known + 1]))
    return counts[(counts >= 1) & (counts <= budget)]


def notes_on_areas(data: Sequence[RunAreas], scale: PrecisionScale) -> tuple[str, ...]:
    """Sentences on the scale, and on runs that are bounds, ended early, or broke off."""
    runs = sum(len(areas.least) for areas in data)
    notes = [
        f"precisions from {scale.upper:g} (0) to {scale.lower:g} (1) on a logarithmic scale; a run "
        "that ended before the budget keeps its last value."
    ]
    bounds = sum(int((areas.least < areas.most).sum()) for areas in data)
    if bounds:
        notes.append(
            f"{bounds} of {runs} areas are known between two bounds, aocc and most: the logs hold "
            "first hits of targets, not every improvement (record: improvements)."
        )
    cut = sum(areas.cut for areas in data)
    if cut:
        notes.append(
            f"{cut} of {runs} runs were ended by a budget below this one: they might have improved."
        )
    broken = sum(areas.broken for areas in data)
    if broken:
        notes.append(f"{broken} of {runs} runs failed, timed out or were interrupted: they count.")
    convention = "every problem (function, dimension, instance) counts once, with its runs' mean"
    return (*notes, *basis(data, convention))

"""Best precisions of runs within budgets: the fixed-budget counterpart of run sets; their profiles.

Profiles of precisions are the right-hand panels of the older COCO documents (Hansen, Auger, Finck,
Ros, "Real-Parameter Black-Box Optimization Benchmarking 2010: Experimental Setup", INRIA RR-7215):
where the ECDF of runtimes to the hardest target ends at a budget, the ECDF of precisions at that
budget goes on, from the same fraction at that target to 1 as the target becomes easier. Runs count
as they are, without restarts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...loggers.log.best_so_far import BestSoFar
from ...loggers.targets.grid import SIGNED, grid
from ..statistics.ecdf import ecdf
from ..statistics.quantiles import Floats
from ..tables.table import Value
from ..targets.budgets import Budgets, budgets_on, counts_of, own_budgets, parse_budgets, unit_of
from .counting import at_entries, axis_of, check_count, is_seconds, spent_of
from .grouping import CellRuns, by_cell, check_grouping, grouped
from .notes import LAST_VALUE, basis
from .selection import cells, measurement_of, refuse_mixed, suite_of

if TYPE_CHECKING:
    from ...loggers import Log


Counts = NDArray[np.int64] | NDArray[np.float64]
"""Evaluations, or seconds."""
_MOST_EVALUATIONS = 2**53
FromEnds = Callable[..., tuple[float, ...]]
"""As `own_budgets`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FixedBudgetData(CellRuns):
    """Best precision of all runs of one algorithm on one function in one dimension, by budget.

    Attributes (besides those of `CellRuns`):
        budgets: In the unit that was asked for, shape ``(n_budgets,)``.
        evaluations: The budgets in evaluations, or in seconds, shape ``(n_budgets,)``.
        precision: Best precision at them, shape ``(n_runs, n_budgets)``: indicator minus reference
            value, the indicator where there is no such value, inf before the first finite value. A
            run that ended earlier keeps its last one.
        exact: False where the log has an upper bound only, in the shape of ``precision``.
        ended: How many runs had ended before each budget, shape ``(n_budgets,)``.
        has_reference: Whether there are reference values.
        signed: Whether the suite has targets at or below 0: precisions then have no logarithm.
    """

    budgets: Floats
    evaluations: Counts
    precision: Floats
    exact: NDArray[np.bool_]
    ended: NDArray[np.int64]
    has_reference: bool
    signed: bool = False


def fixed_budget_data(
    log: Log,
    rows: NDArray[np.intp],
    budgets: Budgets | FromEnds | None,
    axis: str,
    count: str = "f+g",
) -> Iterator[FixedBudgetData]:
    """Best precisions of rows of the log, by algorithm, suite, dimension and function.

    ``budgets`` are as `parse_budgets` takes them, or a function as `own_budgets`, that of None:
    it gets the longest runs of the algorithms of a suite in a dimension, the unit, and where
    seconds count what an evaluation took of them on average.
    """
    axis = axis_of(axis, count)
    own = own_budgets if budgets is None else budgets
    parsed = () if callable(own) else parse_budgets(own)
    refuse_mixed(log, rows)
    check_count(log, rows, count)
    runs, curve_numbers = log.runs, np.empty(len(rows), dtype=np.intp)
    spent = spent_of(log, rows, count)
    curves: list[tuple[tuple[float, ...], Counts]] = []
    for places in cells(log, rows, ("suite", "dimension")):
        dimension = int(runs["dimension"][rows[places[0]]])
        unit = unit_of(axis, dimension)
        if callable(own):
            longest = longest_runs(log, rows[places], spent[places]).values()
            least: tuple[float, ...] = ()
            if is_seconds(count):
                evaluations = int(runs["evaluations"][rows[places]].sum())
                mean = float(spent[places].sum()) / max(evaluations, 1)
                least = (mean or 1.0,)  # runs without evaluations may have taken no time
            own_budgets_here = own(longest, unit, *least)
        else:
            own_budgets_here = budgets_on(parsed, axis, dimension)
        curve_numbers[places] = len(curves)
        counts = (
            np.array(own_budgets_here) if is_seconds(count) else counts_of(own_budgets_here, unit)
        )
        curves.append((own_budgets_here, counts))
    requested = padded([counts for _, counts in curves])
    found = best_within(log, rows, requested[curve_numbers], count)
    precision, exact = found.precision, found.exact
    for places, facts in by_cell(log, rows, count):
        in_unit, counts = curves[curve_numbers[places[0]]]
        part = np.ix_(places, np.arange(len(counts)))
        ends = spent[places][:, np.newaxis]
        yield FixedBudgetData(
            **facts,
            budgets=np.array(in_unit, dtype=np.float64),
            evaluations=counts,
            precision=precision[part],
            exact=exact[part],
            ended=(ends < counts).sum(axis=0),
            has_reference=not np.isnan(runs["reference_value"][rows[places]]).any(),
            signed=measurement_of(log, suite_of(log, rows[places[0]])).targets[-1] <= 0,
        )


def longest_runs(log: Log, rows: NDArray[np.intp], spent: Floats) -> dict[str, float]:
    """Evaluations of the longest run of each algorithm, of ``spent`` by the runs ``rows``."""
    names = log.runs.codes("algorithm")[0]
    own = cells(log, rows, ("algorithm",))
    codes = log.runs.codes("algorithm")[1][rows]
    return {names[codes[places[0]]]: float(spent[places].max()) for places in own}


def best_within(log: Log, rows: NDArray[np.intp], budgets: Counts, count: str) -> BestSoFar:
    """Best precision of runs within budgets, evaluations being counted as asked.

    Where constraints or seconds count, a log tells them at its entries: the best is that of the
    last entry within the budget, and ``bound`` that of the evaluation before the next one. Budgets
    have the shape ``(n_rows, n_budgets)``.
    """
    apart = log.runs["evaluations_constraints"][rows] > 0
    if not is_seconds(count) and (count == "f" or not apart.any()):
        return log.best_at(rows, budgets)
    known = np.minimum(budgets, _MOST_EVALUATIONS).astype(np.int64)
    possible = known.copy()
    for i in np.flatnonzero(apart | (count == "g") | is_seconds(count)).tolist():
        known[i], possible[i] = _objective_evaluations(log, rows[i], budgets[i], count)
    return BestSoFar(log.best_at(rows, known).precision, log.best_at(rows, possible).bound)


def entries_of(log: Log, row: int, count: str) -> tuple[NDArray[np.int64], Floats]:
    """Evaluations at the start, all entries and the end of a run, and what it had spent there."""
    tables, rows = (log.hits(row), log.trajectory(row)), np.array([row])
    end = log.runs["evaluations"][rows]
    evaluations = [np.zeros(1), *(table["evaluation"] for table in tables), end]
    spent = [np.zeros(1), *at_entries(log, row, count), spent_of(log, rows, count)]
    return np.concatenate(evaluations).astype(np.int64), np.concatenate(spent)


def _objective_evaluations(
    log: Log, row: int, budgets: Counts, count: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Evaluations of the objective within budgets: that are known, and that are possible."""
    evaluations, reached = entries_of(log, row, count)
    order = np.lexsort((reached, evaluations))
    evaluations, reached = evaluations[order], reached[order]
    last = np.searchsorted(reached, budgets, side="right") - 1
    known = evaluations[last]
    following = np.append(evaluations[1:] - 1, evaluations[-1])[last]
    if is_seconds(count) or count == "g":
        return known, np.maximum(known, following)
    possible = np.minimum(following, budgets)
    return known, np.maximum(known, possible)


def padded(counts: Sequence[Counts]) -> Counts:
    """Rows of equal length, the last entry repeated."""
    longest = max(len(each) for each in counts)
    return np.array([np.pad(each, (0, longest - len(each)), mode="edge") for each in counts])


def notes_on_precisions(
    data: Sequence[FixedBudgetData], convention: str = LAST_VALUE
) -> tuple[str, ...]:
    """Sentences on values that are bounds, on runs carried forward, and on missing references.

    At last which runs there are and how they count; see `basis`.
    """
    notes = []
    bounds = sum(int((~cell.exact).sum()) for cell in data)
    total = sum(cell.exact.size for cell in data)
    if bounds:
        notes.append(
            f"{bounds} of {total} values are upper bounds: the log tells the best so far at hits "
            "of its targets and at scheduled counts, and these budgets lie between. Own logs tell "
            "it at 1, 2, 5, 10, 20, 50, … evaluations / dimension, and everywhere where every "
            "improvement was recorded."
        )
    ended = sum(int(cell.ended.sum()) for cell in data)
    if ended:
        notes.append(
            f"{ended} of {total} values are of runs that had ended before the budget: they keep "
            "their last value."
        )
    if not all(cell.has_reference for cell in data):
        notes.append("without a reference value, precisions are indicator values.")
    return (*notes, *basis(data, convention))


PROFILE_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "budget", "precision", "fraction",
)  # fmt: skip
_STEP = 4


def precision_profiles(
    data: Iterable[FixedBudgetData], group_by: str, pooled: bool = False
) -> Iterator[tuple[Value | Floats, ...]]:
    """A profile for each algorithm, suite, dimension, group of functions and budget.

    Values of `PROFILE_COLUMNS`, the last two as arrays. ``pooled``: one profile for all
    budgets, each pair of run and budget weighing the same within a function (IOHanalyzer's
    aggregated ECDF of function values).
    """
    check_grouping(group_by)
    for group in grouped(data, group_by):
        first = group[0]
        spans: dict[Value, list[int]] = {b: [j] for j, b in enumerate(first.budgets.tolist())}
        if pooled:
            spans = {", ".join(f"{b:g}" for b in first.budgets.tolist()): [*range(len(spans))]}
        for budget, places in spans.items():
            columns = [member.precision[:, places].ravel() for member in group]
            targets = _span(columns, first.signed)
            yield (
                *first.group_head(group_by),
                budget,
                targets,
                np.mean([ecdf(c, targets) for c in columns], axis=0),
            )


def _span(columns: list[Floats], signed: bool) -> Floats:
    """Targets, five per decade, from the hardest to the first that all finite precisions reach.

    The hardest is 1e-8, or the last at which a run is, where the suite's go below 0.
    """
    finite = np.concatenate([c[np.isfinite(c)] for c in columns])
    worst = finite.max(initial=0.0)
    targets = grid()[::_STEP]
    if signed:
        negative = -targets[targets <= -SIGNED.values[0]][::-1]
        best = finite.min(initial=0.0)
        first = max(int(np.searchsorted(negative, best, side="right")) - 1, 0)
        targets = np.concatenate([negative[first:], [0.0], targets])
    return np.asarray(targets[: int(np.searchsorted(targets, worst)) + 1])

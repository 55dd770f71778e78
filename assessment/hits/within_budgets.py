"""Compute best precisions of runs within budgets (fixed budget), and profiles of precisions.

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
from ..cost import Count, at_entries, axis_of, check_count, is_seconds, spent_of
from ..grouping import CellRuns, by_cell, check_grouping, grouped
from ..selection import cells, measurement_of, refuse_mixed, suite_of
from ..statistics.ecdf import ecdf
from ..statistics.quantiles import Floats
from ..tables.table import Value
from ..targets.budgets import Budgets, budgets_on, counts_of, own_budgets, parse_budgets, unit_of

if TYPE_CHECKING:
    from ...loggers import Log


Counts = NDArray[np.int64] | NDArray[np.float64]
"""Evaluations, or seconds."""
_MOST_EVALUATIONS = 2**53
"""The largest count that a float holds exactly."""
FromEnds = Callable[..., tuple[float, ...]]
"""A function with the arguments of `own_budgets`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FixedBudgetData(CellRuns):
    """Best precision of all runs of one algorithm on one function in one dimension, by budget.

    Attributes (besides those of `CellRuns`):
        budgets: Budgets in the requested unit, shape ``(n_budgets,)``.
        evaluations: The budgets in evaluations, or in seconds, shape ``(n_budgets,)``.
        precision: Best precision at each budget, shape ``(n_runs, n_budgets)``: indicator minus
            reference value; the indicator if there is no reference value; inf before the first
            finite value. A run that ended earlier keeps its last precision.
        exact: False if the log has an upper bound only, in the shape of ``precision``.
        ended: Number of runs that ended before each budget, shape ``(n_budgets,)``.
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
    count: Count = "f+g",
) -> Iterator[FixedBudgetData]:
    """Yield best precisions of runs, by algorithm, suite, dimension and function.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        budgets: As `parse_budgets` takes them; or a function that computes them for each suite and
            dimension, from the length of the longest run of each algorithm, the unit, and, if
            seconds count, the mean seconds of an evaluation. None: `own_budgets`.
        axis: Unit of budgets.
        count: What counts as an evaluation.

    Raises:
        UnknownNameError: There is no such unit or count.
        AssessmentError: Budgets make no sense, or the runs must not be mixed.
    """
    axis = axis_of(axis, count)
    requested = own_budgets if budgets is None else budgets
    parsed = () if callable(requested) else parse_budgets(requested)
    refuse_mixed(log, rows)
    check_count(log, rows, count)
    runs, curve_numbers = log.runs, np.empty(len(rows), dtype=np.intp)
    spent = spent_of(log, rows, count)
    curves: list[tuple[tuple[float, ...], Counts]] = []
    for positions in cells(log, rows, ("suite", "dimension")):
        dimension = int(runs["dimension"][rows[positions[0]]])
        unit = unit_of(axis, dimension)
        if callable(requested):
            longest = longest_runs(log, rows[positions], spent[positions]).values()
            least: tuple[float, ...] = ()
            if is_seconds(count):
                evaluations = int(runs["evaluations"][rows[positions]].sum())
                mean = float(spent[positions].sum()) / max(evaluations, 1)
                least = (mean or 1.0,)  # runs without evaluations may have taken no time
            in_unit = requested(longest, unit, *least)
        else:
            in_unit = budgets_on(parsed, axis, dimension)
        curve_numbers[positions] = len(curves)
        counts = np.array(in_unit) if is_seconds(count) else counts_of(in_unit, unit)
        curves.append((in_unit, counts))
    all_counts = padded([counts for _, counts in curves])
    best = best_within(log, rows, all_counts[curve_numbers], count)
    precision, exact = best.precision, best.exact
    for positions, attributes in by_cell(log, rows, count):
        in_unit, counts = curves[curve_numbers[positions[0]]]
        part = np.ix_(positions, np.arange(len(counts)))
        ends = spent[positions][:, np.newaxis]
        yield FixedBudgetData(
            **attributes,
            budgets=np.array(in_unit, dtype=np.float64),
            evaluations=counts,
            precision=precision[part],
            exact=exact[part],
            ended=(ends < counts).sum(axis=0),
            has_reference=not np.isnan(runs["reference_value"][rows[positions]]).any(),
            signed=measurement_of(log, suite_of(log, rows[positions[0]])).targets[-1] <= 0,
        )


def longest_runs(log: Log, rows: NDArray[np.intp], spent: Floats) -> dict[str, float]:
    """Return the length of the longest run of each algorithm.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        spent: Evaluations or seconds of these runs, shape ``(n_rows,)``.
    """
    names, codes = log.runs.codes("algorithm")
    return {
        names[codes[rows[positions[0]]]]: float(spent[positions].max())
        for positions in cells(log, rows, ("algorithm",))
    }


def best_within(log: Log, rows: NDArray[np.intp], budgets: Counts, count: Count) -> BestSoFar:
    """Return the best precisions of runs within budgets.

    Constraint evaluations and seconds are known at the entries of the log only. If they count, the
    best precision is that of the last entry within the budget, and ``bound`` is that of the
    evaluation before the next entry.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        budgets: Evaluations or seconds, shape ``(n_rows, n_budgets)``.
        count: What counts as an evaluation.
    """
    has_constraints = log.runs["evaluations_constraints"][rows] > 0
    if not is_seconds(count) and (count == "f" or not has_constraints.any()):
        return log.best_at(rows, budgets)
    certain = np.minimum(budgets, _MOST_EVALUATIONS).astype(np.int64)
    possible = certain.copy()
    for i in np.flatnonzero(has_constraints | (count == "g") | is_seconds(count)).tolist():
        certain[i], possible[i] = _objective_evaluations(log, rows[i], budgets[i], count)
    return BestSoFar(log.best_at(rows, certain).precision, log.best_at(rows, possible).bound)


def entries_of(log: Log, row: int, count: Count) -> tuple[NDArray[np.int64], Floats]:
    """Return the evaluations of a run at its start, its entries and its end, and the cost so far.

    Args:
        log: The log.
        row: Row of ``log.runs``.
        count: What counts as an evaluation.

    Returns:
        Evaluations of the objective, and evaluations or seconds in the requested count; both of
        shape ``(n_entries + 2,)``, not sorted.
    """
    tables, rows = (log.hits(row), log.trajectory(row)), np.array([row])
    end = log.runs["evaluations"][rows]
    evaluations = [np.zeros(1), *(table["evaluation"] for table in tables), end]
    spent = [np.zeros(1), *at_entries(log, row, count), spent_of(log, rows, count)]
    return np.concatenate(evaluations).astype(np.int64), np.concatenate(spent)


def _objective_evaluations(
    log: Log, row: int, budgets: Counts, count: Count
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return lower and upper bounds of the evaluations of the objective within budgets."""
    evaluations, reached = entries_of(log, row, count)
    order = np.lexsort((reached, evaluations))
    evaluations, reached = evaluations[order], reached[order]
    last = np.searchsorted(reached, budgets, side="right") - 1
    certain = evaluations[last]
    following = np.append(evaluations[1:] - 1, evaluations[-1])[last]
    if is_seconds(count) or count == "g":
        return certain, np.maximum(certain, following)
    possible = np.minimum(following, budgets)
    return certain, np.maximum(certain, possible)


def padded(counts: Sequence[Counts]) -> Counts:
    """Stack rows of unequal length; repeat the last entry of shorter rows."""
    longest = max(len(row) for row in counts)
    return np.array([np.pad(row, (0, longest - len(row)), mode="edge") for row in counts])


PROFILE_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "budget", "precision", "fraction",
)  # fmt: skip
_STEP = 4
"""Every fourth of the grid's 20 targets per decade: five per decade."""


def precision_profiles(
    data: Iterable[FixedBudgetData], group_by: str, pooled: bool = False
) -> Iterator[tuple[Value | Floats, ...]]:
    """Yield a profile for each algorithm, suite, dimension, group of functions and budget.

    Args:
        data: Best precisions by algorithm, function and dimension.
        group_by: A `GroupBy`.
        pooled: Whether to yield one profile for all budgets, in which each pair of run and budget
            has the same weight within a function (IOHanalyzer's aggregated ECDF of function
            values).

    Yields:
        Values of `PROFILE_COLUMNS`, the last two as arrays.
    """
    check_grouping(group_by)
    for group in grouped(data, group_by):
        first = group[0]
        spans: dict[Value, list[int]] = {b: [j] for j, b in enumerate(first.budgets.tolist())}
        if pooled:
            spans = {", ".join(f"{b:g}" for b in first.budgets.tolist()): [*range(len(spans))]}
        for budget, positions in spans.items():
            columns = [member.precision[:, positions].ravel() for member in group]
            targets = _choose_targets(columns, first.signed)
            yield (
                *first.group_head(group_by),
                budget,
                targets,
                np.mean([ecdf(c, targets) for c in columns], axis=0),
            )


def _choose_targets(columns: list[Floats], signed: bool) -> Floats:
    """Return five targets per decade, from the hardest to the first that all finite values reach.

    The hardest target is 1e-8. With targets below 0, it is the last that the best precision
    reaches.
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

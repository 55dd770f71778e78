"""ECDFs of the precision reached within budgets: what runtime profiles leave open at their end.

The right-hand panels of the older COCO documents (Hansen, Auger, Finck, Ros, "Real-Parameter
Black-Box Optimization Benchmarking 2010: Experimental Setup", INRIA RR-7215): where the ECDF of
runtimes to the hardest target ends at a budget, the ECDF of precisions at that budget goes on, from
the same fraction at that target to 1 as the target becomes easier. Runs count as they are, without
restarts.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...loggers.targets.grid import SIGNED, grid
from ..data.fixed_budget_data import FixedBudgetData, notes_on_precisions
from ..data.grouping import check_grouping, group_name, grouped
from ..statistics.ecdf import ecdf
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, table_of

_NAMES = ("algorithm", "suite", "dimension", "group", "budget", "precision", "fraction")
_STEP = 4
_CONVENTION = (
    "of single runs, without restarts, after their end with their last value; every function "
    "weighs the same"
)


def precision_profile_table(
    reached: Iterable[FixedBudgetData], group_by: str, joined: bool = False
) -> Table:
    """Profiles of precision of each algorithm, suite, dimension, group of functions and budget.

    Columns: ``algorithm, suite, dimension, group``; ``budget`` in the unit asked for;
    ``precision``, ``10**(k/5)`` from 1e-8 to the first that all runs are below, and 0 and
    ``-10**(k/5)`` where the suite has such targets; ``fraction``, the share of runs at or below it,
    each function weighing the same. With ``joined``, one profile over all the budgets, each pair of
    run and budget weighing the same within a function: how good an algorithm is at any time
    (IOHanalyzer's aggregated ECDF of function values); ``budgets`` then says which, as text.

    Args:
        reached: With the same budgets for all functions of a group; where they are ``joined``, for
            all algorithms.
        group_by: ``"function"``, ``"group"`` or ``"all"``; never several dimensions.
        joined: One profile for all budgets.

    Raises:
        AssessmentError: ``group_by`` is none of the three.
    """
    check_grouping(group_by)
    data = list(reached)
    rows: list[list[Value]] = []
    for group in grouped(data, group_by):
        one = group[0]
        cell: list[Value] = [one.algorithm, one.suite, one.dimension, group_name(one, group_by)]
        spans: dict[Value, list[int]] = {b: [j] for j, b in enumerate(one.budgets.tolist())}
        if joined:
            spans = {", ".join(f"{b:g}" for b in one.budgets.tolist()): [*range(len(spans))]}
        for budget, places in spans.items():
            columns = [member.precision[:, places].ravel() for member in group]
            targets = _span(columns, one.signed)
            fraction = np.mean([ecdf(column, targets) for column in columns], axis=0)
            points = zip(targets.tolist(), fraction.tolist(), strict=True)
            rows.extend([*cell, budget, *point] for point in points)
    names = tuple("budgets" if name == "budget" and joined else name for name in _NAMES)
    convention = _CONVENTION + "; every budget weighs the same" * joined
    return Table(table_of(names, rows), notes_on_precisions(data, convention))


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

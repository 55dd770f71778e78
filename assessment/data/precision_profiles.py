"""Profiles of the precision reached within budgets: what runtime profiles leave open at their end.

The right-hand panels of the older COCO documents (Hansen, Auger, Finck, Ros, "Real-Parameter
Black-Box Optimization Benchmarking 2010: Experimental Setup", INRIA RR-7215): where the ECDF of
runtimes to the hardest target ends at a budget, the ECDF of precisions at that budget goes on, from
the same fraction at that target to 1 as the target becomes easier. Runs count as they are, without
restarts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...loggers.targets.grid import SIGNED, grid
from ..statistics.ecdf import ecdf
from ..statistics.quantiles import Floats
from ..tables.table import Value
from .fixed_budget_data import FixedBudgetData
from .grouping import check_grouping, group_name, grouped

PROFILE_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "budget", "precision", "fraction",
)  # fmt: skip
_STEP = 4


def precision_profiles(
    data: Iterable[FixedBudgetData], group_by: str, pooled: bool = False
) -> Iterator[tuple[Value | Floats, ...]]:
    """A profile for each algorithm, suite, dimension, group of functions and budget.

    Args:
        data: With the same budgets for all functions of a group; where they are ``pooled``, for
            all algorithms.
        group_by: ``"function"``, ``"group"`` or ``"all"``; never several dimensions.
        pooled: One profile for all budgets, each pair of run and budget weighing the same within a
            function (IOHanalyzer's aggregated ECDF of function values).

    Returns:
        Values of `PROFILE_COLUMNS`, the last two as arrays: precisions, ``10**(k/5)`` from 1e-8 to
        the first that all runs are below, and 0 and ``-10**(k/5)`` where the suite has such
        targets; the share of runs at or below each, every function weighing the same. The budget is
        in the unit of ``data``; where they are pooled it is text that names all.

    Raises:
        AssessmentError: ``group_by`` is none of the three.
    """
    check_grouping(group_by)
    for group in grouped(data, group_by):
        first = group[0]
        cell = (first.algorithm, first.suite, first.dimension, group_name(first, group_by))
        spans: dict[Value, list[int]] = {b: [j] for j, b in enumerate(first.budgets.tolist())}
        if pooled:
            spans = {", ".join(f"{b:g}" for b in first.budgets.tolist()): [*range(len(spans))]}
        for budget, places in spans.items():
            columns = [member.precision[:, places].ravel() for member in group]
            targets = _span(columns, first.signed)
            yield *cell, budget, targets, np.mean([ecdf(c, targets) for c in columns], axis=0)


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

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
from numpy.typing import NDArray

from ...loggers.targets.grid import EASIEST_TARGET, FINAL_TARGET, grid
from ..data.fixed_budget_data import Reached, notes_on_reached
from ..data.grouping import check_grouping, group_name, grouped
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, table_of

_NAMES = ("algorithm", "suite", "dimension", "group", "budget", "precision", "fraction")
_STEP = 4


def precision_ecdf(precision: Floats, targets: Floats) -> Floats:
    """Share of runs whose precision is at most each target, shape ``(n_targets,)``.

    Args:
        precision: Shape ``(n_runs,)``.
        targets: Shape ``(n_targets,)``.

    >>> precision_ecdf(np.array([1e-9, 0.5, np.inf]), np.array([1e-8, 1.0]))
    array([0.33333333, 0.66666667])
    """
    reached = np.sort(precision[np.isfinite(precision)])
    return np.asarray(np.searchsorted(reached, targets, side="right") / len(precision))


def precision_profile_table(reached: Iterable[Reached], group_by: str) -> Table:
    """Profiles of precision of each algorithm, suite, dimension, group of functions and budget.

    Columns: ``algorithm, suite, dimension, group``; ``budget`` in the unit asked for;
    ``precision``, ``10**(k/5)`` from 1e-8 to the first that all runs are below; ``fraction``, the
    share of runs at or below it, each function weighing the same.

    Args:
        reached: With the same budgets for all functions of a group.
        group_by: ``"function"``, ``"group"`` or ``"all"``; never several dimensions.

    Raises:
        AssessmentError: ``group_by`` is none of the three.
    """
    check_grouping(group_by)
    data = list(reached)
    rows: list[list[Value]] = []
    for group in grouped(data, group_by):
        one = group[0]
        cell: list[Value] = [one.algorithm, one.suite, one.dimension, group_name(one, group_by)]
        for j, budget in enumerate(one.budgets.tolist()):
            columns = [member.precision[:, j] for member in group]
            targets = _span(columns)
            fraction = np.mean([precision_ecdf(column, targets) for column in columns], axis=0)
            points = zip(targets.tolist(), fraction.tolist(), strict=True)
            rows.extend([*cell, budget, *point] for point in points)
    return Table(table_of(_NAMES, rows), notes_on_reached(data))


def _span(columns: list[Floats]) -> Floats:
    """Targets from the final one to the first that all finite precisions are at most."""
    targets: NDArray[np.float64] = grid()[::_STEP][: (EASIEST_TARGET - FINAL_TARGET) // _STEP + 1]
    worst = max(float(c[np.isfinite(c)].max(initial=0.0)) for c in columns)
    return targets[: int(np.searchsorted(targets, worst)) + 1]

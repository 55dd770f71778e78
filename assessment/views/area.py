"""Areas under runtime profiles up to a budget, as a table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..data.function_pairs import function_pairs
from ..data.grouping import group_name, grouped
from ..data.notes import notes_on_targets, restart_notes
from ..data.run_sets import RunSet
from ..statistics.areas import capped_geometric_mean, linear_area, log_area
from ..statistics.ecdf import solved_pairs
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, table_of
from ..targets.target_sets import TargetSet
from .ecdf import ProfileOptions

_NAMES = (
    "algorithm", "suite", "dimension", "group", "budget", "area", "linear_area", "geometric_mean",
    "solved", "pairs",
)  # fmt: skip


def area_table(
    run_sets: Iterable[RunSet], targets: TargetSet, options: ProfileOptions, budget: float
) -> Table:
    """Area under each runtime profile up to ``budget``, in the unit of ``options.axis``.

    Columns: ``algorithm, suite, dimension, group, budget``; ``area`` over the logarithm of the
    budget from 1 on (`log_area`); ``linear_area`` (`linear_area`); ``geometric_mean`` of the
    runtimes, those beyond the budget counting as it (`capped_geometric_mean`); ``solved`` of
    ``pairs``, by one run at least. Every pair weighs the same, and each area is exact for the
    runtimes, not for a sampled curve.

    Raises:
        AssessmentError: ``budget`` is not above 1.
    """
    data = list(run_sets)
    rows: list[list[Value]] = []
    for group in grouped(data, options.group_by):
        one, unit = group[0], options.unit(group[0])
        pairs = [function_pairs(t, options.runtimes, options.simulation, unit) for t in group]
        weights = [p.n_targets if options.weights == "pairs" else 1 for p in pairs]
        atoms = [p.atoms() for p in pairs]
        area, linear = (
            float(np.average([f(x, budget, weights=w) for x, w in atoms], weights=weights))
            for f in (log_area, linear_area)
        )
        means = [capped_geometric_mean(x, budget, w) for x, w in atoms]
        mean = float(geometric_mean(means, weights))
        solved = sum(int(solved_pairs(t.hits).sum()) for t in group)
        name = group_name(one, options.group_by)
        cell: list[Value] = [one.algorithm, one.suite, one.dimension, name, budget]
        rows.append([*cell, area, linear, mean, solved, sum(p.n_targets for p in pairs)])
    notes = notes_on_targets(data, targets, options.convention(data))
    notes += restart_notes(options.with_restarts(data))
    return Table(table_of(_NAMES, rows), notes)

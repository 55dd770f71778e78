"""Areas under runtime profiles up to a budget, as a table."""

from __future__ import annotations

import numpy as np

from ..asking.declaration import question
from ..asking.options import (
    Budget,
    GroupBy,
    Reference,
    RuntimeAxis,
    Runtimes,
    Samples,
    Seed,
    Targets,
)
from ..data.counting import axis_of
from ..data.function_pairs import Simulation, function_pairs
from ..data.grouping import grouped
from ..data.notes import notes_on_targets, restart_notes
from ..data.profiles import ProfileOptions, Weights
from ..data.run_sets import in_batches
from ..data.runs import Runs
from ..statistics.ecdf import capped_geometric_mean, linear_area, log_area, solved_pairs
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, table_of
from ..targets.budgets import batch_size, one_budget
from ..targets.runlength import PROFILE_BUDGETS
from ..targets.target_sets import all_targets

_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "budget", "area", "linear_area", "geometric_mean",
    "solved", "pairs",
)  # fmt: skip


@question("Evaluations to targets", 30, joins=True)
def areas(
    runs: Runs,
    targets: Targets | None = None,
    *,
    budget: Budget,
    group_by: GroupBy = "all",
    runtimes: Runtimes = "suite",
    axis: RuntimeAxis = "evaluations/dimension",
    weights: Weights = "pairs",
    seed: Seed = 1,
    samples: Samples = 200_000,
    reference: Reference | None = None,
) -> Table:
    """Area under each runtime profile, and its geometric mean runtime.

    Up to ``budget``. Each area is exact for the runtimes, not for a sampled curve.

    Args:
        targets: None: the suite's, such as 51, 1e2 … 1e-8.
        budget: Where the area ends.
        group_by: What a curve spans; never several dimensions.
        runtimes: expected: of the algorithm restarted until it succeeds, as an exact distribution;
            restarts: the same by simulation; runs: of single runs, failures counting as never;
            suite: expected, but runs with two objectives.
        axis: Unit of budgets.
        weights: pairs: each function-target pair weighs the same; functions: each function does,
            whatever its number of targets.
        seed: Of simulated restarts.
        samples: At least so many simulated runtimes of each function.
        reference: None: none; run-length targets need one.

    Returns:
        Columns: ``algorithm, suite, dimension, group, budget``; ``area`` over the logarithm of the
        budget from 1 on (`log_area`); ``linear_area`` (`linear_area`); ``geometric_mean`` of the
        runtimes, those beyond the budget counting as it (`capped_geometric_mean`); ``solved`` of
        ``pairs``, by one run at least.
    """
    compared = runs.common()
    run_sets, aims = compared.at_targets(targets, all_targets, reference, PROFILE_BUDGETS)
    run_sets = in_batches(run_sets, batch_size(axis))
    options = ProfileOptions(group_by, runtimes, axis, weights, Simulation(seed, samples))
    end_budget = one_budget(budget)
    rows: list[list[Value]] = []
    for group in grouped(run_sets, options.group_by):
        first, unit = group[0], group[0].unit(axis)
        end = end_budget.on(axis_of(axis, first.count), first.dimension)
        pairs = [function_pairs(t, options.runtimes, options.simulation, unit) for t in group]
        weigh = [p.n_targets if options.weights == "pairs" else 1 for p in pairs]
        atoms = [p.atoms() for p in pairs]
        area, linear = (
            float(np.average([f(x, end, weights=w) for x, w in atoms], weights=weigh))
            for f in (log_area, linear_area)
        )
        means = [capped_geometric_mean(x, end, w) for x, w in atoms]
        mean = float(geometric_mean(means, weigh))
        solved = sum(int(solved_pairs(t.hits).sum()) for t in group)
        head = [*first.group_head(options.group_by), end]
        rows.append([*head, area, linear, mean, solved, sum(p.n_targets for p in pairs)])
    notes = notes_on_targets(run_sets, aims, options.convention(run_sets))
    notes += restart_notes(options.with_restarts(run_sets))
    return Table(table_of(_COLUMNS, rows), notes)

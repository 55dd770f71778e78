"""Compute areas under runtime profiles up to a budget, and geometric means of runtimes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..profiles.function_pairs import Simulation, function_pairs
from ..profiles.profiles import ProfileOptions, Weights
from ..samples.at_targets import AtTargets
from ..samples.convention import Convention
from ..statistics.ecdf import capped_geometric_mean, linear_area, log_area, solved_pairs
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, table_of
from ..targets.budgets import one_budget
from ..targets.runlength import PROFILE_BUDGETS
from ..targets.target_sets import all_targets
from ._framework.needs import at_targets
from ._framework.options import Budget, GroupBy, Resamples, Runtimes, Seed
from ._framework.question import question

_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "budget", "area", "linear_area", "geometric_mean",
    "solved", "pairs",
)  # fmt: skip


def _convention(sample: AtTargets, options: Mapping[str, Any]) -> Convention:
    profile_options = ProfileOptions(
        **{name: options[name] for name in ("group_by", "runtimes", "weights")},
        axis=sample.axis,
        simulation=Simulation(options["seed"], options["samples"]),
    )
    return profile_options.convention(sample)


@question(
    "Evaluations to targets",
    30,
    needs=at_targets(all_targets, takes_axis=True, budgets=PROFILE_BUDGETS),
    convention=_convention,
    joins=True,
    examples=(
        "results/quickstart.h5 --budget 100*D",
        "results/quickstart.h5 --budget 100*D --group-by function",
    ),
)
def areas(
    sample: AtTargets,
    *,
    budget: Budget,
    group_by: GroupBy = "all",
    runtimes: Runtimes = "suite",
    weights: Weights = "pairs",
    seed: Seed = 1,
    samples: Resamples = 200_000,
) -> Table:
    """Compute the area under each runtime profile, and its geometric mean runtime.

    A runtime profile is the share of function-target pairs that an algorithm solves within a
    budget. Its area is the mean of this share over the logarithm of the budget, from 1 to
    ``budget``. It lies between 0 and 1; larger is better. Areas are exact, because they are
    computed from the runtimes and not from a sampled curve.

    Args:
        budget: Budget at which the area ends.
        group_by: Functions of one dimension that a curve aggregates.
        runtimes: Definition of runtimes. expected: runtimes of the algorithm restarted until it
            succeeds, as an exact distribution; restarts: by simulation; runs: runtimes of single
            runs, inf for a run that missed the target; suite: runs with two objectives, else
            expected.
        weights: Weights in the average. pairs: equal for all function-target pairs; functions:
            equal for all functions, whatever their number of targets.
        seed: Random seed of simulated restarts.
        samples: Minimum number of simulated runtimes of each function.

    Returns:
        One row for each curve; ``algorithm``, ``suite``, ``dimension`` and ``group`` identify it.
        ``budget`` is the end of the area. ``area`` is the area over the logarithm of the budget
        from 1 on (`log_area`), and ``linear_area`` is the area over the budget (`linear_area`).
        ``geometric_mean`` is the geometric mean of the runtimes, where a runtime beyond the budget
        counts as the budget (`capped_geometric_mean`). ``solved`` is how many of the ``pairs`` at
        least one run solved.
    """
    simulation = Simulation(seed, samples)
    options = ProfileOptions(group_by, runtimes, sample.axis, weights, simulation)
    end_budget = one_budget(budget)
    rows: list[list[Value]] = []
    for group in sample.grouped(group_by):
        first = group[0]
        unit = first.unit(sample.axis)
        end = end_budget.on(sample.axis, first.dimension)
        pairs = [function_pairs(r, options.runtimes, options.simulation, unit) for r in group]
        n_targets = [p.n_targets for p in pairs]
        function_weights = n_targets if options.weights == "pairs" else [1] * len(pairs)
        # Runtimes of each function, and the weight of each runtime.
        atoms = [p.atoms() for p in pairs]
        log_areas = [log_area(times, end, weights=share) for times, share in atoms]
        linear_areas = [linear_area(times, end, weights=share) for times, share in atoms]
        means = [capped_geometric_mean(times, end, share) for times, share in atoms]
        rows.append(
            [
                *first.group_head(options.group_by),
                end,
                float(np.average(log_areas, weights=function_weights)),
                float(np.average(linear_areas, weights=function_weights)),
                float(geometric_mean(means, function_weights)),
                sum(int(solved_pairs(run_set.hits).sum()) for run_set in group),
                sum(n_targets),
            ]
        )
    return Table(table_of(_COLUMNS, rows))

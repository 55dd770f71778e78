"""Shares of function-target pairs that algorithms solved, and what they might have been.

Runs are taken as they were (no restarts). The uncertainty comes from the runs: they are drawn anew,
with replacement, function by function, the same draw for all algorithms with equally many runs
(bootstrap; Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...asking.context import LEVEL
from ...data.run_sets import RunSet
from ...statistics.bands import Resampled, band, resampled_shares
from ...statistics.hits import runtimes_of_runs
from ...statistics.intervals import Resampling
from ...statistics.quantiles import Floats

DRAWS = 400
PER_DECADE = 20


@dataclass(frozen=True, eq=False)
class Shares:
    """What one algorithm solved of some functions in one dimension, and what it might have.

    Attributes:
        algorithm: Its name.
        budgets: Evaluations / dimension, or seconds, shape ``(n_budgets,)``, ascending.
        share: Share of pairs solved within each budget, shape ``(n_budgets,)``.
        drawn: The same for each draw of the runs, shape ``(DRAWS, n_budgets)``.
        runs: Fewest runs on a function, or instances where these were drawn.
    """

    algorithm: str
    budgets: Floats
    share: Floats
    drawn: Floats
    runs: int

    def budget_of(self, share: Floats, curves: Floats) -> Floats:
        """The least budget at which each curve reaches ``share``; inf where none does."""
        reached = curves >= share[:, np.newaxis] - 1e-12
        first = reached.argmax(axis=1)
        return np.where(reached.any(axis=1), self.budgets[first], np.inf)

    def at(self, budget: float) -> tuple[float, Floats]:
        """Share at the largest budget up to ``budget``, and those of the draws."""
        i = int(np.searchsorted(self.budgets, budget * (1 + 1e-9), side="right")) - 1
        return float(self.share[i]), self.drawn[:, i]

    def intervals(self, budgets: Sequence[float], seed: int) -> Floats:
        """95 % bands of the shares at budgets (`band`), ``(2, n_budgets)``; NaN with one run."""
        found = [self.at(budget) for budget in budgets]
        share, drawn = (
            np.array([own_share for own_share, _ in found]),
            np.array([own for _, own in found]),
        )
        part = Resampled(share, drawn.T, self.runs)
        return band([part], Resampling(LEVEL, seed, DRAWS))


def grouped_shares(
    run_sets: Sequence[RunSet],
    budgets: Floats,
    seed: int,
    groups: dict[str, Sequence[int]],
    requested: Sequence[float] = (),
) -> dict[str, Shares]:
    """Shares over all functions, under the name ``""``, and over groups of them.

    Args:
        run_sets: Of one algorithm in one dimension.
        budgets: As `Shares` has them.
        seed: Of the draws.
        groups: Numbers of the functions of each; those without a run set are left out.
        requested: Those of ``budgets`` that groups have.
    """
    group_places = np.flatnonzero(np.isin(budgets, requested))
    numbers = {run_set.function for run_set in run_sets}
    members = {name: numbers.intersection(own) for name, own in groups.items()}
    members = {"": numbers} | {name: own for name, own in members.items() if own}
    grids = {name: budgets[group_places] if name else budgets for name in members}
    share = {name: np.zeros(len(grid)) for name, grid in grids.items()}
    drawn = {name: np.zeros((DRAWS, len(grid))) for name, grid in grids.items()}
    runs = dict.fromkeys(members, math.inf)
    for run_set in run_sets:
        order = np.lexsort((run_set.repetitions, run_set.instances))
        runtimes = runtimes_of_runs(run_set.hits)[order] / run_set.unit()
        instances = run_set.instances[order]
        rng = np.random.default_rng([seed, run_set.function, run_set.dimension, len(order)])
        own, others, count = resampled_shares(runtimes, budgets, DRAWS, rng, instances)
        for name, functions in members.items():
            if run_set.function in functions:
                share[name] += own[group_places] if name else own
                drawn[name] += others[:, group_places] if name else others
                runs[name] = min(runs[name], count)
    algorithm = run_sets[0].algorithm
    return {
        name: Shares(algorithm, grids[name], share[name] / n, drawn[name] / n, int(runs[name]))
        for name, n in ((name, len(functions)) for name, functions in members.items())
    }

"""Who is first on a group of functions within a budget, by how much, and how sure that is.

Shares of function-target pairs are of runs as they were (no restarts). The uncertainty comes from
the runs: they are drawn anew, with replacement, function by function, the same draw for all
algorithms with equally many runs (bootstrap; Efron and Tibshirani, "An Introduction to the
Bootstrap", 1993, chapter 13).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..asking.context import LEVEL
from ..data.counting import SECONDS, axis_of
from ..data.run_sets import RunSet
from ..statistics.bands import Resampled, band, resampled_shares
from ..statistics.hits import runtimes_of_runs
from ..statistics.intervals import Resampling
from ..statistics.quantiles import Floats
from ..targets.budgets import up_to_the_ends

DRAWS = 400
PER_DECADE = 20


@dataclass(frozen=True, eq=False)
class Shares:
    """What one algorithm solved of some functions in one dimension, and what it might have.

    ``drawn`` is the share for each draw of the runs, ``(DRAWS, n_budgets)``; ``runs`` are the
    fewest on a function, or instances where these were drawn.
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
        share, drawn = (np.array([one[i] for one in found]) for i in (0, 1))
        return band([Resampled(share, drawn.T, self.runs)], Resampling(LEVEL, seed, DRAWS))


def grouped_shares(
    run_sets: Sequence[RunSet],
    budgets: Floats,
    seed: int,
    groups: dict[str, Sequence[int]],
    requested: Sequence[float] = (),
) -> dict[str, Shares]:
    """Shares over all functions, under the name ``""``, and over groups of them.

    Groups have the ``requested`` budgets alone; those without a run set are left out.
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


_TAIL = 0.025
_LEAST_FREEDOM = 5
"""Degrees of freedom below which draws of the runs tell too little of how far they may be off."""
ALL = "all"


@dataclass(frozen=True)
class Place:
    """One algorithm in a standing: its share of pairs within the budget, and how far it is behind.

    Above 0, ``behind_low`` says that the first is first; NaN where there are too few runs to say.
    """

    algorithm: str
    share: float
    low: float
    high: float
    behind: float
    behind_low: float
    behind_high: float


@dataclass(frozen=True, eq=False)
class Standing:
    """Algorithms by their share of pairs solved within a budget, the first first.

    ``near`` are those whose difference from the first may be zero; all, where there are too few
    runs to say. ``shares`` is what the places were made of, in their order; ``tail`` the part of
    each side outside the intervals of differences.
    """

    suite: str
    dimension: int
    group: str
    functions: tuple[int, ...]
    budget: float
    axis: str
    places: tuple[Place, ...] = ()
    near: tuple[str, ...] = ()
    shares: tuple[Shares, ...] = ()
    tail: float = _TAIL


def standings_of(
    run_sets: Sequence[RunSet], groups: dict[str, Sequence[int]], seed: int
) -> list[Standing]:
    """Standings of one suite and dimension: of all functions, of each group, by budget.

    Budgets are powers of ten from 10 on below the longest run, and the longest run of each
    algorithm, in evaluations / dimension; in seconds from a thousandth of the longest run on. Those
    of all functions come first; none where the algorithms have no function in common.
    """
    found: dict[str, list[RunSet]] = {}
    for run_set in run_sets:
        found.setdefault(run_set.algorithm, []).append(run_set)
    common = set.intersection(*({run_set.function for run_set in own} for own in found.values()))
    if not common:
        return []
    dimension = run_sets[0].dimension
    ends = [max(float(run_set.spent.max()) for run_set in own) for own in found.values()]
    unit, axis = run_sets[0].unit(), axis_of("evaluations/dimension", run_sets[0].count)
    longest = max(ends) / unit
    first = math.floor(math.log10(longest or 1.0)) - 3 if axis == SECONDS else 0
    usual = up_to_the_ends(ends, unit, first, 1)
    requested = [b for b in usual if b >= 10.0 ** (first + 1) or b == longest]
    budgets = np.array(up_to_the_ends(ends, unit, first, PER_DECADE))
    by_group: dict[str, list[Shares]] = {}
    for own in found.values():
        chosen = [run_set for run_set in own if run_set.function in common]
        for name, shares in grouped_shares(chosen, budgets, seed, groups, requested).items():
            by_group.setdefault(name or ALL, []).append(shares)
    members = {name: tuple(sorted(common.intersection(own))) for name, own in groups.items()}
    members[ALL] = tuple(sorted(common))
    suite, standings = run_sets[0].suite, []
    for name, own_shares in by_group.items():
        bands = {shares.algorithm: shares.intervals(requested, seed) for shares in own_shares}
        for i, budget in enumerate(requested):
            ends_there = {algorithm: band[:, i] for algorithm, band in bands.items()}
            standing = Standing(suite, dimension, name, members[name], budget, axis)
            standings.append(_with_places(standing, own_shares, ends_there))
    return standings


def _with_places(
    standing: Standing, shares: Sequence[Shares], ends: Mapping[str, Floats]
) -> Standing:
    """A standing with its algorithms; ``ends`` are those of each algorithm's share.

    Intervals of differences are quantiles of those of the draws, widened around the difference by
    Student's quantile over the normal one, within -1 … 1.
    """
    budget = standing.budget
    ranked = sorted(shares, key=lambda own: (-own.at(budget)[0], own.algorithm))
    best, drawn = ranked[0].at(budget)
    tail = _TAIL / max(len(ranked) - 1, 1)
    differences = drawn - np.array([own.at(budget)[1] for own in ranked])
    observed = np.array([best - own.at(budget)[0] for own in ranked])
    spread = np.quantile(differences, [tail, 1 - tail], axis=1) - observed
    difference_ends = observed + spread * _widening(ranked, len(standing.functions), tail)
    lows, highs = np.clip(difference_ends, -1.0, 1.0).tolist()
    places, near = [], []
    for own, low, high in zip(ranked, lows, highs, strict=True):
        share, (from_, to) = own.at(budget)[0], ends[own.algorithm].tolist()
        places.append(Place(own.algorithm, share, from_, to, best - share, low, high))
        if own is not ranked[0] and not low > 0:
            near.append(own.algorithm)
    return replace(
        standing, places=tuple(places), near=tuple(near), shares=tuple(ranked), tail=tail
    )


def _widening(shares: Sequence[Shares], functions: int, tail: float) -> float:
    """Student's quantile by the normal one: few runs tell their own spread badly.

    Degrees of freedom: runs less one, of each function. NaN where these are fewer than 5.
    """
    from scipy import special

    freedom = functions * (min(own.runs for own in shares) - 1)
    if freedom < _LEAST_FREEDOM:
        return float("nan")
    return float(special.stdtrit(freedom, 1 - tail) / special.ndtri(1 - tail))

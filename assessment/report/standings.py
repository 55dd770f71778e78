"""Rankings of algorithms within budgets on groups of functions, with intervals.

Shares of function-target pairs are computed from runs as they were, without restarts. Intervals
come from the bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter
13): runs are resampled with replacement on each function, with the same resamples for all
algorithms that have equally many runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..cost import SECONDS, axis_of
from ..hits.run_sets import RunSet
from ..questions._framework.context import LEVEL
from ..statistics.bands import PairedResamples, compute_band, resample_paired_profile
from ..statistics.hits import runtimes_of_runs
from ..statistics.intervals import Resampling
from ..statistics.quantiles import Floats
from ..targets.budgets import up_to_the_ends, without_close_budgets

DRAWS = 400
"""Number of resamples."""
PER_DECADE = 20
"""Budgets per decade at which shares of all functions are computed."""
ALL = "all"
"""Name of the group of all functions."""
_TAIL = 0.025
"""Probability on each side outside a 95 % interval."""
_LEAST_FREEDOM = 5
"""Minimum degrees of freedom of an interval; with fewer, resamples show too little of the error."""


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of function-target pairs that one algorithm solved on a group of functions.

    Attributes:
        budgets: Budgets in the unit of the axis, ascending, shape ``(n_budgets,)``.
        share: The share at each budget, shape ``(n_budgets,)``.
        resamples: The share in each resample, shape ``(DRAWS, n_budgets)``.
        runs: Minimum over the functions of the number of runs, or of instances if these were
            resampled.
    """

    algorithm: str
    budgets: Floats
    share: Floats
    resamples: Floats
    runs: int

    def budget_of(self, share: Floats, curves: Floats) -> Floats:
        """Return the least budget at which each curve reaches its share; inf if it does not.

        Args:
            share: The shares, shape ``(n,)``.
            curves: Shares by budget, shape ``(n, n_budgets)``.
        """
        reached = curves >= share[:, np.newaxis] - 1e-12
        first = reached.argmax(axis=1)
        return np.where(reached.any(axis=1), self.budgets[first], np.inf)

    def at(self, budget: float) -> tuple[float, Floats]:
        """Return the share and the resampled shares at the largest budget <= ``budget``."""
        i = int(np.searchsorted(self.budgets, budget * (1 + 1e-9), side="right")) - 1
        return float(self.share[i]), self.resamples[:, i]

    def intervals(self, budgets: Sequence[float], seed: int) -> Floats:
        """Return 95 % bands of the shares at budgets, see `compute_band`.

        Returns:
            Lower and upper ends, shape ``(2, n_budgets)``; NaN if there is one run.
        """
        if not budgets:  # no run made an evaluation
            return np.empty((2, 0))
        values = [self.at(budget) for budget in budgets]
        shares = np.array([share for share, _ in values])
        resampled = np.array([resampled for _, resampled in values])
        profile = PairedResamples(shares, resampled.T, self.runs).summarize()
        return compute_band([profile], Resampling(LEVEL, seed, DRAWS))


def grouped_shares(
    run_sets: Sequence[RunSet],
    budgets: Floats,
    seed: int,
    groups: dict[str, Sequence[int]],
    requested: Sequence[float] = (),
) -> dict[str, Shares]:
    """Compute the shares of one algorithm on all functions and on groups of functions.

    Args:
        run_sets: The runs of the algorithm in one dimension.
        budgets: Budgets at which the shares on all functions are computed.
        seed: Seed of the resamples.
        groups: Functions of each group.
        requested: Budgets at which the shares on groups are computed; a part of ``budgets``.

    Returns:
        Shares by group. The name of all functions is ``""``. Groups without runs are missing.
    """
    requested_columns = np.flatnonzero(np.isin(budgets, requested))
    all_functions = {run_set.function for run_set in run_sets}
    members = {"": all_functions}
    for name, functions in groups.items():
        if common := all_functions.intersection(functions):
            members[name] = common
    # A slice of all columns needs no copy.
    columns = {name: requested_columns if name else slice(None) for name in members}
    share = {name: np.zeros(len(budgets[columns[name]])) for name in members}
    resamples = {name: np.zeros((DRAWS, len(share[name]))) for name in members}
    runs = dict.fromkeys(members, math.inf)
    for run_set in run_sets:
        order = np.lexsort((run_set.repetitions, run_set.instances))
        runtimes = runtimes_of_runs(run_set.hits)[order] / run_set.unit()
        instances = run_set.instances[order]
        rng = np.random.default_rng([seed, run_set.function, run_set.dimension, len(order)])
        function_share, function_resamples, n_resampled = resample_paired_profile(
            runtimes, budgets, DRAWS, rng, instances
        )
        for name, member_functions in members.items():
            if run_set.function in member_functions:
                share[name] += function_share[columns[name]]
                resamples[name] += function_resamples[:, columns[name]]
                runs[name] = min(runs[name], n_resampled)
    algorithm = run_sets[0].algorithm
    return {
        name: Shares(
            algorithm,
            budgets[columns[name]],
            share[name] / len(functions),
            resamples[name] / len(functions),
            int(runs[name]),
        )
        for name, functions in members.items()
    }


@dataclass(frozen=True)
class RankedAlgorithm:
    """One algorithm in a ranking.

    Attributes:
        algorithm: Its name.
        share: Its share of function-target pairs within the budget.
        low: Lower end of the interval of the share; NaN if there are too few runs.
        high: Upper end of the interval of the share; NaN if there are too few runs.
        behind: The share of the first algorithm, less its share.
        behind_low: Lower end of the interval of ``behind``. Above 0, the first algorithm is better
            with certainty. NaN if there are too few runs.
        behind_high: Upper end of the interval of ``behind``; NaN if there are too few runs.
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
    """Ranking of algorithms by their share of pairs solved within a budget, the best first.

    Attributes:
        suite: The suite.
        dimension: The dimension.
        group: Name of the group of functions, or `ALL`.
        functions: The functions of the group that all algorithms were run on.
        budget: The budget, in the unit of ``axis``.
        axis: Unit of budgets.
        places: The algorithms, the best first.
        near: Algorithms whose difference from the first may be zero; all others if there are too
            few runs.
        shares: The shares from which the ranking was computed, in its order.
        tail: Probability on each side outside the intervals of differences.
    """

    suite: str
    dimension: int
    group: str
    functions: tuple[int, ...]
    budget: float
    axis: str
    places: tuple[RankedAlgorithm, ...] = ()
    near: tuple[str, ...] = ()
    shares: tuple[Shares, ...] = ()
    tail: float = _TAIL


def standings_of(
    run_sets: Sequence[RunSet],
    groups: dict[str, Sequence[int]],
    seed: int,
    budgets_of_targets: Sequence[float] = (),
) -> list[Standing]:
    """Rank the algorithms of one suite and dimension on all functions and on each group.

    Budgets are ``budgets_of_targets`` if there are some, in evaluations / dimension. Otherwise they
    are the powers of ten from 10 on that are below the longest run, and the end of the longest run
    of each algorithm, in evaluations / dimension. In seconds, they start at a thousandth of the
    longest run. Of budgets that differ by less than 10 %, only the largest is used.

    Args:
        run_sets: The runs with their hits.
        groups: Functions of each group.
        seed: Seed of the resamples.
        budgets_of_targets: Budgets of run-length targets, in evaluations / dimension; empty for
            other targets. They are not used for runs in seconds.

    Returns:
        Rankings by group and budget; those of all functions come first. Empty if the algorithms
        have no function in common.
    """
    by_algorithm: dict[str, list[RunSet]] = {}
    for run_set in run_sets:
        by_algorithm.setdefault(run_set.algorithm, []).append(run_set)
    common = set.intersection(
        *({run_set.function for run_set in members} for members in by_algorithm.values())
    )
    if not common:
        return []
    ends = [
        max(float(run_set.spent.max()) for run_set in members) for members in by_algorithm.values()
    ]
    unit, axis = run_sets[0].unit(), axis_of("evaluations/dimension", run_sets[0].count)
    longest = max(ends) / unit
    first = math.floor(math.log10(longest or 1.0)) - 3 if axis == SECONDS else 0
    decades = up_to_the_ends(ends, unit, first, 1)
    requested = list(
        without_close_budgets([b for b in decades if b >= 10.0 ** (first + 1) or b == longest])
    )
    budgets = np.array(up_to_the_ends(ends, unit, first, PER_DECADE))
    if budgets_of_targets and axis != SECONDS:
        requested = list(budgets_of_targets)
        budgets = np.union1d(budgets, requested)
    shares_by_group: dict[str, list[Shares]] = {}
    for members in by_algorithm.values():
        on_common = [run_set for run_set in members if run_set.function in common]
        for name, shares in grouped_shares(on_common, budgets, seed, groups, requested).items():
            shares_by_group.setdefault(name or ALL, []).append(shares)
    functions = {name: tuple(sorted(common.intersection(f))) for name, f in groups.items()}
    functions[ALL] = tuple(sorted(common))
    standings = []
    for name, shares_of_group in shares_by_group.items():
        bands = {shares.algorithm: shares.intervals(requested, seed) for shares in shares_of_group}
        for i, budget in enumerate(requested):
            ends_at_budget = {algorithm: band[:, i] for algorithm, band in bands.items()}
            standing = Standing(
                suite=run_sets[0].suite,
                dimension=run_sets[0].dimension,
                group=name,
                functions=functions[name],
                budget=budget,
                axis=axis,
            )
            standings.append(_rank(standing, shares_of_group, ends_at_budget))
    return standings


def _rank(standing: Standing, shares: Sequence[Shares], ends: Mapping[str, Floats]) -> Standing:
    """Return a ranking with its algorithms.

    Intervals of differences are quantiles of the differences of the resamples. They are widened
    around the observed difference, see `_widening`, and clipped to -1 … 1.

    Args:
        standing: The ranking without algorithms.
        shares: The shares of each algorithm.
        ends: Lower and upper end of the interval of each algorithm's share.
    """
    budget = standing.budget
    ranked = sorted(shares, key=lambda candidate: (-candidate.at(budget)[0], candidate.algorithm))
    best_share, best_resamples = ranked[0].at(budget)
    tail = _TAIL / max(len(ranked) - 1, 1)  # Bonferroni correction
    differences = best_resamples - np.array([candidate.at(budget)[1] for candidate in ranked])
    observed = np.array([best_share - candidate.at(budget)[0] for candidate in ranked])
    spread = np.quantile(differences, [tail, 1 - tail], axis=1) - observed
    difference_ends = observed + spread * _widening(ranked, len(standing.functions), tail)
    lows, highs = np.clip(difference_ends, -1.0, 1.0).tolist()
    ranks, near = [], []
    for candidate, behind_low, behind_high in zip(ranked, lows, highs, strict=True):
        share = candidate.at(budget)[0]
        low, high = ends[candidate.algorithm].tolist()
        ranks.append(
            RankedAlgorithm(
                algorithm=candidate.algorithm,
                share=share,
                low=low,
                high=high,
                behind=best_share - share,
                behind_low=behind_low,
                behind_high=behind_high,
            )
        )
        # NaN, of too few runs, counts as near.
        if candidate is not ranked[0] and not behind_low > 0:
            near.append(candidate.algorithm)
    return replace(standing, places=tuple(ranks), near=tuple(near), shares=tuple(ranked), tail=tail)


def _widening(shares: Sequence[Shares], n_functions: int, tail: float) -> float:
    """Return the ratio of Student's quantile to the normal quantile.

    Intervals are widened by it, because few runs underestimate their own spread.
    ``degrees of freedom = n_functions * (runs - 1)``; NaN if these are fewer than 5.
    """
    from scipy import special

    freedom = n_functions * (min(candidate.runs for candidate in shares) - 1)
    if freedom < _LEAST_FREEDOM:
        return float("nan")
    return float(special.stdtrit(freedom, 1 - tail) / special.ndtri(1 - tail))

"""Has an optimizer become slower or less reliable on one function: tests and the ratio of clocks.

``factor`` is how much slower the new runs may be: the base's clock is slowed by it (its hits and
ends are multiplied) before the two are compared. All that is compared is symmetric in the two sets
of runs, so that the tests hold whatever the distribution of runtimes is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .hits import checked, reached_within, repeats, shortest_failure
from .quantiles import Floats
from .rank_tests import Instances, mid_ranks, rank_sum_of_runs, signed_rank_tails

FEWEST_PAIRS = 6
WIDEST = 1e4


@dataclass(frozen=True, eq=False)
class Versions:
    """Runs of two versions of an algorithm on one function and dimension.

    Attributes:
        base_hits: Evaluations at the first hit, shape ``(n, n_targets)``; NaN where not reached.
        base_spent: Evaluations of each run, shape ``(n,)``.
        new_hits: Likewise, shape ``(m, n_targets)``.
        new_spent: Shape ``(m,)``.
        pairs: Rows of base and new that belong together (same instance and repetition), shape
            ``(n_pairs, 2)``; empty where the runs are not paired.
        instances: Of the runs of base and of new, shapes ``(n,)`` and ``(m,)``; None: each run has
            one of its own.
    """

    base_hits: Floats
    base_spent: Floats
    new_hits: Floats
    new_spent: Floats
    pairs: NDArray[np.int64]
    instances: Instances | None = None

    @property
    def by_instance(self) -> bool:
        """Whether some instance has several runs."""
        return self.instances is not None and any(map(repeats, self.instances))

    @property
    def new_first(self) -> Instances | None:
        """Instances of the runs of new and of base."""
        return None if self.instances is None else (self.instances[1], self.instances[0])

    def __post_init__(self) -> None:
        checked(self.base_hits, self.base_spent)
        checked(self.new_hits, self.new_spent)


class Standing(NamedTuple):
    """Where the ranks of the new runs stand under the hypothesis that nothing changed.

    ``p`` is the probability of ranks as slow as these, or slower, ``p_faster`` of ranks as fast, or
    faster; ``excess``, the rank sum minus its mean, is of the runs as two samples and of the pairs;
    ``variance`` of the two excesses is 0 where there is nothing to compare.
    """

    p: float
    p_faster: float
    excess: tuple[float, float]
    variance: tuple[float, float]


def scores(versions: Versions, factor: float) -> tuple[Floats, Floats]:
    """One number for each run of base and new: its mean rank over the targets, small is fast.

    For each target the runs of both are ranked by their hits; runs that missed it, or hit it only
    after the shortest run that missed it had ended, share the last rank.
    """
    hits = np.concatenate([factor * versions.base_hits, versions.new_hits])
    spent = np.concatenate([factor * versions.base_spent, versions.new_spent])
    reached = np.where(reached_within(hits, shortest_failure(hits, spent)), hits, np.inf)
    ranked = np.round(mid_ranks(reached.T).mean(axis=0), 9)
    return ranked[: len(versions.base_spent)], ranked[len(versions.base_spent) :]


def standing(versions: Versions, factor: float) -> Standing:
    """Test whether the new runs are slower than ``factor`` times the base's.

    Two tests of the `scores`: the rank-sum test of all runs (`rank_sum_of_runs`: by instance where
    runs repeat instances), and with at least 6 pairs the signed-rank test of the pairs, which sees
    more where the runs of a pair are alike (same seed, or instances of different difficulty). The
    smaller p-value is doubled, which is valid whatever the pairs are like.
    """
    base, new = scores(versions, factor)
    faster, slower, excess, variance, _ = rank_sum_of_runs(new, base, versions.new_first)
    if len(versions.pairs) < FEWEST_PAIRS:
        return Standing(slower, faster, (excess, 0.0), (variance, 0.0))
    change = new[versions.pairs[:, 1]] - base[versions.pairs[:, 0]]
    signed = np.sign(change) * mid_ranks(np.abs(change))
    pair_faster, pair_slower = signed_rank_tails(signed)
    slower = min(1.0, 2 * min(slower, pair_slower))
    faster = min(1.0, 2 * min(faster, pair_faster))
    pair_excess, pair_variance = signed.sum() / 2, (signed**2).sum() / 4
    return Standing(slower, faster, (excess, pair_excess), (variance, pair_variance))


def overall(cells: Sequence[Versions], factor: float) -> tuple[float, float]:
    """P-values of "slower" and of "faster" over all functions together.

    The excesses of the ranks are summed over functions and divided by the root of their summed
    variances (the stratified test of van Elteren with equal weights for ranks), for samples and
    for pairs; normal distribution; the smaller p-value doubled.
    """
    from scipy import special

    places = [standing(cell, factor) for cell in cells]
    excess = np.sum([place.excess for place in places], axis=0)
    sd = np.sqrt(np.sum([place.variance for place in places], axis=0))
    z = np.divide(excess, sd, out=np.zeros(2), where=sd > 0)
    tests = max(int(np.count_nonzero(sd)), 1)
    slower, faster = special.ndtr(-z).min() * tests, special.ndtr(z).min() * tests
    return float(min(slower, 1.0)), float(min(faster, 1.0))


class Reliability(NamedTuple):
    """Successes of base and new at one target.

    Attributes:
        target: Its position; -1 where half of the runs hit no target.
        base: Runs of the base that hit it.
        new: Runs of the new version that hit it.
        p: Probability, under the hypothesis that nothing changed, of so few successes of the new
            version within the budget that both had.
    """

    target: int
    base: int
    new: int
    p: float


def reliability(versions: Versions, factor: float) -> Reliability:
    """Test whether new runs succeed more rarely than the base's, at the hardest common target.

    The target is the hardest that at least half of all runs hit, base and new together, within
    the shortest run that missed it: chosen without looking at which run is whose. Fisher's exact
    test, one-sided; where runs repeat instances, `rank_sum_of_runs` of the successes.
    """
    from scipy import stats

    hits = np.concatenate([factor * versions.base_hits, versions.new_hits])
    spent = np.concatenate([factor * versions.base_spent, versions.new_spent])
    reached = reached_within(hits, shortest_failure(hits, spent))
    known = np.flatnonzero(reached.mean(axis=0) >= 0.5)
    if not known.size:
        return Reliability(-1, 0, 0, 1.0)
    target, n = int(known[-1]), len(versions.base_spent)
    base, new = int(reached[:n, target].sum()), int(reached[n:, target].sum())
    if versions.by_instance:
        missed = 1.0 - reached[:, target]
        p = rank_sum_of_runs(missed[n:], missed[:n], versions.new_first).above
    else:
        p = float(stats.hypergeom.cdf(new, len(hits), base + new, len(hits) - n))
    return Reliability(target, base, new, min(p, 1.0))


def clock_ratio(cells: Sequence[Versions], level: float) -> tuple[float, float, float]:
    """How many times slower the new runs are, with a confidence interval.

    The factors by which the base's clock can be slowed without the tests of `standing` (of one
    function) or `overall` (of several) saying, each at ``(1 - level) / 2``, that the new runs are
    slower or faster still. ``ratio`` is where both p-values are equal; ends beyond a factor of
    10,000 are 0 and inf.
    """

    @cache
    def tails(log_factor: float) -> tuple[float, float]:
        factor = float(np.exp(log_factor))
        if len(cells) > 1:
            return overall(cells, factor)
        return standing(cells[0], factor)[:2]

    alpha = (1 - level) / 2
    low = _first(lambda x: tails(x)[0] > alpha)
    high = _first(lambda x: tails(x)[1] <= alpha)
    slow = _first(lambda x: tails(x)[0] >= tails(x)[1])
    fast = _first(lambda x: tails(x)[0] > tails(x)[1])
    ratio = float(np.exp((slow + fast) / 2)) if np.isfinite([slow, fast]).all() else float("nan")
    return ratio, float(np.exp(low)), float(np.exp(high))


def _first(holds: Callable[[float], bool]) -> float:
    """The smallest log-factor from which on ``holds`` is True; -inf and inf beyond the range."""
    low, high = -np.log(WIDEST), np.log(WIDEST)
    if holds(low):
        return -np.inf
    if not holds(high):
        return np.inf
    while high - low > 5e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return float(low + high) / 2

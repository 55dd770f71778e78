"""Tests whether an optimizer became slower or less reliable on a function, and ratios of runtimes.

``factor`` is the tolerated slowdown of the new runs. The hits and the lengths of the base's runs
are multiplied by it before the two versions are compared. Everything that is compared is symmetric
in the two sets of runs, so that the tests are valid for any distribution of runtimes.
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

FEWEST_PAIRS = 6  # with which the test of pairs is used
WIDEST = 1e4  # largest factor of a confidence interval; ends beyond are 0 or inf
_LOG_TOLERANCE = 5e-3  # of an end of the interval, on the natural logarithm of the factor


@dataclass(frozen=True, eq=False)
class Versions:
    """Runs of two versions of an algorithm on one function and dimension.

    Attributes:
        base_hits: Evaluation of the first hit of the base's runs, shape ``(n, n_targets)``; NaN if
            the run did not hit the target.
        base_spent: Evaluations of each of these runs in total, shape ``(n,)``.
        new_hits: Evaluation of the first hit of the new runs, shape ``(m, n_targets)``.
        new_spent: Evaluations of each of these runs in total, shape ``(m,)``.
        pairs: Rows of base and new runs with the same instance and repetition, shape
            ``(n_pairs, 2)``; empty if the runs are not paired.
        instances: Instances of the runs of base and new, shapes ``(n,)`` and ``(m,)``. None: each
            run has another instance.

    Raises:
        ValueError: Hits and evaluations do not fit together.
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
        """Instances of the runs of new and base, in this order; None if all are different."""
        return None if self.instances is None else (self.instances[1], self.instances[0])

    def __post_init__(self) -> None:
        checked(self.base_hits, self.base_spent)
        checked(self.new_hits, self.new_spent)


class Standing(NamedTuple):
    """Result of the test of the ranks of the new runs.

    Attributes:
        p: Probability of ranks at least as slow, under the hypothesis of no change.
        p_faster: Probability of ranks at least as fast, under the same hypothesis.
        excess: Rank sum minus its mean: of the runs as two samples, and of the pairs.
        variance: Variances of the two excesses; 0 if there is nothing to compare.
    """

    p: float
    p_faster: float
    excess: tuple[float, float]
    variance: tuple[float, float]


def scores(versions: Versions, factor: float) -> tuple[Floats, Floats]:
    """Compute a score of each run: its mean rank over the targets; small is fast.

    For each target the runs of both versions are ranked by their hits. Runs share the last rank if
    they missed the target, or hit it only after the end of the shortest run that missed it.

    Args:
        versions: Runs of both versions.
        factor: Tolerated slowdown.

    Returns:
        Scores of the base's runs, shape ``(n,)``, and of the new runs, shape ``(m,)``.
    """
    hits = np.concatenate([factor * versions.base_hits, versions.new_hits])
    spent = np.concatenate([factor * versions.base_spent, versions.new_spent])
    is_comparable = reached_within(hits, shortest_failure(hits, spent))
    runtimes = np.where(is_comparable, hits, np.inf)
    mean_ranks = np.round(mid_ranks(runtimes.T).mean(axis=0), 9)
    n = len(versions.base_spent)
    return mean_ranks[:n], mean_ranks[n:]


def standing(versions: Versions, factor: float) -> Standing:
    """Test whether the new runs are slower than ``factor`` times the base's.

    The rank-sum test of the `scores` of all runs (`rank_sum_of_runs`; by instance if runs repeat
    instances). With at least 6 pairs it is combined with the signed-rank test of the pairs, which
    detects more if the runs of a pair are similar (equal seeds, or instances of different
    difficulty): the smaller p-value is doubled, which is valid whatever the pairs are like.

    Args:
        versions: Runs of both versions.
        factor: Tolerated slowdown.
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


def overall(functions: Sequence[Versions], factor: float) -> tuple[float, float]:
    """Test whether new runs are slower, or faster, over all functions together.

    The excesses of the ranks are summed over functions and divided by the root of their summed
    variances (the stratified test of van Elteren with equal weights for ranks), for samples and
    for pairs. The distribution is normal. If there are both tests, the smaller p-value is doubled.

    Args:
        functions: Runs of both versions on each function.
        factor: Tolerated slowdown.

    Returns:
        P-values of "slower" and of "faster".
    """
    from scipy import special

    tests = [standing(versions, factor) for versions in functions]
    excess = np.sum([test.excess for test in tests], axis=0)
    sd = np.sqrt(np.sum([test.variance for test in tests], axis=0))
    z = np.divide(excess, sd, out=np.zeros(2), where=sd > 0)
    n_tests = max(int(np.count_nonzero(sd)), 1)
    slower, faster = special.ndtr(-z).min() * n_tests, special.ndtr(z).min() * n_tests
    return float(min(slower, 1.0)), float(min(faster, 1.0))


class Reliability(NamedTuple):
    """Successes of base and new at one target.

    Attributes:
        target: Index of the target; -1 if no target was hit by half of the runs.
        base: Number of runs of the base that hit it.
        new: Number of new runs that hit it.
        p: Probability, under the hypothesis of no change, of at most as many successes of the new
            version, within a budget that both versions had.
    """

    target: int
    base: int
    new: int
    p: float


def reliability(versions: Versions, factor: float) -> Reliability:
    """Test whether new runs succeed less often than the base's, at the hardest common target.

    The target is the hardest that at least half of all runs hit, base and new together, within
    the shortest run that missed it. This choice does not depend on which run is whose. The test is
    Fisher's exact test, one-sided; if runs repeat instances, it is `rank_sum_of_runs` of the
    successes.

    Args:
        versions: Runs of both versions.
        factor: Tolerated slowdown.
    """
    from scipy import stats

    hits = np.concatenate([factor * versions.base_hits, versions.new_hits])
    spent = np.concatenate([factor * versions.base_spent, versions.new_spent])
    is_hit = reached_within(hits, shortest_failure(hits, spent))
    common_targets = np.flatnonzero(is_hit.mean(axis=0) >= 0.5)
    if not common_targets.size:
        return Reliability(-1, 0, 0, 1.0)
    target, n = int(common_targets[-1]), len(versions.base_spent)
    base, new = int(is_hit[:n, target].sum()), int(is_hit[n:, target].sum())
    if versions.by_instance:
        is_missed = 1.0 - is_hit[:, target]
        p = rank_sum_of_runs(is_missed[n:], is_missed[:n], versions.new_first).above
    else:
        p = float(stats.hypergeom.cdf(new, len(hits), base + new, len(hits) - n))
    return Reliability(target, base, new, min(p, 1.0))


def clock_ratio(functions: Sequence[Versions], level: float) -> tuple[float, float, float]:
    """Estimate the ratio of the runtimes of new and base, with a confidence interval.

    The interval contains the factors by which the base can be slowed down so that the test of
    `standing` (of one function) or `overall` (of several) finds the new runs neither slower nor
    faster, at ``(1 - level) / 2`` each. At the estimate both p-values are equal.

    Args:
        functions: Runs of both versions on each function, at least one.
        level: Confidence level.

    Returns:
        Ratio (NaN if it is outside the range), lower end and upper end. Ends beyond a factor of
        10,000 are 0 and inf.
    """

    @cache
    def tails(log_factor: float) -> tuple[float, float]:
        factor = float(np.exp(log_factor))
        if len(functions) > 1:
            return overall(functions, factor)
        return standing(functions[0], factor)[:2]

    alpha = (1 - level) / 2
    low = _find_first(lambda x: tails(x)[0] > alpha)
    high = _find_first(lambda x: tails(x)[1] <= alpha)
    # P-values are step functions: they may be equal in an interval, whose middle is the estimate.
    start = _find_first(lambda x: tails(x)[0] >= tails(x)[1])
    end = _find_first(lambda x: tails(x)[0] > tails(x)[1])
    ratio = float(np.exp((start + end) / 2)) if np.isfinite([start, end]).all() else float("nan")
    return ratio, float(np.exp(low)), float(np.exp(high))


def _find_first(is_true: Callable[[float], bool]) -> float:
    """Return the smallest log-factor from which on ``is_true`` holds; infinite if out of range."""
    low, high = -np.log(WIDEST), np.log(WIDEST)
    if is_true(low):
        return -np.inf
    if not is_true(high):
        return np.inf
    while high - low > _LOG_TOLERANCE:
        middle = (low + high) / 2
        low, high = (low, middle) if is_true(middle) else (middle, high)
    return float(low + high) / 2

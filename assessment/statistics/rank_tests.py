"""Rank sums of two samples of runs among all that chance could have given, instance by instance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import Floats
from .rank_distributions import EXACT_UP_TO, mid_ranks, normal_tails, rank_sum_tails, split_sums
from .repetitions import mostly_shared, repeats

Instances = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Of the runs of the first sample and of those of the second."""


class RankSum(NamedTuple):
    """Where the rank sum of the first sample stands.

    Attributes:
        below: Probability of a sum at most as large under the hypothesis of no difference.
        above: Likewise at least as large.
        excess: The sum minus its mean under the hypothesis.
        variance: Of the sum under the hypothesis.
        sizes: How many runs (or instances, where they were exchanged as a whole) both samples have.
    """

    below: float
    above: float
    excess: float
    variance: float
    sizes: tuple[int, int]

    @property
    def superiority(self) -> float:
        """Probability that one of the first is below one of the second, ties counting one half."""
        return min(max(0.5 - self.excess / (self.sizes[0] * self.sizes[1]), 0.0), 1.0)


def rank_sum_of_runs(
    first: ArrayLike, second: ArrayLike, instances: Instances | None = None
) -> RankSum:
    """The rank sum of the runs of ``first`` among those of both, smaller values ranking lower.

    Without ``instances``, or where none repeats, runs are exchangeable: the rank-sum test. Else

    * both samples have at least half of all instances in common: runs are exchanged within these
      only, their ranks being those among all (runs on other instances are left out). It tests
      whether there is a difference on these instances;
    * else each instance stands for its runs by their mean rank, and instances are exchanged as a
      whole. It tests whether there is a difference on the function.

    Exact up to 60 runs (instances), beyond by the normal distribution.

    Args:
        first: Shape ``(n,)``; inf allowed.
        second: Shape ``(m,)``.
        instances: Of the runs of both.

    >>> found = rank_sum_of_runs([1, 2, 3, 4], [5, 6, 7, 8])
    >>> round(found.below * 70), found.superiority
    (1, 1.0)
    >>> inside = np.array([1, 1, 2, 2]), np.array([1, 1, 2, 2])
    >>> round(rank_sum_of_runs([1, 2, 3, 4], [5, 6, 7, 8], inside).below * 36)
    1
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if instances is None or not (repeats(instances[0]) or repeats(instances[1])):
        return _exchanged(mid_ranks(np.concatenate([x, y])), len(x))
    first_instances, second_instances = instances
    if mostly_shared(first_instances, second_instances):
        mine, theirs = (
            np.isin(first_instances, second_instances),
            np.isin(second_instances, first_instances),
        )
        ranks = mid_ranks(np.concatenate([x[mine], y[theirs]]))
        return _within(ranks, first_instances[mine], second_instances[theirs])
    ranks = mid_ranks(np.concatenate([x, y]))
    means = [_means(ranks[: len(x)], first_instances), _means(ranks[len(x) :], second_instances)]
    return _exchanged(mid_ranks(np.concatenate(means)), len(means[0]))


def _exchanged(ranks: Floats, n: int) -> RankSum:
    total = len(ranks)
    below, above = rank_sum_tails(ranks, n)
    excess = float(ranks[:n].sum() - n * (total + 1) / 2)
    variance = n * (total - n) / max(total - 1, 1) * float(ranks.var())
    return RankSum(below, above, excess, variance, (n, total - n))


def _within(ranks: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> RankSum:
    """Exchanged within instances: the convolution of the instances' distributions."""
    n = len(first)
    numbers = np.concatenate([first, second])
    is_first = np.arange(len(numbers)) < n
    mean = variance = 0.0
    chances, start = np.ones(1), 0
    exact = len(ranks) <= EXACT_UP_TO
    for number in np.unique(numbers):
        there = numbers == number
        doubled = np.sort(np.rint(2 * ranks[there]).astype(np.int64))
        mine, total = int((there & is_first).sum()), len(doubled)
        mean += mine * float(doubled.mean())
        variance += mine * (total - mine) / (total - 1) * float(doubled.var())
        if exact:
            least = int(doubled[:mine].sum())
            most = int(doubled[total - mine :].sum())
            own = split_sums(tuple(doubled.tolist()), mine)[least : most + 1]
            chances, start = np.convolve(chances, own), start + least
    seen = int(np.rint(2 * ranks[:n]).sum())
    if exact:
        place = seen - start
        below, above = float(chances[: place + 1].sum()), float(chances[place:].sum())
    else:
        below, above = normal_tails(seen - mean, float(np.sqrt(variance)), step=2.0)
    sizes = n, len(second)
    return RankSum(min(below, 1.0), min(above, 1.0), (seen - mean) / 2, variance / 4, sizes)


def _means(ranks: Floats, instances: NDArray[np.int64]) -> Floats:
    """Mean rank of the runs of each instance."""
    _, which, counts = np.unique(instances, return_inverse=True, return_counts=True)
    return np.round(np.bincount(which, ranks) / counts, 9)

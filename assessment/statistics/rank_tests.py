"""Rank sums among all that chance could have given, ties included, instance by instance.

Ranks are doubled inside, so that mid-ranks are whole numbers and their sums can be counted. See
Lehmann, "Nonparametrics: Statistical Methods Based on Ranks" (1975), 1.4 and 3.2; Pratt (1959),
"Remarks on zeros and ties in the Wilcoxon signed rank procedures", J. American Statistical
Association 54, 655-667.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import mostly_shared, repeats
from .quantiles import Floats

EXACT_UP_TO = 60
"""Ranks up to which distributions are counted; beyond they are taken as normal."""


def mid_ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing their mean rank; along the last axis, no NaN.

    >>> mid_ranks(np.array([7.0, 5.0, 7.0]))
    array([2.5, 1. , 2.5])
    """
    n = values.shape[-1]
    order = values.argsort(axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    changes = ascending[..., 1:] != ascending[..., :-1]
    edge = np.ones((*values.shape[:-1], 1), dtype=np.bool_)
    begins, ends = np.concatenate([edge, changes], -1), np.concatenate([changes, edge], -1)
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, place, n - 1)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def rank_sum_tails(ranks: Floats, n: int) -> tuple[float, float]:
    """P(rank sum <= seen) and P(>= seen) of the first ``n`` of pooled mid-ranks, ``(total,)``.

    Every choice of ``n`` of the ranks is equally likely. Exact up to 60 ranks, beyond by the normal
    distribution with the variance corrected for ties and a continuity correction.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    seen, total = int(doubled[:n].sum()), len(ranks)
    if total <= EXACT_UP_TO:
        chances = split_sums(tuple(np.sort(doubled).tolist()), n)
        return float(chances[: seen + 1].sum()), float(chances[seen:].sum())
    variance = n * (total - n) / (total - 1) * doubled.var()
    return normal_tails(seen - n * doubled.mean(), np.sqrt(variance), step=2.0)


def signed_rank_tails(signed: Floats) -> tuple[float, float]:
    """Signed-rank test of Wilcoxon: P(sum of positive ranks <= seen) and P(>= seen).

    Conditional on the ranks, every sign is equally likely. Differences of 0 take their ranks, the
    lowest, and belong to neither side (Pratt 1959). Exact up to 60 pairs, beyond by the normal
    distribution with a continuity correction. ``signed`` are ranks of the sizes of the differences
    with their signs, 0 where there is none.
    """
    doubled = np.rint(2 * signed).astype(np.int64)
    moving = np.abs(doubled[doubled != 0])
    positive = int(doubled[doubled > 0].sum())
    if len(signed) <= EXACT_UP_TO:
        chances = _subset_sums(tuple(np.sort(moving).tolist()))
        return float(chances[: positive + 1].sum()), float(chances[positive:].sum())
    sd = np.sqrt((moving.astype(np.float64) ** 2).sum() / 4)
    return normal_tails(positive - moving.sum() / 2, sd, step=2.0)


def normal_tails(distance: float, sd: float, step: float) -> tuple[float, float]:
    """P(at most) and P(at least) of a normal value that lies ``distance`` above its mean.

    Values are ``step`` apart: half of it is the continuity correction. Both are 1 if ``sd`` is 0.
    """
    from scipy import special

    if sd == 0:
        return 1.0, 1.0
    half = step / 2
    return float(special.ndtr((distance + half) / sd)), float(special.ndtr((half - distance) / sd))


@lru_cache(maxsize=256)
def split_sums(doubled: tuple[int, ...], n: int) -> Floats:
    """Probability of each sum of ``n`` of the numbers, drawn without replacement.

    ``counts[k, s]`` is the number of ways to take ``k`` of the numbers so far with sum ``s``.
    ``doubled`` is twice the mid-ranks, ascending: whole numbers. Probabilities are those of the
    sums 0, 1, …, sum of all.
    """
    counts = np.zeros((n + 1, sum(doubled) + 1))
    counts[0, 0] = 1.0
    largest = 1
    for i, rank in enumerate(doubled):
        # from few to many - 1 numbers are taken before: with fewer, n would be out of reach
        few, many = max(n - len(doubled) + i, 0), min(i, n - 1) + 1
        counts[few + 1 : many + 1, rank : rank + largest] += counts[few:many, :largest].copy()
        largest += rank
    probabilities: Floats = counts[n] / counts[n].sum()
    return probabilities


@lru_cache(maxsize=256)
def _subset_sums(doubled: tuple[int, ...]) -> Floats:
    """Probability of each sum of the numbers, each in or out with probability one half."""
    counts = np.zeros(sum(doubled) + 1)
    counts[0] = 1.0
    for rank in doubled:
        shifted = np.zeros_like(counts)
        shifted[rank:] = counts[: len(counts) - rank]
        counts = (counts + shifted) / 2
    return counts


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

"""Distributions of rank sums under the hypothesis of no difference, ties and instances included.

Ranks are doubled internally, so that mid-ranks are integers and their sums can be counted. See
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

EXACT_UP_TO = 60  # ranks; distributions of more are approximated by the normal distribution

# Instance of each run of the first sample and of the second one, shapes ``(n,)`` and ``(m,)``.
Instances = tuple[NDArray[np.int64], NDArray[np.int64]]


class RankSum(NamedTuple):
    """The rank sum of the first of two samples, and its distribution without a difference.

    Attributes:
        below: Probability of a rank sum at most as large, under the hypothesis of no difference.
        above: Probability of a rank sum at least as large, under the same hypothesis.
        excess: Rank sum minus its mean under the hypothesis.
        variance: Variance of the rank sum under the hypothesis.
        sizes: Numbers of runs of both samples, or of instances if whole instances are exchanged.
    """

    below: float
    above: float
    excess: float
    variance: float
    sizes: tuple[int, int]

    @property
    def superiority(self) -> float:
        """Probability that a value of the first sample is below one of the second, ties as 1/2."""
        return min(max(0.5 - self.excess / (self.sizes[0] * self.sizes[1]), 0.0), 1.0)


def rank_sum_of_runs(
    first: ArrayLike, second: ArrayLike, instances: Instances | None = None
) -> RankSum:
    """Compute the rank sum of the runs of one sample among those of both; the smallest is rank 1.

    If no instance has several runs, all runs are exchangeable: the rank-sum test. Otherwise

    * runs are exchanged within instances if both samples share at least half of all instances. The
      ranks are those among the runs on shared instances, and other runs are left out. This tests
      whether there is a difference on these instances.
    * whole instances are exchanged if they share fewer. An instance is represented by the mean rank
      of its runs. This tests whether there is a difference on the function.

    Exact up to 60 runs (or instances), normal beyond.

    Args:
        first: Values of one sample, shape ``(n,)``, without NaN.
        second: Values of the other sample, shape ``(m,)``, without NaN.
        instances: Instances of the runs of both samples. None: each run has another instance.

    >>> separated = rank_sum_of_runs([1, 2, 3, 4], [5, 6, 7, 8])
    >>> round(separated.below * 70), separated.superiority
    (1, 1.0)
    >>> instances = np.array([1, 1, 2, 2]), np.array([1, 1, 2, 2])
    >>> round(rank_sum_of_runs([1, 2, 3, 4], [5, 6, 7, 8], instances).below * 36)
    1
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if instances is None or not (repeats(instances[0]) or repeats(instances[1])):
        return _exchange_all(mid_ranks(np.concatenate([x, y])), len(x))
    first_instances, second_instances = instances
    if mostly_shared(first_instances, second_instances):
        first_is_shared = np.isin(first_instances, second_instances)
        second_is_shared = np.isin(second_instances, first_instances)
        return _exchange_within_instances(
            mid_ranks(np.concatenate([x[first_is_shared], y[second_is_shared]])),
            first_instances[first_is_shared],
            second_instances[second_is_shared],
        )
    ranks = mid_ranks(np.concatenate([x, y]))
    first_means = _average_instances(ranks[: len(x)], first_instances)
    second_means = _average_instances(ranks[len(x) :], second_instances)
    return _exchange_all(mid_ranks(np.concatenate([first_means, second_means])), len(first_means))


def mid_ranks(values: Floats) -> Floats:
    """Rank values without NaN along the last axis, from 1; equal values share their mean rank.

    >>> mid_ranks(np.array([7.0, 5.0, 7.0]))
    array([2.5, 1. , 2.5])
    """
    n = values.shape[-1]
    order = values.argsort(axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    changes = ascending[..., 1:] != ascending[..., :-1]
    edge = np.ones((*values.shape[:-1], 1), dtype=np.bool_)
    is_start, is_end = np.concatenate([edge, changes], -1), np.concatenate([changes, edge], -1)
    positions = np.arange(n)
    # First and last position of the group of equal values around each position.
    first = np.maximum.accumulate(np.where(is_start, positions, 0), axis=-1)
    reversed_ends = np.where(is_end, positions, n - 1)[..., ::-1]
    last = np.minimum.accumulate(reversed_ends, axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def rank_sum_tails(ranks: Floats, n: int) -> tuple[float, float]:
    """Compute P(rank sum <= observed) and P(rank sum >= observed) without a difference.

    All choices of ``n`` of the ranks are equally likely. Exact up to 60 ranks; beyond, by the
    normal distribution with a variance corrected for ties and a continuity correction.

    Args:
        ranks: Mid-ranks of the pooled values, shape ``(total,)``; the first ``n`` are observed.
        n: Size of the first sample.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    observed, total = int(doubled[:n].sum()), len(ranks)
    if total <= EXACT_UP_TO:
        probabilities = split_sums(tuple(np.sort(doubled).tolist()), n)
        return float(probabilities[: observed + 1].sum()), float(probabilities[observed:].sum())
    variance = n * (total - n) / (total - 1) * doubled.var()
    return normal_tails(observed - n * doubled.mean(), np.sqrt(variance), step=2.0)


def signed_rank_tails(signed: Floats) -> tuple[float, float]:
    """Compute P(sum of positive ranks <= observed) and P(>= observed): Wilcoxon's signed-rank test.

    Given the ranks, all signs are equally likely. Differences of 0 have the lowest ranks and belong
    to neither side (Pratt 1959). Exact up to 60 pairs; beyond, by the normal distribution with a
    continuity correction.

    Args:
        signed: Ranks of the absolute differences with the signs of the differences, shape
            ``(n_pairs,)``; 0 for a difference of 0.
    """
    doubled = np.rint(2 * signed).astype(np.int64)
    nonzero = np.abs(doubled[doubled != 0])
    positive = int(doubled[doubled > 0].sum())
    if len(signed) <= EXACT_UP_TO:
        probabilities = _subset_sums(tuple(np.sort(nonzero).tolist()))
        return float(probabilities[: positive + 1].sum()), float(probabilities[positive:].sum())
    sd = np.sqrt((nonzero.astype(np.float64) ** 2).sum() / 4)
    return normal_tails(positive - nonzero.sum() / 2, sd, step=2.0)


def normal_tails(distance: float, sd: float, step: float) -> tuple[float, float]:
    """Compute P(<=) and P(>=) of a value of a normal distribution, with a continuity correction.

    Args:
        distance: Value minus the mean.
        sd: Standard deviation. If it is 0, both probabilities are 1.
        step: Distance between two values; half of it is the continuity correction.
    """
    from scipy import special

    if sd == 0:
        return 1.0, 1.0
    half = step / 2
    return float(special.ndtr((distance + half) / sd)), float(special.ndtr((half - distance) / sd))


@lru_cache(maxsize=256)
def split_sums(doubled: tuple[int, ...], n: int) -> Floats:
    """Compute the probability of each sum of ``n`` of the numbers, drawn without replacement.

    Args:
        doubled: Integers, twice the mid-ranks, ascending.
        n: How many numbers are drawn.

    Returns:
        Probabilities of the sums 0, 1, …, sum of all numbers.
    """
    # `counts[k, s]` is the number of ways to draw k of the numbers so far with the sum s.
    counts = np.zeros((n + 1, sum(doubled) + 1))
    counts[0, 0] = 1.0
    n_sums = 1  # of the numbers so far
    for i, rank in enumerate(doubled):
        # Before this number, from `start` to `end - 1` numbers are drawn: with fewer, n cannot be
        # reached any more.
        start, end = max(n - len(doubled) + i, 0), min(i, n - 1) + 1
        counts[start + 1 : end + 1, rank : rank + n_sums] += counts[start:end, :n_sums].copy()
        n_sums += rank
    probabilities: Floats = counts[n] / counts[n].sum()
    return probabilities


@lru_cache(maxsize=256)
def _subset_sums(doubled: tuple[int, ...]) -> Floats:
    """Compute the probability of each sum if each number is added with probability 1/2."""
    counts = np.zeros(sum(doubled) + 1)
    counts[0] = 1.0
    for rank in doubled:
        shifted = np.zeros_like(counts)
        shifted[rank:] = counts[: len(counts) - rank]
        counts = (counts + shifted) / 2
    return counts


def _exchange_all(ranks: Floats, n: int) -> RankSum:
    total = len(ranks)
    below, above = rank_sum_tails(ranks, n)
    excess = float(ranks[:n].sum() - n * (total + 1) / 2)
    variance = n * (total - n) / max(total - 1, 1) * float(ranks.var())
    return RankSum(below, above, excess, variance, (n, total - n))


def _exchange_within_instances(
    ranks: Floats, first: NDArray[np.int64], second: NDArray[np.int64]
) -> RankSum:
    """Compute the rank sum if runs are exchanged within instances only.

    Its distribution is the convolution of the distributions of the instances. ``ranks`` are those
    of the runs of both samples; ``first`` and ``second`` are the instances of the runs.
    """
    n = len(first)
    numbers = np.concatenate([first, second])
    is_first = np.arange(len(numbers)) < n
    mean = variance = 0.0
    probabilities, smallest_sum = np.ones(1), 0  # of the sums from `smallest_sum` on
    is_exact = len(ranks) <= EXACT_UP_TO
    for number in np.unique(numbers):
        is_on_instance = numbers == number
        doubled = np.sort(np.rint(2 * ranks[is_on_instance]).astype(np.int64))
        n_first, total = int((is_on_instance & is_first).sum()), len(doubled)
        mean += n_first * float(doubled.mean())
        variance += n_first * (total - n_first) / (total - 1) * float(doubled.var())
        if is_exact:
            minimum = int(doubled[:n_first].sum())
            maximum = int(doubled[total - n_first :].sum())
            sums = split_sums(tuple(doubled.tolist()), n_first)[minimum : maximum + 1]
            probabilities = np.convolve(probabilities, sums)
            smallest_sum += minimum
    observed = int(np.rint(2 * ranks[:n]).sum())
    if is_exact:
        index = observed - smallest_sum
        below, above = float(probabilities[: index + 1].sum()), float(probabilities[index:].sum())
    else:
        below, above = normal_tails(observed - mean, float(np.sqrt(variance)), step=2.0)
    sizes = n, len(second)
    return RankSum(min(below, 1.0), min(above, 1.0), (observed - mean) / 2, variance / 4, sizes)


def _average_instances(ranks: Floats, instances: NDArray[np.int64]) -> Floats:
    """Return the mean rank of the runs of each instance, rounded so that equal means are equal."""
    _, groups, counts = np.unique(instances, return_inverse=True, return_counts=True)
    return np.round(np.bincount(groups, ranks) / counts, 9)

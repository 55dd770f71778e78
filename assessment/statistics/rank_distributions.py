"""Sums of ranks: their distribution where chance alone deals them out, ties included.

Ranks are doubled inside, so that mid-ranks are whole numbers and their sums can be counted. See
Lehmann, "Nonparametrics: Statistical Methods Based on Ranks" (1975), 1.4 and 3.2; Pratt (1959),
"Remarks on zeros and ties in the Wilcoxon signed rank procedures", J. American Statistical
Association 54, 655-667.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

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
    distribution with a continuity correction.

    Args:
        signed: Ranks of the sizes of the differences with their signs, 0 where there is none.
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

    Args:
        doubled: Twice the mid-ranks, ascending: whole numbers.
        n: How many are drawn.

    Returns:
        Of the sums 0, 1, …, sum of all.
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

"""Budgets at which a share of weighted runtimes is reached, and means of the easiest share."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .quantiles import Floats

_ROUNDING = 1e-9
"""Of sums of weights."""


def budgets_of_shares(runtimes: ArrayLike, weights: ArrayLike, shares: ArrayLike) -> Floats:
    """The smallest runtime within which each share lies; inf where it is not reached.

    Args:
        runtimes: Shape ``(n,)``; inf where not reached.
        weights: Of each, summing to 1.
        shares: Shape ``(m,)``, in (0, 1].

    Returns:
        Shape ``(m,)``.

    >>> budgets_of_shares([1.0, 10.0, 100.0, np.inf], np.full(4, 0.25), [0.5, 0.6, 1.0])
    array([ 10., 100.,  inf])
    """
    values, weight = _ascending(runtimes, weights)
    place = np.searchsorted(np.cumsum(weight), np.asarray(shares) - _ROUNDING)
    return np.append(values, np.inf)[place]


def geometric_means_of_easiest(
    runtimes: ArrayLike, weights: ArrayLike, shares: ArrayLike
) -> Floats:
    """Geometric mean of the smallest runtimes that make up each share; inf where it is not reached.

    Its logarithm is the area left of the ECDF, below the share, by the share (Hansen et al., "COCO:
    Performance Assessment" (2016), arXiv:1605.03560, section 5). Arguments as of
    `budgets_of_shares`; runtimes are positive.

    >>> geometric_means_of_easiest([1.0, 100.0, np.inf], np.full(3, 1 / 3), [1 / 3, 0.5, 1.0])
    array([1.        , 4.64158883,        inf])
    """
    values, weight = _ascending(runtimes, weights)
    before = np.cumsum(weight) - weight
    found = []
    for share in np.atleast_1d(np.asarray(shares, dtype=np.float64)).tolist():
        within = np.clip(share - before, 0.0, weight)
        known = within > _ROUNDING * share
        reached = np.isfinite(values[known]).all()
        mean = np.average(np.log(values[known]), weights=within[known]) if reached else np.inf
        found.append(np.exp(mean))
    return np.array(found)


def _ascending(runtimes: ArrayLike, weights: ArrayLike) -> tuple[Floats, Floats]:
    values = np.asarray(runtimes, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    return values[order], np.asarray(weights, dtype=np.float64)[order]


def ratio_of_ends(first: ArrayLike, second: ArrayLike) -> tuple[float, float]:
    """Confidence interval of the ratio of two independent positive numbers, from those of each.

    By the method of variance estimates recovery, on logarithms (Zou and Donner 2008, Statist. Med.
    27). Where a number is inf, the widest ratios of the ends.

    Args:
        first: The number, the lower and the upper end of its interval.
        second: Likewise.

    >>> [round(end, 6) for end in ratio_of_ends([8.0, 4.0, 16.0], [2.0, 2.0, 2.0])]
    [2.0, 8.0]
    """
    (a, a_low, a_high), (b, b_low, b_high) = (np.asarray(ends, dtype=np.float64).tolist()
                                              for ends in (first, second))  # fmt: skip
    if not np.isfinite([a, b]).all():
        return (a_low / b_high if np.isfinite(a_low) else np.inf), np.inf
    down = np.hypot(np.log(a / a_low), np.log(b_high / b))
    up = np.hypot(np.log(a_high / a), np.log(b / b_low))
    return float(a / b * np.exp(-down)), float(a / b * np.exp(up))

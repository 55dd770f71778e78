"""Runtime profiles: which share of function-target pairs is solved within a budget (ECDF).

A profile stands for one algorithm in one dimension; its pairs belong to one or several functions.
Budgets are evaluations divided by the dimension. Formulas are those of COCO: Hansen, Auger,
Brockhoff, Tušar, "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import successes
from .quantiles import Floats

POINTS_PER_DECADE = 50


def ecdf(runtimes: ArrayLike, budgets: ArrayLike) -> Floats:
    """Empirical cumulative distribution of runtimes: the share that is at most each budget.

    ``ecdf(b) = number of runtimes <= b / number of runtimes``; a target that is never reached (inf
    or NaN) counts below the line only.

    Args:
        runtimes: Any shape, for example ``(samples, n_targets)`` of one function.
        budgets: Any shape, in the unit of the runtimes.

    Returns:
        Fractions in [0, 1], in the shape of ``budgets``.

    Raises:
        ValueError: There is no runtime.

    >>> ecdf([[1.0, 5.0], [2.0, np.inf]], [0.5, 2.0, 100.0])
    array([0.  , 0.5 , 0.75])
    """
    values = np.asarray(runtimes, dtype=np.float64).ravel()
    if values.size == 0:
        raise ValueError("no runtimes: an ECDF needs at least one")
    return share_up_to(np.sort(values[np.isfinite(values)]), budgets, values.size)


def share_up_to(ascending: Floats, budgets: ArrayLike, total: int) -> Floats:
    """How many of the sorted values are at most each budget, divided by ``total``."""
    counts = np.searchsorted(ascending, np.asarray(budgets, dtype=np.float64), side="right")
    return np.asarray(counts / total)


def ecdf_over_functions(
    runtimes: Sequence[Floats], budgets: ArrayLike, weights: Sequence[float] | None = None
) -> Floats:
    """ECDF over the function-target pairs of several functions: the weighted mean of their ECDFs.

    With the number of a function's targets as its weight every pair weighs the same, whatever
    number of samples stands for it.

    Args:
        runtimes: One array for each function, shape ``(samples, n_targets)``; ``samples`` may
            differ between functions.
        budgets: In the unit of the runtimes, shape ``(n_budgets,)``.
        weights: One for each function, shape ``(n_functions,)``; None: all the same.

    Raises:
        ValueError: There is no function, or a function without runtimes.
    """
    if not runtimes:
        raise ValueError("no functions: an ECDF needs at least one")
    profile: Floats = np.average(
        [ecdf(sample, budgets) for sample in runtimes], axis=0, weights=weights
    )
    return profile


def budget_grid(runtimes: Sequence[Floats]) -> Floats:
    """Budgets at which a profile is tabulated: ``10**(k/50)``, from its first step to its last.

    The grid points are the same for every algorithm; only where it begins and ends depends on the
    runtimes: with the point below the first and the one at or above the last. Shape
    ``(n_budgets,)``; the single budget 1 where nothing was reached.
    """
    values = np.concatenate([np.ravel(sample) for sample in runtimes])
    reached = values[np.isfinite(values)]
    if reached.size == 0:
        return np.ones(1)
    first, last = np.log10([reached.min(), reached.max()]) * POINTS_PER_DECADE
    grid = 10.0 ** (np.arange(np.floor(first) - 1, np.ceil(last) + 2) / POINTS_PER_DECADE)
    inside = (np.append(grid[1:], np.inf) >= reached.min()) & (
        np.insert(grid[:-1], 0, 0.0) < reached.max()
    )
    tabulated: Floats = grid[inside]
    return tabulated


def solved_pairs(hits: ArrayLike) -> NDArray[np.bool_]:
    """Which targets at least one run reached, shape ``(n_targets,)``.

    >>> solved_pairs([[3.0, np.nan], [4.0, 9.0]])
    array([ True,  True])
    """
    return successes(hits) > 0


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

"""Runtime profiles: which share of function-target pairs is solved within a budget (ECDF).

A profile stands for one algorithm in one dimension; its pairs belong to one or several functions.
Budgets are evaluations divided by the dimension. Formulas are those of COCO: Hansen, Auger,
Brockhoff, Tušar, "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 5.

The area left of and above a profile over the logarithm of the budget is a geometric average of
runtimes (section 5, too). Areas are computed from the runtimes, not from a sampled curve, so they
are exact.

The marker of a profile says how long unsuccessful runs were. Each convention gives a function one
number of evaluations (NaN where every run reached the hardest target); the marker stands at the
median over the functions, NaN left out.

- ``longest`` (default): the longest run that missed the hardest target. Its marker is the cross of
  section 5: "the median of the maximal length of the unsuccessful runs to solve the problems
  aggregated within the ECDF".
- ``median``: the median of the runs that missed it; our own, robust against one long run.
- ``cocopp-x``: the 90 % quantile (hazen) over instances of the evaluations of all runs on an
  instance divided by its successes, at least 1 (cocopp 2.9.1, marker ×).
- ``cocopp-plus``: the 90 % quantile of the runs that missed it or of the successful runtimes,
  whichever is larger (cocopp 2.9.1, marker +).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import AssessmentError
from .hits import runtimes_of_runs, successes
from .quantiles import Floats, hazen_quantile
from .runtime_statistics import geometric_mean

POINTS_PER_DECADE = 50
_ROUNDING = 1e-9
"""Of sums of weights."""
Marker = Literal["longest", "median", "cocopp-x", "cocopp-plus"]
MARKERS: tuple[Marker, ...] = get_args(Marker)


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


def budgets_of_shares(runtimes: ArrayLike, weights: ArrayLike, shares: ArrayLike) -> Floats:
    """The smallest runtime within which each share lies; inf where it is not reached.

    Weights of the runtimes sum to 1; shares lie in (0, 1].

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


def log_area(
    runtimes: ArrayLike, budget: float, start: float = 1.0, weights: ArrayLike | None = None
) -> float:
    """Area under the ECDF over the logarithm of the budget from ``start`` to ``budget``, in [0, 1].

    ``area = mean(log(budget / min(max(RT, start), budget))) / log(budget / start)``, which is the
    integral of the ECDF over ``log b``, divided by the length of the axis: 1 if all is solved by
    ``start``, 0 if nothing by ``budget``. The larger the better. Runtimes are inf or NaN where not
    reached; ``weights`` are the probability of each, None: all the same.

    >>> log_area([1.0, 10.0, 100.0, np.inf], 100.0)
    0.375
    """
    values = _runtimes(runtimes)
    if not 0 < start < budget < np.inf:
        raise AssessmentError(f"area: budget is {budget:g}, must be above the start {start:g} > 0")
    gains = np.log(budget / np.clip(values, start, budget))
    return float(_mean(gains, weights) / np.log(budget / start))


def linear_area(runtimes: ArrayLike, budget: float, weights: ArrayLike | None = None) -> float:
    """Area under the ECDF over the budget itself from 0 to ``budget``, divided by it, in [0, 1].

    ``area = 1 - mean(min(RT, budget)) / budget``; IOHanalyzer's AUC is the trapezoid rule over at
    most 50 points of the same curve. ``weights``: as in `log_area`.

    >>> linear_area([50.0, 100.0, np.inf, np.inf], 100.0)
    0.125
    """
    values = _runtimes(runtimes)
    if not 0 < budget < np.inf:
        raise AssessmentError(f"area: budget is {budget:g}, must be positive and finite")
    return float(1 - _mean(np.minimum(values, budget), weights) / budget)


def capped_geometric_mean(
    runtimes: ArrayLike, budget: float, weights: ArrayLike | None = None
) -> float:
    """Geometric mean of ``min(RT, budget)``: what is not reached by ``budget`` counts as that.

    Where no runtime is below 1, ``log_area(runtimes, budget) = 1 - log(this) / log(budget)``.
    ``weights``: as in `log_area`.

    >>> round(capped_geometric_mean([10.0, np.inf], 1000.0), 9)
    100.0
    """
    own_weights = None if weights is None else np.ravel(np.asarray(weights, dtype=np.float64))
    return float(geometric_mean(np.minimum(_runtimes(runtimes), budget), own_weights))


def _mean(values: Floats, weights: ArrayLike | None) -> float:
    return float(np.average(values, weights=None if weights is None else np.ravel(weights)))


def _runtimes(runtimes: ArrayLike) -> Floats:
    values = np.asarray(runtimes, dtype=np.float64).ravel()
    if values.size == 0:
        raise ValueError("no runtimes: an area needs at least one")
    return runtimes_of_runs(values)


def failure_budget(
    hits: ArrayLike, spent: ArrayLike, instances: ArrayLike, marker: Marker
) -> float:
    """A function's evaluations for the marker of a profile; NaN where no run missed the target.

    ``hits`` are those of the hardest target; for ``marker`` see the module.

    >>> failure_budget([np.nan, 9.0, np.nan], [50.0, 9.0, 60.0], [1, 2, 3], "longest")
    60.0
    """
    runs, ends = np.asarray(hits, dtype=np.float64), np.asarray(spent, dtype=np.float64)
    missed = ~np.isfinite(runs)
    if not missed.any():
        return float("nan")
    if marker == "longest":
        return float(ends[missed].max())
    if marker == "median":
        return hazen_quantile(ends[missed], 0.5)
    if marker == "cocopp-x":
        return hazen_quantile(_per_success(missed, ends, np.asarray(instances)), 0.9)
    failed = hazen_quantile(ends[missed], 0.9)
    return failed if missed.all() else max(failed, hazen_quantile(runs[~missed], 0.9))


def marker_budget(budgets: Sequence[float]) -> float:
    """Where the marker stands: the median over functions; NaN where no function has a number.

    >>> marker_budget([60.0, float("nan"), 100.0])
    80.0
    """
    known = [budget for budget in budgets if math.isfinite(budget)]
    return float(np.median(known)) if known else math.nan


def _per_success(missed: NDArray[np.bool_], spent: Floats, instances: NDArray[np.int64]) -> Floats:
    _, which = np.unique(instances, return_inverse=True)
    successes = np.bincount(which, weights=~missed)
    return np.asarray(np.bincount(which, weights=spent) / np.maximum(successes, 1))

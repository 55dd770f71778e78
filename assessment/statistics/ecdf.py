"""Runtime profiles (ECDF): the share of function-target pairs that is solved within a budget.

A profile belongs to one algorithm in one dimension; its pairs belong to one or several functions.
Budgets are evaluations divided by the dimension. Formulas are those of COCO: Hansen, Auger,
Brockhoff, Tušar, "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 5.

The area to the left of and above a profile, over the logarithm of the budget, is a geometric mean
of runtimes (section 5, too). Areas are computed from the runtimes, not from a sampled curve, so
they are exact.

The marker of a profile shows how long failed runs were. Each convention gives each function a
number of evaluations, which is NaN if all runs hit the hardest target. The marker is at the median
over the functions without NaN.

- ``longest`` (default): the longest run that missed the hardest target. The marker is the cross of
  section 5: "the median of the maximal length of the unsuccessful runs to solve the problems
  aggregated within the ECDF".
- ``median``: the median of the runs that missed it. This convention is firsthit's; one long run
  does not move it.
- ``cocopp-x``: the 90 % quantile (hazen) over instances of the evaluations of all runs on an
  instance divided by its successes, at least 1 (cocopp 2.9.1, marker ×).
- ``cocopp-plus``: the 90 % quantile of the runs that missed it, or that of the successful runtimes,
  whichever is larger (cocopp 2.9.1, marker +).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import AssessmentError
from .hits import runtimes_of_runs, successes
from .quantiles import Floats, hazen_quantile
from .runtime_statistics import geometric_mean

POINTS_PER_DECADE = 50  # budgets at which a profile is tabulated
_ROUNDING = 1e-9  # maximum rounding error of a sum of weights

Marker = Literal["longest", "median", "cocopp-x", "cocopp-plus"]
MARKERS: tuple[Marker, ...] = get_args(Marker)


def ecdf(runtimes: ArrayLike, budgets: ArrayLike) -> Floats:
    """Compute the empirical cumulative distribution function of runtimes at budgets.

    ``ecdf(b) = number of runtimes <= b / number of runtimes``. A target that was not hit (inf or
    NaN) counts in the denominator only.

    Args:
        runtimes: Any shape, for example ``(samples, n_targets)`` of one function.
        budgets: Any shape, in the unit of the runtimes.

    Returns:
        Shares in [0, 1], in the shape of ``budgets``.

    Raises:
        ValueError: There is no runtime.

    Example:
        >>> import numpy as np
        >>> from firsthit.assessment import ecdf
        >>> ecdf([[1.0, 5.0], [2.0, np.inf]], [0.5, 2.0, 100.0])
        array([0.  , 0.5 , 0.75])
    """
    values = np.asarray(runtimes, dtype=np.float64).ravel()
    if values.size == 0:
        raise ValueError("no runtimes: an ECDF needs at least one")
    return share_up_to(np.sort(values[np.isfinite(values)]), budgets, values.size)


def share_up_to(ascending: Floats, budgets: ArrayLike, total: int) -> Floats:
    """Count the values that are at most each budget, divided by ``total``.

    Args:
        ascending: Values, sorted, shape ``(n_values,)``.
        budgets: Any shape, in the unit of the values.
        total: Number by which the counts are divided.

    Returns:
        Shares, in the shape of ``budgets``.
    """
    counts = np.searchsorted(ascending, np.asarray(budgets, dtype=np.float64), side="right")
    return np.asarray(counts / total)


def budget_grid(runtimes: Sequence[Floats]) -> Floats:
    """Return the budgets at which a profile is tabulated: ``10**(k/50)`` around its steps.

    The grid starts below the smallest finite runtime and ends at or above the largest one. Its
    points are the same for all algorithms. Shape ``(n_budgets,)``; the single budget 1 if all
    runtimes are infinite.
    """
    values = np.concatenate([np.ravel(sample) for sample in runtimes])
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return np.ones(1)
    start, end = np.log10([finite.min(), finite.max()]) * POINTS_PER_DECADE
    # One point more than needed at both ends, because logarithms are rounded.
    grid = 10.0 ** (np.arange(np.floor(start) - 1, np.ceil(end) + 2) / POINTS_PER_DECADE)
    is_needed = (np.append(grid[1:], np.inf) >= finite.min()) & (
        np.insert(grid[:-1], 0, 0.0) < finite.max()
    )
    needed: Floats = grid[is_needed]
    return needed


def solved_pairs(hits: ArrayLike) -> NDArray[np.bool_]:
    """Return whether at least one run hit each target, shape ``(n_targets,)``.

    >>> solved_pairs([[3.0, np.nan], [4.0, 9.0]])
    array([ True,  True])
    """
    return successes(hits) > 0


def budgets_of_shares(runtimes: ArrayLike, weights: ArrayLike, shares: ArrayLike) -> Floats:
    """Compute the smallest runtime up to which the weights sum to each share.

    Args:
        runtimes: Shape ``(n_runtimes,)``; inf if the target was not hit.
        weights: Weight of each runtime; sums to 1.
        shares: Any shape, in (0, 1].

    Returns:
        Runtimes, in the shape of ``shares``; inf if a share is not reached.

    >>> budgets_of_shares([1.0, 10.0, 100.0, np.inf], np.full(4, 0.25), [0.5, 0.6, 1.0])
    array([ 10., 100.,  inf])
    """
    values, sorted_weights = _sort_by_runtime(runtimes, weights)
    index = np.searchsorted(np.cumsum(sorted_weights), np.asarray(shares) - _ROUNDING)
    return np.append(values, np.inf)[index]


def geometric_means_of_easiest(
    runtimes: ArrayLike, weights: ArrayLike, shares: ArrayLike
) -> Floats:
    """Compute the geometric mean of the smallest runtimes that make up each share.

    Its logarithm is the area to the left of the ECDF, below the share, divided by the share (Hansen
    et al., "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 5).

    Args:
        runtimes: Positive, shape ``(n_runtimes,)``; inf if the target was not hit.
        weights: Weight of each runtime; sums to 1.
        shares: Shape ``(n_shares,)``, in (0, 1].

    Returns:
        Runtimes, shape ``(n_shares,)``; inf if a share is not reached.

    >>> geometric_means_of_easiest([1.0, 100.0, np.inf], np.full(3, 1 / 3), [1 / 3, 0.5, 1.0])
    array([1.        , 4.64158883,        inf])
    """
    values, sorted_weights = _sort_by_runtime(runtimes, weights)
    weight_before = np.cumsum(sorted_weights) - sorted_weights
    means = []
    for share in np.atleast_1d(np.asarray(shares, dtype=np.float64)).tolist():
        weight_within = np.clip(share - weight_before, 0.0, sorted_weights)
        is_within = weight_within > _ROUNDING * share
        easiest = values[is_within]
        is_reached = np.isfinite(easiest).all()
        mean_log = (
            np.average(np.log(easiest), weights=weight_within[is_within]) if is_reached else np.inf
        )
        means.append(np.exp(mean_log))
    return np.array(means)


def log_area(
    runtimes: ArrayLike, budget: float, start: float = 1.0, weights: ArrayLike | None = None
) -> float:
    """Compute the area under the ECDF over the logarithm of the budget, in [0, 1].

    ``area = mean(log(budget / min(max(RT, start), budget))) / log(budget / start)``: the integral
    of the ECDF over ``log b`` from ``start`` to ``budget``, divided by the length of the axis. The
    area is 1 if all targets are hit by ``start``, and 0 if none is hit by ``budget``.

    Args:
        runtimes: Any shape; inf or NaN if the target was not hit.
        budget: Upper limit of the axis, in the unit of the runtimes.
        start: Lower limit of the axis, > 0.
        weights: Probability of each runtime, as many as runtimes. None: equal probabilities.

    Raises:
        ValueError: There is no runtime.
        AssessmentError: The limits are not ``0 < start < budget < inf``.

    >>> log_area([1.0, 10.0, 100.0, np.inf], 100.0)
    0.375
    """
    values = _flatten_runtimes(runtimes)
    if not 0 < start < budget < np.inf:
        raise AssessmentError(f"area: budget is {budget:g}, must be above the start {start:g} > 0")
    gains = np.log(budget / np.clip(values, start, budget))
    return float(_average(gains, weights) / np.log(budget / start))


def linear_area(runtimes: ArrayLike, budget: float, weights: ArrayLike | None = None) -> float:
    """Compute the area under the ECDF over the budget from 0 to ``budget``, divided by ``budget``.

    ``area = 1 - mean(min(RT, budget)) / budget``, in [0, 1]. IOHanalyzer's AUC is the trapezoid
    rule over at most 50 points of the same curve.

    Args:
        runtimes: Any shape; inf or NaN if the target was not hit.
        budget: Upper limit of the axis, in the unit of the runtimes.
        weights: Probability of each runtime, as many as runtimes. None: equal probabilities.

    Raises:
        ValueError: There is no runtime.
        AssessmentError: The budget is not positive and finite.

    >>> linear_area([50.0, 100.0, np.inf, np.inf], 100.0)
    0.125
    """
    values = _flatten_runtimes(runtimes)
    if not 0 < budget < np.inf:
        raise AssessmentError(f"area: budget is {budget:g}, must be positive and finite")
    return float(1 - _average(np.minimum(values, budget), weights) / budget)


def capped_geometric_mean(
    runtimes: ArrayLike, budget: float, weights: ArrayLike | None = None
) -> float:
    """Compute the geometric mean of ``min(RT, budget)``.

    If no runtime is below 1, ``log_area(runtimes, budget) = 1 - log(mean) / log(budget)``.

    Args:
        runtimes: Any shape; inf or NaN if the target was not hit.
        budget: Value of runtimes above it, in the unit of the runtimes.
        weights: Probability of each runtime, as many as runtimes. None: equal probabilities.

    Raises:
        ValueError: There is no runtime.

    >>> round(capped_geometric_mean([10.0, np.inf], 1000.0), 9)
    100.0
    """
    flat_weights = None if weights is None else np.ravel(np.asarray(weights, dtype=np.float64))
    return float(geometric_mean(np.minimum(_flatten_runtimes(runtimes), budget), flat_weights))


def failure_budgets(hits: ArrayLike, spent: ArrayLike, instances: ArrayLike) -> dict[Marker, float]:
    """Compute a function's evaluations for the marker of a profile, by each convention.

    The docstring of the module describes the conventions.

    Args:
        hits: Evaluation of the first hit of the hardest target, shape ``(n_runs,)``; not finite if
            the run did not hit it.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        instances: Instance of each run, shape ``(n_runs,)``.

    Returns:
        Evaluations for each of `MARKERS`; NaN if all runs hit the target.

    >>> failure_budgets([np.nan, 9.0, np.nan], [50.0, 9.0, 60.0], [1, 2, 3])["longest"]
    60.0
    """
    runs, ends = np.asarray(hits, dtype=np.float64), np.asarray(spent, dtype=np.float64)
    is_missed = ~np.isfinite(runs)
    if not is_missed.any():
        return dict.fromkeys(MARKERS, math.nan)
    failures, successful_runtimes = ends[is_missed], runs[~is_missed]
    _, groups = np.unique(np.asarray(instances), return_inverse=True)
    n_successes = np.bincount(groups, weights=~is_missed)
    per_success = np.bincount(groups, weights=ends) / np.maximum(n_successes, 1)
    longest_runtimes = [
        hazen_quantile(runtimes, 0.9)
        for runtimes in (failures, successful_runtimes)
        if len(runtimes)
    ]
    return {
        "longest": float(failures.max()),
        "median": hazen_quantile(failures, 0.5),
        "cocopp-x": hazen_quantile(np.asarray(per_success), 0.9),
        "cocopp-plus": max(longest_runtimes),
    }


def marker_budget(budgets: Sequence[float]) -> float:
    """Return the position of a marker: the median over functions, without NaN; NaN if all are NaN.

    >>> marker_budget([60.0, float("nan"), 100.0])
    80.0
    """
    finite = [budget for budget in budgets if math.isfinite(budget)]
    # np.median takes twenty times as long for a few numbers, and a report has 10^4 medians.
    return float(median(finite)) if finite else math.nan


def _sort_by_runtime(runtimes: ArrayLike, weights: ArrayLike) -> tuple[Floats, Floats]:
    values = np.asarray(runtimes, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    return values[order], np.asarray(weights, dtype=np.float64)[order]


def _average(values: Floats, weights: ArrayLike | None) -> float:
    return float(np.average(values, weights=None if weights is None else np.ravel(weights)))


def _flatten_runtimes(runtimes: ArrayLike) -> Floats:
    """Return runtimes as a vector with inf for NaN; raise ValueError if there are none."""
    values = np.asarray(runtimes, dtype=np.float64).ravel()
    if values.size == 0:
        raise ValueError("no runtimes: an area needs at least one")
    return runtimes_of_runs(values)

"""Areas under runtime profiles, and the geometric mean runtime they stand for.

The area left of and above a profile over the logarithm of the budget is a geometric average of
runtimes (Hansen et al., "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 5). Areas
here are computed from the runtimes, not from a sampled curve, so they are exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import AssessmentError
from .hits import runtimes_of_runs
from .quantiles import Floats
from .runtime_statistics import geometric_mean


def log_area(
    runtimes: ArrayLike, budget: float, start: float = 1.0, weights: ArrayLike | None = None
) -> float:
    """Area under the ECDF over the logarithm of the budget from ``start`` to ``budget``, in [0, 1].

    ``area = mean(log(budget / min(max(RT, start), budget))) / log(budget / start)``, which is the
    integral of the ECDF over ``log b``, divided by the length of the axis: 1 if all is solved by
    ``start``, 0 if nothing by ``budget``. The larger the better.

    Args:
        runtimes: Any shape; inf or NaN where not reached.
        budget: Where the axis ends, in the unit of the runtimes.
        start: Where it begins.
        weights: Probability of each runtime, in their shape; None: all the same.

    Raises:
        AssessmentError: ``budget`` does not lie above ``start > 0``.

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

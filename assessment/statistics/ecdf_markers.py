"""How long unsuccessful runs were: the markers of runtime profiles, by convention.

Each convention gives a function one number of evaluations (NaN where every run reached the hardest
target); the marker of a profile stands at the median over its functions, NaN left out.

- ``longest`` (default): the longest run that missed the hardest target. Its marker is the cross of
  Hansen et al. (2016), arXiv:1605.03560, section 5: "the median of the maximal length of the
  unsuccessful runs to solve the problems aggregated within the ECDF".
- ``median``: the median of the runs that missed it; our own, robust against one long run.
- ``cocopp-x``: the 90 % quantile (hazen) over instances of the evaluations of all runs on an
  instance divided by its successes, at least 1 (cocopp 2.9.1, marker ×).
- ``cocopp-plus``: the 90 % quantile of the runs that missed it or of the successful runtimes,
  whichever is larger (cocopp 2.9.1, marker +).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import Floats, hazen_quantile

Marker = Literal["longest", "median", "cocopp-x", "cocopp-plus"]
MARKERS: tuple[Marker, ...] = get_args(Marker)


def failure_budget(
    hits: ArrayLike, spent: ArrayLike, instances: ArrayLike, marker: Marker
) -> float:
    """A function's evaluations for the marker of a profile; NaN where no run missed the target.

    Args:
        hits: Evaluations at the first hit of the hardest target, shape ``(n_runs,)``; NaN or inf
            where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``.
        instances: Instance of each run, shape ``(n_runs,)``.
        marker: See the module.

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
    return median(known) if known else math.nan


def _per_success(missed: NDArray[np.bool_], spent: Floats, instances: NDArray[np.int64]) -> Floats:
    _, which = np.unique(instances, return_inverse=True)
    successes = np.bincount(which, weights=~missed)
    return np.asarray(np.bincount(which, weights=spent) / np.maximum(successes, 1))

"""Statistics of runtimes to single targets under the conventions of the field.

All functions take ``hits``, shape ``(n_runs, n_targets)``, evaluations at the first hit, NaN (or
inf) where a run missed the target, and return shape ``(n_targets,)``. The names IOHanalyzer gives
them are those of Wang, Vermetten, Ye, Doerr, Bäck, "IOHanalyzer: Detailed Performance Analyses for
Iterative Optimization Heuristics" (2022), ACM TELO 2(1), as its ``get_RT_summary`` computes them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .average_runtime import per_success
from .hits import matrix, reached_within, runtimes_of_runs
from .quantiles import PERCENTS, Floats, quantiles

LARGEST_COPIES = 24


def successful_mean(hits: ArrayLike) -> Floats:
    """Mean runtime of the successful runs alone, NaN where there are none (IOHanalyzer ``mean``).

    It says nothing of how often an algorithm succeeds, so it must not be compared alone.

    >>> successful_mean([[5.0], [7.0], [10.0], [np.nan]])
    array([7.33333333])
    """
    runs = _finite(hits)
    count = np.isfinite(runs).sum(axis=0)
    return _ratio(np.where(np.isfinite(runs), runs, 0.0).sum(axis=0), count)


def successful_deviation(hits: ArrayLike) -> Floats:
    """Standard deviation (n - 1) of the runtimes of successful runs (IOHanalyzer ``sd``).

    NaN where fewer than two runs succeeded.
    """
    runs = _finite(hits)
    there = np.isfinite(runs)
    squares = np.where(there, runs - successful_mean(runs), 0.0) ** 2
    return np.sqrt(_ratio(squares.sum(axis=0), there.sum(axis=0) - 1))


def successful_quantiles(
    hits: ArrayLike, probabilities: ArrayLike, convention: str = "type-3"
) -> Floats:
    """Quantiles of the runtimes of successful runs alone, NaN where there are none.

    Shape ``(n_probabilities, n_targets)``.
    """
    runs = _finite(hits)
    levels = np.atleast_1d(np.asarray(probabilities, dtype=np.float64))
    result = np.full((len(levels), runs.shape[1]), np.nan)
    for j, column in enumerate(runs.T):
        reached = column[np.isfinite(column)]
        if reached.size:
            result[:, j] = quantiles(reached, levels, convention)
    return result


def successful_geometric_mean(hits: ArrayLike) -> Floats:
    """Geometric mean of the runtimes of successful runs alone, NaN where there are none."""
    runs = _finite(hits)
    reached = (column[np.isfinite(column)] for column in runs.T)
    return np.array([geometric_mean(runtimes) if runtimes.size else np.nan for runtimes in reached])


def geometric_mean(values: ArrayLike, weights: Sequence[float] | Floats | None = None) -> Floats:
    """Geometric mean ``exp(mean(log v))`` along the first axis, shape ``(n_columns,)``.

    NaN where a value is negative (or NaN), else 0 where one is 0, else inf where one is inf.
    ``weights``, shape ``(n_values,)``: of the mean of the logarithms; None: all the same.

    >>> geometric_mean([[10.0, 0.0], [1000.0, np.inf]])
    array([100.,   0.])
    """
    data = np.asarray(values, dtype=np.float64)
    positive = np.isfinite(data) & (data > 0)
    mean = np.exp(np.average(np.log(np.where(positive, data, 1.0)), axis=0, weights=weights))
    mean = np.where(np.isinf(data).any(axis=0), np.inf, mean)
    mean = np.where((data == 0).any(axis=0), 0.0, mean)
    return np.where((np.isnan(data) | (data < 0)).any(axis=0), np.nan, mean)


def penalized_runtime(hits: ArrayLike, budget: float, penalty: float = 1.0) -> Floats:
    """PAR-k: the mean over all runs, a run without a hit by ``budget`` B counting as ``k B``.

    ``PAR-k = mean(T_i if T_i <= B else k B)``. With k = 1 it is the mean of ``min(T_i, B)``, a mean
    capped at the budget. B is one for all runs, whatever each of them spent.

    >>> penalized_runtime([[5.0], [7.0], [10.0], [np.nan]], 100.0)
    array([30.5])
    """
    runs = _finite(hits)
    return np.asarray(np.where(runs <= budget, runs, penalty * budget).mean(axis=0))


def expected_runtime(hits: ArrayLike, budget: float) -> Floats:
    """ERT with one budget B for all runs: ``sum(min(T_i, B)) / number of T_i <= B``.

    IOHanalyzer's ``ERT`` (its ``SP``). Where runs had budgets of their own, it charges failures the
    common one; `average_runtime` charges what they spent. inf where no run succeeded by B.

    >>> expected_runtime([[5.0], [7.0], [10.0], [np.nan]], 100.0)
    array([40.66666667])
    """
    runs = _finite(hits)
    return per_success(np.minimum(runs, budget).sum(axis=0), (runs <= budget).sum(axis=0))


def capped(hits: ArrayLike, spent: ArrayLike, budget: float) -> tuple[Floats, Floats]:
    """Hits and spent evaluations as if every run had been stopped after ``budget`` evaluations.

    >>> capped([[5.0], [9.0]], [9.0, 20.0], 8.0)
    (array([[ 5.],
           [nan]]), array([8., 8.]))
    """
    runs, ends = np.asarray(hits, dtype=np.float64), np.asarray(spent, dtype=np.float64)
    return np.where(reached_within(runs, budget), runs, np.nan), np.minimum(ends, budget)


def balancing_copies(instances: ArrayLike) -> NDArray[np.int64]:
    """How often each run counts so that all instances weigh the same, as cocopp does it.

    ``lcm(counts) / count`` of the run's instance; where the least common multiple of the numbers of
    runs exceeds 24, a multiple of the largest of them up to 24 (or that itself) stands for it, and
    the balance is approximate (cocopp 2.9.1 ``DataSet.instance_multipliers``).

    >>> balancing_copies([1, 1, 2])
    array([1, 1, 2])
    """
    _, which, counts = np.unique(np.asarray(instances), return_inverse=True, return_counts=True)
    common = int(np.lcm.reduce(counts))
    if common > LARGEST_COPIES and len(set(counts.tolist())) > 1:
        largest = int(counts.max())
        common = largest * max(1, LARGEST_COPIES // largest)
    return np.asarray(common // counts[which], dtype=np.int64)


def iohanalyzer_statistics(
    hits: ArrayLike, spent: ArrayLike, budget: float | None = None, penalty: float = 1.0
) -> dict[str, Floats]:
    """IOHanalyzer's table of runtimes, under its names.

    ``mean, median, sd, 2%, …, 98%`` over the successful runs alone and never capped (quantiles:
    type 3, the median R's default); ``PAR-k`` and ``ERT`` with one budget for all runs, the
    largest that any of these runs spent unless given; ``runs``, the successes by that budget, and
    ``ps``, their share.
    """
    runs = _finite(hits)
    limit = float(np.max(spent)) if budget is None else float(budget)
    shares = successful_quantiles(runs, np.array(PERCENTS) / 100)
    successes = (runs <= limit).sum(axis=0).astype(np.float64)
    return {
        "mean": successful_mean(runs),
        "median": successful_quantiles(runs, 0.5, "type-7")[0],
        "sd": successful_deviation(runs),
        **{f"{percent}%": shares[i] for i, percent in enumerate(PERCENTS)},
        f"PAR-{penalty:g}": penalized_runtime(runs, limit, penalty),
        "ERT": expected_runtime(runs, limit),
        "runs": successes,
        "ps": successes / len(runs),
    }


def capped_statistics(
    hits: ArrayLike, spent: ArrayLike, budget: float | None = None, penalty: float = 1.0
) -> dict[str, Floats]:
    """As `iohanalyzer_statistics`, with IOHanalyzer's text in place of its R code.

    ``mean, median, sd, 2%, …, 98%`` are of ``min(T_i, B)`` over all runs (Wang et al. 2022, section
    "Descriptive statistics"); all else is equal.

    >>> capped_statistics([[5.0], [7.0], [np.nan]], [9.0, 9.0, 9.0])["mean"]
    array([7.])
    """
    limit = float(np.max(spent)) if budget is None else float(budget)
    statistics = iohanalyzer_statistics(np.minimum(_finite(hits), limit), spent, limit)
    names = ("mean", "median", "sd", *(f"{percent}%" for percent in PERCENTS))
    found = iohanalyzer_statistics(hits, spent, budget, penalty)
    return found | {name: statistics[name] for name in names}


def mean_unsuccessful(hits: ArrayLike, spent: ArrayLike) -> Floats:
    """Mean evaluations of the runs that missed the target, NaN where none did.

    >>> mean_unsuccessful([[5.0], [np.nan], [np.nan]], [10.0, 20.0, 40.0])
    array([30.])
    """
    missed = ~np.isfinite(_finite(hits))
    lengths = np.where(missed, np.asarray(spent, dtype=np.float64)[:, np.newaxis], 0.0)
    return _ratio(lengths.sum(axis=0), missed.sum(axis=0))


def _finite(hits: ArrayLike) -> Floats:
    """Hits with inf for all that was not reached; at least one run."""
    return runtimes_of_runs(matrix(hits))


def _ratio(total: Floats, count: NDArray[np.int64]) -> Floats:
    """Quotient, NaN where nothing was counted."""
    nothing = np.full(np.shape(total), np.nan)
    ratio: Floats = np.divide(total, count, out=nothing, where=count > 0)
    return ratio

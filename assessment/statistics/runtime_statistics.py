"""Statistics of runtimes to single targets in the conventions of the field.

All functions take ``hits``, shape ``(n_runs, n_targets)``: the evaluation of the first hit, NaN or
inf if a run missed the target. They return shape ``(n_targets,)`` unless they say otherwise.
IOHanalyzer's statistics are those of Wang, Vermetten, Ye, Doerr, Bäck, "IOHanalyzer: Detailed
Performance Analyses for Iterative Optimization Heuristics" (2022), ACM TELO 2(1), as its
``get_RT_summary`` computes them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .average_runtime import per_success
from .hits import matrix, reached_within, runtimes_of_runs
from .quantiles import PERCENTS, Convention, Floats, quantiles

LARGEST_COPIES = 24  # of a run; cocopp's limit


def successful_mean(hits: ArrayLike) -> Floats:
    """Compute the mean runtime of the successful runs; NaN without any (IOHanalyzer ``mean``).

    It does not show how often an algorithm succeeds, so it must not be compared alone.

    >>> successful_mean([[5.0], [7.0], [10.0], [np.nan]])
    array([7.33333333])
    """
    runs = _replace_misses(hits)
    is_hit = np.isfinite(runs)
    return _divide(np.where(is_hit, runs, 0.0).sum(axis=0), is_hit.sum(axis=0))


def successful_deviation(hits: ArrayLike) -> Floats:
    """Compute the standard deviation (n - 1) of successful runtimes (IOHanalyzer ``sd``).

    NaN if fewer than two runs succeeded.
    """
    runs = _replace_misses(hits)
    is_hit = np.isfinite(runs)
    squares = np.where(is_hit, runs - successful_mean(runs), 0.0) ** 2
    return np.sqrt(_divide(squares.sum(axis=0), is_hit.sum(axis=0) - 1))


def successful_quantiles(
    hits: ArrayLike, probabilities: ArrayLike, convention: Convention = "type-3"
) -> Floats:
    """Compute quantiles of the runtimes of successful runs.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        probabilities: A number or shape ``(n_probabilities,)``, in [0, 1].
        convention: Definition of a quantile.

    Returns:
        Shape ``(n_probabilities, n_targets)``; NaN if no run succeeded.
    """
    runs = _replace_misses(hits)
    levels = np.atleast_1d(np.asarray(probabilities, dtype=np.float64))
    result = np.full((len(levels), runs.shape[1]), np.nan)
    for j, runtimes in enumerate(runs.T):
        successes = runtimes[np.isfinite(runtimes)]
        if successes.size:
            result[:, j] = quantiles(successes, levels, convention)
    return result


def successful_geometric_mean(hits: ArrayLike) -> Floats:
    """Compute the geometric mean of the runtimes of successful runs; NaN without any."""
    runs = _replace_misses(hits)
    successes_by_target = (runtimes[np.isfinite(runtimes)] for runtimes in runs.T)
    return np.array(
        [geometric_mean(runtimes) if runtimes.size else np.nan for runtimes in successes_by_target]
    )


def geometric_mean(values: ArrayLike, weights: Sequence[float] | Floats | None = None) -> Floats:
    """Compute the geometric mean ``exp(mean(log v))`` along the first axis.

    The mean is NaN if a value is negative or NaN, otherwise 0 if a value is 0, otherwise inf if a
    value is inf.

    Args:
        values: Shape ``(n_values,)`` or ``(n_values, n_columns)``.
        weights: Weights of the logarithms, shape ``(n_values,)``. None: equal weights.

    Returns:
        A number, or shape ``(n_columns,)``.

    >>> geometric_mean([[10.0, 0.0], [1000.0, np.inf]])
    array([100.,   0.])
    """
    data = np.asarray(values, dtype=np.float64)
    is_positive = np.isfinite(data) & (data > 0)
    mean = np.exp(np.average(np.log(np.where(is_positive, data, 1.0)), axis=0, weights=weights))
    mean = np.where(np.isinf(data).any(axis=0), np.inf, mean)
    mean = np.where((data == 0).any(axis=0), 0.0, mean)
    return np.where((np.isnan(data) | (data < 0)).any(axis=0), np.nan, mean)


def penalized_runtime(hits: ArrayLike, budget: float, penalty: float = 1.0) -> Floats:
    """Compute PAR-k: the mean over all runs, where a run without a hit by ``budget`` B is ``k B``.

    ``PAR-k = mean(T_i if T_i <= B else k B)``. With k = 1 it is the mean of ``min(T_i, B)``.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        budget: B in evaluations, for all runs, whatever each of them spent.
        penalty: k.

    >>> penalized_runtime([[5.0], [7.0], [10.0], [np.nan]], 100.0)
    array([30.5])
    """
    runs = _replace_misses(hits)
    return np.asarray(np.where(runs <= budget, runs, penalty * budget).mean(axis=0))


def expected_runtime(hits: ArrayLike, budget: float) -> Floats:
    """Compute ERT with one budget B for all runs: ``sum(min(T_i, B)) / number of T_i <= B``.

    This is IOHanalyzer's ``ERT`` (its ``SP``). It charges failed runs the common budget, whereas
    `average_runtime` charges the evaluations that they spent.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        budget: B in evaluations.

    Returns:
        Evaluations, shape ``(n_targets,)``; inf if no run succeeded by B.

    >>> expected_runtime([[5.0], [7.0], [10.0], [np.nan]], 100.0)
    array([40.66666667])
    """
    runs = _replace_misses(hits)
    return per_success(np.minimum(runs, budget).sum(axis=0), (runs <= budget).sum(axis=0))


def capped(hits: ArrayLike, spent: ArrayLike, budget: float) -> tuple[Floats, Floats]:
    """Return hits and spent evaluations as if each run had ended after ``budget`` evaluations.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        budget: Evaluations.

    >>> capped([[5.0], [9.0]], [9.0, 20.0], 8.0)
    (array([[ 5.],
           [nan]]), array([8., 8.]))
    """
    runs, ends = np.asarray(hits, dtype=np.float64), np.asarray(spent, dtype=np.float64)
    return np.where(reached_within(runs, budget), runs, np.nan), np.minimum(ends, budget)


def balancing_copies(instances: ArrayLike) -> NDArray[np.int64]:
    """Return the number of copies of each run that give all instances equal weights, as in cocopp.

    The number is ``lcm(counts) / count`` with the number of runs of the run's instance. If the
    least common multiple exceeds 24, it is replaced by the largest multiple up to 24 of the largest
    count (or by that count), and weights are only approximately equal (cocopp 2.9.1
    ``DataSet.instance_multipliers``).

    >>> balancing_copies([1, 1, 2])
    array([1, 1, 2])
    """
    _, groups, counts = np.unique(np.asarray(instances), return_inverse=True, return_counts=True)
    common = int(np.lcm.reduce(counts))
    if common > LARGEST_COPIES and len(set(counts.tolist())) > 1:
        largest = int(counts.max())
        common = largest * max(1, LARGEST_COPIES // largest)
    return np.asarray(common // counts[groups], dtype=np.int64)


def iohanalyzer_statistics(
    hits: ArrayLike, spent: ArrayLike, budget: float | None = None, penalty: float = 1.0
) -> dict[str, Floats]:
    """Compute the columns of IOHanalyzer's table of runtimes.

    ``mean``, ``median``, ``sd``, ``2%`` … ``98%`` are of the successful runs only, whatever the
    budget (quantiles: type 3; median: R's default). ``PAR-k`` and ``ERT`` use one budget for all
    runs. ``runs`` is the number of successes by that budget, and ``ps`` their share.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        budget: Evaluations. None: the largest number that one of these runs spent.
        penalty: k of ``PAR-k``.

    Returns:
        Columns by IOHanalyzer's names, each of shape ``(n_targets,)``.
    """
    runs = _replace_misses(hits)
    limit = float(np.max(spent)) if budget is None else float(budget)
    percentiles = successful_quantiles(runs, np.array(PERCENTS) / 100)
    successes = (runs <= limit).sum(axis=0).astype(np.float64)
    return {
        "mean": successful_mean(runs),
        "median": successful_quantiles(runs, 0.5, "type-7")[0],
        "sd": successful_deviation(runs),
        **{f"{percent}%": percentiles[i] for i, percent in enumerate(PERCENTS)},
        f"PAR-{penalty:g}": penalized_runtime(runs, limit, penalty),
        "ERT": expected_runtime(runs, limit),
        "runs": successes,
        "ps": successes / len(runs),
    }


def capped_statistics(
    hits: ArrayLike, spent: ArrayLike, budget: float | None = None, penalty: float = 1.0
) -> dict[str, Floats]:
    """Compute the columns of `iohanalyzer_statistics` by IOHanalyzer's text instead of its code.

    ``mean``, ``median``, ``sd``, ``2%`` … ``98%`` are of ``min(T_i, B)`` over all runs (Wang et al.
    2022, section "Descriptive statistics"). The other columns are equal.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        budget: B in evaluations. None: the largest number that one of these runs spent.
        penalty: k of ``PAR-k``.

    Returns:
        Columns by IOHanalyzer's names, each of shape ``(n_targets,)``.

    >>> capped_statistics([[5.0], [7.0], [np.nan]], [9.0, 9.0, 9.0])["mean"]
    array([7.])
    """
    limit = float(np.max(spent)) if budget is None else float(budget)
    capped_runs = np.minimum(_replace_misses(hits), limit)
    capped_columns = iohanalyzer_statistics(capped_runs, spent, limit)
    names = ("mean", "median", "sd", *(f"{percent}%" for percent in PERCENTS))
    columns = iohanalyzer_statistics(hits, spent, budget, penalty)
    return columns | {name: capped_columns[name] for name in names}


def mean_unsuccessful(hits: ArrayLike, spent: ArrayLike) -> Floats:
    """Compute the mean evaluations of the runs that missed each target.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.

    Returns:
        Evaluations, shape ``(n_targets,)``; NaN if all runs hit the target.

    >>> mean_unsuccessful([[5.0], [np.nan], [np.nan]], [10.0, 20.0, 40.0])
    array([30.])
    """
    is_missed = ~np.isfinite(_replace_misses(hits))
    lengths = np.where(is_missed, np.asarray(spent, dtype=np.float64)[:, np.newaxis], 0.0)
    return _divide(lengths.sum(axis=0), is_missed.sum(axis=0))


def _replace_misses(hits: ArrayLike) -> Floats:
    """Return hits, shape ``(n_runs >= 1, n_targets)``, with inf if a run missed the target."""
    return runtimes_of_runs(matrix(hits))


def _divide(total: Floats, count: NDArray[np.int64]) -> Floats:
    """Return ``total / count``; NaN if the count is not positive."""
    nan = np.full(np.shape(total), np.nan)
    quotient: Floats = np.divide(total, count, out=nan, where=count > 0)
    return quotient

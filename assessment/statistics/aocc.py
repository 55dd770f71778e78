"""The area over the convergence curve (AOCC): one number for a run at all budgets up to one.

Source: van Stein and Bäck, "LLaMEA: A Large Language Model Evolutionary Algorithm for Automatically
Generating Metaheuristics" (2024), arXiv:2405.20132, eq. 1. BLADE uses it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import AssessmentError
from .quantiles import Floats, precision_or_inf


@dataclass(frozen=True)
class PrecisionScale:
    """Conversion of precisions to scores: 1 at ``lower``, 0 at ``upper``, logarithmic between.

    Attributes:
        lower: Precision with score 1, as have smaller ones.
        upper: Precision with score 0, as have larger ones.

    Raises:
        AssessmentError: The bounds are not ``0 < lower < upper < inf``.
    """

    lower: float = 1e-8
    upper: float = 1e2

    def __post_init__(self) -> None:
        if not 0 < self.lower < self.upper < np.inf:
            raise AssessmentError(
                f"bounds of precision are {self.lower!r} and {self.upper!r}; they must be numbers "
                "with 0 < lower < upper"
            )

    def score(self, precision: ArrayLike) -> Floats:
        """Compute the score of each precision, in the same shape.

        ``score = 1 - (log10 p - log10 lower) / (log10 upper - log10 lower)`` of the precision
        ``p``, clipped to the bounds. The score of a precision that is not finite is 0.

        >>> PrecisionScale().score([np.inf, 1e2, 1e-3, 1e-8, 0.0, -1.0, -np.inf]).tolist()
        [0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.0]
        """
        clipped = np.clip(precision_or_inf(precision), self.lower, self.upper)
        log_lower, log_upper = np.log10([self.lower, self.upper])
        return np.asarray(1.0 - (np.log10(clipped) - log_lower) / (log_upper - log_lower))


def area_over_curve(
    evaluations: ArrayLike, precision: ArrayLike, budget: ArrayLike, scale: PrecisionScale
) -> Floats:
    """Compute the mean score of the best precision so far over evaluations 1 to ``budget``.

    ``AOCC = 1/B * sum over i = 1 … B of score(best precision after i evaluations)``. The score is 0
    before the first evaluation in ``evaluations``. A run that ended before the budget keeps its
    last value. Values beyond the budget do not count.

    Args:
        evaluations: Evaluations at which the best precision changes, >= 1, ascending along the last
            axis, with repetitions allowed; shape ``(..., n)``.
        precision: Best precision from each of these evaluations on, shape ``(..., n)``; inf if no
            finite value was observed.
        budget: Evaluations, shape ``(...)``.
        scale: Conversion of precisions to scores.

    Returns:
        Scores in [0, 1], shape ``(...)``.

    >>> float(area_over_curve([1, 3], [1e2, 1e-3], 4, PrecisionScale()))
    0.25
    """
    starts = np.asarray(evaluations, dtype=np.float64)
    end = np.asarray(budget, dtype=np.float64)[..., np.newaxis] + 1.0
    ends = np.concatenate([starts[..., 1:], np.broadcast_to(end, (*starts.shape[:-1], 1))], axis=-1)
    widths = np.minimum(ends, end) - np.minimum(starts, end)
    return np.asarray((widths * scale.score(precision)).sum(axis=-1) / (end[..., 0] - 1.0))


def stratified_mean_interval(
    strata: Sequence[ArrayLike], weights: ArrayLike, level: float
) -> Floats:
    """Compute a confidence interval of a weighted mean of the strata's means.

    ``sum w_h m_h ± t * sqrt(sum w_h^2 s_h^2 / n_h)`` with Satterthwaite's degrees of freedom
    (1946), clipped to [0, 1]. The interval is about other samples of the same strata.

    Args:
        strata: Values of each stratum, between 0 and 1, shape ``(n_values,)``.
        weights: Weight of each stratum; sums to 1.
        level: Confidence level.

    Returns:
        Lower and upper end, shape ``(2,)``; NaN if a stratum has a single value.
    """
    from scipy import special

    samples = [np.asarray(values, dtype=np.float64) for values in strata]
    if min(map(len, samples)) < 2:
        return np.full(2, np.nan)
    weight = np.asarray(weights, dtype=np.float64)
    sizes = np.array([len(values) for values in samples])
    mean = float(weight @ [values.mean() for values in samples])
    variances = weight**2 * [values.var(ddof=1) for values in samples] / sizes
    if not variances.sum() > 0:
        return np.array([mean, mean])
    degrees_of_freedom = variances.sum() ** 2 / (variances**2 / (sizes - 1)).sum()
    t = special.stdtrit(degrees_of_freedom, (1 + level) / 2)
    half = t * np.sqrt(variances.sum())
    return np.asarray(np.clip([mean - half, mean + half], 0.0, 1.0))


def mean_over_problems(
    values: Floats, functions: NDArray[np.int64], problems: NDArray[np.int64], level: float
) -> tuple[Floats, str]:
    """Compute the mean over problems of the mean over their runs, with a confidence interval.

    If each problem has several runs, the problems are the strata, and the interval is about these
    instances. Otherwise the runs on all instances of a function (in one dimension) are a stratum,
    and the interval is about other instances of the same functions as well.

    Args:
        values: Value of each run, between 0 and 1, shape ``(n_runs,)``.
        functions: Index of the function and dimension of each run, counted from 0.
        problems: Index of the problem of each run, counted from 0.
        level: Confidence level.

    Returns:
        Mean, lower end and upper end, shape ``(3,)``, and a sentence that says what the interval is
        about. The ends are NaN if a stratum has a single run.
    """
    run_counts = np.bincount(problems)
    n_problems = len(run_counts)
    problem_means = np.bincount(problems, weights=values) / run_counts
    is_repeated = bool(run_counts.min() > 1)
    if is_repeated:
        strata = [values[problems == problem] for problem in range(n_problems)]
        weights = np.full(n_problems, 1.0)
    else:
        function_of_problem = functions[np.unique(problems, return_index=True)[1]]
        strata = [
            problem_means[function_of_problem == function]
            for function in np.unique(function_of_problem)
        ]
        weights = np.array([len(stratum) for stratum in strata])
    ends = stratified_mean_interval(strata, weights / n_problems, level)
    about = f"low, high: {100 * level:g} % interval"
    if np.isnan(ends).any():
        note = "low, high: no interval; a function has a single run, so its variation is unknown."
    elif is_repeated:
        note = f"{about} for these instances; it covers other runs on them."
    else:
        note = f"{about} for these functions; it covers other instances of them and other runs."
    return np.array([problem_means.mean(), *ends]), note

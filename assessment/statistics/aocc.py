"""The area over the convergence curve (AOCC): one number for a run at all budgets up to one.

Source: van Stein and Bäck, "LLaMEA: A Large Language Model Evolutionary Algorithm for Automatically
Generating Metaheuristics" (2024), arXiv:2405.20132, eq. 1, which BLADE uses, too.
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
    """From precision to score: 1 at ``lower`` and below, 0 at ``upper`` and above, log between.

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
        """``1 - (log10 p - log10 lower) / (log10 upper - log10 lower)``, p clipped to the bounds.

        Where it is not finite, score is 0.

        >>> PrecisionScale().score([np.inf, 1e2, 1e-3, 1e-8, 0.0, -1.0, -np.inf]).tolist()
        [0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.0]
        """
        clipped = np.clip(precision_or_inf(precision), self.lower, self.upper)
        first, last = np.log10([self.lower, self.upper])
        return np.asarray(1.0 - (np.log10(clipped) - first) / (last - first))


def area_over_curve(
    evaluations: ArrayLike, precision: ArrayLike, budget: ArrayLike, scale: PrecisionScale
) -> Floats:
    """Mean over evaluations 1 … budget of the score of the best precision so far.

    ``AOCC = 1/B * sum over i = 1 … B of score(best precision after i evaluations)``. A run that
    ended before the budget keeps its last value; before the first entry the score is 0. The best
    precision changes at ``evaluations``, >= 1 and ascending along the last axis, repeated ones
    allowed; both have the shape ``(..., n)``, ``budget`` the shape ``(...)``. Entries beyond the
    budget do not count; a precision is inf where nothing finite was seen.

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
    """Confidence interval of a weighted mean of the strata's means, for values between 0 and 1.

    ``sum w_h m_h ± t * sqrt(sum w_h^2 s_h^2 / n_h)`` with the degrees of freedom of Satterthwaite
    (1946), clipped to [0, 1]. It is about other draws within the same strata. Weights sum to 1. NaN
    where a stratum has one value only.
    """
    from scipy import special

    samples = [np.asarray(values, dtype=np.float64) for values in strata]
    if min(map(len, samples)) < 2:
        return np.full(2, np.nan)
    share = np.asarray(weights, dtype=np.float64)
    sizes = np.array([len(values) for values in samples])
    mean = float(share @ [values.mean() for values in samples])
    parts = share**2 * [values.var(ddof=1) for values in samples] / sizes
    if not parts.sum() > 0:
        return np.array([mean, mean])
    freedom = parts.sum() ** 2 / (parts**2 / (sizes - 1)).sum()
    half = special.stdtrit(freedom, (1 + level) / 2) * np.sqrt(parts.sum())
    return np.asarray(np.clip([mean - half, mean + half], 0.0, 1.0))


def mean_over_problems(
    values: Floats, functions: NDArray[np.int64], problems: NDArray[np.int64], level: float
) -> tuple[Floats, str]:
    """Mean over problems of the mean over their runs, its interval, and what that is about.

    Where every problem has several runs, they are the strata, and the interval is about these
    instances. Elsewhere the runs on all instances of a function (in one dimension) are taken as
    draws from it, and the interval is about other instances of the same functions as well.
    Functions and problems are numbered from 0, for each run. The ends are NaN where the runs do not
    tell them; what the interval is about is a sentence.
    """
    runs = np.bincount(problems)
    each = np.bincount(problems, weights=values) / runs
    is_repeated = bool(runs.min() > 1)
    if is_repeated:
        strata = [values[problems == number] for number in range(len(runs))]
    else:
        function = functions[np.unique(problems, return_index=True)[1]]
        strata = [each[function == number] for number in np.unique(function)]
    weights = (
        np.full(len(runs), 1.0) if is_repeated else np.array([len(stratum) for stratum in strata])
    )
    ends = stratified_mean_interval(strata, weights / len(runs), level)
    about = f"the {100 * level:g} % interval is about"
    if np.isnan(ends).any():
        text = "no interval: a function with a single run does not tell how much runs differ."
    elif is_repeated:
        text = f"{about} these instances: what other runs on them would give."
    else:
        text = f"{about} these functions: what other instances of them, and other runs, would give."
    return np.array([each.mean(), *ends]), text

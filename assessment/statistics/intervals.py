"""Confidence intervals of average runtimes, and how runs are resampled for them.

COCO gives the dispersion of single simulated runtimes, but no interval of their mean. The methods
here were chosen by measured coverage: ``benchmarks/interval_coverage.py`` prints the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import AssessmentError
from .hits import checked
from .quantiles import Floats, quantiles

FEWEST_FOR_BOOTSTRAP = 5


@dataclass(frozen=True)
class Resampling:
    """How intervals are computed: their level, the seed, and the number of resamples.

    The resamples depend on the seed and on the number of runs alone: equal data have equal
    intervals, and no other data change them.
    """

    level: float = 0.95
    seed: int = 1
    samples: int = 2000

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise AssessmentError(f"interval level is {self.level}, must lie between 0 and 1")
        for name, least in (("seed", 0), ("samples", 40)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise AssessmentError(f"{name} is {value!r}, must be an integer >= {least}")

    @property
    def tails(self) -> tuple[float, float]:
        """Probabilities of the lower and the upper end.

        >>> Resampling(0.9).tails
        (0.05, 0.95)
        """
        half = round((1 - self.level) / 2, 12)
        return half, 1 - half


def art_interval(hits: ArrayLike, spent: ArrayLike, resampling: Resampling) -> Floats:
    """Confidence interval of the average runtime to each target.

    ``aRT = mean of the successful runs + (1 - p) / p * mean of the unsuccessful ones``. The three
    unknowns get a distribution each, and the interval is between quantiles of the outcome: ``p``
    follows Jeffreys' ``Beta(k + 1/2, n - k + 1/2)`` with ``k`` successes of ``n`` runs; each mean
    follows the bootstrap-t of its logarithm (Student's t below 5 runs). Three cases need words:

    * no run succeeded: the upper end is inf, the lower one is finite;
    * every run succeeded: what a failure costs is unknown, so the interval is that of an algorithm
      that does not fail. Failures rarer than about 3 in n (1 in 5 with 15 runs) cannot be excluded,
      and where they exist the interval is too short;
    * one run only succeeded, or failed: the dispersion of that part is taken as 0.

    Measured coverage at 95 % and 15 runs: 0.94 to 0.97 for success rates 0.3 and 0.6; for 1.0,
    0.93 to 0.97 unless runtimes are very skew (0.91 for a coefficient of variation of 1.3).

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``.
        resampling: Level, seed and number of resamples.

    Returns:
        Lower and upper end in evaluations, shape ``(2, n_targets)``; NaN with a single run.

    Raises:
        ValueError: As `average_runtime`.
    """
    runs, ends = checked(hits, spent)
    interval = np.full((2, runs.shape[1]), np.nan)
    if len(runs) < 2:
        return interval
    for j in range(runs.shape[1]):
        if j and np.array_equal(runs[:, j], runs[:, j - 1], equal_nan=True):
            interval[:, j] = interval[:, j - 1]
        else:
            draws = art_draws(runs[:, j], ends, resampling)
            interval[:, j] = quantiles(draws, resampling.tails)
            if not np.isfinite(runs[:, j]).any():
                interval[1, j] = np.inf
    return interval


def ratio_interval(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], resampling: Resampling
) -> Floats:
    """Confidence interval of the aRT of one algorithm divided by that of another, for one target.

    Quantiles of the ratio of independent `art_draws`. Where no run of ``first`` succeeded the upper
    end is inf, where none of ``second`` did the lower one is 0.

    Args:
        first: Hits and spent evaluations, both of shape ``(n_runs,)``; NaN where not reached.
        second: Likewise.
        resampling: Level, seed and number of resamples.

    Returns:
        Lower and upper end, shape ``(2,)``; NaN with a single run on either side.
    """
    if min(len(first[1]), len(second[1])) < 2:
        return np.full(2, np.nan)
    over = art_draws(*first, resampling) / art_draws(*second, resampling, stream=2)
    low, high = quantiles(over, resampling.tails)
    return np.array(
        [
            low if np.isfinite(second[0]).any() else 0.0,
            high if np.isfinite(first[0]).any() else np.inf,
        ]
    )


def art_draws(hits: Floats, spent: Floats, resampling: Resampling, stream: int = 0) -> Floats:
    """Plausible values of the aRT to one target, shape ``(samples,)``; see `art_interval`.

    Args:
        hits: Shape ``(n_runs,)``; NaN where not reached.
        spent: Shape ``(n_runs,)``.
        resampling: Seed and number of resamples.
        stream: Draws of two algorithms are independent if their numbers differ by 2.
    """
    reached = np.isfinite(hits)
    successes = hits[reached]
    failed = np.maximum(spent[~reached], 1.0)
    draws = np.zeros(resampling.samples)
    if len(failed):
        restarts = _restarts(len(successes), len(hits), resampling, stream)
        draws += restarts * mean_draws(failed, resampling, stream + 1)
    if len(successes):
        draws += mean_draws(successes, resampling, stream)
    return draws


def mean_draws(values: Floats, resampling: Resampling, stream: int = 0) -> Floats:
    """Plausible means of the distribution that positive ``values`` come from, ``(samples,)``.

    ``log mean - se * t`` with the bootstrap's ``t = (log mean* - log mean) / se*``, or Student's
    with fewer than 5 values. One value, or equal ones, give that value.

    Args:
        values: Shape ``(n,)``, positive.
        resampling: Seed and number of resamples.
        stream: Draws with another number are independent.
    """
    n, mean = len(values), values.mean()
    spread = values.std(ddof=1) if n > 1 else 0.0
    if spread <= 1e-12 * mean:
        return np.full(resampling.samples, mean)
    se = spread / mean / np.sqrt(n)
    if n < FEWEST_FOR_BOOTSTRAP:
        t = _student(n - 1, resampling, stream)
    else:
        t = _bootstrap_t(values / mean, _counts(n, resampling, stream))
    with np.errstate(over="ignore"):
        return np.asarray(mean * np.exp(-se * t))


def _bootstrap_t(values: Floats, counts: Floats) -> Floats:
    """Bootstrap-t of the logarithm of the mean of values whose mean is 1."""
    n = len(values)
    mean = counts @ values / n
    variance = np.maximum(counts @ values**2 / n - mean**2, 0.0) * n / (n - 1)
    se = np.sqrt(variance / n) / mean
    t: Floats = np.divide(np.log(mean), se, out=np.zeros_like(se), where=se > 1e-9)
    return t


@lru_cache(maxsize=64)
def _counts(n: int, resampling: Resampling, stream: int) -> Floats:
    """How often each of ``n`` runs is drawn in each resample, shape ``(samples, n)``."""
    rng = np.random.default_rng([resampling.seed, n, stream, 0])
    return rng.multinomial(n, np.full(n, 1 / n), size=resampling.samples).astype(np.float64)


@lru_cache(maxsize=64)
def _student(freedom: int, resampling: Resampling, stream: int) -> Floats:
    from scipy import special

    draws: Floats = special.stdtrit(freedom, _shuffled_levels(resampling, [freedom, stream, 1]))
    return draws


@lru_cache(maxsize=256)
def _restarts(successes: int, runs: int, resampling: Resampling, stream: int) -> Floats:
    """Plausible numbers of failures before a success, ``(1 - p) / p``, shape ``(samples,)``."""
    from scipy import special

    levels = _shuffled_levels(resampling, [successes, runs, stream, 2])
    p = special.betaincinv(successes + 0.5, runs - successes + 0.5, levels)
    odds: Floats = (1 - p) / np.maximum(p, np.finfo(float).tiny)
    return odds


def _shuffled_levels(resampling: Resampling, words: list[int]) -> NDArray[np.float64]:
    """The probabilities ``(i + 1/2) / samples`` in random order."""
    levels = (np.arange(resampling.samples) + 0.5) / resampling.samples
    return np.random.default_rng([resampling.seed, *words]).permutation(levels)

"""Where the mean of a positive distribution may lie, given a few values of it.

The method takes the widest of three on the logarithm, so that no one law of runtimes is relied on:
Student's interval, the one that would be exact for lognormal values, and Hall's (1992, "On the
removal of skewness by transformation", J. Royal Statistical Society B 54). How often it holds is
in ``benchmarks/results/``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..quantiles import Floats

FEWEST_WITH_SPREAD = 3
"""Of fewer values the dispersion is not looked at but assumed."""
LEAST_DEVIATION = 0.5
"""Evaluations. Runtimes are whole numbers: a few equal ones may differ by that."""

_LARGEST_SIMULATED = 100
_SIMULATED_VALUES = 200_000
_SIGMAS = 16
_SCORES = np.linspace(-4.0, 0.0, 81)


@dataclass(frozen=True, eq=False)
class Levels:
    """Probabilities, ascending, at which quantiles are wanted; shape ``(n_levels,)``."""

    p: Floats


@lru_cache(maxsize=64)
def all_levels(samples: int) -> Levels:
    """The probabilities ``(i + 1/2) / samples``."""
    return Levels((np.arange(samples) + 0.5) / samples)


@lru_cache(maxsize=64)
def end_levels(level: float) -> Levels:
    """The probabilities of the two ends of an interval."""
    half = round((1 - level) / 2, 12)
    return Levels(np.array([half, 1 - half]))


@dataclass(frozen=True)
class Moments:
    """What is known of a distribution from ``count`` values of it.

    Attributes:
        count: How many values.
        mean: Their mean, positive.
        deviation: Their standard deviation (n - 1); 0 with one value.
        skewness: Their sample skewness, ``m3 / m2^1.5 * sqrt(n (n - 1)) / (n - 2)``; 0 with fewer
            than three values or equal ones.
    """

    count: int
    mean: float
    deviation: float
    skewness: float


def moments(values: Floats) -> Moments:
    """Moments of at least one value.

    >>> known = moments(np.array([19.0, 13, 13, 13, 13]))
    >>> known.mean, round(known.deviation, 4), round(known.skewness, 4)
    (14.2, 2.6833, 2.2361)
    """
    n, mean = len(values), float(values.mean())
    if n == 1:
        return Moments(1, mean, 0.0, 0.0)
    apart = values - mean
    second = float(apart @ apart) / n
    deviation = (second * n / (n - 1)) ** 0.5
    if n < FEWEST_WITH_SPREAD or deviation <= 1e-12 * mean:
        return Moments(n, mean, deviation, 0.0)
    third = float((apart * apart) @ apart) / n
    return Moments(n, mean, deviation, third / second**1.5 * (n * (n - 1)) ** 0.5 / (n - 2))


def mean_quantiles(known: Moments, levels: Levels, assumed: float = 1.0) -> Floats:
    """Quantiles of what the mean of the distribution may be, shape ``(n_levels,)``.

    With ``m`` the mean, ``cv`` the standard deviation (at least half an evaluation) by it, ``k``
    the number of values, ``e = cv / sqrt(k)`` and ``t`` Student's quantile with ``k - 1`` degrees
    of freedom: ``m exp(e t)`` below the median. Above it the largest of that; of ``m exp(-e q)``
    with ``q`` the opposite quantile of ``log(mean) / (cv / sqrt(k))`` of ``k`` lognormal values
    whose coefficient of variation is ``cv``; and of ``m exp(-e h)`` with Hall's transformation
    ``h = (cbrt(1 + 3 a (-t - b)) - 1) / a``, ``a = (g / 3 - cv / 2) / sqrt(k)``,
    ``b = g / (6 sqrt(k))``, ``g`` the skewness.

    Fewer than three values do not tell their dispersion: ``m exp(assumed z / sqrt(k))`` with the
    normal quantile ``z``.

    Args:
        known: Moments of the values.
        levels: Where quantiles are wanted.
        assumed: Standard deviation of the logarithm of one value, where there are one or two.
    """
    k, mean = known.count, known.mean
    if k < FEWEST_WITH_SPREAD:
        few: Floats = mean * np.exp(assumed / np.sqrt(k) * _normal(levels))
        return few
    cv = max(known.deviation, LEAST_DEVIATION) / mean
    error = cv / np.sqrt(k)
    reach = error * _student(levels, k - 1)
    above = int(np.searchsorted(levels.p, 0.5))
    upper = reach[above:]
    if upper.size:
        hall = _hall(upper / error, known.skewness, cv, k)
        upper[:] = np.maximum(upper, error * np.maximum(_lognormal(levels, k, cv), hall))
    quantiles: Floats = mean * np.exp(reach)
    return quantiles


def _hall(t: Floats, skewness: float, cv: float, k: int) -> Floats:
    """Hall's transformation of Student's quantiles ``t``, of the logarithm of a mean."""
    root = np.sqrt(k)
    a, b = (skewness / 3 - cv / 2) / root, skewness / (6 * root)
    if abs(a) < 1e-4:
        a = 1e-4 if a >= 0 else -1e-4
    reach: Floats = (1 - np.cbrt(1 + 3 * a * (-t - b))) / a
    return reach


def _lognormal(levels: Levels, k: int, cv: float) -> Floats:
    """The same of lognormal values, at the levels above the median, interpolated in sigma."""
    table = _lognormal_reach(levels, k)
    place = min(np.sqrt(np.log1p(cv * cv)) / _largest_sigma(k), 1.0) * (_SIGMAS - 1)
    low = min(int(place), _SIGMAS - 2)
    reach: Floats = table[low] + (place - low) * (table[low + 1] - table[low])
    return reach


def _largest_sigma(k: int) -> float:
    """Sigma of the lognormal law with the largest coefficient of variation that k values have."""
    return float(np.sqrt(np.log1p(k)))


@lru_cache(maxsize=512)
def _lognormal_reach(levels: Levels, k: int) -> Floats:
    """``-q`` of `mean_quantiles` at the levels above the median, for each sigma.

    Beyond 100 values the excess over Student's quantile falls as ``1 / sqrt(k)``.
    """
    above = levels.p[levels.p >= 0.5]
    few = min(k, _LARGEST_SIMULATED)
    scores, excess = -_normal(levels)[-len(above) :], _simulated_excess(few)
    found = np.array([np.interp(scores, _SCORES, row) for row in excess]) * np.sqrt(few / k)
    if k > few:
        sigmas = np.linspace(0, _largest_sigma(k), _SIGMAS)
        known = np.linspace(0, _largest_sigma(few), _SIGMAS)
        found = np.array([np.interp(sigmas, known, column) for column in found.T]).T
    return np.asarray(_student(levels, k - 1)[-len(above) :] + found)


@lru_cache(maxsize=128)
def _simulated_excess(k: int) -> Floats:
    """How far ``-q`` lies beyond Student's quantile, shape ``(n_sigmas, n_scores)``.

    From 200,000 / k samples of k values, the same for each sigma, at normal scores of the
    probability. The quantile for the smallest sigma is known (Student's), and its error is taken
    off all: what remains is about 0.02 for q near 2 at sigma 1.
    """
    rng = np.random.default_rng([k, 16])
    z = rng.normal(size=(_SIMULATED_VALUES // k, k))
    from scipy import special

    p = special.ndtr(_SCORES)
    found = []
    for sigma in (1e-3, *np.linspace(0, _largest_sigma(k), _SIGMAS)[1:]):
        values = np.exp(sigma * z)
        mean = values.mean(axis=1)
        cv = values.std(axis=1, ddof=1) / mean
        t = (np.log(mean) - sigma**2 / 2) * np.sqrt(k) / cv
        found.append(-np.quantile(t, p))
    excess: Floats = np.array(found) - found[0]
    return excess


@lru_cache(maxsize=512)
def _student(levels: Levels, freedom: int) -> Floats:
    from scipy import special

    t: Floats = special.stdtrit(freedom, levels.p)
    return t


@lru_cache(maxsize=256)
def _normal(levels: Levels) -> Floats:
    from scipy import special

    z: Floats = special.ndtri(levels.p)
    return z

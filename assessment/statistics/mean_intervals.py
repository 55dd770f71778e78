"""Where the mean of a positive distribution may lie, given a few values of it.

The method takes the widest of three on the logarithm, so that no one law of runtimes is relied on:
Student's interval, the one that would be exact for lognormal values, and Hall's (1992, "On the
removal of skewness by transformation", J. Royal Statistical Society B 54). How often it holds is
in ``benchmarks/README.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import matrix
from .quantiles import Floats, quantiles

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
    """Probabilities, ascending, at which quantiles are wanted; shape ``(n_levels,)``.

    Equal only to itself, so that what was computed for it can be looked up again.
    """

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


@dataclass(frozen=True, eq=False)
class Moments:
    """What is known of distributions from ``count`` values of each; numbers or arrays of one shape.

    Attributes:
        count: How many values.
        mean: Their mean, positive.
        deviation: Their standard deviation (n - 1); 0 with one value.
        skewness: Their sample skewness, ``m3 / m2^1.5 * sqrt(n (n - 1)) / (n - 2)``; 0 with fewer
            than three values or equal ones.
    """

    count: int
    mean: Floats
    deviation: Floats
    skewness: Floats

    @property
    def constant(self) -> NDArray[np.bool_]:
        """Whether the values are equal but for rounding; also where there is one."""
        return np.asarray(self.deviation <= 1e-12 * self.mean)


def moments(values: Floats) -> Moments:
    """Moments of at least one value of each distribution, which stand along the last axis.

    >>> known = moments(np.array([19.0, 13, 13, 13, 13]))
    >>> known.mean.item(), round(known.deviation.item(), 4), round(known.skewness.item(), 4)
    (14.2, 2.6833, 2.2361)
    """
    n, mean = values.shape[-1], np.asarray(values.mean(axis=-1))
    nothing = np.zeros(mean.shape)
    if n == 1:
        return Moments(1, mean, nothing, nothing)
    apart = values - mean[..., np.newaxis]
    second = np.asarray((apart**2).mean(axis=-1))
    known = Moments(n, mean, np.sqrt(second * n / (n - 1)), nothing)
    if n < FEWEST_WITH_SPREAD:
        return known
    third = (apart**3).mean(axis=-1) * np.sqrt(n * (n - 1)) / (n - 2)
    spread = ~known.constant
    skewness = np.divide(third, np.where(spread, second, 1.0) ** 1.5, out=nothing, where=spread)
    return Moments(n, mean, known.deviation, np.asarray(skewness))


def moments_of_groups(hits: Floats, spent: Floats, groups: NDArray[np.intp]) -> Moments:
    """Moments of one number for each instance, whose mean is the aRT to each target.

    ``aRT + (evaluations - aRT * successes) / mean successes``: the linearised quotient of sums;
    where all runs succeed and instances have equally many, the mean runtimes of instances.
    """
    reached = np.isfinite(hits)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    until = np.where(reached, hits, spent[:, np.newaxis])
    evaluations, successes = (
        np.add.reduceat(values[order].astype(np.float64), starts, axis=0)
        for values in (until, reached)
    )
    art = evaluations.sum(axis=0) / successes.sum(axis=0)
    values = art + (evaluations - art * successes) / successes.mean(axis=0)
    return moments(np.ascontiguousarray(values.T))


def mean_quantiles(known: Moments, levels: Levels, assumed: float = 1.0) -> Floats:
    """Quantiles of what the mean of each distribution may be, shape ``(..., n_levels)``.

    With ``m`` the mean, ``cv`` the standard deviation (at least half an evaluation) by it, ``k``
    the number of values, ``e = cv / sqrt(k)`` and ``t`` Student's quantile with ``k - 1`` degrees
    of freedom: ``m exp(e t)`` below the median, or Hall's transformation of ``t`` in its place
    where the values lean to the left (with ``a = g / 3 / sqrt(k)`` for a skewness ``g < 0``, see
    below): few values of such a law miss the short runs that pull its mean down. Above the median
    the largest of ``m exp(e t)``; of ``m exp(-e q)``
    with ``q`` the opposite quantile of ``log(mean) / (cv / sqrt(k))`` of ``k`` lognormal values
    whose coefficient of variation is ``cv``; and of ``m exp(-e h)`` with Hall's transformation
    ``h = (cbrt(1 + 3 a (-t - b)) - 1) / a``, ``a = (g / 3 - cv / 2) / sqrt(k)``,
    ``b = g / (6 sqrt(k))``, ``g`` the skewness.

    Fewer than three values do not tell their dispersion: ``m exp(assumed z / sqrt(k))`` with the
    normal quantile ``z``. ``assumed`` is the standard deviation of the logarithm of one value,
    where there are one or two.
    """
    k, mean = known.count, known.mean[..., np.newaxis]
    if k < FEWEST_WITH_SPREAD:
        few: Floats = mean * np.exp(assumed / np.sqrt(k) * _normal(levels))
        return few
    cv = np.maximum(known.deviation[..., np.newaxis], LEAST_DEVIATION) / mean
    error, t = cv / np.sqrt(k), _student(levels, k - 1)
    reach: Floats = error * t
    above, skewness = int(np.searchsorted(levels.p, 0.5)), known.skewness[..., np.newaxis]
    skewed = _hall(t[above:], skewness / 3 - cv / 2, skewness, k)
    widest = error * np.maximum(skewed, _lognormal(levels, k, cv[..., 0]))
    reach[..., above:] = np.maximum(reach[..., above:], widest)
    left = np.minimum(skewness, 0.0)
    longest = error * _hall(t[:above], left / 3, left, k)
    reach[..., :above] = np.minimum(reach[..., :above], longest)
    np.exp(reach, out=reach)
    reach *= mean
    return reach


def tail_is_heavy(hits: ArrayLike) -> NDArray[np.bool_]:
    """Whether runtimes are so skew that an interval of their mean may well be too short.

    The longest successful run took more than 11.3 times the median of 5 (or fewer; 13.9 of 10, 16.1
    of 15, 18.8 of 30, and so on with the logarithm). Of the laws of
    ``benchmarks/simulated_optimizers.py``, each with one mode and without a heavy tail is flagged
    in 5 of 100 experiments at most; the lognormal one with sigma 1.5 in 2 to 5 of 10 (a test). No
    flag is no proof: intervals miss most often where the long runs did not happen. Shape
    ``(n_targets,)``; False with fewer than three successes.
    """
    runs = matrix(hits)
    reached = np.isfinite(runs)
    count = reached.sum(axis=0)
    ordered = np.sort(np.where(reached, runs, np.inf), axis=0)
    columns = np.arange(runs.shape[1])
    last = np.maximum(count - 1, 0)
    middle = (ordered[last // 2, columns] + ordered[(last + 1) // 2, columns]) / 2
    most = 11.3 + 4.2 * np.log(np.maximum(count, 5) / 5)
    enough = count >= FEWEST_WITH_SPREAD
    longest = np.where(enough, ordered[last, columns], 0.0)
    return np.asarray(longest > most * np.where(enough, middle, 1.0))


def _hall(t: Floats, curvature: Floats, skewness: Floats, k: int) -> Floats:
    """Hall's transformation of Student's quantiles ``t`` of a mean of ``k`` values.

    ``curvature`` is a third of the skewness, less half the coefficient of variation where the mean
    is looked at on the logarithm. At 0 it is a straight line; there a small one stands for it.
    """
    root = np.sqrt(k)
    a, b = curvature / root, skewness / (6 * root)
    a = np.where(np.abs(a) < 1e-4, np.where(a >= 0, 1e-4, -1e-4), a)
    reach: Floats = (1 - np.cbrt(1 + 3 * a * (-t - b))) / a
    return reach


def _lognormal(levels: Levels, k: int, cv: Floats) -> Floats:
    """``-q`` of `mean_quantiles` at the levels above the median, interpolated in sigma."""
    table = _lognormal_reach(levels, k)
    place = np.minimum(np.sqrt(np.log1p(cv * cv)) / _largest_sigma(k), 1.0) * (_SIGMAS - 1)
    low = np.minimum(place.astype(np.intp), _SIGMAS - 2)
    part = (place - low)[..., np.newaxis]
    reach: Floats = table[low] + part * (table[low + 1] - table[low])
    return reach


def _largest_sigma(k: int) -> float:
    """Sigma of the lognormal law with the largest coefficient of variation that k values have."""
    return float(np.sqrt(np.log1p(k)))


@lru_cache(maxsize=512)
def _lognormal_reach(levels: Levels, k: int) -> Floats:
    """``-q`` at the levels above the median, ``(n_sigmas, n_levels)``, from `_simulated_excess`.

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
    z = np.ascontiguousarray(rng.normal(size=(_SIMULATED_VALUES // k, k)).T)
    from scipy import special

    p = special.ndtr(_SCORES)
    found = []
    for sigma in (1e-3, *np.linspace(0, _largest_sigma(k), _SIGMAS)[1:]):
        values = np.exp(sigma * z)
        mean = values.mean(axis=0)
        values -= mean
        cv = np.sqrt(np.einsum("ij,ij->j", values, values) / (k - 1)) / mean
        t = (np.log(mean) - sigma**2 / 2) * np.sqrt(k) / cv
        found.append(-quantiles(t, p, "type-7"))
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

"""Confidence intervals of the mean of a positive distribution, from a few values of it.

The method does not rely on one distribution of runtimes. It takes the widest of three intervals of
the logarithm of the mean: Student's, the one that would be exact for lognormal values, and Hall's
(1992, "On the removal of skewness by transformation", J. Royal Statistical Society B 54). Its
measured coverage is in ``benchmarks/README.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import matrix
from .quantiles import Floats, quantiles

FEWEST_WITH_SPREAD = 3  # values; with fewer, a dispersion is assumed instead of estimated
LEAST_DEVIATION = 0.5  # evaluations; runtimes are integers, so equal ones may differ by this much

# Size of the simulation of lognormal means (`_simulate_excess`).
_MAX_SIMULATED_COUNT = 100  # values of a mean; beyond, the excess is extrapolated
_N_SIMULATED_VALUES = 200_000  # for each count; 0.02 is the error of a quantile near 2
_N_SIGMAS = 16
_SCORES = np.linspace(-4.0, 0.0, 81)  # normal quantiles of the probabilities of the table

_MIN_HALL_COEFFICIENT = 1e-4  # Hall's formula divides by its coefficient ``a``


@dataclass(frozen=True, eq=False)
class Levels:
    """Probabilities of quantiles, ascending, shape ``(n_levels,)``.

    An object equals only itself, so that cached functions can look up results by it. Use
    `all_levels` and `end_levels`, which are cached themselves.
    """

    p: Floats


@lru_cache(maxsize=64)
def all_levels(samples: int) -> Levels:
    """Return the probabilities ``(i + 1/2) / samples`` for ``i`` from 0 to ``samples - 1``."""
    return Levels((np.arange(samples) + 0.5) / samples)


@lru_cache(maxsize=64)
def end_levels(level: float) -> Levels:
    """Return the probabilities of the lower and the upper end of an interval at a level."""
    half = round((1 - level) / 2, 12)
    return Levels(np.array([half, 1 - half]))


@dataclass(frozen=True, eq=False)
class Moments:
    """Sample moments of one or many distributions, from equally many values of each.

    Attributes:
        count: Number of values of each distribution.
        mean: Mean of the values, positive; an array with one element for each distribution.
        deviation: Standard deviation (n - 1), in the shape of ``mean``; 0 with one value.
        skewness: Sample skewness ``m3 / m2^1.5 * sqrt(n (n - 1)) / (n - 2)``, in the shape of
            ``mean``; 0 with fewer than three values, and with equal values.
    """

    count: int
    mean: Floats
    deviation: Floats
    skewness: Floats

    @property
    def constant(self) -> NDArray[np.bool_]:
        """Whether the values are equal up to rounding. True with one value."""
        return np.asarray(self.deviation <= 1e-12 * self.mean)


def moments(values: Floats) -> Moments:
    """Compute the moments of distributions whose values, at least one, are along the last axis.

    >>> sample = moments(np.array([19.0, 13, 13, 13, 13]))
    >>> sample.mean.item(), round(sample.deviation.item(), 4), round(sample.skewness.item(), 4)
    (14.2, 2.6833, 2.2361)
    """
    n, mean = values.shape[-1], np.asarray(values.mean(axis=-1))
    zeros = np.zeros(mean.shape)
    if n == 1:
        return Moments(1, mean, zeros, zeros)
    differences = values - mean[..., np.newaxis]
    m2 = np.asarray((differences**2).mean(axis=-1))
    without_skewness = Moments(n, mean, np.sqrt(m2 * n / (n - 1)), zeros)
    if n < FEWEST_WITH_SPREAD:
        return without_skewness
    scaled_m3 = (differences**3).mean(axis=-1) * np.sqrt(n * (n - 1)) / (n - 2)
    varies = ~without_skewness.constant
    skewness = np.divide(scaled_m3, np.where(varies, m2, 1.0) ** 1.5, out=zeros, where=varies)
    return Moments(n, mean, without_skewness.deviation, np.asarray(skewness))


def moments_of_groups(hits: Floats, spent: Floats, groups: NDArray[np.intp]) -> Moments:
    """Compute moments of one number for each instance, whose mean is the aRT to each target.

    The number is ``aRT + (evaluations - aRT * successes) / mean successes``: the linearised ratio
    of the sums over an instance. If all runs succeed and instances have equally many, it is the
    mean runtime of the instance.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; not finite if the run did
            not hit the target. Some run must have hit each target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        groups: Index of the instance of each run, counted from 0, shape ``(n_runs,)``.

    Returns:
        Moments with one element for each target.
    """
    is_reached = np.isfinite(hits)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    evaluations_of_run = np.where(is_reached, hits, spent[:, np.newaxis])
    evaluations, successes = (
        np.add.reduceat(values[order].astype(np.float64), starts, axis=0)
        for values in (evaluations_of_run, is_reached)
    )
    art = evaluations.sum(axis=0) / successes.sum(axis=0)
    values = art + (evaluations - art * successes) / successes.mean(axis=0)
    return moments(np.ascontiguousarray(values.T))


def mean_quantiles(sample: Moments, levels: Levels, assumed: float = 1.0) -> Floats:
    """Compute quantiles of the plausible means of distributions, from moments of their values.

    With ``m`` the mean, ``k`` the number of values, ``g`` the skewness, ``cv`` the standard
    deviation (at least half an evaluation) divided by ``m``, ``e = cv / sqrt(k)``, and ``t``
    Student's quantile with ``k - 1`` degrees of freedom:

    - Above the median the result is the largest of three. The first is ``m exp(e t)``. The second
      is ``m exp(-e q)`` with the opposite quantile ``q`` of ``log(mean) / (cv / sqrt(k))`` of ``k``
      lognormal values with the coefficient of variation ``cv``. The third is ``m exp(-e h)`` with
      Hall's transformation ``h = (cbrt(1 + 3 a (-t - b)) - 1) / a``,
      ``a = (g / 3 - cv / 2) / sqrt(k)``, ``b = g / (6 sqrt(k))``.
    - Below the median the result is ``m exp(e t)``. If ``g < 0`` it is the smaller of this and
      ``m exp(-e h)`` with ``a = g / 3 / sqrt(k)``, because few values of such a distribution often
      miss the short runs that lower its mean.
    - One or two values do not show their dispersion. The result is then
      ``m exp(assumed z / sqrt(k))`` with the normal quantile ``z``.

    Args:
        sample: Moments of ``n`` distributions, of any shape.
        levels: Probabilities of the quantiles.
        assumed: Standard deviation of the logarithm of a value, used with one or two values.

    Returns:
        Quantiles, shape ``(..., n_levels)``.
    """
    k, mean = sample.count, sample.mean[..., np.newaxis]
    if k < FEWEST_WITH_SPREAD:
        of_few: Floats = mean * np.exp(assumed / np.sqrt(k) * _normal_quantiles(levels))
        return of_few
    cv = np.maximum(sample.deviation[..., np.newaxis], LEAST_DEVIATION) / mean
    error, t = cv / np.sqrt(k), _student_quantiles(levels, k - 1)
    logarithms: Floats = error * t  # of quantile / mean
    n_below, skewness = int(np.searchsorted(levels.p, 0.5)), sample.skewness[..., np.newaxis]
    hall = _transform_by_hall(t[n_below:], skewness / 3 - cv / 2, skewness, k)
    widest = error * np.maximum(hall, _interpolate_lognormal(levels, k, cv[..., 0]))
    logarithms[..., n_below:] = np.maximum(logarithms[..., n_below:], widest)
    negative_skewness = np.minimum(skewness, 0.0)
    hall = _transform_by_hall(t[:n_below], negative_skewness / 3, negative_skewness, k)
    logarithms[..., :n_below] = np.minimum(logarithms[..., :n_below], error * hall)
    np.exp(logarithms, out=logarithms)
    logarithms *= mean
    return logarithms


def heavy_tail_ratios(hits: ArrayLike) -> Floats:
    """Compute the limit of `tail_is_heavy` for each target: longest success divided by median.

    Args:
        hits: As in `tail_is_heavy`.

    Returns:
        Shape ``(n_targets,)``; ``11.3 + 4.2 log(n / 5)`` for ``n`` successes, at least 11.3.
    """
    n_successes = np.isfinite(matrix(hits)).sum(axis=0)
    return np.asarray(11.3 + 4.2 * np.log(np.maximum(n_successes, 5) / 5), dtype=np.float64)


def tail_is_heavy(hits: ArrayLike) -> NDArray[np.bool_]:
    """Return, for each target, whether runtimes are so skew that an interval may be too short.

    True if the longest successful run took more than ``11.3 + 4.2 log(n / 5)`` times the median of
    the ``n`` successful runs: 11.3 times for 5 runs or fewer, 13.9 for 10, 16.1 for 15, 18.8 for
    30. The distributions of ``benchmarks/simulated_optimizers.py`` with one mode and without a
    heavy tail are flagged in at most 5 of 100 experiments. The lognormal distribution with sigma
    1.5 is flagged in 2 to 5 of 10 (a test). False proves nothing: an interval is most often too
    short if the long runs were not observed.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; not finite if the run did
            not hit the target.

    Returns:
        Shape ``(n_targets,)``; False with fewer than three successes.
    """
    runtimes = matrix(hits)
    is_reached = np.isfinite(runtimes)
    n_successes = is_reached.sum(axis=0)
    ordered = np.sort(np.where(is_reached, runtimes, np.inf), axis=0)
    columns = np.arange(runtimes.shape[1])
    last = np.maximum(n_successes - 1, 0)
    medians = (ordered[last // 2, columns] + ordered[(last + 1) // 2, columns]) / 2
    max_ratio = heavy_tail_ratios(hits)
    is_enough = n_successes >= FEWEST_WITH_SPREAD
    longest = np.where(is_enough, ordered[last, columns], 0.0)
    return np.asarray(longest > max_ratio * np.where(is_enough, medians, 1.0))


def _transform_by_hall(t: Floats, curvature: Floats, skewness: Floats, k: int) -> Floats:
    """Return ``-h`` of `mean_quantiles`: Hall's transformation of Student's quantiles ``t``.

    ``curvature`` is ``a * sqrt(k)``: a third of the skewness, less half the coefficient of
    variation if the logarithm of the mean is considered.
    """
    root = np.sqrt(k)
    a, b = curvature / root, skewness / (6 * root)
    # The formula tends to -t - b for a = 0, where it cannot be computed.
    smallest = np.where(a >= 0, _MIN_HALL_COEFFICIENT, -_MIN_HALL_COEFFICIENT)
    a = np.where(np.abs(a) < _MIN_HALL_COEFFICIENT, smallest, a)
    transformed: Floats = (1 - np.cbrt(1 + 3 * a * (-t - b))) / a
    return transformed


def _interpolate_lognormal(levels: Levels, k: int, cv: Floats) -> Floats:
    """Return negated quantiles of ``log(mean) / (cv / sqrt(k))`` of ``k`` lognormal values.

    They are interpolated in sigma, the standard deviation of the logarithms.

    Args:
        levels: The levels above the median.
        k: Number of values.
        cv: Coefficients of variation.

    Returns:
        ``-q`` in the notation of `mean_quantiles`, shape ``(*cv.shape, n_levels)``.
    """
    table = _tabulate_lognormal(levels, k)
    sigma = np.sqrt(np.log1p(cv * cv))
    position = np.minimum(sigma / _compute_largest_sigma(k), 1.0) * (_N_SIGMAS - 1)
    row = np.minimum(position.astype(np.intp), _N_SIGMAS - 2)
    fraction = (position - row)[..., np.newaxis]
    interpolated: Floats = table[row] + fraction * (table[row + 1] - table[row])
    return interpolated


def _compute_largest_sigma(k: int) -> float:
    """Return the sigma whose lognormal coefficient of variation is the largest of k values."""
    return float(np.sqrt(np.log1p(k)))


@lru_cache(maxsize=512)
def _tabulate_lognormal(levels: Levels, k: int) -> Floats:
    """Return ``-q`` at the levels above the median, shape ``(_N_SIGMAS, n_levels)``.

    Beyond 100 values the excess over Student's quantile decreases as ``1 / sqrt(k)``.
    """
    above_median = levels.p[levels.p >= 0.5]
    simulated_k = min(k, _MAX_SIMULATED_COUNT)
    scores = -_normal_quantiles(levels)[-len(above_median) :]
    excess = np.array([np.interp(scores, _SCORES, row) for row in _simulate_excess(simulated_k)])
    excess *= np.sqrt(simulated_k / k)
    if k > simulated_k:
        sigmas = np.linspace(0, _compute_largest_sigma(k), _N_SIGMAS)
        simulated_sigmas = np.linspace(0, _compute_largest_sigma(simulated_k), _N_SIGMAS)
        excess = np.array([np.interp(sigmas, simulated_sigmas, column) for column in excess.T]).T
    return np.asarray(_student_quantiles(levels, k - 1)[-len(above_median) :] + excess)


@lru_cache(maxsize=128)
def _simulate_excess(k: int) -> Floats:
    """Simulate how far ``-q`` lies beyond Student's quantile, shape ``(n_sigmas, n_scores)``.

    Uses 200,000 / k samples of k values, the same for each sigma. The quantile for the smallest
    sigma is known (Student's). Its simulation error is subtracted from all rows, which leaves an
    error of about 0.02 for q near 2 at sigma 1.
    """
    rng = np.random.default_rng([k, 16])
    z = np.ascontiguousarray(rng.normal(size=(_N_SIMULATED_VALUES // k, k)).T)
    from scipy import special

    p = special.ndtr(_SCORES)
    rows = []
    for sigma in (1e-3, *np.linspace(0, _compute_largest_sigma(k), _N_SIGMAS)[1:]):
        values = np.exp(sigma * z)
        mean = values.mean(axis=0)
        values -= mean
        cv = np.sqrt(np.einsum("ij,ij->j", values, values) / (k - 1)) / mean
        t = (np.log(mean) - sigma**2 / 2) * np.sqrt(k) / cv
        rows.append(-quantiles(t, p, "type-7"))
    excess: Floats = np.array(rows) - rows[0]
    return excess


@lru_cache(maxsize=512)
def _student_quantiles(levels: Levels, degrees_of_freedom: int) -> Floats:
    from scipy import special

    t: Floats = special.stdtrit(degrees_of_freedom, levels.p)
    return t


@lru_cache(maxsize=256)
def _normal_quantiles(levels: Levels) -> Floats:
    from scipy import special

    z: Floats = special.ndtri(levels.p)
    return z

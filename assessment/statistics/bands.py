"""Confidence bands of runtime profiles, from resamples of the runs.

A profile is the share of function-target pairs that were reached within each budget. `ecdf_band`
returns its confidence band. The computation has two steps:

1. `resample_profile` resamples the runs of one function with replacement (bootstrap). It returns
   the profile, and the mean and standard deviation of the profiles of the resamples.
2. `compute_band` combines these numbers of several functions into one band.

`resample_paired_profile` replaces the first step where algorithms are compared with each other.

The variance of resampled means is too small by the factor ``(n - 1) / n`` with ``n`` runs.
Deviations from the mean are therefore multiplied by ``sqrt(n / (n - 1))`` (Efron and Tibshirani,
"An Introduction to the Bootstrap", 1993, eq. 5.12). A resampled profile may then leave [0, 1].
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import checked, groups_of, runtimes_of_runs
from .intervals import Resampling
from .quantiles import Floats

SIMULATED = 60
"""Minimum number of runtimes that are simulated from each resample of the runs of a function."""
_MIN_SAMPLE_SIZE_PER_RUN = 1 / 4
"""Minimum effective sample size of a profile, divided by the number of runs."""
_MAX_ROUNDING_DEVIATION = 1e-9
"""Standard deviations up to this value are rounding errors of equal numbers."""


class ResampledProfile(NamedTuple):
    """The profile of one function, with mean and standard deviation over resamples of its runs.

    Attributes:
        profile: Profile of the runs, shape ``(n_budgets,)``.
        mean: Mean of the profiles of the resamples, shape ``(n_budgets,)``.
        deviation: Standard deviation of the profiles of the resamples, scaled to that of a mean of
            ``n_runs`` runs, shape ``(n_budgets,)``.
        n_runs: Number of runs, or of instances if whole instances were resampled.
    """

    profile: Floats
    mean: Floats
    deviation: Floats
    n_runs: int

    def at_budgets(self, budgets: slice) -> ResampledProfile:
        """Return the values at a slice of the budgets."""
        return ResampledProfile(
            self.profile[budgets], self.mean[budgets], self.deviation[budgets], self.n_runs
        )


def resample_profile(
    hits: ArrayLike,
    spent: ArrayLike,
    budgets: ArrayLike,
    resampling: Resampling,
    restarts: bool = True,
    instances: ArrayLike | None = None,
) -> ResampledProfile:
    """Compute the profile of one function and its spread over resamples of the runs.

    Whole instances are resampled if instances have several runs and there are at least three
    instances. Otherwise single runs are resampled. Random numbers depend only on the seed and on
    the data.

    The standard deviation is enlarged if only a few runs differ from the others, because it is
    then too small (`_compute_scale_of_rare_values`).

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``, from the easiest to the
            hardest target; NaN if the run did not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        budgets: Budgets in the unit of the hits, ascending, shape ``(n_budgets,)``.
        resampling: Seed and number of resamples.
        restarts: Whether runtimes are those of simulated restarts. False: those of single runs; a
            missed target has an infinite runtime.
        instances: Instance of each run, shape ``(n_runs,)``. None: each run has another instance.

    Raises:
        ValueError: The shapes do not match, there is no run, or a hit is later than the end of its
            run.
    """
    runs, ends = checked(hits, spent)
    runtimes, budget_grid = runtimes_of_runs(runs), np.asarray(budgets, dtype=np.float64)
    data = np.ascontiguousarray(runs).tobytes() + np.ascontiguousarray(ends).tobytes()
    rng = np.random.default_rng([resampling.seed, len(ends), zlib.crc32(data)])
    profiles_of_runs = profiles_of_units = _compute_profiles(runtimes, budget_grid)
    groups = groups_of(instances, len(ends))
    if groups is None:
        resampled_runs = rng.integers(len(ends), size=(resampling.samples, len(ends)))
    else:
        resampled_runs = _resample_instances(groups, resampling.samples, rng)
        profiles_of_units = _average_groups(profiles_of_runs, groups)
    if restarts:
        profile, deviations = _simulate_restarts(runtimes, ends, budget_grid, resampled_runs, rng)
    else:
        profile = profiles_of_runs.mean(axis=0)
        deviations = _average_resamples(profiles_of_runs, resampled_runs)
    # Resampled profiles become their deviations in place, because copies took a tenth of the time.
    mean = deviations.mean(axis=0)
    deviations -= mean
    np.square(deviations, out=deviations)
    deviation = np.sqrt(deviations.sum(axis=0) / (len(deviations) - 1))
    n_units = len(profiles_of_units)
    scale = _compute_scale_of_mean(n_units) * _compute_scale_of_rare_values(profiles_of_units)
    return ResampledProfile(profile, mean, scale * deviation, n_units)


class PairedResamples(NamedTuple):
    """The profile of one algorithm on one function, and the profiles of resamples of its runs.

    Attributes:
        profile: Profile of the runs, shape ``(n_budgets,)``.
        resamples: Profiles of the resamples with scaled deviations, shape
            ``(n_resamples, n_budgets)``.
        n_runs: Number of runs, or of instances if whole instances were resampled.
    """

    profile: Floats
    resamples: Floats
    n_runs: int

    def summarize(self) -> ResampledProfile:
        """Return the mean and standard deviation of the resamples."""
        mean, deviation = self.resamples.mean(axis=0), self.resamples.std(axis=0, ddof=1)
        return ResampledProfile(self.profile, mean, deviation, self.n_runs)


def resample_paired_profile(
    runtimes: Floats,
    budgets: Floats,
    samples: int,
    rng: np.random.Generator,
    instances: ArrayLike | None = None,
) -> PairedResamples:
    """Compute the profile of single runs, and profiles of resamples that algorithms share.

    The resamples depend only on ``rng`` and on the number of runs (or instances). Algorithms with
    equally many runs therefore get the same resamples if their generators have the same state
    (common random numbers). Deviations are not enlarged if only a few runs differ.

    Args:
        runtimes: Shape ``(n_runs, n_targets)``; inf if the run did not hit the target.
        budgets: Budgets in the unit of the runtimes, ascending, shape ``(n_budgets,)``.
        samples: Number of resamples.
        rng: Random number generator of the resamples.
        instances: Instance of each run, shape ``(n_runs,)``. None: each run has another instance.
    """
    profiles_of_units = _compute_profiles(runtimes, budgets)
    groups = groups_of(instances, len(profiles_of_units))
    if groups is not None:
        profiles_of_units = _average_groups(profiles_of_units, groups)
    n, profile = len(profiles_of_units), profiles_of_units.mean(axis=0)
    multiplicities = rng.multinomial(n, np.full(n, 1 / n), size=samples)
    resamples: Floats = multiplicities.astype(np.float64) @ profiles_of_units
    # profile + scale * (resamples / n - profile), in place because copies took half of the time.
    resamples /= n
    resamples -= profile
    resamples *= _compute_scale_of_mean(n)
    resamples += profile
    return PairedResamples(profile, resamples, n)


def ecdf_band(
    data_sets: Sequence[tuple[ArrayLike, ArrayLike]],
    budgets: ArrayLike,
    resampling: Resampling,
    restarts: bool = True,
    weights: Sequence[float] | None = None,
    instances: Sequence[ArrayLike] | None = None,
) -> Floats:
    """Compute a pointwise confidence band of a profile of simulated runtimes over functions.

    The band estimates the profile of infinitely many runs: the distribution of the runtimes of the
    algorithm restarted until it succeeds (or of single runs), averaged over functions and targets.
    It holds for one budget that was chosen beforehand, not for all budgets together.
    `compute_band` describes the method.

    ``benchmarks/results/band-coverage.csv`` has the measured coverage of 95 % bands of 1 and 8
    functions with 5, 15 and 30 runs, at budgets within the longest run.

    Args:
        data_sets: ``(hits, spent)`` of each function, as for `resample_profile`.
        budgets: Budgets in the unit of the hits, ascending, shape ``(n_budgets,)``.
        resampling: Level, seed and number of resamples (200 suffice).
        restarts: Whether runtimes are those of simulated restarts. False: those of single runs; a
            missed target has an infinite runtime.
        weights: Weight of each function. None: equal weights.
        instances: Instances of the runs of each function, shape ``(n_runs,)``. None: each run has
            another instance.

    Returns:
        Lower and upper end in [0, 1], shape ``(2, n_budgets)``; NaN if a function has a single run.

    Raises:
        ValueError: As `resample_profile`, or there is no function.

    Example:
        >>> import numpy as np
        >>> from firsthit.assessment import Resampling, ecdf_band
        >>> hits = np.array([[20.0], [30.0], [np.nan], [25.0], [40.0]])
        >>> data_sets = [(hits, np.full(5, 100.0))]  # one function
        >>> ecdf_band(data_sets, [25.0, 50.0, 200.0], Resampling(samples=200)).round(2)
        array([[0.07, 0.18, 0.19],
               [0.86, 0.99, 1.  ]])
    """
    if not data_sets:
        raise ValueError("no functions: a band needs at least one")
    instances_of_functions = [None] * len(data_sets) if instances is None else instances
    profiles = [
        resample_profile(hits, spent, budgets, resampling, restarts, instances_of_function)
        for (hits, spent), instances_of_function in zip(
            data_sets, instances_of_functions, strict=True
        )
    ]
    return compute_band(profiles, resampling, weights)


def compute_band(
    functions: Sequence[ResampledProfile],
    resampling: Resampling,
    weights: Sequence[float] | None = None,
) -> Floats:
    """Compute a pointwise confidence band of the weighted mean of profiles of functions.

    The band is Wilson's interval of the mean profile without its bias (`_compute_wilson`). The
    bias is the mean of the resampled profiles minus the profile. The variance is the sum of the
    variances of the functions. The quantile is Student's with the degrees of freedom of Welch and
    Satterthwaite. Dean and Pagano (2015, J. Survey Statistics and Methodology 3, 484-503) compare
    such intervals for clustered samples.

    The resampled profiles of a function do not vary if all its runs hit the same targets. Further
    runs might nevertheless hit other targets. Such a function with the profile ``F`` therefore has
    an interval of its own, from ``F (1 - q)`` to ``F + q (1 - F)``. ``q`` is the largest
    probability of other targets with which ``n`` runs show none of them with probability
    ``1 - level``: ``(1 - q)^n = 1 - level`` (0.45 with 5 runs, 0.18 with 15, 0.10 with 30).

    Both kinds of intervals are independent. The distances from the profile to their ends are
    combined as the root of the sum of their squares (Zou and Donner 2008, Statistics in Medicine
    27, 1693-1702).

    A profile never decreases. A lower bound at one budget therefore holds for all larger budgets,
    and an upper bound for all smaller ones. The profile and both ends are made monotone, so that
    an end may depend on the other budgets.

    Args:
        functions: Resampled profiles of the functions, at least one, at the same budgets.
        resampling: Level of the band.
        weights: Weight of each function. None: equal weights.

    Returns:
        Lower and upper end in [0, 1], shape ``(2, n_budgets)``; NaN if a function has a single run.
    """
    from scipy import special

    if min(function.n_runs for function in functions) < 2:
        return np.full((2, len(functions[0].profile)), np.nan)
    weight = np.ones(len(functions)) if weights is None else np.asarray(weights, dtype=np.float64)
    weight = weight[:, np.newaxis] / weight.sum()
    n_runs = np.array([function.n_runs for function in functions])[:, np.newaxis]
    profiles = np.array([function.profile for function in functions])
    means = np.array([function.mean for function in functions])
    deviations = np.array([function.deviation for function in functions])
    is_constant = deviations <= _MAX_ROUNDING_DEVIATION

    mean_profile = (weight * profiles).sum(axis=0)
    bias = (weight * (means - profiles)).sum(axis=0)
    unbiased_profile = np.maximum.accumulate(np.clip(mean_profile - bias, 0.0, 1.0))
    variances = np.where(is_constant, 0.0, weight * deviations) ** 2
    degrees = _combine_degrees_of_freedom(variances, n_runs - 1)
    t: Floats = special.stdtrit(degrees, resampling.tails[1])
    low, high = _compute_wilson(
        unbiased_profile, mean_profile, variances.sum(axis=0), t, int(n_runs.sum())
    )

    # Functions whose runs all hit the same targets; further runs might hit others.
    runs_agree = is_constant & (profiles > 0) & (profiles < 1)
    max_unseen = 1 - (1 - resampling.level) ** (1 / n_runs)
    unseen = np.where(runs_agree, weight * max_unseen, 0.0)
    below = np.sqrt(((unseen * profiles) ** 2).sum(axis=0))
    above = np.sqrt(((unseen * (1 - profiles)) ** 2).sum(axis=0))
    # Where no function varies, these intervals replace Wilson's.
    none_varies = runs_agree.any(axis=0) & is_constant.all(axis=0)
    low, high = (np.where(none_varies, unbiased_profile, end) for end in (low, high))
    low = unbiased_profile - np.hypot(unbiased_profile - low, below)
    high = unbiased_profile + np.hypot(high - unbiased_profile, above)
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    return np.clip([low, high], 0.0, 1.0)


def _compute_profiles(runtimes: Floats, budgets: Floats) -> Floats:
    """Compute the share of each row's runtimes up to each budget, shape ``(n_rows, n_budgets)``."""
    n_rows, n_columns = runtimes.shape
    bins = np.searchsorted(budgets, runtimes, side="left")
    flat_bins = bins + np.arange(n_rows)[:, np.newaxis] * (len(budgets) + 1)
    counts = np.bincount(flat_bins.ravel(), minlength=n_rows * (len(budgets) + 1))
    return np.asarray(counts.reshape(n_rows, -1)[:, :-1].cumsum(axis=1) / n_columns)


def _resample_instances(
    groups: NDArray[np.intp], samples: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw instances with replacement, and return the runs of each resample, ``(samples, n)``.

    An instance comes with all its runs. If instances have different numbers of runs, each comes
    with the mean number of runs, which are drawn from its runs with replacement.
    """
    counts = np.bincount(groups)
    n_instances, n_runs_each = len(counts), max(round(len(groups) / len(counts)), 1)
    order = np.argsort(groups, kind="stable")
    starts = np.cumsum(counts) - counts
    sampled = rng.integers(n_instances, size=(samples, n_instances))[:, :, np.newaxis]
    offsets = np.broadcast_to(np.arange(n_runs_each), (samples, n_instances, n_runs_each))
    if counts.min() < counts.max():
        offsets = (rng.random(offsets.shape) * counts[sampled]).astype(np.int64)
    return np.asarray(order[starts[sampled] + offsets].reshape(samples, -1), dtype=np.int64)


def _average_groups(rows: Floats, groups: NDArray[np.intp]) -> Floats:
    """Return the mean of the rows of each group, shape ``(n_groups, n_columns)``."""
    order = np.argsort(groups, kind="stable")
    counts = np.bincount(groups)
    sums = np.add.reduceat(rows[order], np.cumsum(counts) - counts, axis=0)
    return np.asarray(sums / counts[:, np.newaxis])


def _average_resamples(profiles: Floats, resampled_runs: NDArray[np.int64]) -> Floats:
    """Return the mean of the rows of ``profiles`` that each row of ``resampled_runs`` lists."""
    samples, n = resampled_runs.shape
    flat = resampled_runs + len(profiles) * np.arange(samples)[:, np.newaxis]
    multiplicities = np.bincount(flat.ravel(), minlength=samples * len(profiles))
    return np.asarray(multiplicities.reshape(samples, -1) @ profiles / n)


def _simulate_restarts(
    runtimes: Floats,
    spent: Floats,
    budgets: Floats,
    resampled_runs: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Return profiles with simulated restarts, of the runs and of each resample."""
    from .restart_kernels import resampled_counts

    samples, n = resampled_runs.shape
    repeats = -(-SIMULATED // n)
    states = rng.integers(2**63, size=2).astype(np.uint64)
    all_runs = np.arange(len(spent))[np.newaxis]
    run_counts = resampled_counts(runtimes, spent, all_runs, samples, budgets, states[0])
    counts = resampled_counts(runtimes, spent, resampled_runs, repeats, budgets, states[1])
    n_targets = runtimes.shape[1]
    return run_counts[0] / (len(spent) * n_targets * samples), counts / (n * n_targets * repeats)


def _compute_scale_of_mean(n: int) -> float:
    """Return the standard deviation of a mean of ``n`` runs divided by that of its resamples."""
    return float(np.sqrt(n / max(n - 1, 1)))


def _compute_scale_of_rare_values(profiles: Floats) -> Floats:
    """Return a factor of the standard deviation that is above 1 where few runs differ.

    Let ``k`` of ``n`` runs differ from the most frequent value, at least 1 and at most ``n / 2``.
    The factor turns the standard deviation of a binomial share ``k / n`` into that of
    ``(k + 1) / (n + 2)``, with one more run of either kind (Agresti and Caffo 2000, The American
    Statistician 54, 280-288).

    Args:
        profiles: Profile of each run or instance, shape ``(n, n_budgets)``.

    Returns:
        The factor, shape ``(n_budgets,)``.
    """
    n, ordered = len(profiles), np.sort(profiles, axis=0)
    # Frequency of the most frequent value: the longest sequence of equal values in sorted order.
    rows = np.arange(n)[:, np.newaxis]
    is_new_value = np.ones(ordered.shape, bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new_value[1:])
    first_rows = np.maximum.accumulate(np.where(is_new_value, rows, 0), axis=0)
    max_frequency = (rows - first_rows).max(axis=0) + 1
    k = np.minimum(np.maximum(n - max_frequency, 1), n / 2)
    observed, smoothed = k / n, (k + 1) / (n + 2)
    factor: Floats = np.sqrt(smoothed * (1 - smoothed) / (observed * (1 - observed)))
    return factor


def _combine_degrees_of_freedom(variances: Floats, degrees: NDArray[np.int64]) -> Floats:
    """Return the degrees of freedom of a sum of variances, by Welch and Satterthwaite.

    Args:
        variances: Independent variances, shape ``(n_parts, n_budgets)``.
        degrees: Degrees of freedom of each part, shape ``(n_parts, 1)``.

    Returns:
        Degrees of freedom, shape ``(n_budgets,)``; the sum of ``degrees`` where nothing varies.
    """
    squares = (variances**2 / degrees).sum(axis=0)
    combined: Floats = np.full_like(squares, degrees.sum())
    np.divide(variances.sum(axis=0) ** 2, squares, out=combined, where=squares > 0)
    return combined


def _compute_wilson(
    unbiased_profile: Floats, profile: Floats, variance: Floats, t: Floats, n_runs: int
) -> tuple[Floats, Floats]:
    """Return Wilson's interval of a share with a known variance.

    The effective sample size is ``m = p (1 - p) / variance``: ``m`` independent trials of
    probability ``p`` have this variance. ``p`` is ``unbiased_profile`` or ``profile``, whichever
    gives the larger ``m``, because ``m`` is not meaningful where ``p`` is almost 0 or 1. ``m`` is
    at least a quarter of ``n_runs``. It is ``n_runs`` where nothing varies.

    Args:
        unbiased_profile: Centre of the interval, shape ``(n_budgets,)``, as all arguments.
        profile: Profile of the runs.
        variance: Variance of ``profile``.
        t: Student's quantile.
        n_runs: Number of runs on all functions.
    """
    p = unbiased_profile
    binomial_variance = np.maximum(p * (1 - p), profile * (1 - profile))
    sample_size = np.divide(
        binomial_variance,
        variance,
        out=np.full_like(variance, n_runs),
        where=variance * binomial_variance > 0,
    )
    sample_size = np.maximum(sample_size, n_runs * _MIN_SAMPLE_SIZE_PER_RUN)
    shrinkage = 1 + t**2 / sample_size
    centre = (p + t**2 / (2 * sample_size)) / shrinkage
    half_width = t * np.sqrt(p * (1 - p) / sample_size + (t / (2 * sample_size)) ** 2) / shrinkage
    return centre - half_width, centre + half_width

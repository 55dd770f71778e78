"""Confidence intervals of average runtimes (aRT), and the resamples that they are computed from.

COCO shows the dispersion of single simulated runtimes, but no interval of their mean. The methods
here were chosen by their measured coverage: ``benchmarks/interval_coverage.py`` prints the table.

An aRT is the mean of the successful runs plus the number of failures per success times the mean of
the failed runs. `art_interval` combines quantiles of these three unknowns. Without failures it is
the interval of a mean (`mean_intervals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import AssessmentError
from .hits import checked, groups_of
from .mean_intervals import (
    Levels,
    all_levels,
    end_levels,
    mean_quantiles,
    moments,
    moments_of_groups,
)
from .quantiles import Floats, quantiles

_TARGETS_PER_BLOCK = 64  # targets whose resamples are in memory together: 1 MB with 2000 resamples

# Streams of random numbers: the stream of an algorithm and the two that follow it.
_FIRST_ALGORITHM = 0
_SECOND_ALGORITHM = 3


@dataclass(frozen=True)
class Resampling:
    """How intervals are computed.

    The resamples depend only on the seed and on the number of runs. Equal data therefore have equal
    intervals, and other data do not change them.

    Attributes:
        level: Confidence level, between 0 and 1.
        seed: Random seed, at least 0.
        samples: Number of resamples, at least 40.

    Raises:
        AssessmentError: A value is out of range.

    Example:
        >>> import numpy as np
        >>> from firsthit.assessment import Resampling, art_interval
        >>> hits = np.array([[20.0], [30.0], [25.0], [40.0]])
        >>> for level in (0.8, 0.95):
        ...     interval = art_interval(hits, hits[:, 0], Resampling(level))
        ...     print(level, interval.round(1).ravel())
        0.8 [22.5 38.4]
        0.95 [17.9 52.2]
    """

    level: float = 0.95
    seed: int = 1
    samples: int = 2000

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise AssessmentError(f"interval level is {self.level}, must lie between 0 and 1")
        for name, minimum in (("seed", 0), ("samples", 40)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
                raise AssessmentError(f"{name} is {value!r}, must be an integer >= {minimum}")

    @property
    def tails(self) -> tuple[float, float]:
        """Probabilities of the lower and the upper end.

        >>> Resampling(0.9).tails
        (0.05, 0.95)
        """
        low, high = end_levels(self.level).p.tolist()
        return low, high


def art_interval(
    hits: ArrayLike,
    spent: ArrayLike,
    resampling: Resampling,
    instances: ArrayLike | None = None,
    budget: float | None = None,
) -> Floats:
    """Compute a confidence interval of the average runtime (aRT) to each target.

    ``aRT = mean of the successful runs + (1 - p) / p * mean of the failed runs`` with the success
    probability ``p``.

    - If all runs succeeded, the interval is that of their mean (`mean_quantiles`). It is finite and
      never below 1.
    - Otherwise each of the three unknowns gets a distribution, and the interval lies between
      quantiles of the result. The means have the distribution of `mean_quantiles`; equal failures
      count as a constant. ``p`` has Jeffreys' distribution ``Beta(k + 1/2, n - k + 1/2)`` with
      ``k`` successes of ``n`` runs (Brown, Cai and DasGupta 2001, Statistical Science 16, 101-133).
    - If no run succeeded, the upper end is inf.

    The interval is about the function, or about these instances alone if runs repeat one or two
    instances. Runs of one instance are not independent. If some of at least three instances repeat,
    the interval is therefore widened to the interval of `mean_quantiles` that is computed from one
    number for each instance (`moments_of_groups`).

    Coverage at 95 %, measured by ``benchmarks/interval_coverage.py`` for 5 to 30 runs of 19
    distributions with one mode and without heavy tails, in experiments with a success: at least
    0.928 for each distribution if all runs succeed, and at least 0.902 at success rates 0.1, 0.3
    and 0.6. Coverage is lower in three cases:

    - One run of many takes far longer (see `tail_is_heavy`): down to 0.27.
    - Runtimes have two modes, and 5 runs show one of them.
    - Success rates are 0.8 and 0.9: down to 0.37, because often no failure is observed. An
      algorithm that fails once in ten seems to succeed always with probability 0.59 (5 runs),
      0.21 (15) and 0.04 (30). The cost of such failures is unknown, unless ``budget`` is given.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN if the run did not hit
            the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        resampling: Level, seed and number of resamples.
        instances: Instance of each run, shape ``(n_runs,)``. None: each run has another instance.
        budget: Evaluations that a failed run would have spent. If all runs succeeded, the upper end
            then includes ``(1 - p) / p * budget`` for failures that were not observed.

    Returns:
        Lower and upper end in evaluations, shape ``(2, n_targets)``; NaN with a single run.

    Raises:
        ValueError: The shapes do not match, there is no run, or a hit is later than the end of its
            run.

    Example:
        >>> import numpy as np
        >>> from firsthit.assessment import Resampling, art_interval
        >>> hits = np.array([[20.0], [30.0], [np.nan], [25.0], [40.0]])
        >>> interval = art_interval(hits, np.full(5, 100.0), Resampling(level=0.9))
        >>> interval.round().ravel()
        array([ 30., 194.])
    """
    return art_intervals([(hits, spent, instances)], resampling, budget)[0]


def art_intervals(
    data_sets: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike | None]],
    resampling: Resampling,
    budget: float | None = None,
) -> list[Floats]:
    """Compute `art_interval` for each of several data sets, in a fraction of the time.

    Args:
        data_sets: ``(hits, spent, instances)`` of each, as for `art_interval`.
        resampling: Level, seed and number of resamples.
        budget: Evaluations that a failed run would have spent, as for `art_interval`.

    Returns:
        Lower and upper ends of each data set, shape ``(2, n_targets)``, equal to those of
        `art_interval`.

    Raises:
        ValueError: As `art_interval`.
    """
    checked_data = [checked(hits, spent) for hits, spent, _ in data_sets]
    intervals = [np.full((2, hits.shape[1]), np.nan) for hits, _ in checked_data]
    # Data sets with equally many runs use the same resamples and are computed together.
    indices_by_n_runs: dict[int, list[int]] = {}
    for i, (_, spent) in enumerate(checked_data):
        indices_by_n_runs.setdefault(len(spent), []).append(i)
    indices_by_n_runs.pop(1, None)  # the interval of a single run stays NaN
    for indices in indices_by_n_runs.values():
        n_targets = [intervals[i].shape[1] for i in indices]
        hits = np.hstack([checked_data[i][0] for i in indices]).T
        spent = np.repeat([checked_data[i][1] for i in indices], n_targets, axis=0)
        joined = _compute_intervals(hits, spent, budget, resampling)
        split = np.split(joined, np.cumsum(n_targets)[:-1], axis=1)
        for i, interval in zip(indices, split, strict=True):
            groups = groups_of(data_sets[i][2], hits.shape[1])
            intervals[i] = (
                interval
                if groups is None
                else _widen_to_instances(interval, *checked_data[i], groups, resampling)
            )
    return intervals


def ratio_interval(
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    resampling: Resampling,
    instances: tuple[ArrayLike, ArrayLike] | None = None,
) -> Floats:
    """Compute a confidence interval of the aRT of one algorithm divided by that of another.

    The ends are quantiles of the ratio of independent `art_draws`, for one target. The upper end is
    inf if no run of ``first`` succeeded. The lower end is 0 if no run of ``second`` succeeded.

    Args:
        first: Hits and spent evaluations of the numerator, both of shape ``(n_runs,)``; a hit is
            NaN if the run did not hit the target.
        second: Hits and spent evaluations of the denominator.
        resampling: Level, seed and number of resamples.
        instances: Instances of the runs of each, shape ``(n_runs,)``. None: each run has another
            instance.

    Returns:
        Lower and upper end, shape ``(2,)``; NaN if either algorithm has a single run.

    Example:
        >>> import numpy as np
        >>> from firsthit.assessment import Resampling, ratio_interval
        >>> fast = np.array([20.0, 30.0, 25.0, 40.0, 28.0])
        >>> slow = 2 * fast
        >>> low, high = ratio_interval((slow, slow), (fast, fast), Resampling())
        >>> bool(low < 2 < high)
        True
    """
    if min(len(first[1]), len(second[1])) < 2:
        return np.full(2, np.nan)
    first_instances, second_instances = (None, None) if instances is None else instances
    first_arts = art_draws(*first, resampling, _FIRST_ALGORITHM, first_instances)
    second_arts = art_draws(*second, resampling, _SECOND_ALGORITHM, second_instances)
    low, high = quantiles(first_arts / second_arts, resampling.tails)
    if not np.isfinite(second[0]).any():
        low = 0.0
    if not np.isfinite(first[0]).any():
        high = np.inf
    return np.array([low, high])


def art_draws(
    hits: Floats,
    spent: Floats,
    resampling: Resampling,
    stream: int = _FIRST_ALGORITHM,
    instances: ArrayLike | None = None,
) -> Floats:
    """Draw plausible values of the aRT to one target from the distribution behind `art_interval`.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs,)``; NaN if the run did not hit.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        resampling: Level, seed and number of resamples.
        stream: Number of the first of three streams of random numbers. Use 0, and 3 for a second
            algorithm whose draws must be independent of the first.
        instances: Instance of each run, shape ``(n_runs,)``. None: each run has another instance.

    Returns:
        Evaluations in random order, shape ``(samples,)``.
    """
    n_successes = int(np.isfinite(hits).sum())
    draws: Floats = _draw_arts(hits[np.newaxis], spent[np.newaxis], n_successes, resampling, stream)
    draws = draws[0]
    groups = groups_of(instances, len(hits))
    if groups is not None and n_successes:
        levels = all_levels(resampling.samples)
        instance_moments = moments_of_groups(hits[:, np.newaxis], spent, groups)
        wider = mean_quantiles(instance_moments, levels)[0]
        draws = np.sort(draws)
        draws = np.where(levels.p < 0.5, np.minimum(draws, wider), np.maximum(draws, wider))
    return draws[_random_order(resampling, stream + 2)]


def unseen_failures(runs: int, level: float = 0.95) -> float:
    """Compute how many failures per success cannot be excluded if all runs succeeded.

    ``(1 - p) / p``, where ``p`` is the lower end of Jeffreys' interval: the quantile
    ``(1 - level) / 2`` of ``Beta(runs + 1/2, 1/2)``.

    Args:
        runs: Number of runs, all successful.
        level: Confidence level of the interval.

    >>> round(unseen_failures(5), 2), round(unseen_failures(15), 2)
    (0.61, 0.18)
    """
    return float(_failure_quantiles(runs, runs, end_levels(level))[1])


def _compute_intervals(
    hits: Floats, spent: Floats, budget: float | None, resampling: Resampling
) -> Floats:
    """Compute intervals, shape ``(2, n_targets)``, from independent runs.

    ``hits`` and ``spent`` have the shape ``(n_targets, n_runs)``. Targets with equally many
    successes are computed together.
    """
    n_successes = np.isfinite(hits).sum(axis=1)
    intervals = np.empty((2, len(hits)))
    for n in np.unique(n_successes).tolist():
        rows = np.flatnonzero(n_successes == n)
        for block in np.split(rows, range(_TARGETS_PER_BLOCK, len(rows), _TARGETS_PER_BLOCK)):
            intervals[:, block] = _compute_intervals_of_equal_successes(
                hits[block], spent[block], n, budget, resampling
            )
    return intervals


def _compute_intervals_of_equal_successes(
    hits: Floats, spent: Floats, n_successes: int, budget: float | None, resampling: Resampling
) -> Floats:
    """Compute intervals as `_compute_intervals`, of targets that ``n_successes`` runs reached."""
    n_runs = hits.shape[1]
    if n_successes < n_runs:
        draws = _draw_arts(hits, spent, n_successes, resampling, _FIRST_ALGORITHM)
        ends = quantiles(draws.T, resampling.tails)
        if n_successes == 0:
            ends[1] = np.inf
            return ends
        return np.maximum(ends, 1.0)
    ends = mean_quantiles(moments(hits), end_levels(resampling.level)).T
    if budget is not None:
        draws = _draw_arts(hits, spent, n_successes, resampling, _FIRST_ALGORITHM)
        draws = draws[:, _random_order(resampling, _FIRST_ALGORITHM + 2)]
        draws += _failure_quantiles(n_runs, n_runs, all_levels(resampling.samples)) * budget
        ends[1] = np.maximum(ends[1], quantiles(draws.T, resampling.tails)[1])
    return np.maximum(ends, 1.0)


def _widen_to_instances(
    ends: Floats, hits: Floats, spent: Floats, groups: NDArray[np.intp], resampling: Resampling
) -> Floats:
    """Widen intervals to those of whole instances, for the targets that some run reached."""
    widened, is_reached = ends.copy(), np.isfinite(hits).any(axis=0)
    if is_reached.any():
        instance_moments = moments_of_groups(hits[:, is_reached], spent, groups)
        low, high = mean_quantiles(instance_moments, end_levels(resampling.level)).T
        widened[0, is_reached] = np.maximum(np.minimum(ends[0, is_reached], low), 1.0)
        widened[1, is_reached] = np.maximum(ends[1, is_reached], high)
    return widened


def _draw_arts(
    hits: Floats, spent: Floats, n_successes: int, resampling: Resampling, stream: int
) -> Floats:
    """Draw plausible aRTs, shape ``(n_targets, samples)``, for targets with equal successes.

    ``hits`` and ``spent`` have the shape ``(n_targets, n_runs)``. A draw is a quantile of the mean
    failure, times one of the number of failures per success, plus one of the mean success. Random
    orders of the quantiles make the three independent.
    """
    levels, n_runs = all_levels(resampling.samples), hits.shape[1]
    is_missed = ~np.isfinite(hits)
    draws = np.zeros((len(hits), resampling.samples))
    if n_successes < n_runs:
        failures = np.maximum(spent[is_missed].reshape(len(hits), -1), 1.0)
        failure_moments = moments(failures)
        draws[:] = failure_moments.mean[:, np.newaxis]
        # Equal failures are a constant, such as a budget. One failure says nothing about that.
        varies = (
            ~failure_moments.constant
            if failure_moments.count > 1
            else np.ones(len(hits), dtype=np.bool_)
        )
        if varies.any():
            draws[varies] = mean_quantiles(moments(failures[varies]), levels, assumed=0.5)
        n_failures = _failure_quantiles(n_successes, n_runs, levels)
        draws *= n_failures[_random_order(resampling, stream)]
    if n_successes:
        draws = draws[:, _random_order(resampling, stream + 1)]
        successes = hits[~is_missed].reshape(len(hits), -1)
        draws += mean_quantiles(moments(successes), levels)
    return draws


@lru_cache(maxsize=512)
def _failure_quantiles(n_successes: int, n_runs: int, levels: Levels) -> Floats:
    """Compute quantiles of the number of failures per success, ``(1 - p) / p``, ascending."""
    from scipy import special

    p = special.betaincinv(n_successes + 0.5, n_runs - n_successes + 0.5, 1 - levels.p)
    quotient: Floats = (1 - p) / np.maximum(p, np.finfo(float).tiny)
    return quotient


@lru_cache(maxsize=64)
def _random_order(resampling: Resampling, stream: int) -> NDArray[np.intp]:
    """Return a random permutation of the resamples, another one for each stream."""
    rng = np.random.default_rng([resampling.seed, stream])
    return rng.permutation(resampling.samples)

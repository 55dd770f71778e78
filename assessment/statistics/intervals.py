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
from .hits import checked, matrix
from .quantiles import Floats, quantiles
from .uncertainty.mean_intervals import (
    FEWEST_WITH_SPREAD,
    Levels,
    Moments,
    all_levels,
    end_levels,
    mean_quantiles,
    moments,
)
from .uncertainty.repetitions import groups_of


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


def art_interval(
    hits: ArrayLike,
    spent: ArrayLike,
    resampling: Resampling,
    instances: ArrayLike | None = None,
    budget: float | None = None,
) -> Floats:
    """Confidence interval of the average runtime to each target.

    ``aRT = mean of the successful runs + (1 - p) / p * mean of the unsuccessful ones``. Where all
    runs succeeded it is the interval of their mean (`mean_quantiles`), finite and never below 1.
    Elsewhere the three unknowns get a distribution each, and the interval lies between quantiles of
    the outcome: the means those of `mean_quantiles` (equal failures are taken as a constant), ``p``
    Jeffreys' ``Beta(k + 1/2, n - k + 1/2)`` with ``k`` successes of ``n`` runs. Where no run
    succeeded the upper end is inf.

    It holds for the function, or for these instances if there are one or two only and runs repeat
    them. Runs of one instance are not independent: with ``instances`` of which some repeat and at
    least three differ, the interval is widened to the one of `mean_quantiles` for the evaluations
    and successes of whole instances (as one number each, by linearisation).

    Measured coverage at 95 % (``benchmarks/results/``), 5 to 30 runs of 14 laws with one mode and
    without heavy tails: 0.93 or more each where all runs succeed, and on average over the laws at
    success rates 0.1, 0.3 and 0.6 among experiments with a success. It is less, down to a half,
    where one run of many takes far longer (see `tail_is_heavy`), where runtimes have two modes and
    5 runs show one, and where failures are so rare that none was seen: an algorithm that fails once
    in ten looks as if it never did with probability 0.59 (5 runs), 0.21 (15), 0.04 (30). What such
    failures cost is unknown, unless ``budget`` says it.

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``.
        resampling: Level, seed and number of resamples.
        instances: Instance of each run, shape ``(n_runs,)``; None: each run has one of its own.
        budget: Evaluations that a run without success would have spent. Where all runs succeeded
            the upper end is then that of an algorithm that may fail: with ``(1 - p) / p * budget``.

    Returns:
        Lower and upper end in evaluations, shape ``(2, n_targets)``; NaN with a single run.

    Raises:
        ValueError: As `average_runtime`.
    """
    runs, ends = checked(hits, spent)
    interval = np.full((2, runs.shape[1]), np.nan)
    if len(runs) < 2:
        return interval
    groups = groups_of(instances, len(runs))
    for j in range(runs.shape[1]):
        if j and np.array_equal(runs[:, j], runs[:, j - 1], equal_nan=True):
            interval[:, j] = interval[:, j - 1]
        else:
            interval[:, j] = _ends(runs[:, j], ends, groups, budget, resampling)
    return interval


def _ends(
    hits: Floats,
    spent: Floats,
    groups: NDArray[np.intp] | None,
    budget: float | None,
    resampling: Resampling,
) -> Floats:
    """Lower and upper end at one target."""
    tails = end_levels(resampling.level)
    reached = np.isfinite(hits)
    if reached.all():
        ends = mean_quantiles(moments(hits), tails)
        if budget is not None:
            odds = _failures(len(hits), len(hits), all_levels(resampling.samples))
            drawn = art_draws(hits, spent, resampling) + odds * budget
            ends[1] = max(ends[1], quantiles(drawn, resampling.tails)[1])
    else:
        ends = quantiles(art_draws(hits, spent, resampling), resampling.tails)
    if not reached.any():
        ends[1] = np.inf
    elif groups is not None:
        wider = mean_quantiles(_moments_of_groups(hits, spent, groups), tails)
        ends = np.array([min(ends[0], wider[0]), max(ends[1], wider[1])])
    return np.maximum(ends, 1.0) if reached.any() else ends


def ratio_interval(
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    resampling: Resampling,
    instances: tuple[ArrayLike, ArrayLike] | None = None,
) -> Floats:
    """Confidence interval of the aRT of one algorithm divided by that of another, for one target.

    Quantiles of the ratio of independent `art_draws`. Where no run of ``first`` succeeded the upper
    end is inf, where none of ``second`` did the lower one is 0.

    Args:
        first: Hits and spent evaluations, both of shape ``(n_runs,)``; NaN where not reached.
        second: Likewise.
        resampling: Level, seed and number of resamples.
        instances: Of the runs of each, as in `art_interval`; None: each run has one of its own.

    Returns:
        Lower and upper end, shape ``(2,)``; NaN with a single run on either side.
    """
    if min(len(first[1]), len(second[1])) < 2:
        return np.full(2, np.nan)
    of_first, of_second = (None, None) if instances is None else instances
    over = art_draws(*first, resampling, 0, of_first)
    over = over / art_draws(*second, resampling, 3, of_second)
    low, high = quantiles(over, resampling.tails)
    return np.array(
        [
            low if np.isfinite(second[0]).any() else 0.0,
            high if np.isfinite(first[0]).any() else np.inf,
        ]
    )


def art_draws(
    hits: Floats,
    spent: Floats,
    resampling: Resampling,
    stream: int = 0,
    instances: ArrayLike | None = None,
) -> Floats:
    """Plausible values of the aRT to one target, shape ``(samples,)``; see `art_interval`.

    Args:
        hits: Shape ``(n_runs,)``; NaN where not reached.
        spent: Shape ``(n_runs,)``.
        resampling: Seed and number of resamples.
        stream: Draws of two algorithms are independent if their numbers differ by 3.
        instances: As in `art_interval`.
    """
    levels = all_levels(resampling.samples)
    reached = np.isfinite(hits)
    successes, failed = hits[reached], np.maximum(spent[~reached], 1.0)
    draws = np.zeros(resampling.samples)
    if len(failed):
        known = moments(failed)
        constant = known.count > 1 and known.deviation <= 1e-12 * known.mean
        cost = known.mean if constant else mean_quantiles(known, levels, assumed=0.5)
        odds = _failures(len(successes), len(hits), levels)
        draws = odds[_order(resampling, stream)] * cost
    if len(successes):
        draws = draws[_order(resampling, stream + 1)] + mean_quantiles(moments(successes), levels)
    groups = groups_of(instances, len(hits))
    if groups is not None and len(successes):
        draws = np.sort(draws)
        wider = mean_quantiles(_moments_of_groups(hits, spent, groups), levels)
        draws = np.where(levels.p < 0.5, np.minimum(draws, wider), np.maximum(draws, wider))
    return draws[_order(resampling, stream + 2)]


def unseen_failures(runs: int, level: float = 0.95) -> float:
    """Failures for each success that runs which all succeeded cannot exclude, ``(1 - p) / p``.

    With ``p`` the lower end of Jeffreys' interval, of ``Beta(runs + 1/2, 1/2)``.

    >>> round(unseen_failures(5), 2), round(unseen_failures(15), 2)
    (0.61, 0.18)
    """
    return float(_failures(runs, runs, end_levels(level))[1])


def tail_is_heavy(hits: ArrayLike) -> NDArray[np.bool_]:
    """Whether runtimes are so skew that an interval of their mean may well be too short.

    The longest successful run took more than 11.3 times the median of 5 (or fewer; 13.9 of 10, 16.1
    of 15, 18.8 of 30, and so on with the logarithm). Laws with one mode and without a heavy tail
    are flagged in 1 of 100 experiments; lognormal ones with sigma 1.5 in 2 to 5 of 10. No flag is
    no proof: intervals miss most often where the long runs did not happen.

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN where not reached.

    Returns:
        Shape ``(n_targets,)``; False with fewer than three successes.
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


def _moments_of_groups(hits: Floats, spent: Floats, groups: NDArray[np.intp]) -> Moments:
    """Moments of one number for each instance, whose mean is the aRT.

    ``aRT + (evaluations - aRT * successes) / mean successes``: the linearised quotient of sums;
    where all runs succeed and instances have equally many, the mean runtimes of instances.
    """
    reached = np.isfinite(hits)
    evaluations = np.bincount(groups, np.where(reached, hits, spent))
    successes = np.bincount(groups, reached)
    art = evaluations.sum() / successes.sum()
    return moments(art + (evaluations - art * successes) / successes.mean())


@lru_cache(maxsize=512)
def _failures(successes: int, runs: int, levels: Levels) -> Floats:
    """Quantiles of the number of failures before a success, ``(1 - p) / p``, ascending."""
    from scipy import special

    p = special.betaincinv(successes + 0.5, runs - successes + 0.5, 1 - levels.p)
    odds: Floats = (1 - p) / np.maximum(p, np.finfo(float).tiny)
    return odds


@lru_cache(maxsize=64)
def _order(resampling: Resampling, stream: int) -> NDArray[np.intp]:
    """A random order of the resamples."""
    rng = np.random.default_rng([resampling.seed, stream])
    return rng.permutation(resampling.samples)

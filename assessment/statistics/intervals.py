"""Confidence intervals of average runtimes, and how runs are resampled for them.

COCO gives the dispersion of single simulated runtimes, but no interval of their mean. The methods
here were chosen by measured coverage: ``benchmarks/interval_coverage.py`` prints the table.
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

_AT_ONCE = 64
"""Targets whose resamples are held in memory together."""


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
        low, high = end_levels(self.level).p.tolist()
        return low, high


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
    Jeffreys' ``Beta(k + 1/2, n - k + 1/2)`` with ``k`` successes of ``n`` runs (Brown, Cai and
    DasGupta 2001, Statistical Science 16, 101-133). Where no run succeeded the upper end is inf.

    It holds for the function, or for these instances if there are one or two only and runs repeat
    them. Runs of one instance are not independent: with ``instances`` of which some repeat and at
    least three differ, the interval is widened to the one of `mean_quantiles` for the evaluations
    and successes of whole instances (as one number each, by linearisation).

    Coverage at 95 % in experiments with a success, 5 to 30 runs of 19 laws with one mode and
    without heavy tails, measured by ``benchmarks/interval_coverage.py``: 0.928 or more for each law
    where all runs succeed, 0.902 or more at success rates 0.1, 0.3 and 0.6. It is less, down to
    0.27, where one run of many takes far longer (see `tail_is_heavy`), where runtimes have two
    modes and 5 runs show one, and down to 0.37 at success rates 0.8 and 0.9, where failures are so
    rare that often none is seen: an algorithm that fails once in ten looks as if it never did with
    probability 0.59 (5 runs), 0.21 (15), 0.04 (30). What such failures cost is unknown, unless
    ``budget`` says it.

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
    return art_intervals([(hits, spent, instances)], resampling, budget)[0]


def art_intervals(
    cells: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike | None]],
    resampling: Resampling,
    budget: float | None = None,
) -> list[Floats]:
    """`art_interval` of each cell, all at once: the same numbers in a fraction of the time."""
    data = [checked(hits, spent) for hits, spent, _ in cells]
    found = [np.full((2, hits.shape[1]), np.nan) for hits, _ in data]
    by_runs: dict[int, list[int]] = {}
    for i, (_, spent) in enumerate(data):
        by_runs.setdefault(len(spent), []).append(i)
    by_runs.pop(1, None)
    for places in by_runs.values():
        targets = [found[i].shape[1] for i in places]
        hits = np.hstack([data[i][0] for i in places]).T
        spent = np.repeat([data[i][1] for i in places], targets, axis=0)
        ends = np.split(_ends(hits, spent, budget, resampling), np.cumsum(targets)[:-1], axis=1)
        for i, own in zip(places, ends, strict=True):
            groups = groups_of(cells[i][2], hits.shape[1])
            found[i] = own if groups is None else _widened(own, *data[i], groups, resampling)
    return found


def _ends(hits: Floats, spent: Floats, budget: float | None, resampling: Resampling) -> Floats:
    """Lower and upper ends, ``(2, n_targets)``, of intervals from runs that count one by one.

    ``hits`` and ``spent`` have the shape ``(n_targets, n_runs)``; targets with equally many
    successes are computed together.
    """
    count = np.isfinite(hits).sum(axis=1)
    ends = np.empty((2, len(hits)))
    for k in np.unique(count).tolist():
        mine = np.flatnonzero(count == k)
        for block in np.split(mine, range(_AT_ONCE, len(mine), _AT_ONCE)):
            ends[:, block] = _ends_of_alike(hits[block], spent[block], k, budget, resampling)
    return ends


def _ends_of_alike(
    hits: Floats, spent: Floats, successes: int, budget: float | None, resampling: Resampling
) -> Floats:
    """As `_ends`, of targets that equally many runs reached."""
    runs = hits.shape[1]
    if successes < runs:
        ends = quantiles(_draws(hits, spent, successes, resampling, 0).T, resampling.tails)
        if successes == 0:
            ends[1] = np.inf
            return ends
        return np.maximum(ends, 1.0)
    ends = mean_quantiles(moments(hits), end_levels(resampling.level)).T
    if budget is not None:
        drawn = _draws(hits, spent, successes, resampling, 0)[:, _order(resampling, 2)]
        drawn += _failures(runs, runs, all_levels(resampling.samples)) * budget
        ends[1] = np.maximum(ends[1], quantiles(drawn.T, resampling.tails)[1])
    return np.maximum(ends, 1.0)


def _widened(
    ends: Floats, hits: Floats, spent: Floats, groups: NDArray[np.intp], resampling: Resampling
) -> Floats:
    """Intervals widened to those of whole instances, at the targets that some run reached."""
    wide, some = ends.copy(), np.isfinite(hits).any(axis=0)
    if some.any():
        instance_moments = moments_of_groups(hits[:, some], spent, groups)
        low, high = mean_quantiles(instance_moments, end_levels(resampling.level)).T
        wide[0, some] = np.maximum(np.minimum(ends[0, some], low), 1.0)
        wide[1, some] = np.maximum(ends[1, some], high)
    return wide


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
    first_instances, second_instances = (None, None) if instances is None else instances
    over = art_draws(*first, resampling, 0, first_instances)
    over = over / art_draws(*second, resampling, 3, second_instances)
    low, high = quantiles(over, resampling.tails)
    if not np.isfinite(second[0]).any():
        low = 0.0
    if not np.isfinite(first[0]).any():
        high = np.inf
    return np.array([low, high])


def art_draws(
    hits: Floats,
    spent: Floats,
    resampling: Resampling,
    stream: int = 0,
    instances: ArrayLike | None = None,
) -> Floats:
    """Plausible values of the aRT to one target, shape ``(samples,)``; see `art_interval`.

    ``stream`` is 0, and 3 for a second algorithm whose draws are to be independent of these.
    """
    successes = int(np.isfinite(hits).sum())
    draws: Floats = _draws(hits[np.newaxis], spent[np.newaxis], successes, resampling, stream)[0]
    groups = groups_of(instances, len(hits))
    if groups is not None and successes:
        levels = all_levels(resampling.samples)
        wider = mean_quantiles(moments_of_groups(hits[:, np.newaxis], spent, groups), levels)[0]
        draws = np.sort(draws)
        draws = np.where(levels.p < 0.5, np.minimum(draws, wider), np.maximum(draws, wider))
    return draws[_order(resampling, stream + 2)]


def _draws(
    hits: Floats, spent: Floats, successes: int, resampling: Resampling, stream: int
) -> Floats:
    """Plausible aRTs to targets that equally many runs reached, ``(n_targets, samples)``.

    Quantiles of the mean failure, times those of the number of failures for each success, plus
    those of the mean success; each put in a random order, which makes the three independent.
    ``hits`` and ``spent`` have the shape ``(n_targets, n_runs)``.
    """
    levels, runs = all_levels(resampling.samples), hits.shape[1]
    missed = ~np.isfinite(hits)
    draws = np.zeros((len(hits), resampling.samples))
    if successes < runs:
        failed = np.maximum(spent[missed].reshape(len(hits), -1), 1.0)
        known = moments(failed)
        draws[:] = known.mean[:, np.newaxis]
        varied = ~known.constant if known.count > 1 else np.ones(len(hits), dtype=np.bool_)
        if varied.any():
            draws[varied] = mean_quantiles(moments(failed[varied]), levels, assumed=0.5)
        draws *= _failures(successes, runs, levels)[_order(resampling, stream)]
    if successes:
        draws = draws[:, _order(resampling, stream + 1)]
        draws += mean_quantiles(moments(hits[~missed].reshape(len(hits), -1)), levels)
    return draws


def unseen_failures(runs: int, level: float = 0.95) -> float:
    """Failures for each success that runs which all succeeded cannot exclude, ``(1 - p) / p``.

    With ``p`` the lower end of Jeffreys' interval, of ``Beta(runs + 1/2, 1/2)``.

    >>> round(unseen_failures(5), 2), round(unseen_failures(15), 2)
    (0.61, 0.18)
    """
    return float(_failures(runs, runs, end_levels(level))[1])


@lru_cache(maxsize=512)
def _failures(successes: int, runs: int, levels: Levels) -> Floats:
    """Quantiles of the number of failures before a success, ``(1 - p) / p``, ascending."""
    from scipy import special

    p = special.betaincinv(successes + 0.5, runs - successes + 0.5, 1 - levels.p)
    odds: Floats = (1 - p) / np.maximum(p, np.finfo(float).tiny)
    return odds


@lru_cache(maxsize=64)
def _order(resampling: Resampling, stream: int) -> NDArray[np.intp]:
    """A random order of the resamples, another one for each ``stream``."""
    rng = np.random.default_rng([resampling.seed, stream])
    return rng.permutation(resampling.samples)

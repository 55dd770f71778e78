"""Confidence bands of runtime profiles: how far a curve may be from the one of endless runs.

`resampled_profiles` resamples the runs of each function; here functions are joined.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .intervals import Resampling
from .quantiles import Floats
from .resampled_profiles import Resampled, resampled

_LEAST_PART = 4


def ecdf_band(
    cells: Sequence[tuple[ArrayLike, ArrayLike]],
    budgets: ArrayLike,
    resampling: Resampling,
    restarts: bool = True,
    weights: Sequence[float] | None = None,
    instances: Sequence[ArrayLike] | None = None,
) -> Floats:
    """Pointwise confidence band of a profile of simulated runtimes over several functions.

    The truth is the profile that endless runs would give: the distribution of the runtimes of the
    algorithm restarted until it succeeds (or of single runs), averaged over functions and targets.

    Runs are resampled within each function (whole instances where they have several runs and there
    are at least three of them), and runtimes are simulated from every resample (`resampled`). The
    band is Wilson's interval of a share ``G = F - bias`` that was seen ``m = max(G (1 - G),
    F (1 - F)) / sd^2`` times, at least a quarter of the number of runs: ``F`` is the profile of the
    runs, ``bias`` the mean deviation of the resampled profiles, ``sd`` the root of the summed
    variances of the functions. Where nothing deviates, at 0 or 1, ``m`` is the number of runs. The
    quantile is Student's, its degrees of freedom those of Welch and Satterthwaite. (Dean and Pagano
    2015, J. Survey Statistics and Methodology 3, 484-503, compare such intervals for clusters.)

    Runs that have all hit the same targets do not show how others would go on: their function does
    not deviate, and has a band of its own instead, from ``F (1 - q)`` to ``F + q (1 - F)``, ``q``
    being the largest share of unlike runs that ``n`` runs all miss with probability ``1 - level``,
    ``(1 - q)^n = 1 - level`` (0.45 with 5 runs, 0.18 with 15, 0.10 with 30). The distances from
    ``G`` to the ends of independent parts are joined as the root of the sum of their squares (Zou
    and Donner 2008, Statistics in Medicine 27, 1693-1702).

    A profile never falls: what bounds it from below at a budget does so at all later ones, what
    bounds it from above at all earlier ones. So neither do ``G`` and the ends fall, and an end may
    depend on the other budgets that are asked for.

    The band is pointwise: it holds for a budget named beforehand, not for all of them together.
    How often 95 % bands of 1 and 8 functions with 5, 15 and 30 runs hold at budgets within the
    longest run is in ``benchmarks/results/band-coverage.csv``.

    Args:
        cells: ``(hits, spent)`` of each function, as `simulated_runtimes` takes them, with targets
            from the easiest to the hardest; budgets and runtimes in one unit.
        budgets: Ascending, shape ``(n_budgets,)``.
        resampling: Level, seed and number of resamples (200 suffice).
        restarts: Of runtimes with simulated restarts; else of single runs, failures being infinite.
        weights: One for each function; None: all the same.
        instances: Of the runs of each function, shape ``(n_runs,)``; None: each run has its own.

    Returns:
        Lower and upper end in [0, 1], shape ``(2, n_budgets)``; NaN where a function has one run.

    Raises:
        ValueError: As `average_runtime`, or there is no function.
    """
    if not cells:
        raise ValueError("no functions: a band needs at least one")
    numbers = [None] * len(cells) if instances is None else instances
    parts = [
        resampled(*cell, budgets, resampling, restarts, own)
        for cell, own in zip(cells, numbers, strict=True)
    ]
    return band(parts, resampling, weights)


def band(
    parts: Sequence[Resampled], resampling: Resampling, weights: Sequence[float] | None = None
) -> Floats:
    """The band over several functions, at least one; see `ecdf_band`."""
    from scipy import special

    if min(part.runs for part in parts) < 2:
        return np.full((2, len(parts[0].share)), np.nan)
    weight = np.ones(len(parts)) if weights is None else np.asarray(weights, dtype=np.float64)
    weight = weight[:, np.newaxis] / weight.sum()
    runs = np.array([part.runs for part in parts])[:, np.newaxis]
    shares = np.array([part.share for part in parts])
    sd = np.array([part.resamples.std(axis=0, ddof=1) for part in parts])
    alike = sd <= 1e-9  # rounding

    profile = (weight * shares).sum(axis=0)
    means = np.array([part.resamples.mean(axis=0) for part in parts])
    bias = (weight * (means - shares)).sum(axis=0)
    share = np.maximum.accumulate(np.clip(profile - bias, 0.0, 1.0))
    variances = np.where(alike, 0.0, weight * sd) ** 2
    t: Floats = special.stdtrit(_degrees_of_freedom(variances, runs - 1), resampling.tails[1])
    low, high = _wilson(share, profile, variances.sum(axis=0), t, int(runs.sum()))

    partly = alike & (shares > 0) & (shares < 1)
    unseen = np.where(partly, weight * (1 - (1 - resampling.level) ** (1 / runs)), 0.0)
    below, above = (np.sqrt(((unseen * reach) ** 2).sum(axis=0)) for reach in (shares, 1 - shares))
    none_varies = partly.any(axis=0) & alike.all(axis=0)  # so no interval of Wilson's is needed
    low, high = (np.where(none_varies, share, end) for end in (low, high))
    low = np.maximum.accumulate(share - np.hypot(share - low, below))
    high = np.minimum.accumulate((share + np.hypot(high - share, above))[::-1])[::-1]
    return np.clip([low, high], 0.0, 1.0)


def _degrees_of_freedom(variances: Floats, freedom: NDArray[np.int64]) -> Floats:
    """Of a sum of independent variances, ``(n_parts, n_budgets)``, by Welch and Satterthwaite.

    ``freedom``, ``(n_parts, 1)``, are those of each; where nothing varies it is their sum.
    """
    squares = (variances**2 / freedom).sum(axis=0)
    total: Floats = np.full_like(squares, freedom.sum())
    np.divide(variances.sum(axis=0) ** 2, squares, out=total, where=squares > 0)
    return total


def _wilson(
    share: Floats, profile: Floats, variance: Floats, t: Floats, runs: int
) -> tuple[Floats, Floats]:
    """Wilson's interval of ``share``, seen as often as its variance says.

    Taking the bias off may bring a share next to 1, where it no longer shows how often it was seen:
    then the profile does. It was seen at least as often as a quarter of the runs.
    """
    inside = np.maximum(share * (1 - share), profile * (1 - profile))
    all_runs = np.full_like(variance, runs)
    times = np.divide(inside, variance, out=all_runs, where=variance * inside > 0)
    times = np.maximum(times, runs / _LEAST_PART)
    shrink = 1 + t**2 / times
    centre = (share + t**2 / (2 * times)) / shrink
    half = t * np.sqrt(share * (1 - share) / times + (t / (2 * times)) ** 2) / shrink
    return centre - half, centre + half

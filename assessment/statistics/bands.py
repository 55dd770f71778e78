"""Confidence bands of runtime profiles: how far a curve may be from the one of endless runs.

The runs of each function are drawn with replacement, as many as there are. Deviations of the
resampled profiles are widened so that their variance is that of a mean of ``n`` runs: by
``sqrt(n / (n - 1))`` (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, eq. 5.12).
They may leave [0, 1] a little.
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
"""At least so many runtimes are simulated from each resample of a function's runs."""


class Resampled(NamedTuple):
    """The profile of one function, and those of resamples of its runs.

    Attributes:
        share: Shape ``(n_budgets,)``.
        resamples: Shape ``(n_resamples, n_budgets)``, with the widened deviations.
        runs: How many runs there are, or instances where these were resampled.
    """

    share: Floats
    resamples: Floats
    runs: int

    def at(self, places: slice) -> Resampled:
        """At some of the budgets, which follow each other."""
        return Resampled(self.share[places], self.resamples[:, places], self.runs)


def resampled(
    hits: ArrayLike,
    spent: ArrayLike,
    budgets: ArrayLike,
    resampling: Resampling,
    restarts: bool = True,
    instances: ArrayLike | None = None,
) -> Resampled:
    """Profile of the runtimes of one function, with simulated restarts or of single runs.

    Where instances have several runs and there are at least three of them, whole instances are
    drawn. Deviations are widened further where few runs are unlike the others: few runs do not tell
    well how many are (`_of_few_unlike`). Targets go from the easiest to the hardest; budgets,
    ascending, are in the unit of hits. Draws depend on the seed and on the data alone.
    """
    runs, ends = checked(hits, spent)
    runtimes, grid = runtimes_of_runs(runs), np.asarray(budgets, dtype=np.float64)
    data = np.ascontiguousarray(runs).tobytes() + np.ascontiguousarray(ends).tobytes()
    rng = np.random.default_rng([resampling.seed, len(ends), zlib.crc32(data)])
    shares = units = _shares(runtimes, grid)
    groups = groups_of(instances, len(ends))
    if groups is None:
        chosen = rng.integers(len(ends), size=(resampling.samples, len(ends)))
    else:
        chosen = _whole_instances(groups, resampling.samples, rng)
        units = _means(shares, groups)
    if restarts:
        share, draws = _restarted(runtimes, ends, grid, chosen, rng)
    else:
        share, draws = shares.mean(axis=0), _means_of_chosen(shares, chosen)
    middle = draws.mean(axis=0)
    factor = _of_a_mean(len(units)) * _of_few_unlike(units)
    return Resampled(share, middle + factor * (draws - middle), len(units))


def resampled_shares(
    runtimes: Floats,
    budgets: Floats,
    samples: int,
    rng: np.random.Generator,
    instances: ArrayLike | None = None,
) -> Resampled:
    """Share of runtimes up to each budget, of the runs and of runs drawn from them.

    As `resampled` without restarts, but draws depend on ``rng`` and on the number of runs (or
    instances) alone, so that algorithms share them, and few unlike runs widen nothing. Runtimes,
    ``(n_runs, n_targets)``, are inf where not reached.
    """
    units = _shares(runtimes, budgets)
    groups = groups_of(instances, len(units))
    if groups is not None:
        units = _means(units, groups)
    n, share = len(units), units.mean(axis=0)
    times = rng.multinomial(n, np.full(n, 1 / n), size=samples)
    return Resampled(share, share + _of_a_mean(n) * (times @ units / n - share), n)


def _of_a_mean(n: int) -> float:
    """Standard deviation of a mean of ``n`` by that of its resamples."""
    return float(np.sqrt(n / max(n - 1, 1)))


def _of_few_unlike(shares: Floats) -> Floats:
    """How many times as far draws deviate where few runs are unlike the others, by budget.

    With ``k`` of ``n`` runs unlike the commonest (at least 1, at most half of them), the deviation
    of a binomial share is that of ``(k + 1) / (n + 2)`` instead of ``k / n``: one run more of
    either kind, as Agresti and Caffo add (2000, The American Statistician 54, 280-288).
    """
    n, ordered = len(shares), np.sort(shares, axis=0)
    in_a_row = most = np.ones(shares.shape[1])
    for as_before in ordered[1:] == ordered[:-1]:
        in_a_row = np.where(as_before, in_a_row + 1, 1)
        most = np.maximum(most, in_a_row)
    k = np.minimum(np.maximum(n - most, 1), n / 2)
    seen, smoothed = k / n, (k + 1) / (n + 2)
    factor: Floats = np.sqrt(smoothed * (1 - smoothed) / (seen * (1 - seen)))
    return factor


def _whole_instances(
    groups: NDArray[np.intp], samples: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Runs of instances drawn with replacement, ``(samples, n)``.

    An instance comes with all its runs; where instances have different numbers of them, with the
    mean number, drawn from them with replacement.
    """
    counts = np.bincount(groups)
    each = max(round(len(groups) / len(counts)), 1)
    order = np.argsort(groups, kind="stable")
    first = np.cumsum(counts) - counts
    drawn = rng.integers(len(counts), size=(samples, len(counts)))[:, :, np.newaxis]
    place = np.broadcast_to(np.arange(each), (samples, len(counts), each))
    if counts.min() < counts.max():
        place = (rng.random(place.shape) * counts[drawn]).astype(np.int64)
    return np.asarray(order[first[drawn] + place].reshape(samples, -1), dtype=np.int64)


def _restarted(
    runs: Floats,
    spent: Floats,
    budgets: Floats,
    chosen: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Profiles of runtimes with simulated restarts."""
    from .restart_kernels import resampled_counts

    samples, n = chosen.shape
    repeats = -(-SIMULATED // n)
    states = rng.integers(2**63, size=2).astype(np.uint64)
    every = np.arange(len(spent))[np.newaxis]
    own = resampled_counts(runs, spent, every, samples, budgets, states[0])
    others = resampled_counts(runs, spent, chosen, repeats, budgets, states[1])
    targets = runs.shape[1]
    return own[0] / (len(spent) * targets * samples), others / (n * targets * repeats)


def _means_of_chosen(shares: Floats, chosen: NDArray[np.int64]) -> Floats:
    """Mean of the rows of ``shares`` that each row of ``chosen`` names."""
    samples, n = chosen.shape
    flat = chosen + len(shares) * np.arange(samples)[:, np.newaxis]
    times = np.bincount(flat.ravel(), minlength=samples * len(shares)).reshape(samples, -1)
    return np.asarray(times @ shares / n)


def _shares(runtimes: Floats, budgets: Floats) -> Floats:
    """Share of each row's runtimes up to each budget, shape ``(n_rows, n_budgets)``."""
    rows, width = runtimes.shape
    bins = np.searchsorted(budgets, runtimes, side="left")
    flat = bins + np.arange(rows)[:, None] * (len(budgets) + 1)
    counts = np.bincount(flat.ravel(), minlength=rows * (len(budgets) + 1))
    return np.asarray(counts.reshape(rows, -1)[:, :-1].cumsum(axis=1) / width)


def _means(rows: Floats, groups: NDArray[np.intp]) -> Floats:
    """Mean of the rows of each group, shape ``(n_groups, n_columns)``."""
    order = np.argsort(groups, kind="stable")
    counts = np.bincount(groups)
    sums = np.add.reduceat(rows[order], np.cumsum(counts) - counts, axis=0)
    return np.asarray(sums / counts[:, np.newaxis])


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

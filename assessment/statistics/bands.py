"""Confidence bands of runtime profiles: how far a curve may be from the one of endless runs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import checked, runtimes_of_runs
from .intervals import Resampling
from .quantiles import Floats
from .uncertainty.repetitions import groups_of

_LEAST_PART = 4
SIMULATED = 60
"""At least so many runtimes are simulated from each resample of a function's runs."""


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
    are at least three of them), and runtimes are simulated from every resample. The band is
    Wilson's interval of a share ``G = F - bias`` that was seen ``m = max(G (1 - G), F (1 - F)) /
    sd^2`` times, at least a quarter of the number of runs: ``F`` is the profile of the runs,
    ``bias`` the mean deviation of the resampled profiles, ``sd`` the root of the summed variances
    of the functions, each that of its resamples times ``n / (n - 1)``. Where they do not deviate at
    0 or 1, ``m`` is the number of runs. The quantile is Student's, its degrees of freedom those of
    Welch and Satterthwaite.

    Where few runs hit other targets than the rest, their number is uncertain itself, and the
    resamples' deviation is that of Jeffreys' mean of a share (`_widening`: 1.2 times as large where
    1 run of 30 is unlike the others, 1.05 times where 3 are).

    Runs that all end at the same targets do not show how others would end. There the function's
    deviation is such that its own band reaches from ``F (1 - q)`` to ``F + q (1 - F)`` at least,
    ``q`` being Jeffreys' upper limit of the share of runs unlike all those seen (0.38 with 5 runs,
    0.15 with 15, 0.08 with 30).

    The band is pointwise: it holds for a budget named beforehand, not for all of them together.
    Measured at budgets within the longest run (``benchmarks/band_coverage.py``), 95 % bands of 1
    and 8 functions with 5, 15 and 30 runs hold in 93 to 98 % of experiments (92 % with 30
    runs where nearly all pairs are solved), and in more where few runs all end alike or there is
    one target.

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


class Resampled(NamedTuple):
    """The profile of one function, and those of resamples of its runs.

    Attributes:
        share: Shape ``(n_budgets,)``.
        resamples: Shape ``(n_resamples, n_budgets)``.
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
    """What `band` needs of one function; arguments as those of `ecdf_band`."""
    runs, ends = checked(hits, spent)
    grid = np.asarray(budgets, dtype=np.float64)
    rng = _generator(runs, ends, resampling)
    groups = groups_of(instances, len(ends))
    if groups is None:
        chosen, count = rng.integers(len(ends), size=(resampling.samples, len(ends))), len(ends)
    else:
        chosen, count = _whole_instances(groups, resampling.samples, rng), int(groups.max()) + 1
    of, runtimes = _restarted if restarts else _of_runs, runtimes_of_runs(runs)
    share, draws = of(runtimes, ends, grid, chosen, rng)
    own = _shares(runtimes, grid)
    if groups is not None:
        own = _means(own, groups)
    middle = draws.mean(axis=0)
    return Resampled(share, middle + _widening(own) * (draws - middle), count)


def _widening(shares: Floats) -> Floats:
    """How many times as far draws deviate where few runs are unlike the others, by budget.

    With ``k`` of ``n`` runs unlike the commonest, the deviation of a binomial share is that of
    ``(k + 1/2) / (n + 1)``, Jeffreys' mean, instead of ``k / n``; no less than 1, which it is from
    half of the runs on.

    Args:
        shares: Of targets hit by each run (or instance) within the budgets, ``(n, n_budgets)``.
    """
    n, ordered = len(shares), np.sort(shares, axis=0)
    alike = common = np.ones(shares.shape[1])
    for equal in ordered[1:] == ordered[:-1]:
        alike = alike * equal + 1  # as many, up to here
        common = np.maximum(common, alike)
    k = np.clip(n - common, 1, max(n / 2, 1))
    smoothed, seen = (k + 0.5) / (n + 1), k / n
    ratio = smoothed * (1 - smoothed) / np.maximum(seen * (1 - seen), 1e-300)
    widening: Floats = np.where(common < n, np.sqrt(np.maximum(ratio, 1.0)), 1.0)
    return widening


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


def band(
    parts: Sequence[Resampled], resampling: Resampling, weights: Sequence[float] | None = None
) -> Floats:
    """The band over several functions, at least one; see `ecdf_band`."""
    from scipy import special

    if min(part.runs for part in parts) < 2:
        return np.full((2, len(parts[0].share)), np.nan)
    weight = np.ones(len(parts)) if weights is None else np.asarray(weights, dtype=np.float64)
    weight = weight[:, np.newaxis] / weight.sum()
    profile = (weight * [part.share for part in parts]).sum(axis=0)
    others = sum(w * part.resamples for w, part in zip(weight, parts, strict=True))
    bias = np.mean(others, axis=0) - profile
    freedom = np.array([part.runs - 1.0 for part in parts])[:, np.newaxis]
    sd = np.array([_deviation(part, resampling) for part in parts])
    variances = (weight * sd) ** 2
    variance = variances.sum(axis=0)
    squares = (variances**2 / freedom).sum(axis=0)
    all_freedom = np.full_like(variance, freedom.sum())
    free = np.divide(variance**2, squares, out=all_freedom, where=squares > 0)
    t: Floats = special.stdtrit(free, resampling.tails[1])
    share, runs = np.clip(profile - bias, 0.0, 1.0), sum(part.runs for part in parts)
    return _wilson(share, profile, np.sqrt(variance), t, runs)


def _deviation(part: Resampled, resampling: Resampling) -> Floats:
    """Standard deviation of one function's share at each budget, as `ecdf_band` says."""
    from scipy import special

    n, share = part.runs, part.share
    sd = part.resamples.std(axis=0, ddof=1) * np.sqrt(n / (n - 1))
    unseen = special.betaincinv(0.5, n + 0.5, resampling.tails[1])
    t = special.stdtrit(n - 1, resampling.tails[1])
    alike = (sd <= 1e-9) & (share > 0) & (share < 1)
    deviation: Floats = np.where(alike, unseen * np.maximum(share, 1 - share) / t, sd)
    return deviation


def _wilson(share: Floats, profile: Floats, sd: Floats, t: Floats, runs: int) -> Floats:
    """Wilson's interval of ``share``, seen as often as its standard deviation says.

    Taking the bias off may bring a share next to 1, where it no longer shows how often it was seen:
    then the profile does. It was seen at least as often as a quarter of the runs.
    """
    inside = np.maximum(share * (1 - share), profile * (1 - profile))
    times = np.divide(inside, sd**2, out=np.full_like(sd, float(runs)), where=sd * inside > 0)
    times = np.maximum(times, runs / _LEAST_PART)
    shrink = 1 + t**2 / times
    centre = (share + t**2 / (2 * times)) / shrink
    half = t * np.sqrt(share * (1 - share) / times + (t / (2 * times)) ** 2) / shrink
    ends: Floats = np.clip(np.array([centre - half, centre + half]), 0.0, 1.0)
    return ends


def _of_runs(
    runs: Floats,
    _spent: Floats,
    budgets: Floats,
    chosen: NDArray[np.int64],
    _rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """As `_restarted`, of single runs."""
    own = _shares(runs, budgets)
    samples, n = chosen.shape
    flat = chosen + len(runs) * np.arange(samples)[:, np.newaxis]
    counts = np.bincount(flat.ravel(), minlength=samples * len(runs)).reshape(samples, -1)
    return own.mean(axis=0), counts @ own / n


def _restarted(
    runs: Floats,
    spent: Floats,
    budgets: Floats,
    chosen: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """The profile of one function, ``(n_budgets,)``, and resampled ``(samples, n_budgets)``."""
    from .restarts.kernel import resampled_counts

    samples, n = chosen.shape
    repeats = -(-SIMULATED // n)
    states = rng.integers(2**63, size=2).astype(np.uint64)
    every = np.arange(len(spent))[np.newaxis]
    own = resampled_counts(runs, spent, every, samples, budgets, states[0])
    others = resampled_counts(runs, spent, chosen, repeats, budgets, states[1])
    targets = runs.shape[1]
    return own[0] / (len(spent) * targets * samples), others / (n * targets * repeats)


def _generator(hits: Floats, spent: Floats, resampling: Resampling) -> np.random.Generator:
    """Draws for one function: independent of those for others, the same for equal data."""
    data = np.ascontiguousarray(hits).tobytes() + np.ascontiguousarray(spent).tobytes()
    return np.random.default_rng([resampling.seed, len(spent), zlib.crc32(data)])


def resampled_shares(
    runtimes: Floats,
    budgets: Floats,
    samples: int,
    rng: np.random.Generator,
    instances: ArrayLike | None = None,
) -> tuple[Floats, Floats, int]:
    """Share of runtimes up to each budget, of the runs and of runs drawn from them.

    Where instances have several runs and there are at least three of them, whole instances are
    drawn. Deviations of the draws are widened by ``sqrt(n / (n - 1))``, so that their variance is
    that of a mean of ``n`` (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, eq.
    5.12): with few runs they would be too narrow, and may now leave [0, 1] a little.

    Args:
        runtimes: Shape ``(n_runs, n_targets)``; inf where not reached.
        budgets: Ascending, shape ``(n_budgets,)``.
        samples: How often as many runs are drawn, with replacement.
        rng: Source of the draws.
        instances: Of the runs, shape ``(n_runs,)``; None: each run has its own.

    Returns:
        Shapes ``(n_budgets,)`` and ``(samples, n_budgets)``, and how many runs or instances each
        draw takes.
    """
    parts = _shares(runtimes, budgets)
    groups = groups_of(instances, len(parts))
    if groups is not None:
        parts = _means(parts, groups)
    n, own = len(parts), parts.mean(axis=0)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=samples)
    widened = np.sqrt(n / max(n - 1, 1))
    return own, own + widened * (counts @ parts / n - own), n


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

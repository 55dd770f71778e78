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

_LEAST_PART = 4
SIMULATED = 60
"""At least so many runtimes are simulated from each resample of a function's runs."""


def ecdf_band(
    cells: Sequence[tuple[ArrayLike, ArrayLike]],
    budgets: ArrayLike,
    resampling: Resampling,
    restarts: bool = True,
    weights: Sequence[float] | None = None,
) -> Floats:
    """Pointwise confidence band of a profile of simulated runtimes over several functions.

    The truth is the profile that endless runs would give: the distribution of the runtimes of the
    algorithm restarted until it succeeds (or of single runs), averaged over functions and targets.
    Runs are resampled within each function, and runtimes are simulated from every resample. The
    band is Wilson's interval of a share ``G = F - bias`` that was seen ``m = max(G (1 - G),
    F (1 - F)) / sd^2`` times, at least a quarter of the number of runs: ``F`` is the profile of the
    runs, ``bias`` and ``sd`` the mean deviation and the standard deviation of the resampled
    profiles (``sd`` widened by ``sqrt(n / (n - 1))``); where they do not deviate at 0 or 1, ``m``
    is the number of runs. The quantile is Student's, of ``sum(n - 1)`` degrees of freedom.

    The band is pointwise: it holds for a budget named beforehand, not for all of them together.
    Measured (``benchmarks/interval_coverage.py``), its coverage with 15 runs of each function is 93
    to 97 %; more where the share of a single function is nearly 0 or 1, 91 % just below 1.

    Args:
        cells: ``(hits, spent)`` of each function, as `simulated_runtimes` takes them, with targets
            from the easiest to the hardest; budgets and runtimes in one unit.
        budgets: Ascending, shape ``(n_budgets,)``.
        resampling: Level, seed and number of resamples (200 suffice).
        restarts: Of runtimes with simulated restarts; else of single runs, failures being infinite.
        weights: One for each function; None: all the same.

    Returns:
        Lower and upper end in [0, 1], shape ``(2, n_budgets)``; NaN where a function has one run.

    Raises:
        ValueError: As `average_runtime`, or there is no function.
    """
    if not cells:
        raise ValueError("no functions: a band needs at least one")
    return band(
        [resampled(*cell, budgets, resampling, restarts) for cell in cells], resampling, weights
    )


class Resampled(NamedTuple):
    """The profile of one function, and those of resamples of its runs.

    Attributes:
        share: Shape ``(n_budgets,)``.
        resamples: Shape ``(n_resamples, n_budgets)``.
        runs: How many runs there are.
    """

    share: Floats
    resamples: Floats
    runs: int

    def at(self, places: NDArray[np.intp]) -> Resampled:
        """At some of the budgets."""
        return Resampled(self.share[places], self.resamples[:, places], self.runs)


def resampled(
    hits: ArrayLike,
    spent: ArrayLike,
    budgets: ArrayLike,
    resampling: Resampling,
    restarts: bool = True,
) -> Resampled:
    """What `band` needs of one function; arguments as those of `ecdf_band`."""
    runs, ends = checked(hits, spent)
    grid = np.asarray(budgets, dtype=np.float64)
    of = _restarted if restarts else _of_runs
    return Resampled(*of(runs, ends, grid, resampling), len(ends))


def band(
    parts: Sequence[Resampled], resampling: Resampling, weights: Sequence[float] | None = None
) -> Floats:
    """The band over several functions, at least one; see `ecdf_band`."""
    from scipy import special

    runs = sum(part.runs for part in parts)
    freedom = runs - len(parts)
    if min(part.runs for part in parts) < 2:
        return np.full((2, len(parts[0].share)), np.nan)
    profile = np.average([part.share for part in parts], axis=0, weights=weights)
    others = np.average([part.resamples for part in parts], axis=0, weights=weights)
    bias = others.mean(axis=0) - profile
    sd = others.std(axis=0, ddof=1) * np.sqrt(runs / freedom)
    t = float(special.stdtrit(freedom, resampling.tails[1]))
    return _wilson(np.clip(profile - bias, 0.0, 1.0), profile, sd, t, runs)


def _wilson(share: Floats, profile: Floats, sd: Floats, t: float, runs: int) -> Floats:
    """Wilson's interval of ``share``, seen as often as its standard deviation says.

    Taking the bias off may bring a share next to 1, where it no longer shows how often it was seen:
    then the profile does. It was seen at least as often as a quarter of the runs.
    """
    inside = np.maximum(share * (1 - share), profile * (1 - profile))
    certain = (sd == 0) & (inside > 0)
    times = np.divide(inside, sd**2, out=np.full_like(sd, float(runs)), where=sd * inside > 0)
    times = np.maximum(times, runs / _LEAST_PART)
    shrink = 1 + t**2 / times
    centre = (share + t**2 / (2 * times)) / shrink
    half = t * np.sqrt(share * (1 - share) / times + (t / (2 * times)) ** 2) / shrink
    ends = [np.where(certain, share, centre - half), np.where(certain, share, centre + half)]
    return np.clip(ends, 0.0, 1.0)


def _of_runs(
    hits: Floats, spent: Floats, budgets: Floats, resampling: Resampling
) -> tuple[Floats, Floats]:
    """As `_restarted`, of single runs."""
    rng = _generator(hits, spent, resampling)
    return resampled_shares(runtimes_of_runs(hits), budgets, resampling.samples, rng)


def _restarted(
    hits: Floats, spent: Floats, budgets: Floats, resampling: Resampling
) -> tuple[Floats, Floats]:
    """The profile of one function, ``(n_budgets,)``, and resampled ``(samples, n_budgets)``."""
    from .restarts.kernel import resampled_counts

    n = len(spent)
    rng = _generator(hits, spent, resampling)
    runs = runtimes_of_runs(hits)
    repeats = -(-SIMULATED // n)
    chosen = rng.integers(n, size=(resampling.samples, n))
    states = rng.integers(2**63, size=2).astype(np.uint64)
    every = np.arange(n)[np.newaxis]
    own = resampled_counts(runs, spent, every, resampling.samples, budgets, states[0])
    others = resampled_counts(runs, spent, chosen, repeats, budgets, states[1])
    size = n * hits.shape[1]
    return own[0] / (size * resampling.samples), others / (size * repeats)


def _generator(hits: Floats, spent: Floats, resampling: Resampling) -> np.random.Generator:
    """Draws for one function: independent of those for others, the same for equal data."""
    data = np.ascontiguousarray(hits).tobytes() + np.ascontiguousarray(spent).tobytes()
    return np.random.default_rng([resampling.seed, len(spent), zlib.crc32(data)])


def resampled_shares(
    runtimes: Floats, budgets: Floats, samples: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Share of runtimes up to each budget, of the runs and of runs drawn from them.

    Args:
        runtimes: Shape ``(n_runs, n_targets)``; inf where not reached.
        budgets: Ascending, shape ``(n_budgets,)``.
        samples: How often as many runs are drawn, with replacement.
        rng: Source of the draws.

    Returns:
        Shapes ``(n_budgets,)`` and ``(samples, n_budgets)``.
    """
    n = len(runtimes)
    own = _shares(runtimes, budgets)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=samples)
    return own.mean(axis=0), counts @ own / n


def _shares(runtimes: Floats, budgets: Floats) -> Floats:
    """Share of each row's runtimes up to each budget, shape ``(n_rows, n_budgets)``."""
    rows, width = runtimes.shape
    bins = np.searchsorted(budgets, runtimes, side="left")
    flat = bins + np.arange(rows)[:, None] * (len(budgets) + 1)
    counts = np.bincount(flat.ravel(), minlength=rows * (len(budgets) + 1))
    return np.asarray(counts.reshape(rows, -1)[:, :-1].cumsum(axis=1) / width)

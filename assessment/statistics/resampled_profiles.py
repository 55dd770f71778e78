"""Runtime profiles of one function, of its runs and of resamples of them.

Runs are drawn with replacement, as many as there are. Deviations of the resampled profiles are
widened so that their variance is that of a mean of ``n`` runs: by ``sqrt(n / (n - 1))`` (Efron and
Tibshirani, "An Introduction to the Bootstrap", 1993, eq. 5.12). They may leave [0, 1] a little.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import checked, runtimes_of_runs
from .intervals import Resampling
from .quantiles import Floats
from .repetitions import groups_of

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
    well how many are (`_of_few_unlike`).

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``, targets from the easiest
            to the hardest; NaN where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``.
        budgets: Ascending, shape ``(n_budgets,)``, in the unit of hits.
        resampling: Seed and number of resamples. Draws depend on the seed and on the data alone.
        restarts: Of runtimes with simulated restarts; else of single runs, failures being infinite.
        instances: Of the runs, shape ``(n_runs,)``; None: each run has its own.

    Raises:
        ValueError: As `average_runtime`.
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
    instances) alone, so that algorithms share them, and few unlike runs widen nothing.

    Args:
        runtimes: Shape ``(n_runs, n_targets)``; inf where not reached.
        budgets: Ascending, shape ``(n_budgets,)``.
        samples: How often as many runs are drawn, with replacement.
        rng: Source of the draws.
        instances: Of the runs, shape ``(n_runs,)``; None: each run has its own.
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

    Args:
        shares: Of targets hit by each run (or instance) within the budgets, ``(n, n_budgets)``.
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
    """Profiles of runtimes with simulated restarts.

    Args:
        runs: Hits of one function, ``(n_runs, n_targets)``; inf where not reached.
        spent: Evaluations of each run, ``(n_runs,)``.
        budgets: Ascending, ``(n_budgets,)``.
        chosen: Runs of each resample, ``(samples, n)``.
        rng: Source of the simulation's seeds.

    Returns:
        Of all runs, ``(n_budgets,)``, and of each resample, ``(samples, n_budgets)``.
    """
    from .restart_kernel import resampled_counts

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

"""Compiled loop of the restarts that are simulated from resampled runs, for bands of profiles."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .quantiles import Floats

Indices = NDArray[np.int64]


def resampled_counts(
    runs: Floats, ends: Floats, chosen: Indices, repeats: int, budgets: Floats, state: np.uint64
) -> Indices:
    """Simulate runtimes from each resample of the runs, and count those within each budget.

    Each run of a resample begins ``repeats`` simulations; one that misses targets goes on with runs
    drawn from its resample, until it has reached all that the resample reaches.

    Args:
        runs: Evaluations at the first hit, shape ``(n_runs, n_targets)``, targets from the easiest
            to the hardest; inf where not reached.
        ends: Evaluations of each run, shape ``(n_runs,)``.
        chosen: Runs of each resample, shape ``(n_resamples, n)``.
        repeats: Simulations that each run of a resample begins.
        budgets: Ascending, shape ``(n_budgets,)``.
        state: Seed of the draws (SplitMix64: Steele, Lea, Flood (2014), OOPSLA).

    Returns:
        How many runtimes are at most each budget, shape ``(n_resamples, n_budgets)``.
    """
    runs, ends, budgets = (np.ascontiguousarray(a, np.float64) for a in (runs, ends, budgets))
    chosen = np.ascontiguousarray(chosen, np.int64)
    reached = np.isfinite(runs).sum(axis=1)
    without_restart = np.searchsorted(budgets, runs)
    counts = np.zeros((len(chosen), len(budgets) + 1), np.int64)
    _count(runs, ends, chosen, repeats, budgets, state, reached, without_restart, counts)
    return np.asarray(counts[:, :-1].cumsum(axis=1))


@njit(cache=True, nogil=True)
def _count(  # type: ignore[no-untyped-def]
    runs, ends, chosen, repeats, budgets, state, reached, without_restart, counts
):
    """Count the runtimes whose first budget each is; those beyond all budgets at the end."""
    for resample in range(len(chosen)):
        own = chosen[resample]
        n = len(own)
        possible = 0
        for run in own:
            possible = max(possible, reached[run])
            for target in range(reached[run]):
                counts[resample, without_restart[run, target]] += repeats
        for start in range(n * repeats):
            run, elapsed = own[start % n], 0.0
            done, place = reached[run], 0
            while done < possible:
                elapsed += ends[run]
                state += np.uint64(0x9E3779B97F4A7C15)
                mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                run = own[(mixed ^ (mixed >> np.uint64(31))) % np.uint64(n)]
                for target in range(done, reached[run]):
                    runtime, end = elapsed + runs[run, target], len(budgets)
                    while place < end:  # np.searchsorted, which takes half a second to compile
                        middle = (place + end) // 2
                        if budgets[middle] < runtime:
                            place = middle + 1
                        else:
                            end = middle
                    counts[resample, place] += 1
                done = max(done, reached[run])

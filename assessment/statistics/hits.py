"""First hits of the runs of one algorithm on one function and dimension, as formulas take them.

``hits``, shape ``(n_runs, n_targets)``, holds the evaluation (counted from 1) at which a run first
reached a target, NaN (or inf, or -inf) where it did not: what is not finite is never a hit.
``spent``, shape ``(n_runs,)``, holds the evaluations each run used itself, whether it reached a
target or not. ``instances``, shape ``(n_runs,)``, holds the number of each run's instance; runs
that repeat instances tell of these more than of the function.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import Floats

MOST_EVALUATIONS = 2.0**53
"""Up to here float64 holds every count; squares and sums of such counts stay finite."""


def successes(hits: ArrayLike) -> NDArray[np.int64]:
    """How many runs reached each target, shape ``(n_targets,)``.

    >>> successes([[20.0, 30.0], [np.nan, 10.0]])
    array([1, 2])
    """
    return np.asarray(np.isfinite(np.asarray(hits, dtype=np.float64)).sum(axis=0))


def runtimes_of_runs(hits: ArrayLike) -> Floats:
    """Hits with inf wherever a run missed the target, in the shape of ``hits``."""
    runs = np.asarray(hits, dtype=np.float64)
    return np.where(np.isfinite(runs), runs, np.inf)


def reached_within(hits: Floats, until: Floats | float) -> NDArray[np.bool_]:
    """Whether each hit is one, and came within ``until`` evaluations; both broadcast.

    >>> reached_within(np.array([20.0, np.nan, -np.inf, 50.0]), 40.0).tolist()
    [True, False, False, False]
    """
    return np.asarray(np.isfinite(hits) & (hits <= until))


def shortest_failure(hits: Floats, spent: Floats) -> Floats:
    """Evaluations of the shortest run that missed each target, inf where none did.

    Up to there all runs can be compared. Shape ``(n_targets,)``.

    >>> shortest_failure(np.array([[20.0, np.nan], [30.0, np.nan]]), np.array([50.0, 40.0]))
    array([inf, 40.])
    """
    ends: Floats = np.where(np.isfinite(hits), np.inf, spent[:, np.newaxis]).min(axis=0)
    return ends


def matrix(hits: ArrayLike) -> Floats:
    """Hits as float64, NaN for all that is no hit."""
    runs = np.asarray(hits, dtype=np.float64)
    if runs.ndim != 2 or len(runs) == 0:
        raise ValueError(f"hits has shape {runs.shape}, must be (n_runs >= 1, n_targets)")
    return np.where(np.isfinite(runs), runs, np.nan)


def checked(hits: ArrayLike, spent: ArrayLike) -> tuple[Floats, Floats]:
    """Hits and spent evaluations as float64.

    Raises:
        ValueError: The shapes disagree, there is no run, a hit is later than the run's end, or this
            is no count of evaluations up to 2^53.
    """
    runs, ends = matrix(hits), np.asarray(spent, dtype=np.float64)
    if ends.shape != runs.shape[:1]:
        raise ValueError(f"spent has shape {ends.shape}, must be {runs.shape[:1]}, one per run")
    if not np.all((ends >= 0) & (ends <= MOST_EVALUATIONS)):
        raise ValueError("spent must lie between 0 and 2^53: it counts evaluations")
    if (runs > ends[:, None]).any():
        raise ValueError("a hit is later than the evaluations its run spent")
    return runs, ends


FEWEST_INSTANCES = 3
"""Of fewer instances nothing is concluded for the function, if runs repeat them."""


def repeats(instances: ArrayLike) -> bool:
    """Whether some instance has several runs."""
    numbers = np.asarray(instances)
    return bool(len(np.unique(numbers)) < len(numbers))


def for_the_function(instances: ArrayLike) -> bool:
    """Whether intervals hold for the function; else for these instances alone.

    They do where each run has an instance of its own, or there are at least three.
    """
    numbers = np.asarray(instances)
    return not repeats(numbers) or len(np.unique(numbers)) >= FEWEST_INSTANCES


def mostly_shared(first: ArrayLike, second: ArrayLike) -> bool:
    """Whether two samples have at least half of all their instances in common.

    >>> mostly_shared([1, 1, 2, 2], [1, 2, 3]), mostly_shared([1, 2], [2, 3])
    (True, False)
    """
    shared, every = np.intersect1d(first, second), np.union1d(first, second)
    return 2 * len(shared) >= len(every)


def groups_of(instances: ArrayLike | None, runs: int) -> NDArray[np.intp] | None:
    """Instance of each run, numbered from 0; None where runs count one by one.

    They do where no instance repeats, or there are fewer than three.
    """
    if instances is None:
        return None
    numbers = np.asarray(instances)
    if numbers.shape != (runs,):
        raise ValueError(f"instances has shape {numbers.shape}, must be ({runs},), one per run")
    if not repeats(numbers) or not for_the_function(numbers):
        return None
    return np.asarray(np.unique(numbers, return_inverse=True)[1])

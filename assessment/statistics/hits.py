"""Checks and simple properties of first hits, the arguments of most formulas.

``hits``, ``spent`` and ``instances`` are those of the runs of one algorithm on one function and
dimension:

- ``hits``, shape ``(n_runs, n_targets)``, is the evaluation, counted from 1, at which a run first
  hit a target; NaN, inf or -inf if it did not. Only finite values are hits.
- ``spent``, shape ``(n_runs,)``, is the number of evaluations of each run in total, whether it hit
  a target or not.
- ``instances``, shape ``(n_runs,)``, is the number of each run's instance. Runs that repeat
  instances say more about these instances than about the function.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import Floats

MOST_EVALUATIONS = 2.0**53  # float64 represents all smaller counts; sums and squares stay finite
FEWEST_INSTANCES = 3  # if runs repeat fewer instances, results are about these instances only


def successes(hits: ArrayLike) -> NDArray[np.int64]:
    """Count the runs that hit each target, shape ``(n_targets,)``.

    >>> successes([[20.0, 30.0], [np.nan, 10.0]])
    array([1, 2])
    """
    return np.asarray(np.isfinite(np.asarray(hits, dtype=np.float64)).sum(axis=0))


def runtimes_of_runs(hits: ArrayLike) -> Floats:
    """Return hits with inf if a run missed the target, in the shape of ``hits``."""
    runs = np.asarray(hits, dtype=np.float64)
    return np.where(np.isfinite(runs), runs, np.inf)


def reached_within(hits: Floats, until: Floats | float) -> NDArray[np.bool_]:
    """Return whether each target was hit within a number of evaluations.

    Args:
        hits: Evaluation of the first hit, any shape; not finite if the target was not hit.
        until: Evaluations, a number or a shape that broadcasts with ``hits``.

    >>> reached_within(np.array([20.0, np.nan, -np.inf, 50.0]), 40.0).tolist()
    [True, False, False, False]
    """
    return np.asarray(np.isfinite(hits) & (hits <= until))


def shortest_failure(hits: Floats, spent: Floats) -> Floats:
    """Return the evaluations of the shortest run that missed each target; inf if none missed it.

    All runs can be compared up to this number of evaluations.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; not finite if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.

    Returns:
        Evaluations, shape ``(n_targets,)``.

    >>> shortest_failure(np.array([[20.0, np.nan], [30.0, np.nan]]), np.array([50.0, 40.0]))
    array([inf, 40.])
    """
    shortest: Floats = np.where(np.isfinite(hits), np.inf, spent[:, np.newaxis]).min(axis=0)
    return shortest


def matrix(hits: ArrayLike) -> Floats:
    """Convert hits to float64 of shape ``(n_runs, n_targets)`` with NaN for all misses.

    Raises:
        ValueError: The shape is another one, or there is no run.
    """
    runs = np.asarray(hits, dtype=np.float64)
    if runs.ndim != 2 or len(runs) == 0:
        raise ValueError(f"hits has shape {runs.shape}, must be (n_runs >= 1, n_targets)")
    return np.where(np.isfinite(runs), runs, np.nan)


def checked(hits: ArrayLike, spent: ArrayLike) -> tuple[Floats, Floats]:
    """Convert hits and spent evaluations to float64, and check that they fit together.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; not finite if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.

    Returns:
        Hits, with NaN for all misses, and spent evaluations.

    Raises:
        ValueError: The shapes do not match, there is no run, a hit is later than the end of its
            run, or ``spent`` is negative or above 2^53.
    """
    runs, ends = matrix(hits), np.asarray(spent, dtype=np.float64)
    if ends.shape != runs.shape[:1]:
        raise ValueError(f"spent has shape {ends.shape}, must be {runs.shape[:1]}, one per run")
    if not np.all((ends >= 0) & (ends <= MOST_EVALUATIONS)):
        raise ValueError("spent must lie between 0 and 2^53: it counts evaluations")
    if (runs > ends[:, None]).any():
        raise ValueError("a hit is later than the evaluations its run spent")
    return runs, ends


def repeats(instances: ArrayLike) -> bool:
    """Return whether some instance has several runs."""
    numbers = np.asarray(instances)
    return bool(len(np.unique(numbers)) < len(numbers))


def for_the_function(instances: ArrayLike) -> bool:
    """Return whether intervals are about the function, not about these instances alone.

    They are about the function if each run has another instance, or there are at least three
    instances.
    """
    numbers = np.asarray(instances)
    return not repeats(numbers) or len(np.unique(numbers)) >= FEWEST_INSTANCES


def mostly_shared(first: ArrayLike, second: ArrayLike) -> bool:
    """Return whether two samples share at least half of all their instances.

    Args:
        first: Instance of each run of the first sample.
        second: Instance of each run of the second sample.

    >>> mostly_shared([1, 1, 2, 2], [1, 2, 3]), mostly_shared([1, 2], [2, 3])
    (True, False)
    """
    return 2 * len(np.intersect1d(first, second)) >= len(np.union1d(first, second))


def groups_of(instances: ArrayLike | None, runs: int) -> NDArray[np.intp] | None:
    """Return the index of each run's instance, or None if the runs are independent.

    Runs count as independent if no instance repeats, or if there are fewer than three instances.

    Args:
        instances: Instance of each run, shape ``(n_runs,)``. None: each run has another instance.
        runs: Number of runs.

    Returns:
        Indices counted from 0, in the order of the instances' numbers, shape ``(n_runs,)``.

    Raises:
        ValueError: ``instances`` has another shape.
    """
    if instances is None:
        return None
    numbers = np.asarray(instances)
    if numbers.shape != (runs,):
        raise ValueError(f"instances has shape {numbers.shape}, must be ({runs},), one per run")
    if not repeats(numbers) or not for_the_function(numbers):
        return None
    return np.asarray(np.unique(numbers, return_inverse=True)[1])

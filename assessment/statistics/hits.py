"""First hits of the runs of one algorithm on one function and dimension, as formulas take them.

``hits``, shape ``(n_runs, n_targets)``, holds the evaluation (counted from 1) at which a run first
reached a target, NaN (or inf) where it did not. ``spent``, shape ``(n_runs,)``, holds the
evaluations each run used itself, whether it reached a target or not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import Floats


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


def shortest_failure(hits: Floats, spent: Floats) -> Floats:
    """Evaluations of the shortest run that missed each target, inf where none did.

    Up to there all runs can be compared. Shape ``(n_targets,)``.

    >>> shortest_failure(np.array([[20.0, np.nan], [30.0, np.nan]]), np.array([50.0, 40.0]))
    array([inf, 40.])
    """
    ends: Floats = np.where(np.isfinite(hits), np.inf, spent[:, np.newaxis]).min(axis=0)
    return ends


def matrix(hits: ArrayLike) -> Floats:
    """Hits as float64.

    Raises:
        ValueError: ``hits`` is not two-dimensional or holds no run.
    """
    runs = np.asarray(hits, dtype=np.float64)
    if runs.ndim != 2 or len(runs) == 0:
        raise ValueError(f"hits has shape {runs.shape}, must be (n_runs >= 1, n_targets)")
    return runs


def checked(hits: ArrayLike, spent: ArrayLike) -> tuple[Floats, Floats]:
    """Hits and spent evaluations as float64.

    Raises:
        ValueError: The shapes disagree, there is no run, or a hit is later than the run's end.
    """
    runs, ends = matrix(hits), np.asarray(spent, dtype=np.float64)
    if ends.shape != runs.shape[:1]:
        raise ValueError(f"spent has shape {ends.shape}, must be {runs.shape[:1]}, one per run")
    if not np.all((ends >= 0) & (ends < np.inf)):
        raise ValueError("spent must be finite and not negative")
    late = runs > ends[:, None]
    if late.any() and np.isfinite(runs[late]).any():
        raise ValueError("a hit is later than the evaluations its run spent")
    return runs, ends

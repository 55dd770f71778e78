"""Runs that repeat instances: they tell of these instances more than of the function.

``instances``, shape ``(n_runs,)``, holds the number of each run's instance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

    Raises:
        ValueError: There is not one for each of ``runs``.
    """
    if instances is None:
        return None
    numbers = np.asarray(instances)
    if numbers.shape != (runs,):
        raise ValueError(f"instances has shape {numbers.shape}, must be ({runs},), one per run")
    if not repeats(numbers) or not for_the_function(numbers):
        return None
    return np.asarray(np.unique(numbers, return_inverse=True)[1])

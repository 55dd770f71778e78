"""Compiled loop over the hits of runs: when each first reached each of some targets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def first_of_each(
    offset: NDArray[np.int64],
    target: NDArray[np.int16],
    evaluation: NDArray[np.int64],
    wanted: NDArray[np.int64],
    place: NDArray[np.int64],
    times: NDArray[Any],
) -> None:
    """Fill in the evaluation of each run's first hit that is as hard as a wanted target.

    Args:
        offset: Run ``i`` owns hits ``offset[i]`` to ``offset[i + 1] - 1``; ``(n_runs + 1,)``.
        target: The hardest target that a hit reaches; falls within a run.
        evaluation: Of each hit.
        wanted: Targets, easiest first, so falling, shape ``(n_targets,)``.
        place: Column of ``times`` for each of them.
        times: Shape ``(n_runs, n_targets)``; where nothing is reached it stays as it is.
    """
    for run in range(len(offset) - 1):
        missing = 0
        for hit in range(offset[run], offset[run + 1]):
            while missing < len(wanted) and target[hit] <= wanted[missing]:
                times[run, place[missing]] = evaluation[hit]
                missing += 1

"""The archive of a run with two objectives: its non-dominated points.

A point is non-dominated if no other point is at least as good in both objectives.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...suites.compiled.compilation import machine_code
from . import archive_kernels as kernels

Array = NDArray[np.float64]

_INITIAL_CAPACITY = 64  # number of members for which memory is allocated at first


class Archive:
    """The non-dominated points of a run, and the hypervolume that they dominate.

    The points are kept as sorted arrays of normalised objectives.

    Args:
        ideal: The ideal point, shape ``(2,)``, which is normalised to (0, 0).
        nadir: The nadir point, shape ``(2,)``, which is normalised to (1, 1).

    Attributes:
        would_enter: Function that takes two objectives, float64 ``(2,)``, and returns whether they
            are finite and the point would enter. Another thread may call it at any moment.
    """

    def __init__(self, ideal: Array, nadir: Array) -> None:
        # Ideal point, size of the region of interest, and the numbers at the indices in `kernels`.
        self._state = np.array([*ideal, *(nadir - ideal), 0.0, 0.0, math.inf, 0.0, 0.0, 0.0])
        self._state_address = self._state.ctypes.data
        self._members = np.empty((2, 0))
        would_enter, self._enter = _compile_kernels()
        self.would_enter: Callable[[Array], bool] = partial(would_enter, self._state_address)
        self._reserve(_INITIAL_CAPACITY)

    def enter(self, values: Array) -> tuple[Array, NDArray[np.int64]]:
        """Let points enter, one after the other.

        Args:
            values: Their objectives, float64 ``(n, 2)``.

        Returns:
            The indicator after each point, see `Hypervolume`, shape ``(n,)``; and the positions of
            the points that entered, int64 ``(m,)``.
        """
        n_points = len(values)
        if int(self._state[kernels.COUNT]) + n_points > self._members.shape[1]:
            self._reserve(n_points)
        measured, entered = np.empty(n_points), np.empty(n_points, np.int64)
        self._enter(values, self._state_address, measured, entered)
        return measured, entered[: int(self._state[kernels.ENTERED])]

    def _reserve(self, n_points: int) -> None:
        """Allocate memory for further members."""
        count, members = int(self._state[kernels.COUNT]), self._members
        larger = np.empty((2, max(2 * members.shape[1], count + n_points)))
        larger[:, :count] = members[:, :count]
        capacity_and_address = larger.shape[1], larger.ctypes.data
        # Both numbers are written in one step, so another thread in `would_enter` sees the old
        # array or the new one. The variable ``members`` keeps the old array alive until then.
        self._state.view(np.int64)[kernels.CAPACITY : kernels.CAPACITY + 2] = capacity_and_address
        self._members = larger


@cache
def _compile_kernels() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the machine code of `kernels.would_enter` and of `kernels.insert_points`."""
    return (
        machine_code(kernels.would_enter, kernels.WOULD_ENTER),
        machine_code(kernels.insert_points, kernels.INSERT_POINTS),
    )

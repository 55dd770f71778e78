"""The archive of two objectives: the points that no other is as good as in both."""

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

_FIRST_ROOM = 64


class Archive:
    """Sorted arrays of normalised objectives, and the hypervolume that their points dominate.

    Args:
        ideal: Shape ``(2,)``.
        nadir: Likewise.

    Attributes:
        would_enter: Whether a point of this value, float64 ``(2,)``, is finite and would enter.
    """

    def __init__(self, ideal: Array, nadir: Array) -> None:
        self._state = np.array([*ideal, *(nadir - ideal), 0.0, 0.0, math.inf, 0.0, 0.0])
        self._state_at = self._state.ctypes.data
        self._members = np.empty((2, 0))
        self._sure_room = 0
        self._of_one = np.empty(1), np.empty(1, np.int64)
        would_enter, self._enter = _compiled()
        self.would_enter: Callable[[Array], bool] = partial(would_enter, self._state_at)
        self._make_room(_FIRST_ROOM)

    def enter(self, values: Array) -> tuple[Array, NDArray[np.int64]]:
        """Bring in points, one after the other.

        Args:
            values: float64 ``(n, 2)``.

        Returns:
            What the archive measures after each point, see ``Hypervolume``, shape ``(n,)``; and the
            positions of the points that entered, int64 ``(m,)``.
        """
        count = len(values)
        self._make_room(count)
        measured, entered = np.empty(count), np.empty(count, np.int64)
        number = self._enter(values, self._state_at, measured, entered)
        return measured, entered[:number]

    def enter_one(self, value: Array) -> tuple[float, bool]:
        """Bring in one point of this value, float64 ``(2,)``; what ``enter`` says, and whether."""
        self._make_room(1)
        measured, entered = self._of_one
        number = self._enter(value.reshape(1, 2), self._state_at, measured, entered)
        return measured.item(), number > 0

    def _make_room(self, points: int) -> None:
        """Let so many points enter."""
        self._sure_room -= points
        if self._sure_room >= 0:
            return
        count, room = int(self._state[kernels.COUNT]), self._members.shape[1]
        self._sure_room = max(2 * room, count + points) - count - points
        before, members = self._members, np.empty((2, count + points + self._sure_room))
        members[:, :count] = before[:, :count]
        place = members.shape[1], members.ctypes.data
        # in one step, so that a thread that asks meanwhile sees the members of before or of now
        self._state.view(np.int64)[kernels.ROOM :] = place
        self._members = members


@cache
def _compiled() -> tuple[Callable[..., Any], Callable[..., Any]]:
    return (
        machine_code(kernels.would_enter, kernels.WOULD_ENTER),
        machine_code(kernels.enter, kernels.ENTER),
    )

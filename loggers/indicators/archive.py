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

    ``would_enter`` says whether a point of this value, float64 ``(2,)``, is finite and would enter.
    """

    def __init__(self, ideal: Array, nadir: Array) -> None:
        self._state = np.array([*ideal, *(nadir - ideal), 0.0, 0.0, math.inf, 0.0, 0.0, 0.0])
        self._state_at = self._state.ctypes.data
        self._members = [np.empty((2, 0))]
        self._sure_room = 0
        would_enter, self._enter = _compiled()
        self.would_enter: Callable[[Array], bool] = partial(would_enter, self._state_at)
        self._make_room(_FIRST_ROOM)

    def enter(self, values: Array) -> tuple[Array, NDArray[np.int64]]:
        """Bring in points, float64 ``(n, 2)``, one after the other: ``begin`` and ``finish``."""
        self.begin(values)
        return self.finish()

    def begin(self, values: Array) -> None:
        """Say which points are to be brought in: float64 ``(n, 2)``."""
        count = len(values)
        self._make_room(count)
        self._state[kernels.ENTERED] = -1
        self._work = values, np.empty(count), np.empty(count, np.int64)

    def finish(self) -> tuple[Array, NDArray[np.int64]]:
        """Bring in those points, once however often it is called; an exception may come in between.

        Returns what the archive measures after each point, see ``Hypervolume``, shape ``(n,)``, and
        the positions of the points that entered, int64 ``(m,)``.
        """
        values, measured, entered = self._work
        if self._state[kernels.ENTERED] < 0:
            self._enter(values, self._state_at, measured, entered)
        return measured, entered[: int(self._state[kernels.ENTERED])]

    def _make_room(self, points: int) -> None:
        """Let so many points enter."""
        if self._sure_room < points:
            self._sure_room = 0
            count, before = int(self._state[kernels.COUNT]), self._members[-1]
            members = np.empty((2, max(2 * before.shape[1], count + points)))
            members[:, :count] = before[:, :count]
            self._members.append(members)  # those of before stay alive until they are left
            place = members.shape[1], members.ctypes.data
            # in one step, so that a thread that asks meanwhile sees the members of before or of now
            self._state.view(np.int64)[kernels.ROOM : kernels.ROOM + 2] = place
            del self._members[:-1]
            self._sure_room = members.shape[1] - count
        self._sure_room -= points


@cache
def _compiled() -> tuple[Callable[..., Any], Callable[..., Any]]:
    return (
        machine_code(kernels.would_enter, kernels.WOULD_ENTER),
        machine_code(kernels.enter, kernels.ENTER),
    )

"""The archive of two objectives, compiled: which points enter it, and its hypervolume.

Members stand in two arrays, one after the other in memory: the first normalised objective, falling,
and the second, rising. The state is handed over by its address, since an array as an argument costs
50 ns; it has the address of the members. The caller keeps both alive. All functions hold the
interpreter's lock.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ...suites.compiled.elementary import bits_of, floor, vectorisable
from ...suites.compiled.wrappers import floats_at

STATE = 10
"""Numbers of the state: ideal point and nadir - ideal, two each, then those that follow."""
COUNT, VOLUME, PENALTY, ROOM, ADDRESS, ENTERED = 4, 5, 6, 7, 8, 9
"""Of the members: number, hypervolume, penalty; the bits of two integers: room for so many, and
where they stand; how many of the points brought in last entered."""
WOULD_ENTER = "int64, float64[:]"
"""Types of the arguments of `would_enter`."""
ENTER = "float64[:, :], int64, float64[::1], int64[::1]"
"""Types of the arguments of `enter`."""
_RESOLUTION = 5e-13
"""Normalised objectives are multiples of it."""
_TOLERANCE = 1e-13
"""What is below it counts as 0."""
_INFINITY = np.inf


@vectorisable
def _normalised(state, y1, y2):
    """Both objectives on a scale from the ideal point, 0, to the nadir point, 1; inf if not finite.

    A point at the minimum of one objective that is better than the nadir point in the other gets
    the nadir point's value there.
    """
    n1 = floor((y1 - state[0]) / state[2] / _RESOLUTION + 0.5) * _RESOLUTION
    n2 = floor((y2 - state[1]) / state[3] / _RESOLUTION + 0.5) * _RESOLUTION
    if not (abs(n1) < _INFINITY and abs(n2) < _INFINITY):
        return _INFINITY, _INFINITY
    n1, n2 = max(n1, 0.0), max(n2, 0.0)
    if n1 < _TOLERANCE and n2 < 1.0:
        n2 = 1.0
    if n2 < _TOLERANCE and n1 < 1.0:
        n1 = 1.0
    return n1, n2


@vectorisable
def _members(state):
    """Both normalised objectives of the members, and of the room for more."""
    room, address = bits_of(state[ROOM]), bits_of(state[ADDRESS])
    return floats_at(address, (room,)), floats_at(address + 8 * room, (room,))


@vectorisable
def _up_to(second, count, n2):
    """How many members have a second objective of at most ``n2``; no branch hangs on values."""
    start = 0
    while count > 1:
        half = count // 2
        start = start + half if second[start + half - 1] <= n2 else start
        count -= half
    return start + 1 if count == 1 and second[start] <= n2 else start


@njit(cache=True, error_model="numpy")
def would_enter(state_at, values):
    """Whether a point with these two values is finite and no member is as good in both."""
    if values.shape[0] != 2:
        raise ValueError("a point must have two values")
    state = floats_at(state_at, (STATE,))
    n1, n2 = _normalised(state, values[0], values[1])
    if n1 == _INFINITY:
        return False
    first, second = _members(state)
    place = _up_to(second, int(state[COUNT]), n2)
    return place == 0 or first[place - 1] > n1


@njit(cache=True, error_model="numpy")
def enter(values, state_at, measured, entered):
    """Bring points into the archive, one after the other; there must be room for all of them.

    ``measured`` takes the penalty minus the hypervolume after each point, ``entered`` the positions
    of those that entered.
    """
    state = floats_at(state_at, (STATE,))
    first, second = _members(state)
    count, volume, penalty, number = int(state[COUNT]), state[VOLUME], state[PENALTY], 0
    last = 0  # who dominated the point before: most often this one, too
    for row in range(values.shape[0]):
        n1, n2 = _normalised(state, values[row, 0], values[row, 1])
        if n1 == _INFINITY or (last < count and first[last] <= n1 and second[last] <= n2):
            measured[row] = penalty - volume
            continue
        stop = _up_to(second, count, n2)
        if stop > 0 and first[stop - 1] <= n1:
            last = stop - 1
        else:
            # members from start to stop - 1 are dominated
            start = stop - 1 if stop > 0 and second[stop - 1] == n2 else stop
            left, bottom = min(n1, 1.0), min(n2, 1.0)
            while stop < count and first[stop] >= n1:
                stop += 1
            # the new area, strip by strip from left to right; beyond (1, 1) nothing has any
            top = min(second[stop], 1.0) if stop < count else 1.0
            for member in range(stop - 1, start - 1, -1):
                right = min(first[member], 1.0)
                volume += (right - left) * (top - bottom)
                left, top = right, min(second[member], 1.0)
            right = min(first[start - 1], 1.0) if start > 0 else 1.0
            volume += (right - left) * (top - bottom)
            if stop == start:
                for member in range(count, start, -1):
                    first[member] = first[member - 1]
                for member in range(count, start, -1):
                    second[member] = second[member - 1]
            elif stop > start + 1:
                for member in range(stop, count):
                    first[member - stop + start + 1] = first[member]
                for member in range(stop, count):
                    second[member - stop + start + 1] = second[member]
            count += 1 - (stop - start)
            first[start], second[start] = n1, n2
            if volume < _TOLERANCE:
                beyond1, beyond2 = max(n1 - 1.0, 0.0), max(n2 - 1.0, 0.0)
                penalty = min(penalty, math.sqrt(beyond1 * beyond1 + beyond2 * beyond2))
            else:
                penalty = 0.0
            entered[number] = row
            number += 1
        measured[row] = penalty - volume
    state[COUNT], state[VOLUME], state[PENALTY], state[ENTERED] = count, volume, penalty, number

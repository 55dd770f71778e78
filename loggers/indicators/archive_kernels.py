"""Insert points into the archive of two objectives, and update its hypervolume, in compiled code.

Members of the archive are nondominated points. They are stored in two arrays, one behind the other
in memory: the first normalized objective, descending, and the second, ascending. The state of the
archive is an array of `STATE` numbers, which has the address of the members. Kernels get the
address of the state, because an array as an argument costs 50 ns. The caller (`Archive`) keeps both
arrays alive. All kernels hold the interpreter's lock (GIL).
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
"""Length of the state. The first four numbers are the ideal point, and nadir minus ideal point."""
COUNT, VOLUME, PENALTY, CAPACITY, ADDRESS, ENTERED = 4, 5, 6, 7, 8, 9
"""Indices in the state: number of members; their hypervolume; penalty while that is 0; number of
members for which memory is allocated, and its address, both as bits of an integer; number of the
points that entered in the last call of `insert_points`."""
WOULD_ENTER = "int64, float64[:]"
"""Types of the arguments of `would_enter`."""
INSERT_POINTS = "float64[:, :], int64, float64[::1], int64[::1]"
"""Types of the arguments of `insert_points`."""
_RESOLUTION = 5e-13
"""Normalized objectives are rounded to multiples of this number."""
_TOLERANCE = 1e-13
"""Normalized objectives and hypervolumes below this number count as 0."""
_INFINITY = np.inf


@vectorisable
def _normalize(state, y1, y2):
    """Normalize two objectives: the ideal point becomes (0, 0), the nadir point (1, 1).

    Both results are infinite if one objective is not finite. A point at the minimum of one
    objective that is better than the nadir point in the other one gets 1 there.
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
def _view_members(state):
    """Return both normalized objectives of the members as views of shape ``(capacity,)``."""
    capacity, address = bits_of(state[CAPACITY]), bits_of(state[ADDRESS])
    return floats_at(address, (capacity,)), floats_at(address + 8 * capacity, (capacity,))


@vectorisable
def _count_up_to(second, count, n2):
    """Count the members with a second objective of at most ``n2``, by a branch-free bisection.

    Args:
        second: Second objectives, ascending; only the first ``count`` are used.
        count: Number of members.
        n2: A normalized second objective.
    """
    start = 0
    while count > 1:
        half = count // 2
        start = start + half if second[start + half - 1] <= n2 else start
        count -= half
    return start + 1 if count == 1 and second[start] <= n2 else start


@njit(cache=True, error_model="numpy")
def would_enter(state_address, values):
    """Return whether a point is finite and no member is at least as good in both objectives.

    Args:
        state_address: Address of the state.
        values: Objectives of the point, shape ``(2,)``.
    """
    if values.shape[0] != 2:
        raise ValueError("a point must have two values")
    state = floats_at(state_address, (STATE,))
    n1, n2 = _normalize(state, values[0], values[1])
    if n1 == _INFINITY:
        return False
    first, second = _view_members(state)
    n_up_to = _count_up_to(second, int(state[COUNT]), n2)
    return n_up_to == 0 or first[n_up_to - 1] > n1


@njit(cache=True, error_model="numpy")
def insert_points(points, state_address, out_quality, out_rows):
    """Insert points into the archive one after the other, and update the state.

    The number of the points that entered is written to ``state[ENTERED]``.

    Args:
        points: Objectives of the points, shape ``(n, 2)``. The archive must have capacity for all
            of them.
        state_address: Address of the state.
        out_quality: Receives the penalty minus the hypervolume after each point, shape ``(n,)``.
        out_rows: Receives the positions of the points that entered, shape ``(n,)``; the rest of it
            is not written.
    """
    state = floats_at(state_address, (STATE,))
    first, second = _view_members(state)
    count, volume, penalty, n_entered = int(state[COUNT]), state[VOLUME], state[PENALTY], 0
    last = 0  # member that dominated the previous point; usually it dominates this one, too
    for row in range(points.shape[0]):
        n1, n2 = _normalize(state, points[row, 0], points[row, 1])
        if n1 == _INFINITY or (last < count and first[last] <= n1 and second[last] <= n2):
            out_quality[row] = penalty - volume
            continue
        stop = _count_up_to(second, count, n2)
        if stop > 0 and first[stop - 1] <= n1:
            last = stop - 1
        else:
            # members from start to stop - 1 are dominated
            start = stop - 1 if stop > 0 and second[stop - 1] == n2 else stop
            left, bottom = min(n1, 1.0), min(n2, 1.0)
            while stop < count and first[stop] >= n1:
                stop += 1
            # Add the new area strip by strip from left to right. Objectives are cut at 1, because
            # points beyond the nadir point add no area.
            top = min(second[stop], 1.0) if stop < count else 1.0
            for member in range(stop - 1, start - 1, -1):
                right = min(first[member], 1.0)
                volume += (right - left) * (top - bottom)
                left, top = right, min(second[member], 1.0)
            right = min(first[start - 1], 1.0) if start > 0 else 1.0
            volume += (right - left) * (top - bottom)
            # move the members behind the dominated ones, so that one slot is free at start
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
            out_rows[n_entered] = row
            n_entered += 1
        out_quality[row] = penalty - volume
    state[COUNT], state[VOLUME], state[PENALTY], state[ENTERED] = count, volume, penalty, n_entered

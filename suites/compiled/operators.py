"""Input transforms, and large linear operators that kernels call.

An *input transform* changes a block of points before the kernel sees it: it is compiled into every
wrapper, so that a boxed or discretised problem costs a few nanoseconds a variable and no call. It
leaves NaN and infinity in a coordinate as they are; it may set a coordinate to infinity, which
makes the value infinite. ``hard_box``, ``integer_grid`` and ``translation`` make its constants,
shape ``(k, dimension)``; ``k`` says which it is.

*Operators* are what kernels call: block-diagonal rotations and permutations, with constants of
``block * dimension`` numbers, never ``dimension * dimension``.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import SuiteError
from .elementary import floor, vectorisable

Array = NDArray[np.float64]
_LARGEST = np.finfo(np.float64).max


@vectorisable
def _keep_inside(lanes, rows, x):
    for i in range(rows.shape[1]):
        lower, upper = rows[0, i], rows[1, i]
        for b in range(lanes):
            value = x[i * lanes + b]
            x[i * lanes + b] = np.inf if (value < lower or value > upper) else value


@vectorisable
def _to_grid(lanes, rows, x):
    for i in range(rows.shape[1]):
        last, low, step = rows[0, i], rows[1, i], rows[2, i]
        if last > 0.0:
            for b in range(lanes):
                value = x[i * lanes + b]
                k = min(max(floor(value + 0.5), 0.0), last)
                finite = abs(value) <= _LARGEST
                x[i * lanes + b] = low + step * k if finite else value


@vectorisable
def _translate(lanes, rows, x):
    for i in range(rows.shape[1]):
        for b in range(lanes):
            x[i * lanes + b] += rows[0, i]


@vectorisable
def change_points(lanes, rows, x):
    """Change a block of points as the number of rows says: 1 a translation, 2 a box, 3 a grid."""
    if rows.shape[0] == 1:
        _translate(lanes, rows, x)
    elif rows.shape[0] == 2:
        _keep_inside(lanes, rows, x)
    elif rows.shape[0] == 3:
        _to_grid(lanes, rows, x)


def translation(step: ArrayLike) -> Array:
    """The kernel gets ``x + step``, with ``step`` of shape ``(dimension,)``."""
    return np.array([step], dtype=np.float64)


def hard_box(lower: ArrayLike, upper: ArrayLike) -> Array:
    """Outside ``lower <= x <= upper``, each shape ``(dimension,)``, the value is infinity."""
    return np.array([lower, upper], dtype=np.float64)


def integer_grid(cardinalities: ArrayLike, low: ArrayLike, high: ArrayLike) -> Array:
    """Integer variables on the points of a grid, as bbob-mixint places them.

    With ``n`` values, ``x_i`` becomes ``low_i + (high_i - low_i) k / (n - 1)``, where ``k`` is the
    nearest of 0 … n - 1, halves upwards. A variable with cardinality 0 is continuous, and kept.
    """
    n, low, high = (np.asarray(a, dtype=np.float64) for a in (cardinalities, low, high))
    if not np.all((n == 0) | ((n >= 2) & (n == np.floor(n)))):
        raise SuiteError(f"cardinalities must be 0 or integers >= 2; got {cardinalities!r}")
    last = np.maximum(n - 1, 0)
    step = np.divide(high - low, last, out=np.zeros_like(last), where=last > 0)
    return np.array([last, low, step])


def block_rows(blocks: Sequence[Array]) -> Array:
    """The constants of ``rotate_blocks``: matrices along a diagonal, shape ``(s, dimension)``.

    All are ``s × s`` but the last, which may be smaller.
    """
    size, shapes = len(blocks[0]), [np.shape(block) for block in blocks]
    last = shapes[-1][0]
    if shapes != [(size, size)] * (len(blocks) - 1) + [(last, last)] or last > size:
        raise SuiteError(f"blocks must be square, of one size but the last; got {shapes}")
    rows = np.zeros((size, sum(len(block) for block in blocks)))
    for k, block in enumerate(blocks):
        rows[: len(block), k * size : k * size + len(block)] = np.asarray(block).T
    return rows


@vectorisable
def rotate_blocks(lanes, rows, start, y, z):
    """``z = start + M y``, where ``M`` is block-diagonal; ``rows`` of ``block_rows``.

    Row ``j`` holds column ``j`` of all blocks; sums run over ``j``, four columns at a time: one
    load and store of a sum for four products. Blocks are slices, since LLVM vectorises loops over
    indices from 0 only.
    """
    size, dimension = rows.shape
    for first in range(0, dimension, size):
        count = min(size, dimension - first)
        in_fours = count - count % 4
        m = rows[:count, first : first + count]
        v = y[first * lanes : (first + count) * lanes]
        s = z[first * lanes : (first + count) * lanes]
        for k in range(s.shape[0]):
            s[k] = start
        if lanes == 1:
            for j in range(0, in_fours, 4):
                v0, v1, v2, v3 = v[j], v[j + 1], v[j + 2], v[j + 3]
                for i in range(count):
                    half = (s[i] + m[j, i] * v0) + m[j + 1, i] * v1
                    s[i] = (half + m[j + 2, i] * v2) + m[j + 3, i] * v3
            for j in range(in_fours, count):
                for i in range(count):
                    s[i] += m[j, i] * v[j]
        else:
            for i in range(count):
                for j in range(0, in_fours, 4):
                    m0, m1, m2, m3 = m[j, i], m[j + 1, i], m[j + 2, i], m[j + 3, i]
                    for b in range(lanes):
                        k = j * lanes + b
                        half = (s[i * lanes + b] + m0 * v[k]) + m1 * v[k + lanes]
                        s[i * lanes + b] = (half + m2 * v[k + 2 * lanes]) + m3 * v[k + 3 * lanes]
                for j in range(in_fours, count):
                    m0 = m[j, i]
                    for b in range(lanes):
                        s[i * lanes + b] += m0 * v[j * lanes + b]


@vectorisable
def permute(lanes, order, y, z):
    """``z_i = y_order[i]``; ``order``, shape ``(dimension,)``, holds integers as floats."""
    if lanes == 1:
        for i in range(order.shape[0]):
            z[i] = y[int(order[i])]
        return
    for i in range(order.shape[0]):
        source = int(order[i]) * lanes
        s, t = y[source : source + lanes], z[i * lanes : (i + 1) * lanes]
        for b in range(lanes):
            t[b] = s[b]

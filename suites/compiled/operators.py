"""Input transforms of points, and linear operators for many variables.

An *input transform* changes a block of points before the kernel reads it. It is compiled into every
wrapper, so that a boxed or discretised problem costs a few nanoseconds per variable and no further
call. It leaves NaN and infinite coordinates unchanged. It may set a coordinate to infinity; the
value of the point is then infinite. `translation`, `hard_box` and `integer_grid` make its
constants; their number of rows selects the transform.

*Operators* are functions that kernels call: block-diagonal rotations and permutations. Their
constants have ``block_size * D`` numbers instead of ``D * D``.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats
from ..errors import SuiteError
from .elementary import floor, vectorisable
from .kernel import ConstantRows, PerVariable, PointBlock

_LARGEST = np.finfo(np.float64).max  # the largest finite float

# Input transforms.


def translation(step: ArrayLike) -> Floats:
    """Return the constants of a transform that adds ``step``, shape ``(D,)``, to a point.

    Returns:
        Shape ``(1, D)``.
    """
    return np.array([step], dtype=np.float64)


def hard_box(lower: ArrayLike, upper: ArrayLike) -> Floats:
    """Return the constants of a transform that makes the value infinite outside a closed box.

    Args:
        lower: Lower bounds, shape ``(D,)``.
        upper: Upper bounds, shape ``(D,)``.

    Returns:
        Shape ``(2, D)``.
    """
    return np.array([lower, upper], dtype=np.float64)


def integer_grid(cardinalities: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Return the constants of a transform from integers to points of a grid, as in bbob-mixint.

    A variable with ``n`` values is rounded to the nearest ``k`` of 0 … n - 1, halves upwards, and
    becomes ``low + (high - low) k / (n - 1)``.

    Args:
        cardinalities: Number of values of each variable, shape ``(D,)``, at least 2; 0 for a
            continuous variable, which is not changed.
        low: Coordinates for which the integer 0 stands, shape ``(D,)``.
        high: Coordinates for which the integer ``n - 1`` stands, shape ``(D,)``.

    Returns:
        Shape ``(3, D)``: ``n - 1``, or 0 for continuous variables; ``low``; distance of the points
        of the grid, or 0 for continuous variables.

    Raises:
        SuiteError: A cardinality is not 0 and not an integer of at least 2.
    """
    n, low, high = (np.asarray(a, dtype=np.float64) for a in (cardinalities, low, high))
    if not np.all((n == 0) | ((n >= 2) & (n == np.floor(n)))):
        raise SuiteError(f"cardinalities must be 0 or integers >= 2; got {cardinalities!r}")
    last = np.maximum(n - 1, 0)
    step = np.divide(high - low, last, out=np.zeros_like(last), where=last > 0)
    return np.array([last, low, step])


@vectorisable
def transform_points(n_points: int, transform: ConstantRows, points: PointBlock) -> None:
    """Apply an input transform to ``points``, in place; without rows, do nothing.

    Args:
        n_points: Number of points in the block.
        transform: Constants of the transform; 1 row: a translation, 2 rows: a hard box, 3 rows: an
            integer grid.
        points: Overwritten.
    """
    if transform.shape[0] == 1:
        _translate(n_points, transform, points)
    elif transform.shape[0] == 2:
        _replace_outside(n_points, transform, points)
    elif transform.shape[0] == 3:
        _move_to_grid(n_points, transform, points)


@vectorisable
def _translate(n_points: int, transform: ConstantRows, points: PointBlock) -> None:
    for i in range(transform.shape[1]):
        for p in range(n_points):
            points[i * n_points + p] += transform[0, i]


@vectorisable
def _replace_outside(n_points: int, transform: ConstantRows, points: PointBlock) -> None:
    """Set coordinates outside the box to infinity."""
    for i in range(transform.shape[1]):
        lower, upper = transform[0, i], transform[1, i]
        for p in range(n_points):
            value = points[i * n_points + p]
            points[i * n_points + p] = np.inf if (value < lower or value > upper) else value


@vectorisable
def _move_to_grid(n_points: int, transform: ConstantRows, points: PointBlock) -> None:
    for i in range(transform.shape[1]):
        last, low, step = transform[0, i], transform[1, i], transform[2, i]
        if last > 0.0:
            for p in range(n_points):
                value = points[i * n_points + p]
                k = min(max(floor(value + 0.5), 0.0), last)
                is_finite = abs(value) <= _LARGEST
                points[i * n_points + p] = low + step * k if is_finite else value


# Operators.


def block_rows(blocks: Sequence[Floats]) -> Floats:
    """Return the constants of `rotate_blocks` for matrices along a diagonal.

    Args:
        blocks: Square matrices of one size ``s``, except the last, which may be smaller.

    Returns:
        Shape ``(s, D)``: row ``j`` is column ``j`` of all blocks, one after the other. Column ``j``
        of the last block is filled with zeros where the block has no such column.

    Raises:
        SuiteError: The blocks have other shapes.
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
def rotate_blocks(
    n_points: int, rows: ConstantRows, start: float, points: PointBlock, rotated: PointBlock
) -> None:
    """Write ``start + M y`` to ``rotated`` for each point ``y``, where ``M`` is block-diagonal.

    Args:
        n_points: Number of points in the block of points.
        rows: Blocks of ``M``, made by `block_rows`, shape ``(block_size, D)``.
        start: Number that is added to each coordinate.
        points: Only read; must not overlap ``rotated``.
        rotated: Written.
    """
    block_size, dimension = rows.shape
    for first in range(0, dimension, block_size):
        size = min(block_size, dimension - first)
        in_fours = size - size % 4
        # Slices, because LLVM vectorises only loops over indices that start at 0.
        matrix = rows[:size, first : first + size]  # transposed
        y = points[first * n_points : (first + size) * n_points]
        sums = rotated[first * n_points : (first + size) * n_points]
        for k in range(sums.shape[0]):
            sums[k] = start
        # Sums run over the columns j in order. Four columns at a time need one load and one store
        # of a sum for four products.
        if n_points == 1:
            for j in range(0, in_fours, 4):
                y0, y1, y2, y3 = y[j], y[j + 1], y[j + 2], y[j + 3]
                for i in range(size):
                    half = (sums[i] + matrix[j, i] * y0) + matrix[j + 1, i] * y1
                    sums[i] = (half + matrix[j + 2, i] * y2) + matrix[j + 3, i] * y3
            for j in range(in_fours, size):
                for i in range(size):
                    sums[i] += matrix[j, i] * y[j]
        else:
            for i in range(size):
                for j in range(0, in_fours, 4):
                    m0, m1 = matrix[j, i], matrix[j + 1, i]
                    m2, m3 = matrix[j + 2, i], matrix[j + 3, i]
                    for p in range(n_points):
                        k = j * n_points + p
                        half = (sums[i * n_points + p] + m0 * y[k]) + m1 * y[k + n_points]
                        sums[i * n_points + p] = (half + m2 * y[k + 2 * n_points]) + m3 * y[
                            k + 3 * n_points
                        ]
                for j in range(in_fours, size):
                    m0 = matrix[j, i]
                    for p in range(n_points):
                        sums[i * n_points + p] += m0 * y[j * n_points + p]


@vectorisable
def permute(n_points: int, order: PerVariable, points: PointBlock, permuted: PointBlock) -> None:
    """Write coordinate ``order[i]`` of each point to coordinate ``i`` of ``permuted``.

    Args:
        n_points: Number of points in the block.
        order: A permutation of 0 … D - 1; integers as floats.
        points: Only read; must not overlap ``permuted``.
        permuted: Written.
    """
    if n_points == 1:
        for i in range(order.shape[0]):
            permuted[i] = points[int(order[i])]
        return
    for i in range(order.shape[0]):
        source_start = int(order[i]) * n_points
        source = points[source_start : source_start + n_points]
        target = permuted[i * n_points : (i + 1) * n_points]
        for p in range(n_points):
            target[p] = source[p]

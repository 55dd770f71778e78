"""Transformations of points and sums of values, of which bbob's functions are composed.

``compiled/kernel.py`` describes blocks of points, their memory layout and the types used here. A
function that changes a block does so in place; a function with a second block writes to that block,
which must not overlap the first.

Names follow the definition (RR-6829, section 0.2): ``Tosz`` oscillates, ``Tasy`` breaks symmetry,
``Lambda`` scales, ``Q`` and ``R`` rotate, ``fpen`` penalises points outside ``[-5, 5]``. In
formulas ``i`` counts from 1, and ``e_i = (i - 1) / (D - 1)``.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

import math

from numba import types
from numba.extending import intrinsic

from ..arrays import Floats
from ..compiled.elementary import cos_turns, exp_of_product, log, power, sin, vectorisable
from ..compiled.kernel import (
    ConstantRows,
    MatrixColumns,
    PerPoint,
    PerVariable,
    PointBlock,
    ValueBlock,
    Workspace,
)

# Memory.


@vectorisable
def split_workspace(
    n_points: int, constants: ConstantRows, workspace: Workspace
) -> tuple[PointBlock, PointBlock, Workspace]:
    """Return three parts of the workspace: two blocks as large as the points, and the rest.

    The rest has room for at least one number per point.
    """
    size = constants.shape[1] * n_points
    return workspace[:size], workspace[size : 2 * size], workspace[2 * size :]


@vectorisable
def fill(values: Floats, number: float) -> None:
    """Set all numbers of a one-dimensional array to ``number``."""
    for k in range(values.shape[0]):
        values[k] = number


@intrinsic
def flat_view(typingctx, rows):
    """Return a one-dimensional view of a C-contiguous float64 matrix, one row after the other.

    The view does not keep ``rows`` alive.
    """
    # Replaces numba's `reshape`, which would have to be imported by every module that compiles a
    # kernel.
    if rows.layout != "C" or rows.dtype != types.float64:
        return None
    result = types.Array(types.float64, 1, "C")

    def generate(context, builder, signature, arguments):
        # Imported here because it is needed for compilation only and takes long.
        from numba.core.cgutils import unpack_tuple
        from numba.np.arrayobj import make_array, populate_array

        source = make_array(signature.args[0])(context, builder, arguments[0])
        length = builder.mul(*unpack_tuple(builder, source.shape, 2))
        item_size = context.get_constant(types.intp, 8)
        array = make_array(result)(context, builder)
        populate_array(
            array,
            data=source.data,
            shape=[length],
            strides=[item_size],
            itemsize=item_size,
            meminfo=None,
        )
        return array._getvalue()

    return result(rows), generate


# Transformations of points.


@vectorisable
def shift(n_points: int, points: PointBlock, optimum: PerVariable, shifted: PointBlock) -> None:
    """Write ``points - optimum`` to ``shifted``."""
    for i in range(optimum.shape[0]):
        for p in range(n_points):
            shifted[i * n_points + p] = points[i * n_points + p] - optimum[i]


@vectorisable
def scale(n_points: int, factors: PerVariable, points: PointBlock) -> None:
    """Multiply coordinate ``i`` of ``points`` by ``factors[i]``; ``Lambda`` is such a scaling.

    The factors of ``Lambda^alpha`` are ``alpha^(e_i / 2)``.
    """
    for i in range(factors.shape[0]):
        for p in range(n_points):
            points[i * n_points + p] *= factors[i]


@vectorisable
def rotate(
    n_points: int, columns: MatrixColumns, start: float, points: PointBlock, rotated: PointBlock
) -> None:
    """Write ``start + M y`` to ``rotated`` for each point ``y``.

    Args:
        n_points: Number of points in the block.
        columns: The columns of ``M``, shape ``(D, D)``: row ``j`` is column ``j``.
        start: Number that is added to each coordinate.
        points: Only read; must not overlap ``rotated``.
        rotated: Written.
    """
    dimension = columns.shape[0]
    fill(rotated[: dimension * n_points], start)
    # Sums run over the columns j in order. The order must be the same for one point and for many.
    if n_points == 1:
        for j in range(dimension):
            for i in range(dimension):
                rotated[i] += columns[j, i] * points[j]
        return
    # Four columns at a time need one load and one store of a sum for four products.
    in_fours = dimension - dimension % 4
    for i in range(dimension):
        for j in range(0, in_fours, 4):
            m0, m1 = columns[j, i], columns[j + 1, i]
            m2, m3 = columns[j + 2, i], columns[j + 3, i]
            for p in range(n_points):
                k = j * n_points + p
                half = (rotated[i * n_points + p] + m0 * points[k]) + m1 * points[k + n_points]
                rotated[i * n_points + p] = (half + m2 * points[k + 2 * n_points]) + m3 * points[
                    k + 3 * n_points
                ]
        for j in range(in_fours, dimension):
            m0 = columns[j, i]
            for p in range(n_points):
                rotated[i * n_points + p] += m0 * points[j * n_points + p]


@vectorisable
def oscillate(points: PointBlock) -> None:
    """Apply ``Tosz`` to all coordinates."""
    for k in range(points.shape[0]):
        points[k] = oscillation(points[k])


@vectorisable
def oscillation(x: float) -> float:
    """Return ``Tosz`` of a number: smooth local irregularities, which keep the sign and 0.

    ``sign(x) exp(t + 0.049 (sin(c1 t) + sin(c2 t)))``, where ``t = log|x|``; ``c1, c2`` are 10, 7.9
    if ``x > 0``, else 5.5, 3.1.
    """
    t = log(abs(x)) / 0.1
    fast = 1.0 if x > 0.0 else 0.55
    slow = 0.79 if x > 0.0 else 0.31
    y = exp_of_product(0.1, t + 0.49 * (sin(fast * t) + sin(slow * t)))
    y = y if x > 0.0 else -y
    return y if x != 0.0 else x


@vectorisable
def asymmetrise(n_points: int, exponents: PerVariable, points: PointBlock) -> None:
    """Apply ``Tasy^beta`` to ``points``; ``exponents[i]`` is ``beta e_i``.

    A positive coordinate ``z_i`` becomes ``z_i^(1 + beta e_i sqrt(z_i))``; others are kept.
    """
    for i in range(exponents.shape[0]):
        for p in range(n_points):
            value = points[i * n_points + p]
            size = abs(value)
            stretched = power(size, 1.0 + exponents[i] * math.sqrt(size))
            points[i * n_points + p] = stretched if value > 0.0 else value


# Sums over the coordinates of each point.


@vectorisable
def penalise(
    n_points: int, points: PointBlock, factor: float, scratch: Workspace, values: ValueBlock
) -> None:
    """Add ``factor * fpen`` to ``values``, ``fpen = sum max(0, |x_i| - 5)^2``.

    Args:
        n_points: Number of points in the block.
        points: Points ``x``, before any transformation.
        factor: Weight of the penalty.
        scratch: The first ``n_points`` numbers are overwritten.
        values: Increased.
    """
    penalties = scratch[:n_points]
    fill(penalties, 0.0)
    for i in range(points.shape[0] // n_points):
        for p in range(n_points):
            excess = abs(points[i * n_points + p]) - 5.0
            penalties[p] += excess * excess if excess > 0.0 else 0.0
    for p in range(n_points):
        values[p] += factor * penalties[p]


@vectorisable
def sum_coordinates(n_points: int, n_terms: int, points: PointBlock, sums: PerPoint) -> None:
    """Write the sum of the first ``n_terms`` coordinates of each point to ``sums``."""
    fill(sums, 0.0)
    for i in range(n_terms):
        for p in range(n_points):
            sums[p] += points[i * n_points + p]


@vectorisable
def sum_squares(n_points: int, points: PointBlock, sums: PerPoint) -> None:
    """Write ``sum z_i^2`` of each point to ``sums``."""
    fill(sums, 0.0)
    for i in range(points.shape[0] // n_points):
        for p in range(n_points):
            sums[p] += points[i * n_points + p] * points[i * n_points + p]


@vectorisable
def sum_weighted_squares(
    n_points: int, weights: PerVariable, points: PointBlock, sums: PerPoint
) -> None:
    """Write ``sum weights_i z_i^2`` of each point to ``sums``."""
    fill(sums, 0.0)
    for i in range(weights.shape[0]):
        for p in range(n_points):
            sums[p] += weights[i] * points[i * n_points + p] * points[i * n_points + p]


@vectorisable
def ripples(
    n_points: int, dimension: int, points: PointBlock, scratch: PointBlock, values: ValueBlock
) -> None:
    """Write ``10 (D - sum cos(2 pi z_i))``, the ripples of Rastrigin's function, to ``values``.

    Overwrites ``scratch``, which has the size of ``points``.
    """
    for k in range(dimension * n_points):
        scratch[k] = cos_turns(points[k])
    sum_coordinates(n_points, dimension, scratch, values)
    for p in range(n_points):
        values[p] = 10.0 * (dimension - values[p])

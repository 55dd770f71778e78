"""The transformations that bbob's functions are composed of, on blocks of points.

A block holds ``lanes`` points, coordinate ``i`` of point ``b`` at ``z[i * lanes + b]``. One point
is a block of one lane: the same source, compiled for one lane, vectorises over the coordinates;
compiled for many, over the points. Sums run over the coordinates in order, so that both give the
same numbers.

Names follow the definition (RR-6829, section 0.2): ``Tosz`` oscillates, ``Tasy`` breaks symmetry,
``Lambda`` scales, ``Q`` and ``R`` rotate, ``fpen`` penalises the outside of the box.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import math

from numba import types
from numba.extending import intrinsic

from ..compiled.elementary import cos_turns, exp_of_product, log, power, sin, vectorisable


@intrinsic
def side_by_side(typingctx, rows):
    """The numbers of all rows, one row after the other, in an array that owns nothing.

    What numba's ``reshape`` gives; but that would have to be imported wherever a kernel is used.
    """
    if rows.layout != "C" or rows.dtype != types.float64:
        return None
    result = types.Array(types.float64, 1, "C")

    def generate(context, builder, signature, arguments):
        from numba.core.cgutils import unpack_tuple  # where these are in use anyway
        from numba.np.arrayobj import make_array, populate_array

        source = make_array(signature.args[0])(context, builder, arguments[0])
        count = builder.mul(*unpack_tuple(builder, source.shape, 2))
        size = context.get_constant(types.intp, 8)
        array = make_array(result)(context, builder)
        populate_array(
            array, data=source.data, shape=[count], strides=[size], itemsize=size, meminfo=None
        )
        return array._getvalue()

    return result(rows), generate


@vectorisable
def blocks(lanes, c, w):
    """Two blocks of the workspace, and what is left of it."""
    size = c.shape[1] * lanes
    return w[:size], w[size : 2 * size], w[2 * size :]


@vectorisable
def fill(values, number):
    """``values[k] = number``."""
    for k in range(values.shape[0]):
        values[k] = number


@vectorisable
def shift(lanes, x, optimum, z):
    """``z = x - optimum``."""
    for i in range(optimum.shape[0]):
        for b in range(lanes):
            z[i * lanes + b] = x[i * lanes + b] - optimum[i]


@vectorisable
def scale(lanes, factors, z):
    """``z_i *= factors_i``: ``Lambda``, where ``factors_i = alpha^(e_i / 2)``."""
    for i in range(factors.shape[0]):
        for b in range(lanes):
            z[i * lanes + b] *= factors[i]


@vectorisable
def rotate(lanes, columns, start, y, z):
    """``z = start + M y``; ``columns[j]`` is column ``j`` of ``M``; sums run over ``j``.

    Over many lanes, four columns at a time: one load and store of a sum for four products.
    """
    dimension = columns.shape[0]
    fill(z[: dimension * lanes], start)
    if lanes == 1:
        for j in range(dimension):
            for i in range(dimension):
                z[i] += columns[j, i] * y[j]
        return
    in_fours = dimension - dimension % 4
    for i in range(dimension):
        for j in range(0, in_fours, 4):
            m0, m1 = columns[j, i], columns[j + 1, i]
            m2, m3 = columns[j + 2, i], columns[j + 3, i]
            for b in range(lanes):
                k = j * lanes + b
                first = (z[i * lanes + b] + m0 * y[k]) + m1 * y[k + lanes]
                z[i * lanes + b] = (first + m2 * y[k + 2 * lanes]) + m3 * y[k + 3 * lanes]
        for j in range(in_fours, dimension):
            m0 = columns[j, i]
            for b in range(lanes):
                z[i * lanes + b] += m0 * y[j * lanes + b]


@vectorisable
def oscillation(x):
    """``Tosz`` of one number: smooth local irregularities, 0 to 0, sign kept."""
    t = log(abs(x)) / 0.1
    fast = 1.0 if x > 0.0 else 0.55
    slow = 0.79 if x > 0.0 else 0.31
    y = exp_of_product(0.1, t + 0.49 * (sin(fast * t) + sin(slow * t)))
    y = y if x > 0.0 else -y
    return y if x != 0.0 else x


@vectorisable
def oscillate(z):
    """``Tosz`` of every coordinate."""
    for k in range(z.shape[0]):
        z[k] = oscillation(z[k])


@vectorisable
def asymmetrise(lanes, exponents, z):
    """``Tasy^beta``: ``z_i^(1 + beta e_i sqrt(z_i))`` where ``z_i > 0``; exponents ``beta e_i``."""
    for i in range(exponents.shape[0]):
        for b in range(lanes):
            value = z[i * lanes + b]
            size = abs(value)
            stretched = power(size, 1.0 + exponents[i] * math.sqrt(size))
            z[i * lanes + b] = stretched if value > 0.0 else value


@vectorisable
def penalise(lanes, x, factor, work, f):
    """``f += factor * fpen(x)``, ``fpen = sum max(0, |x_i| - 5)^2``; ``work`` holds the lanes."""
    outside = work[:lanes]
    fill(outside, 0.0)
    for i in range(x.shape[0] // lanes):
        for b in range(lanes):
            excess = abs(x[i * lanes + b]) - 5.0
            outside[b] += excess * excess if excess > 0.0 else 0.0
    for b in range(lanes):
        f[b] += factor * outside[b]


@vectorisable
def total(lanes, terms, y, f):
    """``f = sum_i y_i`` over the first ``terms`` coordinates."""
    fill(f, 0.0)
    for i in range(terms):
        for b in range(lanes):
            f[b] += y[i * lanes + b]


@vectorisable
def squares(lanes, z, f):
    """``f = sum_i z_i^2``."""
    fill(f, 0.0)
    for i in range(z.shape[0] // lanes):
        for b in range(lanes):
            f[b] += z[i * lanes + b] * z[i * lanes + b]


@vectorisable
def weighted_squares(lanes, weights, z, f):
    """``f = sum_i weights_i z_i^2``."""
    fill(f, 0.0)
    for i in range(weights.shape[0]):
        for b in range(lanes):
            f[b] += weights[i] * z[i * lanes + b] * z[i * lanes + b]


@vectorisable
def ripples(lanes, dimension, z, work, f):
    """``f = 10 (D - sum_i cos(2 pi z_i))``, the ripples of Rastrigin; ``work`` is a block."""
    for k in range(dimension * lanes):
        work[k] = cos_turns(z[k])
    total(lanes, dimension, work, f)
    for b in range(lanes):
        f[b] = 10.0 * (dimension - f[b])

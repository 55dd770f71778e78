"""The kernels of f1, f2, f5 to f14: each function once, as its definition composes it.

Source: RR-6829 (see ``generators``), with the corrections that COCO's implementation made standard.
``e_i = i / (D - 1)``; every function adds its optimal value afterwards. What a kernel's arguments
are stands in ``instances``.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import math

from ..compiled.elementary import nearest, power, vectorisable
from .transformations import (
    asymmetrise,
    blocks,
    fill,
    oscillate,
    oscillation,
    penalise,
    rotate,
    scale,
    shift,
    squares,
    total,
    weighted_squares,
)


@vectorisable
def sphere(lanes, x, c, w, f):
    """f1: ``sum z_i^2``, ``z = x - xopt``. Rows: 0 xopt."""
    z, _, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    squares(lanes, z, f)


@vectorisable
def ellipsoid(lanes, x, c, w, f):
    """f2: ``sum 1e6^e_i z_i^2``, ``z = Tosz(x - xopt)``. Rows: 0 xopt, 1 weights."""
    z, _, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    oscillate(z)
    weighted_squares(lanes, c[1], z, f)


@vectorisable
def linear_slope(lanes, x, c, w, f):
    """f5: ``sum 5 |s_i| - s_i z_i``, ``z_i = x_i``, or the corner where ``x_i`` is beyond it.

    Rows: 0 corner, 1 ``s``.
    """
    fill(f, 0.0)
    for i in range(c.shape[1]):
        corner, slope = c[0, i], c[1, i]
        for b in range(lanes):
            value = x[i * lanes + b]
            z = value if value * corner < 25.0 else corner
            f[b] += 5.0 * abs(slope) - slope * z


@vectorisable
def attractive_sector_of(lanes, xopt, factor, z, f):
    """``Tosz(factor sum (s_i z_i)^2)^.9``; ``s_i`` is 100 where ``z_i`` has the sign of xopt."""
    fill(f, 0.0)
    for i in range(xopt.shape[0]):
        for b in range(lanes):
            value = z[i * lanes + b]
            value *= 100.0 if xopt[i] * value > 0.0 else 1.0
            f[b] += value * value
    for b in range(lanes):
        f[b] = power(oscillation(factor * f[b]), 0.9)


@vectorisable
def attractive_sector(lanes, x, c, w, f):
    """f6: ``Tosz(sum (s_i z_i)^2)^.9``, ``z = R Lambda^10 Q (x - xopt)``.

    ``s_i`` is 100 where ``z_i`` has the sign of ``xopt_i``, else 1.
    Rows: 0 xopt, 1… ``R Lambda^10 Q``.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    rotate(lanes, c[1 : 1 + c.shape[1]], 0.0, y, z)
    attractive_sector_of(lanes, c[0], 1.0, z, f)


@vectorisable
def steps(z):
    """Round every coordinate: to integers beyond 0.5, to tenths below."""
    for k in range(z.shape[0]):
        coarse = nearest(z[k])
        fine = nearest(10.0 * z[k]) / 10.0
        z[k] = coarse if abs(z[k]) > 0.5 else fine


@vectorisable
def step_ellipsoid_of(lanes, x, c, w, f):
    """``0.1 max(|y_1| / 1e4, sum 100^e_i z_i^2)``, ``z = R round(y)``: f7 without its penalty.

    ``y = Lambda^10 Q (x - xopt)`` is rounded to integers beyond 0.5, to tenths below.
    Rows: 0 xopt, 1 weights, 2… ``Lambda^10 Q``, then ``R``.
    """
    dimension = c.shape[1]
    z, y, rest = blocks(lanes, c, w)
    first = rest[:lanes]
    shift(lanes, x, c[0], z)
    rotate(lanes, c[2 : 2 + dimension], 0.0, z, y)
    for b in range(lanes):
        first[b] = abs(y[b]) / 1e4
    steps(y)
    rotate(lanes, c[2 + dimension : 2 + 2 * dimension], 0.0, y, z)
    weighted_squares(lanes, c[1], z, f)
    for b in range(lanes):
        f[b] = 0.1 * max(first[b], f[b])


@vectorisable
def step_ellipsoid(lanes, x, c, w, f):
    """f7: `step_ellipsoid_of` ``+ fpen``. Rows: as there."""
    step_ellipsoid_of(lanes, x, c, w, f)
    _, _, rest = blocks(lanes, c, w)
    penalise(lanes, x, 1.0, rest, f)


@vectorisable
def rosenbrock_of(lanes, dimension, z, w, f):
    """``sum 100 (z_i^2 - z_{i+1})^2 + (z_i - 1)^2``."""
    valley = w[:lanes]
    fill(f, 0.0)
    fill(valley, 0.0)
    for i in range(dimension - 1):
        for b in range(lanes):
            value = z[i * lanes + b]
            bend = value * value - z[(i + 1) * lanes + b]
            f[b] += bend * bend
            valley[b] += (value - 1.0) * (value - 1.0)
    for b in range(lanes):
        f[b] = 100.0 * f[b] + valley[b]


@vectorisable
def rosenbrock(lanes, x, c, w, f):
    """f8: Rosenbrock of ``max(1, sqrt(D) / 8) (x - xopt) + 1``. Rows: 0 xopt, 1 the factor."""
    z, y, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    scale(lanes, c[1], z)
    for k in range(z.shape[0]):
        z[k] += 1.0
    rosenbrock_of(lanes, c.shape[1], z, y, f)


@vectorisable
def rosenbrock_rotated(lanes, x, c, w, f):
    """f9: Rosenbrock of ``max(1, sqrt(D) / 8) Q x + 1/2``. Rows: 0… the factor times ``Q``."""
    z, y, _ = blocks(lanes, c, w)
    rotate(lanes, c[: c.shape[1]], 0.5, x, z)
    rosenbrock_of(lanes, c.shape[1], z, y, f)


@vectorisable
def oscillated_rotation(lanes, x, c, w, f):
    """f10, f11: ``sum weights_i z_i^2``, ``z = Tosz(R (x - xopt))``.

    The weights are ``1e6^e_i`` in f10, 1e6 and ones in f11. Rows: 0 xopt, 1 weights, 2… ``R``.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    rotate(lanes, c[2 : 2 + c.shape[1]], 0.0, y, z)
    oscillate(z)
    weighted_squares(lanes, c[1], z, f)


@vectorisable
def bent_cigar(lanes, x, c, w, f):
    """f12: ``z_1^2 + 1e6 sum_{i>1} z_i^2``, ``z = R Tasy^.5 R (x - xopt)``.

    Rows: 0 xopt, 1 weights, 2 asymmetry, 3… ``R``.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    rotate(lanes, c[3 : 3 + c.shape[1]], 0.0, y, z)
    asymmetrise(lanes, c[2], z)
    rotate(lanes, c[3 : 3 + c.shape[1]], 0.0, z, y)
    weighted_squares(lanes, c[1], y, f)


@vectorisable
def sharp_ridge_of(lanes, axes, z, f):
    """``sum_{i<=axes} z_i^2 + 100 sqrt(sum_{i>axes} z_i^2)``."""
    fill(f, 0.0)
    for i in range(axes, z.shape[0] // lanes):
        for b in range(lanes):
            f[b] += z[i * lanes + b] * z[i * lanes + b]
    for b in range(lanes):
        f[b] = 100.0 * math.sqrt(f[b])
    for i in range(axes):
        for b in range(lanes):
            f[b] += z[i * lanes + b] * z[i * lanes + b]


@vectorisable
def sharp_ridge(lanes, x, c, w, f):
    """f13: ``z_1^2 + 100 sqrt(sum_{i>1} z_i^2)``, ``z = R Lambda^10 Q (x - xopt)``.

    Rows: 0 xopt, 1… ``R Lambda^10 Q``.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    rotate(lanes, c[1 : 1 + c.shape[1]], 0.0, y, z)
    sharp_ridge_of(lanes, 1, z, f)


@vectorisable
def different_powers_of(lanes, exponents, z, work, f):
    """``sqrt(sum |z_i|^exponents_i)``; ``work`` is a block."""
    for i in range(exponents.shape[0]):
        for b in range(lanes):
            work[i * lanes + b] = power(abs(z[i * lanes + b]), exponents[i])
    total(lanes, exponents.shape[0], work, f)
    for b in range(lanes):
        f[b] = math.sqrt(f[b])


@vectorisable
def different_powers(lanes, x, c, w, f):
    """f14: ``sqrt(sum |z_i|^(2 + 4 e_i))``, ``z = R (x - xopt)``.

    Rows: 0 xopt, 1 exponents, 2… ``R``.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    rotate(lanes, c[2 : 2 + c.shape[1]], 0.0, y, z)
    different_powers_of(lanes, c[1], z, y, f)

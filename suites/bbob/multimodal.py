"""The kernels of f3, f4, f15 to f24: each function once, as its definition composes it.

Source: RR-6829 (see ``generators``), with the corrections that COCO's implementation made standard.
``e_i = i / (D - 1)``; every function adds its optimal value afterwards. What a kernel's arguments
are stands in ``instances``.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import math

from ..compiled.elementary import cos, cos_turns, exp, nearest, power, sin, vectorisable
from .transformations import (
    asymmetrise,
    blocks,
    fill,
    oscillate,
    oscillation,
    penalise,
    ripples,
    rotate,
    scale,
    shift,
    side_by_side,
    squares,
    total,
)


@vectorisable
def rastrigin_of(lanes, dimension, z, work, rest, f):
    """``10 (D - sum cos 2 pi z_i) + sum z_i^2``."""
    ripples(lanes, dimension, z, work, f)
    bowl = rest[:lanes]
    squares(lanes, z, bowl)
    for b in range(lanes):
        f[b] += bowl[b]


@vectorisable
def rastrigin(lanes, x, c, w, f):
    """f3: Rastrigin of ``Lambda^10 Tasy^.2 Tosz (x - xopt)``.

    Rows: 0 xopt, 1 asymmetry, 2 scales.
    """
    z, y, rest = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    oscillate(z)
    asymmetrise(lanes, c[1], z)
    scale(lanes, c[2], z)
    rastrigin_of(lanes, c.shape[1], z, y, rest, f)


@vectorisable
def bueche_rastrigin(lanes, x, c, w, f):
    """f4: Rastrigin of ``s_i Tosz(x - xopt)``, ``+ 100 fpen``.

    ``s_i`` is 10 times larger where ``i`` is even and the coordinate positive.
    Rows: 0 xopt, 1 ``s`` of the negative side, 2 ``s`` of the positive side.
    """
    z, y, rest = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    oscillate(z)
    for i in range(c.shape[1]):
        for b in range(lanes):
            k = i * lanes + b
            z[k] *= c[2, i] if z[k] > 0.0 else c[1, i]
    rastrigin_of(lanes, c.shape[1], z, y, rest, f)
    penalise(lanes, x, 100.0, rest, f)


@vectorisable
def rastrigin_rotated(lanes, x, c, w, f):
    """f15: Rastrigin of ``R Lambda^10 Q Tasy^.2 Tosz (R (x - xopt))``.

    Rows: 0 xopt, 1 asymmetry, 2… ``R``, then ``R Lambda^10 Q``.
    """
    dimension = c.shape[1]
    z, y, rest = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    rotate(lanes, c[2 : 2 + dimension], 0.0, z, y)
    oscillate(y)
    asymmetrise(lanes, c[1], y)
    rotate(lanes, c[2 + dimension : 2 + 2 * dimension], 0.0, y, z)
    rastrigin_of(lanes, dimension, z, y, rest, f)


@vectorisable
def weierstrass(lanes, x, c, w, f):
    """f16: ``10 (1/D sum_i sum_{k<12} 2^-k cos(2 pi 3^k (z_i + 1/2)) - f0)^3 + 10/D fpen``.

    ``z = R Lambda^.01 Q Tosz(R (x - xopt))``, ``f0 = 2^-11 - 2``.
    Rows: 0 xopt, 1… ``R``, then ``R Lambda^.01 Q``.
    """
    dimension = c.shape[1]
    z, y, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    rotate(lanes, c[1 : 1 + dimension], 0.0, z, y)
    oscillate(y)
    rotate(lanes, c[1 + dimension : 1 + 2 * dimension], 0.0, y, z)
    fill(y, 0.0)
    amplitude, frequency = 1.0, 1.0
    for _ in range(12):
        for k in range(dimension * lanes):
            y[k] += amplitude * cos_turns(frequency * (z[k] + 0.5))
        amplitude *= 0.5
        frequency *= 3.0
    total(lanes, dimension, y, f)
    for b in range(lanes):
        mean = f[b] / dimension + 1.99951171875
        f[b] = 10.0 * (mean * mean * mean)
    penalise(lanes, x, 10.0 / dimension, y, f)


@vectorisable
def schaffers(lanes, x, c, w, f):
    """f17, f18: ``(1/(D-1) sum sqrt(s_i) (1 + sin^2(50 s_i^(1/5))))^2 + 10 fpen``.

    ``s_i = sqrt(z_i^2 + z_{i+1}^2)``, ``z = Lambda^alpha Q Tasy^.5 R (x - xopt)``; alpha 10, 1000.
    Rows: 0 xopt, 1 asymmetry, 2… ``R``, then ``Lambda^alpha Q``.
    """
    dimension = c.shape[1]
    z, y, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    rotate(lanes, c[2 : 2 + dimension], 0.0, z, y)
    asymmetrise(lanes, c[1], y)
    rotate(lanes, c[2 + dimension : 2 + 2 * dimension], 0.0, y, z)
    here, following = z[: (dimension - 1) * lanes], z[lanes:]
    for k in range((dimension - 1) * lanes):
        s = math.sqrt(here[k] * here[k] + following[k] * following[k])
        wave = sin(50.0 * power(s, 0.2))
        y[k] = math.sqrt(s) * (1.0 + wave * wave)
    total(lanes, dimension - 1, y, f)
    for b in range(lanes):
        mean = f[b] / (dimension - 1)
        f[b] = mean * mean
    penalise(lanes, x, 10.0, y, f)


@vectorisable
def griewank_rosenbrock(lanes, x, c, w, f):
    """f19: ``10/(D-1) sum (s_i / 4000 - cos s_i) + 10``.

    ``s_i = 100 (z_i^2 - z_{i+1})^2 + (1 - z_i)^2``, ``z = max(1, sqrt(D) / 8) Q x + 1/2``.
    Rows: 0… the factor times ``Q``.
    """
    dimension = c.shape[1]
    z, y, _ = blocks(lanes, c, w)
    rotate(lanes, c[:dimension], 0.5, x, z)
    here, following = z[: (dimension - 1) * lanes], z[lanes:]
    for k in range((dimension - 1) * lanes):
        bend = here[k] * here[k] - following[k]
        s = 100.0 * bend * bend + (1.0 - here[k]) * (1.0 - here[k])
        y[k] = s / 4000.0 - cos(s)
    total(lanes, dimension - 1, y, f)
    for b in range(lanes):
        f[b] = 10.0 + 10.0 * f[b] / (dimension - 1)


@vectorisable
def schwefel(lanes, x, c, w, f):
    """f20: ``(sum max(0, |z_i| - 500)^2 + 418.98… - 1/D sum z_i sin sqrt|z_i|) / 100``.

    ``z = 100 (Lambda^10 (y - a) + a)``, ``y_1 = v_1``, ``y_i = v_i + (v_{i-1} - a_{i-1}) / 4``,
    ``v = 2 sign x``, ``a = 2 |xopt|``. Rows: 0 signs, 1 scales; ``a`` is 4.2096874637 in all.
    """
    dimension = c.shape[1]
    z, y, rest = blocks(lanes, c, w)
    a = 4.2096874637
    for i in range(dimension):
        for b in range(lanes):
            k = i * lanes + b
            value = 2.0 * c[0, i] * x[k]
            if i > 0:
                value += 0.25 * (2.0 * c[0, i - 1] * x[k - lanes] - a)
            z[k] = 100.0 * (c[1, i] * (value - a) + a)
    for k in range(dimension * lanes):
        y[k] = z[k] * sin(math.sqrt(abs(z[k])))
    outside = rest[:lanes]
    fill(outside, 0.0)
    fill(f, 0.0)
    for i in range(dimension):
        for b in range(lanes):
            excess = abs(z[i * lanes + b]) - 500.0
            outside[b] += excess * excess if excess > 0.0 else 0.0
            f[b] += y[i * lanes + b]
    for b in range(lanes):
        f[b] = 0.01 * (outside[b] + 418.9828872724339 - f[b] / dimension)


@vectorisable
def gallagher(lanes, x, c, w, f):
    """f21, f22: ``Tosz(10 - max_k w_k exp(-1/(2D) (y - y_k)' C_k (y - y_k)))^2 + fpen``.

    ``y = Q x``, ``w_1 = 10``, else ``w_k = 1.1 + 8 (k - 2) / (m - 2)``, with m = 101 or 21 peaks.
    The highest is found by its logarithm, so that one exponential is enough.
    Rows: 0… ``Q``; then, one number after the other and filled up with less than a row,
    ``Q y_k`` (m for each coordinate), ``C_k`` (likewise), ``-2D log(w_k)``.
    """
    dimension = c.shape[1]
    peaks = (c.shape[0] - dimension) * dimension // (2 * dimension + 1)
    y = w[: dimension * lanes]
    depths = w[dimension * lanes : (dimension + peaks) * lanes]
    rotate(lanes, c[:dimension], 0.0, x, y)
    size = peaks * dimension
    rest = side_by_side(c)[dimension * dimension :]
    places, curvatures, heights = rest[:size], rest[size : 2 * size], rest[2 * size :]
    fill(depths, 0.0)
    for i in range(dimension):
        for k in range(peaks):
            for b in range(lanes):
                z = y[i * lanes + b] - places[i * peaks + k]
                depths[k * lanes + b] += curvatures[i * peaks + k] * z * z
    highest, least = y[:lanes], f
    for b in range(lanes):
        highest[b], least[b] = 0.0, depths[b] + heights[0]
    for k in range(1, peaks):
        for b in range(lanes):
            depth = depths[k * lanes + b] + heights[k]
            highest[b] = k if depth < least[b] else highest[b]
            least[b] = min(depth, least[b])
    height = y[lanes : 2 * lanes]
    for b in range(lanes):
        k = int(highest[b])
        f[b] = depths[k * lanes + b]
        height[b] = 10.0 if k == 0 else 1.1 + (k - 1) * 8.0 / (peaks - 2)
    for b in range(lanes):
        value = oscillation(10.0 - height[b] * exp(-0.5 / dimension * f[b]))
        f[b] = value * value
    penalise(lanes, x, 1.0, depths, f)


@vectorisable
def katsuura(lanes, x, c, w, f):
    """f23: ``10/D^2 prod_i (1 + i S(z_i))^(10 / D^1.2) - 10/D^2 + fpen``.

    ``S(z) = sum_{j<=32} |2^j z - round(2^j z)| / 2^j``, ``z = R Lambda^100 Q (x - xopt)``.
    Rows: 0 xopt, 1… ``R Lambda^100 Q``.
    """
    dimension = c.shape[1]
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    rotate(lanes, c[1 : 1 + dimension], 0.0, y, z)
    fill(y, 0.0)
    for j in range(1, 33):
        stretch = 2.0**j
        shrink = 1.0 / stretch
        for k in range(dimension * lanes):
            y[k] += abs(stretch * z[k] - nearest(stretch * z[k])) * shrink
    for i in range(dimension):
        for b in range(lanes):
            k = i * lanes + b
            y[k] = power(1.0 + (i + 1) * y[k], 10.0 / dimension**1.2)
    fill(f, 1.0)
    for i in range(dimension):
        for b in range(lanes):
            f[b] *= y[i * lanes + b]
    for b in range(lanes):
        f[b] = 10.0 / dimension / dimension * (f[b] - 1.0)
    penalise(lanes, x, 1.0, y, f)


@vectorisable
def lunacek(lanes, x, c, w, f):
    """f24: ``min(sum (v_i-m0)^2, D + s sum (v_i-m1)^2) + 10 (D - sum cos 2 pi z_i) + 1e4 fpen``.

    ``v = 2 sign x``, ``z = R Lambda^100 Q (v - m0)``, ``m0 = 2.5``,
    ``s = 1 - 1/(2 sqrt(D + 20) - 8.2)``, ``m1 = -sqrt((m0^2 - 1) / s)``.
    Rows: 0 signs, 1… ``Lambda^100 Q``, then ``R``.
    """
    dimension = c.shape[1]
    y, z, rest = blocks(lanes, c, w)
    m0 = 2.5
    s = 1.0 - 0.5 / (math.sqrt(dimension + 20.0) - 4.1)
    m1 = -math.sqrt((m0 * m0 - 1.0) / s)
    second = rest[:lanes]
    fill(f, 0.0)
    fill(second, 0.0)
    for i in range(dimension):
        for b in range(lanes):
            v = 2.0 * c[0, i] * x[i * lanes + b]
            y[i * lanes + b] = v - m0
            f[b] += (v - m0) * (v - m0)
            second[b] += (v - m1) * (v - m1)
    for b in range(lanes):
        second[b] = min(f[b], dimension + s * second[b])
    rotate(lanes, c[1 : 1 + dimension], 0.0, y, z)
    rotate(lanes, c[1 + dimension : 1 + 2 * dimension], 0.0, z, y)
    ripples(lanes, dimension, y, z, f)
    for b in range(lanes):
        f[b] += second[b]
    penalise(lanes, x, 1e4, rest, f)

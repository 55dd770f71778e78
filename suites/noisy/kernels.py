"""The kernels of bbob-noisy that bbob has not: functions without their penalty, or with a factor.

What a kernel's arguments are stands in ``bbob/instances.py``.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import math

from ..bbob import multimodal
from ..bbob.transformations import (
    asymmetrise,
    blocks,
    fill,
    oscillation,
    rotate,
    shift,
    side_by_side,
    total,
    weighted_squares,
)
from ..compiled.elementary import exp, nearest, power, sin, vectorisable


@vectorisable
def step_ellipsoid(lanes, x, c, w, f):
    """f113: bbob's f7, ``0.1 max(|y_1| / 1e4, sum 100^e_i z_i^2)``. Rows: as there."""
    dimension = c.shape[1]
    z, y, rest = blocks(lanes, c, w)
    first = rest[:lanes]
    shift(lanes, x, c[0], z)
    rotate(lanes, c[2 : 2 + dimension], 0.0, z, y)
    for b in range(lanes):
        first[b] = abs(y[b]) / 1e4
    for k in range(dimension * lanes):
        coarse = nearest(y[k])
        fine = nearest(10.0 * y[k]) / 10.0
        y[k] = coarse if abs(y[k]) > 0.5 else fine
    rotate(lanes, c[2 + dimension : 2 + 2 * dimension], 0.0, y, z)
    weighted_squares(lanes, c[1], z, f)
    for b in range(lanes):
        f[b] = 0.1 * max(first[b], f[b])


@vectorisable
def schaffers(lanes, x, c, w, f):
    """f122: bbob's f17, ``(1/(D-1) sum sqrt(s_i) (1 + sin^2(50 s_i^(1/5))))^2``. Rows: as there."""
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


@vectorisable
def griewank_rosenbrock(lanes, x, c, w, f):
    """f125: a tenth of bbob's f19, ``1/(D-1) sum (s_i / 4000 - cos s_i) + 1``. Rows: as there."""
    multimodal.griewank_rosenbrock(lanes, x, c, w, f)
    for b in range(lanes):
        f[b] *= 0.1


@vectorisable
def gallagher(lanes, x, c, w, f):
    """f128: bbob's f21, ``Tosz(10 - max_k w_k exp(-1/(2D) (y - y_k)' C_k (y - y_k)))^2``.

    Rows: as there.
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

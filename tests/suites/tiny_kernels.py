"""Kernels for ``test_operators.py``, in a module as those of suites are."""

# numba types these functions

from firsthit.suites.compiled.elementary import vectorisable
from firsthit.suites.compiled.operators import permute, rotate_blocks


@vectorisable
def weighted_sphere(lanes, x, c, w, f):
    """``sum_i c_i x_i^2``. Rows: 0 weights."""
    for b in range(lanes):
        f[b] = 0.0
    for i in range(c.shape[1]):
        for b in range(lanes):
            f[b] += c[0, i] * x[i * lanes + b] * x[i * lanes + b]


@vectorisable
def block_rotated(lanes, x, c, w, f):
    """``sum_i (i + 1) z_i^2``, ``z = P M x + 1``. Rows: 0 order of ``P``, 1… blocks of ``M``."""
    size = c.shape[1] * lanes
    y, z = w[:size], w[size : 2 * size]
    rotate_blocks(lanes, c[1:], 1.0, x, y)
    permute(lanes, c[0], y, z)
    for b in range(lanes):
        f[b] = 0.0
    for i in range(c.shape[1]):
        for b in range(lanes):
            f[b] += (i + 1) * z[i * lanes + b] * z[i * lanes + b]


@vectorisable
def two_lines(lanes, x, c, w, f):
    """Two constraints, ``c_j x``. Rows: 0, 1 gradients."""
    for j in range(2):
        for b in range(lanes):
            f[j * lanes + b] = 0.0
        for i in range(c.shape[1]):
            for b in range(lanes):
                f[j * lanes + b] += c[j, i] * x[i * lanes + b]


@vectorisable
def difference_of_squares(lanes, x, c, w, f):
    """``x_1^2 - x_2^2``, which overflows to a difference of infinities."""
    for b in range(lanes):
        f[b] = x[b] * x[b] - x[lanes + b] * x[lanes + b]

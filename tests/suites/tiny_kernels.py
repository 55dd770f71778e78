"""Kernels for ``test_operators.py``, in a module as the kernels of suites are.

The layout of the arguments is described in ``suites/compiled/kernel.py``.
"""

from firsthit.suites.compiled.elementary import vectorisable
from firsthit.suites.compiled.operators import permute, rotate_blocks


@vectorisable
def weighted_sphere(n_points, points, constants, workspace, values):
    """Compute ``sum_i c_i x_i^2``. Row 0 of the constants: the weights."""
    for b in range(n_points):
        values[b] = 0.0
    for i in range(constants.shape[1]):
        for b in range(n_points):
            values[b] += constants[0, i] * points[i * n_points + b] * points[i * n_points + b]


@vectorisable
def block_rotated(n_points, points, constants, workspace, values):
    """Compute ``sum_i (i + 1) z_i^2`` with ``z = P M x + 1``.

    Row 0 of the constants: the permutation ``P``; further rows: the blocks of ``M``.
    """
    size = constants.shape[1] * n_points
    y, z = workspace[:size], workspace[size : 2 * size]
    rotate_blocks(n_points, constants[1:], 1.0, points, y)
    permute(n_points, constants[0], y, z)
    for b in range(n_points):
        values[b] = 0.0
    for i in range(constants.shape[1]):
        for b in range(n_points):
            values[b] += (i + 1) * z[i * n_points + b] * z[i * n_points + b]


@vectorisable
def two_lines(n_points, points, constants, workspace, values):
    """Compute two constraints, ``c_j x``. Rows 0 and 1 of the constants: the gradients."""
    for j in range(2):
        for b in range(n_points):
            values[j * n_points + b] = 0.0
        for i in range(constants.shape[1]):
            for b in range(n_points):
                values[j * n_points + b] += constants[j, i] * points[i * n_points + b]


@vectorisable
def difference_of_squares(n_points, points, constants, workspace, values):
    """Compute ``x_1^2 - x_2^2``, which overflows to a difference of infinities."""
    for b in range(n_points):
        values[b] = points[b] * points[b] - points[n_points + b] * points[n_points + b]

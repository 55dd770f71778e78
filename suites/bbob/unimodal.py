"""Kernels of f1, f2 and f5 to f14 of the suite bbob, and the base functions that they transform.

``compiled/kernel.py`` describes the arguments of kernels. ``instances`` makes their constants;
each docstring lists these by row. The caller adds the optimal value to the kernel's values.

A base function (``rosenbrock_of`` and so on) is a kernel's function without its transformations, so
that other suites can combine it with theirs. Its ``points`` are transformed points.

Source: RR-6829 (see ``generators``), with the corrections that COCO's implementation made standard.
In formulas ``x`` is a point, ``z`` a transformed point, ``xopt`` the optimum, and ``i`` counts from
1. ``transformations`` defines ``Tosz``, ``Tasy``, ``Lambda``, ``Q``, ``R``, the penalty ``fpen``
and ``e_i``.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

import math

from ..compiled.elementary import nearest, power, vectorisable
from ..compiled.kernel import ConstantRows, PerVariable, PointBlock, ValueBlock, Workspace
from .transformations import (
    asymmetrise,
    fill,
    oscillate,
    oscillation,
    penalise,
    rotate,
    scale,
    shift,
    split_workspace,
    sum_coordinates,
    sum_squares,
    sum_weighted_squares,
)

# Kernels, in the order of the function numbers.


@vectorisable
def sphere(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f1 to ``values``: ``sum z_i^2``, ``z = x - xopt``.

    Rows of ``constants``: ``xopt``.
    """
    shifted, _, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    sum_squares(n_points, shifted, values)


@vectorisable
def ellipsoid(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f2 to ``values``: ``sum 1e6^e_i z_i^2``, ``z = Tosz(x - xopt)``.

    Rows of ``constants``: ``xopt``; weights ``1e6^e_i``.
    """
    transformed, _, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    oscillate(transformed)
    sum_weighted_squares(n_points, constants[1], transformed, values)


@vectorisable
def linear_slope(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f5 to ``values``: ``sum 5 |s_i| - s_i z_i``.

    ``z_i = x_i`` up to the corner of the box that is the optimum; beyond it ``z_i`` is the corner's
    coordinate. Rows of ``constants``: the corner, 5 or -5; slopes ``s``. No workspace is used.
    """
    fill(values, 0.0)
    for i in range(constants.shape[1]):
        corner, slope = constants[0, i], constants[1, i]
        for p in range(n_points):
            coordinate = points[i * n_points + p]
            z = coordinate if coordinate * corner < 25.0 else corner  # 25 = corner^2
            values[p] += 5.0 * abs(slope) - slope * z


@vectorisable
def attractive_sector(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f6 to ``values``: ``Tosz(sum (s_i z_i)^2)^.9``, ``z = M (x - xopt)``.

    ``M = R Lambda^10 Q``; ``s_i`` is 100 if ``z_i`` has the sign of ``xopt_i``, else 1.
    Rows of ``constants``: ``xopt``; ``M``.
    """
    shifted, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate(n_points, constants[1 : 1 + constants.shape[1]], 0.0, shifted, rotated)
    attractive_sector_of(n_points, constants[0], 1.0, rotated, values)


@vectorisable
def step_ellipsoid(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f7 to ``values``: `step_ellipsoid_of` ``+ fpen``, with the same ``constants``."""
    step_ellipsoid_of(n_points, points, constants, workspace, values)
    _, _, scratch = split_workspace(n_points, constants, workspace)
    penalise(n_points, points, 1.0, scratch, values)


@vectorisable
def rosenbrock(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f8 to ``values``: Rosenbrock's function of ``max(1, sqrt(D) / 8) (x - xopt) + 1``.

    Rows of ``constants``: ``xopt``; the factor ``max(1, sqrt(D) / 8)``, D times.
    """
    transformed, scratch, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    scale(n_points, constants[1], transformed)
    for k in range(transformed.shape[0]):
        transformed[k] += 1.0
    rosenbrock_of(n_points, constants.shape[1], transformed, scratch, values)


@vectorisable
def rosenbrock_rotated(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f9 to ``values``: Rosenbrock's function of ``M x + 1/2``.

    ``M = max(1, sqrt(D) / 8) Q``. Rows of ``constants``: ``M``.
    """
    rotated, scratch, _ = split_workspace(n_points, constants, workspace)
    rotate(n_points, constants[: constants.shape[1]], 0.5, points, rotated)
    rosenbrock_of(n_points, constants.shape[1], rotated, scratch, values)


@vectorisable
def oscillated_rotation(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f10 or f11 to ``values``: ``sum w_i z_i^2``, ``z = Tosz(R (x - xopt))``.

    The weights ``w_i`` are ``1e6^e_i`` in f10; 1e6 and then ones in f11.
    Rows of ``constants``: ``xopt``; weights; ``R``.
    """
    shifted, transformed, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate(n_points, constants[2 : 2 + constants.shape[1]], 0.0, shifted, transformed)
    oscillate(transformed)
    sum_weighted_squares(n_points, constants[1], transformed, values)


@vectorisable
def bent_cigar(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f12 to ``values``: ``z_1^2 + 1e6 sum_{i>1} z_i^2``, ``z = R Tasy^.5 R (x - xopt)``.

    Rows of ``constants``: ``xopt``; weights 1, 1e6, 1e6, …; exponents of ``Tasy^.5``; ``R``.
    """
    columns = constants[3 : 3 + constants.shape[1]]
    transformed, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    rotate(n_points, columns, 0.0, transformed, rotated)
    asymmetrise(n_points, constants[2], rotated)
    rotate(n_points, columns, 0.0, rotated, transformed)
    sum_weighted_squares(n_points, constants[1], transformed, values)


@vectorisable
def sharp_ridge(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f13 to ``values``: ``z_1^2 + 100 sqrt(sum_{i>1} z_i^2)``, ``z = M (x - xopt)``.

    ``M = R Lambda^10 Q``. Rows of ``constants``: ``xopt``; ``M``.
    """
    shifted, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate(n_points, constants[1 : 1 + constants.shape[1]], 0.0, shifted, rotated)
    sharp_ridge_of(n_points, 1, rotated, values)


@vectorisable
def different_powers(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f14 to ``values``: ``sqrt(sum |z_i|^(2 + 4 e_i))``, ``z = R (x - xopt)``.

    Rows of ``constants``: ``xopt``; exponents ``2 + 4 e_i``; ``R``.
    """
    shifted, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate(n_points, constants[2 : 2 + constants.shape[1]], 0.0, shifted, rotated)
    # The shifted points are used up: their block is scratch memory now.
    different_powers_of(n_points, constants[1], rotated, shifted, values)


# Base functions, in the order in which the kernels use them.


@vectorisable
def attractive_sector_of(
    n_points: int, optimum: PerVariable, factor: float, points: PointBlock, values: ValueBlock
) -> None:
    """Write ``Tosz(factor sum (s_i z_i)^2)^.9`` to ``values``.

    ``s_i`` is 100 if ``z_i`` has the sign of ``optimum[i]``, else 1.
    """
    fill(values, 0.0)
    for i in range(optimum.shape[0]):
        for p in range(n_points):
            term = points[i * n_points + p]
            term *= 100.0 if optimum[i] * term > 0.0 else 1.0
            values[p] += term * term
    for p in range(n_points):
        values[p] = power(oscillation(factor * values[p]), 0.9)


@vectorisable
def step_ellipsoid_of(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f7 without its penalty to ``values``: ``0.1 max(|y_1| / 1e4, sum 100^e_i z_i^2)``.

    ``y = Lambda^10 Q (x - xopt)``, ``z = R round(y)``, with ``round`` as in `round_to_steps`. It is
    a kernel, since its ``points`` are not transformed.
    Rows of ``constants``: ``xopt``; weights ``100^e_i``; ``Lambda^10 Q``; ``R``.
    """
    dimension = constants.shape[1]
    transformed, scaled, sums = split_workspace(n_points, constants, workspace)
    first_coordinates = sums[:n_points]
    shift(n_points, points, constants[0], transformed)
    rotate(n_points, constants[2 : 2 + dimension], 0.0, transformed, scaled)
    for p in range(n_points):
        first_coordinates[p] = abs(scaled[p]) / 1e4
    round_to_steps(scaled)
    rotate(n_points, constants[2 + dimension : 2 + 2 * dimension], 0.0, scaled, transformed)
    sum_weighted_squares(n_points, constants[1], transformed, values)
    for p in range(n_points):
        values[p] = 0.1 * max(first_coordinates[p], values[p])


@vectorisable
def round_to_steps(points: PointBlock) -> None:
    """Round coordinates above 0.5 in absolute value to integers, others to multiples of 0.1."""
    for k in range(points.shape[0]):
        coarse = nearest(points[k])
        fine = nearest(10.0 * points[k]) / 10.0
        points[k] = coarse if abs(points[k]) > 0.5 else fine


@vectorisable
def rosenbrock_of(
    n_points: int, dimension: int, points: PointBlock, scratch: Workspace, values: ValueBlock
) -> None:
    """Write Rosenbrock's function to ``values``: ``sum 100 (z_i^2 - z_{i+1})^2 + (z_i - 1)^2``.

    Overwrites the first ``n_points`` numbers of ``scratch``.
    """
    distances = scratch[:n_points]
    fill(values, 0.0)
    fill(distances, 0.0)
    for i in range(dimension - 1):
        for p in range(n_points):
            z = points[i * n_points + p]
            bend = z * z - points[(i + 1) * n_points + p]
            values[p] += bend * bend
            distances[p] += (z - 1.0) * (z - 1.0)
    for p in range(n_points):
        values[p] = 100.0 * values[p] + distances[p]


@vectorisable
def sharp_ridge_of(n_points: int, n_axes: int, points: PointBlock, values: ValueBlock) -> None:
    """Write ``sum_{i<=n_axes} z_i^2 + 100 sqrt(sum_{i>n_axes} z_i^2)`` to ``values``."""
    fill(values, 0.0)
    for i in range(n_axes, points.shape[0] // n_points):
        for p in range(n_points):
            values[p] += points[i * n_points + p] * points[i * n_points + p]
    for p in range(n_points):
        values[p] = 100.0 * math.sqrt(values[p])
    for i in range(n_axes):
        for p in range(n_points):
            values[p] += points[i * n_points + p] * points[i * n_points + p]


@vectorisable
def different_powers_of(
    n_points: int,
    exponents: PerVariable,
    points: PointBlock,
    scratch: PointBlock,
    values: ValueBlock,
) -> None:
    """Write ``sqrt(sum |z_i|^exponents_i)`` to ``values``.

    Overwrites ``scratch``, which has the size of ``points``.
    """
    for i in range(exponents.shape[0]):
        for p in range(n_points):
            scratch[i * n_points + p] = power(abs(points[i * n_points + p]), exponents[i])
    sum_coordinates(n_points, exponents.shape[0], scratch, values)
    for p in range(n_points):
        values[p] = math.sqrt(values[p])

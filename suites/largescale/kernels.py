"""Kernels of bbob-largescale: bbob's functions of points that block-diagonal matrices rotate.

A matrix ``A`` here is a rotation: a permutation, a block-diagonal rotation, a permutation. It takes
``2 + s`` rows of constants, where ``s = min(40, D)`` is the size of the blocks: the permutations in
the order of application, and the blocks as made by ``operators.block_rows``.

A matrix ``A2`` is a product of two such rotations with scales between them. It takes ``4 + 2 s``
rows: three permutations in the order of application, where the second one is between the rotations;
the scales that follow this permutation; the blocks of the rotation that is applied first; the
blocks of the other one.

``compiled/kernel.py`` describes the arguments of kernels. ``n = min(1, 40 / D)`` is the factor that
keeps values comparable over dimensions. The rest of the notation is that of ``bbob/unimodal.py``.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

from ..bbob.multimodal import (
    bueche_rastrigin,
    funnels,
    gallagher_of,
    griewank_rosenbrock_of,
    katsuura_of,
    rastrigin_of,
    schaffers_of,
    weierstrass_of,
)
from ..bbob.transformations import (
    asymmetrise,
    flat_view,
    oscillate,
    penalise,
    ripples,
    scale,
    shift,
    split_workspace,
    sum_weighted_squares,
)
from ..bbob.unimodal import (
    attractive_sector_of,
    different_powers_of,
    rosenbrock_of,
    round_to_steps,
    sharp_ridge_of,
)
from ..compiled.elementary import vectorisable
from ..compiled.kernel import ConstantRows, PointBlock, ValueBlock, Workspace
from ..compiled.operators import permute, rotate_blocks

BLOCK_VARIABLES = 40  # largest number of variables that a block rotates, as in COCO

# Kernels, in the order of the function numbers.


@vectorisable
def large_bueche_rastrigin(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f4 to ``values``: ``n`` times Rastrigin's function as in bbob's f4, ``+ 100 fpen``.

    Rows of ``constants``: those of bbob's f4.
    """
    bueche_rastrigin(n_points, points, constants, workspace, values)
    factor = dimension_factor(constants.shape[1])
    for p in range(n_points):
        values[p] *= factor
    # bbob's f4 includes the penalty, which must not be multiplied: add the lost part.
    penalise(n_points, points, 100.0 * (1.0 - factor), workspace, values)


@vectorisable
def large_attractive_sector(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f6 to ``values``: ``Tosz(n sum (s_i z_i)^2)^.9``, ``z = A2 (x - xopt)``.

    ``s_i`` is 100 if ``z_i`` has the sign of ``xopt_i``, else 1.
    Rows of ``constants``: ``xopt``; ``A2``.
    """
    shifted, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate_twice(n_points, constants[1:], shifted, rotated)
    factor = dimension_factor(constants.shape[1])
    attractive_sector_of(n_points, constants[0], factor, rotated, values)


@vectorisable
def large_step_ellipsoid(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f7 to ``values``: ``0.1 n max(D |y_1| / 1e4, sum 100^e_i z_i^2) + fpen``.

    ``y = Lambda^10 A (x - xopt)``, ``z = A' round(y)``, with ``round`` as in bbob's f7.
    Rows of ``constants``: ``xopt``; weights ``100^e_i``; diagonal of ``Lambda^10``; ``A``; ``A'``.
    """
    dimension = constants.shape[1]
    block_size = min(BLOCK_VARIABLES, dimension)
    transformed, scaled, sums = split_workspace(n_points, constants, workspace)
    first_coordinates = sums[:n_points]
    shift(n_points, points, constants[0], transformed)
    rotate_once(n_points, constants[3:], transformed, scaled)
    scale(n_points, constants[2], scaled)
    for p in range(n_points):
        first_coordinates[p] = 1e-4 * dimension * abs(scaled[p])
    round_to_steps(scaled)
    rotate_once(n_points, constants[5 + block_size :], scaled, transformed)
    sum_weighted_squares(n_points, constants[1], transformed, values)
    for p in range(n_points):
        larger = max(first_coordinates[p], values[p])
        values[p] = 0.1 * dimension_factor(dimension) * larger
    penalise(n_points, points, 1.0, sums, values)


@vectorisable
def large_rosenbrock(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f9 to ``values``: Rosenbrock's function of ``A (x - xopt) + 1``.

    Rows of ``constants``: ``xopt``; ``A``.
    """
    shifted, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate_once(n_points, constants[1:], shifted, rotated)
    for k in range(rotated.shape[0]):
        rotated[k] += 1.0
    # The shifted points are used up: their block is scratch memory now.
    rosenbrock_of(n_points, constants.shape[1], rotated, shifted, values)


@vectorisable
def large_oscillated_rotation(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f10 or f11 to ``values``: ``sum w_i z_i^2``, ``z = Tosz(A (x - xopt))``.

    Rows of ``constants``: ``xopt``; weights ``w_i``; ``A``.
    """
    shifted, transformed, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate_once(n_points, constants[2:], shifted, transformed)
    oscillate(transformed)
    sum_weighted_squares(n_points, constants[1], transformed, values)


@vectorisable
def large_bent_cigar(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f12 to ``values``: ``sum w_i z_i^2``, ``z = A Tasy^.5 A (x - xopt)``.

    Rows of ``constants``: ``xopt``; weights ``w_i``; exponents of ``Tasy^.5``; ``A``.
    """
    transformed, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    rotate_once(n_points, constants[3:], transformed, rotated)
    asymmetrise(n_points, constants[2], rotated)
    rotate_once(n_points, constants[3:], rotated, transformed)
    sum_weighted_squares(n_points, constants[1], transformed, values)


@vectorisable
def large_sharp_ridge(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f13 to ``values``: ``sum_{i<=L} z_i^2 + 100 sqrt(sum_{i>L} z_i^2)``.

    ``z = A2 (x - xopt)``; ``L`` is ``D / 40``, rounded up. Rows of ``constants``: ``xopt``; ``A2``.
    """
    shifted, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate_twice(n_points, constants[1:], shifted, rotated)
    sharp_ridge_of(n_points, count_ridge_axes(constants.shape[1]), rotated, values)


@vectorisable
def large_different_powers(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f14 to ``values``: ``sqrt(sum |z_i|^(2 + 4 e_i))``, ``z = A (x - xopt)``.

    Rows of ``constants``: ``xopt``; exponents ``2 + 4 e_i``; ``A``.
    """
    shifted, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate_once(n_points, constants[2:], shifted, rotated)
    # The shifted points are used up: their block is scratch memory now.
    different_powers_of(n_points, constants[1], rotated, shifted, values)


@vectorisable
def large_rastrigin(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f15 to ``values``: Rastrigin's function of ``A2 Tasy^.2 Tosz(A (x - xopt))``.

    Rows of ``constants``: ``xopt``; exponents of ``Tasy^.2``; ``A``; ``A2``.
    """
    dimension = constants.shape[1]
    transformed, scratch, sums = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    rotate_once(n_points, constants[2:], transformed, scratch)
    oscillate(scratch)
    asymmetrise(n_points, constants[1], scratch)
    rotate_twice(n_points, constants[4 + min(BLOCK_VARIABLES, dimension) :], scratch, transformed)
    rastrigin_of(n_points, dimension, transformed, scratch, sums, values)


@vectorisable
def large_weierstrass(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f16 to ``values``: Weierstrass' function of ``A2 Tosz(A (x - xopt))``, ``+ 10/D fpen``.

    Rows of ``constants``: ``xopt``; ``A``; ``A2``.
    """
    dimension = constants.shape[1]
    transformed, scratch, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    rotate_once(n_points, constants[1:], transformed, scratch)
    oscillate(scratch)
    rotate_twice(n_points, constants[3 + min(BLOCK_VARIABLES, dimension) :], scratch, transformed)
    weierstrass_of(n_points, dimension, transformed, scratch, values)
    penalise(n_points, points, 10.0 / dimension, scratch, values)


@vectorisable
def large_schaffers(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f17 or f18 to ``values``: Schaffers' F7 of ``z``, ``+ 10 fpen``.

    ``z = Lambda^alpha A' Tasy^.5 A (x - xopt)``, where ``alpha`` is 10 in f17 and 1000 in f18.
    Rows of ``constants``: ``xopt``; exponents of ``Tasy^.5``; diagonal of ``Lambda^alpha``; ``A``;
    ``A'``.
    """
    dimension = constants.shape[1]
    transformed, scratch, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    rotate_once(n_points, constants[3:], transformed, scratch)
    asymmetrise(n_points, constants[1], scratch)
    rotate_once(n_points, constants[5 + min(BLOCK_VARIABLES, dimension) :], scratch, transformed)
    scale(n_points, constants[2], transformed)
    schaffers_of(n_points, dimension, transformed, scratch, values)
    penalise(n_points, points, 10.0, scratch, values)


@vectorisable
def large_griewank_rosenbrock(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f19 to ``values``: the Griewank-Rosenbrock function of ``A x + 1/2``.

    Rows of ``constants``: ``A``.
    """
    dimension = constants.shape[1]
    copied, rotated, _ = split_workspace(n_points, constants, workspace)
    for k in range(copied.shape[0]):
        copied[k] = points[k]  # `rotate_once` overwrites its input
    rotate_once(n_points, constants, copied, rotated)
    for k in range(rotated.shape[0]):
        rotated[k] += 0.5
    griewank_rosenbrock_of(n_points, dimension, rotated, copied, values)


@vectorisable
def large_gallagher(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f21 or f22 to ``values``: Gallagher's function of ``B x``, ``+ fpen``.

    ``B`` is block-diagonal, without permutations. Needs a workspace of
    ``(D + max(D, m) + 1) * n_points`` numbers for m peaks.
    Rows of ``constants``: ``B``; then the peaks as `gallagher_of` reads them.
    """
    dimension = constants.shape[1]
    block_size = min(BLOCK_VARIABLES, dimension)
    rotated, distances = workspace[: dimension * n_points], workspace[dimension * n_points :]
    rotate_blocks(n_points, constants[:block_size], 0.0, points, rotated)
    peak_constants = flat_view(constants)[block_size * dimension :]
    gallagher_of(n_points, dimension, peak_constants, rotated, distances, values)
    penalise(n_points, points, 1.0, distances, values)


@vectorisable
def large_katsuura(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f23 to ``values``: Katsuura's function of ``A2 (x - xopt)``, ``+ fpen``.

    Rows of ``constants``: ``xopt``; ``A2``.
    """
    dimension = constants.shape[1]
    shifted, rotated, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], shifted)
    rotate_twice(n_points, constants[1:], shifted, rotated)
    # The shifted points are used up: their block is scratch memory now.
    katsuura_of(n_points, dimension, rotated, shifted, values)
    penalise(n_points, points, 1.0, shifted, values)


@vectorisable
def large_lunacek(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f24 to ``values``: `dimension_factor` times (`funnels` + `ripples`), ``+ 1e4 fpen``.

    ``fpen`` is the penalty of points outside ``[-5, 5]``, which `penalise` adds. The ripples are
    those of ``z = A2 (v - m0)``, where ``A2`` is a rotation and `funnels` computes ``v - m0``.

    Args:
        n_points: Number of points in the block.
        points: The points; overwritten.
        constants: One row with the signs of ``xopt``, then the rows of ``A2``.
        workspace: Scratch memory; overwritten.
        values: Receives the value of each point.
    """
    dimension = constants.shape[1]
    offsets, rotated, sums = split_workspace(n_points, constants, workspace)
    funnel_values = sums[:n_points]
    funnels(n_points, points, constants[0], offsets, values, funnel_values)
    rotate_twice(n_points, constants[1:], offsets, rotated)
    ripples(n_points, dimension, rotated, offsets, values)
    for p in range(n_points):
        values[p] = dimension_factor(dimension) * (values[p] + funnel_values[p])
    penalise(n_points, points, 1e4, sums, values)


# Parts of the kernels.


@vectorisable
def rotate_once(n_points: int, rows: ConstantRows, points: PointBlock, rotated: PointBlock) -> None:
    """Write ``A y`` to ``rotated`` for each point ``y``; overwrite ``points``.

    Args:
        n_points: Number of points in the block.
        rows: Rows of constants that begin with those of ``A``; more rows may follow.
        points: Read, then used as scratch memory.
        rotated: Written; must not overlap ``points``.
    """
    block_size = min(BLOCK_VARIABLES, rows.shape[1])
    permute(n_points, rows[0], points, rotated)
    rotate_blocks(n_points, rows[2 : 2 + block_size], 0.0, rotated, points)
    permute(n_points, rows[1], points, rotated)


@vectorisable
def rotate_twice(
    n_points: int, rows: ConstantRows, points: PointBlock, rotated: PointBlock
) -> None:
    """Write ``A2 y`` to ``rotated`` for each point ``y``; overwrite ``points``.

    Args:
        n_points: Number of points in the block.
        rows: Rows of constants that begin with those of ``A2``; more rows may follow.
        points: Read, then used as scratch memory.
        rotated: Written; must not overlap ``points``.
    """
    block_size = min(BLOCK_VARIABLES, rows.shape[1])
    permute(n_points, rows[0], points, rotated)
    rotate_blocks(n_points, rows[4 : 4 + block_size], 0.0, rotated, points)
    permute(n_points, rows[1], points, rotated)
    scale(n_points, rows[3], rotated)
    rotate_blocks(n_points, rows[4 + block_size : 4 + 2 * block_size], 0.0, rotated, points)
    permute(n_points, rows[2], points, rotated)


@vectorisable
def dimension_factor(dimension: int) -> float:
    """Return ``n = min(1, 40 / D)``."""
    return min(1.0, 40.0 / dimension)


@vectorisable
def count_ridge_axes(dimension: int) -> int:
    """Return the number of axes without a ridge in f13: ``D / 40``, rounded up."""
    return (dimension + 39) // 40

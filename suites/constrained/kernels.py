"""Kernels of bbob-constrained: five objectives that bbob lacks, and the constraints.

Each kernel first applies ``T`` of ``y = T(x - xopt)``: ``Tosz`` for ellipsoids and the discus,
``Tasy^.2`` for the bent cigar, ``Tasy^.2 Tosz`` for both Rastrigin functions, and the identity for
the others. ``x1`` is the optimum of the objective without constraints.

``compiled/kernel.py`` describes the arguments of kernels. The kernels of constraints write ``m``
values for a point. The rest of the notation is that of ``bbob/unimodal.py``.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

from ..bbob.multimodal import rastrigin_of
from ..bbob.transformations import (
    asymmetrise,
    fill,
    flat_view,
    oscillate,
    rotate,
    shift,
    split_workspace,
    sum_weighted_squares,
)
from ..compiled.elementary import vectorisable
from ..compiled.kernel import ConstantRows, PointBlock, ValueBlock, Workspace

# Objectives.


@vectorisable
def ellipsoid(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write the separable ellipsoid to ``values``: ``sum w_i z_i^2``, ``z = Tosz(x - xopt) - x1``.

    Rows of ``constants``: ``xopt``; ``x1``; weights ``w_i``.
    """
    oscillated, transformed, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], oscillated)
    oscillate(oscillated)
    shift(n_points, oscillated, constants[1], transformed)
    sum_weighted_squares(n_points, constants[2], transformed, values)


@vectorisable
def rotated_ellipsoid(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write the rotated ellipsoid to ``values``, or the discus, which has other weights.

    ``sum w_i z_i^2``, ``z = R (Tosz(x - xopt) - x1)``.
    Rows of ``constants``: ``xopt``; ``x1``; weights ``w_i``; ``R``.
    """
    transformed, centred, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    oscillate(transformed)
    shift(n_points, transformed, constants[1], centred)
    rotate(n_points, constants[3:], 0.0, centred, transformed)
    sum_weighted_squares(n_points, constants[2], transformed, values)


@vectorisable
def bent_cigar(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write the bent cigar to ``values``: ``z_1^2 + 1e6 sum_{i>1} z_i^2``.

    ``z = R (Tasy^.2(x - xopt) - x1)``.
    Rows of ``constants``: ``xopt``; ``x1``; weights 1, 1e6, 1e6, …; exponents of ``Tasy^.2``;
    ``R``.
    """
    transformed, centred, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    asymmetrise(n_points, constants[3], transformed)
    shift(n_points, transformed, constants[1], centred)
    rotate(n_points, constants[4:], 0.0, centred, transformed)
    sum_weighted_squares(n_points, constants[2], transformed, values)


@vectorisable
def rastrigin(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write the separable Rastrigin function of ``Tasy^.2 Tosz(x - xopt) - x1`` to ``values``.

    Rows of ``constants``: ``xopt``; ``x1``; exponents of ``Tasy^.2``.
    """
    scratch, transformed, sums = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], scratch)
    oscillate(scratch)
    asymmetrise(n_points, constants[2], scratch)
    shift(n_points, scratch, constants[1], transformed)
    rastrigin_of(n_points, constants.shape[1], transformed, scratch, sums, values)


@vectorisable
def rastrigin_rotated(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write the rotated Rastrigin function of ``R Tasy^.2 Tosz(x - xopt) - x1`` to ``values``.

    Rows of ``constants``: ``xopt``; ``x1``; exponents of ``Tasy^.2``; ``R``.
    """
    transformed, scratch, sums = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    oscillate(transformed)
    asymmetrise(n_points, constants[2], transformed)
    rotate(n_points, constants[3:], 0.0, transformed, scratch)
    shift(n_points, scratch, constants[1], transformed)
    rastrigin_of(n_points, constants.shape[1], transformed, scratch, sums, values)


# Constraints. `linear_constraints_of` documents the rows of their constants.


@vectorisable
def plain_constraints(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write linear constraints of ``x - xopt`` to ``values``, m values for each point."""
    transformed, _, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    linear_constraints_of(n_points, transformed, constants, values)


@vectorisable
def oscillated_constraints(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write linear constraints of ``Tosz(x - xopt)`` to ``values``, m values for each point."""
    transformed, _, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    oscillate(transformed)
    linear_constraints_of(n_points, transformed, constants, values)


@vectorisable
def asymmetric_constraints(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write linear constraints of ``Tasy^.2(x - xopt)`` to ``values``, m values for each point."""
    transformed, _, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    asymmetrise(n_points, constants[1], transformed)
    linear_constraints_of(n_points, transformed, constants, values)


@vectorisable
def composed_constraints(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write linear constraints of ``Tasy^.2 Tosz(x - xopt)`` to ``values``, m for each point."""
    transformed, _, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    oscillate(transformed)
    asymmetrise(n_points, constants[1], transformed)
    linear_constraints_of(n_points, transformed, constants, values)


@vectorisable
def linear_constraints_of(
    n_points: int, points: PointBlock, constants: ConstantRows, values: ValueBlock
) -> None:
    """Write ``g_j = sum_k a_jk (y_k - b_jk)`` to ``values``, m values for each point ``y``.

    Args:
        n_points: Number of points in the block.
        points: Transformed points ``y``.
        constants: ``xopt``; exponents of ``Tasy^.2``; gradients ``a`` and offsets ``b``, m rows
            each, whose numbers are ordered by ``k`` first: ``a_11, a_21, …, a_m1, a_12, …``.
        values: Written, shape ``(m * n_points,)``.
    """
    dimension = constants.shape[1]
    n_constraints = (constants.shape[0] - 2) // 2
    numbers = flat_view(constants)[2 * dimension :]
    gradients = numbers[: n_constraints * dimension]
    offsets = numbers[n_constraints * dimension :]
    fill(values[: n_constraints * n_points], 0.0)
    for k in range(dimension):
        for j in range(n_constraints):
            gradient, offset = gradients[k * n_constraints + j], offsets[k * n_constraints + j]
            for p in range(n_points):
                term = gradient * (points[k * n_points + p] - offset)
                # As in COCO, such terms are taken for rounding errors: y = 0 must be feasible.
                is_rounding = (term >= 0.0) & (term <= 1e-11)
                values[j * n_points + p] += 0.0 if is_rounding else term

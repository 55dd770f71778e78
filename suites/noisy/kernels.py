"""Kernels of bbob-noisy that bbob lacks: functions without their penalty or with a factor.

``compiled/kernel.py`` describes the arguments of kernels. The constants are those of bbob's
functions.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

from ..bbob import multimodal
from ..bbob.multimodal import gallagher_of, schaffers_of
from ..bbob.transformations import asymmetrise, flat_view, rotate, shift, split_workspace
from ..compiled.elementary import vectorisable
from ..compiled.kernel import ConstantRows, PointBlock, ValueBlock, Workspace


@vectorisable
def schaffers(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f122 to ``values``: bbob's f17 without its penalty, with the same ``constants``."""
    dimension = constants.shape[1]
    transformed, scratch, _ = split_workspace(n_points, constants, workspace)
    shift(n_points, points, constants[0], transformed)
    rotate(n_points, constants[2 : 2 + dimension], 0.0, transformed, scratch)
    asymmetrise(n_points, constants[1], scratch)
    rotate(n_points, constants[2 + dimension : 2 + 2 * dimension], 0.0, scratch, transformed)
    schaffers_of(n_points, dimension, transformed, scratch, values)


@vectorisable
def griewank_rosenbrock(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f125 to ``values``: a tenth of bbob's f19, with the same ``constants``."""
    multimodal.griewank_rosenbrock(n_points, points, constants, workspace, values)
    for p in range(n_points):
        values[p] *= 0.1


@vectorisable
def gallagher(
    n_points: int,
    points: PointBlock,
    constants: ConstantRows,
    workspace: Workspace,
    values: ValueBlock,
) -> None:
    """Write f128 to ``values``: bbob's f21 without its penalty, with the same ``constants``.

    Needs a workspace of ``(D + max(D, m) + 1) * n_points`` numbers for m peaks.
    """
    dimension = constants.shape[1]
    rotated, distances = workspace[: dimension * n_points], workspace[dimension * n_points :]
    rotate(n_points, constants[:dimension], 0.0, points, rotated)
    peak_constants = flat_view(constants)[dimension * dimension :]
    gallagher_of(n_points, dimension, peak_constants, rotated, distances, values)

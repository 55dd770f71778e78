"""The interface of kernels: their five arguments, and how these lie in memory.

A kernel computes one function for a block of points. A suite writes it once. It is compiled for
blocks of one point, where loops over the coordinates are vectorised, and for blocks of up to
``BLOCK_POINTS`` points, where loops over the points are vectorised. Sums run over the coordinates
in ascending order, so that both give the same value to the bit.

The aliases below state shape and layout of the arrays that kernels, and the functions that kernels
call, take as arguments. They serve readers only: numba infers the types of a kernel from its
arguments and ignores annotations. D is the number of variables of a point.

`Evaluators` are what Python code calls: a kernel compiled for points and for batches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from numpy.typing import ArrayLike

from ..arrays import Floats
from ..points import Vector

PointBlock: TypeAlias = Floats
"""A block of ``n_points`` points, shape ``(D * n_points,)``, coordinates first.

Coordinate ``i`` of point ``p`` is at index ``i * n_points + p``. A block of one point is the point.
"""

ValueBlock: TypeAlias = Floats
"""Values of a block of points, shape ``(n_points,)``; uninitialised until the kernel writes it.

Kernels of ``m`` constraints have the shape ``(m * n_points,)``: value ``j`` of point ``p`` is at
index ``j * n_points + p``.
"""

PerPoint: TypeAlias = Floats
"""One number for each point of a block, shape ``(n_points,)``."""

PerVariable: TypeAlias = Floats
"""One number for each variable, shape ``(D,)``."""

MatrixColumns: TypeAlias = Floats
"""A matrix, shape ``(D, D)``, transposed: row ``j`` is column ``j`` of the matrix."""

ConstantRows: TypeAlias = Floats
"""The constants of one instance, shape ``(n_rows, D)``; only read.

Each kernel's docstring lists its rows in order. A matrix takes D rows, as `MatrixColumns`.
"""

Workspace: TypeAlias = Floats
"""Scratch memory, one-dimensional; a kernel overwrites it and must not expect any content.

It has at least ``n_points`` times `Constants.workspace_per_point` numbers.
"""


Kernel: TypeAlias = Callable[[int, PointBlock, ConstantRows, Workspace, ValueBlock], None]
"""A function ``kernel(n_points, points, constants, workspace, values)`` that writes ``values``.

- ``n_points``: number of points in the block.
- ``points``: finite coordinates; a kernel only reads them.
- ``constants``: constants of the instance.
- ``workspace``: overwritten.
- ``values``: written. The wrapper adds the offset and multiplies by the factor afterwards.
"""


class Evaluators(NamedTuple):
    """The functions that evaluate one problem, for points and for batches.

    Both raise EvaluationError if the argument has the wrong shape or type. With two objectives, a
    value has shape ``(2,)``.
    """

    evaluate_point: Callable[[ArrayLike], Any]  # (D,) -> float
    evaluate_batch: Callable[[Vector], Vector]  # (n, D) -> (n,)

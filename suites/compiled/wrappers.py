"""Templates of the compiled functions around a kernel, for single points and for batches.

A wrapper copies points into a block, applies the input transform (see ``operators``), calls the
kernel, adds the offset and multiplies by the factor. A template calls ``kernel``, a name that
``compilation`` binds to a kernel before numba compiles the template. In a wrapper for single points
``n_points`` is the constant 1; a batch is split into blocks of up to ``BLOCK_POINTS`` points, which
fit the processor's cache.

The value of a point with a NaN is NaN, that of a point with an infinity is infinity. A kernel that
overflows at a finite point may subtract infinities; the wrapper replaces its NaN by infinity.

A wrapper takes the address of the problem's tables instead of arrays, because an array argument
costs 50 ns per call. `Constants.pack` makes the tables: the header, the rows of the input
transform, the rows of the kernel, and memory for one point, for one value and for the workspace of
one point. The caller keeps them alive.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.extending import intrinsic

from ..arrays import Floats
from ..points import Vector
from .elementary import vectorisable
from .kernel import ConstantRows, PointBlock, Workspace
from .operators import transform_points

# Indices into the header of a problem's tables.
DIMENSION = 0
TRANSFORM_ROWS = 1  # number of rows of the input transform
KERNEL_ROWS = 2  # number of rows of the kernel's constants
OFFSET = 3
FACTOR = 4
TOTAL_SIZE = 5  # numbers in the tables, header included
HEADER_SIZE = 6

BLOCK_POINTS = 64  # a block of 40 variables takes 20 KB, less than the level-1 cache

_LARGEST = np.finfo(np.float64).max  # the largest finite float


@dataclass(frozen=True, slots=True, eq=False)
class WrapperTemplate:
    """A wrapper without its kernel, which `wrapper_template` declares."""

    function: Callable[..., Any]  # calls the global name ``kernel``
    signature: str  # types of the arguments, for numba
    releases_lock: bool  # whether other threads run meanwhile


def wrapper_template(
    signature: str, releases_lock: bool = False
) -> Callable[[Callable[..., Any]], WrapperTemplate]:
    """Declare the decorated function as a wrapper template.

    Args:
        signature: Types of the arguments, for numba.
        releases_lock: Whether other threads run meanwhile. Must be False for a wrapper that uses
            the workspace in the tables, because threads share the tables.
    """

    def declare(function: Callable[..., Any]) -> WrapperTemplate:
        return WrapperTemplate(function, signature, releases_lock)

    return declare


@wrapper_template("float64[:], int64")
def point_wrapper_template(x: Vector, address: int) -> float:
    """Return the value of one point.

    Args:
        x: The point, shape ``(dimension,)``.
        address: Address of the problem's tables.

    Raises:
        ValueError: ``x`` has another number of variables.
    """
    header, transform, constants, memory = read_tables(address)
    dimension = int(header[DIMENSION])
    if x.shape[0] != dimension:
        raise ValueError("wrong number of variables")
    block, values = memory[:dimension], memory[dimension : dimension + 1]
    for i in range(dimension):
        block[i] = x[i]
    transform_points(1, transform, block)
    if not is_finite(block):
        return non_finite_value(1, dimension, block, 0)
    kernel(1, block, constants, memory[dimension + 1 :], values)  # noqa: F821
    return nan_to_infinity((values[0] + header[OFFSET]) * header[FACTOR])


@wrapper_template("float64[:], int64, float64[::1]")
def vector_wrapper_template(x: Vector, address: int, values: Vector) -> int:
    """Write the values of one point to ``values``; return how many are positive or NaN.

    Args:
        x: The point, shape ``(dimension,)``.
        address: Address of the problem's tables.
        values: Shape ``(m,)`` for a kernel of ``m`` constraints.

    Raises:
        ValueError: ``x`` has another number of variables.
    """
    header, transform, constants, memory = read_tables(address)
    dimension = int(header[DIMENSION])
    if x.shape[0] != dimension:
        raise ValueError("wrong number of variables")
    block = memory[:dimension]
    for i in range(dimension):
        block[i] = x[i]
    transform_points(1, transform, block)
    if is_finite(block):
        kernel(1, block, constants, memory[dimension + 1 :], values)  # noqa: F821
        for j in range(values.shape[0]):
            values[j] = nan_to_infinity((values[j] + header[OFFSET]) * header[FACTOR])
    else:
        for j in range(values.shape[0]):
            values[j] = non_finite_value(1, dimension, block, 0)
    n_violated = 0
    for j in range(values.shape[0]):
        n_violated += 0 if values[j] <= 0.0 else 1
    return n_violated


@wrapper_template("float64[:, ::1], int64, float64[::1]", releases_lock=True)
def batch_wrapper_template(points: Vector, address: int, values: Vector) -> None:
    """Write the values of a batch to ``values``.

    Args:
        points: Shape ``(n, dimension)``.
        address: Address of the problem's tables.
        values: Shape ``(n * m,)``, where ``m`` is the kernel's number of values for a point; the
            values of a point are next to each other.
    """
    header, transform, constants, point_memory = read_tables(address)
    dimension, batch_size = int(header[DIMENSION]), points.shape[0]
    values_per_point = values.shape[0] // max(1, batch_size)
    offset, factor = header[OFFSET], header[FACTOR]
    # Other threads may use the memory in the tables: allocate memory for a block.
    n_points = min(BLOCK_POINTS, batch_size)
    block_memory = np.empty(dimension * n_points)
    workspace = np.empty(point_memory.shape[0] * n_points)
    block_values = np.empty(values_per_point * n_points)
    for start in range(0, batch_size, BLOCK_POINTS):
        n_points = min(BLOCK_POINTS, batch_size - start)
        block = block_memory[: dimension * n_points]
        for p in range(n_points):
            for i in range(dimension):
                block[i * n_points + p] = points[start + p, i]
        transform_points(n_points, transform, block)
        written_values = block_values[: values_per_point * n_points]
        kernel(n_points, block, constants, workspace, written_values)  # noqa: F821
        if values_per_point == 1:
            for p in range(n_points):
                values[start + p] = nan_to_infinity((written_values[p] + offset) * factor)
        else:
            for p in range(n_points):
                for j in range(values_per_point):
                    value = (written_values[j * n_points + p] + offset) * factor
                    values[(start + p) * values_per_point + j] = nan_to_infinity(value)
        if not is_finite(block):
            for p in range(n_points):
                replacement = non_finite_value(n_points, dimension, block, p)
                if replacement != 0.0:
                    for j in range(values_per_point):
                        values[(start + p) * values_per_point + j] = replacement


@vectorisable
def read_tables(address: int) -> tuple[Floats, Floats, ConstantRows, Workspace]:
    """Return views of the tables at an address: header, transform, kernel's rows, memory.

    The memory has room for one point, one value and the workspace of one point. The views do not
    keep the tables alive.
    """
    header = floats_at(address, (HEADER_SIZE,))
    dimension = int(header[DIMENSION])
    n_transform_rows, n_rows = int(header[TRANSFORM_ROWS]), int(header[KERNEL_ROWS])
    memory_start = HEADER_SIZE + (n_transform_rows + n_rows) * dimension
    transform = floats_at(address + 8 * HEADER_SIZE, (n_transform_rows, dimension))
    constants_address = address + 8 * (HEADER_SIZE + n_transform_rows * dimension)
    constants = floats_at(constants_address, (n_rows, dimension))
    memory_size = int(header[TOTAL_SIZE]) - memory_start
    memory = floats_at(address + 8 * memory_start, (memory_size,))
    return header, transform, constants, memory


@intrinsic
def floats_at(typingctx, address, shape):
    """Return a view of the float64 numbers at an address, as a C-contiguous array of ``shape``.

    The array does not own the memory and does not keep it alive.

    Args:
        typingctx: Passed by numba, not by callers.
        address: Address of the first number, an integer.
        shape: A tuple of integers.
    """
    # Matrices are made here, too: numba's `reshape` would have to be imported by every module that
    # compiles a wrapper, and a slice of an array that owns its memory costs 10 ns.
    result = types.Array(types.float64, len(shape), "C")

    def generate(context, builder, signature, arguments):
        # Imported here because it is needed for compilation only and takes long.
        from numba.core.cgutils import unpack_tuple
        from numba.np.arrayobj import make_array, populate_array

        data = builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())
        lengths = unpack_tuple(builder, arguments[1])
        item_size = context.get_constant(types.intp, 8)
        strides = [item_size]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        array = make_array(result)(context, builder)
        populate_array(
            array, data=data, shape=lengths, strides=strides, itemsize=item_size, meminfo=None
        )
        return array._getvalue()

    return result(types.int64, shape), generate


@vectorisable
def is_finite(block: PointBlock) -> bool:
    """Return whether all numbers of a block are finite."""
    has_non_finite = 0  # an integer and no early return, so that the loop is vectorised
    for k in range(block.shape[0]):
        has_non_finite |= 0 if abs(block[k]) <= _LARGEST else 1
    return has_non_finite == 0


@vectorisable
def non_finite_value(n_points: int, dimension: int, block: PointBlock, p: int) -> float:
    """Return NaN if point ``p`` of a block has a NaN, inf if it has an infinity, else 0."""
    total = 0.0
    for i in range(dimension):
        size = abs(block[i * n_points + p])
        total += size if not size <= _LARGEST else 0.0
    return total


@vectorisable
def nan_to_infinity(value: float) -> float:
    """Return infinity if ``value`` is NaN, else ``value``."""
    return value if value == value else np.inf

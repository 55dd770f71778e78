"""The compiled wrappers around a kernel: for one point, with one value or several; for batches.

A wrapper copies points into a block, changes them by the input transform (see ``operators``), runs
the kernel, adds the offset and multiplies by the factor. A wrapper gets its ``kernel`` when it is
compiled (see ``compilation``). For single points the kernel runs at one lane, known when
compiling; a batch runs in blocks of up to ``LANES`` points, which stay in the processor's cache.

NaN in a point gives NaN and infinity gives infinity. A kernel that overflows at a finite point may
subtract infinities from each other: its NaN becomes infinity.

What reaches a wrapper is the point, and the address of the problem's tables: each array argument
costs 50 ns, and slices of an array that has an owner cost 10 ns each. The caller keeps the tables
alive. They hold a header, the rows of the input transform, the rows of the kernel, and the
workspace of one point.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import llvmlite.ir as ir
import numpy as np
from numba import types
from numba.extending import intrinsic

from .elementary import vectorisable
from .operators import change_points

HEADER = 6
"""Numbers in the header: dimension, rows of the transform, rows, offset, factor, numbers in all."""

LANES = 64
_LARGEST = np.finfo(np.float64).max


def wrapper(signature, nogil=False):
    """Declare a wrapper: the types of its arguments, and whether it lets other threads run.

    One that uses the workspace in the tables must not.
    """

    def declare(function):
        function.signature, function.nogil = signature, nogil
        return function

    return declare


@intrinsic
def floats_at(typingctx, address, shape):
    """The floats at an address, as an array of that shape that owns nothing.

    For matrices, too: numba's ``reshape`` would have to be imported wherever a wrapper is used.
    """
    result = types.Array(types.float64, len(shape), "C")

    def generate(context, builder, signature, arguments):
        from numba.core.cgutils import unpack_tuple  # where these are in use anyway
        from numba.np.arrayobj import make_array, populate_array

        where = builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())
        lengths = unpack_tuple(builder, arguments[1])
        size = context.get_constant(types.intp, 8)
        strides = [size]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        array = make_array(result)(context, builder)
        populate_array(
            array, data=where, shape=lengths, strides=strides, itemsize=size, meminfo=None
        )
        return array._getvalue()

    return result(types.int64, shape), generate


@vectorisable
def tables_at(address):
    """Header, rows of the transform, rows of the kernel, and workspace of the tables there."""
    header = floats_at(address, (HEADER,))
    dimension, first, rows = int(header[0]), int(header[1]), int(header[2])
    used = HEADER + (first + rows) * dimension
    inputs = floats_at(address + 8 * HEADER, (first, dimension))
    constants = floats_at(address + 8 * (HEADER + first * dimension), (rows, dimension))
    work = floats_at(address + 8 * used, (int(header[5]) - used,))
    return header, inputs, constants, work


@vectorisable
def is_finite(block):
    """Whether all numbers of a block are finite."""
    wrong = 0
    for k in range(block.shape[0]):
        wrong |= 0 if abs(block[k]) <= _LARGEST else 1
    return wrong == 0


@vectorisable
def non_finite_value(lanes, dimension, block, lane):
    """NaN where the point has a NaN, infinity where it has an infinity, else 0."""
    total = 0.0
    for i in range(dimension):
        value = abs(block[i * lanes + lane])
        total += value if not value <= _LARGEST else 0.0
    return total


@vectorisable
def or_infinity(value):
    """Infinity instead of NaN."""
    return value if value == value else np.inf


@wrapper("float64[:], int64")
def point_wrapper(x, address):
    """The value of one point ``x``, shape ``(dimension,)``, of the problem with these tables."""
    header, inputs, constants, work = tables_at(address)
    dimension = int(header[0])
    if x.shape[0] != dimension:
        raise ValueError("wrong number of variables")
    block, f = work[:dimension], work[dimension : dimension + 1]
    for i in range(dimension):
        block[i] = x[i]
    change_points(1, inputs, block)
    if not is_finite(block):
        return non_finite_value(1, dimension, block, 0)
    kernel(1, block, constants, work[dimension + 1 :], f)  # noqa: F821
    return or_infinity((f[0] + header[3]) * header[4])


@wrapper("float64[:], int64, float64[::1]")
def vector_wrapper(x, address, values):
    """Put the values of one point into ``values``, shape ``(m,)``; returns how many are not <= 0.

    For kernels that make ``m`` values a point, as of constraints.
    """
    header, inputs, constants, work = tables_at(address)
    dimension = int(header[0])
    if x.shape[0] != dimension:
        raise ValueError("wrong number of variables")
    block = work[:dimension]
    for i in range(dimension):
        block[i] = x[i]
    change_points(1, inputs, block)
    if is_finite(block):
        kernel(1, block, constants, work[dimension + 1 :], values)  # noqa: F821
        for j in range(values.shape[0]):
            values[j] = or_infinity((values[j] + header[3]) * header[4])
    else:
        for j in range(values.shape[0]):
            values[j] = non_finite_value(1, dimension, block, 0)
    positive = 0
    for j in range(values.shape[0]):
        positive += 0 if values[j] <= 0.0 else 1
    return positive


@wrapper("float64[:, ::1], int64, float64[::1]", nogil=True)
def batch_wrapper(points, address, values):
    """Put the values of ``points``, shape ``(n, dimension)``, into ``values``, shape ``(n * m,)``.

    There are ``m`` values a point, mostly one; the kernel leaves number ``j`` of point ``b`` in
    ``f[j * lanes + b]``.
    """
    header, inputs, constants, spare = tables_at(address)
    dimension, count = int(header[0]), points.shape[0]
    m = values.shape[0] // max(1, count)
    offset, factor = header[3], header[4]
    lanes = min(LANES, count)
    memory = np.empty(dimension * lanes)
    work = np.empty(spare.shape[0] * lanes)
    f = np.empty(m * lanes)
    for start in range(0, count, LANES):
        lanes = min(LANES, count - start)
        block = memory[: dimension * lanes]
        for b in range(lanes):
            for i in range(dimension):
                block[i * lanes + b] = points[start + b, i]
        change_points(lanes, inputs, block)
        kernel(lanes, block, constants, work, f[: m * lanes])  # noqa: F821
        if m == 1:
            for b in range(lanes):
                values[start + b] = or_infinity((f[b] + offset) * factor)
        else:
            for b in range(lanes):
                for j in range(m):
                    value = (f[j * lanes + b] + offset) * factor
                    values[(start + b) * m + j] = or_infinity(value)
        if not is_finite(block):
            for b in range(lanes):
                bad = non_finite_value(lanes, dimension, block, b)
                if bad != 0.0:
                    for j in range(m):
                        values[(start + b) * m + j] = bad

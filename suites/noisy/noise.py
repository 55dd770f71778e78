"""The noise of bbob-noisy, and the templates of compiled functions that add it.

The measured distance from the optimal value, where ``d`` is the true distance, ``N`` are standard
normal numbers and ``U`` uniform numbers:

============  ======================================================================================
Gaussian      ``d exp(beta N)``
uniform       ``d U1^beta max(1, (1e9 / (d + 1e-99))^(alpha U2))``
Cauchy        ``d + max(0, alpha (1e3 + [U < p] N1 / |N2 + 1e-199|))``
============  ======================================================================================

1.01e-8 is added in each case. A *noise model* is an array of three numbers: the kind, alpha, and
beta or p. The penalty outside ``[-5, 5]`` is added after the noise.

The random numbers come from a NumPy bit generator, by the C functions that it offers to compiled
code. A normal number takes two uniform numbers, so that an evaluation takes 2, 2 or 5 of them.
A batch draws the same numbers as its points one after the other. A point with NaN or infinity draws
nothing.

Source: N. Hansen, S. Finck, R. Ros, A. Auger: Real-Parameter Black-Box Optimization Benchmarking
2009: Noisy Functions Definitions, INRIA RR-6869. As in COCO 2.8.2, noise is also added near the
optimum.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

import math

import llvmlite.ir as ir
import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from ..compiled.elementary import cos_turns, exp, log, power, vectorisable
from ..compiled.kernel import PointBlock
from ..compiled.wrappers import (
    BLOCK_POINTS,
    DIMENSION,
    OFFSET,
    floats_at,
    is_finite,
    nan_to_infinity,
    non_finite_value,
    read_tables,
    wrapper_template,
)
from ..points import Vector

GAUSSIAN, UNIFORM, CAUCHY = 0.0, 1.0, 2.0  # kinds of noise, the first number of a noise model
_MODEL_SIZE = 3
_NEXT_DOUBLE_OFFSET = 24  # bytes before the pointer `next_double` in NumPy's struct bitgen_t


@wrapper_template("float64[:], int64, int64, int64")
def noisy_point_wrapper_template(
    x: Vector, address: int, noise_model: int, generator: int
) -> tuple[float, float]:
    """Return the true and the measured value of one point.

    Args:
        x: The point, shape ``(dimension,)``.
        address: Address of the problem's tables.
        noise_model: Address of the noise model.
        generator: Address of a ``bitgen_t``; 0: return the true value twice and draw nothing.

    Raises:
        ValueError: ``x`` has another number of variables.
    """
    header, _, constants, memory = read_tables(address)
    dimension = int(header[DIMENSION])
    if x.shape[0] != dimension:
        raise ValueError("wrong number of variables")
    block, values = memory[:dimension], memory[dimension : dimension + 1]
    for i in range(dimension):
        block[i] = x[i]
    if not is_finite(block):
        value = non_finite_value(1, dimension, block, 0)
        return value, value
    kernel(1, block, constants, memory[dimension + 1 :], values)  # noqa: F821
    distance = nan_to_infinity(values[0])
    base = header[OFFSET] + _penalty(1, dimension, block, 0)
    if generator == 0:
        return distance + base, distance + base
    measured = _measure_distance(floats_at(noise_model, (_MODEL_SIZE,)), distance, generator)
    return distance + base, nan_to_infinity(measured + base)


@wrapper_template(
    "float64[:, ::1], int64, int64, int64, float64[::1], float64[::1]", releases_lock=True
)
def noisy_batch_wrapper_template(
    points: Vector, address: int, noise_model: int, generator: int, true: Vector, measured: Vector
) -> None:
    """Write the true and the measured values of a batch to ``true`` and ``measured``.

    Args:
        points: Shape ``(n, dimension)``.
        address: Address of the problem's tables.
        noise_model: Address of the noise model.
        generator: Address of a ``bitgen_t``; 0: do not write ``measured``, and draw nothing.
        true: Shape ``(n,)``.
        measured: Shape ``(n,)``.
    """
    header, _, constants, point_memory = read_tables(address)
    dimension, batch_size = int(header[DIMENSION]), points.shape[0]
    model = floats_at(noise_model, (_MODEL_SIZE,))
    # Other threads may use the memory in the tables: allocate memory for a block.
    max_points = min(BLOCK_POINTS, batch_size)
    block_memory = np.empty(dimension * max_points)
    workspace = np.empty(point_memory.shape[0] * max_points)
    values = np.empty(max_points)
    for start in range(0, batch_size, BLOCK_POINTS):
        n_points = min(BLOCK_POINTS, batch_size - start)
        block = block_memory[: dimension * n_points]
        for p in range(n_points):
            for i in range(dimension):
                block[i * n_points + p] = points[start + p, i]
        kernel(n_points, block, constants, workspace, values[:n_points])  # noqa: F821
        all_finite = is_finite(block)
        for p in range(n_points):
            # NaN or infinity if the point has such a coordinate; 0 otherwise.
            replacement = 0.0 if all_finite else non_finite_value(n_points, dimension, block, p)
            distance = nan_to_infinity(values[p])
            base = header[OFFSET] + _penalty(n_points, dimension, block, p)
            true[start + p] = distance + base if replacement == 0.0 else replacement
            if generator != 0:
                value = replacement
                if replacement == 0.0:
                    value = nan_to_infinity(_measure_distance(model, distance, generator) + base)
                measured[start + p] = value


@njit(cache=True, error_model="numpy")
def apply_noise(distances, noise_model, generator, measured):
    """Write measured distances from the optimal value to ``measured``.

    Distances that are NaN or infinite are copied, and draw nothing.

    Args:
        distances: True distances, shape ``(n,)``.
        noise_model: Shape ``(3,)``.
        generator: Address of a ``bitgen_t``.
        measured: Shape ``(n,)``.
    """
    for k in range(distances.shape[0]):
        if abs(distances[k]) <= np.finfo(np.float64).max:
            measured[k] = _measure_distance(noise_model, distances[k], generator)
        else:
            measured[k] = distances[k]


@vectorisable
def _measure_distance(noise_model: Vector, distance: float, generator: int) -> float:
    """Return the measured distance from the optimal value; draw from the generator."""
    kind, alpha, beta = noise_model[0], noise_model[1], noise_model[2]
    if kind == GAUSSIAN:
        value = distance * exp(beta * _draw_normal(generator))
    elif kind == UNIFORM:
        shrink = power(_draw_uniform(generator), beta)
        stretch = power(1e9 / (distance + 1e-99), alpha * _draw_uniform(generator))
        value = distance * shrink * max(1.0, stretch)
    else:
        is_outlier = _draw_uniform(generator) < beta  # p in the table
        numerator = _draw_normal(generator)
        ratio = numerator / abs(_draw_normal(generator) + 1e-199)
        value = distance + max(0.0, alpha * (1e3 + (ratio if is_outlier else 0.0)))
    return value + 1.01e-8


@vectorisable
def _penalty(n_points: int, dimension: int, block: PointBlock, p: int) -> float:
    """Return ``100 fpen`` of point ``p`` of a block; noise does not apply to it."""
    total = 0.0
    for i in range(dimension):
        excess = abs(block[i * n_points + p]) - 5.0
        total += excess * excess if excess > 0.0 else 0.0
    return 100.0 * total


@vectorisable
def _draw_normal(generator: int) -> float:
    """Draw a standard normal number by the method of Box and Muller, from two uniform numbers."""
    radius = math.sqrt(-2.0 * log(_draw_uniform(generator)))
    return radius * cos_turns(_draw_uniform(generator))


@intrinsic
def _draw_uniform(typingctx, generator):
    """Draw a number in [0, 1) from the generator whose ``bitgen_t`` is at an address."""

    def generate(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        function = ir.FunctionType(ir.DoubleType(), [pointer]).as_pointer()
        address = arguments[0]
        next_double = builder.add(address, ir.Constant(address.type, _NEXT_DOUBLE_OFFSET))
        state = builder.load(builder.inttoptr(address, pointer.as_pointer()))
        call = builder.load(builder.inttoptr(next_double, function.as_pointer()))
        return builder.call(call, [state])

    return types.float64(types.int64), generate

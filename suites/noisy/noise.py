"""The noise of bbob-noisy, and the compiled wrappers that draw it.

With ``d`` the distance from the optimal value, ``N`` normal and ``U`` uniform numbers:

============  ======================================================================================
Gaussian      ``d exp(beta N)``
uniform       ``d U1^beta max(1, (1e9 / (d + 1e-99))^(alpha U2))``
Cauchy        ``d + max(0, alpha (1e3 + [U < p] N1 / |N2 + 1e-199|))``
============  ======================================================================================

1.01e-8 is added to each. Source: N. Hansen, S. Finck, R. Ros, A. Auger: Real-Parameter Black-Box
Optimization Benchmarking 2009: Noisy Functions Definitions, INRIA RR-6869, as COCO 2.8.2 has it,
which adds noise near the optimum, too.

Numbers come from a NumPy bit generator, by the C functions that it offers to compiled code: each
normal number takes two uniform ones (Box and Muller), so that one evaluation takes 2, 2 or 5, and
batches draw what single points would. A point with NaN or infinity draws nothing.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import math

import llvmlite.ir as ir
import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from ..compiled.elementary import cos_turns, exp, log, power, vectorisable
from ..compiled.wrappers import (
    LANES,
    floats_at,
    is_finite,
    non_finite_value,
    or_infinity,
    tables_at,
    wrapper,
)

GAUSSIAN, UNIFORM, CAUCHY = 0.0, 1.0, 2.0
MODEL_SIZE = 3
_NEXT_DOUBLE = 24  # bytes before this pointer in NumPy's struct bitgen_t


@intrinsic
def _next_uniform(typingctx, generator):
    """The next number, in [0, 1), of the generator whose ``bitgen_t`` is at this address."""

    def generate(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        function = ir.FunctionType(ir.DoubleType(), [pointer]).as_pointer()
        address = arguments[0]
        next_double = builder.add(address, ir.Constant(address.type, _NEXT_DOUBLE))
        state = builder.load(builder.inttoptr(address, pointer.as_pointer()))
        call = builder.load(builder.inttoptr(next_double, function.as_pointer()))
        return builder.call(call, [state])

    return types.float64(types.int64), generate


@vectorisable
def _next_normal(generator):
    radius = math.sqrt(-2.0 * log(_next_uniform(generator)))
    return radius * cos_turns(_next_uniform(generator))


@vectorisable
def _measured(model, distance, generator):
    """The measured distance from the optimal value; ``model`` holds a kind and two parameters."""
    kind, first, second = model[0], model[1], model[2]
    if kind == GAUSSIAN:
        value = distance * exp(second * _next_normal(generator))
    elif kind == UNIFORM:
        shrink = power(_next_uniform(generator), second)
        stretch = power(1e9 / (distance + 1e-99), first * _next_uniform(generator))
        value = distance * shrink * max(1.0, stretch)
    else:
        outlier = _next_uniform(generator) < second
        numerator = _next_normal(generator)
        ratio = numerator / abs(_next_normal(generator) + 1e-199)
        value = distance + max(0.0, first * (1e3 + (ratio if outlier else 0.0)))
    return value + 1.01e-8


@vectorisable
def _penalty(lanes, dimension, block, lane):
    """``100 fpen``, which no noise is applied to."""
    outside = 0.0
    for i in range(dimension):
        excess = abs(block[i * lanes + lane]) - 5.0
        outside += excess * excess if excess > 0.0 else 0.0
    return 100.0 * outside


@wrapper("float64[:], int64, int64, int64")
def noisy_point_wrapper(x, address, model, generator):
    """The true and the measured value of one point; the true one twice where ``generator`` is 0.

    ``model`` is the address of the noise model, ``generator`` that of a ``bitgen_t``.
    """
    header, _, constants, work = tables_at(address)
    dimension = int(header[0])
    if x.shape[0] != dimension:
        raise ValueError("wrong number of variables")
    block, f = work[:dimension], work[dimension : dimension + 1]
    for i in range(dimension):
        block[i] = x[i]
    if not is_finite(block):
        value = non_finite_value(1, dimension, block, 0)
        return value, value
    kernel(1, block, constants, work[dimension + 1 :], f)  # noqa: F821
    distance = or_infinity(f[0])
    base = header[3] + _penalty(1, dimension, block, 0)
    if generator == 0:
        return distance + base, distance + base
    noisy = _measured(floats_at(model, (MODEL_SIZE,)), distance, generator)
    return distance + base, or_infinity(noisy + base)


@wrapper("float64[:, ::1], int64, int64, int64, float64[::1], float64[::1]", nogil=True)
def noisy_batch_wrapper(points, address, model, generator, true, noisy):
    """Put the values of ``points``, ``(n, dimension)``, into ``true`` and ``noisy``, ``(n,)``.

    Measured values are left out where ``generator`` is 0.
    """
    header, _, constants, spare = tables_at(address)
    dimension, count = int(header[0]), points.shape[0]
    parameters = floats_at(model, (MODEL_SIZE,))
    most = min(LANES, count)
    memory = np.empty(dimension * most)
    work = np.empty(spare.shape[0] * most)
    f = np.empty(most)
    for start in range(0, count, LANES):
        lanes = min(LANES, count - start)
        block = memory[: dimension * lanes]
        for b in range(lanes):
            for i in range(dimension):
                block[i * lanes + b] = points[start + b, i]
        kernel(lanes, block, constants, work, f[:lanes])  # noqa: F821
        all_finite = is_finite(block)
        for b in range(lanes):
            bad = 0.0 if all_finite else non_finite_value(lanes, dimension, block, b)
            distance = or_infinity(f[b])
            base = header[3] + _penalty(lanes, dimension, block, b)
            true[start + b] = distance + base if bad == 0.0 else bad
            if generator != 0:
                measured = bad
                if bad == 0.0:
                    measured = or_infinity(_measured(parameters, distance, generator) + base)
                noisy[start + b] = measured


@njit(cache=True, error_model="numpy")
def apply_noise(distances, model, generator, measured):
    """Put the measured distances into ``measured``, shape ``(n,)``, as the wrappers measure."""
    for k in range(distances.shape[0]):
        if abs(distances[k]) <= np.finfo(np.float64).max:
            measured[k] = _measured(model, distances[k], generator)
        else:
            measured[k] = distances[k]

"""Two compiled functions on the same variables, evaluated by one call: both objectives of a point.

A kernel stays compiled once, whatever it is paired with: what is called knows the addresses of both
functions, which are those of ``point_wrapper`` around their kernels.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# mypy: disable-error-code="call-arg, var-annotated, unreachable"
# (numba types what is compiled, by its own rules)

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import njit, types
from numba.core.cgutils import if_unlikely
from numba.extending import intrinsic
from numpy.typing import ArrayLike

from ..points import Vector, as_batch, as_point
from .compilation import batch_evaluator, machine_code, native_address
from .formula import Formula
from .wrappers import floats_at, point_wrapper


@intrinsic
def _value_at(typingctx, function, x, tables):
    """The value of the ``point_wrapper`` at the address ``function``; raises what that raises."""

    def generate(context, builder, signature, arguments):
        kinds, result = signature.args[1:], types.float64
        pointer = context.call_conv.get_function_type(result, kinds).as_pointer()
        function_pointer = builder.inttoptr(arguments[0], pointer)
        call = context.call_conv.call_function
        status, value = call(builder, function_pointer, result, kinds, arguments[1:])
        with if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return value

    return types.float64(types.int64, x, types.int64), generate


@njit(cache=True, error_model="numpy")
def _both(x, pair, values):
    """Put both values of ``x`` into ``values``; ``pair``: addresses of functions and tables."""
    addresses = floats_at(pair, (4,)).view(np.int64)
    values[0] = _value_at(addresses[0], x, addresses[1])
    values[1] = _value_at(addresses[2], x, addresses[3])


@cache
def _compiled_both() -> Callable[..., None]:
    return machine_code(_both, "float64[:], int64, float64[::1]")


def pair_evaluators(
    first: Formula, second: Formula, who: str
) -> tuple[Callable[[ArrayLike], Vector], Callable[[Vector], Vector]]:
    """Functions ``(dimension,) -> (2,)`` and ``(n, dimension) -> (n, 2)`` of problem ``who``."""
    parts = (first, second)
    tables = [part.constants.flat() for part in parts]
    pair = np.zeros(4, dtype=np.int64)
    pair[1::2] = [each.ctypes.data for each in tables]
    address = pair.ctypes.data
    dimension = first.constants.rows.shape[1]
    array, float64, empty = np.ndarray, np.dtype(np.float64), np.empty

    def entry(x: Vector, address: int, values: Vector) -> None:
        nonlocal entry
        pair[::2] = [native_address(point_wrapper, part.kernel) for part in parts]
        entry = _compiled_both()
        entry(x, address, values)

    def evaluate_point(x: Any, _kept_alive: object = (pair, tables)) -> Vector:
        values = empty(2)
        try:
            if x.__class__ is array and x.dtype is float64 and x.ndim == 1:  # hot: no type(x)
                entry(x, address, values)
                return values
        except ValueError:
            pass
        entry(as_point(x, dimension, who), address, values)
        return values

    batches = [batch_evaluator(part.kernel, part.constants, who) for part in parts]

    def evaluate_batch(x: Vector) -> Vector:
        points = as_batch(x, dimension, who)
        values = np.empty((len(points), 2))
        for k, batch in enumerate(batches):
            values[:, k] = batch(points)
        return values

    return evaluate_point, evaluate_batch

"""Two compiled functions of the same variables in one call: both objectives of a point.

Each kernel is compiled once, in `point_wrapper_template`, whichever kernel it is combined with. The
compiled function `_evaluate_both` calls the machine code of both kernels by their addresses.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# mypy: disable-error-code="call-arg, var-annotated, unreachable"
# Reason: numba infers the types of compiled functions from their arguments.

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import njit, types
from numba.core.cgutils import if_unlikely
from numba.extending import intrinsic

from ..points import Vector, as_batch, as_point
from .compilation import build_batch_evaluator, get_native_address, machine_code
from .formula import Formula
from .kernel import Evaluators
from .wrappers import floats_at, point_wrapper_template


def build_pair_evaluators(first: Formula, second: Formula, label: str) -> Evaluators:
    """Return functions that evaluate two objectives; the first call compiles both kernels.

    Args:
        first: The first objective.
        second: The second objective, of the same dimension.
        label: Begins the messages of errors; the problem's identifier.

    Returns:
        Functions ``(dimension,) -> (2,)`` and ``(n, dimension) -> (n, 2)``.
    """
    formulas = (first, second)
    tables = [formula.constants.pack() for formula in formulas]
    addresses = np.zeros(4, dtype=np.int64)  # function and tables of the first, of the second
    addresses[1::2] = [table.ctypes.data for table in tables]
    address_of_addresses = addresses.ctypes.data
    dimension = first.constants.rows.shape[1]
    array, float64, empty = np.ndarray, np.dtype(np.float64), np.empty

    def entry(x: Vector, address: int, values: Vector) -> None:
        nonlocal entry  # later calls go to the machine code without a further test
        addresses[::2] = [
            get_native_address(point_wrapper_template, formula.kernel) for formula in formulas
        ]
        entry = _compile_evaluate_both()
        entry(x, address, values)

    # The default argument keeps the tables alive.
    def evaluate_point(x: Any, _kept_alive: object = (addresses, tables)) -> Vector:
        values = empty(2)
        try:
            # Hot path. `x.__class__` is faster than `type(x)`.
            if x.__class__ is array and x.dtype is float64 and x.ndim == 1:
                entry(x, address_of_addresses, values)
                return values
        except ValueError:
            pass  # wrong number of variables: `as_point` raises the error for users
        entry(as_point(x, dimension, label), address_of_addresses, values)
        return values

    batch_evaluators = [
        build_batch_evaluator(formula.kernel, formula.constants, label) for formula in formulas
    ]

    def evaluate_batch(x: Vector) -> Vector:
        points = as_batch(x, dimension, label)
        values = np.empty((len(points), 2))
        for column, evaluate in enumerate(batch_evaluators):
            values[:, column] = evaluate(points)
        return values

    return Evaluators(evaluate_point, evaluate_batch)


@cache
def _compile_evaluate_both() -> Callable[..., None]:
    return machine_code(_evaluate_both, "float64[:], int64, float64[::1]")


@njit(cache=True, error_model="numpy")
def _evaluate_both(x, address, values):
    """Write both values of the point ``x`` to ``values``.

    ``address`` is that of four integers: the addresses of the first function and of its tables, and
    those of the second.
    """
    addresses = floats_at(address, (4,)).view(np.int64)
    values[0] = _call_point_wrapper(addresses[0], x, addresses[1])
    values[1] = _call_point_wrapper(addresses[2], x, addresses[3])


@intrinsic
def _call_point_wrapper(typingctx, function, x, tables):
    """Call a compiled `point_wrapper_template` by its address and return the value of ``x``.

    An exception in the called function propagates.
    """

    def generate(context, builder, signature, arguments):
        argument_types, result = signature.args[1:], types.float64
        pointer = context.call_conv.get_function_type(result, argument_types).as_pointer()
        function_pointer = builder.inttoptr(arguments[0], pointer)
        status, value = context.call_conv.call_function(
            builder, function_pointer, result, argument_types, arguments[1:]
        )
        with if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return value

    return types.float64(types.int64, x, types.int64), generate

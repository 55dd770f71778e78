"""Two compiled functions on the same variables, evaluated by one call: both objectives of a point.

A kernel stays compiled once, whatever it is paired with: what is called knows the addresses of both
functions, which are those of ``point_frame`` around their kernels.
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

from ..facts import Found
from ..points import Vector, as_batch, as_point
from .compilation import announced, batch_evaluator, machine_code, native_address
from .formula import Formula
from .frames import floats_at, point_frame


@intrinsic
def _value_at(typingctx, function, x, address):
    """What the compiled function at an address gives for an array and an address; or it raises.

    It is a ``point_frame``, or has its types.
    """

    def generate(context, builder, signature, arguments):
        kinds, result = signature.args[1:], types.float64
        pointer = context.call_conv.get_function_type(result, kinds).as_pointer()
        frame = builder.inttoptr(arguments[0], pointer)
        call = context.call_conv.call_function
        status, value = call(builder, frame, result, kinds, arguments[1:])
        with if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return value

    return types.float64(types.int64, x, types.int64), generate


@njit(cache=True, error_model="numpy")
def _both(x, pair, values):
    """Put both values of ``x`` into ``values``, and ask the watcher about them, if there is one.

    ``pair`` is where six addresses stand: of both functions and of the watcher, each with the one
    that it takes; 0 for no watcher.
    """
    addresses = floats_at(pair, (6,)).view(np.int64)
    values[0] = _value_at(addresses[0], x, addresses[1])
    values[1] = _value_at(addresses[2], x, addresses[3])
    return addresses[4] != 0 and _value_at(addresses[4], values, addresses[5]) != 0.0


@cache
def _compiled_both() -> Callable[..., bool]:
    with announced():
        return machine_code(_both, "float64[:], int64, float64[:]")


class PairEvaluators:
    """Evaluates two functions at once.

    Args:
        first: A function; its kernel is compiled, or read from the cache, when first needed.
        second: Another one in the same dimension.
        who: The problem, as errors name it.
    """

    def __init__(self, first: Formula, second: Formula, who: str) -> None:
        self._kernels = first.kernel, second.kernel
        self._tables = first.constants.flat(), second.constants.flat()
        self._dimension = first.constants.rows.shape[1]
        self._who = who
        self._batches = [
            batch_evaluator(part.kernel, part.constants, who) for part in (first, second)
        ]

    def point(
        self, watcher: int = 0, state: int = 0, found: Found | None = None
    ) -> Callable[[ArrayLike], Vector]:
        """A function ``(dimension,) -> (2,)``; see ``WatchedEvaluation`` in ``facts``."""
        kernels, tables, dimension, who = self._kernels, self._tables, self._dimension, self._who
        places = [each.ctypes.data for each in tables]
        pair = np.array([0, places[0], 0, places[1], watcher, state])
        address = pair.ctypes.data
        array, float64, empty = np.ndarray, np.dtype(np.float64), np.empty

        def entry(x: Vector, address: int, values: Vector) -> bool:
            nonlocal entry
            pair[0:4:2] = [native_address(point_frame, kernel) for kernel in kernels]
            entry = _compiled_both()
            return entry(x, address, values)

        def evaluate_point(x: Any, _kept_alive: object = (pair, tables)) -> Vector:
            values = empty(2)
            try:
                if x.__class__ is array and x.dtype is float64 and x.ndim == 1:  # hot: no type(x)
                    is_found = entry(x, address, values)
                else:
                    is_found = entry(as_point(x, dimension, who), address, values)
            except ValueError:
                is_found = entry(as_point(x, dimension, who), address, values)
            if is_found and found is not None:
                found(values, x)
            return values

        return evaluate_point

    def batch(self, x: Vector) -> Vector:
        """Values of points: ``(n, dimension) -> (n, 2)``."""
        points = as_batch(x, self._dimension, self._who)
        values = np.empty((len(points), 2))
        for k, batch in enumerate(self._batches):
            values[:, k] = batch(points)
        return values

"""Problems of the suite pbo: a function, an instance, its optimum, and its compiled evaluators."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..compiled.compilation import machine_code
from ..compiled.kernel import Evaluators
from ..facts import ProblemFacts, ProblemId, Unscaled
from ..points import Vector, as_batch, as_point, checked_bits
from ..problem import Problem
from . import kernels
from .draws import Instance
from .functions import Function, get_function

_FLOAT_ONE = int(np.float64(1.0).view(np.int64))  # the 64-bit word of a float64 1
_INT_ONE = 1  # the 64-bit word of an int64 1


def build_problem(number: int, dimension: int, instance_number: int, name: str) -> Problem:
    """Build a problem of the suite pbo; compile its kernel if the optimum's bits are known.

    Args:
        number: Number of the function, 1 to 25.
        dimension: Number of bits, one that the function takes.
        instance_number: Number of the instance.
        name: Name of the function.

    Returns:
        The problem.
    """
    identity = ProblemId("pbo", number, dimension, instance_number)
    instance, function = Instance.draw(dimension, instance_number), get_function(number, dimension)
    evaluators = _build_evaluators(dimension, function, instance, str(identity))
    unscaled_evaluators = evaluators
    if instance_number != 1:
        unscaled_instance = Instance(instance.order, instance.flip)
        unscaled_evaluators = _build_evaluators(
            dimension, function, unscaled_instance, str(identity)
        )
    unscaled = Unscaled(*unscaled_evaluators, instance.scale, instance.shift)
    if function.best_bits is None:
        optimum, largest_raw = None, function.largest_value
    else:
        optimum = instance.to_point(function.best_bits)
        largest_raw = -unscaled_evaluators.evaluate_point(optimum)

    def constants() -> dict[str, Vector]:
        return {
            "order": instance.order.copy(),
            "flip": instance.flip.copy(),
            "scale": np.array(instance.scale),
            "shift": np.array(instance.shift),
        }

    facts = ProblemFacts(
        name=name,
        title=f"PBO suite problem f{number} instance {instance_number} in {dimension}D",
        lower_bounds=np.zeros(dimension),
        upper_bounds=np.ones(dimension),
        number_of_integer_variables=dimension,
        is_binary=True,
        optimal_value=None if largest_raw is None else unscaled.scaled(-largest_raw),
        optimal_solution=optimum,
        reference_value=math.nan if largest_raw is None else -largest_raw,
        unscaled=unscaled,
        target_unit=1.0 if largest_raw is None else largest_raw - function.mean,
        constants=constants,
    )
    return Problem(identity, facts, *evaluators)


def _build_evaluators(
    dimension: int, function: Function, instance: Instance, label: str
) -> Evaluators:
    """Return the functions that evaluate points of bits; ``label`` begins the messages of errors.

    They also raise EvaluationError if a number is neither 0 nor 1.
    """
    tables = _pack_tables(dimension, function, instance)
    address = tables.ctypes.data
    array, float64, int64 = np.ndarray, np.dtype(np.float64), np.dtype(np.int64)

    def entry(x: NDArray[Any], bit_one: int, address: int) -> float:
        nonlocal entry  # later calls go to the machine code without a further test
        entry = _compile_point_code()
        return entry(x, bit_one, address)

    def evaluate_point(x: Any) -> float:
        try:
            # Hot path. `x.__class__` is faster than `type(x)`. Arrays of floats and of integers are
            # passed alike, because the machine code reads 64-bit words.
            if x.__class__ is array and x.ndim == 1:
                if x.dtype is float64:
                    return entry(x, _FLOAT_ONE, address)
                if x.dtype is int64:
                    return entry(x, _INT_ONE, address)
        except ValueError:
            pass  # not a point of bits: the next line raises the error for users
        point = checked_bits(as_point(x, dimension, label, bits=True), label)
        # Read from `tables`, not from `address`: this keeps the tables alive.
        return entry(point, _FLOAT_ONE, tables.ctypes.data)

    # The default argument keeps the tables alive.
    def evaluate_batch(x: ArrayLike, _tables: Vector = tables) -> Vector:
        points = as_batch(x, dimension, label)
        values = np.empty(len(points))
        batch_code = _compile_batch_code()
        if batch_code(points, _FLOAT_ONE, address, values) < len(points):
            bits = checked_bits(points, label)  # raises, unless the number is a negative zero
            batch_code(bits, _FLOAT_ONE, address, values)
        return values

    return Evaluators(evaluate_point, evaluate_batch)


def _pack_tables(dimension: int, function: Function, instance: Instance) -> Vector:
    """Return the tables that the machine code reads, see ``kernels``, as one new array."""
    order, flip = instance.order[function.positions], instance.flip[function.positions]
    n_bits = len(order)
    header = np.empty(kernels.HEADER_SIZE)
    header[kernels.DIMENSION] = dimension
    header[kernels.N_BITS] = n_bits
    header[kernels.FORMULA] = function.formula
    header[kernels.SCALE] = instance.scale
    header[kernels.SHIFT] = instance.shift
    header[kernels.N_INTEGERS] = len(function.integers)
    header[kernels.N_NUMBERS] = len(function.numbers)
    header[kernels.IS_REORDERED] = (order != np.arange(n_bits)).any()
    integers = np.concatenate([order, flip, function.integers]).astype(np.int64)
    workspace = np.zeros(n_bits)
    return np.concatenate([header, integers.view(np.float64), function.numbers, workspace])


@cache
def _compile_point_code() -> Callable[..., float]:
    return machine_code(kernels.evaluate_point, "int64[:], int64, int64")


@cache
def _compile_batch_code() -> Callable[..., int]:
    return machine_code(kernels.evaluate_batch, "int64[:, ::1], int64, int64, float64[::1]")

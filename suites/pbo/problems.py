"""One problem of the suite: a function, an instance, its optimum, and its compiled evaluators."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..compiled.compilation import machine_code
from ..facts import ProblemFacts, ProblemId, Unscaled
from ..points import Vector, as_batch, as_point, checked_bits
from ..problem import Problem
from .draws import Instance
from .functions import Function, function
from .kernels import HEADER, batch_values, point_value


def make(number: int, dimension: int, instance: int, name: str) -> Problem:
    """One problem of the function of this number and name; see ``suites.pbo``."""
    identity = ProblemId("pbo", number, dimension, instance)
    drawn, known = Instance.of(dimension, instance), function(number, dimension)
    point, batch = evaluators(dimension, known, drawn, str(identity))
    plain = Instance(drawn.order, drawn.flip)
    raw_point, raw_batch = (
        (point, batch) if instance == 1 else evaluators(dimension, known, plain, str(identity))
    )
    unscaled = Unscaled(raw_point, raw_batch, drawn.scale, drawn.shift)
    solution = None if known.best is None else drawn.before(known.best)
    best = known.largest if solution is None else -raw_point(solution)

    def constants() -> dict[str, Vector]:
        return {
            "order": drawn.order.copy(),
            "flip": drawn.flip.copy(),
            "scale": np.array(drawn.scale),
            "shift": np.array(drawn.shift),
        }

    facts = ProblemFacts(
        name=name,
        title=f"PBO suite problem f{number} instance {instance} in {dimension}D",
        lower_bounds=np.zeros(dimension),
        upper_bounds=np.ones(dimension),
        number_of_integer_variables=dimension,
        is_binary=True,
        optimal_value=None if best is None else unscaled.scaled(-best),
        optimal_solution=solution,
        reference_value=math.nan if best is None else -best,
        unscaled=unscaled,
        target_unit=1.0 if best is None else best - known.mean,
        constants=constants,
    )
    return Problem(identity, facts, point, batch)


_FLOAT_ONE = int(np.float64(1.0).view(np.int64))
"""The word of a float64 1; that of an int64 1 is 1."""


def tables(dimension: int, function: Function, instance: Instance) -> Vector:
    """What compiled code reads, as ``kernels`` says."""
    order, flip = instance.order[function.bits], instance.flip[function.bits]
    words = [order, flip, function.integers]
    header = [
        dimension, len(order), function.formula, instance.scale, instance.shift,
        len(function.integers), len(function.numbers), (order != np.arange(len(order))).any(),
    ]  # fmt: skip
    assert len(header) == HEADER
    integers = np.concatenate(words).astype(np.int64).view(np.float64)
    return np.concatenate([header, integers, function.numbers, np.zeros(len(order))])


def evaluators(
    dimension: int, function: Function, instance: Instance, who: str
) -> tuple[Callable[[ArrayLike], float], Callable[[Vector], Vector]]:
    """Functions ``(dimension,) -> float`` and ``(k, dimension) -> (k,)``, named ``who`` in errors.

    Both raise EvaluationError where a number is neither 0 nor 1.
    """
    table = tables(dimension, function, instance)
    address = table.ctypes.data
    array, float64, int64 = np.ndarray, np.dtype(np.float64), np.dtype(np.int64)

    def entry(x: NDArray[Any], bit_one: int, address: int) -> float:
        nonlocal entry
        entry = _point_code()
        return entry(x, bit_one, address)

    def evaluate_point(x: Any) -> float:
        try:
            if x.__class__ is array and x.ndim == 1:  # hot: no type(x)
                if x.dtype is float64:
                    return entry(x, _FLOAT_ONE, address)
                if x.dtype is int64:
                    return entry(x, 1, address)
        except ValueError:
            pass
        point = checked_bits(as_point(x, dimension, who, bits=True), who)
        return entry(point, _FLOAT_ONE, table.ctypes.data)  # keeps the table alive

    def evaluate_batch(x: Vector, _kept_alive: Vector = table) -> Vector:
        points = as_batch(x, dimension, who)
        values = np.empty(len(points))
        code = _batch_code()
        if code(points, _FLOAT_ONE, address, values) < len(points):
            bits = checked_bits(points, who)  # raises, unless it was a negative zero
            code(bits, _FLOAT_ONE, address, values)
        return values

    return evaluate_point, evaluate_batch


@cache
def _point_code() -> Callable[..., float]:
    return machine_code(point_value, "int64[:], int64, int64")


@cache
def _batch_code() -> Callable[..., int]:
    return machine_code(batch_values, "int64[:, ::1], int64, int64, float64[::1]")

"""Evaluators of a noisy problem: true values, and measured ones, for points and batches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..compiled.compilation import Constants, Kernel, compiled, compiled_for_batches, machine_code
from ..facts import NoisyEvaluation
from ..points import Vector, as_batch, as_point
from .noise import apply_noise, noisy_batch_wrapper, noisy_point_wrapper

_TRUE_VALUES_ONLY = 0


class NoisyEvaluators:
    """Of one problem, with the noise of `NoisyFunction.model`; the caller gives the generator.

    The kernel is the distance from the optimal value, without a penalty.
    """

    def __init__(self, kernel: Kernel, constants: Constants, model: Vector, who: str) -> None:
        self._tables, self._model, self._who = constants.flat(), model, who
        self._dimension, self._optimal_value = constants.rows.shape[1], constants.offset
        self._addresses = self._tables.ctypes.data, model.ctypes.data
        self._compile_point = partial(compiled, noisy_point_wrapper, kernel)
        self._compile_batch = partial(compiled_for_batches, noisy_batch_wrapper, kernel)
        self._batch_code: Callable[..., Any] | None = None

    @property
    def measuring(self) -> NoisyEvaluation:
        """How observers measure."""
        return NoisyEvaluation(self._measure_points_with, self._measure_batch)

    def point_evaluator(self) -> Callable[[ArrayLike], float]:
        """A function that returns the true value of one point."""
        compile_now, (tables, model) = self._compile_point, self._addresses
        dimension, who = self._dimension, self._who
        array, float64 = np.ndarray, np.dtype(np.float64)

        def entry(x: Vector, *arguments: int) -> tuple[float, float]:
            nonlocal entry
            entry = compile_now()
            true, measured = entry(x, *arguments)
            return true, measured

        def evaluate_point(x: Any, _kept_alive: object = self) -> float:
            try:
                if x.__class__ is array and x.dtype is float64 and x.ndim == 1:  # hot: no type(x)
                    return entry(x, tables, model, _TRUE_VALUES_ONLY)[0]
            except ValueError:
                pass
            return entry(as_point(x, dimension, who), tables, model, _TRUE_VALUES_ONLY)[0]

        return evaluate_point

    def evaluate_batch(self, x: Vector) -> Vector:
        """True values, shape ``(n,)``."""
        points = as_batch(x, self._dimension, self._who)
        values = np.empty(len(points))
        self._evaluate_into(values, values, points, _TRUE_VALUES_ONLY)
        return values

    def _evaluate_into(self, true: Vector, noisy: Vector, points: Vector, generator: int) -> None:
        """Put true and measured values of points into ``true`` and ``noisy``, shape ``(n,)``."""
        if self._batch_code is None:
            self._batch_code = self._compile_batch(points.size)
        if self._batch_code is not None:
            self._batch_code(points, *self._addresses, generator, true, noisy)
        else:
            point_code = self._compile_point()
            for k, x in enumerate(points):
                true[k], noisy[k] = point_code(x, *self._addresses, generator)

    def _measure_points_with(
        self, rng: np.random.Generator
    ) -> Callable[[ArrayLike], tuple[float, float]]:
        """A function of one point that returns the true and the measured value."""
        entry, (tables, model) = self._compile_point(), self._addresses
        generator, dimension, who = _address(rng), self._dimension, self._who
        array, float64 = np.ndarray, np.dtype(np.float64)

        def measure(x: Any, _kept_alive: object = (self, rng)) -> tuple[float, float]:
            try:
                if x.__class__ is array and x.dtype is float64 and x.ndim == 1:  # hot: no type(x)
                    return entry(x, tables, model, generator)  # type: ignore[no-any-return]
            except ValueError:
                pass
            point = as_point(x, dimension, who)
            return entry(point, tables, model, generator)  # type: ignore[no-any-return]

        return measure

    def _measure_batch(self, x: Vector, rng: np.random.Generator) -> tuple[Vector, Vector]:
        """True and measured values, shape ``(n,)`` each."""
        points = as_batch(x, self._dimension, self._who)
        true, noisy = np.empty(len(points)), np.empty(len(points))
        with rng.bit_generator.lock:
            self._evaluate_into(true, noisy, points, _address(rng))
        return true, noisy

    def apply(self, points: Vector, values: Vector, rng: np.random.Generator) -> Vector:
        """What is measured where a transform changed the values: see ``ProblemFacts.noise``."""
        penalty = 100 * np.sum(np.maximum(0.0, np.abs(points) - 5) ** 2, axis=1)
        base = self._optimal_value + penalty
        distances, measured = np.maximum(values - base, 0.0), np.empty(len(values))
        entry = machine_code(apply_noise, "float64[::1], float64[::1], int64, float64[::1]")
        with rng.bit_generator.lock:
            entry(distances, self._model, _address(rng), measured)
        measured += base
        return measured


def _address(rng: np.random.Generator) -> int:
    """Where the generator's ``bitgen_t`` is, by which compiled code draws."""
    return int(rng.bit_generator.ctypes.bit_generator.value)

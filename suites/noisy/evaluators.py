"""Functions that evaluate a noisy problem: its true values, and values measured with noise.

Compiled code takes the addresses of the problem's tables, of the noise model and of the random
generator. A `NoisyEvaluators` object keeps the arrays alive; its functions keep the object alive.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..compiled.compilation import Constants, compile_kernel, compile_when_worthwhile, machine_code
from ..compiled.kernel import Kernel
from ..facts import NoisyEvaluation
from ..points import Vector, as_batch, as_point
from .noise import apply_noise, noisy_batch_wrapper_template, noisy_point_wrapper_template

_NO_GENERATOR = 0  # instead of the address of a generator: compute true values only


class NoisyEvaluators:
    """The functions that evaluate one noisy problem; the first evaluation compiles the kernel.

    Args:
        kernel: Writes the distance from the optimal value, without a penalty.
        constants: Constants of the problem.
        noise_model: Made by `NoisyFunction.build_noise_model`.
        label: Begins the messages of errors; the problem's identifier.
    """

    def __init__(
        self, kernel: Kernel, constants: Constants, noise_model: Vector, label: str
    ) -> None:
        self._tables, self._noise_model, self._label = constants.pack(), noise_model, label
        self._dimension, self._optimal_value = constants.rows.shape[1], constants.offset
        self._addresses = self._tables.ctypes.data, noise_model.ctypes.data
        self._compile_point_code = partial(compile_kernel, noisy_point_wrapper_template, kernel)
        self._compile_batch_code = partial(
            compile_when_worthwhile, noisy_batch_wrapper_template, kernel
        )
        self._batch_code: Callable[..., Any] | None = None  # None until compilation pays

    @property
    def measuring(self) -> NoisyEvaluation:
        """The functions by which observers obtain true and measured values in one call."""
        return NoisyEvaluation(self._build_measure_point, self._measure_batch)

    def build_point_evaluator(self) -> Callable[[ArrayLike], float]:
        """Return a function that returns the true value of a point, shape ``(dimension,)``.

        The function raises EvaluationError if the argument has another shape or is not numeric.
        """
        compile_point_code, (tables, noise_model) = self._compile_point_code, self._addresses
        dimension, label = self._dimension, self._label
        array, float64 = np.ndarray, np.dtype(np.float64)

        def entry(x: Vector, *arguments: int) -> tuple[float, float]:
            nonlocal entry  # later calls go to the machine code without a further test
            entry = compile_point_code()
            true, measured = entry(x, *arguments)
            return true, measured

        # The default argument keeps the tables and the noise model alive.
        def evaluate_point(x: Any, _kept_alive: object = self) -> float:
            try:
                # Hot path. `x.__class__` is faster than `type(x)`.
                if x.__class__ is array and x.dtype is float64 and x.ndim == 1:
                    return entry(x, tables, noise_model, _NO_GENERATOR)[0]
            except ValueError:
                pass  # wrong number of variables: `as_point` raises the error for users
            return entry(as_point(x, dimension, label), tables, noise_model, _NO_GENERATOR)[0]

        return evaluate_point

    def evaluate_batch(self, x: Vector) -> Vector:
        """Return the true values of points, shape ``(n, dimension)``, as shape ``(n,)``."""
        points = as_batch(x, self._dimension, self._label)
        values = np.empty(len(points))
        self._evaluate_into(values, values, points, _NO_GENERATOR)
        return values

    def add_noise(self, points: Vector, values: Vector, rng: np.random.Generator) -> Vector:
        """Return measured values for true values that a transform has changed.

        Args:
            points: Shape ``(n, dimension)``.
            values: True values, shape ``(n,)``.
            rng: Advanced by the numbers that the noise of ``n`` points takes.

        Returns:
            Measured values, shape ``(n,)``.
        """
        penalties = 100 * np.sum(np.maximum(0.0, np.abs(points) - 5) ** 2, axis=1)
        base = self._optimal_value + penalties
        distances, measured = np.maximum(values - base, 0.0), np.empty(len(values))
        entry = machine_code(apply_noise, "float64[::1], float64[::1], int64, float64[::1]")
        with rng.bit_generator.lock:
            entry(distances, self._noise_model, _get_generator_address(rng), measured)
        measured += base
        return measured

    def _build_measure_point(
        self, rng: np.random.Generator
    ) -> Callable[[ArrayLike], tuple[float, float]]:
        """Compile the kernel; return a function from a point to its true and measured value."""
        entry, (tables, noise_model) = self._compile_point_code(), self._addresses
        generator, dimension, label = _get_generator_address(rng), self._dimension, self._label
        array, float64 = np.ndarray, np.dtype(np.float64)

        # The default argument keeps the tables, the noise model and the generator alive.
        def measure_point(x: Any, _kept_alive: object = (self, rng)) -> tuple[float, float]:
            try:
                # Hot path. `x.__class__` is faster than `type(x)`.
                if x.__class__ is array and x.dtype is float64 and x.ndim == 1:
                    return entry(x, tables, noise_model, generator)  # type: ignore[no-any-return]
            except ValueError:
                pass  # wrong number of variables: `as_point` raises the error for users
            point = as_point(x, dimension, label)
            return entry(point, tables, noise_model, generator)  # type: ignore[no-any-return]

        return measure_point

    def _measure_batch(self, x: Vector, rng: np.random.Generator) -> tuple[Vector, Vector]:
        """Return the true and the measured values of points, shape ``(n,)`` each."""
        points = as_batch(x, self._dimension, self._label)
        true, measured = np.empty(len(points)), np.empty(len(points))
        with rng.bit_generator.lock:
            self._evaluate_into(true, measured, points, _get_generator_address(rng))
        return true, measured

    def _evaluate_into(
        self, true: Vector, measured: Vector, points: Vector, generator: int
    ) -> None:
        """Write true and measured values of points to ``true`` and ``measured``, shape ``(n,)``.

        With `_NO_GENERATOR`, both may be one array, which then contains the true values.
        """
        if self._batch_code is None:
            self._batch_code = self._compile_batch_code(points.size)
        if self._batch_code is not None:
            self._batch_code(points, *self._addresses, generator, true, measured)
        else:
            point_code = self._compile_point_code()
            for row, x in enumerate(points):
                true[row], measured[row] = point_code(x, *self._addresses, generator)


def _get_generator_address(rng: np.random.Generator) -> int:
    """Return the address of the generator's ``bitgen_t``, from which compiled code draws."""
    return int(rng.bit_generator.ctypes.bit_generator.value)

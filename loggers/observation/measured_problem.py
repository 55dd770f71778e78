"""A problem with the indicator and the noise of one run.

An evaluation of a point gives two values. The *true value* has no noise. The *observed value* is
the value that the algorithm gets; it has noise if the problem is noisy. The indicator turns the
values into one number, here called the *quality*: the lower the quality, the better the run.

The quality that a *stateless* indicator gives to a point depends on the point alone. The quality
that a *stateful* indicator gives also depends on all earlier evaluations. A stateful indicator must
therefore measure every evaluation once, in the order in which evaluations are recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import Problem
from ..indicators.indicator import Indicator
from .recorder import find_lowest

Vector = NDArray[np.float64]
Evaluate = Callable[[ArrayLike], Any]
"""Function that evaluates a point, shape ``(dimension,)``."""

_NO_POSITIONS = np.empty(0, np.int64)
_NOISE_STREAM = 1
"""Second word of the seed of a run's noise. It makes the noise independent of start points, which
are drawn from the same seed without a second word."""


class MeasuredProblem:
    """A problem with the indicator and the noise of one run.

    Values are floats for a single point, and have shape ``(n,)`` for a batch of ``n`` points. With
    two objectives the shapes are ``(2,)`` and ``(n, 2)``.

    Args:
        problem: The problem.
        indicator: Indicator made for this run. Some of its members are optional; see `Indicator`.
        seed: Seed of the noise; not used if the problem is not noisy.

    Attributes:
        evaluate: Function that evaluates a point and returns its true value.
        evaluate_noisy: Function that evaluates a point and returns its true value and its observed
            value. None if the problem is not noisy.
        may_improve: Function that takes the true value of a point and returns False if the point
            need not be measured, because it cannot improve the quality. None if the indicator has
            no such function.
        is_stateless: Whether the indicator is stateless.
        can_skip: Whether the true value of a point can show that the point need not be measured.
        has_archive: Whether the indicator keeps an archive of two objectives.
        value_at: Function that takes a quality and returns the true value with this quality.
    """

    def __init__(self, problem: Problem, indicator: Indicator, seed: int) -> None:
        self._problem = problem
        self._indicator = indicator
        self._noise_rng = np.random.default_rng([seed, _NOISE_STREAM]) if problem.is_noisy else None
        self.evaluate: Evaluate = problem.evaluate_point
        self.evaluate_noisy = (
            None if self._noise_rng is None else problem.measuring(self._noise_rng)
        )
        self.is_stateless = indicator.is_the_value or indicator.is_at_least_the_value
        # Members that an indicator may lack, with their defaults.
        self._measure_point = getattr(indicator, "measure_point", None)
        self.may_improve: Callable[[Any], bool] | None = getattr(indicator, "may_improve", None)
        self.has_archive = hasattr(indicator, "entered")
        # Without ``value_at``, the quality of a point is its value: `float` returns it unchanged.
        self.value_at: Callable[[float], float] = getattr(indicator, "value_at", float)
        self.can_skip = self.is_stateless or self.may_improve is not None

    @property
    def entered_positions(self) -> NDArray[np.int64]:
        """Positions of the points that entered the archive, among the points measured last."""
        return getattr(self._indicator, "entered", _NO_POSITIONS)

    def evaluate_point(self, x: ArrayLike) -> tuple[Any, Any]:
        """Evaluate one point, shape ``(dimension,)``.

        Returns:
            The true value and the observed value.

        Raises:
            EvaluationError: ``x`` is not a point of the problem.
        """
        if self.evaluate_noisy is not None:
            true_value, observed_value = self.evaluate_noisy(x)
            return true_value, observed_value
        value = self.evaluate(x)
        return value, value

    def evaluate_batch(self, points: Vector) -> tuple[Vector, Vector]:
        """Evaluate points, shape ``(n, dimension)``.

        Returns:
            The true values and the observed values. Without noise they are one array.
        """
        if self._noise_rng is not None:
            return self._problem.evaluate_noisy(points, self._noise_rng)
        values = self._problem.evaluate_batch(points)
        return values, values

    def compute_quality(self, x: ArrayLike, true_value: Any, best: float) -> float:
        """Compute the quality of a point by a stateless indicator.

        Args:
            x: The point.
            true_value: The true value of the point.
            best: Lowest quality so far.

        Returns:
            The quality. Infinity if the true value shows that the quality is not below ``best``;
            the indicator is then not called.
        """
        if self._indicator.is_the_value:
            return float(true_value)
        if true_value < self.value_at(best):
            return self.measure_point(x, true_value, true_value)
        return np.inf

    def compute_qualities(self, points: Vector, true_values: Vector, best: float) -> Vector:
        """Compute the qualities of a batch by a stateless indicator.

        Args:
            points: The points, shape ``(n, dimension)``.
            true_values: The true values of the points, shape ``(n,)``.
            best: Lowest quality so far.

        Returns:
            The qualities, shape ``(n,)``. All are infinity if the true values show that no quality
            is below ``best``; the indicator is then not called.
        """
        if self._indicator.is_the_value:
            return true_values
        if find_lowest(true_values) >= self.value_at(best):
            return np.full(len(true_values), np.inf)
        return self._indicator.measure(points, true_values)

    def compute_recommended_value(self, point: Vector) -> float:
        """Compute the true, unscaled value of a recommended point; NaN with two objectives."""
        value = self._problem.unscaled(point)
        return float(value) if np.ndim(value) == 0 else np.nan

    def measure_point(self, x: ArrayLike, true_value: Any, observed_value: Any) -> float:
        """Return the quality of one point by the indicator; a stateful indicator remembers it.

        Args:
            x: The point.
            true_value: The true value of the point.
            observed_value: The observed value of the point.
        """
        point = self._problem.as_point(x)
        value = observed_value if self._indicator.takes_measured_values else true_value
        if self._measure_point is not None:
            quality: float = self._measure_point(point, value)
            return quality
        return float(self._indicator.measure(point[np.newaxis], np.array([value]))[0])

    def measure_batch(self, points: Vector, true_values: Vector, observed_values: Vector) -> Vector:
        """Return the quality after each point of a batch, measured one after the other.

        Args:
            points: The points, shape ``(n, dimension)``.
            true_values: The true values of the points.
            observed_values: The observed values of the points.

        Returns:
            The qualities, shape ``(n,)``.
        """
        values = observed_values if self._indicator.takes_measured_values else true_values
        return self._indicator.measure(points, values)

"""What an evaluation gives to the algorithm, and what the indicator says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import Problem
from ...suites.points import as_point
from ..indicators.indicator import Indicator

Vector = NDArray[np.float64]
Evaluate = Callable[[ArrayLike], Any]

_NOWHERE = np.empty(0, np.int64)
_NOISE = 1
"""Second word of the seed of a run's noise, so that it has a stream of its own."""


class MeasuredProblem:
    """A problem with an indicator, and with the noise of one run.

    Args:
        problem: What is optimized.
        indicator: Measures the run.
        seed: Of the noise, where there is noise.

    Attributes:
        evaluate: The value of a point that the algorithm gets where there is no noise.
        measure: The true value of a point, and the one that the algorithm gets; None without noise.
        may_improve: Says of a true value whether its point must be measured; None where that is
            said by comparing it with the best so far.
        by_value: Whether the true value of a point tells that it need not be measured.
        has_archive: Whether ``entered`` says something.
    """

    def __init__(self, problem: Problem, indicator: Indicator, seed: int) -> None:
        self._problem = problem
        self._indicator = None if indicator.is_the_value else indicator
        self._measure_point = getattr(indicator, "measure_point", None)
        self._noise = np.random.default_rng([seed, _NOISE]) if problem.is_noisy else None
        self.evaluate: Evaluate = problem.evaluate_point
        self.measure = None if self._noise is None else problem.measuring(self._noise)
        self.may_improve = getattr(indicator, "may_improve", None)
        by_comparing = indicator.is_the_value or indicator.is_at_least_the_value
        self.by_value = by_comparing or self.may_improve is not None
        self.has_archive = hasattr(indicator, "entered")

    @property
    def entered(self) -> NDArray[np.int64]:
        """Positions of the points that entered the archive, among those measured last."""
        return getattr(self._indicator, "entered", _NOWHERE)

    def point(self, x: ArrayLike) -> tuple[Any, Any]:
        """The value of one point that the algorithm gets, and what the point is truly worth.

        Args:
            x: Shape ``(dimension,)``.
        """
        if self.measure is None:
            value = self.evaluate(x)
            return value, value
        true, value = self.measure(x)
        return value, true

    def quality(self, x: ArrayLike, value: Any, true: Any, best: float) -> float:
        """The indicator after a point; infinity where it cannot be below the best so far.

        Args:
            x: Shape ``(dimension,)``.
            value: What the algorithm gets.
            true: What the point is truly worth.
            best: The best of the indicator so far.
        """
        indicator = self._indicator
        if indicator is None:
            return float(true)
        if indicator.is_at_least_the_value and not true < best:
            return np.inf
        point = as_point(x, self._problem.dimension, self._problem.id)
        worth = value if indicator.takes_measured_values else true
        if self._measure_point is not None:
            return float(self._measure_point(point, worth))
        return float(indicator.measure(point[np.newaxis], np.array([worth]))[0])

    def batch(self, points: Vector) -> tuple[Vector, Vector, Vector]:
        """Values of points that the algorithm gets, the true ones, and the indicator after each.

        Args:
            points: Shape ``(n, dimension)``.

        Returns:
            Shape ``(n,)``, or ``(n, 2)`` with two objectives, both; and shape ``(n,)``.
        """
        if self._noise is None:
            values = true = self._problem.evaluate_batch(points)
        else:
            true, values = self._problem.evaluate_noisy(points, self._noise)
        indicator = self._indicator
        if indicator is None:
            return values, true, true
        worth = values if indicator.takes_measured_values else true
        return values, true, indicator.measure(points, worth)

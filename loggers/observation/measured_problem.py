"""What an evaluation gives to the algorithm, and what the indicator says of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import Problem
from ..indicators.indicator import Indicator
from .recorder import least

Vector = NDArray[np.float64]
Evaluate = Callable[[ArrayLike], Any]

_NOWHERE = np.empty(0, np.int64)
_NOISE = 1
"""Second word of the seed of a run's noise, so that it has a stream of its own."""


class MeasuredProblem:
    """A problem with an indicator, and with the noise of one run.

    Attributes:
        evaluate: The value of a point that the algorithm gets where there is no noise.
        evaluate_true: The true value of a point, and the one that the algorithm gets; None without
            noise.
        may_improve: Says of a true value whether its point must be measured; None where that is
            said by comparing it with the best so far.
        by_value: Whether the true value of a point tells that it need not be measured.
        has_archive: Whether ``entered`` says something.
        value_at: The objective's value where the indicator is so much.
    """

    def __init__(self, problem: Problem, indicator: Indicator, seed: int) -> None:
        self._problem = problem
        self._indicator = indicator
        self._measure_point = getattr(indicator, "measure_point", None)
        self._noise = np.random.default_rng([seed, _NOISE]) if problem.is_noisy else None
        self.evaluate: Evaluate = problem.evaluate_point
        self.evaluate_true = None if self._noise is None else problem.measuring(self._noise)
        self.may_improve = getattr(indicator, "may_improve", None)
        self._keeps_nothing = indicator.is_the_value or indicator.is_at_least_the_value
        self.by_value = self._keeps_nothing or self.may_improve is not None
        self.has_archive = hasattr(indicator, "entered")
        self.value_at: Callable[[float], float] = getattr(indicator, "value_at", float)

    @property
    def entered(self) -> NDArray[np.int64]:
        """Positions of the points that entered the archive, among those measured last."""
        return getattr(self._indicator, "entered", _NOWHERE)

    def point(self, x: ArrayLike) -> tuple[Any, Any]:
        """The value of one point that the algorithm gets, and what the point is truly worth."""
        if self.evaluate_true is None:
            value = self.evaluate(x)
            return value, value
        true, value = self.evaluate_true(x)
        return value, true

    def batch(self, points: Vector) -> tuple[Vector, Vector]:
        """The same of points, shape ``(n, dimension)``: shapes ``(n,)``, or ``(n, 2)``."""
        if self._noise is None:
            values = self._problem.evaluate_batch(points)
            return values, values
        true, values = self._problem.evaluate_noisy(points, self._noise)
        return values, true

    def quality(self, x: ArrayLike, true: Any, best: float) -> float | None:
        """The indicator at a point; infinity where it cannot be below the best so far.

        None where the indicator keeps something of every point: see ``measuring``.
        """
        indicator = self._indicator
        if indicator.is_the_value:
            return float(true)
        if not indicator.is_at_least_the_value:
            return None
        return self.measuring(x, true, true)() if true < self.value_at(best) else np.inf

    def none_improves(self, true: Vector, best: float) -> bool:
        """Whether points of these true values, shape ``(n,)``, need not be measured."""
        return self._keeps_nothing and least(true) >= self.value_at(best)

    def qualities(self, points: Vector, true: Vector) -> Vector | None:
        """The same as ``quality`` of points, shape ``(n, dimension)``, whatever is the best."""
        if self._indicator.is_the_value:
            return true
        return self._indicator.measure(points, true) if self._keeps_nothing else None

    def measuring(self, x: ArrayLike, value: Any, true: Any) -> Callable[[], float]:
        """What says the indicator after a point, and says the same when it is called again."""
        point = self._problem.as_point(x).copy()
        worth = value if self._indicator.takes_measured_values else true
        if self._measure_point is not None:
            return partial(self._measure_point, point, worth)
        return partial(self._measure_alone, point[np.newaxis], np.array([worth]))

    def _measure_alone(self, points: Vector, worth: Vector) -> float:
        return float(self._indicator.measure(points, worth)[0])

    def measuring_batch(self, points: Vector, values: Vector, true: Vector) -> Callable[[], Vector]:
        """The same after each of many points, shape ``(n, dimension)``: shape ``(n,)``."""
        worth = values if self._indicator.takes_measured_values else true
        return partial(self._indicator.measure, points, worth)

"""Measure runs by their best feasible value: the indicator of problems with one objective."""

from __future__ import annotations

import math

import numpy as np

from ...suites import Problem
from ...suites.arrays import Floats
from ..errors import ObservationError
from .indicator import Indicator, check_takes


class BestFeasible(Indicator):
    """Value of the objective at points at which all constraints are at most 0, else infinity.

    See `Indicator` for the members. The constraints are evaluated for the measurement, and these
    evaluations are not counted.

    Args:
        problem: The problem of the run.

    Raises:
        ObservationError: The problem has two objectives, or instances that scale their values.
    """

    name = "best-feasible"
    is_at_least_the_value = True

    def __init__(self, problem: Problem) -> None:
        check_takes(problem, self.name, objectives=1, constraints=True)
        if problem.scaling is not None:
            raise ObservationError(
                f"indicator {self.name!r} takes values as they are; those of {problem.id} differ "
                "by instance, and 'unscaled' measures them"
            )
        self._problem = problem
        self.is_the_value = problem.number_of_constraints == 0

    def measure_point(self, x: Floats, value: float) -> float:
        """Return the value of a single feasible point, and infinity for an infeasible one.

        Args:
            x: The point, shape ``(dimension,)``.
            value: Its true value.
        """
        return value if self._problem.is_feasible(x) else math.inf

    def measure(self, points: Floats, values: Floats) -> Floats:
        """Return the values of feasible points, and infinity for infeasible ones.

        Args:
            points: The points, shape ``(n, dimension)``.
            values: Their true values, shape ``(n,)``.
        """
        if self.is_the_value:
            return values
        return np.where(self._problem.is_feasible(points), values, np.inf)

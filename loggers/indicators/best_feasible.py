"""The best feasible value: the indicator of problems with one objective."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..errors import ObservationError
from ..targets.grid import POSITIVE
from .indicator import check_takes

Array = NDArray[np.float64]


class BestFeasible:
    """The objective's value where all constraints are <= 0, else infinity.

    Constraints that are evaluated for this measure are not counted.
    """

    name: Final = "best-feasible"
    grid: Final = POSITIVE
    is_at_least_the_value: Final = True
    takes_measured_values: Final = False

    def __init__(self, problem: Problem) -> None:
        check_takes(problem, self.name, objectives=1, constraints=True)
        if problem.scaling is not None:
            raise ObservationError(
                f"indicator {self.name!r} takes values as they are; those of {problem.id} differ "
                "by instance, and 'unscaled' measures them"
            )
        self._problem = problem
        self.is_the_value = problem.number_of_constraints == 0

    def measure_point(self, x: Array, value: float) -> float:
        """See ``Indicator``."""
        return value if self._problem.is_feasible(x) else math.inf

    def measure(self, points: Array, values: Array) -> Array:
        """See ``Indicator``."""
        if self.is_the_value:
            return values
        return np.where(self._problem.is_feasible(points), values, np.inf)

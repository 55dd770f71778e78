"""Quality indicators: what turns the evaluations of a run into one falling number.

Targets apply to the indicator. To add one, write a class with the two methods of
``QualityIndicator``; the observer calls ``measure`` for every evaluation, in order.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem

Array = NDArray[np.float64]


class QualityIndicator(Protocol):
    """Measures one run. The observer makes it, owns it and calls it in the order of evaluations.

    An exception in here passes into the algorithm, and the evaluation is not counted.
    """

    @property
    def is_the_value(self) -> bool:
        """Whether the indicator is the objective's value itself: then ``measure`` is not called."""

    def measure(self, points: Array, values: Array) -> Array:
        """The indicator after each of these evaluations.

        Args:
            points: Shape ``(n, dimension)``, the points just evaluated; not to be kept or changed.
            values: What the evaluations returned, shape ``(n,)`` or ``(n, n_objectives)``.

        Returns:
            Shape ``(n,)``. It must not depend on how evaluations are split into batches. NaN and
            infinity never hit a target and are never best.
        """


class BestFeasible:
    """The objective's value where all constraints are <= 0, else infinity.

    Constraints that are evaluated for this measure are not counted.

    Args:
        problem: What is optimized.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    @property
    def is_the_value(self) -> bool:
        """True where the problem has no constraints."""
        return self._problem.number_of_constraints == 0

    def measure(self, points: Array, values: Array) -> Array:
        """See ``QualityIndicator``."""
        if self.is_the_value:
            return values
        feasible = [bool(np.all(self._problem.constraint(x) <= 0)) for x in points]
        return np.where(feasible, values, np.inf)

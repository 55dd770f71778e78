"""Measure runs by the noise-free value of their points: the indicator of noisy problems."""

from __future__ import annotations

from ...suites import Problem
from ...suites.arrays import Floats
from .indicator import Indicator, check_takes


class NoiseFree(Indicator):
    """Value of the objective without noise, although the algorithm gets values with noise.

    See `Indicator` for the members. COCO measures noisy problems in this way (``logger_bbob``),
    but without the penalty outside of the region of interest.

    Args:
        problem: The problem of the run.

    Raises:
        ObservationError: The problem has two objectives or constraints.
    """

    name = "noise-free"
    is_the_value = True
    is_at_least_the_value = True

    def __init__(self, problem: Problem) -> None:
        check_takes(problem, self.name, objectives=1, constraints=False)

    def measure(self, points: Floats, values: Floats) -> Floats:
        """Return the true values as they are.

        Args:
            points: The points, shape ``(n, dimension)``.
            values: Their true values, shape ``(n,)``.
        """
        return values

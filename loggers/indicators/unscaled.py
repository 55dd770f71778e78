"""Measure runs by unscaled values: the indicator of suites whose instances scale their values."""

from __future__ import annotations

from ...suites import Problem
from ...suites.arrays import Floats
from ..errors import ObservationError
from ..targets.grid import SIGNED
from .indicator import Indicator, check_takes


class Unscaled(Indicator):
    """Value of the objective before the instance scales and shifts it.

    See `Indicator` for the members. Precisions then have the same meaning on all instances. The
    value is computed from the point, not from the scaled value, which is rounded. All improvements
    are recorded.

    Args:
        problem: The problem of the run.

    Raises:
        ObservationError: The problem has two objectives or constraints, or does not scale its
            values.
    """

    name = "unscaled"
    grid = SIGNED
    is_at_least_the_value = True
    every_improvement = True

    def __init__(self, problem: Problem) -> None:
        check_takes(problem, self.name, objectives=1, constraints=False)
        if problem.scaling is None:
            raise ObservationError(
                f"indicator {self.name!r} takes problems that scale their values, such as those of "
                f"pbo; {problem.id} does not"
            )
        self._problem = problem
        self.value_at = problem.scaling.scaled

    def measure_point(self, x: Floats, value: float) -> float:
        """Return the unscaled value of a single point.

        Args:
            x: The point, shape ``(dimension,)``.
            value: Its scaled value, which is not used.
        """
        unscaled: float = self._problem.unscaled(x)
        return unscaled

    def measure(self, points: Floats, values: Floats) -> Floats:
        """Return the unscaled values of points.

        Args:
            points: The points, shape ``(n, dimension)``.
            values: Their scaled values, shape ``(n,)``, which are not used.
        """
        unscaled: Floats = self._problem.unscaled(points)
        return unscaled

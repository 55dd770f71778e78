"""The unscaled value: the indicator of problems whose instances scale and shift their values."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..errors import ObservationError
from ..targets.grid import SIGNED
from .indicator import check_takes

Array = NDArray[np.float64]


class Unscaled:
    """The value before the instance scales and shifts it; the best so far counts.

    So a precision means the same on every instance. It is computed from the point that improves,
    never back from the value that the algorithm gets. All improvements are recorded.
    """

    name: Final = "unscaled"
    grid: Final = SIGNED
    is_the_value: Final = False
    is_at_least_the_value: Final = True
    takes_measured_values: Final = False
    every_improvement: Final = True

    def __init__(self, problem: Problem) -> None:
        check_takes(problem, self.name, objectives=1, constraints=False)
        if problem.scaling is None:
            raise ObservationError(
                f"indicator {self.name!r} takes problems that scale their values, such as those of "
                f"pbo; {problem.id} does not"
            )
        self._problem = problem
        self.value_at = problem.scaling.scaled

    def measure_point(self, x: Array, value: float) -> float:
        """See ``Indicator``."""
        unscaled: float = self._problem.unscaled(x)
        return unscaled

    def measure(self, points: Array, values: Array) -> Array:
        """See ``Indicator``."""
        unscaled: Array = self._problem.unscaled(points)
        return unscaled

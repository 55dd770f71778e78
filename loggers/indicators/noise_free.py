"""The noise-free value: the indicator of noisy problems."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..errors import ObservationError
from ..targets.grid import POSITIVE

Array = NDArray[np.float64]


class NoiseFree:
    """The objective's true value, whatever was measured; the best so far counts.

    COCO's indicator of noisy problems (``logger_bbob``), but with the penalty outside the box.

    Args:
        problem: What is optimized.

    Raises:
        ObservationError: It has more than one objective, or constraints.
    """

    name: Final = "noise-free"
    grid: Final = POSITIVE
    is_the_value: Final = True
    is_at_least_the_value: Final = True
    takes_measured_values: Final = False

    def __init__(self, problem: Problem) -> None:
        check_single_objective(problem, self.name)

    def measure(self, points: Array, values: Array) -> Array:
        """See ``Indicator``."""
        return values


def check_single_objective(problem: Problem, indicator: str) -> None:
    """Refuse a problem of more than one objective, or with constraints."""
    if problem.number_of_objectives != 1 or problem.number_of_constraints:
        raise ObservationError(
            f"{problem.id}: indicator {indicator!r} takes one objective without constraints; the "
            f"problem has {problem.number_of_objectives} and {problem.number_of_constraints}"
        )

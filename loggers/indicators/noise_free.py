"""The noise-free value: the indicator of noisy problems."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..targets.grid import POSITIVE
from .indicator import check_takes

Array = NDArray[np.float64]


class NoiseFree:
    """The objective's true value, whatever was measured; the best so far counts.

    COCO's indicator of noisy problems (``logger_bbob``), but with the penalty outside the box.
    """

    name: Final = "noise-free"
    grid: Final = POSITIVE
    is_the_value: Final = True
    is_at_least_the_value: Final = True
    takes_measured_values: Final = False

    def __init__(self, problem: Problem) -> None:
        check_takes(problem, self.name, objectives=1, constraints=False)

    def measure(self, points: Array, values: Array) -> Array:
        """See ``Indicator``."""
        return values

"""The 1 %-tile of the last noisy values: an indicator of the values that an optimizer gets."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from .indicator import Indicator, check_takes

Array = NDArray[np.float64]


class NoisyQuantile(Indicator):
    """The 1 %-tile of the last ``ceil(ln(t + 3)^2 / 2)`` measured values, at evaluation ``t``.

    It is defined for noisy problems by N. Hansen, A. Auger, D. Brockhoff et al.: COCO: Performance
    Assessment (arXiv:1605.03560, 2016). This definition leaves two points open. Here the values are
    the noisy ones of evaluated points, not of recommended points. The 1 %-tile is the lowest value
    that at least 1 % of the values do not exceed: the minimum up to t = 1 386 278. NaN counts as
    infinity.

    The quantile may rise again, because old values leave the window. A runtime is the first
    evaluation at which the quantile is at or below the target. Lucky noise can hit targets.
    """

    name = "noisy-quantile"
    takes_measured_values = True

    def __init__(self, problem: Problem) -> None:
        check_takes(problem, self.name, objectives=1, constraints=False)
        self._evaluations = 0
        self._window: list[float] = []  # the last values

    def measure(self, points: Array, values: Array) -> Array:
        """Implement `Indicator`."""
        measured, window = np.empty(len(values)), self._window
        for row, value in enumerate(values.tolist()):
            self._evaluations += 1
            window.append(math.inf if math.isnan(value) else value)
            del window[: -window_size(self._evaluations)]
            rank = math.ceil(len(window) / 100)
            measured[row] = min(window) if rank == 1 else sorted(window)[rank - 1]
        return measured


def window_size(evaluations: int) -> int:
    """Return the number of last values that count at this evaluation, from 1."""
    return math.ceil(math.log(evaluations + 3) ** 2 / 2)

"""The lowest percentile of the values measured last: an indicator of what an optimizer sees."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..targets.grid import POSITIVE
from .indicator import check_takes

Array = NDArray[np.float64]

_NOTHING = np.empty(0)


class NoisyQuantile:
    """The 1 %-tile of the last ``ceil(ln(t + 3)^2 / 2)`` measured values, at evaluation ``t``.

    It is defined for noisy problems by N. Hansen, A. Auger, D. Brockhoff et al.: COCO: Performance
    Assessment (arXiv:1605.03560, 2016), which leaves two things open: values are the measured ones,
    noise included, of evaluated points, not of recommended ones; and the 1 %-tile is the lowest
    value that at least 1 % of the values do not exceed, so the least one up to t = 1 386 278. NaN
    counts as infinity.

    It may rise again, as old values leave the window: a runtime is the first evaluation at which it
    is at or below the target. Lucky noise hits targets, too.
    """

    name: Final = "noisy-quantile"
    grid: Final = POSITIVE
    is_the_value: Final = False
    is_at_least_the_value: Final = False
    takes_measured_values: Final = True

    def __init__(self, problem: Problem) -> None:
        check_takes(problem, self.name, objectives=1, constraints=False)
        self._after: tuple[Array, Array, int, list[float]] = (_NOTHING, _NOTHING, 0, [])
        """The points measured last, what came of it, evaluations, and the last values."""

    def measure(self, points: Array, values: Array) -> Array:
        """See ``Indicator``."""
        before, measured, evaluations, last = self._after
        if before is points:
            return measured
        measured, last = np.empty(len(values)), last.copy()
        for row, value in enumerate(values.tolist()):
            evaluations += 1
            last.append(math.inf if math.isnan(value) else value)
            del last[: -window_size(evaluations)]
            rank = math.ceil(len(last) / 100)
            measured[row] = min(last) if rank == 1 else sorted(last)[rank - 1]
        self._after = points, measured, evaluations, last
        return measured


def window_size(evaluations: int) -> int:
    """How many of the last values count at this evaluation, from 1."""
    return math.ceil(math.log(evaluations + 3) ** 2 / 2)

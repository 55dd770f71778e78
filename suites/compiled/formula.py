"""A kernel with the constants of one instance: what a suite draws, and others wrap or mix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..facts import ProblemFacts, ProblemId
from ..problem import Problem
from .compilation import Constants, Kernel, batch_evaluator, point_evaluator

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Formula:
    """One instance of one function, not yet a problem of any suite."""

    name: str  # the function's, for people
    kernel: Kernel
    constants: Constants
    optimum: Array  # where the value is least
    arrays: Callable[[], dict[str, Array]]  # what ``Problem.constants`` returns

    @property
    def optimal_value(self) -> float:
        """The value at the optimum."""
        return self.constants.offset * self.constants.factor

    def problem(self, identity: ProblemId, **facts: Any) -> Problem:
        """The problem in ``[-5, 5]``; ``facts`` are what changes of its `ProblemFacts`."""
        dimension = len(self.optimum)
        known: dict[str, Any] = {
            "name": self.name,
            "lower_bounds": np.full(dimension, -5.0),
            "upper_bounds": np.full(dimension, 5.0),
            "optimal_value": self.optimal_value,
            "optimal_solution": self.optimum,
            "constants": self.arrays,
        }
        return Problem(
            identity,
            ProblemFacts(**{**known, **facts}),
            point_evaluator(self.kernel, self.constants, str(identity)),
            batch_evaluator(self.kernel, self.constants, str(identity)),
        )

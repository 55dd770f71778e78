"""One instance of one function: a kernel, its constants and its optimum, before it is a problem.

Suites draw formulas; other suites change them (see ``bbob-boxed``) or combine two of them (see
``bbob-biobj``) before they build problems.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Floats
from ..facts import ProblemFacts, ProblemId
from ..problem import Problem
from .compilation import Constants, build_batch_evaluator, build_point_evaluator
from .kernel import Kernel


@dataclass(frozen=True, slots=True)
class Formula:
    """One instance of one function."""

    name: str  # name of the function, for people
    kernel: Kernel
    constants: Constants
    optimum: Floats  # where the value is minimal, shape (dimension,)
    arrays: Callable[[], dict[str, Floats]]  # makes those of ``Problem.constants``

    @property
    def optimal_value(self) -> float:
        """The value at the optimum, if the kernel's minimum is 0."""
        return self.constants.offset * self.constants.factor

    def build_problem(self, identity: ProblemId, **changes: Any) -> Problem:
        """Build the problem of this formula, with the region of interest ``[-5, 5]``.

        Nothing is compiled before the problem is evaluated.

        Args:
            identity: Identity of the problem; begins the messages of its errors.
            changes: Fields of `ProblemFacts`, which replace or complete those of the formula.

        Returns:
            The problem.
        """
        dimension = len(self.optimum)
        fields: dict[str, Any] = {
            "name": self.name,
            "lower_bounds": np.full(dimension, -5.0),
            "upper_bounds": np.full(dimension, 5.0),
            "optimal_value": self.optimal_value,
            "optimal_solution": self.optimum,
            "constants": self.arrays,
        }
        return Problem(
            identity,
            ProblemFacts(**{**fields, **changes}),
            build_point_evaluator(self.kernel, self.constants, str(identity)),
            build_batch_evaluator(self.kernel, self.constants, str(identity)),
        )

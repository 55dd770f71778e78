"""Constraints as a penalty, for optimizers that know an objective only."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike


class Constrained(Protocol):
    """A problem, or an observed one."""

    def __call__(self, x: ArrayLike) -> Any:
        """The objective."""

    def constraint(self, x: ArrayLike) -> Any:
        """The constraints, <= 0 where feasible."""


class Penalized:
    """``f(x) + weight * sum_j max(0, g_j(x))``, of a point or of points.

    With a weight above the largest Lagrange multiplier, its minimum is the problem's (an exact
    penalty: Nocedal and Wright, Numerical Optimization, theorem 17.3). Each call evaluates the
    objective and the constraints once.
    """

    def __init__(self, problem: Constrained, weight: float) -> None:
        self._problem = problem
        self.weight = weight

    def __call__(self, x: ArrayLike) -> Any:
        """The penalized value of one point, a float, or of points, shape ``(n,)``."""
        value = self._problem(x)
        violations = np.maximum(self._problem.constraint(x), 0.0).sum(axis=-1)
        penalized = value + self.weight * violations
        return penalized if np.ndim(violations) else float(penalized)

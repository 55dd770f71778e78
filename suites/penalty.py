"""Penalty function of a problem with constraints, for optimizers that handle an objective only."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike


class Constrained(Protocol):
    """Type of a problem with constraints: a `Problem`, or a problem that an observer records."""

    def __call__(self, x: ArrayLike) -> Any:
        """Return the objective at one point, or at points, shape ``(n,)``."""

    def constraint(self, x: ArrayLike) -> Any:
        """Return the constraint values of one point, shape ``(m,)``, or of points, ``(n, m)``."""


class Penalized:
    """The function ``f(x) + weight * sum_j max(0, g_j(x))`` of one point or of points.

    If ``weight`` is above the largest Lagrange multiplier, the function has the minimum of the
    problem (exact penalty: Nocedal and Wright, Numerical Optimization, theorem 17.3). Each call
    evaluates the objective once and the constraints once.

    Args:
        problem: Supplies the objective ``f`` and the constraints ``g_j``, feasible if <= 0.
        weight: Cost of a violation of 1; > 0.
    """

    def __init__(self, problem: Constrained, weight: float) -> None:
        self._problem = problem
        self.weight = weight

    def __call__(self, x: ArrayLike) -> Any:
        """Return the penalized value of one point, a float, or of points, shape ``(n,)``."""
        value = self._problem(x)
        violations = np.maximum(self._problem.constraint(x), 0.0).sum(axis=-1)
        penalized = value + self.weight * violations
        return penalized if np.ndim(violations) else float(penalized)

"""A hard box: outside the bounds the value is infinity."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..points import Vector, as_point
from ..problem import Problem


def hard_box(problem: Problem) -> Problem:
    """The same problem, infinite outside its closed bounds; such evaluations count as any other.

    Args:
        problem: With any number of objectives.
    """
    lower, upper = problem.lower_bounds, problem.upper_bounds
    objectives = problem.number_of_objectives

    def evaluate_point(x: ArrayLike) -> Any:
        point = as_point(x, problem.dimension, problem.id)
        if ((point < lower) | (point > upper)).any() and not np.isnan(point).any():
            return np.inf if objectives == 1 else np.full(objectives, np.inf)
        return problem.evaluate_point(point)

    def evaluate_batch(points: Vector) -> Vector:
        values = problem.evaluate_batch(points)
        is_outside = ((points < lower) | (points > upper)).any(axis=1)
        values[is_outside & ~np.isnan(points).any(axis=1)] = np.inf
        return values

    return problem.wrapped(
        (hard_box, (problem,)), evaluate_point=evaluate_point, evaluate_batch=evaluate_batch
    )

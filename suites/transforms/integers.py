"""Integer variables: the first variables of a problem take the values of a grid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import SuiteError
from ..points import Vector, as_point
from ..problem import Problem


def on_integers(problem: Problem, cardinalities: ArrayLike) -> Problem:
    """The same problem, its first variables integers 0 … n - 1 that stand for a grid.

    With ``n`` values, 0 stands for the lower bound, ``n - 1`` for the upper one, and what is
    between them lies at equal distances. Numbers that are no such integers are rounded, halves
    upwards, to the nearest. The optimum is not known any more, unless it lies on the grid.

    Args:
        problem: Without integer variables and constraints, of one objective.
        cardinalities: Numbers of values of the first variables, each >= 2; at most ``dimension``.

    Raises:
        SuiteError: The problem or a cardinality is of another kind.
    """
    n: NDArray[np.float64] = np.asarray(cardinalities, dtype=np.float64)
    k = len(n)
    if (
        problem.number_of_integer_variables
        or problem.number_of_constraints
        or (problem.number_of_objectives != 1)
    ):
        raise SuiteError(f"{problem.id}: on_integers takes one objective of continuous variables")
    if k > problem.dimension or not np.all((n >= 2) & (n == np.floor(n))):
        raise SuiteError(
            f"{problem.id}: cardinalities must be at most {problem.dimension} integers >= 2; "
            f"got {cardinalities!r}"
        )
    low = problem.lower_bounds[:k]
    step = (problem.upper_bounds[:k] - low) / (n - 1)
    lower, upper = problem.lower_bounds.copy(), problem.upper_bounds.copy()
    lower[:k], upper[:k] = 0.0, n - 1

    def inner(points: Vector) -> Vector:
        moved = points.copy()
        integers = points[..., :k]
        nearest = np.clip(np.floor(integers + 0.5), 0.0, n - 1)
        moved[..., :k] = np.where(np.isfinite(integers), low + step * nearest, integers)
        return moved

    def evaluate_point(x: ArrayLike) -> Any:
        return problem.evaluate_point(inner(as_point(x, problem.dimension, problem.id)))

    def evaluate_batch(points: Vector) -> Vector:
        return problem.evaluate_batch(inner(points))

    optimum = problem.optimal_solution
    if optimum is not None:
        optimum[:k] = np.clip(np.floor((optimum[:k] - low) / step + 0.5), 0.0, n - 1)
        if problem.optimal_value is None or evaluate_point(optimum) > problem.optimal_value:
            optimum = None
    return problem.wrapped(
        (on_integers, (problem, cardinalities)),
        evaluate_point=evaluate_point,
        evaluate_batch=evaluate_batch,
        lower_bounds=lower,
        upper_bounds=upper,
        optimal_value=None if optimum is None else problem.optimal_value,
        optimal_solution=optimum,
        initial_solution=None,
        number_of_integer_variables=k,
        constants=lambda: {**problem.constants(), "cardinalities": n.copy()},
    )

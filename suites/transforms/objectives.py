"""Two objectives: two problems on the same variables, evaluated at the same point."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ..errors import SuiteError
from ..points import Vector, as_point
from ..problem import Problem


def two_objectives(
    first: Problem, second: Problem, reference_value: float = math.nan, name: str = ""
) -> Problem:
    """The problem to minimise both at once: values have shape ``(2,)``, or ``(n, 2)``.

    Where both optima are known, the ideal point is the pair of the optimal values, and the nadir
    point is what each objective is worth at the optimum of the other.

    Args:
        first: Of one objective, without noise and constraints.
        second: Likewise, on variables of the same kind; the bounds are those of the first.
        reference_value: What an indicator is measured from; NaN where there is nothing.
        name: By default the names of both.

    Raises:
        SuiteError: The problems do not fit together.
    """
    for problem in (first, second):
        if problem.number_of_objectives != 1 or problem.is_noisy or problem.number_of_constraints:
            raise SuiteError(
                f"{problem.id}: two_objectives takes problems of one objective, without noise "
                "and constraints"
            )
    kinds = [(p.dimension, p.number_of_integer_variables) for p in (first, second)]
    if kinds[0] != kinds[1]:
        raise SuiteError(
            f"{first.id} and {second.id}: two_objectives takes problems of one dimension and one "
            f"number of integer variables; got {kinds[0]} and {kinds[1]}"
        )

    def evaluate_point(x: ArrayLike) -> Vector:
        point = as_point(x, first.dimension, first.id)
        return np.array([first.evaluate_point(point), second.evaluate_point(point)])

    def evaluate_batch(points: Vector) -> Vector:
        return np.column_stack([first.evaluate_batch(points), second.evaluate_batch(points)])

    def constants() -> dict[str, Vector]:
        parts = (("first", first), ("second", second))
        return {f"{part}_{key}": a for part, p in parts for key, a in p.constants().items()}

    ideal = nadir = None
    if first.optimal_value is not None and second.optimal_value is not None:
        ideal = np.array([first.optimal_value, second.optimal_value])
    if first.optimal_solution is not None and second.optimal_solution is not None:
        nadir = np.array([first(second.optimal_solution), second(first.optimal_solution)])
    return first.wrapped(
        (two_objectives, (first, second, reference_value, name)),
        evaluate_point=evaluate_point,
        evaluate_batch=evaluate_batch,
        name=name or f"{first.name}, {second.name}",
        optimal_value=None,
        optimal_solution=None,
        ideal_point=ideal,
        nadir_point=nadir,
        reference_value=reference_value,
        number_of_objectives=2,
        constants=constants,
    )

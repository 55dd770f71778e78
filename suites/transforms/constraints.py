"""Constraints: values beside the objective that must not be positive."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import SuiteError
from ..points import Vector
from ..problem import Problem


def with_constraints(
    problem: Problem,
    constraint: Callable[[Vector], Vector],
    number: int,
    optimal_value: float | None = None,
    optimal_solution: Vector | None = None,
) -> Problem:
    """The same objective, to be minimised where all constraints are <= 0.

    Args:
        problem: Without constraints.
        constraint: Takes ``(n, dimension)``, returns ``(n, number)``.
        number: How many constraints there are, >= 1.
        optimal_value: The least value of a feasible point; None where nobody knows.
        optimal_solution: Where it is, shape ``(dimension,)``; None where nobody knows.

    Raises:
        SuiteError: The problem has constraints already, or ``number`` is less than 1.
    """
    if problem.number_of_constraints or number < 1:
        raise SuiteError(
            f"{problem.id}: with_constraints takes a problem without constraints and a number of "
            f"them >= 1; got {problem.number_of_constraints} and {number}"
        )
    return problem.wrapped(
        (with_constraints, (problem, constraint, number, optimal_value, optimal_solution)),
        constraint=constraint,
        number_of_constraints=number,
        optimal_value=optimal_value,
        optimal_solution=None if optimal_solution is None else np.array(optimal_solution, float),
    )

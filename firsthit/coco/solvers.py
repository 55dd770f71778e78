"""Provide ``cocoex.solvers``: a random search, for trying out a script."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_POINTS_PER_DRAW = 1000  # one call of the generator for many points saves time


def random_search(
    fun: Any, lbounds: ArrayLike, ubounds: ArrayLike, budget: float
) -> NDArray[np.float64] | None:
    """Search the minimum with uniform random points in a box, until the budget is spent.

    If the problem has constraints, they are evaluated at each point, but do not affect the result.
    The points come from NumPy's global generator, so ``numpy.random.seed`` makes them repeatable.

    Args:
        fun: A problem of `firsthit.coco`.
        lbounds: Lower bounds, shape ``(dimension,)``.
        ubounds: Upper bounds, shape ``(dimension,)``.
        budget: The number of evaluations of the objective function, rounded up.

    Returns:
        The best point, shape ``(dimension,)``; None if no value was finite, or if there are
        two objectives.
    """
    lower, upper = np.asarray(lbounds, float), np.asarray(ubounds, float)
    is_constrained, has_one_objective = fun.number_of_constraints > 0, fun.number_of_objectives == 1
    best, best_value, remaining = None, math.inf, math.ceil(budget)
    while remaining > 0:
        points = np.random.random((min(remaining, _POINTS_PER_DRAW), len(lower)))  # noqa: NPY002
        for x in lower + (upper - lower) * points:
            if is_constrained:
                fun.constraint(x)
            value = fun(x)
            if has_one_objective and value < best_value:
                best, best_value = x, value
        remaining -= len(points)
    return best

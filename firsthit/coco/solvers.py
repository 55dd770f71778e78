"""``cocoex.solvers``: random search, to try a script with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_ROWS = 1000


def random_search(
    fun: Any, lbounds: ArrayLike, ubounds: ArrayLike, budget: float
) -> NDArray[np.float64] | None:
    """Uniform random search in a box, until the budget is spent.

    Where the problem has constraints they are evaluated, too, at each point. Points are drawn from
    NumPy's global generator: ``numpy.random.seed`` repeats them.

    Args:
        fun: A problem of `firsthit.coco`.
        lbounds: Lower bounds, shape ``(dimension,)``.
        ubounds: Upper bounds, likewise.
        budget: Evaluations of the objective.

    Returns:
        The best point, shape ``(dimension,)``; None where no value was finite, or with two
        objectives.
    """
    lower, upper = np.asarray(lbounds, float), np.asarray(ubounds, float)
    is_constrained, has_one_objective = fun.number_of_constraints > 0, fun.number_of_objectives == 1
    best, best_value, left = None, math.inf, math.ceil(budget)
    while left > 0:
        points = np.random.random((min(left, _ROWS), len(lower)))  # noqa: NPY002
        for x in lower + (upper - lower) * points:
            if is_constrained:
                fun.constraint(x)
            value = fun(x)
            if has_one_objective and value < best_value:
                best, best_value = x, value
        left -= len(points)
    return best

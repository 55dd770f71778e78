"""Compare points with the region of interest of their problem."""

from __future__ import annotations

import numpy as np

from .arrays import Floats
from .errors import FirsthitError
from .facts import ProblemId

_ORDINARY_BOUND = 5.0
"""A point within this box is not compared with the bounds of its problem, whose suite would have to
be loaded. Most suites have this box as their region."""


def is_outside_region(problem: ProblemId, point: Floats) -> bool:
    """Return whether a point is outside the region of interest of a problem.

    Args:
        problem: The problem.
        point: Finite numbers, shape ``(dimension,)``.

    Returns:
        False also for points in [-5, 5]^dimension, and if the suite is not registered here.
    """
    if np.all(np.abs(point) <= _ORDINARY_BOUND):
        return False
    from .suite import Suite

    try:
        suite = Suite(
            problem.suite,
            functions=problem.function,
            dimensions=problem.dimension,
            instances=problem.instance,
        )
        bounded = suite.problem(problem.function, problem.dimension, problem.instance)
    except FirsthitError:
        return False
    is_inside = (bounded.lower_bounds <= point) & (point <= bounded.upper_bounds)
    return not bool(np.all(is_inside))

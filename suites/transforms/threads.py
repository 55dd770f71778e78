"""Large batches on several threads: a wrapper around a problem, for users with idle processors."""

from __future__ import annotations

import numpy as np

from ..errors import SuiteError
from ..points import Vector
from ..problem import Problem

_LEAST_ROWS = 256
"""A thread is worth its start from about so many points on."""


def with_threads(problem: Problem, threads: int) -> Problem:
    """The same problem, evaluating large batches in several threads; the same values to the bit.

    Compiled problems (bbob) let threads run at the same time; a Python function does not. Campaigns
    do not use this: their workers occupy the processors already.

    Args:
        problem: Any problem.
        threads: How many, >= 1. Each takes at least 256 points, so smaller batches stay in one.

    Raises:
        SuiteError: ``threads`` is not an integer >= 1.

    Example:
        ``problem = with_threads(firsthit.Suite("bbob", 1, 40, 1)[0], threads=4)``
    """
    from concurrent.futures import ThreadPoolExecutor

    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise SuiteError(f"threads must be an integer >= 1; got {threads!r}")
    pool = ThreadPoolExecutor(threads, thread_name_prefix="firsthit batch")

    def evaluate_batch(x: Vector) -> Vector:
        parts = min(threads, len(x) // _LEAST_ROWS)
        if parts < 2:
            return problem.evaluate_batch(x)
        return np.concatenate(list(pool.map(problem.evaluate_batch, np.array_split(x, parts))))

    return problem.with_batches(evaluate_batch, (with_threads, (problem, threads)))

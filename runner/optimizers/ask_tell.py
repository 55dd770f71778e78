"""Driving optimizers that are asked for points, ``ask()``, and told their values, ``tell(…)``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import OptimizerError


def is_ask_tell(candidate: object) -> bool:
    """Whether ``candidate`` is an object (not a class) with ``ask`` and ``tell``."""
    if candidate is None or isinstance(candidate, type):
        return False
    return all(callable(getattr(candidate, name, None)) for name in ("ask", "tell"))


def drive(optimizer: Any, problem: Any) -> Any:
    """Ask, evaluate and tell until ``optimizer.stop()`` is true, where it has a ``stop``.

    ``ask()`` returns one point, shape ``(dimension,)``, and is told ``tell(point, value)``; or
    points, ``(n, dimension)``, evaluated as one batch, and is told ``tell(points, values)``.
    ``tell`` receives the very object that ``ask`` returned.

    Args:
        optimizer: The object.
        problem: The observed problem; its exceptions end the run.

    Returns:
        What ``stop()`` returned at the end.

    Raises:
        OptimizerError: ``ask()`` returned no points, or it has no ``stop`` and the run no budget.
    """
    stop = getattr(optimizer, "stop", None)
    if not callable(stop) and problem.evaluations_left == np.inf:
        raise OptimizerError(
            f"{type(optimizer).__name__} has ask() and tell() but no stop(): give the run a budget"
        )
    while True:
        reason = stop() if callable(stop) else None
        if reason:
            return reason
        points = optimizer.ask()
        if np.size(points) == 0:
            raise OptimizerError(f"{type(optimizer).__name__}.ask() returned no points")
        optimizer.tell(points, problem(points if np.ndim(points) == 1 else np.asarray(points)))

"""Random search, implemented in firsthit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....suites.arrays import Floats
from ...errors import OptimizerError
from .built_in import BuiltIn, finite_bounds


def random_search(problem: Any, rng: np.random.Generator, *, batch_size: int = 1000) -> None:
    """Evaluate uniformly distributed points in the bounds, in batches, until the budget is spent.

    Integer variables have integer values.

    Args:
        problem: The observed problem, with finite bounds.
        rng: Generator of this start.
        batch_size: Number of points in a batch, at least 1.
    """
    for points in _draw_batches(problem, rng, batch_size):
        problem(points)


class RandomPoints:
    """An ask/tell object that returns the points of `random_search` one by one."""

    def __init__(self, problem: Any, rng: np.random.Generator, *, batch_size: int = 1000) -> None:
        self._points = (x for points in _draw_batches(problem, rng, batch_size) for x in points)

    def ask(self) -> Floats:
        """Return the next point, shape ``(dimension,)``."""
        return next(self._points)

    def tell(self, point: Floats, value: float) -> None:
        """Do nothing, because random search does not use values."""


def _draw_batches(problem: Any, rng: np.random.Generator, batch_size: int) -> Iterator[Floats]:
    """Yield batches of points, each of shape ``(batch_size, dimension)``, without end."""
    if batch_size < 1:
        raise OptimizerError(f"random-search: batch_size must be >= 1, got {batch_size}")
    low, high = finite_bounds("random-search", problem)
    integers = np.arange(len(low)) < problem.number_of_integer_variables
    while True:
        points = rng.uniform(low, high + integers, (batch_size, len(low)))
        # Rounding down makes all integers equally likely; `high + 1` itself is excluded.
        yield np.where(integers, np.minimum(np.floor(points), high), points)


OPTIMIZERS = {
    "random-search": BuiltIn(
        random_search, "uniform points in the bounds", needs_budget=True, batch="yes",
        integers=True, bits="yes", constraints=True, objectives=(1, 2), ask_tell=RandomPoints,
    ),
}  # fmt: skip

"""Random search, firsthit's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import OptimizerError
from .built_in import BuiltIn, Vector, finite_bounds


def random_search(problem: Any, rng: np.random.Generator, *, batch_size: int = 1000) -> None:
    """Uniform points in the bounds, evaluated in batches, for ever; integers where they must be."""
    for points in _batches(problem, rng, batch_size):
        problem(points)


class RandomPoints:
    """The same points, one by one."""

    def __init__(self, problem: Any, rng: np.random.Generator, *, batch_size: int = 1000) -> None:
        self._points = (x for points in _batches(problem, rng, batch_size) for x in points)

    def ask(self) -> Vector:
        """The next one."""
        return next(self._points)

    def tell(self, point: Vector, value: float) -> None:
        """Nothing is learnt."""


def _batches(problem: Any, rng: np.random.Generator, batch_size: int) -> Iterator[Vector]:
    if batch_size < 1:
        raise OptimizerError(f"random-search: batch_size must be >= 1, got {batch_size}")
    low, high = finite_bounds("random-search", problem)
    integers = np.arange(len(low)) < problem.number_of_integer_variables
    while True:
        points = rng.uniform(low, high + integers, (batch_size, len(low)))
        yield np.where(integers, np.minimum(np.floor(points), high), points)


OPTIMIZERS = {
    "random-search": BuiltIn(
        random_search, "uniform points in the bounds", needs_budget=True, batch="yes",
        integers=True, bits="yes", constraints=True, objectives=(1, 2), ask_tell=RandomPoints,
    ),
}  # fmt: skip

"""The grids that integer variables stand for, and the scales of the functions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..compiled.formula import Formula
from ..compiled.operators import integer_grid

Array = NDArray[np.float64]

CARDINALITIES = (2, 4, 8, 16, 0)
"""Numbers of values in each fifth of the variables; 0 where they are continuous."""

FACTORS = (
    1.0, 1e-3, 0.1, 0.1, 1.0,
    0.01, 1.0, 0.01, 0.01,
    1e-3, 0.01, 1e-4, 0.1, 1.0,
    0.1, 1.0, 10.0, 1.0, 10.0,
    0.1, 1.0, 1.0, 10.0, 0.1,
)  # fmt: skip
"""What the values of f1 … f24 are multiplied with."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the integers lie among a function's variables.

    Attributes:
        cardinalities: Shape ``(dimension,)``: how many values; 0 of a continuous variable.
        low: Shape ``(dimension,)``: what the integer 0 stands for; 0 of a continuous variable.
        high: Likewise of the largest integer.
    """

    cardinalities: Array
    low: Array
    high: Array

    @classmethod
    def around(cls, optimum: Array) -> Grid:
        """The grid that holds the integer coordinates of ``optimum``, shape ``(dimension,)``.

        With ``n`` values, ``n`` of the points that divide ``[-4, 4]`` into ``n + 1`` equal parts,
        moved so that one of them, the nearest, meets the optimum.
        """
        n = np.repeat(np.array(CARDINALITIES, dtype=np.float64), len(optimum) // 5)
        low, high = -4 + 8 / (n + 1), 4 - 8 / (n + 1)
        last = np.where(n > 0, n - 1, 1.0)
        nearest = np.clip(_to_nearest(last * (optimum - low) / (high - low) + 1e-7), 0.0, last)
        offset = low + (high - low) * nearest / last - optimum
        return cls(n, np.where(n > 0, low - offset, 0.0), np.where(n > 0, high - offset, 0.0))

    @property
    def step(self) -> Array:
        """From one integer's point to the next's, shape ``(dimension,)``."""
        return (self.high - self.low) / np.maximum(self.cardinalities - 1, 1.0)

    def outside(self, z: Array) -> Array:
        """The integers of a point ``z`` of the grid, its continuous variables as they are."""
        step = np.where(self.cardinalities > 0, self.step, 1.0)
        return np.where(self.cardinalities > 0, _to_nearest((z - self.low) / step), z)


def _to_nearest(values: Array) -> Array:
    return np.asarray(np.floor(values + 0.5))


def on_grid(inner: Formula, grid: Grid, factor: float) -> Formula:
    """The function whose integer variables stand for points of the grid, times ``factor``."""
    transform = integer_grid(grid.cardinalities, grid.low, grid.high)
    factor *= inner.constants.factor
    return replace(inner, constants=replace(inner.constants, factor=factor, transform=transform))


def arrays(inner: Formula, grid: Grid, factor: float, optimum: Array) -> dict[str, Array]:
    """The arrays that define an instance, as ``suites.mixint`` names them."""
    known = inner.arrays()
    return {
        **known,
        "optimum": optimum.copy(),
        "optimal_value": factor * known["optimal_value"],
        "inner_optimum": known["optimum"],
        "cardinalities": grid.cardinalities.copy(),
        "low": grid.low.copy(),
        "step": grid.step,
        "factor": np.array(factor),
    }

"""The grids that integer variables stand for, and the scales of the functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

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


LARGE = 50
"""The least dimension in which the functions are those of bbob-largescale."""


def cardinalities(dimension: int) -> Array:
    """Numbers of values of the variables, shape ``(dimension,)``; 0 where they are continuous."""
    return np.repeat(np.array(CARDINALITIES, dtype=np.float64), dimension // 5)


def bounds(dimension: int, reach: float) -> tuple[Array, Array]:
    """Integers from 0, continuous variables in ``[-reach, reach]``: shape ``(dimension,)`` each."""
    n = cardinalities(dimension)
    return np.where(n > 0, 0.0, -reach), np.where(n > 0, n - 1, reach)


def inner_title(function: int, dimension: int, instance: int) -> str:
    """What COCO calls the function behind the grid."""
    digits = 2 if dimension < LARGE else 4
    return f"bbob_f{function:03d}_i{instance:02d}_d{dimension:0{digits}d}"


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the integers lie among a function's variables; all of shape ``(dimension,)``."""

    cardinalities: Array  # how many values; 0 of a continuous variable
    low: Array  # what the integer 0 stands for; 0 of a continuous variable
    high: Array  # likewise of the largest integer

    @classmethod
    def around(cls, optimum: Array) -> Grid:
        """The grid that holds the integer coordinates of ``optimum``, shape ``(dimension,)``.

        With ``n`` values, ``n`` of the points that divide ``[-4, 4]`` into ``n + 1`` equal parts,
        moved so that one of them, the nearest, meets the optimum.
        """
        n = cardinalities(len(optimum))
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


def formula(function: int, dimension: int, instance: int) -> Formula:
    """One function of bbob, or of bbob-largescale from 50 variables on, with integer variables."""
    from ..bbob import instances as bbob
    from ..largescale import instances as large

    numbers = (function, dimension, instance)
    inner = bbob.formula(*numbers) if dimension < LARGE else large.formula(*numbers)
    best = bbob.coco_optimum(function, inner)
    grid, factor = Grid.around(best), FACTORS[function - 1]
    transform = integer_grid(grid.cardinalities, grid.low, grid.high)
    scale = factor * inner.constants.factor
    scaled = replace(inner.constants, factor=scale, transform=transform)
    optimum = grid.outside(best)
    known = partial(_arrays, inner, grid, factor, optimum)
    return replace(inner, constants=scaled, optimum=optimum, arrays=known)


def _arrays(inner: Formula, grid: Grid, factor: float, optimum: Array) -> dict[str, Array]:
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

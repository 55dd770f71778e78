"""The grids that integer variables stand for, and the scales of the functions."""

from __future__ import annotations

from dataclasses import replace
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


def grid_around(optimum: Array) -> Array:
    """The grid, see ``integer_grid``, that holds the integer coordinates of ``optimum``.

    With ``n`` values, ``n`` of the points that divide ``[-4, 4]`` into ``n + 1`` equal parts, moved
    so that one of them, the nearest, meets the optimum.
    """
    n = cardinalities(len(optimum))
    low, high = -4 + 8 / (n + 1), 4 - 8 / (n + 1)
    last = np.where(n > 0, n - 1, 1.0)
    nearest = np.clip(_to_nearest(last * (optimum - low) / (high - low) + 1e-7), 0.0, last)
    offset = low + (high - low) * nearest / last - optimum
    ends = (np.where(n > 0, end - offset, 0.0) for end in (low, high))
    return integer_grid(n, *ends)


def _to_nearest(values: Array) -> Array:
    return np.asarray(np.floor(values + 0.5))


def formula(function: int, dimension: int, instance: int) -> Formula:
    """One function of bbob, or of bbob-largescale from 50 variables on, with integer variables."""
    from ..bbob import instances as bbob
    from ..largescale import instances as large

    numbers = (function, dimension, instance)
    inner = bbob.formula(*numbers) if dimension < LARGE else large.formula(*numbers)
    best = bbob.coco_optimum(function, inner)
    grid, factor = grid_around(best), FACTORS[function - 1]
    last, low, step = grid
    optimum = np.where(last > 0, _to_nearest((best - low) / np.where(last > 0, step, 1.0)), best)
    scale = factor * inner.constants.factor
    scaled = replace(inner.constants, factor=scale, transform=grid)
    known = partial(_arrays, inner, grid, factor, optimum)
    return replace(inner, constants=scaled, optimum=optimum, arrays=known)


def _arrays(inner: Formula, grid: Array, factor: float, optimum: Array) -> dict[str, Array]:
    """The arrays that define an instance, as ``suites.mixint`` names them."""
    known, (_, low, step) = inner.arrays(), grid
    return {
        **known,
        "optimum": optimum.copy(),
        "optimal_value": factor * known["optimal_value"],
        "inner_optimum": known["optimum"],
        "cardinalities": cardinalities(len(optimum)),
        "low": low.copy(),
        "step": step.copy(),
        "factor": np.array(factor),
    }

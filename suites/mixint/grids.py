"""Grids for which integer variables stand, and functions with such variables.

The functions of ``bbob-mixint``, and both objectives of ``bbob-biobj-mixint``, are drawn by
`draw_formula`: a function of bbob or bbob-largescale, an input transform from integers to a grid
around its optimum, and a factor of its values.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from ..arrays import Floats
from ..compiled.formula import Formula
from ..compiled.operators import integer_grid

CARDINALITIES = (2, 4, 8, 16, 0)
"""Number of values of the variables in each fifth of the variables; 0: continuous."""

FACTORS = (
    1.0, 1e-3, 0.1, 0.1, 1.0,
    0.01, 1.0, 0.01, 0.01,
    1e-3, 0.01, 1e-4, 0.1, 1.0,
    0.1, 1.0, 10.0, 1.0, 10.0,
    0.1, 1.0, 1.0, 10.0, 0.1,
)  # fmt: skip
"""Factors of the values of f1 … f24, as in COCO."""

_LARGE_DIMENSION = 50  # from this dimension on, the functions are those of bbob-largescale


def draw_formula(function: int, dimension: int, instance: int) -> Formula:
    """Draw one instance of a function with integer variables.

    Args:
        function: Number of the function, 1 to 24.
        dimension: Number of variables, a multiple of 5.
        instance: Number of the instance.

    Returns:
        The formula of the instance, with its optimum in integers.
    """
    from ..bbob import instances as bbob
    from ..largescale import instances as large

    if dimension < _LARGE_DIMENSION:
        inner = bbob.draw_formula(function, dimension, instance)
    else:
        inner = large.draw_formula(function, dimension, instance)
    inner_optimum = bbob.get_coco_optimum(function, inner)
    grid, factor = _build_grid(inner_optimum), FACTORS[function - 1]
    last, low, step = grid
    is_integer = last > 0
    integers = _round((inner_optimum - low) / np.where(is_integer, step, 1.0))
    optimum = np.where(is_integer, integers, inner_optimum)
    constants = replace(inner.constants, factor=factor * inner.constants.factor, transform=grid)
    copy_arrays = partial(_copy_arrays, inner, grid, factor, optimum)
    return replace(inner, constants=constants, optimum=optimum, arrays=copy_arrays)


def get_bounds(dimension: int, continuous_bound: float) -> tuple[Floats, Floats]:
    """Return the bounds of the region of interest.

    Args:
        dimension: Number of variables, a multiple of 5.
        continuous_bound: Continuous variables are in ``[-continuous_bound, continuous_bound]``.

    Returns:
        Lower and upper bounds, shape ``(dimension,)`` each. Those of integers are 0 and the
        cardinality minus 1.
    """
    n = _expand_cardinalities(dimension)
    return np.where(n > 0, 0.0, -continuous_bound), np.where(n > 0, n - 1, continuous_bound)


def format_inner_title(function: int, dimension: int, instance: int) -> str:
    """Return COCO's name of the function whose variables the grid discretises.

    Args:
        function: Number of the function, 1 to 24.
        dimension: Number of variables.
        instance: Number of the instance.

    Returns:
        A name such as ``"bbob_f001_i01_d05"``.
    """
    digits = 2 if dimension < _LARGE_DIMENSION else 4
    return f"bbob_f{function:03d}_i{instance:02d}_d{dimension:0{digits}d}"


def _expand_cardinalities(dimension: int) -> Floats:
    """Return the number of values of each variable, shape ``(dimension,)``; 0: continuous."""
    return np.repeat(np.array(CARDINALITIES, dtype=np.float64), dimension // 5)


def _build_grid(optimum: Floats) -> Floats:
    """Return the constants of an `integer_grid` that contains the integer part of ``optimum``.

    A variable with ``n`` values has the ``n`` points that divide ``[-4, 4]`` into ``n + 1`` equal
    parts, shifted so that the point that is nearest to the optimum coincides with it.
    """
    n = _expand_cardinalities(len(optimum))
    low, high = -4 + 8 / (n + 1), 4 - 8 / (n + 1)
    last = np.where(n > 0, n - 1, 1.0)
    # As in COCO, 1e-7 moves an optimum close to the middle of two points to the upper point.
    nearest = np.clip(_round(last * (optimum - low) / (high - low) + 1e-7), 0.0, last)
    offset = low + (high - low) * nearest / last - optimum
    return integer_grid(n, *(np.where(n > 0, end - offset, 0.0) for end in (low, high)))


def _round(values: Floats) -> Floats:
    """Round to integers, halves upwards."""
    return np.asarray(np.floor(values + 0.5))


def _copy_arrays(inner: Formula, grid: Floats, factor: float, optimum: Floats) -> dict[str, Floats]:
    """Return new arrays that define an instance, named as in ``suites.mixint``."""
    arrays = inner.arrays()
    _, low, step = grid
    return {
        **arrays,
        "optimum": optimum.copy(),
        "optimal_value": factor * arrays["optimal_value"],
        "inner_optimum": arrays["optimum"],
        "cardinalities": _expand_cardinalities(len(optimum)),
        "low": low.copy(),
        "step": step.copy(),
        "factor": np.array(factor),
    }

"""The grid of target precisions: Δ_k = 10**(k/20) for integers k >= -160.

Twenty targets a decade hold the field's five (k a multiple of 4) exactly. The hardest, the final
target, is 1e-8 (k = -160); the grid is open upwards, as far as float64 goes.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

TARGETS_PER_DECADE = 20
FINAL_TARGET = -160
"""k of the final target, 1e-8."""
EASIEST_TARGET = 6160
"""k of the easiest target, 1e308."""
NO_TARGET = 32767
"""Stands for k where an evaluation hits no target of the grid, or where there is no reference."""
GRID_TOLERANCE = 1e-9
"""A precision within this relative distance of a grid value means the grid value."""


@cache
def grid() -> NDArray[np.float64]:
    """All precisions of the grid, hardest first: ``grid()[k - FINAL_TARGET]`` is Δ_k, read-only.

    Each is the float64 nearest to 10**(k/20), so decades equal their literals.
    """
    with localcontext() as context:
        context.prec = 40
        roots = [
            Decimal(10) ** (Decimal(i) / TARGETS_PER_DECADE) for i in range(TARGETS_PER_DECADE)
        ]
        values = [
            float(roots[k % TARGETS_PER_DECADE].scaleb(k // TARGETS_PER_DECADE))
            for k in range(FINAL_TARGET, EASIEST_TARGET + 1)
        ]
    array = np.array(values)
    array.flags.writeable = False
    return array


def grid_value(k: int) -> float:
    """The precision Δ_k = 10**(k/20).

    Raises:
        ValueError: ``k`` is not on the grid.

    >>> grid_value(-160), grid_value(20), grid_value(-40)
    (1e-08, 10.0, 0.01)
    """
    if not FINAL_TARGET <= k <= EASIEST_TARGET:
        raise ValueError(f"k is {k}; it must be from {FINAL_TARGET} to {EASIEST_TARGET}")
    return float(grid()[k - FINAL_TARGET])


def grid_index(precision: float) -> int | None:
    """The ``k`` whose Δ_k is ``precision`` within a relative 1e-9; None where there is none.

    >>> grid_index(1e-8), grid_index(0.1), grid_index(0.3), grid_index(1e-9)
    (-160, -20, None, None)
    """
    if not precision > 0 or not np.isfinite(precision):
        return None
    k = round(float(np.log10(precision)) * TARGETS_PER_DECADE)
    if not FINAL_TARGET <= k <= EASIEST_TARGET:
        return None
    value = grid_value(k)
    return k if abs(precision - value) <= GRID_TOLERANCE * value else None


def hardest_hit(values: ArrayLike, thresholds: NDArray[np.float64]) -> NDArray[np.int16]:
    """The ``k`` of the hardest target that each value hits: value <= threshold of k.

    Args:
        values: Finite indicator values, any shape.
        thresholds: ``reference + grid()``: ascending, one for each target.

    Returns:
        Shape of ``values``; NO_TARGET where a value hits none.
    """
    position = np.searchsorted(thresholds, values, side="left")
    k = np.where(position < len(thresholds), position + FINAL_TARGET, NO_TARGET)
    return k.astype(np.int16)

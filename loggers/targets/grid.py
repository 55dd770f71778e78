"""Where runs are recorded: the grids of target precisions, and the evaluation counts.

Twenty targets a decade, Δ_k = 10**(k/20), hold the field's five a decade (k a multiple of 4)
exactly. With one objective the hardest target is 1e-8 (k = -160). An indicator that may go below
its reference, as the hypervolume does, has the targets 0 and -10**(k/20) besides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

TARGETS_PER_DECADE = 20
FINAL_TARGET = -160
"""k of the hardest positive target, 1e-8."""
EASIEST_TARGET = 6160
"""k of the easiest target, 1e308."""
LOWEST_TARGET = 160
"""k of the lowest negative target, -1e8."""
NO_TARGET = math.inf
"""Stands for the target of an evaluation that hits none, or where there is no reference."""
GRID_TOLERANCE = 1e-9
"""A precision within this relative distance of a grid value means the grid value."""


@dataclass(frozen=True, eq=False)
class TargetGrid:
    """Target precisions: ascending, so hardest first, and read-only."""

    values: NDArray[np.float64]

    def value_meant(self, precision: float) -> float | None:
        """The grid value within a relative 1e-9 of ``precision``; None where there is none.

        >>> POSITIVE.value_meant(0.1 * (1 + 1e-12)), POSITIVE.value_meant(0.3)
        (0.1, None)
        """
        if math.isnan(precision):
            return None
        place = int(np.searchsorted(self.values, precision))
        near = self.values[max(place - 1, 0) : place + 1].tolist()
        meant = (v for v in near if abs(precision - v) <= GRID_TOLERANCE * abs(v))
        return next(meant, None)

    def hardest_hit(self, precisions: NDArray[np.float64]) -> NDArray[np.float64]:
        """The hardest target that each precision hits, ``NO_TARGET`` where it hits none."""
        return np.append(self.values, NO_TARGET)[np.searchsorted(self.values, precisions)]


@cache
def grid() -> NDArray[np.float64]:
    """The positive precisions, hardest first: ``grid()[k - FINAL_TARGET]`` is Δ_k, read-only.

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


def _signed() -> NDArray[np.float64]:
    negative = -grid()[: LOWEST_TARGET - FINAL_TARGET + 1][::-1]
    values = np.concatenate([negative, [0.0], grid()])
    values.flags.writeable = False
    return values


POSITIVE = TargetGrid(grid())
"""10**(k/20) for k from -160: for one objective."""

SIGNED = TargetGrid(_signed())
"""Besides, 0 and -10**(k/20) for k from -160 to 160: for what may go below its reference."""


_SIGNED_INDICATORS = ("hypervolume", "unscaled")


def grid_of(indicator: str) -> TargetGrid:
    """The targets that apply to one of firsthit's indicators."""
    return SIGNED if indicator in _SIGNED_INDICATORS else POSITIVE


def grid_value(k: int) -> float:
    """The precision Δ_k = 10**(k/20); ValueError where ``k`` is not on the grid.

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
    value = POSITIVE.value_meant(precision)
    return None if value is None else int(np.searchsorted(grid(), value)) + FINAL_TARGET


_LAST_DECADE = 15


@lru_cache(maxsize=64)
def evaluation_schedule(dimension: int) -> tuple[int, ...]:
    """The counts 1, 2, 5 × 10^k × dimension and floor(10^(k/20)), ascending, up to 1e15.

    >>> evaluation_schedule(3)[:14]
    (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15, 17)
    """
    coarse = {factor * 10**k * dimension for factor in (1, 2, 5) for k in range(_LAST_DECADE)}
    fine = {int(value) for value in grid() if 1 <= value <= 10**_LAST_DECADE}
    return tuple(sorted(count for count in coarse | fine if count <= 10**_LAST_DECADE))

"""Define the grids of target precisions and the evaluation counts at which runs are recorded.

The targets are Δ_k = 10**(k/20) for integers k, so there are twenty per decade. They contain
exactly the five per decade that COCO uses (k is a multiple of 4). The hardest target of problems
with one objective is 1e-8 (k = -160). An indicator that may fall below its reference value, such as
the hypervolume, also has the targets 0 and -10**(k/20). Values of other programs differ from the
grid by rounding, so `TargetGrid.value_meant` and `grid_index` accept a relative distance of 1e-9.
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
"""Number k of the hardest positive target, 10**(k/20) = 1e-8."""
EASIEST_TARGET = 6160
"""Number k of the easiest target, 10**(k/20) = 1e308."""
LOWEST_TARGET = 160
"""Number k of the lowest negative target, -10**(k/20) = -1e8."""
NO_TARGET = math.inf
"""Recorded as the target if an evaluation hits none, or if a run has no reference value."""
GRID_TOLERANCE = 1e-9
"""A precision within this relative distance of a grid value means the grid value. The reason is
that data of COCO have ten digits. Neighbouring grid values differ by 12 %."""
_LAST_DECADE = 15
"""Power of ten of the last scheduled count; no run has so many evaluations."""


@dataclass(frozen=True, eq=False)
class TargetGrid:
    """Target precisions at which the hits of a run are recorded."""

    values: NDArray[np.float64]  # ascending, so the hardest is first; read-only

    def value_meant(self, precision: float) -> float | None:
        """Return the grid value within a relative distance of 1e-9 of ``precision``; None: none.

        >>> POSITIVE.value_meant(0.1 * (1 + 1e-12)), POSITIVE.value_meant(0.3)
        (0.1, None)
        """
        if math.isnan(precision):
            return None
        index = int(np.searchsorted(self.values, precision))
        neighbours = self.values[max(index - 1, 0) : index + 1].tolist()
        matches = (v for v in neighbours if abs(precision - v) <= GRID_TOLERANCE * abs(v))
        return next(matches, None)

    def hardest_hit(self, precisions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the hardest target that each precision hits; ``NO_TARGET`` if it hits none."""
        return np.append(self.values, NO_TARGET)[np.searchsorted(self.values, precisions)]


@cache
def grid() -> NDArray[np.float64]:
    """Return the positive targets, hardest first: ``grid()[k - FINAL_TARGET]`` is Δ_k; read-only.

    Each target is the float64 nearest to 10**(k/20), so powers of ten equal their literals.
    """
    with localcontext() as context:  # floating-point powers would be off by one unit
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


def _make_signed_grid() -> NDArray[np.float64]:
    """Return the values of `SIGNED`, ascending, read-only."""
    negative = -grid()[: LOWEST_TARGET - FINAL_TARGET + 1][::-1]
    values = np.concatenate([negative, [0.0], grid()])
    values.flags.writeable = False
    return values


POSITIVE = TargetGrid(grid())
"""Targets 10**(k/20) for k from -160, for indicators that never fall below the reference value."""

SIGNED = TargetGrid(_make_signed_grid())
"""Targets of `POSITIVE`, 0, and -10**(k/20) for k from -160 to 160, for other indicators."""

_SIGNED_INDICATORS = ("hypervolume", "unscaled")
"""Names of firsthit's indicators that may fall below the reference value."""


_OPTIMUM_INDICATORS = ("best-feasible", "noise-free")
"""Names of firsthit's indicators whose smallest possible value is the optimal value."""
_REFERENCE_TOLERANCE = 1e-8
"""Largest precision below 0 that counts as rounding, relative to reference values above 1."""


def grid_of(indicator: str) -> TargetGrid:
    """Return the grid of one of firsthit's own indicators by its name; `POSITIVE` for others."""
    return SIGNED if indicator in _SIGNED_INDICATORS else POSITIVE


def is_below_reference(
    indicator: str,
    precision: float | NDArray[np.float64],
    reference_value: float | NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Return whether a precision shows that the reference value is not the optimal value.

    Args:
        indicator: Name of the indicator. If values of it may be below the optimal value, the result
            is False.
        precision: The best precision of a run, or of several runs.
        reference_value: The value to which the precision is relative. NaN: the result is False.
    """
    tolerance = _REFERENCE_TOLERANCE * np.maximum(1.0, np.abs(reference_value))
    return np.asarray((indicator in _OPTIMUM_INDICATORS) & (precision < -tolerance))


def grid_value(k: int) -> float:
    """Return the target Δ_k = 10**(k/20).

    Raises:
        ValueError: ``k`` is outside of the grid.

    >>> grid_value(-160), grid_value(20), grid_value(-40)
    (1e-08, 10.0, 0.01)
    """
    if not FINAL_TARGET <= k <= EASIEST_TARGET:
        raise ValueError(f"k is {k}; it must be from {FINAL_TARGET} to {EASIEST_TARGET}")
    return float(grid()[k - FINAL_TARGET])


def grid_index(precision: float) -> int | None:
    """Return the ``k`` whose Δ_k is within a relative distance of 1e-9 of ``precision``, or None.

    >>> grid_index(1e-8), grid_index(0.1), grid_index(0.3), grid_index(1e-9)
    (-160, -20, None, None)
    """
    value = POSITIVE.value_meant(precision)
    return None if value is None else int(np.searchsorted(grid(), value)) + FINAL_TARGET


@lru_cache(maxsize=64)
def evaluation_schedule(dimension: int) -> tuple[int, ...]:
    """Return the evaluation counts at which the best precision of a run is recorded.

    They are 1, 2 and 5 × 10^k × dimension, and floor(10^(k/20)), up to 1e15, ascending.

    >>> evaluation_schedule(3)[:14]
    (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15, 17)
    """
    coarse = {factor * 10**k * dimension for factor in (1, 2, 5) for k in range(_LAST_DECADE)}
    fine = {int(value) for value in grid() if 1 <= value <= 10**_LAST_DECADE}
    return tuple(sorted(count for count in coarse | fine if count <= 10**_LAST_DECADE))

"""Budgets that results are asked for: numbers, ranges, and their unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from .parse import MOST_PER_DECADE, parse_numbers

Axis = Literal["evaluations/dimension", "evaluations"]
AXES: tuple[Axis, ...] = get_args(Axis)
Budgets = float | str | Iterable[float]

_MOST_EVALUATIONS = 2**53


def parse_budgets(value: Budgets) -> tuple[float, ...]:
    """Budgets from a number, several, or text such as ``"10,1e3"`` and ``"1..1e4/2"``.

    A range goes up, here with two budgets per decade evenly on the logarithmic scale.

    Returns:
        The budgets, ascending, each once.

    Raises:
        AssessmentError: Something is no number, not positive, not finite, or no budget is given.

    >>> parse_budgets("100, 10"), parse_budgets("1..1e2/1")
    ((10.0, 100.0), (1.0, 10.0, 100.0))
    """
    found = parse_numbers(value, _budget, _range, {})
    if not found:
        raise AssessmentError("budgets: none given; give numbers such as 10,1e3")
    return tuple(sorted(found))


def check_axis(axis: str) -> None:
    """Refuse what is no unit of budgets.

    Raises:
        UnknownNameError: There is no such unit.
    """
    if axis not in AXES:
        raise UnknownNameError.of("unit of budgets", axis, AXES)


def unit_of(axis: str, dimension: int) -> float:
    """What evaluations are divided by."""
    return 1.0 if axis == "evaluations" else float(dimension)


def counts_of(budgets: Iterable[float], unit: float) -> NDArray[np.int64]:
    """Evaluations within budgets: ``floor(budget * unit)``.

    >>> counts_of([0.5, 1.2, 100.0], 5.0)
    array([  2,   6, 500])
    """
    counts = np.array(list(budgets), dtype=np.float64) * unit * (1 + 1e-12)
    return np.floor(np.minimum(counts, _MOST_EVALUATIONS)).astype(np.int64)


def own_budgets(longest: float, unit: float) -> tuple[float, ...]:
    """The decades 1, 10, 100, … up to the first that the longest run ends within.

    >>> own_budgets(1505.0, 5.0)
    (1.0, 10.0, 100.0, 1000.0)
    """
    decades = max(0, math.ceil(math.log10(max(longest / unit, 1.0)) - 1e-12))
    return tuple(float(10**k) for k in range(decades + 1))


def _range(part: str, first: float, last: float, per_decade: int) -> tuple[float, ...]:
    if not first < last or not 1 <= per_decade <= MOST_PER_DECADE:
        raise AssessmentError(
            f"budgets: range {part!r} must go up, with 1 to {MOST_PER_DECADE} per decade, such as "
            "1..1e4/2"
        )
    steps = math.floor(math.log10(last / first) * per_decade + 1e-6)
    return tuple(float(f"{first * 10 ** (i / per_decade):.12g}") for i in range(steps + 1))


def _budget(item: object) -> float:
    try:
        budget = float(item)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise AssessmentError(
            f"budgets: {str(item)[:80]!r} is no number; give budgets such as 10,1e3"
        ) from None
    if isinstance(item, bool) or not 0 < budget < _MOST_EVALUATIONS:
        raise AssessmentError(f"budgets: {item} is no positive number of evaluations")
    return budget

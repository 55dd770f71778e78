"""Budgets that results are asked for: numbers, ranges, and their unit."""

from __future__ import annotations

import math
import re
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


_PER_DIMENSION = re.compile(r"\s*\*\s*(?:D|dimension)\b")


def parse_budgets(value: Budgets, axis: str = "evaluations/dimension") -> tuple[float, ...]:
    """Budgets from a number, several, or text such as ``"10,1e3"`` and ``"1..1e4/2"``.

    A range goes up, here with two budgets per decade evenly on the logarithmic scale. The unit is
    that of ``axis``; evaluations / dimension may be written as in campaigns, ``"100*D"``.

    Returns:
        The budgets, ascending, each once.

    Raises:
        AssessmentError: Something is no number, not positive, not finite, or no budget is given, or
            one is a multiple of the dimension where the unit is evaluations.

    >>> parse_budgets("100, 10"), parse_budgets("1..1e2/1"), parse_budgets("100*D")
    ((10.0, 100.0), (1.0, 10.0, 100.0), (100.0,))
    """
    if isinstance(value, str) and _PER_DIMENSION.search(value):
        if axis != "evaluations/dimension":
            raise AssessmentError(
                f"budgets: {value[:80]!r} is a multiple of the dimension, and the axis is in "
                f"{axis.partition(':')[0]}; write numbers, or take the axis evaluations/dimension"
            )
        value = _PER_DIMENSION.sub("", value)
    found = parse_numbers(value, _budget, _range, {})
    if not found:
        raise AssessmentError("budgets: none given; give numbers such as 10,1e3")
    return tuple(sorted(found))


def one_budget(value: float | str, axis: str = "evaluations/dimension") -> float:
    """The one budget that `parse_budgets` finds.

    Raises:
        AssessmentError: There are several, or as there.
    """
    found = parse_budgets(value, axis)
    if len(found) > 1:
        raise AssessmentError(f"budget: one is needed, {len(found)} are given")
    return found[0]


def budget_text(budget: float, axis: str = "evaluations/dimension") -> str:
    """A budget as campaigns write it.

    >>> budget_text(100.0), budget_text(1e6), budget_text(2.5), budget_text(50.0, "evaluations")
    ('100*D', '1e6*D', '2.5*D', '50')
    """
    number = f"{budget:.4g}".replace("e+0", "e").replace("e+", "e")
    if budget >= 1e5 and "e" not in number:
        number = f"{budget:.3g}".replace("e+0", "e")
    return f"{number}*D" if axis == "evaluations/dimension" else number


def check_axis(axis: str) -> None:
    """Refuse what is no unit of budgets.

    Raises:
        UnknownNameError: There is no such unit.
    """
    if axis not in AXES:
        raise UnknownNameError.of("unit of budgets", axis, AXES)


def unit_of(axis: str, dimension: int) -> float:
    """What evaluations are divided by; batches are counted as they are."""
    return float(dimension) if axis == "evaluations/dimension" else 1.0


def batch_size(axis: str) -> int | None:
    """P of the unit ``batches:P``; None of another unit.

    Raises:
        AssessmentError: P is no whole number from 1 on.

    >>> batch_size("batches:8"), batch_size("evaluations")
    (8, None)
    """
    kind, _, size = axis.partition(":")
    if kind != "batches":
        return None
    if not (size.isascii() and size.isdigit() and 0 < int(size) < _MOST_EVALUATIONS):
        raise AssessmentError(
            f"axis: {axis[:80]!r} needs the number of evaluations in a batch, such as batches:8"
        )
    return int(size)


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

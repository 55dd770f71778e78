"""Budgets that results are asked for: numbers, multiples of the dimension, ranges; their unit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from .parse import MOST_PER_DECADE, items_of, parse_numbers

Axis = Literal["evaluations/dimension", "evaluations"]
AXES: tuple[Axis, ...] = get_args(Axis)
Budgets = float | str | Iterable[float | str]

_TEXT_UNITS = {"evaluations/dimension": "*D", "seconds": " s"}
_TITLE_UNITS = {"evaluations/dimension": " · D", "seconds": " s"}
_MOST_EVALUATIONS = 2**53
_TIMES_DIMENSION = re.compile(r"(?<=[\d.])\s*\*?\s*(?:dimension|[dD])\b")
_TOLERANCE = 1e-12
"""Of products and quotients with a dimension, relative."""


class Budget(NamedTuple):
    """Evaluations: a number, or a multiple of the dimension.

    Attributes:
        factor: The number, or the multiple.
        per_dimension: Which of both.
    """

    factor: float
    per_dimension: bool = False

    def on(self, axis: str, dimension: int) -> float:
        """The budget in one dimension, in the unit ``axis``.

        >>> Budget(100.0, True).on("evaluations", 5), Budget(100.0).on("evaluations/dimension", 5)
        (500.0, 20.0)
        """
        if axis not in AXES:
            if self.per_dimension:
                raise AssessmentError(
                    f"budgets: {self} is a multiple of the dimension, and the axis is in "
                    f"{axis.partition(':')[0]}; write numbers"
                )
            return self.factor
        if self.factor < 1 and not self.per_dimension:
            raise AssessmentError(
                f"budgets: {self} is less than one evaluation; a multiple of the dimension is "
                f"written {self}*D"
            )
        if self.per_dimension == (axis != "evaluations"):
            return self.factor
        return self.factor * dimension if self.per_dimension else self.factor / dimension

    def __str__(self) -> str:
        return budget_text(self.factor, AXES[0] if self.per_dimension else AXES[1])


def parse_budgets(value: Budgets) -> tuple[Budget, ...]:
    """Budgets from a number, several, or text such as ``"10*D,1e3"`` and ``"1..1e4/2*D"``.

    A number is evaluations, as in campaigns; ``"50*D"``, ``"50 D"`` and ``"50D"`` are multiples of
    the dimension. A range goes up, here with two budgets per decade evenly on the logarithmic
    scale; it is of multiples if one of its numbers is.

    >>> [budget.factor for budget in parse_budgets("1..1e2/1")]
    [1.0, 10.0, 100.0]
    >>> parse_budgets("100*D, 30")
    (Budget(factor=30.0, per_dimension=False), Budget(factor=100.0, per_dimension=True))
    """
    found: set[Budget] = set()
    for item in items_of(value):
        text, times = _TIMES_DIMENSION.subn("", item) if isinstance(item, str) else (item, 0)
        numbers = parse_numbers(text if times or isinstance(item, str) else [item], _budget, _range)
        found.update(Budget(number, bool(times)) for number in numbers)
    if not found:
        raise AssessmentError("budgets: none given; give numbers such as 10*D,1e3*D or 500")
    return tuple(sorted(found, key=lambda budget: (budget.per_dimension, budget.factor)))


def budgets_on(budgets: Iterable[Budget], axis: str, dimension: int) -> tuple[float, ...]:
    """Budgets in one dimension and in the unit ``axis``, ascending, each once."""
    return tuple(sorted({budget.on(axis, dimension) for budget in budgets}))


def one_budget(value: float | str) -> Budget:
    """The one budget that `parse_budgets` finds."""
    found = parse_budgets(value)
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
    return f"{number}{_TEXT_UNITS.get(axis, '')}"


def budget_title(budget: float, axis: str) -> str:
    """A budget as figures write it.

    >>> budget_title(100.0, "evaluations/dimension"), budget_title(50.0, "evaluations")
    ('100 · D', '50')
    >>> budget_title(0.5, "seconds")
    '0.5 s'
    """
    return f"{budget:g}{_TITLE_UNITS.get(axis, '')}"


def titles_text(axis: str) -> str:
    """What `budget_title` writes, in words."""
    return "evaluations; D is the dimension" if axis == AXES[0] else axis_text(axis)


def axis_text(axis: str) -> str:
    """A unit of budgets in words.

    >>> axis_text("evaluations/dimension"), axis_text("batches:8"), axis_text("seconds")
    ('evaluations / dimension', 'batches of 8 evaluations', 'seconds')
    """
    size = batch_size(axis)
    return axis.replace("/", " / ") if size is None else f"batches of {size} evaluations"


def check_axis(axis: str) -> None:
    """Refuse what is no unit of budgets."""
    if axis not in AXES:
        raise UnknownNameError.of("unit of budgets", axis, AXES)


def unit_of(axis: str, dimension: int) -> float:
    """What evaluations are divided by; batches are counted as they are."""
    return float(dimension) if axis == "evaluations/dimension" else 1.0


def batch_size(axis: str) -> int | None:
    """P of the unit ``batches:P``; None of another unit.

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
    counts = np.array(list(budgets), dtype=np.float64) * unit * (1 + _TOLERANCE)
    return np.floor(np.minimum(counts, _MOST_EVALUATIONS)).astype(np.int64)


def own_budgets(ends: Iterable[float], unit: float, least: float = 1.0) -> tuple[float, ...]:
    """Powers of ten, usually from 1 on, below the longest run, and the ends of all.

    ``ends``, of the longest run of each algorithm, are divided by ``unit``; powers of ten begin
    at or below ``least``.

    >>> own_budgets([1505.0, 250.0], 5.0)
    (1.0, 10.0, 50.0, 100.0, 301.0)
    """
    return up_to_the_ends(ends, unit, math.floor(math.log10(least)), 1)


def up_to_the_ends(
    ends: Iterable[float], unit: float, first: int, per_decade: int
) -> tuple[float, ...]:
    """As `own_budgets`, from ``10**first`` on, with so many budgets per decade."""
    own = sorted({end / unit for end in ends if end > 0}) or [1.0]
    steps = math.ceil((math.log10(own[-1]) - first) * per_decade)
    grid = (10.0 ** (first + i / per_decade) for i in range(max(steps, 0)))
    apart = [b for b in grid if min(abs(b / end - 1) for end in own) > _TOLERANCE]
    return tuple(sorted([*apart, *own]))


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

"""Parse budgets from numbers or text, convert them between their units, and format them.

A `Budget` is a number of evaluations or a multiple of the dimension. A table has one unit of
budgets, its *axis*: evaluations divided by the dimension (the default), evaluations, ``batches:P``
(batches of P parallel evaluations), or seconds. Only the first two are an `Axis`, between which a
budget can be converted. Functions that take any unit therefore take a ``str``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from ..tables.csv_text import parse_number
from .parse import MOST_PER_DECADE, items_of, parse_numbers

Axis = Literal["evaluations/dimension", "evaluations"]
AXES: tuple[Axis, ...] = get_args(Axis)
AXIS: Axis = "evaluations/dimension"
"""The default unit of budgets."""
Budgets = float | str | Iterable[float | str]
"""Budgets as a user writes them; see `parse_budgets`."""

_TEXT_SUFFIXES = {"evaluations/dimension": "*D", "seconds": " s"}
_TITLE_SUFFIXES = {"evaluations/dimension": " · D", "seconds": " s"}
_MAX_EVALUATIONS = 2**53
"""The largest number up to which a float holds all integers."""
_MULTIPLE_OF_DIMENSION = re.compile(r"(?<=[\d.])\s*\*?\s*(?:dimension|[dD])\b")
_MIN_BUDGET_RATIO = 1.1
"""Minimum ratio of two budgets whose curves or shares are compared; closer ones look alike."""
_TOLERANCE = 1e-12
"""Relative tolerance of products and quotients with a dimension."""
_STEP_TOLERANCE = 1e-6
"""Tolerance of the number of steps in a range, so that rounding does not drop the last one."""


class Budget(NamedTuple):
    """A budget: a number of evaluations, or a multiple of the dimension.

    Attributes:
        factor: The number of evaluations, or the multiple.
        per_dimension: Whether the budget is a multiple of the dimension.
    """

    factor: float
    per_dimension: bool = False

    def on(self, axis: str, dimension: int) -> float:
        """Convert the budget to a unit, for one dimension.

        Args:
            axis: The unit. In seconds and batches, the factor is a number of this unit.
            dimension: The dimension.

        Raises:
            AssessmentError: The budget is a multiple of the dimension, and the unit is seconds or
                batches; or the budget is less than one evaluation.

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
        if self.per_dimension == (axis == "evaluations/dimension"):
            return self.factor
        return self.factor * dimension if self.per_dimension else self.factor / dimension

    def __str__(self) -> str:
        return budget_text(self.factor, AXES[0] if self.per_dimension else AXES[1])


def parse_budgets(value: Budgets) -> tuple[Budget, ...]:
    """Parse budgets from a number, several, or text such as ``"10*D,1e3"`` and ``"1..1e4/2*D"``.

    A number is evaluations, as in campaigns; ``"50*D"``, ``"50 D"`` and ``"50D"`` are multiples of
    the dimension. The range ``"1..1e4/2"`` has two budgets per decade, evenly spaced on the
    logarithmic scale. All budgets of a range are multiples if one of its ends is.

    Returns:
        The budgets without repetition: numbers before multiples, each in ascending order.

    Raises:
        AssessmentError: The value contains no budget, or something else.

    >>> [budget.factor for budget in parse_budgets("1..1e2/1")]
    [1.0, 10.0, 100.0]
    >>> parse_budgets("100*D, 30")
    (Budget(factor=30.0, per_dimension=False), Budget(factor=100.0, per_dimension=True))
    """
    budgets: set[Budget] = set()
    for item in items_of(value):
        numbers: str | list[float] = [item]
        is_multiple = False
        if isinstance(item, str):
            numbers, n_multiples = _MULTIPLE_OF_DIMENSION.subn("", item)
            is_multiple = n_multiples > 0
        factors = parse_numbers(numbers, _parse_budget, _parse_range)
        budgets.update(Budget(factor, is_multiple) for factor in factors)
    if not budgets:
        raise AssessmentError("budgets: none given; give numbers such as 10*D,1e3*D or 500")
    return tuple(sorted(budgets, key=lambda budget: (budget.per_dimension, budget.factor)))


def one_budget(value: float | str) -> Budget:
    """Parse a single budget.

    Raises:
        AssessmentError: The value is no budget, or contains several.
    """
    budgets = parse_budgets(value)
    if len(budgets) > 1:
        raise AssessmentError(f"budget: one is needed, {len(budgets)} are given")
    return budgets[0]


def budgets_on(budgets: Iterable[Budget], axis: str, dimension: int) -> tuple[float, ...]:
    """Convert budgets to a unit, for one dimension.

    Args:
        budgets: The budgets.
        axis: The unit.
        dimension: The dimension.

    Returns:
        The budgets in the unit, ascending, without repetition.

    Raises:
        AssessmentError: See `Budget.on`.
    """
    return tuple(sorted({budget.on(axis, dimension) for budget in budgets}))


def budget_text(budget: float, axis: str = AXIS) -> str:
    """Format a budget as campaigns write it.

    Args:
        budget: The budget in the unit.
        axis: The unit.

    >>> budget_text(100.0), budget_text(1e6), budget_text(2.5), budget_text(50.0, "evaluations")
    ('100*D', '1e6*D', '2.5*D', '50')
    """
    number = f"{budget:.4g}".replace("e+0", "e").replace("e+", "e")
    if budget >= 1e5 and "e" not in number:
        number = f"{budget:.3g}".replace("e+0", "e")
    return f"{number}{_TEXT_SUFFIXES.get(axis, '')}"


def budget_title(budget: float, axis: str) -> str:
    """Format a budget as figures write it.

    Args:
        budget: The budget in the unit.
        axis: The unit.

    >>> budget_title(100.0, "evaluations/dimension"), budget_title(50.0, "evaluations")
    ('100 · D', '50')
    >>> budget_title(0.5, "seconds")
    '0.5 s'
    """
    return f"{budget:g}{_TITLE_SUFFIXES.get(axis, '')}"


def titles_text(axis: str) -> str:
    """Explain the unit of `budget_title` in words."""
    return "evaluations; D is the dimension" if axis == AXES[0] else axis_text(axis)


def axis_text(axis: str) -> str:
    """Return a unit of budgets in words.

    >>> axis_text("evaluations/dimension"), axis_text("batches:8"), axis_text("seconds")
    ('evaluations / dimension', 'batches of 8 evaluations', 'seconds')
    """
    size = batch_size(axis)
    return axis.replace("/", " / ") if size is None else f"batches of {size} evaluations"


def check_axis(axis: str) -> None:
    """Raise an UnknownNameError unless ``axis`` is one of `AXES`."""
    if axis not in AXES:
        raise UnknownNameError.of("unit of budgets", axis, AXES)


def batch_size(axis: str) -> int | None:
    """Return P of the unit ``batches:P``; None for another unit.

    Raises:
        AssessmentError: P is no positive integer.

    >>> batch_size("batches:8"), batch_size("evaluations")
    (8, None)
    """
    kind, _, size = axis.partition(":")
    if kind != "batches":
        return None
    if not (size.isascii() and size.isdigit() and 0 < int(size) < _MAX_EVALUATIONS):
        raise AssessmentError(
            f"axis: {axis[:80]!r} needs the number of evaluations in a batch, such as batches:8"
        )
    return int(size)


def unit_of(axis: str, dimension: int) -> float:
    """Return the divisor that converts evaluations, batches or seconds to a unit of budgets.

    Args:
        axis: The unit.
        dimension: The dimension.

    Returns:
        The dimension if the unit is evaluations divided by the dimension; otherwise 1.
    """
    return float(dimension) if axis == "evaluations/dimension" else 1.0


def counts_of(budgets: Iterable[float], unit: float) -> NDArray[np.int64]:
    """Convert budgets to whole evaluations: ``floor(budget * unit)``, at most 2**53.

    Args:
        budgets: Budgets, as multiples of ``unit``.
        unit: Evaluations in one unit of the budgets.

    >>> counts_of([0.5, 1.2, 100.0], 5.0)
    array([  2,   6, 500])
    """
    evaluations = np.array(list(budgets), dtype=np.float64) * unit * (1 + _TOLERANCE)
    return np.floor(np.minimum(evaluations, _MAX_EVALUATIONS)).astype(np.int64)


def own_budgets(
    run_lengths: Iterable[float], unit: float, smallest: float = 1.0
) -> tuple[float, ...]:
    """Return the default budgets: powers of ten below the longest run, and all run lengths.

    Args:
        run_lengths: Evaluations or seconds of the longest run of each algorithm.
        unit: Evaluations or seconds in one unit of the budgets.
        smallest: The powers begin at the largest one that is not above this budget.

    Returns:
        Budgets in the unit, ascending.

    >>> own_budgets([1505.0, 250.0], 5.0)
    (1.0, 10.0, 50.0, 100.0, 301.0)
    """
    return up_to_the_ends(run_lengths, unit, math.floor(math.log10(smallest)), 1)


def distinct_budgets(
    run_lengths: Iterable[float], unit: float, smallest: float = 1.0
) -> tuple[float, ...]:
    """Return the budgets of `own_budgets` without those that look alike; the arguments are equal.

    >>> distinct_budgets([1505.0, 502.5, 475.0], 5.0)
    (1.0, 10.0, 100.5, 301.0)
    """
    return without_close_budgets(own_budgets(run_lengths, unit, smallest))


def without_close_budgets(budgets: Sequence[float]) -> tuple[float, ...]:
    """Remove budgets that are less than 10 % below the next one that stays.

    Args:
        budgets: Budgets, ascending.
    """
    kept: list[float] = []
    for budget in reversed(budgets):
        if not kept or _MIN_BUDGET_RATIO * budget <= kept[-1]:
            kept.append(budget)
    return tuple(reversed(kept))


def up_to_the_ends(
    run_lengths: Iterable[float], unit: float, first_exponent: int, per_decade: int
) -> tuple[float, ...]:
    """Return logarithmically spaced budgets below the longest run, and all run lengths.

    Args:
        run_lengths: Evaluations or seconds of the longest run of each algorithm.
        unit: Evaluations or seconds in one unit of the budgets.
        first_exponent: The first budget is ``10**first_exponent``.
        per_decade: Number of budgets per decade.

    Returns:
        Budgets in the unit, ascending. A budget that equals a run length is included once. If no
        run length is positive, the result is the same as for one run of length 1.
    """
    lengths = sorted({length / unit for length in run_lengths if length > 0}) or [1.0]
    n_steps = math.ceil((math.log10(lengths[-1]) - first_exponent) * per_decade)
    grid = (10.0 ** (first_exponent + i / per_decade) for i in range(max(n_steps, 0)))
    differing = [
        budget
        for budget in grid
        if min(abs(budget / length - 1) for length in lengths) > _TOLERANCE
    ]
    return tuple(sorted([*differing, *lengths]))


def _parse_range(text: str, first: float, last: float, per_decade: int) -> tuple[float, ...]:
    if not first < last or not 1 <= per_decade <= MOST_PER_DECADE:
        raise AssessmentError(
            f"budgets: range {text!r} must go up, with 1 to {MOST_PER_DECADE} per decade, such as "
            "1..1e4/2"
        )
    n_steps = math.floor(math.log10(last / first) * per_decade + _STEP_TOLERANCE)
    # twelve digits make powers of ten exact
    return tuple(float(f"{first * 10 ** (i / per_decade):.12g}") for i in range(n_steps + 1))


def _parse_budget(item: object) -> float:
    try:
        budget = parse_number(item) if isinstance(item, str) else float(item)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise AssessmentError(
            f"budgets: {str(item)[:80]!r} is no number; give budgets such as 10,1e3"
        ) from None
    if isinstance(item, bool) or not 0 < budget < _MAX_EVALUATIONS:
        raise AssessmentError(f"budgets: {item} is no positive number of evaluations")
    return budget

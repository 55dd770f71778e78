"""Parse target precisions and other lists of numbers that a user writes, and format targets.

A value is a number, several numbers, or text with numbers, ranges and names between commas.
`parse_targets` parses target precisions. `parse_numbers`, which budgets share, finds the parts of a
value, and calls a function for each kind of part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from ...loggers.targets.grid import FINAL_TARGET as FINAL_K
from ...loggers.targets.grid import GRID_TOLERANCE, TARGETS_PER_DECADE, grid_index, grid_value
from ...suites.measurement import COCO_TARGETS
from ..errors import AssessmentError
from ..tables.csv_text import parse_number

FINAL_TARGET = grid_value(FINAL_K)
"""The smallest positive target precision, 1e-8."""
Targets = float | str | Iterable[float]
"""Target precisions as a user writes them; see `parse_targets`."""

MOST_PER_DECADE = 1000
"""Maximum number of targets or budgets per decade in a range, so that a typo costs no memory."""
_RANGE = re.compile(r"(\S+?)\.\.([^/]+)/(\d+)")
_STEP_TOLERANCE = 1e-6
"""Tolerance of the number of steps in a range, so that rounding does not drop the last one."""


def bbob_targets() -> tuple[float, ...]:
    """Return the 51 target precisions of COCO's runtime profiles, 1e2 to 1e-8, five per decade.

    ``10**(2 - i/5)`` for ``i = 0 … 50``; the decades are the literals 1e2, 1e1, …, 1e-8.
    """
    return COCO_TARGETS


def decade_targets() -> tuple[float, ...]:
    """Return the ten target precisions 1e1, 1e0, …, 1e-8 of tables."""
    return tuple(grid_value(k) for k in range(TARGETS_PER_DECADE, FINAL_K - 1, -TARGETS_PER_DECADE))


def parse_targets(value: Targets) -> tuple[float, ...]:
    """Parse target precisions from a number, several, or text.

    Text is a list separated by commas. Its parts are precisions such as ``1e-8``, ``0`` or
    ``-1e-5``; ranges of positive precisions, such as ``1e2..1e-8/5``; and the names ``bbob``
    (COCO's 51 targets) and ``decades`` (1e1 … 1e-8). This range goes from the easiest to the
    hardest target, with five targets per decade evenly spaced on the logarithmic scale. Targets at
    and below 0 are for suites whose indicator may be below its reference value.

    Returns:
        The targets, easiest first, without repetition.

    Raises:
        AssessmentError: The value contains no target, or something else.

    >>> parse_targets("1e-8, 1e1, -1e-5, 0")
    (10.0, 1e-08, 0.0, -1e-05)
    >>> parse_targets("1e2..1e-8/5") == parse_targets("bbob") == bbob_targets()
    True
    """
    names = {"bbob": bbob_targets, "decades": decade_targets}
    targets = parse_numbers(value, _parse_target, _parse_range, names)
    if not targets:
        raise AssessmentError("targets: none given; give numbers such as 1e1,1e-8")
    return tuple(sorted(targets, reverse=True))


def parse_numbers(
    value: float | str | Iterable[float],
    parse_number: Callable[[object], float],
    parse_range: Callable[[str, float, float, int], tuple[float, ...]],
    names: Mapping[str, Callable[[], tuple[float, ...]]] = MappingProxyType({}),
) -> set[float]:
    """Parse numbers from a number, several, or text with numbers, ranges and names between commas.

    Args:
        value: The value.
        parse_number: Function that converts and checks one number, which may be text.
        parse_range: Function that returns the numbers of a range. Its arguments are the text of the
            range, both ends, and the number of steps per decade.
        names: Name to a function that returns the numbers that the name stands for.

    Returns:
        All numbers.

    Raises:
        AssessmentError: One of the functions refuses a part.
    """
    if not isinstance(value, str):
        return {parse_number(item) for item in items_of(value)}
    numbers: set[float] = set()
    for part in items_of(value):
        if part in names:
            numbers.update(names[part]())
        elif match := _RANGE.fullmatch(part):
            ends = parse_number(match[1]), parse_number(match[2])
            numbers.update(parse_range(part, *ends, int(match[3])))
        else:
            numbers.add(parse_number(part))
    return numbers


def numbers_of(
    value: object, is_allowed: Callable[[float], bool], refusal: str
) -> tuple[float, ...]:
    """Parse a number, several, or text with numbers between commas.

    Args:
        value: The value.
        is_allowed: Function that returns whether a number is allowed; called with NaN for an item
            that is no number.
        refusal: Message of the error, in which ``{}`` stands for the item.

    Returns:
        The numbers, ascending, without repetition.

    Raises:
        AssessmentError: An item is not allowed.
    """
    numbers = set()
    for item in items_of(value):
        try:
            number = parse_number(item) if isinstance(item, str) else float(item)
        except (TypeError, ValueError):
            number = math.nan
        if not is_allowed(number):
            raise AssessmentError(refusal.format(str(item)[:80]))
        numbers.add(number)
    return tuple(sorted(numbers))


def items_of(value: object) -> list[Any]:
    """Split a text at commas; return several values, or a single one, as a list."""
    if isinstance(value, str):
        return [item.strip() for item in value.split(",")]
    return list(value) if isinstance(value, Iterable) else [value]


def log_spaced(easiest: float, hardest: float, per_decade: int) -> tuple[float, ...]:
    """Return targets ``easiest * 10**(-i / per_decade)``, evenly spaced on the logarithmic scale.

    A target within a relative 1e-9 of the log's grid is replaced by the grid's value, so that
    decades equal their literals.

    Args:
        easiest: The first target, positive.
        hardest: Lower limit of the targets, positive; included only if a step meets it.
        per_decade: Number of targets per decade.

    >>> log_spaced(1.0, 0.01, 1)
    (1.0, 0.1, 0.01)
    """
    n_steps = math.floor(math.log10(easiest / hardest) * per_decade + _STEP_TOLERANCE)
    exponents = (math.log10(easiest) - i / per_decade for i in range(n_steps + 1))
    return tuple(_snap_to_grid(10.0**exponent) for exponent in exponents)


def target_text(target: float) -> str:
    """Format a target as people write it: ``1e-8``, not ``1e-08``; others with three digits.

    >>> [target_text(t) for t in (100.0, 0.003, 10**-2.6, 0.0, -1e-5)]
    ['1e2', '3e-3', '2.51e-3', '0', '-1e-5']
    """
    if target == 0:
        return "0"
    digits, exponent = f"{target:.2e}".split("e")
    return f"{digits.rstrip('0').rstrip('.')}e{int(exponent)}"


def _parse_target(item: object) -> float:
    try:
        target = parse_number(item) if isinstance(item, str) else float(item)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise AssessmentError(
            f"targets: {str(item)[:80]!r} is no number; give precisions such as 1e1,1e-8"
        ) from None
    is_below_final = 0 < target < FINAL_TARGET * (1 - GRID_TOLERANCE)
    if isinstance(item, bool) or not math.isfinite(target) or is_below_final:
        raise AssessmentError(
            f"targets: {item} is not available; a target is a precision of at least 1e-8, or 0 or "
            "less where a suite has such"
        )
    return target + 0.0  # no negative zero


def _parse_range(text: str, easiest: float, hardest: float, per_decade: int) -> tuple[float, ...]:
    if not easiest > hardest > 0 or not 1 <= per_decade <= MOST_PER_DECADE:
        raise AssessmentError(
            f"targets: range {text!r} must go from easiest to hardest, both positive, with 1 to "
            f"{MOST_PER_DECADE} targets per decade, such as 1e2..1e-8/5"
        )
    return log_spaced(easiest, hardest, per_decade)


def _snap_to_grid(target: float) -> float:
    """Return the value of the log's grid if the target is within the tolerance, else the target."""
    k = grid_index(target)
    return target if k is None else grid_value(k)

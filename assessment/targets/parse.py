"""Target precisions from what a user writes: numbers, ranges, names; and back to text."""

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

FINAL_TARGET = grid_value(FINAL_K)
Targets = float | str | Iterable[float]

MOST_PER_DECADE = 1000
_RANGE = re.compile(r"(\S+?)\.\.([^/]+)/(\d+)")


def bbob_targets() -> tuple[float, ...]:
    """The 51 target precisions of COCO's runtime profiles, 1e2 to 1e-8, five per decade.

    ``10**(2 - i/5)`` for ``i = 0 … 50``; the decades are the literals 1e2, 1e1, …, 1e-8.
    """
    return COCO_TARGETS


def decade_targets() -> tuple[float, ...]:
    """The ten target precisions 1e1, 1e0, …, 1e-8 of tables."""
    return tuple(grid_value(k) for k in range(TARGETS_PER_DECADE, FINAL_K - 1, -TARGETS_PER_DECADE))


def parse_targets(value: Targets) -> tuple[float, ...]:
    """Target precisions from a number, several, or text.

    Text is a list separated by commas of precisions such as ``1e-8``, ``0`` or ``-1e-5``, ranges of
    positive ones such as ``1e2..1e-8/5``, from the easiest to the hardest with five a decade evenly
    on the logarithmic scale, and the names ``bbob`` (COCO's 51) and ``decades`` (1e1 … 1e-8).
    Targets at and below 0 are for suites whose indicator goes below its reference. The easiest
    comes first, each once.

    >>> parse_targets("1e-8, 1e1, -1e-5, 0")
    (10.0, 1e-08, 0.0, -1e-05)
    >>> parse_targets("1e2..1e-8/5") == parse_targets("bbob") == bbob_targets()
    True
    """
    found = parse_numbers(value, _target, _range, _NAMES)
    if not found:
        raise AssessmentError("targets: none given; give numbers such as 1e1,1e-8")
    return tuple(sorted(found, reverse=True))


def parse_numbers(
    value: float | str | Iterable[float],
    number: Callable[[object], float],
    span: Callable[[str, float, float, int], tuple[float, ...]],
    names: Mapping[str, Callable[[], tuple[float, ...]]] = MappingProxyType({}),
) -> set[float]:
    """Numbers from a number, several, or text with numbers, ranges and names between commas.

    ``number`` reads one; ``span`` gives those of a range, from its text, both ends, and how
    many there are per decade.
    """
    if not isinstance(value, str):
        return {number(item) for item in items_of(value)}
    found: set[float] = set()
    for part in items_of(value):
        if part in names:
            found.update(names[part]())
        elif match := _RANGE.fullmatch(part):
            found.update(span(part, number(match[1]), number(match[2]), int(match[3])))
        else:
            found.add(number(part))
    return found


def numbers_of(value: object, allowed: Callable[[float], bool], refusal: str) -> tuple[float, ...]:
    """Numbers between commas or several, ascending, each once; `refusal` is said of others."""
    found = set()
    for item in items_of(value):
        try:
            number = float(item)
        except (TypeError, ValueError):
            number = math.nan
        if not allowed(number):
            raise AssessmentError(refusal.format(str(item)[:80]))
        found.add(number)
    return tuple(sorted(found))


def items_of(value: object) -> list[Any]:
    """What stands between the commas of a text; several values, or a single one, as they are."""
    if isinstance(value, str):
        return [item.strip() for item in value.split(",")]
    return list(value) if isinstance(value, Iterable) else [value]


def log_spaced(easiest: float, hardest: float, per_decade: int) -> tuple[float, ...]:
    """Targets ``easiest * 10**(-i / per_decade)`` down to ``hardest``, evenly on the log scale.

    Those within a relative 1e-9 of the log's grid are the grid's, so decades equal their literals;
    the hardest is there only if the steps meet it.

    >>> log_spaced(1.0, 0.01, 1)
    (1.0, 0.1, 0.01)
    """
    steps = math.floor(math.log10(easiest / hardest) * per_decade + 1e-6)
    exact = (math.log10(easiest) - i / per_decade for i in range(steps + 1))
    return tuple(_snapped(10.0**exponent) for exponent in exact)


def target_text(target: float) -> str:
    """A target as people write it: ``1e-8``, not ``1e-08``; others with three digits.

    >>> [target_text(t) for t in (100.0, 0.003, 10**-2.6, 0.0, -1e-5)]
    ['1e2', '3e-3', '2.51e-3', '0', '-1e-5']
    """
    if target == 0:
        return "0"
    digits, exponent = f"{target:.2e}".split("e")
    return f"{digits.rstrip('0').rstrip('.')}e{int(exponent)}"


def _range(part: str, easiest: float, hardest: float, per_decade: int) -> tuple[float, ...]:
    if not easiest > hardest > 0 or not 1 <= per_decade <= MOST_PER_DECADE:
        raise AssessmentError(
            f"targets: range {part!r} must go from easiest to hardest, both positive, with 1 to "
            f"{MOST_PER_DECADE} targets per decade, such as 1e2..1e-8/5"
        )
    return log_spaced(easiest, hardest, per_decade)


def _snapped(target: float) -> float:
    k = grid_index(target)
    return target if k is None else grid_value(k)


def _target(item: object) -> float:
    try:
        target = float(item)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise AssessmentError(
            f"targets: {str(item)[:80]!r} is no number; give precisions such as 1e1,1e-8"
        ) from None
    between = 0 < target < FINAL_TARGET * (1 - GRID_TOLERANCE)
    if isinstance(item, bool) or not math.isfinite(target) or between:
        raise AssessmentError(
            f"targets: {item} is not available; a target is a precision of at least 1e-8, or 0 or "
            "less where a suite has such"
        )
    return target + 0.0  # no negative zero


_NAMES = {"bbob": bbob_targets, "decades": decade_targets}

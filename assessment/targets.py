"""Target precisions that results are asked for: COCO's 51, decades, or the user's own."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..loggers.targets import FINAL_TARGET as FINAL_K
from ..loggers.targets import GRID_TOLERANCE, TARGETS_PER_DECADE, grid_value
from .errors import AssessmentError

FINAL_TARGET = grid_value(FINAL_K)
Targets = float | str | Iterable[float]


def bbob_targets() -> tuple[float, ...]:
    """The 51 target precisions of COCO's runtime profiles, 1e2 to 1e-8, five per decade.

    ``10**(2 - i/5)`` for ``i = 0 … 50``; the decades are the literals 1e2, 1e1, …, 1e-8.
    """
    return _grid_down(2 * TARGETS_PER_DECADE, TARGETS_PER_DECADE // 5)


def decade_targets() -> tuple[float, ...]:
    """The ten target precisions 1e1, 1e0, …, 1e-8 of tables."""
    return _grid_down(TARGETS_PER_DECADE, TARGETS_PER_DECADE)


def parse_targets(value: Targets) -> tuple[float, ...]:
    """Target precisions from a number, several, or text such as ``"1e1,1e-8"``.

    Returns:
        The targets, easiest first, each once.

    Raises:
        AssessmentError: Something is no number, no target is given, or a target is not finite or
            smaller than the final target 1e-8, at which runs end.

    >>> parse_targets("1e-8, 1e1")
    (10.0, 1e-08)
    """
    if isinstance(value, str):
        items: list[object] = [part.strip() for part in value.split(",")]
    else:
        items = list(value) if isinstance(value, Iterable) else [value]
    if not items:
        raise AssessmentError("targets: none given; give numbers such as 1e1,1e-8")
    return tuple(sorted({_target(item) for item in items}, reverse=True))


def target_text(target: float) -> str:
    """A target as people write it: ``1e-8``, not ``1e-08``; others with three digits.

    >>> [target_text(t) for t in (100.0, 1e-8, 0.003, 10**-2.6)]
    ['1e2', '1e-8', '3e-3', '2.51e-3']
    """
    digits, exponent = f"{target:.2e}".split("e")
    return f"{digits.rstrip('0').rstrip('.')}e{int(exponent)}"


def _target(item: object) -> float:
    try:
        target = float(item)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise AssessmentError(
            f"targets: {str(item)[:80]!r} is no number; give precisions such as 1e1,1e-8"
        ) from None
    if (
        isinstance(item, bool)
        or not math.isfinite(target)
        or target < FINAL_TARGET * (1 - GRID_TOLERANCE)
    ):
        raise AssessmentError(
            f"targets: {item} is not available; a target is a precision of at least 1e-8, "
            "the final target at which runs end"
        )
    return target


def _grid_down(easiest: int, step: int) -> tuple[float, ...]:
    """Targets of the log's grid from index ``easiest`` down to the final one."""
    return tuple(grid_value(k) for k in range(easiest, FINAL_K - 1, -step))

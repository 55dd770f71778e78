"""Targets that a question takes where its user names none: from what the suite says of itself.

Each function takes the suite's `Measurement`, as its log has it, and returns precisions, easiest
first. They are the field's usual ones where the suite has these, and the suite's own elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...loggers.targets.grid import FINAL_TARGET, GRID_TOLERANCE, grid_value
from ...suites.measurement import Measurement

Default = Callable[[Measurement], tuple[float, ...]]

REPORT_TARGETS = (1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-8)
COCO_TARGETS = (1e1, 1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7)
PAIR_TARGETS = (1e1, 1e-1, 1e-4, 1e-8)
SUMMARY_TARGETS = (1e-1, 1e-8)
_EASIEST_DECADE = 10.0
_EASIEST_LOSS = 200


OF_TWO_OBJECTIVES = ("hypervolume", "igd+", "epsilon")
"""Indicators of suites with two objectives."""


def allows_restarts(measurement: Measurement) -> bool:
    """Whether runs on several instances stand for repetitions of one experiment.

    Not with two objectives, as in cocopp: references of instances are of unequal quality, so an
    instance on which a target is easy says nothing of a restart on another.
    """
    return measurement.indicator not in OF_TWO_OBJECTIVES


def all_targets(measurement: Measurement) -> tuple[float, ...]:
    """All targets of the suite, as profiles take them: COCO's 51 of bbob."""
    return measurement.targets


def decades(measurement: Measurement) -> tuple[float, ...]:
    """The suite's targets that are 0 or plus or minus a power of ten, from 10 on; else all.

    >>> decades(Measurement())[:3], decades(Measurement(targets=(0.3, 0.2)))
    ((10.0, 1.0, 0.1), (0.3, 0.2))
    """
    whole = [t for t in measurement.targets if t <= _EASIEST_DECADE and _is_decade(t)]
    return tuple(whole) if any(whole) else measurement.targets


def hardest(measurement: Measurement) -> tuple[float, ...]:
    """The final target; without one, the hardest of the suite's targets."""
    final = measurement.final_target
    return measurement.targets[-1:] if final is None else (final,)


def report_targets(measurement: Measurement) -> tuple[float, ...]:
    """Of the report's table: 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-8, else the `decades`."""
    return _usual(REPORT_TARGETS, measurement) or decades(measurement)


def coco_table_targets(measurement: Measurement) -> tuple[float, ...]:
    """Of COCO's table: 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, else the `decades`."""
    return _usual(COCO_TARGETS, measurement) or decades(measurement)


def pair_targets(measurement: Measurement) -> tuple[float, ...]:
    """Of ratios and scaling: 1e1, 1e-1, 1e-4, 1e-8; else four spread over the suite's targets."""
    return _usual(PAIR_TARGETS, measurement) or _spread(4, measurement)


def summary_targets(measurement: Measurement) -> tuple[float, ...]:
    """Of the short table after a campaign: 1e-1 and 1e-8; else one in the middle, and the last."""
    return _usual(SUMMARY_TARGETS, measurement) or _spread(2, measurement)


def loss_targets(measurement: Measurement) -> tuple[float, ...]:
    """COCO's five per decade from 1e10 to the hardest; the suite's own where one is not positive.

    >>> len(loss_targets(Measurement())), loss_targets(Measurement(targets=(1.0, 0.0)))
    (91, (1.0, 0.0))
    """
    last = hardest(measurement)[0]
    if last <= 0 or measurement.targets[-1] <= 0:
        return measurement.targets
    grid = (grid_value(k) for k in range(_EASIEST_LOSS, FINAL_TARGET - 1, -4))
    return tuple(target for target in grid if target >= last * (1 - GRID_TOLERANCE))


def _usual(targets: tuple[float, ...], measurement: Measurement) -> tuple[float, ...]:
    """The targets if the suite has them all; else none."""
    return targets if set(targets) <= set(measurement.targets) else ()


def _spread(n: int, measurement: Measurement) -> tuple[float, ...]:
    """So many of the suite's targets, evenly spaced in their order, the last being the hardest."""
    own = measurement.targets
    return tuple(dict.fromkeys(own[len(own) * i // n - 1] for i in range(1, n + 1)))


def _is_decade(target: float) -> bool:
    if target == 0:
        return True
    exponent = math.log10(abs(target))
    return abs(exponent - round(exponent)) < GRID_TOLERANCE

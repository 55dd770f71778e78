"""The targets whose first hits a run recorded for certain, by what it recorded."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..records.run_record import Record
from ..targets.grid import SIGNED, TARGETS_PER_DECADE, grid

Array = NDArray[np.float64]

FINAL = float(grid()[0])
"""1e-8, the hardest of the targets that every run records; harder ones need their own indicator."""
_PER_DECADE: dict[Record, int] = {
    "targets": TARGETS_PER_DECADE,
    "improvements": TARGETS_PER_DECADE,
    "targets_10": 10,
    "targets_5": 5,
}


@cache
def recorded_targets(record: Record) -> Array:
    """Precisions, ascending, of the targets whose first hits are among the hits of a run.

    Those at and below 0 are among them only for a run that recorded such targets at all, which it
    did if it hit one. Empty for ``sampled``.
    """
    if record not in _PER_DECADE:
        return np.empty(0)
    step = TARGETS_PER_DECADE // _PER_DECADE[record]
    positive = grid()[::step]
    if record == "targets_5":
        return positive
    negative = -positive[-positive >= SIGNED.values[0]][::-1]
    return np.concatenate([negative, [0.0], positive])

"""What a run has several of: the tables of one run, and the types of their rows.

These types are also those of the log's compound datasets, so plain h5py shows the same names. All
numbers are little-endian, text is UTF-8 of fixed length.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_REASON_BYTES = 200
MAX_NOTE_NAME_BYTES = 64

HITS = np.dtype(
    [
        ("target", "<f8"),  # precision of the hardest grid target that it hits; inf: none
        ("evaluation", "<i8"),  # number of the evaluation, counted from 1
        ("precision", "<f8"),  # indicator minus reference; the indicator where there is none
        ("constraints", "<i8"),  # evaluations of the constraints made by then
    ]
)
TRAJECTORY = np.dtype(
    [
        ("evaluation", "<i8"),
        ("precision", "<f8"),  # best so far; inf while no finite value was seen
        ("constraints", "<i8"),
    ]
)
RESTARTS = np.dtype(
    [
        ("evaluation", "<i8"),  # made before the restart
        ("seed", "<u8"),  # of what follows; 0 where not known
        ("start_hash", "S16"),  # SHA-256 of the start point as <f8, first 16 hexadecimal characters
        ("reason", f"S{MAX_REASON_BYTES}"),
    ]
)
RECOMMENDATIONS = np.dtype([("evaluation", "<i8"), ("precision", "<f8")])
NOTES = np.dtype([("evaluation", "<i8"), ("name", f"S{MAX_NOTE_NAME_BYTES}"), ("value", "<f8")])
ARCHIVE = np.dtype([("evaluation", "<i8"), ("y1", "<f8"), ("y2", "<f8")])
OBJECTIVES = np.dtype(  # two rows a run, first objective first
    [
        ("ideal", "<f8"),  # the objective's minimum
        ("nadir", "<f8"),  # its worst value among the optimal compromises
    ]
)
NUMBERS = np.dtype([("x", "<f8")])
SECONDS = np.dtype([("seconds", "<f8")])  # since the run's start; a row a hit, or none
ORIGIN = np.dtype(
    [("host", "S64")]
)  # the machine whose clock gave the seconds; a row a run, or none

TARGET_UNIT = np.dtype([("unit", "<f8")])  # one row a run, or none where it is 1

DROPPED = np.dtype(  # of evaluations in parallel: at restarts, and at the end of the run
    [
        ("evaluation", "<i8"),  # number of the last of them: they count, their values are unknown
        ("count", "<i8"),  # how many were under way
    ]
)

TABLES: dict[str, np.dtype[Any]] = {
    "hits": HITS,  # first hits, or all improvements
    "trajectory": TRAJECTORY,  # best so far at scheduled counts and at the last evaluation
    "restarts": RESTARTS,
    "recommendations": RECOMMENDATIONS,
    "recommended_solutions": NUMBERS,  # all numbers of one solution, then those of the next
    "notes": NOTES,
    "best_solutions": NUMBERS,  # the best point of a run, or nothing
    "archive": ARCHIVE,
    "objectives": OBJECTIVES,  # ideal and nadir: two rows of a run, or none
    "hit_seconds": SECONDS,
    "origin": ORIGIN,
    "target_unit": TARGET_UNIT,  # what the suite's targets are multiplied by
    "trajectory_seconds": SECONDS,  # as of hits
    "dropped": DROPPED,
}
"""What a run may have several of, by name, in the order of the log. A log may lack any of them."""

Rows = NDArray[Any]
"""Rows of one of these types, shape ``(n,)``: ``rows["evaluation"]`` is a column."""


def as_rows(dtype: np.dtype[Any], *columns: Any) -> Rows:
    """Rows of this type from its columns, in order; columns left out are 0 or empty.

    >>> as_rows(HITS, [10.0, 1e-8], [1, 7], [9.5, 3e-9])["evaluation"]
    array([1, 7])
    """
    rows = np.zeros(len(columns[0]) if columns else 0, dtype)
    for name, column in zip(dtype.names or (), columns, strict=False):
        rows[name] = column
    return rows


@cache
def no_rows(dtype: np.dtype[Any]) -> Rows:
    """The empty table of this type, read-only and shared."""
    rows = np.zeros(0, dtype)
    rows.flags.writeable = False
    return rows

"""Define the variable-length tables of a run: their names and the types of their rows.

These types are also those of the log's compound datasets, so plain h5py shows the same names. All
numbers are little-endian, text is UTF-8 of fixed length. ``hdf5/descriptions.py`` has a text on
each table and column, with unit and missing value. A change of these types needs a new version of
the log format, see ``hdf5/schema.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_REASON_BYTES = 200
"""Maximum length of the reason of a restart."""
EVALUATIONS_LIMIT = 2**53
"""A run has fewer evaluations of f and g together, because assessments compute in float64."""
MAX_NOTE_NAME_BYTES = 64
"""Maximum length of the name of a logged parameter."""

HITS = np.dtype(
    [
        ("target", "<f8"),  # hardest target of the grid that the evaluation hits; inf: none
        ("evaluation", "<i8"),  # number of the evaluation, counted from 1
        # Indicator value minus reference value. With two objectives: reference value minus
        # hypervolume, plus the distance while the hypervolume is 0. Without a reference value: the
        # indicator value.
        ("precision", "<f8"),
        ("constraints", "<i8"),  # evaluations of the constraints up to the hit
    ]
)
TRAJECTORY = np.dtype(
    [
        ("evaluation", "<i8"),
        ("precision", "<f8"),  # best-so-far value; inf before the first finite value
        ("constraints", "<i8"),
    ]
)
RESTARTS = np.dtype(
    [
        ("evaluation", "<i8"),  # evaluations before the restart
        ("seed", "<u8"),  # seed of the new start; 0: unknown
        ("start_hash", "S16"),  # SHA-256 of the start point as <f8, first 16 hexadecimal characters
        ("reason", f"S{MAX_REASON_BYTES}"),
    ]
)
RECOMMENDATIONS = np.dtype([("evaluation", "<i8"), ("precision", "<f8")])
NOTES = np.dtype([("evaluation", "<i8"), ("name", f"S{MAX_NOTE_NAME_BYTES}"), ("value", "<f8")])
ARCHIVE = np.dtype([("evaluation", "<i8"), ("y1", "<f8"), ("y2", "<f8")])
OBJECTIVES = np.dtype(  # two rows for each run, the first objective first
    [
        ("ideal", "<f8"),  # the objective's minimum
        ("nadir", "<f8"),  # the largest value of the objective in the Pareto set
    ]
)
NUMBERS = np.dtype([("x", "<f8")])
SECONDS = np.dtype([("seconds", "<f8")])  # since the start of the run; a row for each hit, or none
# machine whose clock measured the seconds; one row for each run, or none in simulated time
ORIGIN = np.dtype([("host", "S64")])
TARGET_UNIT = np.dtype([("unit", "<f8")])  # one row for each run, or none if the unit is 1
DROPPED = np.dtype(  # pending evaluations in parallel time, at restarts and at the end of the run
    [
        # Number of the last of them. They count as evaluations, but their values are unknown.
        ("evaluation", "<i8"),
        ("count", "<i8"),  # number of pending evaluations
    ]
)
EVALUATED = np.dtype(  # an evaluation whose point was recorded
    [
        ("evaluation", "<i8"),  # number of the evaluation, counted from 1
        ("value", "<f8"),  # value that the algorithm received; with noise: the noisy value
        ("second_value", "<f8"),  # value of the second objective; NaN: there is one objective
    ]
)

TABLES: dict[str, np.dtype[Any]] = {
    "hits": HITS,  # first hits, or all improvements
    "trajectory": TRAJECTORY,  # best-so-far value at scheduled counts and at the last evaluation
    "restarts": RESTARTS,
    "recommendations": RECOMMENDATIONS,
    "recommended_solutions": NUMBERS,  # all numbers of one solution, then those of the next
    "notes": NOTES,
    "best_solutions": NUMBERS,  # best point of a run, or no rows
    "archive": ARCHIVE,
    "objectives": OBJECTIVES,  # ideal and nadir point: two rows for each run, or none
    "hit_seconds": SECONDS,
    "origin": ORIGIN,
    "target_unit": TARGET_UNIT,  # factor of the suite's targets
    "trajectory_seconds": SECONDS,  # one row for each row of trajectory, or none
    "dropped": DROPPED,
    "hit_solutions": NUMBERS,  # points of the first rows of hits, one after the other
    "evaluations": EVALUATED,
    "evaluated_solutions": NUMBERS,  # points of the rows of evaluations, one after the other
}
"""Type of the rows of each variable-length table, in the order of the log; all are optional."""


def check_sizes(sizes: Mapping[str, Any], dimension: Any) -> list[tuple[str, Any]]:
    """Check the numbers of rows that one run or many runs have in each table.

    `RunRecord` checks one run with integers, and `check_content.py` checks many runs with arrays,
    so that a log refuses no run that was recorded.

    Args:
        sizes: Number of rows in each table of `TABLES`: an integer, or integers of shape
            ``(n_runs,)``.
        dimension: Dimension of the problem, at least 1: an integer, or integers of shape
            ``(n_runs,)``.

    Returns:
        Each rule as a sentence, and whether the sizes obey it: a boolean, or booleans of shape
        ``(n_runs,)``.
    """
    n_best, n_solutions = sizes["best_solutions"], sizes["recommended_solutions"]
    n_hit_seconds, n_trajectory_seconds = sizes["hit_seconds"], sizes["trajectory_seconds"]
    n_objectives = sizes["objectives"]
    n_hit_numbers, n_numbers = sizes["hit_solutions"], sizes["evaluated_solutions"]
    return [
        (
            "the best solution must have one number for each variable, or none",
            (n_best == 0) | (n_best == dimension),
        ),
        (  # by division, because a product of two numbers from a damaged file may overflow
            "recommended solutions must have one number for each recommendation and variable",
            (n_solutions % dimension == 0) & (n_solutions // dimension == sizes["recommendations"]),
        ),
        (
            "objectives must have one row for each of two objectives, or none",
            (n_objectives == 0) | (n_objectives == 2),
        ),
        (
            "hit_seconds must have one row for each row of hits, or none",
            (n_hit_seconds == 0) | (n_hit_seconds == sizes["hits"]),
        ),
        (
            "trajectory_seconds must have one row for each row of the trajectory, or none",
            (n_trajectory_seconds == 0) | (n_trajectory_seconds == sizes["trajectory"]),
        ),
        ("origin must have at most one row", sizes["origin"] <= 1),
        (
            "hit_solutions must have one number for each variable, for at most the rows of hits",
            (n_hit_numbers % dimension == 0) & (n_hit_numbers // dimension <= sizes["hits"]),
        ),
        (
            "evaluated_solutions must have one number for each row of evaluations and variable",
            (n_numbers % dimension == 0) & (n_numbers // dimension == sizes["evaluations"]),
        ),
        ("target_unit must have at most one row", sizes["target_unit"] <= 1),
    ]


def count_point_bytes(dimension: int) -> int:
    """Return the size of a row of ``evaluations`` and its point in bytes, before compression."""
    return EVALUATED.itemsize + NUMBERS.itemsize * dimension


Rows = NDArray[Any]
"""Rows of one of these types, shape ``(n,)``: ``rows["evaluation"]`` is a column."""


def as_rows(dtype: np.dtype[Any], *columns: Any) -> Rows:
    """Return rows with given columns.

    Args:
        dtype: Type of the rows.
        columns: Values of the first columns of the type, in order, each of shape ``(n,)``. The
            other columns are 0 or empty.

    >>> as_rows(HITS, [10.0, 1e-8], [1, 7], [9.5, 3e-9])["evaluation"]
    array([1, 7])
    """
    rows = np.zeros(len(columns[0]) if columns else 0, dtype)
    for name, column in zip(dtype.names or (), columns, strict=False):
        rows[name] = column
    return rows


@cache
def no_rows(dtype: np.dtype[Any]) -> Rows:
    """Return an empty array of rows of this type, which is read-only and shared by all callers."""
    rows = np.zeros(0, dtype)
    rows.flags.writeable = False
    return rows

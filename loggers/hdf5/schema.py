"""Names, types and version of everything in a log file: the one place where the format stands.

A file holds flat columns. ``runs`` has one record a run. What a run has several of stands in ragged
tables: group ``hits`` holds the columns of all runs one after the other, and ``hits/offset`` of
length n_runs + 1 says where each run's part begins. Text stands once, in ``algorithms``,
``functions``, ``messages`` and ``headers``; runs refer to it by position. All numbers are
little-endian, all text is UTF-8 of fixed length; no links, no variable lengths, no pickles.

Before the HDF5 content stands HDF5's user block of 512 bytes, with text: the format's name and the
SHA-256 of all that follows. A reader compares it before HDF5 looks at the file, since the HDF5
library can crash or loop for ever on damaged files.

Runs that were imported from data of others hold what those data hold. Where they give precisions
without the value that these are measured from, ``reference_value`` is 0: a precision is then the
recorded value itself, and targets apply to it as to any other.

History:
    1: the first.
"""

from __future__ import annotations

import numpy as np

from ..records.run_record import MAX_REASON_BYTES, MAX_TEXT_BYTES, Hits, Restarts, Trajectory

FORMAT = "firsthit log"
HEAD_BYTES = 512
SCHEMA_VERSION = 1
SUFFIX = ".h5"
PARTS_SUFFIX = ".h5.parts"

RUNS = np.dtype(
    [
        ("key", "S32"),  # SHA-256 of the names that make the run, 32 hexadecimal characters
        ("header", "<u4"),  # row of headers: campaign, parameters, provenance
        ("algorithm", "<u4"),  # row of algorithms
        ("function_row", "<u4"),  # row of functions
        ("message", "<u4"),  # row of messages: the error, or why a run ended by itself
        ("function", "<u4"),
        ("dimension", "<u4"),
        ("instance", "<u8"),
        ("repetition", "<u4"),
        ("stage", "<u4"),
        ("campaign_seed", "<u8"),
        ("seed", "<u8"),
        ("budget", "<i8"),  # evaluations; -1: no limit
        ("evaluations", "<i8"),
        ("evaluations_constraints", "<i8"),
        ("reference_value", "<f8"),  # NaN: none; imported data that do not tell it: 0
        ("best_precision", "<f8"),  # inf: no finite value seen
        ("status", "<u1"),  # position in record.STATUSES
        ("record", "<u1"),  # position in record.RECORDS
        ("wall_seconds", "<f8"),
        ("cpu_seconds", "<f8"),
        ("problem_seconds", "<f8"),
        ("crc32", "<u4"),  # of all of the run but times, error text and positions of text
    ]
)

FUNCTION_TEXTS = ("suite", "suite_version", "name", "group")
"""Text columns of ``functions``; beside them stands the number, ``function`` (u4)."""

RAGGED: dict[str, dict[str, str]] = {
    "hits": Hits.dtypes,
    "trajectory": Trajectory.dtypes,
    "restarts": Restarts.dtypes,
    "recommendations": {"evaluation": "<i8", "precision": "<f8"},
    "recommended_solutions": {"x": "<f8"},
    "best_solution": {"x": "<f8"},
}
OFFSET = "<u8"

OPTIONAL: dict[str, float] = {"hits/constraints": 0, "trajectory/constraints": 0}
"""Columns added since version 1 was first written, such as ``runs/x`` or ``hits/y``, and what a
reader takes for them where a log does not have them. Checksums leave them out."""

TEXT_LIMITS = {
    "algorithms": 200,
    "functions": 200,
    "messages": MAX_TEXT_BYTES,
    "headers": 16 * 2**20,
    "restarts/start_hash": 16,
    "restarts/reason": MAX_REASON_BYTES,
}
"""Longest text in bytes."""

CHUNK_ROWS = 65536

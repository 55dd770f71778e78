"""Names, types and version of everything in a log file: the one place where the format stands.

``runs`` has one record a run. What a run has several of stands in one dataset for all runs, one run
after the other, such as ``hits``; the dataset ``hits_offsets`` beside it has ``n_runs + 1``
numbers, and run ``i`` owns the rows ``hits_offsets[i]`` to ``hits_offsets[i + 1] - 1``. Where no
run has any rows, both are left out. With plain h5py::

    with h5py.File("results.h5") as file:
        runs = pandas.DataFrame(file["runs"][:])
        start, stop = file["hits_offsets"][7:9]
        hits = file["hits"][start:stop]  # of run 7: target, evaluation, precision, constraints
        algorithm = file["algorithms"].asstr()[runs.algorithm[7]]

Text stands once, in ``headers`` (JSON), ``algorithms``, ``suites``, ``functions``, ``messages`` and
``references``; ``runs`` refers to it by position. All numbers are little-endian, all text is UTF-8
of fixed length; no links, no variable lengths, no pickles.

Before the HDF5 content stands HDF5's user block of 512 bytes, with text: the format's name and the
SHA-256 of all that follows. A reader compares it before HDF5 looks at the file.

Runs that were imported from data of others hold what those data hold. Where they give precisions
without the value that these are measured from, ``reference_value`` is 0: a precision is then the
recorded value itself, and targets apply to it as to any other.

History:
    2: compound datasets; what suites say of their measurement; notes; with two objectives
        archives, ideal and nadir points; names of references.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..records.log_header import MAX_HEADER_BYTES
from ..records.run_record import MAX_TEXT_BYTES

FORMAT = "firsthit log"
HEAD_BYTES = 512
SCHEMA_VERSION = 2
SUFFIX = ".h5"
PARTS_SUFFIX = ".h5.parts"
JOURNAL_SUFFIX = ".journal"

RUNS = np.dtype(
    [
        ("key", "S32"),  # SHA-256 of the names that make the run, 32 hexadecimal characters
        ("header", "<u4"),  # row of headers: campaign, parameters, provenance
        ("algorithm", "<u4"),  # row of algorithms
        ("function_row", "<u4"),  # row of functions
        ("message", "<u4"),  # row of messages: the error, or why a run ended by itself
        ("reference", "<u4"),  # row of references: where reference_value comes from
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
        ("status", "<u1"),  # position in records.run_record.STATUSES
        ("record", "<u1"),  # position in records.run_record.RECORDS
        ("archive_kept", "<u1"),  # position in records.run_record.ARCHIVES_KEPT
        ("wall_seconds", "<f8"),
        ("cpu_seconds", "<f8"),
        ("problem_seconds", "<f8"),
    ]
)

OFFSETS = "_offsets"
"""What is added to a table's name for the dataset of its offsets, int64 ``(n_runs + 1,)``."""
OFFSET = np.dtype("<i8")

TEXT_LIMITS = {
    "headers": MAX_HEADER_BYTES,
    "algorithms": 200,
    "messages": MAX_TEXT_BYTES,
    "references": 200,
    "suites": 2**16,
    "functions": 200,
}
"""Longest text in bytes, in a dataset or in a field of its rows."""

SUITE_TEXTS = ("name", "version", "indicator", "targets")
"""Text fields of ``suites``; ``targets`` is a JSON list, easiest first. Beside them stands
``final_target``, float64, NaN where no target ends a run."""
FUNCTION_TEXTS = ("suite", "name", "group")
"""Text fields of ``functions``; beside them stands ``function``, its number in the suite."""

_TEXT_ROWS = {
    "suites": (SUITE_TEXTS, ("final_target", "<f8")),
    "functions": (FUNCTION_TEXTS, ("function", "<u4")),
}
_CHUNK_ROWS = 8192
_CHUNK_BYTES = 2**20


def text_rows(kind: str, sizes: Sequence[int]) -> np.dtype[Any]:
    """Type of the rows of ``suites`` or ``functions`` whose texts have up to so many bytes."""
    texts, number = _TEXT_ROWS[kind]
    fields = [(name, f"S{size}") for name, size in zip(texts, sizes, strict=True)]
    return np.dtype([*fields, number])


def user_block(digest: str) -> bytes:
    """The user block of a file whose other content has this SHA-256, as hexadecimal characters."""
    return f"{FORMAT}\nsha256 {digest}\n".encode().ljust(HEAD_BYTES, b"\n")


def chunk_rows(dtype: np.dtype[Any]) -> int:
    """How many rows a chunk of the merged file has at most."""
    return max(1, min(_CHUNK_ROWS, _CHUNK_BYTES // dtype.itemsize))

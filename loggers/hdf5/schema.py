"""Define the format of log files: names, types and versions of all datasets and columns.

``runs`` has one row for each run. Each variable-length table, such as ``hits``, is one dataset for
all runs, one run after the other. The dataset ``hits_offsets`` beside it has ``n_runs + 1``
numbers: run ``i`` owns the rows ``hits_offsets[i]`` to ``hits_offsets[i + 1] - 1``. If no run has
rows, both datasets are absent. With plain h5py::

    with h5py.File("results.h5") as file:
        runs = pandas.DataFrame(file["runs"][:])
        start, stop = file["hits_offsets"][7:9]
        hits = file["hits"][start:stop]  # of run 7: target, evaluation, precision, constraints
        algorithm = file["algorithms"].asstr()[runs.algorithm[7]]

Each text is stored once, in ``headers`` (JSON), ``algorithms``, ``suites``, ``functions``,
``messages`` and ``references``; ``runs`` has its row number. All numbers are little-endian, all
text is UTF-8 of fixed length; there are no links, no data of variable length and no pickles.

The user block of 512 bytes before the HDF5 content is text: the name of the format, and the SHA-256
of all bytes after the user block. A reader compares the SHA-256 before HDF5 opens the file.

Imported runs contain what the data of the other program contain. If these data have precisions
without the reference value, ``reference_value`` is 0. A precision is then the recorded value
itself, and targets apply to it as to any other precision.

`descriptions` has a text on each dataset and column. A change of names or types needs a new
version. A minor version is enough if earlier readers can ignore the change: new datasets, columns
and attributes, and codes at the end of their list. All other changes need a major version. Every
major version from 2 on is read for ever.

History:
    2.2: points of runs: hit_solutions, evaluations, evaluated_solutions; attributes of a published
        log: license, author, identifier.
    2.1: attributes that describe the file (`descriptions`); enum types of codes.
    2.0: compound datasets; measurement of suites; notes; archives, ideal and nadir points of two
        objectives; names of references. Frozen at commit f7b2b1f4; files of earlier commits that
        say version 2 have another layout and are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..records.log_header import MAX_HEADER_BYTES
from ..records.run_record import MAX_TEXT_BYTES

FORMAT = "firsthit log"
HEAD_BYTES = 512
"""Size of HDF5's user block, the smallest that HDF5 allows."""
SCHEMA_VERSION = 2
"""Major version. Readers of another major version cannot read the file."""
SCHEMA_MINOR = 2
"""Minor version. A file without it has 0. It rises if datasets, columns, attributes or codes are
added; readers of an earlier minor version ignore them."""
SUFFIX = ".h5"
PARTS_SUFFIX = ".h5.parts"
JOURNAL_SUFFIX = ".journal"

PUBLICATION_ATTRIBUTES = ("license", "author", "identifier")
"""Root attributes that only a log has that ``firsthit publish`` wrote."""

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
        ("status", "<u1"),  # code in records.run_record.STATUSES; in the file an enum type
        ("record", "<u1"),  # code in records.run_record.RECORDS; an enum type, too
        ("archive_kept", "<u1"),  # code in records.run_record.ARCHIVES_KEPT; an enum type, too
        ("wall_seconds", "<f8"),
        ("cpu_seconds", "<f8"),
        ("problem_seconds", "<f8"),
    ]
)

OFFSETS = "_offsets"
"""Suffix of the name of a dataset of offsets, int64 of shape ``(n_runs + 1,)``."""
OFFSET = np.dtype("<i8")
"""Type of an offset."""

TEXT_LIMITS = {
    "headers": MAX_HEADER_BYTES,
    "algorithms": 200,
    "messages": MAX_TEXT_BYTES,
    "references": 200,
    "suites": 2**16,
    "functions": 200,
}
"""Maximum length of a text in bytes, in a dataset or in a column of its rows."""

TEXT_TABLES = {
    "suites": ("name", "version", "indicator", "targets"),
    "functions": ("suite", "name", "group"),
}
"""Text columns of ``suites`` and ``functions``; ``targets`` is a JSON list, easiest first."""
_NUMBER_COLUMNS = {"suites": ("final_target", "<f8"), "functions": ("function", "<u4")}
"""Name and type of the last column of these tables. ``final_target`` is NaN if no target ends a
run; ``function`` is the number of the function in the suite."""
_CHUNK_ROWS = 8192
_CHUNK_BYTES = 2**20
"""Maximum number of rows and bytes of a chunk that is written."""
_MAX_CHUNK_ROWS = 2**17
_MAX_CHUNK_BYTES = 2**25
"""Maximum number of rows and bytes of a chunk that is read."""


def text_rows(table_name: str, sizes: Sequence[int]) -> np.dtype[Any]:
    """Return the type of the rows of ``suites`` or ``functions``.

    Args:
        table_name: Name of the table.
        sizes: Length of each text column in bytes.
    """
    texts = zip(TEXT_TABLES[table_name], sizes, strict=True)
    return np.dtype([*((name, f"S{size}") for name, size in texts), _NUMBER_COLUMNS[table_name]])


def user_block(checksum: str) -> bytes:
    """Return the user block of a file.

    Args:
        checksum: SHA-256 of all bytes after the user block, in hexadecimal digits.
    """
    return f"{FORMAT}\nsha256 {checksum}\n".encode().ljust(HEAD_BYTES, b"\n")


def chunk_rows(dtype: np.dtype[Any]) -> int:
    """Return the maximum number of rows in a chunk that is written."""
    return max(1, min(_CHUNK_ROWS, _CHUNK_BYTES // dtype.itemsize))


def max_chunk_rows(dtype: np.dtype[Any]) -> int:
    """Return the maximum number of rows in a chunk that is read.

    It is larger than the result of `chunk_rows`, so that a later version may write larger chunks.
    The number of bytes is limited because HDF5 allocates memory for a whole chunk.
    """
    return max(1, min(_MAX_CHUNK_ROWS, _MAX_CHUNK_BYTES // dtype.itemsize))

"""Encode a table of runs as the content of an HDF5 log file; `schema` defines the format.

The file is built in memory. The caller writes it to the disk in one piece, because h5py can kill
the process if it writes to a full disk.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from ..records.dtypes import TABLES
from ..records.run_record import SuiteFacts
from ..records.writer_version import version_number, writer_version
from .descriptions import (
    CODES,
    DATASETS,
    DESCRIPTION,
    OFFSETS_DESCRIPTION,
    TITLE,
    TOOLS,
    describe_rows_of,
)
from .ragged import Entries
from .schema import (
    FORMAT,
    HEAD_BYTES,
    OFFSET,
    OFFSETS,
    SCHEMA_MINOR,
    SCHEMA_VERSION,
    TEXT_TABLES,
    chunk_rows,
    text_rows,
    user_block,
)
from .table import FunctionRow, LogTable

Image = tuple[bytes, memoryview]
"""Content of a log file: the user block, which contains the SHA-256 of the rest, and the rest."""

_LIBRARY_VERSIONS = ("v110", "v110")
"""Lowest and highest version of the HDF5 library whose features the file uses.

Every HDF5 library from version 1.10 on can therefore read the file.
"""
_COMPRESSION = {"compression": "gzip", "compression_opts": 1, "shuffle": True, "fletcher32": True}
"""Options of h5py for a dataset: the fastest level of gzip, and a checksum of each chunk."""
_RUNS_AT_ONCE = 10_000
"""Number of runs whose rows are written at a time, to limit the memory."""
_UTC_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)", re.ASCII)
"""A time in UTC by ISO 8601. Texts of this form sort by time."""


def encode(table: LogTable, publication: Mapping[str, str] | None = None) -> Image:
    """Return the content of the log file with the runs of ``table``.

    Equal arguments give equal bytes, unless the version of firsthit or of HDF5 differs.

    Args:
        table: The runs.
        publication: Texts of the root attributes that only a published log has, by name. None: no
            such attributes.
    """
    image = io.BytesIO()
    with h5py.File(image, "w", libver=_LIBRARY_VERSIONS, userblock_size=HEAD_BYTES) as file:
        _write_root_attributes(file, table, publication or {})
        for name, rows in _required_datasets(table):
            dataset = _create_dataset(file, name, rows.dtype, len(rows))
            _write_rows(dataset, 0, rows)
            _describe(dataset, name)
        for name, entries in table.ragged.items():
            _write_ragged(file, name, entries)
    content = image.getbuffer()[HEAD_BYTES:]
    return user_block(hashlib.sha256(content).hexdigest()), content


def _write_root_attributes(
    file: h5py.File, table: LogTable, publication: Mapping[str, str]
) -> None:
    """Write the attributes of the file: format, versions, date, publication and description.

    The date is the time at which the newest runs were made, not the time of the merge. Merging the
    same runs again therefore gives the same bytes. Without such a time there is no date.
    """
    file.attrs["format"] = np.bytes_(FORMAT)
    file.attrs["schema_version"] = np.uint32(SCHEMA_VERSION)
    file.attrs["schema_minor"] = np.uint32(SCHEMA_MINOR)
    file.attrs["writer"] = np.bytes_(f"firsthit {version_number()}")
    file.attrs["writer_version"] = np.bytes_(writer_version())
    file.attrs["title"] = np.bytes_(TITLE)
    file.attrs["hdf5_tools"] = np.bytes_(TOOLS)
    provenance = [json.loads(text).get("provenance") or {} for text in table.headers]
    times = [str(facts.get("created_utc") or "") for facts in provenance]
    times = [time for time in times if _UTC_TIME.fullmatch(time)]
    if times:
        file.attrs["created_utc"] = np.bytes_(max(times))
    for name, text in publication.items():
        encoded = text.encode()
        file.attrs[name] = np.array(encoded, h5py.string_dtype("utf-8", len(encoded)))
    # The description is written last because it is the longest text. When the ninth attribute is
    # written, HDF5 moves the eight others to another place in the file, and the space that they
    # used stays empty.
    file.attrs["description"] = np.bytes_(DESCRIPTION)


def _describe(dataset: h5py.Dataset, name: str) -> None:
    """Write the attributes that describe a dataset and its columns.

    Args:
        dataset: The dataset.
        name: Name of the dataset, a key of `DATASETS`.
    """
    texts = DATASETS[name]
    dataset.attrs["description"] = np.bytes_(texts.description)
    for column, text in texts.columns.items():
        dataset.attrs[f"column_{column}"] = np.bytes_(str(text))


def _required_datasets(table: LogTable) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the name and the rows of each dataset that every log has, even if it has no rows."""
    yield "headers", _encode_texts(table.headers)
    yield "algorithms", _encode_texts(table.algorithms)
    yield "messages", _encode_texts(table.messages)
    yield "references", _encode_texts(table.references)
    yield "suites", _encode_rows("suites", map(_encode_suite, table.suites))
    yield "functions", _encode_rows("functions", map(_encode_function, table.functions))
    yield "runs", table.runs


def _write_ragged(file: h5py.File, name: str, entries: Entries) -> None:
    """Write the datasets of a variable-length table; write nothing if the table has no rows.

    Args:
        file: The open file.
        name: Name of the table, a key of `TABLES`. The dataset of offsets has the suffix `OFFSETS`.
        entries: Rows of each run. They are read for `_RUNS_AT_ONCE` runs at a time.
    """
    offsets = np.concatenate([[0], np.cumsum(entries.lengths)]).astype(OFFSET)
    if not offsets[-1]:
        return
    offsets_dataset = _create_dataset(file, name + OFFSETS, offsets.dtype, len(offsets))
    _write_rows(offsets_dataset, 0, offsets)
    offsets_dataset.attrs["description"] = np.bytes_(OFFSETS_DESCRIPTION)
    offsets_dataset.attrs["rows_of"] = np.bytes_(describe_rows_of(name))
    dataset = _create_dataset(file, name, TABLES[name], int(offsets[-1]))
    _describe(dataset, name)
    for first in range(0, len(offsets) - 1, _RUNS_AT_ONCE):
        stop = min(first + _RUNS_AT_ONCE, len(offsets) - 1)
        _write_rows(dataset, int(offsets[first]), entries.pick(np.arange(first, stop)).rows)


def _create_dataset(file: h5py.File, name: str, dtype: np.dtype[Any], n_rows: int) -> h5py.Dataset:
    """Create a compressed dataset with ``n_rows`` rows of a type; the rows are written later."""
    options: dict[str, Any] = {}
    if n_rows:  # HDF5 refuses chunks without rows
        options = {"chunks": (min(n_rows, chunk_rows(dtype)),), **_COMPRESSION}
    return file.create_dataset(name, (n_rows,), _file_type(dtype), **options)


def _write_rows(dataset: h5py.Dataset, start: int, rows: NDArray[Any]) -> None:
    """Write rows into a dataset, beginning at row ``start``.

    The rows get the type of the file first, because HDF5 converts neither text to UTF-8 nor
    numbers to enum types.
    """
    dataset[start : start + len(rows)] = rows.view(np.ndarray).view(_file_type(rows.dtype))


def _file_type(dtype: np.dtype[Any]) -> Any:
    """Return the type in the file of rows or values that have ``dtype`` in memory.

    Text is marked as UTF-8, and columns of codes become HDF5 enum types with the names of the
    codes. The layout in bytes does not change.
    """
    if dtype.names:
        return np.dtype(
            [
                (name, _enum_type(name) if name in CODES else _file_type(dtype[name]))
                for name in dtype.names
            ]
        )
    return h5py.string_dtype("utf-8", dtype.itemsize) if dtype.kind == "S" else dtype


def _enum_type(column: str) -> Any:
    """Return the HDF5 enum type of a column of codes, a key of `CODES`."""
    return h5py.enum_dtype({name: code for code, name in enumerate(CODES[column])}, np.uint8)


def _encode_texts(texts: Sequence[str]) -> NDArray[np.bytes_]:
    """Return texts in UTF-8 as an array, with at least one byte for each text."""
    encoded = [text.encode() for text in texts]
    return np.array(encoded, dtype=f"S{max([1, *map(len, encoded)])}")


def _encode_rows(table_name: str, rows: Iterator[tuple[Any, ...]]) -> NDArray[Any]:
    """Return the rows of a table of texts as an array.

    Args:
        table_name: ``"suites"`` or ``"functions"``.
        rows: The rows, each with its texts in UTF-8 and one number, in the order of the columns.

    Returns:
        Rows of the type `text_rows`. Each text column is as long as its longest text.
    """
    row_list = list(rows)
    n_texts = len(TEXT_TABLES[table_name])
    text_lengths = [max([1, *(len(row[i]) for row in row_list)]) for i in range(n_texts)]
    return np.array(row_list, text_rows(table_name, text_lengths))


def _encode_suite(suite: SuiteFacts) -> tuple[Any, ...]:
    """Return a row of ``suites``, in the order of its columns; see `schema.TEXT_TABLES`."""
    measurement = suite.measurement
    final_target = math.nan if measurement.final_target is None else measurement.final_target
    texts = (suite.name, suite.version, measurement.indicator, json.dumps(measurement.targets))
    return (*(text.encode() for text in texts), final_target)


def _encode_function(row: FunctionRow) -> tuple[Any, ...]:
    """Return a row of ``functions``, in the order of its columns; see `schema.TEXT_TABLES`."""
    return row.suite.encode(), row.name.encode(), row.group.encode(), row.function

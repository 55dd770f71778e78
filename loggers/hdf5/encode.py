"""A table of runs as the bytes of an HDF5 file.

The file is built in memory, so that it goes to the disk in one piece, and because h5py writing to
a full disk can kill the process.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from ..records.dtypes import TABLES
from ..records.log_header import version_of
from ..records.suite_facts import SuiteFacts
from .ragged import Entries
from .schema import (
    FORMAT,
    FUNCTION_TEXTS,
    HEAD_BYTES,
    OFFSET,
    OFFSETS,
    SCHEMA_VERSION,
    SUITE_TEXTS,
    chunk_rows,
    text_rows,
    user_block,
)
from .table import FunctionRow, LogTable

Image = tuple[bytes, memoryview]
"""What a file consists of: its user block, which has the SHA-256 of what follows, and that."""

_PACKED = {"compression": "gzip", "compression_opts": 1, "shuffle": True, "fletcher32": True}
_RUNS_AT_ONCE = 10_000


def encode(table: LogTable) -> Image:
    """The HDF5 file that holds ``table``."""
    image = io.BytesIO()
    with h5py.File(image, "w", libver=("v110", "v110"), userblock_size=HEAD_BYTES) as file:
        file.attrs["format"] = np.bytes_(FORMAT)
        file.attrs["schema_version"] = np.uint32(SCHEMA_VERSION)
        file.attrs["writer"] = np.bytes_(f"firsthit {version_of('firsthit')}")
        for name, rows in _datasets(table):
            _put(_create(file, name, rows.dtype, len(rows)), 0, rows)
        for name, entries in table.ragged.items():
            _put_entries(file, name, entries)
    content = image.getbuffer()[HEAD_BYTES:]
    return user_block(hashlib.sha256(content).hexdigest()), content


def _datasets(table: LogTable) -> Iterator[tuple[str, NDArray[Any]]]:
    """Names and rows of the datasets that every log has."""
    yield "headers", _texts(table.headers)
    yield "algorithms", _texts(table.algorithms)
    yield "messages", _texts(table.messages)
    yield "references", _texts(table.references)
    yield "suites", _text_rows("suites", map(_suite_row, table.suites))
    yield "functions", _text_rows("functions", map(_function_row, table.functions))
    yield "runs", table.runs


def _put_entries(file: h5py.File, name: str, entries: Entries) -> None:
    """Write the rows of many runs at a time; nothing where there are none."""
    offsets = np.concatenate([[0], np.cumsum(entries.lengths)]).astype(OFFSET)
    if not offsets[-1]:
        return
    _put(_create(file, name + OFFSETS, offsets.dtype, len(offsets)), 0, offsets)
    dataset = _create(file, name, TABLES[name], int(offsets[-1]))
    for first in range(0, len(offsets) - 1, _RUNS_AT_ONCE):
        stop = min(first + _RUNS_AT_ONCE, len(offsets) - 1)
        _put(dataset, int(offsets[first]), entries.pick(np.arange(first, stop)).rows)


def _create(file: h5py.File, name: str, dtype: np.dtype[Any], rows: int) -> h5py.Dataset:
    options: dict[str, Any] = {}
    if rows:
        options = {"chunks": (min(rows, chunk_rows(dtype)),), **_PACKED}
    return file.create_dataset(name, (rows,), _as_utf8(dtype), **options)


def _put(dataset: h5py.Dataset, start: int, rows: NDArray[Any]) -> None:
    """Write rows from there on; in a type that says UTF-8, as HDF5 does not convert to it."""
    dataset[start : start + len(rows)] = rows.view(np.ndarray).view(_as_utf8(rows.dtype))


def _as_utf8(dtype: np.dtype[Any]) -> Any:
    """The same type, with text marked as UTF-8."""
    if dtype.names:
        return np.dtype([(name, _as_utf8(dtype[name])) for name in dtype.names])
    return h5py.string_dtype("utf-8", dtype.itemsize) if dtype.kind == "S" else dtype


def _texts(texts: Sequence[str]) -> NDArray[np.bytes_]:
    encoded = [text.encode() for text in texts]
    return np.array(encoded, dtype=f"S{max([1, *map(len, encoded)])}")


def _text_rows(kind: str, rows: Iterator[tuple[Any, ...]]) -> NDArray[Any]:
    listed = list(rows)
    n_texts = len(SUITE_TEXTS if kind == "suites" else FUNCTION_TEXTS)
    sizes = [max([1, *(len(row[i]) for row in listed)]) for i in range(n_texts)]
    return np.array(listed, text_rows(kind, sizes))


def _suite_row(suite: SuiteFacts) -> tuple[Any, ...]:
    """See ``schema.SUITE_TEXTS``."""
    measured = suite.measurement
    final = math.nan if measured.final_target is None else measured.final_target
    texts = (suite.name, suite.version, measured.indicator, json.dumps(measured.targets))
    return (*(text.encode() for text in texts), final)


def _function_row(row: FunctionRow) -> tuple[Any, ...]:
    """See ``schema.FUNCTION_TEXTS``."""
    return row.suite.encode(), row.name.encode(), row.group.encode(), row.function

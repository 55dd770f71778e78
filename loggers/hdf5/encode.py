"""Records as a table, and a table as the bytes of an HDF5 file.

The file is built in memory, so that it goes to the disk in one piece, and because h5py writing to
a full disk can kill the process.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import h5py
import numpy as np
from numpy.typing import NDArray

from ..records.log_header import version_of
from ..records.rows import NUMBERS, TABLES, Rows
from ..records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES, RunRecord, clean_text
from ..records.suite_facts import SuiteFacts
from .ragged import Entries, Ragged
from .schema import (
    FORMAT,
    FUNCTION_TEXTS,
    HEAD_BYTES,
    OFFSET,
    OFFSETS,
    RUNS,
    SCHEMA_VERSION,
    SUITE_TEXTS,
    TEXT_LIMITS,
    chunk_rows,
    text_rows,
    user_block,
)
from .table import FunctionRow, LogTable

_T = TypeVar("_T", str, FunctionRow)
Image = tuple[bytes, memoryview]
"""What a file consists of: its user block, which has the SHA-256 of what follows, and that."""

_PACKED = {"compression": "gzip", "compression_opts": 1, "shuffle": True, "fletcher32": True}
_RUNS_AT_ONCE = 10_000


def tabulate(records: Sequence[RunRecord], header: str) -> LogTable:
    """Bring runs, all under one header and with the same facts of each suite, into tables."""
    errors = [clean_text(record.error, TEXT_LIMITS["messages"]) for record in records]
    functions = [_function_of(record) for record in records]
    names = [record.identity.algorithm for record in records]
    references = [clean_text(r.reference_name, TEXT_LIMITS["references"]) for r in records]
    texts = list(zip(names, functions, errors, references, strict=True))
    algorithm_at, function_at = _numbered(names), _numbered(functions)
    message_at, reference_at = _numbered(errors), _numbered(references)
    rows = [
        _run_row(r, algorithm_at[name], function_at[function], message_at[error], reference_at[ref])
        for r, (name, function, error, ref) in zip(records, texts, strict=True)
    ]
    suites = {record.suite.name: record.suite for record in records}
    return LogTable(
        (header,),
        tuple(algorithm_at),
        tuple(suites[name] for name in sorted(suites)),
        tuple(function_at),
        tuple(message_at),
        tuple(reference_at),
        np.array(rows, RUNS),
        {
            name: Ragged.joined([_rows_of(record, name) for record in records], dtype)
            for name, dtype in TABLES.items()
        },
    )


def _function_of(record: RunRecord) -> FunctionRow:
    limit = TEXT_LIMITS["functions"]
    name, group = clean_text(record.function_name, limit), clean_text(record.group, limit)
    return FunctionRow(record.suite.name, record.identity.problem.function, name, group)


def _run_row(record: RunRecord, *positions: int) -> tuple[Any, ...]:
    """A row of ``runs`` under the first header, with the positions of its other texts."""
    identity, problem = record.identity, record.identity.problem
    return (
        identity.key.encode(), 0, *positions,
        problem.function, problem.dimension, problem.instance,
        identity.repetition, identity.stage, identity.campaign_seed,
        record.seed, -1 if record.budget is None else record.budget,
        record.evaluations, record.evaluations_constraints,
        record.reference_value, record.best_precision,
        STATUSES.index(record.status), RECORDS.index(record.record),
        ARCHIVES_KEPT.index(record.archive_kept),
        record.wall_seconds, record.cpu_seconds, record.problem_seconds,
    )  # fmt: skip


def _rows_of(record: RunRecord, name: str) -> Rows:
    """What a record has of one of ``rows.TABLES``."""
    rows: Rows = record.best_solution if name == "best_solutions" else getattr(record, name)
    if TABLES[name] is not NUMBERS:
        return rows
    return np.ascontiguousarray(rows, "<f8").reshape(-1).view(NUMBERS)


def _numbered(texts: Sequence[_T]) -> dict[_T, int]:
    return {text: i for i, text in enumerate(sorted(set(texts)))}


def encode(table: LogTable, *, packed: bool = True) -> Image:
    """The HDF5 file that holds ``table``.

    Args:
        table: The runs.
        packed: Compress all datasets. A part of a log, which is read once, is written as it is.
    """
    image = io.BytesIO()
    with h5py.File(image, "w", libver=("v110", "v110"), userblock_size=HEAD_BYTES) as file:
        file.attrs["format"] = np.bytes_(FORMAT)
        file.attrs["schema_version"] = np.uint32(SCHEMA_VERSION)
        file.attrs["writer"] = np.bytes_(f"firsthit {version_of('firsthit')}")
        for name, rows in _datasets(table):
            _put(_create(file, name, rows.dtype, len(rows), packed), 0, rows)
        for name, entries in table.ragged.items():
            _put_entries(file, name, entries, packed)
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


def _put_entries(file: h5py.File, name: str, entries: Entries, packed: bool) -> None:
    """Write the rows of many runs at a time; nothing where there are none."""
    offsets = np.concatenate([[0], np.cumsum(entries.lengths)]).astype(OFFSET)
    if not offsets[-1]:
        return
    _put(_create(file, name + OFFSETS, offsets.dtype, len(offsets), packed), 0, offsets)
    dataset = _create(file, name, TABLES[name], int(offsets[-1]), packed)
    for first in range(0, len(offsets) - 1, _RUNS_AT_ONCE):
        stop = min(first + _RUNS_AT_ONCE, len(offsets) - 1)
        _put(dataset, int(offsets[first]), entries.pick(np.arange(first, stop)).rows)


def _create(
    file: h5py.File, name: str, dtype: np.dtype[Any], rows: int, packed: bool
) -> h5py.Dataset:
    options: dict[str, Any] = {}
    if packed and rows:
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

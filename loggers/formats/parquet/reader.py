"""Reads back what ``writer.py`` wrote, as the tables of a log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....suites.measurement import Measurement
from ...errors import LogFormatError, LogReadError
from ...hdf5.check_content import check_header, check_table, row_check
from ...hdf5.opening import open_regular
from ...hdf5.ragged import Ragged, nothing
from ...hdf5.schema import RUNS, SCHEMA_VERSION
from ...hdf5.table import FunctionRow, LogTable
from ...records.dtypes import TABLES
from ...records.suite_facts import SuiteFacts
from .layout import FORMAT, INDEX, PART

MAX_INDEX_BYTES = 2**28


def read_parquet(folder: Path) -> LogTable:
    """All runs of a folder that ``write_parquet`` wrote; LogFormatError where it is another."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise LogReadError("Parquet needs pyarrow: pip install 'firsthit[parquet]'") from error
    try:
        return _read(folder)
    except LogFormatError:
        raise
    except Exception as error:  # what damaged files make of pyarrow is open-ended
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise LogFormatError.of(folder, f"it is damaged ({reason})") from error


def _read(folder: Path) -> LogTable:
    with open_regular(folder / INDEX, MAX_INDEX_BYTES) as file:
        index = json.load(file)
    if index["format"] != FORMAT or index["schema"] != SCHEMA_VERSION:
        raise LogFormatError.of(folder, f"{INDEX} is of another format or version")
    for text in index["headers"]:
        check_header(text)
    numbers, runs = _rows(folder, "runs", RUNS)
    order = np.argsort(numbers)
    if not np.array_equal(numbers[order], np.arange(len(numbers))):
        raise LogFormatError.of(folder, "runs are missing, or there twice")
    functions = tuple(FunctionRow(**row) for row in index["functions"])
    table = LogTable(
        tuple(index["headers"]),
        tuple(index["algorithms"]),
        tuple(_suite(row) for row in index["suites"]),
        functions,
        tuple(index["messages"]),
        tuple(index["references"]),
        runs[order],
        {name: _ragged(folder, name, len(runs)) for name in TABLES},
    )
    check_table(table)
    for name, entries in table.ragged.items():
        row_check(folder, name, table.runs["evaluations"])(slice(None), entries.load())
    return table


def _suite(row: dict[str, Any]) -> SuiteFacts:
    measured = row["measurement"]
    measurement = Measurement(
        measured["indicator"], tuple(measured["targets"]), measured["final_target"]
    )
    return SuiteFacts(row["name"], row["version"], measurement)


def _ragged(folder: Path, name: str, n_runs: int) -> Ragged:
    owners, rows = _rows(folder, name, TABLES[name])
    if not len(rows):
        return nothing(name, n_runs)
    order = np.argsort(owners, kind="stable")  # rows of a run stay in their order
    return Ragged.of_lengths(np.bincount(owners, minlength=n_runs), rows[order])


def _rows(folder: Path, name: str, dtype: np.dtype[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """The number of the run of each row of a table, and the rows, file by file."""
    import pyarrow.parquet as pq

    owners, parts = [np.empty(0, np.int64)], [np.empty(0, dtype)]
    for path in sorted((folder / name).rglob(PART)):
        with open_regular(path) as file:
            columns = pq.ParquetFile(file).read()
        rows = np.zeros(len(columns), dtype)
        places = dict(part.split("=", 1) for part in path.relative_to(folder / name).parts[:-1])
        for field in dtype.names or ():
            stored = f"{field}_row" if f"{field}_row" in columns.column_names else field
            if name == "runs" and field in ("dimension", "function"):
                rows[field] = int(places[field])
            else:
                rows[field] = _column(columns[stored], dtype[field])
        owners.append(columns["run"].to_numpy())
        parts.append(rows)
    return np.concatenate(owners), np.concatenate(parts)


def _column(column: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.kind == "S":
        texts = [text.encode() for text in column.to_pylist()]
        return np.array(texts, dtype)
    found: NDArray[Any] = column.to_numpy()
    return found

"""Logs as Parquet files, for DuckDB, pandas, polars and whatever else reads columns.

``firsthit.json`` holds what stands once: headers, algorithms, suites, functions, messages,
references. Each table is a folder with a file for each suite, dimension and function::

    runs/suite=bbob/dimension=2/function=1/part.parquet
    hits/suite=bbob/dimension=2/function=1/part.parquet

``runs`` has a row a run, with its number in the column ``run``; the other tables name the run of
each row by that number. Columns are those of the log's tables of the same name; ``algorithm`` and
``status`` are texts, and their numbers in the log stand in ``algorithm_row`` and ``status_row``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from ...suites.measurement import Measurement
from ..errors import LogFormatError, LogReadError, LogWriteError
from ..hdf5.check_content import check_header, check_table, row_check
from ..hdf5.opening import open_regular
from ..hdf5.ragged import Indices, Ragged, nothing
from ..hdf5.schema import RUNS, SCHEMA_VERSION
from ..hdf5.table import FunctionRow, LogTable
from ..log.log import Log
from ..records.dtypes import TABLES
from ..records.run_record import STATUSES, SuiteFacts
from .data_files import PARQUET_INDEX
from .export import new_folder

_FORMAT = "firsthit parquet"
_PART = "part.parquet"

ROW_GROUP = 2**17
"""Rows that are compressed together, and can be fetched alone over a network."""


def write_parquet(log: Log, folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write all that a log holds into a new folder of Parquet files; it needs ``pyarrow``.

    Args:
        log: Any log; nothing of it is left out.
        folder: A new folder; ``formats/parquet.py`` says what stands where.

    Returns:
        Sentences on what was left out: none.

    Raises:
        LogExistsError: There is something of this name.
        LogWriteError: It cannot be written, or ``pyarrow`` is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise LogWriteError("Parquet needs pyarrow: pip install 'firsthit[parquet]'") from error
    table = log._table
    with new_folder(Path(folder)) as temporary:
        (temporary / PARQUET_INDEX).write_text(json.dumps(_index(table)), encoding="utf-8")
        for place, runs in _parts(table):
            for name, columns in _columns(table, runs):
                path = temporary / name / place / _PART
                path.parent.mkdir(parents=True)
                arrow = pa.table({key: _arrow(pa, column) for key, column in columns.items()})
                pq.write_table(arrow, path, ROW_GROUP, compression="zstd")
    return ()


def _index(table: LogTable) -> dict[str, Any]:
    """What stands once, see ``PARQUET_INDEX``."""
    return {
        "format": _FORMAT,
        "schema": SCHEMA_VERSION,
        "headers": table.headers,
        "algorithms": table.algorithms,
        "suites": [asdict(suite) for suite in table.suites],
        "functions": [asdict(row) for row in table.functions],
        "messages": table.messages,
        "references": table.references,
    }


def _parts(table: LogTable) -> Iterator[tuple[str, Indices]]:
    """The place of each suite, dimension and function, and its runs."""
    rows = zip(table.runs["function_row"].tolist(), table.runs["dimension"].tolist(), strict=True)
    parts: dict[tuple[str, int, int], list[int]] = {}
    for run, (row, dimension) in enumerate(rows):
        function = table.functions[row]
        parts.setdefault((function.suite, dimension, function.function), []).append(run)
    for (suite, dimension, function_number), runs in sorted(parts.items()):
        place = f"suite={quote(suite, '')}/dimension={dimension}/function={function_number}"
        yield place, np.array(runs, np.int64)


def _columns(table: LogTable, runs: Indices) -> Iterator[tuple[str, dict[str, NDArray[Any]]]]:
    """Each table that has rows of these runs, as columns."""
    picked = table.runs[runs]
    columns = {name: picked[name] for name in table.runs.dtype.names or ()}
    del columns["dimension"], columns["function"]
    columns["algorithm_row"], columns["status_row"] = columns["algorithm"], columns["status"]
    columns["algorithm"] = np.array(table.algorithms, object)[picked["algorithm"]]
    columns["status"] = np.array(STATUSES, object)[picked["status"]]
    yield "runs", {"run": runs, **columns}
    for name, entries in table.ragged.items():
        found = entries.pick(runs)
        if len(found.rows):
            fields = {field: found.rows[field] for field in found.rows.dtype.names or ()}
            yield name, {"run": np.repeat(runs, found.lengths), **fields}


def _arrow(pa: ModuleType, column: NDArray[Any]) -> Any:
    """A column of numbers, or of texts."""
    if column.dtype.kind == "S":
        return pa.array(np.char.decode(column, "utf-8").tolist(), pa.string())
    return pa.array(np.ascontiguousarray(column))


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
    with open_regular(folder / PARQUET_INDEX, MAX_INDEX_BYTES) as file:
        index = json.load(file)
    if index["format"] != _FORMAT or index["schema"] != SCHEMA_VERSION:
        raise LogFormatError.of(folder, f"{PARQUET_INDEX} is of another format or version")
    for text in index["headers"]:
        check_header(text)
    numbers, runs = _stored_rows(folder, "runs", RUNS)
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
    owners, rows = _stored_rows(folder, name, TABLES[name])
    if not len(rows):
        return nothing(name, n_runs)
    order = np.argsort(owners, kind="stable")  # rows of a run stay in their order
    return Ragged.of_lengths(np.bincount(owners, minlength=n_runs), rows[order])


def _stored_rows(
    folder: Path, name: str, dtype: np.dtype[Any]
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """The number of the run of each row of a table, and the rows, file by file."""
    import pyarrow.parquet as pq

    owners, parts = [np.empty(0, np.int64)], [np.empty(0, dtype)]
    for path in sorted((folder / name).rglob(_PART)):
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

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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from ...suites.measurement import Measurement
from ..errors import LogFormatError, LogReadError, LogWriteError
from ..hdf5.check_content import check_header, check_rows, check_table
from ..hdf5.opening import open_regular
from ..hdf5.ragged import Entries, Fields, Indices, Ragged, Stored, nothing
from ..hdf5.reader import WHOLE_BYTES
from ..hdf5.schema import RUNS, SCHEMA_VERSION
from ..hdf5.table import FunctionRow, LogTable
from ..log.log import Log
from ..records.dtypes import TABLES, Rows
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
    check_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

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


def check_pyarrow() -> None:
    """Raise LogWriteError where ``pyarrow`` is not installed."""
    if find_spec("pyarrow") is None:
        raise LogWriteError("Parquet needs pyarrow: pip install 'firsthit[parquet]'")


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
    with _refusing(folder):
        return _read(folder)


@contextmanager
def _refusing(folder: Path) -> Iterator[None]:
    try:
        yield
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
    files = [_File(path) for path in sorted((folder / "runs").rglob(_PART))]
    numbers = np.concatenate([np.empty(0, np.int64), *(file.owners() for file in files)])
    runs = np.concatenate([np.empty(0, RUNS), *(file.runs() for file in files)])
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
        {name: _entries(folder, name, runs["evaluations"][order]) for name in TABLES},
    )
    check_table(table)
    return table


def _suite(row: dict[str, Any]) -> SuiteFacts:
    return SuiteFacts(row["name"], row["version"], Measurement(**row["measurement"]))


def _entries(folder: Path, name: str, evaluations: NDArray[np.int64]) -> Entries:
    """The rows of a table: in memory, or where they are many and in order, read when asked for."""
    check = partial(check_rows, folder, name, evaluations)
    files = [_File(path) for path in sorted((folder / name).rglob(_PART))]
    parts = [(own, file) for file in files if len(own := file.owners())]
    if not parts:
        return nothing(name, len(evaluations))
    parts.sort(key=lambda part: int(part[0][0]))
    files = [file for _, file in parts]
    owner = np.concatenate([own for own, _ in parts])
    lengths = np.bincount(owner, minlength=len(evaluations))
    if len(lengths) > len(evaluations):
        raise LogFormatError.of(folder, f"{name} has rows of runs that are not there")
    if (owner[1:] >= owner[:-1]).all():
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        ends = np.cumsum([len(own) for own, _ in parts])
        stored = Stored(offsets, partial(_rows, folder, files, ends, TABLES[name]), check)
        is_small = len(owner) * TABLES[name].itemsize <= WHOLE_BYTES
        return stored.load() if is_small else stored
    order = np.argsort(owner, kind="stable")  # rows of a run stay in their order
    rows = np.concatenate([file.rows(TABLES[name]) for file in files])[order]
    found = Ragged.of_lengths(lengths, rows)
    check(slice(None), found)
    return found


def _rows(
    folder: Path, files: Sequence[_File], ends: Indices, dtype: np.dtype[Any],
    start: int, stop: int, fields: Fields,
) -> Rows:  # fmt: skip
    """Rows of files of which the first has those up to ``ends[0] - 1``, …: see ``Stored``."""
    names = fields or dtype.names or ()
    parts = [np.empty(0, [(name, dtype[name]) for name in names])]
    with _refusing(folder):
        first = int(np.searchsorted(ends, start, side="right"))
        begins = np.concatenate([[0], ends[:-1]]).tolist()
        for file, begin in zip(files[first:], begins[first:], strict=True):
            if begin >= stop:
                break
            part = slice(max(start - begin, 0), stop - begin)
            parts.append(file.rows(parts[0].dtype, part))
    return np.concatenate(parts) if len(parts) != 2 else parts[1]


@dataclass(frozen=True, slots=True)
class _File:
    """One file of a table; it is open while it is read only."""

    path: Path

    def owners(self) -> NDArray[np.int64]:
        """The number of the run of each row."""
        found: NDArray[np.int64] = self._table(["run"])["run"].to_numpy()
        return found

    def _table(self, columns: Sequence[str], rows: slice = slice(None)) -> Any:
        """Some columns of the row groups that hold some rows, cut to these."""
        import pyarrow.parquet as pq

        with _refusing(self.path), open_regular(self.path) as opened:
            file = pq.ParquetFile(opened)
            ends = np.cumsum(
                [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
            )
            start, stop, _ = rows.indices(file.metadata.num_rows)
            groups = np.flatnonzero((ends > start) & (np.r_[0, ends[:-1]] < stop)).tolist()
            begin = int(ends[groups[0] - 1]) if groups and groups[0] else 0
            read = file.read_row_groups(groups, columns=list(columns))
            return read.slice(start - begin, stop - start)

    def rows(self, dtype: np.dtype[Any], rows: slice = slice(None)) -> NDArray[Any]:
        """Some rows as an array; the type says which columns."""
        columns = self._table(dtype.names or (), rows)
        found = np.zeros(len(columns), dtype)
        for field in dtype.names or ():
            found[field] = _column(columns[field], dtype[field])
        return found

    def runs(self) -> NDArray[Any]:
        """The rows of the table of runs; what stands in names of folders is added."""
        names = {name: f"{name}_row" for name in ("algorithm", "status")}
        places = dict(part.split("=", 1) for part in self.path.parts if "=" in part)
        stored = [name for name in RUNS.names or () if name not in ("dimension", "function")]
        columns = self._table([names.get(name, name) for name in stored])
        found = np.zeros(len(columns), RUNS)
        for field in stored:
            found[field] = _column(columns[names.get(field, field)], RUNS[field])
        found["dimension"], found["function"] = int(places["dimension"]), int(places["function"])
        return found


def _column(column: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype.kind == "S":
        texts = [text.encode() for text in column.to_pylist()]
        return np.array(texts, dtype)
    found: NDArray[Any] = column.to_numpy()
    return found

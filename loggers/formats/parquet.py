"""Write logs as folders of Parquet files, for DuckDB, pandas and polars, and read them back.

Each table is a folder with one file, a *part*, for each suite, dimension and function::

    runs/suite=bbob/dimension=2/function=1/part.parquet
    hits/suite=bbob/dimension=2/function=1/part.parquet

``runs`` has one row per run, with its number in the column ``run``. In each other table, ``run`` is
the run that a row belongs to, and ``position`` is the position of the row within this run, from 0.
The other columns are those of the log's table of the same name. Where the log has a code or a row
number, the column has the text, and ``NAME_row`` has the number: ``algorithm``, ``message``,
``reference``, ``status``, ``record``, ``archive_kept``. ``function_name`` stands beside
``function_row``. ``header`` is a position in the headers of ``firsthit.json``.

``firsthit.json`` has the texts that a log has once (headers, algorithms, suites, functions,
messages, references), and the path, number of rows and SHA-256 of each part. Its
``parquet_version`` is independent of the log's version:

    1 (no ``parquet_version``): texts of ``algorithm`` and ``status`` only; no ``position``, no
        ``function_name``, no list of parts.
    2: as above.

Every version stays readable. A reader ignores columns and tables that it does not use.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from ...suites.measurement import Measurement
from ..errors import LogFormatError, LogReadError, LogWriteError
from ..hdf5.check_content import check_header, check_rows, check_table
from ..hdf5.merge import check_can_be_rewritten
from ..hdf5.opening import open_regular
from ..hdf5.ragged import Entries, Fields, Indices, LazyRagged, Ragged, nothing
from ..hdf5.reader import WHOLE_BYTES
from ..hdf5.schema import RUNS
from ..hdf5.table import FunctionRow, LogTable
from ..log.log import Log
from ..records.dtypes import TABLES, Rows
from ..records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES, SuiteFacts, clean_text
from ..records.writer_version import writer_version
from .data_files import PARQUET_INDEX
from .export import find_other_file, new_folder

PARQUET_VERSION = 2
_FORMAT = "firsthit parquet"
_PART = "part.parquet"
_FILES = (PARQUET_INDEX, _PART)
"""Names of all files that `write_parquet` writes."""

_COLUMNS_WITH_TEXTS = {
    1: ("algorithm", "status"),
    2: ("algorithm", "message", "reference", "status", "record", "archive_kept"),
}
"""Columns of `RUNS` that are texts in a part, by version; their numbers are in ``NAME_row``."""
_PARTITION_COLUMNS = ("dimension", "function")
"""Columns of `RUNS` that the names of folders contain, not the parts."""

MAX_INDEX_BYTES = 2**28
ROW_GROUP = 2**17
"""Rows that are compressed together, and can be fetched alone over a network."""

_Row = TypeVar("_Row", FunctionRow, Measurement)


def write_parquet(
    log: Log, folder: str | os.PathLike[str], *, overwrite: bool = False
) -> tuple[str, ...]:
    """Write everything in a log to a folder of Parquet files.

    Args:
        log: Log to write; nothing in it is left out.
        folder: Path of the folder. The docstring of this module describes its content.
        overwrite: Whether to replace an existing folder that is empty or contains only the files of
            such an export. Default: False.

    Returns:
        Notes on what was left out; always empty, because nothing is.

    Raises:
        LogExistsError: ``folder`` exists and is not replaced.
        LogFormatError: The log was read from a file of a newer minor version.
        LogWriteError: The folder cannot be written, or ``pyarrow`` is not installed.

    Example:
        >>> import os
        >>> import firsthit
        >>> from firsthit.loggers import write_parquet
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> notes = write_parquet(results.log, "as-parquet")
        >>> sorted(os.listdir("as-parquet"))
        ['best_solutions', 'firsthit.json', 'hits', 'runs', 'trajectory']
    """
    check_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = log._table
    check_can_be_rewritten(Path(folder), table)
    find_other = partial(find_other_file, indices=PARQUET_INDEX, patterns=_FILES)
    with new_folder(Path(folder), overwrite, find_other) as temporary:
        parts = []
        for partition, runs in _partitions(table):
            for name, columns in _tables(table, runs):
                path = temporary / name / partition / _PART
                path.parent.mkdir(parents=True)
                arrow = pa.table({key: _to_arrow(pa, column) for key, column in columns.items()})
                pq.write_table(arrow, path, ROW_GROUP, compression="zstd")
                parts.append(
                    {
                        "path": path.relative_to(temporary).as_posix(),
                        "rows": len(arrow),
                        "sha256": _sha256(path),
                    }
                )
        index = json.dumps(_index(table, parts))
        (temporary / PARQUET_INDEX).write_text(index, encoding="utf-8")
    return ()


def check_pyarrow() -> None:
    """Raise LogWriteError if ``pyarrow`` is not installed."""
    if find_spec("pyarrow") is None:
        raise LogWriteError("Parquet needs pyarrow: pip install 'firsthit[parquet]'")


def _index(table: LogTable, parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the content of ``firsthit.json``."""
    return {
        "format": _FORMAT,
        "parquet_version": PARQUET_VERSION,
        "writer_version": writer_version(),
        "headers": table.headers,
        "algorithms": table.algorithms,
        "suites": [asdict(suite) for suite in table.suites],
        "functions": [asdict(row) for row in table.functions],
        "messages": table.messages,
        "references": table.references,
        "parts": parts,
    }


def _partitions(table: LogTable) -> Iterator[tuple[str, Indices]]:
    """Yield the folder of each suite, dimension and function, and the numbers of its runs."""
    rows = zip(table.runs["function_row"].tolist(), table.runs["dimension"].tolist(), strict=True)
    partitions: dict[tuple[str, int, int], list[int]] = {}
    for run, (row, dimension) in enumerate(rows):
        function = table.functions[row]
        partitions.setdefault((function.suite, dimension, function.function), []).append(run)
    for (suite, dimension, function_number), runs in sorted(partitions.items()):
        folder = f"suite={quote(suite, '')}/dimension={dimension}/function={function_number}"
        yield folder, np.array(runs, np.int64)


def _tables(table: LogTable, runs: Indices) -> Iterator[tuple[str, dict[str, NDArray[Any]]]]:
    """Yield the name and the columns of each table that has rows of these runs."""
    yield "runs", {"run": runs, **_run_columns(table, runs)}
    for name, entries in table.ragged.items():
        picked = entries.pick(runs)
        rows, lengths = picked.rows, picked.lengths
        if len(rows):
            position = np.arange(len(rows)) - np.repeat(picked.offsets[:-1], lengths)
            columns = {field: rows[field] for field in rows.dtype.names or ()}
            yield name, {"run": np.repeat(runs, lengths), "position": position, **columns}


def _run_columns(table: LogTable, runs: Indices) -> dict[str, NDArray[Any]]:
    """Return the columns of these runs in the order of `RUNS`, each text before its number."""
    texts: dict[str, Sequence[str]] = {
        "algorithm": table.algorithms,
        "message": table.messages,
        "reference": table.references,
        "status": STATUSES,
        "record": RECORDS,
        "archive_kept": ARCHIVES_KEPT,
    }
    picked = table.runs[runs]
    columns: dict[str, NDArray[Any]] = {}
    for name in RUNS.names or ():
        if name in _PARTITION_COLUMNS:
            continue
        if name == "function_row":
            names = np.array([function.name for function in table.functions], object)
            columns["function_name"] = names[picked[name]]
        if name in _COLUMNS_WITH_TEXTS[PARQUET_VERSION]:
            columns[name] = np.array(texts[name], object)[picked[name]]
            columns[f"{name}_row"] = picked[name]
        else:
            columns[name] = picked[name]
    return columns


def _to_arrow(pa: ModuleType, column: NDArray[Any]) -> Any:
    """Return a column of numbers or texts as pyarrow stores it."""
    if column.dtype.kind == "S":
        return pa.array(np.char.decode(column, "utf-8").tolist(), pa.string())
    return pa.array(np.ascontiguousarray(column))


def _sha256(path: Path) -> str:
    """Return the SHA-256 of a regular file as hexadecimal characters."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_parquet(folder: Path) -> LogTable:
    """Read all runs of a folder that `write_parquet` wrote, in any version up to the current one.

    Tables above `WHOLE_BYTES` stay in their files, and their rows are read when they are used.

    Raises:
        LogFormatError: The folder has a newer version, a part is missing or has changed, or the
            content contradicts itself.
        LogReadError: ``pyarrow`` is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise LogReadError("Parquet needs pyarrow: pip install 'firsthit[parquet]'") from error
    with _convert_errors(folder):
        return _read(folder)


@contextmanager
def _convert_errors(folder: Path) -> Iterator[None]:
    """Convert every exception of the block to a LogFormatError that names the folder or file."""
    try:
        yield
    except LogFormatError:
        raise
    except Exception as error:  # pyarrow raises errors of many classes for damaged files
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise LogFormatError.of(folder, f"it is damaged ({reason})") from error


def _read(folder: Path) -> LogTable:
    with open_regular(folder / PARQUET_INDEX, MAX_INDEX_BYTES) as file:
        index = json.load(file)
    version = _check_version(folder, index)
    notes = _check_parts(folder, index["parts"]) if version >= 2 else ()
    for text in index["headers"]:
        check_header(text)
    files = [_File(path) for path in sorted((folder / "runs").rglob(_PART))]
    numbers = np.concatenate([np.empty(0, np.int64), *(file.run_numbers() for file in files)])
    runs = np.concatenate([np.empty(0, RUNS), *(file.read_runs(version) for file in files)])
    order = np.argsort(numbers)
    if not np.array_equal(numbers[order], np.arange(len(numbers))):
        raise LogFormatError.of(folder, "runs are missing or occur twice")
    table = LogTable(
        tuple(index["headers"]),
        tuple(index["algorithms"]),
        tuple(_suite(row) for row in index["suites"]),
        tuple(_make_dataclass(FunctionRow, row) for row in index["functions"]),
        tuple(index["messages"]),
        tuple(index["references"]),
        runs[order],
        {name: _entries(folder, name, runs["evaluations"][order]) for name in TABLES},
        notes,
    )
    check_table(table)
    return table


def _check_version(folder: Path, index: Mapping[str, Any]) -> int:
    """Return the version of the folder; refuse another format and a newer version."""
    if index["format"] != _FORMAT:
        raise LogFormatError.of(folder, f"{PARQUET_INDEX} is of another format")
    version = index.get("parquet_version", 1)
    if type(version) is not int or version < 1:
        raise LogFormatError.of(folder, f"it is damaged: parquet_version is {str(version)[:20]!r}")
    if version > PARQUET_VERSION:
        writer = clean_text(str(index.get("writer_version", "of unknown version")), 40)
        raise LogFormatError.of(
            folder,
            f"its parquet_version is {version}, written by firsthit {writer}, and this firsthit "
            f"reads versions up to {PARQUET_VERSION}: use a newer firsthit",
        )
    return version


def _check_parts(folder: Path, parts: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Compare the parts with the list in ``firsthit.json``; return a note on unknown tables.

    Raises:
        LogFormatError: A part is missing, is not listed, or has another SHA-256.
    """
    checksums = {part["path"]: part["sha256"] for part in parts}
    present = {path.relative_to(folder).as_posix() for path in folder.rglob(_PART)}
    for path in sorted(checksums.keys() - present):
        raise LogFormatError.of(folder, f"its part {path[:200]!r} is missing")
    for path in sorted(present - checksums.keys()):
        raise LogFormatError.of(folder, f"{PARQUET_INDEX} does not list its part {path[:200]!r}")
    for path, checksum in checksums.items():
        if _sha256(folder / path) != checksum:
            raise LogFormatError.of(
                folder / path, "its SHA-256 is wrong: it is damaged, or changed by another program"
            )
    unknown = sorted({path.split("/")[0] for path in checksums} - {"runs", *TABLES})
    if not unknown:
        return ()
    names = clean_text(", ".join(unknown), 200)
    return (f"{folder}: written by a newer firsthit; tables that are not used: {names}.",)


def _suite(row: Mapping[str, Any]) -> SuiteFacts:
    measurement = _make_dataclass(Measurement, row["measurement"])
    return SuiteFacts(row["name"], row["version"], measurement)


def _make_dataclass(cls: type[_Row], row: Mapping[str, Any]) -> _Row:
    """Make a frozen dataclass from a JSON object; ignore keys that later versions may add."""
    return cls(**{item.name: row[item.name] for item in fields(cls)})


def _entries(folder: Path, name: str, evaluations: NDArray[np.int64]) -> Entries:
    """Return the rows of a table: in memory, or read on use if they are many and in order.

    Args:
        folder: Folder that `write_parquet` wrote.
        name: Name of the table, one of `TABLES`.
        evaluations: Evaluations of each run, shape ``(n_runs,)``.
    """
    dtype, n_runs = TABLES[name], len(evaluations)
    check = partial(check_rows, folder, name, evaluations)
    files = [_File(path) for path in sorted((folder / name).rglob(_PART))]
    parts = [(numbers, file) for file in files if len(numbers := file.run_numbers())]
    if not parts:
        return nothing(name, n_runs)
    parts.sort(key=lambda part: int(part[0][0]))
    files = [file for _, file in parts]
    run_numbers = np.concatenate([numbers for numbers, _ in parts])
    lengths = np.bincount(run_numbers, minlength=n_runs)
    if len(lengths) > n_runs:
        raise LogFormatError.of(folder, f"{name} has rows of runs that do not exist")
    if (run_numbers[1:] >= run_numbers[:-1]).all():
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        ends = np.cumsum([len(numbers) for numbers, _ in parts])
        stored = LazyRagged(offsets, partial(_read_rows, folder, files, ends, dtype), check)
        is_small = len(run_numbers) * dtype.itemsize <= WHOLE_BYTES
        return stored.load() if is_small else stored
    order = np.argsort(run_numbers, kind="stable")  # the rows of a run stay in their order
    rows = np.concatenate([file.read_rows(dtype) for file in files])[order]
    entries = Ragged.of_lengths(lengths, rows)
    check(slice(None), entries)
    return entries


def _read_rows(
    folder: Path, files: Sequence[_File], ends: Indices, dtype: np.dtype[Any],
    start: int, stop: int, fields: Fields,
) -> Rows:  # fmt: skip
    """Read rows ``start`` to ``stop - 1`` of a table; file i ends before row ``ends[i]``.

    Args:
        folder: Folder that an error names.
        files: Parts of the table, in the order of their rows.
        ends: Sums of the numbers of rows, shape ``(n_files,)``.
        dtype: Type of the table's rows.
        start: First row.
        stop: Row after the last one.
        fields: Columns to read; all if it is empty.
    """
    names = fields or dtype.names or ()
    row_type = np.dtype([(name, dtype[name]) for name in names])
    arrays = []
    with _convert_errors(folder):
        first_file = int(np.searchsorted(ends, start, side="right"))
        begins = np.concatenate([[0], ends[:-1]]).tolist()
        for file, begin in zip(files[first_file:], begins[first_file:], strict=True):
            if begin >= stop:
                break
            arrays.append(file.read_rows(row_type, slice(max(start - begin, 0), stop - begin)))
    if len(arrays) == 1:  # without a copy
        return arrays[0]
    return np.concatenate([np.empty(0, row_type), *arrays])


@dataclass(frozen=True, slots=True)
class _File:
    """One part; the file is open only while it is read."""

    path: Path

    def run_numbers(self) -> NDArray[np.int64]:
        """Return the number of the run of each row."""
        numbers: NDArray[np.int64] = self._read_columns(["run"])["run"].to_numpy()
        return numbers

    def read_rows(self, dtype: np.dtype[Any], rows: slice = slice(None)) -> NDArray[Any]:
        """Return rows as an array of this type, whose fields name the columns."""
        columns = self._read_columns(dtype.names or (), rows)
        array = np.zeros(len(columns), dtype)
        for field in dtype.names or ():
            array[field] = self._to_numpy(columns, field, dtype[field])
        return array

    def read_runs(self, version: int) -> NDArray[Any]:
        """Return the rows of `RUNS`; dimension and function are read from the path."""
        names = {name: name for name in RUNS.names or () if name not in _PARTITION_COLUMNS}
        names |= {name: f"{name}_row" for name in _COLUMNS_WITH_TEXTS[version]}
        columns = self._read_columns([*names.values()])
        runs = np.zeros(len(columns), RUNS)
        for field, name in names.items():
            runs[field] = self._to_numpy(columns, name, RUNS[field])
        partition = dict(part.split("=", 1) for part in self.path.parts if "=" in part)
        for field in _PARTITION_COLUMNS:
            runs[field] = int(partition[field])
        return runs

    def _read_columns(self, columns: Sequence[str], rows: slice = slice(None)) -> Any:
        """Return columns of these rows as a table of pyarrow; whole row groups are decompressed."""
        import pyarrow.parquet as pq

        with _convert_errors(self.path), open_regular(self.path) as opened:
            file = pq.ParquetFile(opened)
            ends = np.cumsum(
                [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
            )
            start, stop, _ = rows.indices(file.metadata.num_rows)
            groups = np.flatnonzero((ends > start) & (np.r_[0, ends[:-1]] < stop)).tolist()
            begin = int(ends[groups[0] - 1]) if groups and groups[0] else 0
            table = file.read_row_groups(groups, columns=list(columns))
            return table.slice(start - begin, stop - start)

    def _to_numpy(self, table: Any, name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Convert a column of pyarrow to an array; texts become bytes.

        Raises:
            LogFormatError: The column contains nulls, or has another type than `write_parquet`
                gives it. Numpy would convert both to other values without an error.
        """
        import pyarrow as pa

        column = table[name]
        if column.null_count:
            raise LogFormatError.of(
                self.path, f"its column {name!r} contains {column.null_count} nulls"
            )
        is_text = dtype.kind == "S"
        expected = pa.string() if is_text else pa.from_numpy_dtype(dtype)
        if column.type != expected:
            raise LogFormatError.of(
                self.path, f"its column {name!r} has type {column.type}; it must be {expected}"
            )
        if is_text:
            return np.array([text.encode() for text in column.to_pylist()], dtype)
        values: NDArray[Any] = column.to_numpy()
        return values

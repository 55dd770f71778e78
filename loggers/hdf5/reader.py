"""Reads a log file into a table and believes nothing: what is wrong becomes a ``LogFormatError``.

The file's SHA-256 is compared first. Where its columns stand is said by a process of its own
(``examiner.py``), so that a file made to break the HDF5 library breaks nothing here. What it says
is checked, then the columns are read: those of one entry a run at once, the others at once from a
small file and piece by piece, when they are asked for, from a large one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LogFormatError
from ..records.table import FunctionRow, LogTable, constant
from .examiner import ExaminerError, examiner
from .layout import Layout
from .ragged_columns import Column, Entries, Ragged
from .schema import (
    CHUNK_ROWS,
    FORMAT,
    FUNCTION_TEXTS,
    HEAD_BYTES,
    OFFSET,
    OPTIONAL,
    RAGGED,
    RUNS,
    SCHEMA_VERSION,
    TEXT_LIMITS,
)
from .stored import DEFLATE, FLETCHER32, SHUFFLE, DefaultColumn, StoredColumn, StoredFile
from .validate import EntriesCheck, check_checksums, check_header, check_table

WHOLE_BYTES = 2**24
"""A file of at most so many bytes is read at once."""

_MAX_RATIO = 128
_FREE_BYTES = 2**28
_KEY_BYTES = 16
_LEAST_CHUNK_ROWS = 1024


def read_table(path: Path, *, whole: bool = True) -> LogTable:
    """The content of one log file, checked.

    Args:
        path: The file.
        whole: Read all of it now and compare every run's checksum. Otherwise a large file stays
            open, and what runs have several of is read and checked when it is asked for.

    Raises:
        LogFormatError: The file is no log, is damaged, or of a version unknown here.
        FileNotFoundError: There is no such file.
    """
    with _refusing(path):
        file = StoredFile(path)
        _check_content(file)
        table = _Reader(file, _outline(file)).table()
        check_table(table)
        if whole or file.size <= WHOLE_BYTES:
            table = table.loaded()
            check_checksums(table)
        return table


def read_own(path: Path, layout: Layout) -> LogTable:
    """The content of a file that this process wrote, and so need not doubt.

    Args:
        path: The file.
        layout: What was known of it when it was written.

    Raises:
        LogFormatError: The file is another one by now, or cannot be read.
        FileNotFoundError: There is no such file.
    """
    with _refusing(path):
        content = path.read_bytes()
        if hashlib.sha256(memoryview(content)[HEAD_BYTES:]).hexdigest() != layout.digest:
            raise LogFormatError.of(path, "it was changed since it was written")
        return _own_table(
            {
                name: np.frombuffer(content, dtype, rows, place)
                for name, (dtype, rows, place) in layout.columns.items()
            }
        )


def _own_table(columns: Mapping[str, NDArray[Any]]) -> LogTable:
    """The table of which these are the columns that ``encode_plain`` does not leave out."""

    def texts(name: str) -> tuple[str, ...]:
        return tuple(item.decode() for item in columns[name].tolist())

    functions = [texts(f"functions/{name}") for name in FUNCTION_TEXTS]
    ragged: dict[str, Entries] = {}
    for name, dtypes in RAGGED.items():
        offset = columns[f"{name}/offset"]
        ragged[name] = Ragged(
            offset,
            {
                title: columns[path]
                if (path := f"{name}/{title}") in columns
                else constant(path, dtype, offset)
                for title, dtype in dtypes.items()
            },
        )
    return LogTable(
        texts("headers"),
        texts("algorithms"),
        _function_rows(functions, columns["functions/function"]),
        texts("messages"),
        columns["runs"],
        ragged,
    )


def _function_rows(
    texts: Sequence[Sequence[str]], numbers: NDArray[np.uint32]
) -> tuple[FunctionRow, ...]:
    suites, versions, names, groups = texts
    rows = zip(suites, versions, numbers.tolist(), names, groups, strict=True)
    return tuple(FunctionRow(*row) for row in rows)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Turn whatever is wrong with a file into LogFormatError, but that there is none."""
    try:
        yield
    except (FileNotFoundError, LogFormatError):
        raise
    except PermissionError as error:
        raise LogFormatError.of(path, "permission denied") from error
    except ExaminerError as error:
        raise LogFormatError.of(path, str(error)) from error
    except (
        OSError, KeyError, ValueError, TypeError, OverflowError, IndexError, MemoryError,
        RecursionError,
    ) as error:  # fmt: skip
        reason = " ".join(f"{error}".split())[:200]
        raise LogFormatError.of(
            path, f"it is damaged ({type(error).__name__}: {reason})"
        ) from error


def _check_content(file: StoredFile) -> None:
    """Compare the file with its checksum, before HDF5 sees it."""
    head = file.head().split()
    if head[:3] != [*FORMAT.encode().split(), b"sha256"]:
        raise LogFormatError.of(file.path, "it is no log of firsthit, or its beginning is damaged")
    if head[3:] != [file.digest().encode()]:
        raise LogFormatError.of(file.path, "it is damaged: its content does not fit its checksum")


def _outline(file: StoredFile) -> dict[str, Any]:
    """Columns as ``outline.py`` describes them; the file is a log of a version known here."""
    names = [f"functions/{name}" for name in (*FUNCTION_TEXTS, "function")]
    names += ["headers", "algorithms", "messages", "runs"]
    for table, parts in RAGGED.items():
        names += [f"{table}/offset", *(f"{table}/{part}" for part in parts)]
    found = examiner.outline(file.path, [n for n in names if n not in OPTIONAL], OPTIONAL)
    if found.get("vanished") or found.get("identity", file.identity) != file.identity:
        raise FileNotFoundError(f"{file.path} was replaced")
    if "refused" in found:
        raise LogFormatError.of(file.path, found["refused"])
    if found["format"] != FORMAT or found["head_bytes"] != HEAD_BYTES:
        raise LogFormatError.of(file.path, "it is an HDF5 file, but no log of firsthit")
    version = found["schema_version"]
    if not isinstance(version, int) or not 1 <= version <= SCHEMA_VERSION:
        raise LogFormatError.of(
            file.path,
            f"its schema version is {version!r}; this firsthit reads 1 to {SCHEMA_VERSION}. "
            "Install a newer firsthit",
        )
    columns: dict[str, Any] = found["columns"]
    return columns


class _Reader:
    """Makes columns of what was said of them, and reads those that are needed at once."""

    def __init__(self, file: StoredFile, outline: Mapping[str, Any]) -> None:
        self._file = file
        self._outline = outline
        self._bytes_left = _MAX_RATIO * file.size + _FREE_BYTES
        self._stored_left = file.size

    def table(self) -> LogTable:
        functions = [self._texts(f"functions/{name}", "functions") for name in FUNCTION_TEXTS]
        numbers = self._column("functions/function", "<u4")[:]
        headers = self._texts("headers", "headers")
        for text in headers:
            check_header(text)
        runs = self._runs()
        return LogTable(
            headers,
            self._texts("algorithms", "algorithms"),
            _function_rows(functions, numbers),
            self._texts("messages", "messages"),
            runs,
            {name: self._ragged(name, runs) for name in RAGGED},
        )

    def _runs(self) -> NDArray[np.void]:
        """The table of runs; columns that older logs do not have with their defaults."""
        optional = {name for name in RUNS.names or () if f"runs/{name}" in OPTIONAL}
        column = self._column("runs", RUNS, optional=optional)
        if column.rows > self._file.size // _KEY_BYTES:
            self._refuse("runs declares far more data than the file can hold")
        stored = column[:]
        if stored.dtype == RUNS:
            return stored
        runs = np.empty(len(stored), RUNS)
        for name in RUNS.names or ():
            there = name in (stored.dtype.names or ())
            runs[name] = stored[name] if there else OPTIONAL[f"runs/{name}"]
        return runs

    def _ragged(self, name: str, runs: NDArray[np.void]) -> Entries:
        offset = self._column(f"{name}/offset", OFFSET)
        if len(offset) != len(runs) + 1:
            self._refuse(f"{name}/offset does not fit the runs")
        bounds: NDArray[np.uint64] = offset[:]
        columns: dict[str, Column] = {}
        for title, dtype in RAGGED[name].items():
            if (path := f"{name}/{title}") in self._outline:
                columns[title] = self._column(path, dtype)
            else:
                rows = min(int(bounds[-1]), self._file.size * _MAX_RATIO)
                columns[title] = DefaultColumn(np.dtype(dtype), rows, OPTIONAL[path])
        check = EntriesCheck(self._file.path, name, bounds, runs["evaluations"])
        return Ragged(bounds, columns, check)

    def _texts(self, name: str, kind: str) -> tuple[str, ...]:
        raw = self._column(name, f"S{TEXT_LIMITS[kind]}", exact=False)[:]
        return tuple(item.decode() for item in raw.tolist())

    def _column(
        self,
        name: str,
        dtype: str | np.dtype[Any],
        *,
        exact: bool = True,
        optional: set[str] | None = None,
    ) -> StoredColumn:
        """A column of a type; text of another length, or records without some, where allowed."""
        said, expected = self._outline[name], np.dtype(dtype)
        kind = said["type"]
        found = np.dtype(kind if isinstance(kind, str) else [tuple(part) for part in kind])
        fits = found == expected or (
            not exact and found.kind == "S" and 0 < found.itemsize <= expected.itemsize
        )
        if optional and found.names:
            known = [n for n in expected.names or () if n in found.names or n not in optional]
            fits = found == np.dtype([(n, expected[n]) for n in known])
        if not fits:
            self._refuse(f"{name} has type {found}, not {expected}")
        return self._placed(name, found, said)

    def _placed(self, name: str, dtype: np.dtype[Any], said: dict[str, Any]) -> StoredColumn:
        """The column, after its size, filters and chunks were found possible."""
        rows, chunk_rows = said["rows"], max(said["chunk_rows"], 1)
        if not set(said["filters"]) <= {DEFLATE, SHUFFLE, FLETCHER32} or len(
            set(said["filters"])
        ) != len(said["filters"]):
            self._refuse(f"{name} uses filters that a log does not use")
        count = -(-rows // chunk_rows)
        self._bytes_left -= max(rows, count * chunk_rows) * dtype.itemsize
        if self._bytes_left < 0:
            self._refuse(f"{name} declares far more data than the file can hold")
        if chunk_rows < min(rows, _LEAST_CHUNK_ROWS) or (
            said["filters"] and chunk_rows > CHUNK_ROWS
        ):
            self._refuse(f"{name} has chunks of {chunk_rows} entries")
        chunks = sorted(said["chunks"])
        if [chunk[0] for chunk in chunks] != [i * chunk_rows for i in range(count)]:
            self._refuse(f"{name} lacks some of its chunks")
        for _, place, size, _ in chunks:
            self._stored_left -= size
            if place < 0 or size < 0 or place + size > self._file.size or self._stored_left < 0:
                self._refuse(f"{name} has chunks that overlap or stand beyond the file's end")
        places = tuple((place, size, mask) for _, place, size, mask in chunks)
        return StoredColumn(
            self._file, name, dtype, rows, chunk_rows, tuple(said["filters"]), places
        )

    def _refuse(self, reason: str) -> None:
        raise LogFormatError.of(self._file.path, reason)

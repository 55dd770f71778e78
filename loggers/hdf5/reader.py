"""Read log files and journals into `LogTable`s, and check everything that is read.

The SHA-256 of a file is compared before HDF5 opens it. Then the structure is checked
(`check_file`), and then the content (`check_content`). An error becomes a `LogFormatError` or
`LogReadError` that names the file. Texts and the table of runs are read at once. Variable-length
tables are read at once from a small file; a large file stays open, and their rows are read when
they are needed.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import weakref
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import h5py
import numpy as np
from numpy.typing import NDArray

from ...suites.measurement import Measurement
from ..errors import LogFormatError, LogNotFoundError, LogReadError
from ..records.dtypes import TABLES, Rows
from ..records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES, UNKNOWN, SuiteFacts
from .byte_planes import read_first_columns
from .check_content import check_header, check_rows, check_table
from .check_file import (
    as_line,
    check_checksum,
    check_version,
    columns_of,
    describe_unused,
    open_datasets,
    read_publication,
)
from .files import Paths, find_logs, journals, listed, parts_folder
from .journal import JournalTail, read_journal_table, read_tail
from .opening import open_regular
from .ragged import Entries, Fields, LazyRagged, nothing
from .schema import FORMAT, OFFSETS, SCHEMA_MINOR, SCHEMA_VERSION, SUFFIX
from .table import FunctionRow, LogTable

WHOLE_BYTES = 2**24
"""Maximum size of a file that is read completely and closed. A larger file stays open."""


class _Codes(NamedTuple):
    """Codes of a column of ``runs``."""

    names: tuple[str, ...]  # name of each code, by its number
    replacement: str  # name that replaces a code that a newer version has added


_CODES = {
    "status": _Codes(STATUSES, UNKNOWN),
    "record": _Codes(RECORDS, "sampled"),
    "archive_kept": _Codes(ARCHIVES_KEPT, "none"),
}
"""Codes of each column. The replacement is the value that claims least about the recorded rows."""
_SHOWN_CODES = 5
"""Maximum number of unknown codes in a message."""
_MAX_REASON_CHARACTERS = 200
"""Maximum length of a text of HDF5 in a message; some have many lines."""

ABSENT_ERRORS = (FileNotFoundError, NotADirectoryError)
"""Errors of opening a file that does not exist."""


def read_tables(paths: Paths) -> tuple[tuple[Path, ...], list[LogTable]]:
    """Read logs, each as several tables: its file, then its journals from old to new.

    Args:
        paths: Files, folders and patterns; see `read_log`.

    Returns:
        The files that were read, and the content of each file.

    Raises:
        LogNotFoundError: No path was given, or no log belongs to one of the paths.
        LogFormatError: A file is damaged or is not a log.
        LogReadError: The operating system cannot read a file now.
    """
    path_list = listed(paths)
    if not path_list:
        raise LogNotFoundError("no log was given")
    tables: dict[Path, LogTable] = {}
    for path in path_list:
        tables_of_logs = [read_files(log) for log in find_logs(Path(path))] if str(path) else []
        if not any(tables_of_logs):
            raise LogNotFoundError(
                f"no log at {str(path)!r}: give a file NAME{SUFFIX}, a folder with such files, "
                "or a pattern"
            )
        for tables_of_log in tables_of_logs:
            tables.update(tables_of_log)
    return tuple(tables), list(tables.values())


def read_files(log: Path, excluded_journals: Collection[Path] = ()) -> dict[Path, LogTable]:
    """Read the file of a log and its journals, from old to new.

    The journals are read first. A writer removes its journals after the file has all their runs,
    so the runs of a journal that is missing by then are in the file.

    Args:
        log: Path of the log, with its links resolved. The file may be missing.
        excluded_journals: Journals that are not read.

    Returns:
        The content of each file by its path; empty if the log has neither file nor journals.

    Raises:
        LogFormatError: A file is damaged or is not a log.
        LogReadError: The operating system cannot read a file now.
    """
    journal_tables: dict[Path, LogTable] = {}
    for journal in journals(parts_folder(log)):
        if journal in excluded_journals:
            continue
        with contextlib.suppress(*ABSENT_ERRORS):
            journal_tables[journal] = read_journal(journal)
    try:
        return journal_tables if log.is_dir() else {log: read_table(log), **journal_tables}
    except ABSENT_ERRORS:
        return journal_tables


def read_journal(path: Path) -> LogTable:
    """Read the runs of a journal up to the first record that cannot be read.

    The table has a note about the bytes after these runs if a record is damaged or missing, or if
    the last record is incomplete and no process writes the journal.

    Raises:
        FileNotFoundError: The journal does not exist.
        LogFormatError: The file is damaged or is not a journal.
        LogReadError: The operating system cannot read the file now.
    """
    from .locks import is_written  # its libraries are a tenth of the imports for reading a log

    table, tail = _read_complete_runs(path)
    if not tail.n_bytes or (is_written(path.parent) and not tail.is_damaged):
        return table
    # Read again, because the writer may have completed the record and ended after the first read.
    table, tail = _read_complete_runs(path)
    if not tail.n_bytes:
        return table
    return replace(table, notes=(*table.notes, describe_tail(path, tail)))


def describe_tail(path: Path, tail: JournalTail) -> str:
    """Return the note on a journal whose last bytes cannot be read."""
    if not tail.is_damaged:
        reason = "that are no whole run: they are left out"
        return f"{str(path)!r} ends in {tail.n_bytes} bytes {reason}"
    runs = "1 run is" if tail.n_runs == 1 else f"{tail.n_runs} runs are"
    return (
        f"{str(path)!r} ends in {tail.n_bytes} bytes that are not read because a record is damaged "
        f"or missing: {runs} left out, and the command that writes the log makes them again"
    )


def damaged_journals(paths: Paths) -> dict[Path, JournalTail]:
    """Return the journals with a damaged or missing record, and what follows that record.

    Args:
        paths: Files, folders and patterns; see `read_log`. Paths without journals are ignored.

    Raises:
        LogFormatError: A journal is a link or not a regular file.
        LogReadError: The operating system cannot read a journal now.
    """
    tails: dict[Path, JournalTail] = {}
    for path in listed(paths):
        for log in find_logs(Path(path)) if str(path) else ():
            for journal in journals(parts_folder(log)):
                with (
                    contextlib.suppress(*ABSENT_ERRORS),
                    convert_errors(journal),
                    open_regular(journal) as file,
                ):
                    tail = read_tail(file, os.fstat(file.fileno()).st_size)
                    if tail.is_damaged:
                        tails[journal] = tail
    return tails


def _read_complete_runs(path: Path) -> tuple[LogTable, JournalTail]:
    """Return the runs of a journal up to the first record that cannot be read, and its tail."""
    with convert_errors(path), open_regular(path) as file:
        n_bytes = os.fstat(file.fileno()).st_size
        table, n_read_bytes = read_journal_table(path, file, n_bytes)
        if n_read_bytes == n_bytes:
            return table, JournalTail(n_bytes, 0, 0, is_damaged=False)
        return table, read_tail(file, n_bytes)


def read_table(path: Path) -> LogTable:
    """Read and check a log file.

    A file that is larger than `WHOLE_BYTES` stays open while its rows can be read.

    Raises:
        FileNotFoundError: The file does not exist.
        LogFormatError: The file is damaged or is not a log.
        LogReadError: The operating system cannot read the file now.
    """
    with convert_errors(path), contextlib.ExitStack() as stack:
        raw = stack.enter_context(open_regular(path))
        checksum = check_checksum(path, raw)
        file = h5py.File(raw, "r")
        minor = check_version(path, file)
        table = replace(
            _read_datasets(path, file, raw, minor),
            checksum=checksum,
            publication=read_publication(file),
        )
        check_table(table)
        if os.fstat(raw.fileno()).st_size > WHOLE_BYTES:
            # Close the Python file with the HDF5 file, because h5py does not close it.
            weakref.finalize(file, stack.pop_all().close)
            return table
        ragged: dict[str, Entries] = {
            name: entries.load() for name, entries in table.ragged.items()
        }
        file.close()
        return replace(table, ragged=ragged)


def is_log(path: Path) -> bool:
    """Return whether a file begins with the name of the log format."""
    with open_regular(path) as file:
        return file.read(len(FORMAT)) == FORMAT.encode()


def _identify_file(file: BinaryIO) -> tuple[int, int, int]:
    """Return size, inode and time of change of a file: one of them changes if it is written to."""
    status = os.fstat(file.fileno())
    return status.st_size, status.st_ino, status.st_mtime_ns


@contextlib.contextmanager
def convert_errors(path: Path) -> Iterator[None]:
    """Raise errors of the block as LogFormatError or LogReadError, except those of absent files."""
    try:
        yield
    except (LogFormatError, *ABSENT_ERRORS):
        raise
    except OSError as error:
        if error.errno is None:  # an error of HDF5, about the content
            raise _damage_error(path, error) from error
        reason = os.strerror(error.errno)
        raise LogReadError(f"cannot read the log {str(path)!r} now: {reason}") from error
    except Exception as error:  # h5py raises many types of exceptions for damaged files
        raise _damage_error(path, error) from error


def _damage_error(path: Path, error: Exception) -> LogFormatError:
    """Make the error that a file is damaged, with the reason in one short line."""
    reason = " ".join(f"{error}".split())[:_MAX_REASON_CHARACTERS]
    return LogFormatError.of(path, f"it is damaged ({type(error).__name__}: {reason})")


def _read_datasets(path: Path, file: h5py.File, raw: BinaryIO, minor: int) -> LogTable:
    """Read the content of an open file; of the variable-length tables, read the offsets only.

    Args:
        path: Path of the file.
        file: The file, opened by HDF5.
        raw: The file from which HDF5 reads.
        minor: Minor version of the format.
    """
    datasets = open_datasets(path, file)
    headers = _read_texts(datasets["headers"])
    for text in headers:
        check_header(text)
    identity = _identify_file(raw)
    runs = _select_columns(datasets["runs"], "runs")[:]
    newer_version, notes = "", list[str]()
    if minor > SCHEMA_MINOR:
        newer_version = f"{SCHEMA_VERSION}.{minor}"
        notes += [
            f"{str(path)!r} was written by a newer firsthit (log format {newer_version}): "
            f"{describe_unused(file, datasets)}.",
            *_replace_unknown_codes(path, runs, datasets["runs"].dtype),
        ]
    ragged: dict[str, Entries] = {}
    for name in TABLES:
        if name not in datasets:
            ragged[name] = nothing(name, len(runs))
            continue
        offsets = datasets[name + OFFSETS][:]
        if len(offsets) != len(runs) + 1 or offsets[0] or offsets[-1] != len(datasets[name]):
            raise LogFormatError.of(path, f"{name}{OFFSETS} does not fit the runs or {name}")
        if (offsets[1:] < offsets[:-1]).any():
            raise LogFormatError.of(path, f"{name}{OFFSETS} descends")
        read = partial(_read_rows, path, file, raw, identity, name)
        check = partial(check_rows, path, name, runs["evaluations"])
        ragged[name] = LazyRagged(offsets, read, check)
    suite_rows = _select_columns(datasets["suites"], "suites")[:].tolist()
    function_rows = _select_columns(datasets["functions"], "functions")[:].tolist()
    return LogTable(
        headers,
        _read_texts(datasets["algorithms"]),
        tuple(map(_decode_suite, suite_rows)),
        tuple(map(_decode_function, function_rows)),
        _read_texts(datasets["messages"]),
        _read_texts(datasets["references"]),
        runs,
        ragged,
        tuple(notes),
        newer_version=newer_version,
    )


def _select_columns(dataset: h5py.Dataset, name: str) -> Any:
    """Return an object whose slices are rows of a dataset with the columns of this version."""
    columns = list(columns_of(name))
    return dataset if list(dataset.dtype.names) == columns else dataset.fields(columns)


def _replace_unknown_codes(
    path: Path, runs: NDArray[np.void], file_type: np.dtype[Any]
) -> Iterator[str]:
    """Replace codes that a newer minor version has added; yield a sentence on each such column.

    Args:
        path: The log.
        runs: Rows of ``runs``; unknown codes are replaced in place, see `_CODES`.
        file_type: Type of the dataset ``runs``, whose enum types name the new codes.
    """
    for column, (names, replacement) in _CODES.items():
        is_unknown = runs[column] >= len(names)
        if not is_unknown.any():
            continue
        codes = np.unique(runs[column][is_unknown]).tolist()
        enum = h5py.check_enum_dtype(file_type[column]) or {}
        name_of_code = {code: name for name, code in enum.items()}
        shown = ", ".join(
            as_line(name_of_code.get(code, str(code))) for code in codes[:_SHOWN_CODES]
        )
        runs[column][is_unknown] = [*names, UNKNOWN].index(replacement)
        yield (
            f"{int(is_unknown.sum())} runs in {str(path)!r} have a {column} that this firsthit "
            f"does not know ({shown}); it is read as {replacement!r}."
        )


def _read_texts(dataset: h5py.Dataset) -> tuple[str, ...]:
    return tuple(text.decode() for text in dataset[:].tolist())


def _decode_suite(row: tuple[Any, ...]) -> SuiteFacts:
    """Make the facts of a suite from a row of ``suites``."""
    name, version, indicator, targets = (text.decode() for text in row[:4])
    final = None if math.isnan(row[4]) else row[4]
    return SuiteFacts(name, version, Measurement(indicator, tuple(json.loads(targets)), final))


def _decode_function(row: tuple[Any, ...]) -> FunctionRow:
    """Make the description of a function from a row of ``functions``."""
    suite, name, group = (text.decode() for text in row[:3])
    return FunctionRow(suite, row[3], name, group)


def _read_rows(
    path: Path, file: h5py.File, raw: BinaryIO, identity: tuple[int, int, int], name: str,
    start: int, stop: int, fields: Fields,
) -> Rows:  # fmt: skip
    """Read rows of a variable-length table of an open file, for `LazyRagged`.

    Args:
        path: Path of the file.
        file: The file, opened by HDF5.
        raw: The file from which HDF5 reads.
        identity: Result of `_identify_file` when the file was opened.
        name: Name of the table.
        start: Position of the first row.
        stop: Position after the last row.
        fields: Columns to read; empty: all.

    Raises:
        LogFormatError: The file is damaged, or was changed after it was opened.
        LogReadError: The operating system cannot read the file now.
    """
    with convert_errors(path):
        if _identify_file(raw) != identity:
            raise LogFormatError.of(path, "it was changed while it was being read")
        dataset = file[name]
        rows: Rows | None = read_first_columns(dataset, fields, start, stop) if fields else None
        if rows is None:
            selected = dataset.fields(list(fields)) if fields else _select_columns(dataset, name)
            rows = selected[start:stop]
        return rows

"""Reads log files into tables and believes nothing: what is wrong becomes a ``LogFormatError``.

A file's SHA-256 is compared before HDF5 opens it, then the structure is checked, then what is
read. Texts and the table of runs are read at once; what runs have several of at once from a small
file, and piece by piece, when it is asked for, from a large one.
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
from typing import Any, BinaryIO

import h5py

from ...suites.measurement import Measurement
from ..errors import LogFormatError, LogNotFoundError, LogReadError
from ..records.dtypes import TABLES, Rows
from ..records.run_record import SuiteFacts
from .check_content import check_header, check_rows, check_table
from .check_file import check_checksum, check_format, datasets
from .files import Paths, journals, listed, log_places, parts_folder
from .journal import journal_table
from .opening import open_regular
from .ragged import Entries, Fields, Stored, nothing
from .schema import FORMAT, OFFSETS, SUFFIX
from .table import FunctionRow, LogTable

WHOLE_BYTES = 2**24
"""A file of at most so many bytes is read at once."""

_ABSENT = (FileNotFoundError, NotADirectoryError)
"""What opening raises where there is nothing."""


def read_tables(paths: Paths) -> tuple[tuple[Path, ...], list[LogTable]]:
    """The files of these logs and their runs: of each log its file, then its journals by age."""
    given = listed(paths)
    if not given:
        raise LogNotFoundError("no log was given")
    found: dict[Path, LogTable] = {}
    for item in given:
        own = [read_files(place) for place in log_places(Path(item))] if str(item) else []
        if not any(own):
            raise LogNotFoundError(
                f"no log at {str(item)!r}: give a file NAME{SUFFIX}, a folder with such files, "
                "or a pattern"
            )
        for files in own:
            found.update(files)
    return tuple(found), list(found.values())


def read_files(log: Path, known: Collection[Path] = ()) -> dict[Path, LogTable]:
    """The files of one log and their runs, but for journals that are known: see ``read_tables``.

    Journals are read before the file: one that is gone by then is in the file, as a writer removes
    its journals when the file has all their runs.
    """
    parts: dict[Path, LogTable] = {}
    for journal in journals(parts_folder(log)):
        if journal in known:
            continue
        with contextlib.suppress(*_ABSENT):
            parts[journal] = read_journal(journal)
    try:
        return parts if log.is_dir() else {log: read_table(log), **parts}
    except _ABSENT:
        return parts


def read_journal(path: Path) -> LogTable:
    """The whole runs of a journal; a note says where its end is torn and nobody writes it."""
    from .locks import is_written  # its libraries are a tenth of what reading a log imports

    table, torn = _journal(path)
    if not torn or is_written(path.parent):
        return table
    table, torn = _journal(path)  # its writer may have ended just now
    if not torn:
        return table
    text = f"{str(path)!r} ends in {torn} bytes that are no whole run: they are left out"
    return replace(table, notes=(text,))


def _journal(path: Path) -> tuple[LogTable, int]:
    """The whole runs of a journal, and how many bytes follow them."""
    with _refusing(path), open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        table, whole = journal_table(path, file, size)
        return table, size - whole


def read_table(path: Path) -> LogTable:
    """The content of one log file, checked; a large one stays open."""
    with _refusing(path), contextlib.ExitStack() as stack:
        raw = stack.enter_context(open_regular(path))
        checksum = check_checksum(path, raw)
        file = h5py.File(raw, "r")
        check_format(path, file)
        table = replace(_table(path, file, raw), checksum=checksum)
        check_table(table)
        if os.fstat(raw.fileno()).st_size > WHOLE_BYTES:
            weakref.finalize(file, stack.pop_all().close)
            return table
        ragged: dict[str, Entries] = {n: part.load() for n, part in table.ragged.items()}
        file.close()
        return replace(table, ragged=ragged)


def is_log(path: Path) -> bool:
    """Whether a file begins as a log does."""
    with open_regular(path) as file:
        return file.read(len(FORMAT)) == FORMAT.encode()


def _identity(file: BinaryIO) -> tuple[int, int, int]:
    """Numbers that change when a file is written to."""
    status = os.fstat(file.fileno())
    return status.st_size, status.st_ino, status.st_mtime_ns


@contextlib.contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Make one sentence of whatever is wrong with a file, or with reading it."""
    try:
        yield
    except (LogFormatError, *_ABSENT):
        raise
    except OSError as error:
        if error.errno is None:  # HDF5's own: it found the content wrong
            raise _damaged(path, error) from error
        reason = os.strerror(error.errno)
        raise LogReadError(f"cannot read the log {str(path)!r} now: {reason}") from error
    except Exception as error:  # what h5py raises on damaged files is open-ended
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> LogFormatError:
    reason = " ".join(f"{error}".split())[:200]
    return LogFormatError.of(path, f"it is damaged ({type(error).__name__}: {reason})")


def _table(path: Path, file: h5py.File, raw: BinaryIO) -> LogTable:
    """The content of an open file; of what runs have several of, the offsets alone."""
    found = datasets(path, file)
    headers = _decoded(found["headers"])
    for text in headers:
        check_header(text)
    identity = _identity(raw)
    runs = found["runs"][:]
    ragged: dict[str, Entries] = {}
    for name in TABLES:
        if name not in found:
            ragged[name] = nothing(name, len(runs))
            continue
        offsets = found[name + OFFSETS][:]
        if len(offsets) != len(runs) + 1 or offsets[0] or offsets[-1] != len(found[name]):
            raise LogFormatError.of(path, f"{name}{OFFSETS} does not fit the runs or {name}")
        if (offsets[1:] < offsets[:-1]).any():
            raise LogFormatError.of(path, f"{name}{OFFSETS} descends")
        read = partial(_rows, path, file, raw, identity, name)
        check = partial(check_rows, path, name, runs["evaluations"])
        ragged[name] = Stored(offsets, read, check)
    return LogTable(
        headers,
        _decoded(found["algorithms"]),
        tuple(map(_suite, found["suites"][:].tolist())),
        tuple(map(_function, found["functions"][:].tolist())),
        _decoded(found["messages"]),
        _decoded(found["references"]),
        runs,
        ragged,
    )


def _decoded(dataset: h5py.Dataset) -> tuple[str, ...]:
    return tuple(text.decode() for text in dataset[:].tolist())


def _suite(row: tuple[Any, ...]) -> SuiteFacts:
    """See ``schema.SUITE_TEXTS``."""
    name, version, indicator, targets = (text.decode() for text in row[:4])
    final = None if math.isnan(row[4]) else row[4]
    return SuiteFacts(name, version, Measurement(indicator, tuple(json.loads(targets)), final))


def _function(row: tuple[Any, ...]) -> FunctionRow:
    """See ``schema.FUNCTION_TEXTS``."""
    suite, name, group = (text.decode() for text in row[:3])
    return FunctionRow(suite, row[3], name, group)


def _rows(
    path: Path, file: h5py.File, raw: BinaryIO, identity: tuple[int, int, int], name: str,
    start: int, stop: int, fields: Fields,
) -> Rows:  # fmt: skip
    """Rows of a table of an open file, which must not have been changed since: see ``Stored``."""
    with _refusing(path):
        if _identity(raw) != identity:
            raise LogFormatError.of(path, "it was changed while it was being read")
        source = file[name].fields(list(fields)) if fields else file[name]
        rows: Rows = source[start:stop]
        return rows

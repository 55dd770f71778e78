"""Merges logs, and the journals of one log, into one HDF5 file; removes a log.

The file is built in memory (`encode`), so that it goes to the disk in one piece, and because h5py
writing to a full disk can kill the process.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import io
import itertools
import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from ..errors import LogExistsError, LogFormatError, LogWriteError
from ..records.dtypes import TABLES
from ..records.log_header import version_of
from ..records.run_record import SuiteFacts
from . import storage
from .deduplicate import join
from .files import Paths, journals, listed, log_place, parts_folder
from .journal import MAGIC, whole_records
from .locks import FolderLock
from .opening import open_regular
from .ragged import Entries
from .reader import is_log, read_tables
from .schema import (
    FORMAT,
    FUNCTION_TEXTS,
    HEAD_BYTES,
    OFFSET,
    OFFSETS,
    SCHEMA_VERSION,
    SUFFIX,
    SUITE_TEXTS,
    chunk_rows,
    text_rows,
    user_block,
)
from .table import FunctionRow, LogTable

_TMP = storage.TEMPORARY_SUFFIX
_ATTEMPTS = 10


def merge_logs(sources: Paths, output: str | os.PathLike[str]) -> Path:
    """Write the runs of all sources into one log, in canonical order, every run once.

    An unfinished log is finished in place when it is its own output: its parts are then removed.
    Other sources stay as they are.

    Args:
        sources: Files, folders and patterns, as for ``read_log``.
        output: A new file, or one of the sources.

    Returns:
        The file written.

    Raises:
        LogExistsError: ``output`` exists and is none of the sources.
        LogNotFoundError: A source stands for no file.
        LogFormatError: A source is damaged or foreign.
        LogConflictError: Sources contradict each other: two outcomes of a run, two sets of
            parameters of an algorithm, two versions of a suite.
        LogWriteError: The output cannot be written, or is being written by another process.
    """
    path = log_place(log_path(output))
    given = listed(sources)
    if log_exists(path) and path not in {log_place(item) for item in given}:
        raise LogExistsError(
            f"the log {str(output)!r} exists and is never overwritten; choose another name"
        )
    folder, is_new = parts_folder(path), not log_exists(path)
    with lock_parts(path):
        try:
            files, tables = read_tables(given)
            own = [file for file in files if log_place(file.parent) == folder]
            write_merged(path, dict(zip(files, tables, strict=True)))
            remove_journals(path, own)
        except LogWriteError:
            if is_new:  # the sources have it all: leave nothing in the way of another try
                with contextlib.suppress(OSError):
                    storage.remove(path)
            raise
    return Path(output)


def remove_log(path: str | os.PathLike[str]) -> None:
    """Remove a log with its parts, if there is one; LogFormatError where it is no log."""
    log_path(path)
    place = log_place(path)
    folder = parts_folder(place)
    if place.exists():
        if not is_log(place):
            raise LogFormatError.of(path, "it is no log of firsthit, and stays as it is")
    elif not journals(folder):
        return
    with lock_parts(place):
        try:
            for file_of_log in (*journals(folder), place):
                storage.remove_if_there(file_of_log)
        except OSError as error:
            raise LogWriteError(f"cannot remove the log {str(path)!r}: {error}") from error


def log_exists(path: Path) -> bool:
    """Whether a log has a file, or journals."""
    return path.exists() or bool(journals(parts_folder(path)))


def log_path(path: str | os.PathLike[str]) -> Path:
    """The path of a log to be written; LogWriteError where it is a folder, or no ``.h5``."""
    checked = Path(path)
    if checked.suffix != SUFFIX or checked.name == SUFFIX:
        raise LogWriteError(
            f"the log {str(path)!r} must be a file name that ends in {SUFFIX}, "
            f"such as {checked.stem or 'results'}{SUFFIX}"
        )
    if checked.is_dir():
        raise LogWriteError(f"the log {str(path)!r} is a folder; it must be a file {SUFFIX}")
    return checked


def lock_parts(path: Path) -> FolderLock:
    """Make the folder of a log's parts, lock it, and set aside what a killed writer left torn."""
    folder = parts_folder(path)
    own = f".{glob.escape(path.name)}.*{_TMP}"
    try:
        lock = _locked_folder(folder)
        try:
            for left in (*folder.glob(f".*{_TMP}"), *path.parent.glob(own)):
                storage.remove_if_there(left)
            set_torn_aside(path, folder)
        except BaseException:
            lock.release()
            raise
    except LogWriteError:
        raise
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error
    return lock


def _locked_folder(folder: Path) -> FolderLock:
    """The lock on a folder, made where it is missing, be it that its last writer removes it now."""
    for _ in range(_ATTEMPTS):
        storage.make_folders(folder)
        with contextlib.suppress(FileNotFoundError):
            return FolderLock(folder)
    return FolderLock(folder)


def write_merged(path: Path, tables: Mapping[Path, LogTable]) -> LogTable:
    """Write the runs of some files, those of one log from old to new, or raise a LogWriteError."""
    merged = join(list(tables.values()), list(tables))
    image = encode(merged)
    try:
        storage.make_folders(path.parent)
        storage.write_atomically(path, *image)
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error
    return merged


def remove_journals(log: Path, parts: Iterable[Path]) -> None:
    """Remove journals whose runs are in the log's file; LogWriteError where one stays."""
    try:
        for journal in parts:
            storage.remove_if_there(journal)
    except OSError as error:
        raise LogWriteError(f"cannot remove the parts of {str(log)!r}: {error}") from error


def set_torn_aside(log: Path, folder: Path) -> None:
    """Cut off what a crash tore, keep it beside the log as ``NAME.h5.torn-1``, and tell so."""
    for journal in journals(folder):
        with open_regular(journal) as file:
            records = whole_records(file, os.fstat(file.fileno()).st_size)
            whole = max((end for end, _ in records), default=0)
            file.seek(whole)
            torn = file.read()
        if not torn:
            continue
        names = (log.with_name(f"{log.name}.torn-{number}") for number in itertools.count(1))
        aside = next(path for path in names if not os.path.lexists(path))
        storage.write_atomically(aside, torn)
        storage.cut(journal, whole)
        runs = max(1, torn.count(MAGIC))
        print(
            f"firsthit: {runs} run{'s are' if runs > 1 else ' is'} not whole at the end of "
            f"{str(journal)!r}, as after a crash: the last {len(torn)} bytes are in "
            f"{str(aside)!r} now, and the log goes on without them",
            file=sys.stderr,
        )


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

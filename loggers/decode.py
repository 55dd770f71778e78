"""Reads a log file into a table and believes nothing: what is wrong becomes a ``LogFormatError``.

Only datasets that the schema names are opened, only through hard links, only with plain storage,
the type and rank of the schema and the filters we use. Then everything that refers to something
else is checked, and every run's checksum.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from .errors import LogFormatError
from .schema import (
    FORMAT,
    FUNCTION_TEXTS,
    HEAD_BYTES,
    OFFSET,
    RAGGED,
    RUNS,
    SCHEMA_VERSION,
    TEXT_LIMITS,
)
from .table import FunctionRow, LogTable, Ragged
from .validate import check_table

_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}
_MAX_RATIO = 1100
_FREE_BYTES = 2**20
_MAX_BYTES = 2**36


class _Refused(Exception):
    """A reason why a file is not read; becomes a LogFormatError that names the file."""


def read_table(path: Path) -> LogTable:
    """The content of one log file, checked.

    Raises:
        LogFormatError: The file is no log, is damaged, or of a version unknown here.
        FileNotFoundError: There is no such file.
    """
    try:
        _check_content(path)
        with h5py.File(path, "r", locking=False) as log:
            _check_format(log)
            table = _Reader(log, path.stat().st_size).table()
        check_table(table)
    except FileNotFoundError:
        raise
    except PermissionError as error:
        raise LogFormatError.of(path, "permission denied") from error
    except _Refused as error:
        raise LogFormatError.of(path, str(error)) from error
    except (
        OSError, KeyError, ValueError, TypeError, RuntimeError, OverflowError, IndexError,
        AttributeError, MemoryError, RecursionError, NotImplementedError,
    ) as error:  # fmt: skip
        # what h5py raises on damaged files is open-ended; its text is the best reason there is
        reason = " ".join(f"{error}".split())[:200]
        raise LogFormatError.of(
            path, f"it is damaged ({type(error).__name__}: {reason})"
        ) from error
    return table


def _check_content(path: Path) -> None:
    """Compare the file with its checksum, before HDF5 sees it."""
    with open(path, "rb") as file:
        head = file.read(HEAD_BYTES).split()
        if head[:3] != [*FORMAT.encode().split(), b"sha256"]:
            raise _Refused("it is no log of firsthit, or its beginning is damaged")
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if head[3:] != [digest.encode()]:
        raise _Refused("it is damaged: its content does not fit its checksum")


def _check_format(log: h5py.File) -> None:
    if _attribute(log, "format") != FORMAT.encode():
        raise _Refused("it is an HDF5 file, but no log of firsthit")
    version = _attribute(log, "schema_version")
    if not isinstance(version, np.integer) or not 1 <= version <= SCHEMA_VERSION:
        raise _Refused(
            f"its schema version is {version!r}; this firsthit reads 1 to {SCHEMA_VERSION}. "
            "Install a newer firsthit"
        )


def _attribute(log: h5py.File, name: str) -> object:
    """A small attribute of plain type; None where there is none."""
    if name not in log.attrs:
        return None
    kind = log.attrs.get_id(name).dtype
    return log.attrs[name] if kind.kind in "Sui" and kind.itemsize <= 32 else None


class _Reader:
    """Reads the datasets of one open file."""

    def __init__(self, log: h5py.File, file_bytes: int) -> None:
        self._log = log
        self._bytes_left = min(_MAX_RATIO * file_bytes + _FREE_BYTES, _MAX_BYTES)

    def table(self) -> LogTable:
        functions = [self._texts(f"functions/{name}", "functions") for name in FUNCTION_TEXTS]
        suites, versions, names, groups = functions
        numbers = self._column("functions/function", "<u4").tolist()
        ragged = {
            name: Ragged(
                self._column(f"{name}/offset", OFFSET),
                {column: self._column(f"{name}/{column}", t) for column, t in columns.items()},
            )
            for name, columns in RAGGED.items()
        }
        headers = self._texts("headers", "headers")
        if not all(isinstance(json.loads(text), dict) for text in headers):
            raise _Refused("a header is no JSON object")
        rows = zip(suites, versions, numbers, names, groups, strict=True)
        return LogTable(
            headers,
            self._texts("algorithms", "algorithms"),
            tuple(FunctionRow(*row) for row in rows),
            self._texts("messages", "messages"),
            self._column("runs", RUNS),
            ragged,
        )

    def _texts(self, name: str, kind: str) -> tuple[str, ...]:
        raw = self._column(name, f"S{TEXT_LIMITS[kind]}", exact=False)
        return tuple(item.decode() for item in raw.tolist())

    def _column(self, name: str, dtype: str | np.dtype[Any], *, exact: bool = True) -> NDArray[Any]:
        """A one-dimensional dataset; text of another length than ``dtype`` only if not exact."""
        dataset = self._dataset(name)
        expected = np.dtype(dtype)
        fits = dataset.dtype == expected or (
            not exact and dataset.dtype.kind == "S" and dataset.dtype.itemsize <= expected.itemsize
        )
        if not fits or dataset.ndim != 1:
            raise _Refused(f"{name} has type {dataset.dtype} and shape {dataset.shape}")
        if dataset.external is not None or dataset.is_virtual:
            raise _Refused(f"{name} keeps its data outside of this file")
        plist = dataset.id.get_create_plist()
        filters = {plist.get_filter(i)[0] for i in range(plist.get_nfilters())}
        if not filters <= _FILTERS:
            raise _Refused(f"{name} uses filters that a log does not use")
        self._bytes_left -= dataset.size * dataset.dtype.itemsize
        if self._bytes_left < 0:
            raise _Refused(f"{name} declares far more data than the file can hold")
        values: NDArray[Any] = dataset[:]
        return values.astype(expected, copy=False) if exact else values

    def _dataset(self, name: str) -> h5py.Dataset:
        place: Any = self._log
        for part in name.split("/"):
            if not isinstance(place, h5py.Group) or part not in place:
                raise _Refused(f"{name} is missing")
            if not isinstance(place.get(part, getlink=True), h5py.HardLink):
                raise _Refused(f"{name} is a link to elsewhere")
            place = place[part]
        if not isinstance(place, h5py.Dataset):
            raise _Refused(f"{name} is no dataset")
        return place

"""Writes a log: collects finished runs and seals them as immutable files, merged at the end.

A run is on the disk at the latest two seconds after its end; a run that took longer than that,
at once. So a crash costs at most two seconds of short runs, which a resume computes again.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
import weakref
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from .errors import LogExistsError, LogWriteError, ObservationError
from .files import parts_folder, read_tables, segments
from .header import LogHeader
from .image import encode, write_atomically
from .join import join
from .locks import FolderLock
from .merge import close_parts, lock_parts, log_path, merge_into
from .record import STATUSES, RunRecord
from .schema import SUFFIX
from .table import tabulate

SEAL_SECONDS = 2.0
_MANY_RUNS = 5000
_MANY_SEGMENTS = 32


class LogWriter:
    """The one writer of one log. Threads may share it.

    As a context manager it closes at the end, and abandons (keeping what is sealed) when an
    exception leaves the block. Without either, what was added is sealed when the writer is
    collected or the interpreter ends.

    Args:
        path: The log, ``NAME.h5``; folders are made.
        header: What the log says of all its runs.
        resume: Continue a log that exists.

    Attributes:
        path: The log.
        finished_keys: Keys of the runs that were in the log before; interrupted runs are not.

    Raises:
        LogExistsError: The log exists, and ``resume`` is False.
        LogWriteError: It cannot be written, or another writer is at it.
        LogFormatError: The log to be resumed is damaged.
        LogConflictError: The log to be resumed has other parameters for an algorithm.
    """

    def __init__(
        self, path: str | os.PathLike[str], header: LogHeader, resume: bool = False
    ) -> None:
        self.path = log_path(path)
        text = header.to_json()
        if not resume and _exists(self.path):
            raise LogExistsError.of(self.path)
        lock = lock_parts(self.path)
        folder = parts_folder(self.path)
        try:
            if not resume and _exists(self.path):
                raise LogExistsError.of(self.path)
            self.finished_keys = _finished_keys(self.path, text)
        except BaseException:
            close_parts(folder, lock)
            raise
        self._sealer = _Sealer(folder, text)
        self._lock = lock
        self._finalizer = weakref.finalize(self, _end, self._sealer, folder, lock)

    def add(self, record: RunRecord) -> None:
        """Take a finished run.

        Raises:
            LogWriteError: It could not be written; it is kept, and tried again with the next run
                and when the log is closed.
            ObservationError: The log is closed.
        """
        self._check_open()
        self._sealer.add(record)

    def seal(self) -> None:
        """Put all runs taken so far on the disk.

        Raises:
            LogWriteError: They could not be written.
        """
        self._check_open()
        self._sealer.seal()

    def close(self) -> None:
        """Seal, merge everything into the one file and remove the parts. Twice does no harm.

        Raises:
            LogWriteError: The file could not be written; the parts are as before.
        """
        if not self._finalizer.alive:
            return
        self._sealer.seal()
        folder = parts_folder(self.path)
        if segments(folder):
            merge_into(self.path, self.path, folder)
        self._release()

    def abandon(self) -> None:
        """Seal and leave the parts unmerged, to be read or resumed. Twice does no harm.

        Raises:
            LogWriteError: The last runs could not be written.
        """
        if self._finalizer.alive:
            try:
                self._sealer.seal()
            finally:
                self._release()

    def _release(self) -> None:
        if self._finalizer.detach():
            self._sealer.stop()
            close_parts(parts_folder(self.path), self._lock)

    def _check_open(self) -> None:
        if not self._finalizer.alive:
            raise ObservationError(f"the log {str(self.path)!r} is closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.abandon()


class _Sealer:
    """Collects records and seals them in time; compacts what it sealed when that is many files."""

    def __init__(self, folder: Path, header: str) -> None:
        self._folder = folder
        self._header = header
        self._pending: list[RunRecord] = []
        self._small: list[tuple[Path, int]] = []
        self._guard = threading.RLock()
        self._timer: threading.Timer | None = None
        self._sealed_at = time.monotonic()
        self._pid = os.getpid()

    def add(self, record: RunRecord) -> None:
        if os.getpid() != self._pid:
            raise ObservationError("a log is written by the process that opened it")
        with self._guard:
            self._pending.append(record)
            wait = self._sealed_at + SEAL_SECONDS - time.monotonic()
            if wait <= 0 or record.wall_seconds >= SEAL_SECONDS or len(self._pending) >= _MANY_RUNS:
                self.seal()
            elif self._timer is None:
                self._timer = threading.Timer(wait, self._seal_in_time)
                self._timer.daemon = True
                self._timer.start()

    def seal(self) -> None:
        with self._guard:
            self.stop()
            if not self._pending or os.getpid() != self._pid:
                return
            try:
                written = self._write(encode(tabulate(self._pending, self._header)))
            except OSError as error:
                raise LogWriteError(f"cannot write to {str(self._folder)!r}: {error}") from error
            runs, self._pending = len(self._pending), []
            if runs < _MANY_RUNS:
                self._small.append((written, runs))
            if len(self._small) >= _MANY_SEGMENTS:
                self._compact()
            self._sealed_at = time.monotonic()

    def stop(self) -> None:
        with self._guard:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _seal_in_time(self) -> None:
        with self._guard:
            try:
                self.seal()
            except LogWriteError:
                return  # the runs are kept: the next run or close() tries again, and raises

    def _write(self, image: bytes) -> Path:
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex[:12]}{SUFFIX}"
        write_atomically(self._folder / name, image)
        return self._folder / name

    def _compact(self) -> None:
        """Replace the small files by one; they stay where that fails."""
        old = [path for path, _ in self._small]
        try:
            files, tables = read_tables(old)
            merged = join(tables, files)
            written = self._write(encode(merged))
            for path in old:
                path.unlink()
        except OSError:
            return
        self._small = [(written, len(merged))] if len(merged) < _MANY_RUNS else []


def _exists(path: Path) -> bool:
    return path.exists() or bool(segments(parts_folder(path)))


def _finished_keys(path: Path, header: str) -> frozenset[str]:
    """Keys in the log so far, which must agree with the header under which it is continued."""
    if not _exists(path):
        return frozenset()
    files, tables = read_tables(path)
    joined = join([*tables, tabulate([], header)], [*files, "the run to be continued"])
    finished = joined.runs["status"] != STATUSES.index("interrupted")
    return frozenset(np.char.decode(joined.runs["key"][finished], "ascii").tolist())


def _end(sealer: _Sealer, folder: Path, lock: FolderLock) -> None:
    """What is left to do for a writer that nobody closed."""
    try:
        sealer.seal()
    finally:
        sealer.stop()
        close_parts(folder, lock)

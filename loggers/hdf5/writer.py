"""Writes a log: collects finished runs and seals them as immutable files, merged at the end.

A run is on the disk at the latest two seconds after its end; a run that took longer than that,
at once. So a crash costs at most two seconds of short runs, which a resume computes again.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time
import uuid
import weakref
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from ...suites.errors import FirsthitError
from ..errors import LogExistsError, LogWriteError, ObservationError
from ..records.log_header import LogHeader
from ..records.run_record import STATUSES, RunRecord, Status
from ..records.table import LogTable, tabulate
from . import storage
from .deduplicate import FAILED, UNFINISHED, join, stacked
from .files import log_place, parts_folder, read_tables, segments
from .image import encode_plain
from .layout import Layout
from .locks import FolderLock
from .merge import close_parts, lock_parts, log_path, merge_into
from .schema import SUFFIX

SEAL_SECONDS = 2.0
_IN_TIME = 0.95
"""Of that time; the rest is for sealing."""
_MANY_RUNS = 5000
"""A file of so many is not small, and is not compacted."""
_MANY_SMALL = 128
"""So many small files take a second longer to read than one file of all their runs."""

_TIME_DIGITS = 20


class LogWriter:
    """The one writer of one log. Threads may share it.

    As a context manager it closes at the end, and abandons (keeping what is sealed) when an
    exception leaves the block. Without, runs are sealed when it is collected or Python ends.

    Args:
        path: The log, ``NAME.h5``; folders are made.
        header: What the log says of all its runs.
        resume: Continue a log that exists.
        retry_failed: Count its failed and timed out runs as not finished. What is added for them
            takes their place, without a change to what is on the disk.

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
        self,
        path: str | os.PathLike[str],
        header: LogHeader,
        resume: bool = False,
        retry_failed: bool = False,
    ) -> None:
        self.path = log_path(path)
        self._place = log_place(path)
        text = header.to_json()
        if not resume and _exists(self._place):
            raise LogExistsError.of(self.path)
        lock = lock_parts(self._place)
        folder = parts_folder(self._place)
        try:
            if not resume and _exists(self._place):
                raise LogExistsError.of(self.path)
            again = (*UNFINISHED, *FAILED) if retry_failed else UNFINISHED
            self.finished_keys = _finished_keys(self._place, text, again)
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

    def add_table(self, table: LogTable) -> None:
        """Take finished runs that were made one after the other, the last of them just now.

        Args:
            table: The runs, as ``tabulate`` packs them; its header gives way to the log's.

        Raises:
            LogWriteError: See ``add``.
            ObservationError: The log is closed.
        """
        self._check_open()
        self._sealer.add_table(table)

    def seal(self) -> None:
        """Put all runs taken so far on the disk.

        Raises:
            LogWriteError: They could not be written.
        """
        self._check_open()
        self._sealer.seal()

    def tell(self, note: str) -> None:
        """Leave a line of text beside the log for those who ask how far it is."""
        if self._finalizer.alive:
            self._lock.tell(note)

    def close(self) -> None:
        """Seal, merge everything into the one file and remove the parts. Twice does no harm.

        Raises:
            LogWriteError: The file could not be written; every run counts as before, and closing
                may be tried again.
        """
        if not self._finalizer.alive:
            return
        self._sealer.seal()
        folder = parts_folder(self._place)
        if segments(folder):
            merge_into(self._place, self._place, folder, self._sealer.written)
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
            close_parts(parts_folder(self._place), self._lock)

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
    """Collects records and seals them in time; compacts what it sealed when that is many files.

    Attributes:
        written: The parts that it has written and that are there, and what stands where in them.
    """

    def __init__(self, folder: Path, header: str) -> None:
        self._folder = folder
        self._header = header
        self._pending: list[RunRecord] = []
        self._packed: list[LogTable] = []
        self._taken = 0
        self._small: list[tuple[Path, int]] = []
        self.written: dict[Path, Layout] = {}
        self._guard = threading.RLock()
        self._timer: threading.Timer | None = None
        self._due = math.inf
        self._pid = os.getpid()

    def add(self, record: RunRecord) -> None:
        self._check_process()
        with self._guard:
            self._pending.append(record)
            self._seal_soon(1, record.wall_seconds, 0.0)

    def add_table(self, table: LogTable) -> None:
        self._check_process()
        if not len(table):
            return
        seconds = table.runs["wall_seconds"]
        with self._guard:
            self._packed.append(replace(table, headers=(self._header,)))
            age = float(seconds.sum()) if len(table) > 1 else 0.0
            self._seal_soon(len(table), float(seconds.max()), age)

    def _check_process(self) -> None:
        if os.getpid() != self._pid:
            raise ObservationError("a log is written by the process that opened it")

    def _seal_soon(self, runs: int, longest: float, age: float) -> None:
        """Seal in time, or now; the first of the runs just taken ended up to ``age`` s ago.

        Where sealing failed, what is due stays so, and the next run tries again.
        """
        self._taken += runs
        now = time.monotonic()
        due = min(self._due, now - age + _IN_TIME * SEAL_SECONDS)
        if due <= now or longest >= SEAL_SECONDS or self._taken >= _MANY_RUNS:
            self.seal()
        elif self._timer is None or due < self._due:
            self.stop()
            self._due = due
            self._timer = threading.Timer(due - now, self._seal_in_time)
            self._timer.daemon = True
            self._timer.start()

    def seal(self) -> None:
        with self._guard:
            self.stop()
            if not self._taken or os.getpid() != self._pid:
                return
            try:
                single = [tabulate(self._pending, self._header)] if self._pending else []
                written = self._write(stacked([*self._packed, *single]), time.time_ns())
            except OSError as error:
                raise LogWriteError(
                    f"cannot write to {str(self._folder)!r}: {error.strerror or error}; "
                    "runs sealed before are kept, and the log can be continued"
                ) from error
            runs, self._taken, self._pending, self._packed = self._taken, 0, [], []
            self._due = math.inf
            if runs < _MANY_RUNS:
                self._small.append((written, runs))
            if len(self._small) >= _MANY_SMALL:
                self._compact()

    def stop(self) -> None:
        with self._guard:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _seal_in_time(self) -> None:
        # where it fails the runs are kept: the next run or close() tries again, and raises
        with self._guard, contextlib.suppress(LogWriteError):
            self.seal()

    def _write(self, table: LogTable, written_ns: int) -> Path:
        """Write a part, which stands in order of its time."""
        image, layout = encode_plain(table)
        path = self._folder / f"{written_ns:0{_TIME_DIGITS}d}-{uuid.uuid4().hex[:12]}{SUFFIX}"
        storage.write_atomically(path, *image)
        self.written[path] = layout
        return path

    def _compact(self) -> None:
        """Replace the oldest small files, as many as make one that is not small, by that one.

        Where that fails they stay, to be merged at the end.
        """
        runs = np.cumsum([runs for _, runs in self._small])
        count = int(np.searchsorted(runs, _MANY_RUNS)) + 1
        old = [path for path, _ in self._small[:count]]
        del self._small[:count]
        try:
            files, tables = read_tables(old, own=self.written)
            merged = join(tables, files)
            written = self._write(merged, int(old[-1].name[:_TIME_DIGITS]))
            if len(merged) < _MANY_RUNS:
                self._small.insert(0, (written, len(merged)))
            for path in old:
                storage.remove_if_there(path)
                del self.written[path]
        except (OSError, FirsthitError):
            return


def _exists(path: Path) -> bool:
    return path.exists() or bool(segments(parts_folder(path)))


def _finished_keys(path: Path, header: str, again: Sequence[Status]) -> frozenset[str]:
    """Keys in the log so far, which must agree with the header under which it is continued."""
    if not _exists(path):
        return frozenset()
    files, tables = read_tables(path)
    joined = join([*tables, tabulate([], header)], [*files, "the run to be continued"])
    finished = ~np.isin(joined.runs["status"], [STATUSES.index(status) for status in again])
    return frozenset(np.char.decode(joined.runs["key"][finished], "ascii").tolist())


def _end(sealer: _Sealer, folder: Path, lock: FolderLock) -> None:
    """What is left to do for a writer that nobody closed, where nobody catches an error."""
    try:
        sealer.seal()
    except LogWriteError as error:
        print(f"firsthit: {error}", file=sys.stderr)
    finally:
        sealer.stop()
        close_parts(folder, lock)

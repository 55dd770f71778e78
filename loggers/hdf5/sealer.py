"""Collects finished runs and puts them on the disk in time, as files that are never changed."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...suites.errors import FirsthitError
from ..errors import LogWriteError
from ..records.run_record import RunRecord
from . import storage
from .deduplicate import join
from .encode import encode, tabulate
from .locks import FolderLock
from .reader import read_tables
from .schema import SUFFIX
from .table import LogTable

SEAL_SECONDS = 2.0
_IN_TIME = 0.95
"""Of that time; the rest is for sealing."""
_MANY_RUNS = 5000
"""A file of so many is not small, and is not compacted."""
_MANY_SMALL = 128
"""So many small files take a second longer to read than one file of all their runs."""

_TIME_DIGITS = 20


class Sealer:
    """Collects records and seals them in time; compacts what it sealed when that is many files.

    Args:
        folder: For the files.
        header: What the log says of all its runs.
        lock: That of the folder.
    """

    def __init__(self, folder: Path, header: str, lock: FolderLock) -> None:
        self._folder = folder
        self._header = header
        self._lock = lock
        self._pending: list[RunRecord] = []
        self._small: list[tuple[Path, int]] = []
        self._guard = threading.RLock()
        self._timer: threading.Timer | None = None
        self._due = math.inf
        self._pid = os.getpid()

    @property
    def is_ours(self) -> bool:
        """Whether this process made it: what a fork copied is its parent's."""
        return os.getpid() == self._pid

    def add(self, records: Sequence[RunRecord]) -> None:
        """Take runs that were made one after the other, the last of them just now.

        Raises:
            LogWriteError: They could not be written; they are kept.
        """
        if not records:
            return
        seconds = [record.wall_seconds for record in records]
        with self._guard:
            self._pending.extend(records)
            self._seal_soon(max(seconds), sum(seconds[1:]))

    def _seal_soon(self, longest: float, age: float) -> None:
        """Seal in time, or now; the first of the runs just taken ended up to ``age`` s ago.

        Where sealing failed, what is due stays so, and the next run tries again.
        """
        now = time.monotonic()
        due = min(self._due, now - age + _IN_TIME * SEAL_SECONDS)
        if due <= now or longest >= SEAL_SECONDS or len(self._pending) >= _MANY_RUNS:
            self.seal()
        elif self._timer is None or due < self._due:
            self.stop()
            self._due = due
            self._timer = threading.Timer(due - now, self._seal_in_time)
            self._timer.daemon = True
            self._timer.start()

    def seal(self) -> None:
        """Write all runs taken so far.

        Raises:
            LogWriteError: They could not be written; they are kept.
        """
        if not self.is_ours:
            return
        with self._guard:
            self.stop()
            if not self._pending:
                return
            try:
                self._lock.renew()
                table = tabulate(self._pending, self._header)
                written = self._write(table, time.time_ns())
            except LogWriteError:
                raise
            except OSError as error:
                raise LogWriteError(
                    f"cannot write to {str(self._folder)!r}: {error.strerror or error}; "
                    "runs sealed before are kept, and the log can be continued"
                ) from error
            runs, self._pending, self._due = len(self._pending), [], math.inf
            if runs < _MANY_RUNS:
                self._small.append((written, runs))
            if len(self._small) >= _MANY_SMALL:
                self._compact()

    def stop(self) -> None:
        """Seal no more by itself."""
        with self._guard:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _seal_in_time(self) -> None:
        # where it fails the runs are kept: the next run or close() tries again, and raises
        with self._guard, contextlib.suppress(LogWriteError):
            self.seal()

    def _write(self, table: LogTable, written_ns: int) -> Path:
        """Write a part, whose name stands in order of its time."""
        path = self._folder / f"{written_ns:0{_TIME_DIGITS}d}-{uuid.uuid4().hex[:12]}{SUFFIX}"
        storage.write_atomically(path, *encode(table, packed=False))
        return path

    def _compact(self) -> None:
        """Replace the oldest small files, as many as make one that is not small, by that one.

        Where that fails they stay, to be merged at the end.
        """
        runs = np.cumsum([runs for _, runs in self._small])
        count = int(np.searchsorted(runs, _MANY_RUNS)) + 1
        old = [path for path, _ in self._small[:count]]
        del self._small[:count]
        with contextlib.suppress(OSError, FirsthitError):
            files, tables = read_tables(old)
            merged = join(tables, files)
            written = self._write(merged, int(old[-1].name[:_TIME_DIGITS]))
            if len(merged) < _MANY_RUNS:
                self._small.insert(0, (written, len(merged)))
            for path in old:
                storage.remove_if_there(path)

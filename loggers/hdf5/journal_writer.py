"""Hands finished runs to the operating system at once, in journals that only grow."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...suites.errors import FirsthitError
from ..errors import LogWriteError
from ..records.run_record import RunRecord
from . import storage
from .files import journals
from .journal import JournalEncoder, journal_table
from .locks import FolderLock
from .schema import JOURNAL_SUFFIX
from .table import LogTable

SYNC_SECONDS = 2.0
_IN_TIME = 0.9
"""Of that time; the rest is for the disk."""


class JournalFile:
    """A new journal, named by the next number, which grows while nothing fails.

    Args:
        folder: For the file.
        header: What the log says of all its runs, as JSON.

    Attributes:
        path: The file.
        runs: How many are in it.
        size: Of the whole records, in bytes.

    Raises:
        OSError: It cannot be made.
    """

    def __init__(self, folder: Path, header: str) -> None:
        numbers = [int(path.stem) for path in journals(folder) if path.stem.isdecimal()]
        self.path = folder / f"{max(numbers, default=0) + 1:06d}{JOURNAL_SUFFIX}"
        self.runs = self.size = 0
        self._encoder = JournalEncoder(header)
        self._is_name_durable = False
        self._handle = storage.create(self.path)

    def add(self, runs: Sequence[RunRecord]) -> None:
        """Hand runs to the system; after an OSError nothing more can be added."""
        data = b"".join(map(self._encoder.record, runs))
        if not self.size:  # the head goes with the first run: no journal is without runs
            data = self._encoder.head + data
        try:
            storage.write_all(self._handle, data)
        except BaseException:
            with contextlib.suppress(OSError):  # where it stays, readers stop before it
                storage.cut(self._handle, self.size)
            raise
        self.size += len(data)
        self.runs += len(runs)

    def sync(self) -> None:
        """Make its content and its name durable; OSError where the system cannot."""
        storage.sync(self._handle)
        if not self._is_name_durable:
            storage.sync_folder(self.path.parent)
            self._is_name_durable = True

    @property
    def is_at_place(self) -> bool:
        """Whether its name still leads to it: somebody may have moved or removed its folder."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._handle))
        except OSError:
            return False

    def table(self) -> LogTable:
        """Its runs, read from the open file, be it nameless by now."""
        with open(self._handle, "rb", closefd=False) as file:
            file.seek(0)
            return journal_table(self.path, file, self.size)[0]

    def close(self) -> None:
        """Add no more."""
        with contextlib.suppress(OSError):  # what it holds was synced before, or merged
            storage.close(self._handle)

    def discard(self) -> None:
        """Remove it, as far as the system lets it be removed."""
        self.close()
        with contextlib.suppress(OSError):
            storage.remove_if_there(self.path)


class JournalWriter:
    """Takes finished runs; what could not be written is kept, and tried again. Thread-safe.

    A run is with the operating system when ``add`` returns, so that it survives the process. It is
    made durable within `SYNC_SECONDS` by a timer or, where no Python thread can run, before the
    next run is written. After an error a new journal is begun, with all that was not durable.

    Args:
        folder: For the journals.
        header: What the log says of all its runs, as JSON.
        lock: That of the folder.

    Attributes:
        files: The journals with runs, oldest first.
        guard: Held while anything changes.
    """

    def __init__(self, folder: Path, header: str, lock: FolderLock) -> None:
        self.files: list[JournalFile] = []
        self.guard = threading.RLock()
        self._folder, self._header, self._lock = folder, header, lock
        self._current: JournalFile | None = None
        self._unwritten: list[RunRecord] = []
        self._unsynced: list[RunRecord] = []
        self._timer: threading.Timer | None = None
        self._due = 0.0

    def add(self, runs: Sequence[RunRecord]) -> None:
        """Hand runs to the operating system; with a LogWriteError they are kept."""
        with self.guard, self._trying_again():
            self._unwritten += runs
            self._leave_what_vanished()
            if self._unsynced and time.monotonic() >= self._due:
                self._sync()
            self._write()

    def sync(self) -> None:
        """Make all runs taken so far durable; with a LogWriteError they are kept."""
        with self.guard, self._trying_again():
            self._leave_what_vanished()
            self._write()
            self._sync()

    def flush(self) -> None:
        """Hand over what could not be written before, and see that the lock is still held."""
        with self.guard, self._trying_again():
            self._lock.renew()
            self._write()

    def take_files(self) -> list[JournalFile]:
        """The journals, closed; they are no longer this writer's."""
        with self.guard:
            self._stop_timer()
            files, self.files, self._current = self.files, [], None
            self._unsynced.clear()
            for file in files:
                file.close()
            return files

    @contextlib.contextmanager
    def _trying_again(self) -> Iterator[None]:
        """Where something fails, write all that is not durable to a new journal the next time."""
        try:
            yield
        except BaseException as error:
            self._begin_again()
            if self.files and not self.files[-1].runs:
                self.files.pop().discard()
            if isinstance(error, FirsthitError) or not isinstance(error, OSError):
                raise
            raise LogWriteError(
                f"cannot write to {str(self._folder)!r}: {error.strerror or error}; runs written "
                "before are kept, and the log can be continued"
            ) from error

    def _write(self) -> None:
        """Hand all runs over that are not with the operating system."""
        if not self._unwritten:
            return
        if self._current is None:
            self._lock.renew()
            self._current = JournalFile(self._folder, self._header)
            self.files.append(self._current)
        self._current.add(self._unwritten)
        if not self._unsynced:
            self._sync_soon()
        self._unsynced += self._unwritten
        self._unwritten = []

    def _sync(self) -> None:
        """Make durable what is with the operating system."""
        self._stop_timer()
        self._lock.renew()
        if self._current is not None and self._unsynced:
            self._current.sync()
        self._unsynced.clear()

    def _leave_what_vanished(self) -> None:
        """Begin again where somebody moved or removed the journal; what it holds is not lost."""
        if self._current is not None and not self._current.is_at_place:
            self._begin_again()

    def _begin_again(self) -> None:
        """Write what is not durable to a new journal, next."""
        self._unwritten = [*self._unsynced, *self._unwritten]
        self._unsynced, self._current = [], None

    def _sync_soon(self) -> None:
        self._stop_timer()
        self._due = time.monotonic() + _IN_TIME * SYNC_SECONDS
        self._timer = threading.Timer(_IN_TIME * SYNC_SECONDS, self._sync_in_time)
        self._timer.daemon = True
        self._timer.start()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _sync_in_time(self) -> None:
        # where it fails the runs are kept: the next run or close() tries again, and raises
        with contextlib.suppress(LogWriteError):
            self.sync()

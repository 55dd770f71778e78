"""Writes a log: collects finished runs and seals them as immutable files, merged at the end.

A run is on the disk at the latest two seconds after its end; a run that took longer than that,
at once. So a crash costs at most two seconds of short runs, which a resume computes again.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from ..errors import LogConflictError, LogExistsError, LogWriteError, ObservationError
from ..records.log_header import LogHeader
from ..records.run_record import STATUSES, RunRecord, Status
from ..records.suite_facts import SuiteFacts
from .deduplicate import FAILED, UNFINISHED, join, suite_differences
from .encode import tabulate
from .files import log_place, parts_folder, segments
from .locks import FolderLock
from .merge import close_parts, lock_parts, log_path, merge_into, remove_log
from .reader import read_tables
from .sealer import Sealer
from .table import LogTable


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
        overwrite: Remove a log that is there first, once the header was found right.

    Attributes:
        path: The log.
        finished_keys: Keys of the runs that were in the log before; interrupted runs are not.

    Raises:
        LogExistsError: The log exists, and is neither to be continued nor to be replaced.
        LogWriteError: It cannot be written, or another writer is at it.
        LogFormatError: The log to be resumed is damaged, or what is to be replaced is no log.
        LogConflictError: The log to be resumed has other parameters for an algorithm.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: LogHeader,
        resume: bool = False,
        retry_failed: bool = False,
        overwrite: bool = False,
    ) -> None:
        self.path = log_path(path)
        self._place = log_place(path)
        text = header.to_json()
        if overwrite:
            remove_log(path)
        if not resume and _exists(self._place):
            raise LogExistsError.of(self.path)
        lock = lock_parts(self._place)
        folder = parts_folder(self._place)
        try:
            if not resume and _exists(self._place):
                raise LogExistsError.of(self.path)
            before = _before(self._place, text)
        except BaseException:
            close_parts(folder, lock)
            raise
        again = (*UNFINISHED, *FAILED) if retry_failed else UNFINISHED
        self.finished_keys = _finished_keys(before, again)
        self._suites = {suite.name: suite for suite in before.suites}
        self._pid = os.getpid()
        self._sealer = Sealer(folder, text, lock)
        self._lock = lock
        self._finalizer = weakref.finalize(self, _end, self._sealer, folder, lock)

    def add(self, record: RunRecord) -> None:
        """Take a finished run.

        Raises:
            LogWriteError: It could not be written; it is kept, and tried again with the next run
                and when the log is closed.
            LogConflictError: Its suite stands in this log with another version or measurement.
            ObservationError: The log is closed, or a fork of the process that opened it calls.
        """
        self.add_many([record])

    def add_many(self, records: Iterable[RunRecord]) -> None:
        """Take finished runs that were made one after the other, the last of them just now.

        Raises:
            LogWriteError: See ``add``; so of the others.
            LogConflictError: See ``add``; none is taken.
            ObservationError: See ``add``; none is taken.
        """
        self._check_open()
        taken = list(records)
        for record in taken:
            self._check_suite(record.suite)
        self._sealer.add(taken)

    def seal(self) -> None:
        """Put all runs taken so far on the disk.

        Raises:
            LogWriteError: They could not be written.
        """
        self._check_open()
        self._sealer.seal()

    def announce(self, text: str) -> None:
        """Leave a line of text beside the log for those who ask how far it is."""
        if self._finalizer.alive:
            self._lock.announce(text)

    def close(self) -> None:
        """Seal, merge everything into the one file and remove the parts. Twice does no harm.

        In a process that a fork made this does nothing, as ``abandon``: the log is its parent's.

        Raises:
            LogWriteError: The file could not be written; every run counts as before, and closing
                may be tried again.
        """
        if not self._is_ours:
            return
        self._sealer.seal()
        folder = parts_folder(self._place)
        if segments(folder):
            merge_into(self._place, self._place, folder)
        self._release()

    def abandon(self) -> None:
        """Seal and leave the parts unmerged, to be read or resumed. Twice does no harm.

        Raises:
            LogWriteError: The last runs could not be written.
        """
        if self._is_ours:
            try:
                self._sealer.seal()
            finally:
                self._release()

    def _release(self) -> None:
        if self._finalizer.detach():
            self._sealer.stop()
            close_parts(parts_folder(self._place), self._lock)

    @property
    def was_forked(self) -> bool:
        """Whether a fork of the process that opened the log asks: the log is not its own."""
        return os.getpid() != self._pid

    @property
    def _is_ours(self) -> bool:
        """Whether it is open, in the process that opened it."""
        return self._finalizer.alive and not self.was_forked

    def _check_open(self) -> None:
        if self.was_forked:
            raise ObservationError("a log is written by the process that opened it")
        if not self._finalizer.alive:
            raise ObservationError(f"the log {str(self.path)!r} is closed")

    def _check_suite(self, suite: SuiteFacts) -> None:
        """Refuse what could not be merged later."""
        known = self._suites.setdefault(suite.name, suite)
        if known is suite or known == suite:
            return
        for what, old, new in suite_differences(known, suite):
            raise LogConflictError(
                f"suite {suite.name!r} has {what} {old} in {str(self.path)!r}, and the run's is "
                f"{new}; give one of them another name, or another log"
            )

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


def _exists(path: Path) -> bool:
    return path.exists() or bool(segments(parts_folder(path)))


def _before(path: Path, header: str) -> LogTable:
    """The log so far, which must agree with the header under which it is continued."""
    if not _exists(path):
        return tabulate([], header)
    files, tables = read_tables(path)
    return join([*tables, tabulate([], header)], [*files, "the run to be continued"])


def _finished_keys(table: LogTable, again: Sequence[Status]) -> frozenset[str]:
    finished = ~np.isin(table.runs["status"], [STATUSES.index(status) for status in again])
    return frozenset(np.char.decode(table.runs["key"][finished], "ascii").tolist())


def _end(sealer: Sealer, folder: Path, lock: FolderLock) -> None:
    """What is left to do for a writer that nobody closed, where nobody catches an error."""
    if not sealer.is_ours:
        return
    try:
        sealer.seal()
    except LogWriteError as error:
        print(f"firsthit: {error}", file=sys.stderr)
    finally:
        sealer.stop()
        close_parts(folder, lock)

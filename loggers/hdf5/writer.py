"""Writes a log: hands finished runs to journals, and merges these into one file at the end.

A run survives the process once ``add`` returned, and a power failure two seconds later.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

import numpy as np

from ..errors import LogConflictError, LogExistsError, LogWriteError, ObservationError
from ..records.log_header import LogHeader
from ..records.run_record import STATUSES, RunRecord, Status, SuiteFacts
from .deduplicate import FAILED, UNFINISHED, join, suite_differences
from .files import journals, log_place, parts_folder
from .journal_writer import JournalWriter
from .locks import FolderLock
from .merge import lock_parts, log_exists, log_path, remove_journals, remove_log, write_merged
from .reader import read_files
from .table import LogTable, empty_table


class LogWriter:
    """The one writer of one log. Threads may share it.

    As a context manager it closes at the end, and abandons when an exception leaves the block.
    What nobody closed can be read and resumed all the same.

    Args:
        path: The log, ``NAME.h5``; folders are made.
        header: What the log says of all its runs.
        resume: Continue a log that exists.
        retry_failed: Count its failed and timed out runs as not finished. What is added for them
            takes their place, without a change to what is on the disk.
        overwrite: Remove a log that is there first, once the header was found right.
        again: Keys of finished runs that are to be made again; the header must have accepted the
            files that make them in place of those that made them.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: LogHeader,
        resume: bool = False,
        retry_failed: bool = False,
        overwrite: bool = False,
        again: Iterable[str] = (),
    ) -> None:
        self.path = log_path(path)
        self._place = log_place(path)
        text = header.to_json()
        if overwrite:
            remove_log(path)
        lock = lock_parts(self._place)
        try:
            if not resume and log_exists(self._place):
                raise LogExistsError.of(self.path)
            found = read_files(self._place)
            # refuses what could not be merged later
            before = join(
                [*found.values(), empty_table((text,))], [*found, "the run to be continued"]
            )
        except BaseException:
            lock.release()
            raise
        unfinished = (*UNFINISHED, *FAILED) if retry_failed else UNFINISHED
        # of the runs that were in the log before
        self.finished_keys = _finished_keys(before, unfinished).difference(again)
        self._expected = {file: len(table) for file, table in found.items()}
        self._suites = {suite.name: suite for suite in before.suites}
        self._journals = JournalWriter(parts_folder(self._place), text, lock)
        self._lock = lock
        self._finalizer = weakref.finalize(self, _end, self._journals, lock)

    def add(self, record: RunRecord) -> None:
        """Take a finished run; when this returns, the run survives the process."""
        self.add_many([record])

    def add_many(self, records: Iterable[RunRecord]) -> None:
        """Take finished runs, all or none; with a LogWriteError they are kept, and tried again."""
        self._check_open()
        taken = list(records)
        for record in taken:
            self._check_suite(record.suite)
        self._journals.add(taken)

    def sync(self) -> None:
        """Make all runs taken so far survive a power failure, too."""
        self._check_open()
        self._journals.sync()

    def announce(self, text: str) -> None:
        """Leave a line of text beside the log for those who ask how far it is."""
        if self._finalizer.alive:
            self._lock.announce(text)

    def close(self) -> None:
        """Merge everything into the one file and remove the journals. Twice does no harm.

        After an error it may be tried again, but where runs are missing since files of the log were
        moved or removed. In a process that a fork made this does nothing: the log is its parent's.
        """
        if not self.is_open:
            return
        with self._journals.guard:
            self._journals.flush()
            lost = self._merge()
            self._release()
        if lost:
            raise LogWriteError(lost)

    def _merge(self) -> str:
        """Make the one file; a sentence where runs are missing that were in the log once."""
        own = {file.path: file for file in self._journals.files}
        parts = journals(parts_folder(self._place))
        if not own and not parts and all(file.exists() for file in self._expected):
            return ""
        tables = read_files(self._place, own)
        tables |= {path: file.table() for path, file in own.items()}
        expected = self._expected | {path: file.runs for path, file in own.items()}
        found = {file: len(tables.get(file, ())) for file in expected}
        missing = sum(max(0, runs - found[file]) for file, runs in expected.items())
        if tables:
            write_merged(self._place, tables)
            self._expected = {self._place: 0}
            self._journals.take_files()
            remove_journals(self._place, [*parts, *own])
        if not missing:
            return ""
        return (
            f"{missing} of {sum(expected.values())} runs are missing in {str(self.path)!r}: files "
            "of the log were moved or removed while it was written; put them back and merge them, "
            "or resume to make these runs again"
        )

    def abandon(self) -> None:
        """Leave the journals unmerged, to be read or resumed. Twice does no harm."""
        if self.is_open:
            try:
                self._journals.sync()
            finally:
                self._release()

    def _release(self) -> None:
        if self._finalizer.detach():
            self._journals.take_files()
            self._lock.release()

    @property
    def was_forked(self) -> bool:
        """Whether a fork of the process that opened the log asks: the log is not its own."""
        return not self._lock.is_ours

    @property
    def is_open(self) -> bool:
        """Whether it takes runs: not closed, and in the process that opened it."""
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


def _finished_keys(table: LogTable, unfinished: Sequence[Status]) -> frozenset[str]:
    finished = ~np.isin(table.runs["status"], [STATUSES.index(status) for status in unfinished])
    return frozenset(np.char.decode(table.runs["key"][finished], "ascii").tolist())


def _end(journal_writer: JournalWriter, lock: FolderLock) -> None:
    """What is left to do for a writer that nobody closed, where nobody catches an error."""
    if not lock.is_ours:
        return
    try:
        journal_writer.sync()
    except LogWriteError as error:
        print(f"firsthit: {error}", file=sys.stderr)
    finally:
        journal_writer.take_files()
        lock.release()

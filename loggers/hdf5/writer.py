"""Write a log: pass finished runs to journals, and merge the journals into one file at the end.

`LogWriter` is the writer. It *accepts* a run when the run is passed to it. The *expected* runs of a
log are those that were in it when it was opened, and those that the writer accepted since. At the
end the writer compares them with the runs in the files, and an error names missing runs.
"""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from ...suites.errors import FirsthitError
from ...suites.facts import ProblemId
from ..errors import (
    LogConflictError,
    LogExistsError,
    LogWriteError,
    MissingRunsError,
    ObservationError,
)
from ..records.identity import RunIdentity
from ..records.log_header import LogHeader
from ..records.run_record import STATUSES, RunRecord, SuiteFacts
from .deduplicate import FAILED, UNFINISHED, join, suite_differences
from .files import journals, parts_folder, resolve_log_path
from .journal_writer import JournalWriter
from .locks import FolderLock
from .merge import (
    check_can_be_rewritten,
    check_log_path,
    log_exists,
    remove_journals,
    remove_log,
    write_merged,
)
from .reader import read_files
from .recovery import lock_parts
from .table import LogTable, empty_table

_FILES_CHANGED = "files of the log were moved, removed or changed while it was written"
"""Reason of missing runs, a clause after "because"."""


class LogWriter:
    """Writer of one log; threads may share it. A log has one writer at a time.

    A run survives the death of this process once `add` or `add_many` has returned. It survives a
    power failure 2 s later. As a context manager the writer calls `close` at the end of the block,
    or `abandon` if an exception leaves the block. A log that was not closed can be read and
    continued.

    Args:
        path: The log, ``NAME.h5``; missing folders are created.
        header: Description of the runs that will be added.
        resume: Continue the log if it exists.
        retry_failed: Count failed and timed out runs of the log as not finished. New outcomes of
            these runs replace the old ones.
        overwrite: Delete an existing log first. It is kept if the header is invalid.
        keys_to_repeat: Keys of finished runs of the log that will be made again by another version
            of the optimizer's file. The header must state that the new file replaces the old one;
            otherwise the two outcomes of a run contradict each other.

    Attributes:
        path: The log, as given.
        finished_keys: Keys of the runs that were in the log when it was opened, and that need not
            be made again.

    Raises:
        LogExistsError: The log exists, and ``resume`` and ``overwrite`` are False.
        LogConflictError: The header contradicts the log.
        LogFormatError: A file of the log is damaged, or is not a log.
        LogWriteError: The log cannot be written, or another process writes it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: LogHeader,
        resume: bool = False,
        retry_failed: bool = False,
        overwrite: bool = False,
        keys_to_repeat: Iterable[str] = (),
    ) -> None:
        self.path = check_log_path(path)
        self._absolute_path = resolve_log_path(path)
        header_text = header.to_json()  # checks the header, before an old log is removed
        if overwrite:
            remove_log(path)
        self._lock = lock_parts(self._absolute_path)
        with _release_on_error(self._lock):
            if not resume and log_exists(self._absolute_path):
                raise LogExistsError.of(self.path)
            earlier_tables = read_files(self._absolute_path)
            earlier_runs = _join_with_header(earlier_tables, header_text)
            check_can_be_rewritten(self._absolute_path, earlier_runs)
        self._earlier_files = list(earlier_tables)
        self._suites = {suite.name: suite for suite in earlier_runs.suites}
        finished_keys = _select_finished_keys(earlier_runs, retry_failed)
        self.finished_keys = finished_keys.difference(keys_to_repeat)
        self._expected_runs = _ExpectedRuns(self.path, self._absolute_path, earlier_runs)
        self._journals = JournalWriter(parts_folder(self._absolute_path), header_text, self._lock)
        # It runs if nobody calls `close` or `abandon`, and it is alive while the log is open.
        self._finalizer = weakref.finalize(
            self, _finalize, self._journals, self._lock, self._expected_runs
        )

    def add(self, record: RunRecord) -> None:
        """Accept one finished run; see `add_many`."""
        self.add_many([record])

    def add_many(self, records: Iterable[RunRecord]) -> None:
        """Accept finished runs and pass them to the operating system.

        Raises:
            LogWriteError: Writing failed. The runs are accepted nevertheless: they stay in memory,
                and the next call writes them.
            LogConflictError: The suite of a run contradicts the log. No run is accepted.
            ObservationError: The log is closed, or this is not the process that opened it. No run
                is accepted.
        """
        self.check_open()
        runs = list(records)
        for run in runs:
            self._check_suite(run.suite)
        with self._journals.guard:
            self.check_open()  # another thread may have closed the log meanwhile
            self._expected_runs.accepted.update((run.key, run.identity) for run in runs)
            self._journals.add(runs)

    def sync(self) -> None:
        """Block until all accepted runs survive a power failure.

        Raises:
            LogWriteError: Writing failed; the runs stay in memory, and the next call writes them.
            ObservationError: The log is closed, or this is not the process that opened it.
        """
        self.check_open()
        self._journals.sync()

    def announce(self, text: str) -> None:
        """Write a line of text beside the log, for commands that show the progress of a campaign.

        Do nothing if the log is closed.
        """
        if self._finalizer.alive:
            self._lock.announce(text)

    def close(self) -> None:
        """Merge all runs into one file, remove the journals, and release the lock.

        If the log cannot be written, it stays open, and a second call tries again. Do nothing if
        the log is closed. Do nothing in a forked process, because the log belongs to the process
        that opened it.

        Raises:
            MissingRunsError: There are two cases. Either expected runs are missing in the written
                log, because its files were moved or removed meanwhile; the log is closed. Or the
                log cannot be written, and expected runs are in none of its files; it stays open.
            LogWriteError: The log cannot be written. All expected runs are in its files, and it
                stays open.
        """
        if not self.is_open:
            return
        with self._journals.guard:
            try:
                self._flush()
                missing_runs = self._merge()
            except LogWriteError as error:
                self._expected_runs.raise_if_unsaved(self._journals, error)
                raise
            self._release()
        if missing_runs:
            raise self._expected_runs.make_error(missing_runs, _FILES_CHANGED)

    def _flush(self) -> None:
        """Write the runs that are in memory only to the journals.

        Ignore an error while the lock is held: the journals cannot be written, but `_merge` also
        takes the runs from memory, and it may still be able to write the log's file.

        Raises:
            LogWriteError: Writing failed, and the lock is not held, so `_merge` may not write.
        """
        try:
            self._journals.flush()
        except LogWriteError:
            if not self._lock.is_at_path:
                raise

    def _merge(self) -> list[str]:
        """Merge all runs into the log's file, and delete the journals.

        Do nothing if there are no new runs, no journals, and all earlier files still exist.

        Returns:
            Names of the expected runs that are missing in the files of the log.

        Raises:
            LogWriteError: The file cannot be written. Or it was written and has all expected runs,
                but a journal cannot be deleted.
        """
        own_tables = self._journals.read_tables()
        journal_paths = journals(parts_folder(self._absolute_path))
        is_unchanged = all(file.exists() for file in self._earlier_files)
        if not own_tables and not journal_paths and is_unchanged:
            return []
        tables = read_files(self._absolute_path, own_tables) | own_tables
        missing_runs = self._expected_runs.find_missing(tables, own_tables)
        if tables:
            write_merged(self._absolute_path, tables)
            self._earlier_files = [self._absolute_path]
            own_paths = [file.path for file in self._journals.files]
            self._journals.forget_runs()
            self._expected_runs.mark_as_merged()
            try:
                remove_journals(self._absolute_path, [*journal_paths, *own_paths])
            except LogWriteError:
                if not missing_runs:  # else the missing runs are the error to report
                    raise
        return missing_runs

    def abandon(self) -> None:
        """Sync the journals, and release the lock without merging the journals into the file.

        The log can be read and continued. Do nothing if the log is closed, and in a forked process.

        Raises:
            MissingRunsError: Writing failed, and expected runs are in no file of the log.
            LogWriteError: Syncing failed. All expected runs are in the files of the log.
        """
        if not self.is_open:
            return
        try:
            self._journals.sync()
        except LogWriteError as error:
            self._expected_runs.raise_if_unsaved(self._journals, error)
            raise
        finally:
            self._release()

    def _release(self) -> None:
        """Close the journals and release the lock; do nothing if that was done before."""
        if self._finalizer.detach():
            self._journals.close()
            self._lock.release()

    @property
    def was_forked(self) -> bool:
        """Whether this process is forked from the process that opened the log.

        A forked process may not write the log.
        """
        return not self._lock.is_ours

    @property
    def is_open(self) -> bool:
        """Whether runs can be added: the log is not closed, and this process opened it."""
        return self._finalizer.alive and not self.was_forked

    def check_open(self) -> None:
        """Raise ObservationError if the log is closed, or another process opened it."""
        if self.was_forked:
            raise ObservationError("a log is written by the process that opened it")
        if not self._finalizer.alive:
            raise ObservationError(f"the log {str(self.path)!r} is closed")

    def _check_suite(self, suite: SuiteFacts) -> None:
        """Raise LogConflictError if facts of a suite differ from those of its runs in the log."""
        earlier_suite = self._suites.setdefault(suite.name, suite)
        if earlier_suite is suite or earlier_suite == suite:
            return
        for label, old, new in suite_differences(earlier_suite, suite):
            raise LogConflictError(
                f"suite {suite.name!r} has {label} {old} in {str(self.path)!r}, and the run's is "
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


class _ExpectedRuns:
    """Runs that a log must have at the end: those that were in it before, and those accepted since.

    Args:
        path: The log as it was given, for messages.
        absolute_path: Absolute path of the log.
        earlier_runs: Runs that were in the log when it was opened.

    Attributes:
        accepted: Identities of the runs that were accepted and are not in the log's file yet, by
            key. The caller adds to it.
    """

    def __init__(self, path: Path, absolute_path: Path, earlier_runs: LogTable) -> None:
        self.accepted: dict[str, RunIdentity] = {}
        self._merged: dict[str, RunIdentity] = {}  # accepted runs that are in the log's file
        self._path = path
        self._absolute_path = absolute_path
        self._earlier_runs = earlier_runs

    def mark_as_merged(self) -> None:
        """Note that the accepted runs were merged into the log's file.

        From now on `find_missing` also looks for them in the file, not only in the journals.
        """
        self._merged |= self.accepted
        self.accepted.clear()

    def find_missing(
        self, tables: Mapping[Path, LogTable], own_tables: Mapping[Path, LogTable]
    ) -> list[str]:
        """Return the names of the expected runs that are missing in the files of the log.

        Args:
            tables: Content of all files of the log.
            own_tables: Content of this writer's journals. An accepted run must be in one of them,
                because another file may have an older outcome of the same run.
        """
        own_keys, keys = _collect_keys(own_tables), _collect_keys(tables)
        names = [str(run) for key, run in self.accepted.items() if key.encode() not in own_keys]
        # A run may be expected for several reasons. It is named once, for the latest of them.
        keys.update(key.encode() for key in self.accepted)
        names += [str(run) for key, run in self._merged.items() if key.encode() not in keys]
        keys.update(key.encode() for key in self._merged)
        rows = [row for row, key in enumerate(self._earlier_runs.keys) if key not in keys]
        return names + [str(_make_identity(self._earlier_runs, row)) for row in rows]

    def make_error(self, missing_runs: Sequence[str], reason: str) -> MissingRunsError:
        """Make the error that names missing runs.

        Args:
            missing_runs: Names of the missing runs.
            reason: Clause after "because".
        """
        earlier_keys = (key.decode() for key in self._earlier_runs.keys)
        n_expected = len({*earlier_keys, *self._merged, *self.accepted})
        return MissingRunsError.of(self._path, missing_runs, n_expected, reason)

    def raise_if_unsaved(self, journal_writer: JournalWriter, error: LogWriteError) -> None:
        """Raise MissingRunsError if expected runs are in no file of the log.

        Args:
            journal_writer: Writer of the accepted runs.
            error: The reason why the log cannot be written.
        """
        tables: dict[Path, LogTable] = {}
        # If the files cannot be read, all expected runs count as missing.
        with contextlib.suppress(FirsthitError, OSError):
            tables = read_files(self._absolute_path)
        own_paths = [file.path for file in journal_writer.files]
        own_tables = {path: tables[path] for path in own_paths if path in tables}
        if missing_runs := self.find_missing(tables, own_tables):
            raise self.make_error(missing_runs, f"writing failed ({error})") from error


@contextlib.contextmanager
def _release_on_error(lock: FolderLock) -> Iterator[None]:
    """Release the lock if an exception leaves the block."""
    try:
        yield
    except BaseException:
        lock.release()
        raise


def _collect_keys(tables: Mapping[Path, LogTable]) -> set[bytes]:
    """Return the keys of all runs of several files."""
    return {key for table in tables.values() for key in table.keys}


def _join_with_header(tables: Mapping[Path, LogTable], header: str) -> LogTable:
    """Return the runs of a log, without their variable-length tables.

    Args:
        tables: Content of the files of the log.
        header: Header of the runs that will be added, as JSON text.

    Raises:
        LogConflictError: The header contradicts the runs, or the files contradict each other.
    """
    runs = join([*tables.values(), empty_table((header,))], [*tables, "the run to be continued"])
    return replace(runs, ragged={})  # these tables may be large, and may keep files open


def _select_finished_keys(runs: LogTable, retry_failed: bool) -> frozenset[str]:
    """Return the keys of the runs that need not be made again.

    Args:
        runs: The runs of a log.
        retry_failed: Whether failed and timed out runs must be made again.
    """
    unfinished = (*UNFINISHED, *FAILED) if retry_failed else UNFINISHED
    is_finished = ~np.isin(runs.runs["status"], [STATUSES.index(status) for status in unfinished])
    return frozenset(np.char.decode(runs.runs["key"][is_finished], "ascii").tolist())


def _make_identity(table: LogTable, row: int) -> RunIdentity:
    """Return the identity of the run in a row of ``table.runs``."""
    run = table.runs[row]
    suite = table.functions[run["function_row"]].suite
    problem = ProblemId(suite, int(run["function"]), int(run["dimension"]), int(run["instance"]))
    return RunIdentity(
        table.algorithms[run["algorithm"]],
        problem,
        int(run["repetition"]),
        int(run["campaign_seed"]),
        int(run["stage"]),
    )


def _finalize(
    journal_writer: JournalWriter, lock: FolderLock, expected_runs: _ExpectedRuns
) -> None:
    """Sync and release a log that nobody closed, when its writer is deleted or the process ends.

    A LogWriteError is printed to stderr, because no caller could catch it. Do nothing in a forked
    process.
    """
    if not lock.is_ours:
        return
    try:
        try:
            journal_writer.sync()
        except LogWriteError as error:
            expected_runs.raise_if_unsaved(journal_writer, error)
            raise
    except LogWriteError as error:
        print(f"firsthit: {error}", file=sys.stderr)
    finally:
        journal_writer.close()
        lock.release()

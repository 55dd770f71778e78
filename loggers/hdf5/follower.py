"""Follow a log while it is written: read each finished run once, soon after it was written.

`LogFollower` remembers how far it has read each journal. When the writer merges the journals into
the log's file, or somebody replaces this file, the follower reads everything again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from .files import journals, parts_folder, resolve_log_path
from .journal import JournalReader, read_tail
from .opening import open_regular
from .ragged import Entries, nothing
from .reader import ABSENT_ERRORS, convert_errors, describe_tail, read_table
from .table import LogTable

_PIECE_BYTES = 2**25
"""Size of the pieces in which a journal is read. It limits the memory for rows that are dropped."""


class NewRuns(NamedTuple):
    """Runs that a `LogFollower` has read.

    Attributes:
        tables: The runs, oldest first; a run may occur twice. Empty: nothing is new.
        is_everything: Whether these are all runs of the log, and replace all that were read before.
    """

    tables: list[LogTable]
    is_everything: bool


class LogFollower:
    """Reader of the runs that are added to a log.

    Args:
        log: The log. It need not exist yet.
        kept_tables: Names of the variable-length tables whose rows are returned. In the other
            tables no run has rows, which saves memory.
    """

    def __init__(self, log: Path, kept_tables: Collection[str]) -> None:
        self._log = resolve_log_path(log)
        self._kept_tables = kept_tables
        self._readers: dict[Path, JournalReader] = {}
        self._unread_bytes: dict[Path, int] = {}
        self._file_identity: tuple[int, int, int] | None = None
        self._must_read_everything = True

    def read_new_runs(self) -> NewRuns:
        """Read the runs that were added since the last call; with the first call, all runs.

        Raises:
            LogFormatError: A file is damaged or is not a log.
            LogReadError: The operating system cannot read a file now.
        """
        # If an error occurs below, runs that were read are lost, and must be read again.
        must_read_everything, self._must_read_everything = self._must_read_everything, True
        # Journals first: a writer removes them after the file has all their runs.
        new_tables = self._read_journals()
        file_identity = self._identify_file()
        if must_read_everything or file_identity != self._file_identity:
            must_read_everything = True
            self._readers = {}
            new_tables = self._read_journals()
            with contextlib.suppress(*ABSENT_ERRORS):
                new_tables.insert(0, self._drop_rows(read_table(self._log)))
        self._file_identity, self._must_read_everything = file_identity, False
        return NewRuns(new_tables, must_read_everything)

    def describe_unread_bytes(self) -> list[str]:
        """Return a sentence on each journal that has bytes after the runs that were read.

        While the log is written, the next call of `read_new_runs` may read these bytes.

        Raises:
            LogFormatError: A journal is a link or not a regular file.
            LogReadError: The operating system cannot read a journal now.
        """
        sentences = []
        for path in (path for path, n_bytes in self._unread_bytes.items() if n_bytes):
            with (
                contextlib.suppress(*ABSENT_ERRORS),
                convert_errors(path),
                open_regular(path) as file,
            ):
                tail = read_tail(file, os.fstat(file.fileno()).st_size)
                if tail.n_bytes:
                    sentences.append(describe_tail(path, tail))
        return sentences

    def _read_journals(self) -> list[LogTable]:
        tables = []
        self._unread_bytes = {}
        for path in journals(parts_folder(self._log)):
            reader = self._readers.setdefault(path, JournalReader(path))
            with (
                contextlib.suppress(*ABSENT_ERRORS),
                convert_errors(path),
                open_regular(path) as file,
            ):
                n_bytes = os.fstat(file.fileno()).st_size
                # A run that is longer than a piece is read with the last piece.
                first_end = reader.position_bytes + _PIECE_BYTES
                for end in (*range(first_end, n_bytes, _PIECE_BYTES), n_bytes):
                    file.seek(reader.position_bytes)
                    table = reader.read_new_runs(file, end)
                    if len(table):
                        tables.append(self._drop_rows(table))
                self._unread_bytes[path] = n_bytes - reader.position_bytes
        return tables

    def _drop_rows(self, table: LogTable) -> LogTable:
        """Return the runs with the rows of the kept tables only, read into memory."""
        ragged: dict[str, Entries] = {
            name: entries.load() if name in self._kept_tables else nothing(name, len(table))
            for name, entries in table.ragged.items()
        }
        return replace(table, ragged=ragged)

    def _identify_file(self) -> tuple[int, int, int] | None:
        """Return numbers that change if the log's file is replaced; None: there is no file."""
        try:
            status = self._log.stat()
        except ABSENT_ERRORS:
            return None
        return status.st_size, status.st_ino, status.st_mtime_ns

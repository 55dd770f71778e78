"""Follow a campaign while it runs: its status, its failures and its runs, read onwards.

`CampaignFollower` reads each finished run once. The first call of `update` takes as long as
`campaign_status`; later calls read only what was added to the journals, and count the runs again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ...loggers import Log
from ...loggers.hdf5.deduplicate import FAILED, join
from ...loggers.hdf5.follower import LogFollower
from ...loggers.hdf5.locks import Holder
from ...loggers.hdf5.ragged import Entries
from ...loggers.hdf5.table import LogTable
from ...loggers.records.log_header import LogHeader
from ..errors import CampaignError
from .batches import batch_logs
from .status import (
    EndedRun,
    Plan,
    Status,
    assemble_status,
    collect_ended_runs,
    describe_unreadable_plan,
    find_lock_holders,
    read_plan,
)

_KEPT_TABLES = ("hits", "trajectory", "target_unit")
"""Variable-length tables of the runs in memory; first hits and best values are read from them."""
_NUMBER_OR_NAME = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
"""Parts of messages that do not distinguish kinds of errors."""


class Failure(NamedTuple):
    """One kind of failed runs.

    Attributes:
        algorithm: Name of the algorithm.
        status: ``"failed"`` or ``"timeout"``.
        message: Text of the error of one of the runs, several lines at most; may be empty.
        n_runs: Number of failed runs with this kind of error.
    """

    algorithm: str
    status: str
    message: str
    n_runs: int


class CampaignFollower:
    """Reader of a campaign that runs now, or has ended, or will begin.

    Args:
        path: Log of the campaign. It need not exist yet.
        header: Header of the campaign, which contains the plan. None: use the headers in the logs.
        workers: Number of workers if no running coordinator reports it. None: 1.
        with_batches: Also follow the logs of batches beside ``path``, and plan all batches.

    Attributes:
        status: Status at the last call of `update`; None before the first call.
        is_begun: Whether a log or a coordinator existed at the last call of `update`.
    """

    def __init__(
        self,
        path: Path,
        header: LogHeader | None = None,
        workers: int | None = None,
        *,
        with_batches: bool = False,
    ) -> None:
        self.status: Status | None = None
        self.is_begun = False
        self._path = path
        self._header = header
        self._workers = workers
        self._with_batches = with_batches
        self._followers: dict[Path, LogFollower] = {}
        self._tables: dict[Path, list[LogTable]] = {}
        self._ended_runs: dict[str, EndedRun] = {}
        self._messages: dict[str, str] = {}  # error of each failed run, by run key
        self._log_headers: dict[str, Mapping[str, Any]] = {}  # by their JSON text
        self._plan: Plan | None = None
        self._plan_notes: list[str] = []
        self._lock_holders: list[Holder] = []

    def update(self) -> bool:
        """Read the runs that ended since the last call, and count all runs.

        Returns:
            Whether anything has changed, so that `status` is a new object.

        Raises:
            LogFormatError: A log or lock file is damaged or is not a regular file.
            LogReadError: The operating system does not allow reading a log.
        """
        batch_paths = batch_logs(self._path) if self._with_batches else {}
        log_paths = [self._path, *batch_paths.values()]
        # Locks before logs, as in `campaign_status`.
        lock_holders = find_lock_holders(log_paths)
        new_tables: list[LogTable] = []
        must_count_everything = False
        for log_path in log_paths:
            follower = self._followers.setdefault(log_path, LogFollower(log_path, _KEPT_TABLES))
            new_runs = follower.read_new_runs()
            if new_runs.is_everything:
                must_count_everything |= bool(self._tables.get(log_path))
                self._tables[log_path] = []
            self._tables[log_path] += new_runs.tables
            new_tables += new_runs.tables
        if must_count_everything:  # a log was replaced, and some runs may be gone
            self._forget_runs()
            new_tables = [table for tables in self._tables.values() for table in tables]
        for table in new_tables:
            self._add_runs(table)
        has_new_runs = bool(new_tables) or must_count_everything
        self.is_begun = bool(lock_holders or any(self._tables.values()))
        if not has_new_runs and lock_holders == self._lock_holders and self.status is not None:
            return False
        self._lock_holders = lock_holders
        is_alive = any(process.is_alive for process in lock_holders)
        notes = [note for tables in self._tables.values() for t in tables for note in t.notes]
        if not is_alive:
            for follower in self._followers.values():
                notes += follower.describe_unread_bytes()
        self.status = assemble_status(
            self._path,
            lock_holders,
            self._read_plan(),
            self._ended_runs,
            list(self._log_headers.values()),
            self._workers,
            batch_paths,
            [*dict.fromkeys(notes), *self._plan_notes],
        )
        return True

    def list_failures(self) -> list[Failure]:
        """Return the kinds of failed runs, those with most runs first.

        Messages that differ only in numbers or in quoted names are of one kind.
        """
        counts: Counter[tuple[str, str, str]] = Counter()
        messages: dict[tuple[str, str, str], str] = {}
        for run_key, message in self._messages.items():
            (algorithm, _), status, _ = self._ended_runs[run_key]
            kind = algorithm, status, _NUMBER_OR_NAME.sub("#", message)
            counts[kind] += 1
            messages.setdefault(kind, message)
        return [
            Failure(kind[0], kind[1], messages[kind], n_runs)
            for kind, n_runs in counts.most_common()
        ]

    def read_log(self) -> Log:
        """Return all runs so far, with the rows that first hits are read from.

        Raises:
            LogConflictError: Two runs contradict each other.
        """
        for path, tables in self._tables.items():
            if len(tables) > 1:  # so that the next call does not begin with many small tables
                table = join(tables, [path] * len(tables))
                rows: dict[str, Entries] = {n: part.load() for n, part in table.ragged.items()}
                self._tables[path] = [replace(table, ragged=rows)]
        sources = [path for path, tables in self._tables.items() if tables]
        joined = join([self._tables[path][0] for path in sources], sources)
        return Log(joined, sources)

    def _forget_runs(self) -> None:
        self._ended_runs, self._messages, self._log_headers = {}, {}, {}
        self._plan = None

    def _add_runs(self, table: LogTable) -> None:
        """Count the runs of a table, and keep the messages of those that failed."""
        log = Log(table)
        n_headers = len(self._log_headers)
        for text, log_header in zip(table.headers, log.headers, strict=True):
            self._log_headers.setdefault(text, log_header)
        if len(self._log_headers) > n_headers:
            self._plan = None
        collect_ended_runs(log, self._ended_runs)
        runs = log.runs
        keys, errors, statuses = runs.key.tolist(), runs.error.tolist(), runs.status.tolist()
        for run_key, message, status in zip(keys, errors, statuses, strict=True):
            if status in FAILED and self._ended_runs[run_key][1] == status:
                self._messages[run_key] = message
            else:
                self._messages.pop(run_key, None)

    def _read_plan(self) -> Plan | None:
        """Return the plan; read it again only after a new header, because that takes seconds."""
        if self._plan is None and (self._header is not None or self._log_headers):
            self._plan_notes = []
            try:
                self._plan = read_plan(
                    self._header, list(self._log_headers.values()), self._with_batches
                )
            except CampaignError as error:
                self._plan_notes = [describe_unreadable_plan(error)]
        return self._plan

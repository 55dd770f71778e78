"""The runs of a log as tables: what a log file holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..records.dtypes import TABLES
from ..records.run_record import SuiteFacts
from .ragged import Entries, Indices, Picked, nothing
from .schema import RUNS

TEXTS = {
    "header": "headers",
    "algorithm": "algorithms",
    "function_row": "functions",
    "message": "messages",
    "reference": "references",
}
"""Columns of ``runs`` that refer to texts, and where these stand in a table."""


@dataclass(frozen=True, slots=True, order=True)
class FunctionRow:
    """One function of one suite, as a log names it."""

    suite: str
    function: int
    name: str
    group: str


@dataclass(frozen=True, slots=True, eq=False)
class LogTable:
    """All that a log file holds."""

    headers: tuple[str, ...]  # JSON
    algorithms: tuple[str, ...]  # names
    suites: tuple[SuiteFacts, ...]  # each name once
    functions: tuple[FunctionRow, ...]
    messages: tuple[str, ...]  # of errors
    references: tuple[str, ...]  # names
    runs: NDArray[np.void]  # of ``schema.RUNS``; its text columns are positions in the above
    ragged: Mapping[str, Entries]  # the tables of ``dtypes.TABLES``, by name
    notes: tuple[str, ...] = ()  # sentences on how it was read
    checksum: str = ""  # SHA-256 of the content of the file it was read from

    def __len__(self) -> int:
        return len(self.runs)

    def take(self, rows: Indices) -> LogTable:
        """These runs, in this order; what they have several of is not read."""
        if np.array_equal(rows, np.arange(len(self))):
            return self
        ragged: dict[str, Entries] = {
            name: entries.reordered(rows)
            if isinstance(entries, Picked)
            else Picked((entries,), np.zeros(len(rows), np.int32), rows)
            for name, entries in self.ragged.items()
        }
        return replace(self, runs=self.runs[rows], ragged=ragged)


def empty_table(headers: tuple[str, ...] = ()) -> LogTable:
    """No runs, under these headers."""
    ragged: dict[str, Entries] = {name: nothing(name) for name in TABLES}
    return LogTable(headers, (), (), (), (), (), np.empty(0, RUNS), ragged)

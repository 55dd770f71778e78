"""The content of a log in memory: `LogTable`, with one row for each run and texts by index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..records.dtypes import TABLES
from ..records.run_record import SuiteFacts
from .ragged import Entries, Indices, RaggedView, nothing
from .schema import RUNS

TEXTS = {
    "header": "headers",
    "algorithm": "algorithms",
    "function_row": "functions",
    "message": "messages",
    "reference": "references",
}
"""Columns of ``runs`` that are indices of texts, and the field of `LogTable` with these texts."""


@dataclass(frozen=True, slots=True, order=True)
class FunctionRow:
    """Name and group of one function of a suite."""

    suite: str
    function: int
    name: str
    group: str


@dataclass(frozen=True, slots=True, eq=False)
class LogTable:
    """All content of a log file, or of several that were joined.

    Each text is stored once; the columns of ``runs`` that `TEXTS` names have its index.
    """

    headers: tuple[str, ...]  # JSON
    algorithms: tuple[str, ...]  # names
    suites: tuple[SuiteFacts, ...]  # each suite once
    functions: tuple[FunctionRow, ...]
    messages: tuple[str, ...]  # texts of errors
    references: tuple[str, ...]  # sources of reference values
    runs: NDArray[np.void]  # of the type `schema.RUNS`
    ragged: Mapping[str, Entries]  # the variable-length tables of `dtypes.TABLES`, by name
    notes: tuple[str, ...] = ()  # sentences on content that could not be read
    checksum: str = ""  # SHA-256 of the content of the file; empty: of a journal, or joined
    newer_version: str = ""  # format version of the file if it is newer than ours, else empty
    publication: Mapping[str, str] = field(default_factory=dict)  # of a published log; not joined

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def keys(self) -> list[bytes]:
        """Key of each run, 32 hexadecimal characters in ASCII."""
        keys: list[bytes] = self.runs["key"].tolist()
        return keys

    def take(self, rows: Indices) -> LogTable:
        """Return the runs at the positions ``rows``, in this order, without reading their rows."""
        if np.array_equal(rows, np.arange(len(self))):
            return self
        ragged: dict[str, Entries] = {
            name: entries.reorder(rows)
            if isinstance(entries, RaggedView)
            else RaggedView((entries,), np.zeros(len(rows), np.int32), rows)
            for name, entries in self.ragged.items()
        }
        return replace(self, runs=self.runs[rows], ragged=ragged)


def empty_table(headers: tuple[str, ...] = ()) -> LogTable:
    """Return a table without runs that has these headers."""
    ragged: dict[str, Entries] = {name: nothing(name) for name in TABLES}
    return LogTable(headers, (), (), (), (), (), np.empty(0, RUNS), ragged)

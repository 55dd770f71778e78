"""Runs as flat columns: what a log file holds, made of records."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .ragged import Entries, Ragged, Rows, loaded
from .record import RECORDS, STATUSES, RunRecord, clean_text
from .schema import OFFSET, OPTIONAL, RAGGED, RUNS, TEXT_LIMITS

_T = TypeVar("_T", str, "FunctionRow")

_CHECKED = (
    "key", "function", "dimension", "instance", "repetition", "stage", "campaign_seed", "seed",
    "budget", "evaluations", "evaluations_constraints", "reference_value", "best_precision",
    "status", "record",
)  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class FunctionRow:
    """One function of one suite, as a log names it."""

    suite: str
    suite_version: str
    function: int
    name: str
    group: str


@dataclass(frozen=True, slots=True, eq=False)
class LogTable:
    """All that a log file holds.

    Attributes:
        headers: JSON texts.
        algorithms: Names.
        functions: Functions.
        messages: Error texts.
        runs: Structured array of ``schema.RUNS``; its text columns are positions in the above.
        ragged: The tables of ``schema.RAGGED``.
    """

    headers: tuple[str, ...]
    algorithms: tuple[str, ...]
    functions: tuple[FunctionRow, ...]
    messages: tuple[str, ...]
    runs: NDArray[np.void]
    ragged: Mapping[str, Entries]

    def __len__(self) -> int:
        return len(self.runs)

    def take(self, rows: Rows) -> LogTable:
        """These runs, in this order; itself where they are all in the order that is."""
        if np.array_equal(rows, np.arange(len(self))):
            return self
        ragged: dict[str, Entries] = {name: table.take(rows) for name, table in self.ragged.items()}
        texts = (self.headers, self.algorithms, self.functions, self.messages)
        return LogTable(*texts, self.runs[rows], ragged)

    def loaded(self) -> LogTable:
        """The same with all columns in memory."""
        ragged: dict[str, Entries] = {name: loaded(e) for name, e in self.ragged.items()}
        texts = (self.headers, self.algorithms, self.functions, self.messages)
        return LogTable(*texts, self.runs, ragged)

    def checksums(self) -> NDArray[np.uint32]:
        """CRC-32 of each run: all but times, error text and positions of text; ``(n_runs,)``."""
        sums = self._checksums_of_rows()
        for name in sorted(self.ragged):
            offset = self.ragged[name].offset.tolist()
            for title, column in sorted(self.ragged[name].columns.items()):
                if f"{name}/{title}" in OPTIONAL:
                    continue
                data, size = column.tobytes(), column.dtype.itemsize
                view = memoryview(data)
                for i, (start, stop) in enumerate(pairwise(offset)):
                    if stop > start:
                        sums[i] = zlib.crc32(view[start * size : stop * size], sums[i])
        return np.array(sums, dtype=np.uint32)

    def _checksums_of_rows(self) -> list[int]:
        pairs = list(
            zip(self.runs["algorithm"].tolist(), self.runs["function_row"].tolist(), strict=True)
        )
        named = {
            pair: zlib.crc32(repr((self.algorithms[pair[0]], self.functions[pair[1]])).encode())
            for pair in set(pairs)
        }
        packed = np.empty(len(self), np.dtype([(name, RUNS[name]) for name in _CHECKED]))
        for name in _CHECKED:
            packed[name] = self.runs[name]
        size, view = packed.dtype.itemsize, memoryview(packed.tobytes())
        return [
            zlib.crc32(view[i * size : (i + 1) * size], named[pair]) for i, pair in enumerate(pairs)
        ]


def tabulate(records: Sequence[RunRecord], header: str) -> LogTable:
    """Bring records, all under one header, into columns."""
    rows = [_function_row(record) for record in records]
    algorithms = _numbered({record.identity.algorithm for record in records})
    functions = _numbered(set(rows))
    messages = _numbered({record.error for record in records})
    runs = np.zeros(len(records), RUNS)
    columns: dict[str, list[Any]] = {
        "key": [record.key.encode() for record in records],
        "algorithm": [algorithms[record.identity.algorithm] for record in records],
        "function_row": [functions[row] for row in rows],
        "message": [messages[record.error] for record in records],
        "budget": [-1 if record.budget is None else record.budget for record in records],
        "status": [STATUSES.index(record.status) for record in records],
        "record": [RECORDS.index(record.record) for record in records],
    }
    for name in ("function", "dimension", "instance"):
        columns[name] = [getattr(record.identity.problem, name) for record in records]
    for name in ("repetition", "stage", "campaign_seed"):
        columns[name] = [getattr(record.identity, name) for record in records]
    for name in (
        "seed", "evaluations", "evaluations_constraints", "reference_value", "best_precision",
        "wall_seconds", "cpu_seconds", "problem_seconds",
    ):  # fmt: skip
        columns[name] = [getattr(record, name) for record in records]
    for name, values in columns.items():
        runs[name] = np.array(values, dtype=RUNS[name])
    texts = ((header,), tuple(algorithms), tuple(functions), tuple(messages))
    table = LogTable(*texts, runs, _ragged_of(records))
    runs["crc32"] = table.checksums()
    return table


def _function_row(record: RunRecord) -> FunctionRow:
    problem = record.identity.problem
    texts = (problem.suite, record.suite_version, record.function_name, record.group)
    suite, version, name, group = (clean_text(text, TEXT_LIMITS["functions"]) for text in texts)
    return FunctionRow(suite, version, problem.function, name, group)


def _numbered(texts: set[_T]) -> dict[_T, int]:
    return {text: i for i, text in enumerate(sorted(texts))}


def _ragged_of(records: Sequence[RunRecord]) -> dict[str, Entries]:
    def part(record: RunRecord, name: str, column: str) -> NDArray[Any]:
        if name == "best_solution":
            return record.best_solution
        owner = "recommendations" if name == "recommended_solutions" else name
        values: NDArray[Any] = getattr(getattr(record, owner), column)
        return values

    tables: dict[str, Entries] = {}
    for name, columns in RAGGED.items():
        first = next(iter(columns))
        lengths = [len(part(record, name, first)) for record in records]
        offset = np.concatenate(([0], np.cumsum(lengths))).astype(OFFSET)
        tables[name] = Ragged(
            offset,
            {
                column: np.concatenate(
                    [np.empty(0, dtype), *(part(record, name, column) for record in records)]
                ).astype(dtype, copy=False)
                for column, dtype in columns.items()
            },
        )
    return tables

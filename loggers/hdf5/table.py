"""The runs of a log as tables: what a log file holds, made of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..records.rows import NUMBERS, Rows
from ..records.run_record import RECORDS, STATUSES, RunRecord, clean_text
from ..records.suite_facts import SuiteFacts
from .ragged import Entries, Indices, Picked, Ragged
from .schema import RAGGED, RUNS, TEXT_LIMITS

_T = TypeVar("_T", str, "FunctionRow")


@dataclass(frozen=True, slots=True, order=True)
class FunctionRow:
    """One function of one suite, as a log names it."""

    suite: str
    function: int
    name: str
    group: str


@dataclass(frozen=True, slots=True, eq=False)
class LogTable:
    """All that a log file holds.

    Attributes:
        headers: JSON texts.
        algorithms: Names.
        suites: Suites, each name once.
        functions: Functions.
        messages: Error texts.
        runs: Structured array of ``schema.RUNS``; its text columns are positions in the above.
        ragged: The tables of ``schema.RAGGED``, by name, each of all runs.
    """

    headers: tuple[str, ...]
    algorithms: tuple[str, ...]
    suites: tuple[SuiteFacts, ...]
    functions: tuple[FunctionRow, ...]
    messages: tuple[str, ...]
    runs: NDArray[np.void]
    ragged: Mapping[str, Entries]

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


def tabulate(records: Sequence[RunRecord], header: str) -> LogTable:
    """Bring runs, all under one header and with the same facts of each suite, into tables."""
    errors = [clean_text(record.error, TEXT_LIMITS["messages"]) for record in records]
    functions = [_function_row(record) for record in records]
    names = [record.identity.algorithm for record in records]
    algorithm_at, function_at, message_at = (
        _numbered(names),
        _numbered(functions),
        _numbered(errors),
    )
    rows = [
        _run_row(record, algorithm_at[name], function_at[function], message_at[text])
        for record, name, function, text in zip(records, names, functions, errors, strict=True)
    ]
    suites = {record.suite.name: record.suite for record in records}
    return LogTable(
        (header,),
        tuple(algorithm_at),
        tuple(suites[name] for name in sorted(suites)),
        tuple(function_at),
        tuple(message_at),
        np.array(rows, RUNS),
        {name: Ragged.joined([part(r) for r in records], RAGGED[name]) for name, part in _PARTS},
    )


def _function_row(record: RunRecord) -> FunctionRow:
    limit = TEXT_LIMITS["functions"]
    name, group = clean_text(record.function_name, limit), clean_text(record.group, limit)
    return FunctionRow(record.suite.name, record.identity.problem.function, name, group)


def _run_row(record: RunRecord, algorithm: int, function: int, message: int) -> tuple[Any, ...]:
    """A row of ``runs`` under the first header."""
    identity, problem = record.identity, record.identity.problem
    return (
        identity.key.encode(), 0, algorithm, function, message,
        problem.function, problem.dimension, problem.instance,
        identity.repetition, identity.stage, identity.campaign_seed,
        record.seed, -1 if record.budget is None else record.budget,
        record.evaluations, record.evaluations_constraints,
        record.reference_value, record.best_precision,
        STATUSES.index(record.status), RECORDS.index(record.record),
        record.wall_seconds, record.cpu_seconds, record.problem_seconds,
    )  # fmt: skip


def _numbers(values: NDArray[np.float64]) -> Rows:
    return np.ascontiguousarray(values, "<f8").reshape(-1).view(NUMBERS)


_PARTS = (
    ("hits", lambda record: record.hits),
    ("trajectory", lambda record: record.trajectory),
    ("restarts", lambda record: record.restarts),
    ("recommendations", lambda record: record.recommendations),
    ("recommended_solutions", lambda record: _numbers(record.recommended_solutions)),
    ("notes", lambda record: record.notes),
    ("best_solutions", lambda record: _numbers(record.best_solution)),
    ("archive", lambda record: record.archive),
)
"""Each of ``schema.RAGGED``, and where a record has it."""


def _numbered(texts: Sequence[_T]) -> dict[_T, int]:
    return {text: i for i, text in enumerate(sorted(set(texts)))}

"""Runs as flat columns: what a log file holds, made of records."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from struct import Struct
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import ObservationError
from ..hdf5.ragged_columns import Entries, Ragged, Rows, loaded
from ..hdf5.schema import OFFSET, OPTIONAL, RAGGED, RUNS, TEXT_LIMITS
from .outcome import RunOutcome
from .run_record import RECORDS, STATUSES, RunRecord, clean_text

_T = TypeVar("_T", str, "FunctionRow")
_ALIGNED = 8

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

    def __reduce__(self) -> tuple[Any, ...]:
        """All numbers in one piece: pickling each array takes as long as ten runs' part of it."""
        texts = (self.headers, self.algorithms, list(map(_texts_of, self.functions)), self.messages)
        arrays: list[NDArray[Any]] = [self.runs]
        left_out = []
        for name, dtypes in RAGGED.items():
            ragged = self.ragged[name]
            arrays.append(ragged.offset)
            for column in dtypes:
                values = ragged.whole(column)
                if (path := f"{name}/{column}") in OPTIONAL and (values == OPTIONAL[path]).all():
                    left_out.append(path)
                else:
                    arrays.append(values)
        pieces: list[Any] = []
        for values in map(np.ascontiguousarray, arrays):
            pieces += [values.data, bytes(-values.nbytes % _ALIGNED)]
        return _table_of, (texts, left_out, list(map(len, arrays)), b"".join(pieces))

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
            offset = self.ragged[name].offset.astype(np.int64)
            for title, column in sorted(self.ragged[name].columns.items()):
                if len(column) and f"{name}/{title}" not in OPTIONAL:
                    sums = _continued(sums, column.tobytes(), offset * column.dtype.itemsize)
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
        bounds = np.arange(len(self) + 1) * packed.dtype.itemsize
        return _continued([named[pair] for pair in pairs], packed.tobytes(), bounds)


def constant(path: str, dtype: str, offset: NDArray[np.uint64]) -> NDArray[Any]:
    """An optional column where it is left out, which takes no memory."""
    return np.broadcast_to(np.array(OPTIONAL[path], dtype), int(offset[-1]))


_texts_of = attrgetter(*FunctionRow.__dataclass_fields__)


def _table_of(
    texts: tuple[Any, ...], left_out: Sequence[str], sizes: Sequence[int], numbers: bytes
) -> LogTable:
    """The table that was taken apart by ``LogTable.__reduce__``."""
    headers, algorithms, functions, messages = texts
    place, left = 0, iter(sizes)

    def following(dtype: Any) -> NDArray[Any]:
        nonlocal place
        values = np.frombuffer(numbers, dtype, next(left), place)
        place += -(-values.nbytes // _ALIGNED) * _ALIGNED
        return values

    runs = following(RUNS)
    ragged: dict[str, Entries] = {}
    for name, dtypes in RAGGED.items():
        offset = following(OFFSET)
        ragged[name] = Ragged(
            offset,
            {
                column: constant(path, dtype, offset)
                if (path := f"{name}/{column}") in left_out
                else following(dtype)
                for column, dtype in dtypes.items()
            },
        )
    rows = tuple(FunctionRow(*row) for row in functions)
    return LogTable(headers, algorithms, rows, messages, runs, ragged)


def _continued(sums: Sequence[int], data: bytes, bounds: NDArray[np.int64]) -> list[int]:
    """The CRC-32 of each run, continued with its part of ``data``."""
    edges = bounds.tolist()
    parts = map(memoryview(data).__getitem__, map(slice, edges, edges[1:]))
    return list(map(zlib.crc32, parts, sums))


def tabulate(records: Sequence[RunRecord | RunOutcome], header: str) -> LogTable:
    """Bring runs, all under one header, into columns.

    Raises:
        ObservationError: What was recorded of an outcome is wrong in itself.
    """
    rows = _function_rows(records)
    errors = [clean_text(record.error, TEXT_LIMITS["messages"]) for record in records]
    algorithms = _numbered({record.identity.algorithm for record in records})
    functions = _numbered(set(rows))
    messages = _numbered(set(errors))
    packed = [
        _packed(record, algorithms[record.identity.algorithm], functions[row], messages[error])
        for record, row, error in zip(records, rows, errors, strict=True)
    ]
    runs = np.frombuffer(bytearray(b"".join(packed)), RUNS)
    texts = ((header,), tuple(algorithms), tuple(functions), tuple(messages))
    table = LogTable(*texts, runs, _ragged_of(records))
    if any(isinstance(record, RunOutcome) for record in records):
        _check_recorded(table)
    runs["crc32"] = table.checksums()
    return table


def _packed(
    record: RunRecord | RunOutcome, algorithm: int, function_row: int, message: int
) -> bytes:
    """A row of ``runs``, whose text columns are these; under the first header, its CRC-32 0."""
    identity, problem = record.identity, record.identity.problem
    return _ROW.pack(
        identity.key.encode(), 0, algorithm, function_row, message,
        problem.function, problem.dimension, problem.instance,
        identity.repetition, identity.stage, identity.campaign_seed,
        record.seed, -1 if record.budget is None else record.budget,
        record.evaluations, record.evaluations_constraints,
        record.reference_value, record.best_precision,
        _STATUS[record.status], _RECORD[record.record],
        record.wall_seconds, record.cpu_seconds, record.problem_seconds, 0,
    )  # fmt: skip


_CODES = {"S32": "32s", "u1": "B", "u4": "I", "u8": "Q", "i8": "q", "f8": "d"}
_ROW = Struct("<" + "".join(_CODES[RUNS[name].str[1:]] for name in RUNS.names or ()))
"""Packs a row of ``runs``, which has no gaps."""
_STATUS = {status: code for code, status in enumerate(STATUSES)}
_RECORD = {record: code for code, record in enumerate(RECORDS)}


def _function_rows(records: Sequence[RunRecord | RunOutcome]) -> list[FunctionRow]:
    known: dict[tuple[Any, ...], FunctionRow] = {}
    rows = []
    for record in records:
        problem = record.identity.problem
        texts = (problem.suite, record.suite_version, record.function_name, record.group)
        key = (*texts, problem.function)
        if key not in known:
            suite, version, name, group = (clean_text(t, TEXT_LIMITS["functions"]) for t in texts)
            known[key] = FunctionRow(suite, version, problem.function, name, group)
        rows.append(known[key])
    return rows


def _numbered(texts: set[_T]) -> dict[_T, int]:
    return {text: i for i, text in enumerate(sorted(texts))}


def _ragged_of(records: Sequence[RunRecord | RunOutcome]) -> dict[str, Entries]:
    parts = iter(zip(*map(_columns_of, records), strict=True) if records else [()] * 15)
    tables: dict[str, Entries] = {}
    for name, dtypes in RAGGED.items():
        columns = {column: next(parts) for column in dtypes}
        lengths = np.fromiter(map(len, columns[next(iter(dtypes))]), np.int64, len(records))
        offset = np.concatenate(([0], np.cumsum(lengths))).astype(OFFSET)
        tables[name] = Ragged(
            offset, {column: _flat(columns[column], dtypes[column], lengths) for column in dtypes}
        )
    return tables


def _columns_of(record: RunRecord | RunOutcome) -> tuple[Any, ...]:
    """What a run has several of, column by column, in the order of ``RAGGED``."""
    if isinstance(record, RunOutcome):
        return record.recorded.columns()
    tables = (record.hits, record.trajectory, record.restarts, record.recommendations)
    columns = [getattr(table, name) for table in tables for name in table.dtypes]
    return (*columns, record.best_solution)


def _flat(parts: Sequence[Any], dtype: str, lengths: NDArray[np.int64]) -> NDArray[Any]:
    """Parts, one after the other: arrays, lists, or None for as many zeros as the run has rows."""
    kinds = set(map(type, parts))
    if kinds == {_Nothing}:
        return np.zeros(lengths.sum(), dtype)
    if kinds == {array}:
        return np.frombuffer(b"".join(parts), parts[0].typecode).astype(dtype)
    if kinds == {list}:
        return np.fromiter(chain.from_iterable(parts), dtype, sum(map(len, parts)))
    arrays = [
        np.zeros(n, dtype) if part is None else np.asarray(part, dtype)
        for part, n in zip(parts, lengths.tolist(), strict=True)
    ]
    return np.concatenate([np.empty(0, dtype), *arrays])


_Nothing = type(None)


def _check_recorded(table: LogTable) -> None:
    """Refuse here what a reader would refuse: one bad run must not spoil a log.

    Raises:
        ObservationError: Evaluations do not ascend from 1 to those spent, or targets rise.
    """
    spent = table.runs["evaluations"]
    for name, column in (("hits", "evaluation"), ("trajectory", "evaluation"), ("hits", "target")):
        offset = table.ragged[name].offset.astype(np.int64)
        values = table.ragged[name].columns[column]
        there = np.flatnonzero(offset[1:] > offset[:-1])
        first, last = offset[there], offset[there + 1] - 1
        steps = np.diff(values.astype(np.int64))
        if column == "target":
            steps = 1 - steps
        steps[first[1:] - 1] = 1
        is_inside = column == "target" or (
            (values[first] >= 1).all() and (values[last] <= spent[there]).all()
        )
        if not is_inside or (steps < 1).any():
            raise ObservationError(f"{name}/{column} of a run are out of order, or of range")

"""The memory that a run records into: on the heap, or in files that outlive the process.

A worker process records into files mapped into memory. Whatever ends the process, its coordinator
finds there what the run had reached: the same tables, read by the same class.
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence
from pathlib import Path
from struct import Struct
from time import monotonic_ns
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..records.rows import TABLES, Rows, no_rows

EVALUATIONS, CONSTRAINTS, FORKED, _NUMBER, _STARTED, _BEST = range(6)
"""Positions in ``RunMemory.counts``."""

_HEAD_BYTES = 8
_FIRST_BYTES = 4096
_COUNTS = 8
_INTEGER = Struct("<q")


class Table:
    """Rows of one type that grow in number, and how many there are, in one piece of memory.

    The number is written after the row, so that a process that ends in between leaves whole rows.

    Args:
        dtype: Of the rows.
        path: The file that holds them, made where it is not there; None for the heap.
    """

    def __init__(self, dtype: np.dtype[Any], path: Path | None = None) -> None:
        self._dtype = dtype
        fields = (dtype[name] for name in _names(dtype))
        self._row = Struct("<" + "".join(_CODES.get(f.kind, f"{f.itemsize}s") for f in fields))
        places: Mapping[str, Any] = dtype.fields or {}
        self._evaluation_at = places["evaluation"][1] if "evaluation" in places else 0
        self._path = path
        self._use(_memory(path, _FIRST_BYTES))

    def _use(self, memory: bytearray | mmap.mmap) -> None:
        self._memory = memory
        self._head = memoryview(memory)[:_HEAD_BYTES].cast("q")

    def __len__(self) -> int:
        return self._head[0]

    def clear(self) -> None:
        """Drop all rows."""
        self._head[0] = 0

    def append(self, *values: Any) -> None:
        """Add one row, its values in the order of the type's fields."""
        at = _HEAD_BYTES + self._head[0] * self._row.size
        if at + self._row.size > len(self._memory):
            self._grow(at + self._row.size)
        self._row.pack_into(self._memory, at, *values)
        self._head[0] += 1

    def extend(self, columns: Sequence[ArrayLike]) -> None:
        """Add rows given by their columns, in the order of the type's fields."""
        count = len(np.asarray(columns[0]))
        at = _HEAD_BYTES + self._head[0] * self._row.size
        end = at + count * self._row.size
        if end > len(self._memory):
            self._grow(end)
        rows = np.frombuffer(self._memory, self._dtype, count, at)
        for name, column in zip(_names(self._dtype), columns, strict=True):
            rows[name] = column
        self._head[0] += count

    def drop_from(self, evaluation: int) -> None:
        """Drop the last rows, as far as they are of this evaluation or of later ones."""
        while self._head[0] and self.last_evaluation >= evaluation:
            self._head[0] -= 1

    @property
    def last_evaluation(self) -> int:
        """The evaluation of the last row; 0 where there is none."""
        if not self._head[0]:
            return 0
        at = _HEAD_BYTES + (self._head[0] - 1) * self._row.size + self._evaluation_at
        evaluation: int = _INTEGER.unpack_from(self._memory, at)[0]
        return evaluation

    def rows(self) -> Rows:
        """A copy of all rows, read-only."""
        count = self._head[0]
        if not count:
            return no_rows(self._dtype)
        content = bytes(self._memory[_HEAD_BYTES : _HEAD_BYTES + count * self._row.size])
        return np.frombuffer(content, self._dtype)

    def _grow(self, least: int) -> None:
        size = max(least, 2 * len(self._memory))
        larger = _memory(self._path, size)
        if self._path is None:
            larger[: len(self._memory)] = self._memory
        self._use(larger)


class RunMemory:
    """What one run records, run after run.

    Args:
        folder: Where the files are that hold it, see ``create``; None for the heap.

    Attributes:
        counts: int64 numbers: evaluations of objective and constraints made by the run; whether
            another process tried to evaluate; and how this memory is used.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._tables: dict[str, Table] = {}
        self._best = np.empty((2, 0))
        self._records_here = False
        size = 8 * _COUNTS  # also those of the heap are seen by forked processes, which tell of it
        counts = mmap.mmap(-1, size) if folder is None else _memory(self._path("counts"), size)
        self.counts = memoryview(counts).cast("q")

    @classmethod
    def create(cls, folder: Path) -> RunMemory:
        """Memory in files of a new folder, to be opened by the process that records.

        Raises:
            OSError: It cannot be made.
        """
        folder.mkdir()
        return cls(folder)

    @classmethod
    def open(cls, folder: Path) -> RunMemory:
        """The memory in the files of a folder that another process made.

        Raises:
            OSError: It is not there.
        """
        if not (folder / "counts").is_file():
            raise FileNotFoundError(f"{folder} holds no memory of a run")
        return cls(folder)

    @property
    def is_shared(self) -> bool:
        """Whether other processes see it."""
        return self._folder is not None

    def begin(self, number: int = 0) -> None:
        """A run begins that its task calls ``number``, from 0: what was recorded before goes."""
        self._records_here = True
        for table in self._tables.values():
            table.clear()
        for position in (EVALUATIONS, CONSTRAINTS, FORKED, _BEST):
            self.counts[position] = 0
        self.counts[_STARTED] = monotonic_ns()
        self.counts[_NUMBER] = number + 1

    def rest(self) -> None:
        """No run is at hand."""
        self.counts[_NUMBER] = 0

    @property
    def run_number(self) -> int | None:
        """Number of the run at hand; None where there is none."""
        number: int = self.counts[_NUMBER]
        return number - 1 if number else None

    @property
    def seconds(self) -> float:
        """Seconds since the run at hand began; 0 where there is none."""
        started: int = self.counts[_STARTED]
        return (monotonic_ns() - started) / 1e9 if self.counts[_NUMBER] else 0.0

    def table(self, name: str) -> Table:
        """One of ``rows.TABLES``, made where it is not there."""
        if name not in self._tables:
            self._tables[name] = Table(TABLES[name], self._path(name))
        return self._tables[name]

    def rows(self, name: str) -> Rows:
        """The rows of a table, a copy; none where it was never used."""
        is_there = name in self._tables or (not self._records_here and self._has_file(name))
        return self.table(name).rows() if is_there else no_rows(TABLES[name])

    def _has_file(self, name: str) -> bool:
        path = self._path(name)
        return path is not None and path.exists()

    def _path(self, name: str) -> Path | None:
        return None if self._folder is None else self._folder / name

    def put_best(self, precision: float, x: ArrayLike) -> None:
        """Keep the best precision and its point, shape ``(dimension,)``.

        Two places take turns, so that one is whole whenever the process ends.
        """
        point = np.asarray(x, dtype=np.float64)
        best = self._best_of(len(point))
        turn = 1 if self.counts[_BEST] != 1 else 2
        best[turn - 1, 0] = precision
        best[turn - 1, 1:] = point
        self.counts[_BEST] = turn

    def best(self, dimension: int) -> tuple[float, NDArray[np.float64]]:
        """Best precision and its point; infinity and shape ``(0,)`` where there is none."""
        turn = self.counts[_BEST]
        if not turn:
            return np.inf, np.empty(0)
        row = self._best_of(dimension)[turn - 1]
        return float(row[0]), row[1:].copy()

    def _best_of(self, dimension: int) -> NDArray[np.float64]:
        if self._best.shape[1] != dimension + 1:
            memory = _memory(self._path("best"), 16 * (dimension + 1))
            self._best = np.frombuffer(memory, "<f8", 2 * (dimension + 1)).reshape(2, -1)
        return self._best


_CODES = {"f": "d", "i": "q", "u": "Q"}
"""Codes of ``struct`` for numbers of eight bytes; what else there is in rows is text."""


def _names(dtype: np.dtype[Any]) -> tuple[str, ...]:
    return dtype.names or ()


def _memory(path: Path | None, size: int) -> bytearray | mmap.mmap:
    """At least ``size`` bytes on the heap, or those of a file, which is made where it is not there.

    Bytes that a file lacks are written: a disk that is full then says so here, and does not end the
    process when the memory is used.
    """
    if path is None:
        return bytearray(size)
    with open(path, "r+b" if path.exists() else "x+b") as file:
        there = file.seek(0, 2)
        file.write(bytes(max(size - there, 0)))
        file.flush()
        return mmap.mmap(file.fileno(), max(size, there))

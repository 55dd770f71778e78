"""The memory that a run records into: on the heap, or in files that outlive the process.

A worker process records into files mapped into memory. Whatever ends the process, its coordinator
finds there what the run had reached: the same tables, read by the same class.

An exception may come in between anywhere, as a signal's handler raises it. So every change here
takes effect in one step, and may be made again: memory is put in the place of smaller memory when
it is whole, and a row counts when it is written.
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from struct import Struct
from time import monotonic_ns
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..records.dtypes import TABLES, Rows, no_rows

EVALUATIONS, CONSTRAINTS, FORKED, _NUMBER, _STARTED, _BEST, _ROWS = range(7)
"""Positions in ``RunMemory.counts``; from the last one on, the tables' numbers of rows."""

_FIRST_BYTES = 16384
_INTEGER = Struct("<q")


class Table:
    """Rows of one type that grow in number. Room for them is reserved before they are added.

    The number is written after the row, so that a process that ends in between leaves whole rows.

    Args:
        dtype: Of the rows.
        count: Their number, int64 ``(1,)``.
        path: The file that holds them, made where it is not there; None for the heap.
    """

    def __init__(self, dtype: np.dtype[Any], count: memoryview, path: Path | None = None) -> None:
        self._dtype = dtype
        self._row, self._evaluation_at = _layout(dtype)
        self._count = count
        self._path = path
        self._memory = _memory(path, _FIRST_BYTES)

    def __len__(self) -> int:
        return self._count[0]

    @property
    def room(self) -> int:
        """How many rows can be added."""
        return len(self._memory) // self._row.size - self._count[0]

    def reserve(self, rows: int) -> None:
        """Make room for so many rows more.

        Raises:
            OSError: The file cannot be made longer.
            MemoryError: There is no memory.
        """
        if rows <= self.room:
            return
        size = max((self._count[0] + rows) * self._row.size, 2 * len(self._memory))
        larger = _memory(self._path, size)
        if self._path is None:
            larger[: len(self._memory)] = self._memory
        self._memory = larger

    def append(self, *values: Any) -> None:
        """Add one row, its values in the order of the type's fields; there must be room."""
        self._row.pack_into(self._memory, self._count[0] * self._row.size, *values)
        self._count[0] += 1

    def put(self, place: int, *values: Any) -> None:
        """Write one row at a place, which is the last then; there must be room.

        Args:
            place: At most the number of rows.
            values: In the order of the type's fields.
        """
        self._row.pack_into(self._memory, place * self._row.size, *values)
        self._count[0] = place + 1

    def extend(self, columns: Sequence[ArrayLike]) -> None:
        """Add rows given by their columns, in the order of the type's fields; likewise."""
        count = len(np.asarray(columns[0]))
        rows = np.frombuffer(self._memory, self._dtype, count, self._count[0] * self._row.size)
        for name, column in zip(_names(self._dtype), columns, strict=True):
            rows[name] = column
        self._count[0] += count

    def cut(self, rows: int) -> None:
        """Keep the first rows, so many or fewer."""
        self._count[0] = min(rows, self._count[0])

    def drop_from(self, evaluation: int) -> None:
        """Drop the last rows, as far as they are of this evaluation or of later ones."""
        while self._count[0] and self.last_evaluation >= evaluation:
            self._count[0] -= 1

    @property
    def last_evaluation(self) -> int:
        """The evaluation of the last row; 0 where there is none."""
        if not self._count[0]:
            return 0
        at = (self._count[0] - 1) * self._row.size + self._evaluation_at
        evaluation: int = _INTEGER.unpack_from(self._memory, at)[0]
        return evaluation

    def rows(self) -> Rows:
        """A copy of all rows, read-only.

        Raises:
            ValueError: There are fewer than their number says.
        """
        count = self._count[0]
        if not count:
            return no_rows(self._dtype)
        return np.frombuffer(bytes(self._memory[: count * self._row.size]), self._dtype, count)


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
        size = 8 * (_ROWS + len(TABLES))
        # also those of the heap are seen by forked processes, which tell of it
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
        for position in range(len(self.counts)):
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
        """One of ``dtypes.TABLES``, made where it is not there.

        Raises:
            OSError: It cannot be made.
        """
        if name not in self._tables:
            place = _ROWS + _PLACES[name]
            count = self.counts[place : place + 1]
            self._tables[name] = Table(TABLES[name], count, self._path(name))
        return self._tables[name]

    def rows(self, name: str) -> Rows:
        """The rows of a table, a copy; see ``Table.rows``."""
        is_used = self.counts[_ROWS + _PLACES[name]] != 0
        return self.table(name).rows() if is_used else no_rows(TABLES[name])

    def _path(self, name: str) -> Path | None:
        return None if self._folder is None else self._folder / name

    def reserve_best(self, dimension: int) -> None:
        """Make room for points of so many variables.

        Raises:
            OSError: It cannot be made.
        """
        if self._best.shape[1] != dimension + 1:
            memory = _memory(self._path("best"), 16 * (dimension + 1))
            self._best = np.frombuffer(memory, "<f8", 2 * (dimension + 1)).reshape(2, -1)

    def put_point(self, x: ArrayLike) -> int:
        """Write down a point, shape ``(dimension,)``, that may be the best; return its place.

        Of two places, one holds the best point, so that one is whole whenever the process ends.
        """
        place = 1 if self.counts[_BEST] != 1 else 2
        self._best[place - 1, 1:] = x
        return place

    def point(self, place: int) -> NDArray[np.float64]:
        """The point at a place, not to be kept or changed."""
        return self._best[place - 1, 1:]

    def keep_best(self, precision: float, place: int) -> None:
        """The point at that place is the best, with this precision."""
        self._best[place - 1, 0] = precision
        self.counts[_BEST] = place

    def best(self) -> tuple[float, NDArray[np.float64]]:
        """Best precision and its point; infinity and shape ``(0,)`` where there is none."""
        place = self.counts[_BEST]
        if not place:
            return np.inf, np.empty(0)
        row = self._best[place - 1]
        return float(row[0]), row[1:].copy()


_CODES = {"f": "d", "i": "q", "u": "Q"}
"""Codes of ``struct`` for numbers of eight bytes; what else there is in rows is text."""
_PLACES = {name: place for place, name in enumerate(TABLES)}


def _names(dtype: np.dtype[Any]) -> tuple[str, ...]:
    return dtype.names or ()


@lru_cache
def _layout(dtype: np.dtype[Any]) -> tuple[Struct, int]:
    """How a row is packed, and where in it the evaluation is; 0 where it has none."""
    fields = (dtype[name] for name in _names(dtype))
    row = Struct("<" + "".join(_CODES.get(f.kind, f"{f.itemsize}s") for f in fields))
    places: Mapping[str, Any] = dtype.fields or {}
    return row, places["evaluation"][1] if "evaluation" in places else 0


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

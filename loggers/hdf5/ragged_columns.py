"""What runs have several of: columns of all runs one after the other, in memory or in files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .schema import OFFSET, RAGGED

Rows = NDArray[np.int64]
_MOSTLY = 0.8
_FEW_ENTRIES, _FEW_SPANS = 2**22, 2**12
"""Of so many it is kept where they stand, from one column to the next."""


class Column(Protocol):
    """An array, or what stands for one in a file: it can be sliced, and then it is an array."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the entries."""
        ...

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> NDArray[Any]: ...


class Entries(Protocol):
    """Entries of many runs; `Ragged` and `Picked` are such."""

    @property
    def offset(self) -> NDArray[np.uint64]:
        """uint64 (n_runs + 1,); run ``i`` owns entries ``offset[i]`` to ``offset[i + 1] - 1``."""
        ...

    @property
    def columns(self) -> Mapping[str, Any]:
        """Name to column, all of length ``offset[-1]``."""
        ...

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many entries each run owns, shape ``(n_runs,)``."""
        ...

    def of(self, run: int) -> dict[str, NDArray[Any]]:
        """The columns of one run."""
        ...

    def between(self, name: str, first: int, stop: int) -> NDArray[Any]:
        """A column of the runs ``first`` to ``stop - 1``."""
        ...

    def whole(self, name: str) -> NDArray[Any]:
        """A column of all runs that is looked at once: it is not kept."""
        ...

    def chunks(self, name: str, size: int) -> Iterator[NDArray[Any]]:
        """A column of all runs in arrays of ``size`` entries; the last has what is left."""
        ...

    def take(self, rows: Rows) -> Entries:
        """The entries of these runs, in this order."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Columns of all runs one after the other.

    Attributes:
        offset: uint64 (n_runs + 1,); run ``i`` owns rows ``offset[i]`` to ``offset[i + 1] - 1``.
        columns: Name to column, all of length ``offset[-1]``; arrays, or columns of a file.
        check: Called as ``check(name, first, stop, values)`` with what was read of a column for the
            runs ``first`` to ``stop - 1``, to raise where it cannot be; None where all is checked.
    """

    offset: NDArray[np.uint64]
    columns: Mapping[str, Any]
    check: Any = None

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many entries each run owns, shape ``(n_runs,)``."""
        offset = self.offset.astype(np.int64)
        return offset[1:] - offset[:-1]

    def of(self, run: int) -> dict[str, NDArray[Any]]:
        """The columns of one run."""
        return {name: self.between(name, run, run + 1) for name in self.columns}

    def between(self, name: str, first: int, stop: int) -> NDArray[Any]:
        """A column of the runs ``first`` to ``stop - 1``."""
        values: NDArray[Any] = self.columns[name][int(self.offset[first]) : int(self.offset[stop])]
        if self.check is not None:
            self.check(name, first, stop, values)
        return values

    def whole(self, name: str) -> NDArray[Any]:
        """A column of all runs that is looked at once: it is not kept."""
        return self.between(name, 0, len(self.offset) - 1)

    def chunks(self, name: str, size: int) -> Iterator[NDArray[Any]]:
        """A column of all runs in arrays of ``size`` entries; the last has what is left."""
        return cut([self.whole(name)], size)

    def take(self, rows: Rows) -> Picked:
        """The entries of these runs, in this order, gathered when they are asked for."""
        return Picked((self,), np.zeros(len(rows), np.int32), rows)


class Picked:
    """Entries of runs picked from tables, in any order; a column is gathered when it is asked for.

    Args:
        tables: Where they come from.
        source: Which of the tables, for each run, shape ``(n_runs,)``.
        rows: Which run of that table, shape ``(n_runs,)``.
    """

    def __init__(self, tables: Sequence[Entries], source: NDArray[np.int32], rows: Rows) -> None:
        self._tables = tuple(tables)
        self._source = source
        self._rows = rows
        self._kept_places: NDArray[np.int64] | None = None
        self._kept_spans: Sequence[tuple[int, int, int]] = ()
        self._memory: list[NDArray[np.uint8]] = []

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """How many entries each run owns, shape ``(n_runs,)``."""
        lengths = np.zeros(len(self._rows), np.int64)
        for number, table in enumerate(self._tables):
            mine = self._source == number
            offset, rows = table.offset, self._rows[mine]
            lengths[mine] = (offset[rows + 1] - offset[rows]).astype(np.int64)
        return lengths

    @cached_property
    def offset(self) -> NDArray[np.uint64]:
        """uint64 (n_runs + 1,); run ``i`` owns entries ``offset[i]`` to ``offset[i + 1] - 1``."""
        return np.concatenate(([0], np.cumsum(self.lengths))).astype(OFFSET)

    @cached_property
    def columns(self) -> Mapping[str, NDArray[Any]]:
        """Name to array; an array is gathered when it is first asked for."""
        return _Gathered(self, list(self._tables[0].columns))

    def of(self, run: int) -> dict[str, NDArray[Any]]:
        """The columns of one run."""
        table = self._tables[int(self._source[run])]
        return table.of(int(self._rows[run]))

    def between(self, name: str, first: int, stop: int) -> NDArray[Any]:
        """A column of the runs ``first`` to ``stop - 1``."""
        return self.columns[name][int(self.offset[first]) : int(self.offset[stop])]

    def take(self, rows: Rows) -> Picked:
        """The entries of these runs, in this order, gathered when they are asked for."""
        return Picked(self._tables, self._source[rows], self._rows[rows])

    def whole(self, name: str) -> NDArray[Any]:
        """A column of all runs that is looked at once: it is not kept."""
        columns = [table.columns[name] for table in self._tables]
        if (value := _everywhere(columns)) is not None:
            return np.broadcast_to(value, int(self.offset[-1]))
        if self._goes_by_entries(columns):
            return np.concatenate(columns)[self._places(columns)]
        parts = list(self._parts(name))
        if len(parts) == 1:
            return parts[0]
        empty = np.empty(0, self._tables[0].columns[name].dtype)
        return np.concatenate([empty, *parts])

    def chunks(self, name: str, size: int) -> Iterator[NDArray[Any]]:
        """A column of all runs in arrays of ``size`` entries; the last has what is left.

        The memory that this takes is taken once for all columns, as far as it can be.
        """
        columns = [table.columns[name] for table in self._tables]
        if (value := _everywhere(columns)) is not None:
            yield from cut([np.broadcast_to(value, int(self.offset[-1]))], size)
            return
        if not self._goes_by_entries(columns):
            yield from cut(self._parts(name), size)
            return
        places = self._places(columns)
        kind, count = columns[0].dtype, sum(map(len, columns))
        memory = self._memory.pop() if self._memory else np.empty(0, np.uint8)
        if memory.nbytes < count * kind.itemsize:
            memory = np.empty(count * kind.itemsize, np.uint8)
        column = memory[: count * kind.itemsize].view(kind)
        np.concatenate(columns, out=column)
        for start in range(0, len(places), size):
            yield column[places[start : start + size]]
        self._memory.append(memory)

    def _goes_by_entries(self, columns: Sequence[Any]) -> bool:
        """Whether these columns are gathered entry by entry, and not in spans of runs."""
        return self._is_scattered and all(isinstance(column, np.ndarray) for column in columns)

    def _parts(self, name: str) -> Iterator[NDArray[Any]]:
        """A column of all runs, in arrays of any length."""
        spans = self._kept_spans or self._spans()
        self._kept_spans = spans if len(spans) <= _FEW_SPANS else ()
        for number, first, stop in spans:
            yield self._tables[number].between(name, first, stop)

    @cached_property
    def _is_scattered(self) -> bool:
        """Whether few runs stand together here that stand together there, in tables in memory."""
        if any(not isinstance(table, Ragged) or table.check for table in self._tables):
            return False
        together = (np.diff(self._rows) == 1) & (np.diff(self._source) == 0)
        return len(self._rows) > 1 and not together.mean() > _MOSTLY

    def _places(self, columns: Sequence[Any]) -> NDArray[np.int64]:
        """Where each entry stands in a column of all the tables, one after the other."""
        if self._kept_places is not None:
            return self._kept_places
        begins = np.concatenate(([0], np.cumsum(list(map(len, columns)))))
        first = np.empty(len(self._rows), np.int64)
        for number, table in enumerate(self._tables):
            mine = self._source == number
            first[mine] = begins[number] + table.offset[self._rows[mine]].astype(np.int64)
        lengths, stops = self.lengths, self.offset[1:].astype(np.int64)
        shift = first - (stops - lengths)
        places = np.repeat(shift, lengths)
        places += np.arange(len(places))
        self._kept_places = places if len(places) <= _FEW_ENTRIES else None
        return places

    def _spans(self) -> Sequence[tuple[int, int, int]]:
        """(table, first, stop): runs that stand one after the other both here and there."""
        source, rows = self._source, self._rows
        breaks = np.flatnonzero((np.diff(rows) != 1) | (np.diff(source) != 0)) + 1
        starts = np.concatenate(([0], breaks))[: len(rows)]
        stops = np.append(breaks, len(rows))
        first = rows[starts]
        last = first + (stops - starts)[: len(starts)]
        return list(zip(source[starts].tolist(), first.tolist(), last.tolist(), strict=True))


class _Gathered(Mapping[str, NDArray[Any]]):
    """The columns of `Picked`, each kept once it was gathered."""

    def __init__(self, picked: Picked, names: Sequence[str]) -> None:
        self._picked = picked
        self._columns: dict[str, NDArray[Any] | None] = dict.fromkeys(names)

    def __getitem__(self, name: str) -> NDArray[Any]:
        column = self._columns[name]
        if column is None:
            column = self._columns[name] = self._picked.whole(name)
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def cut(parts: Iterable[NDArray[Any]], size: int) -> Iterator[NDArray[Any]]:
    """The same entries in arrays of ``size``; the last has what is left, and there are none of 0.

    >>> [piece.tolist() for piece in cut([np.arange(3), np.arange(3, 8)], 4)]
    [[0, 1, 2, 3], [4, 5, 6, 7]]
    """
    pieces: list[NDArray[Any]] = []
    missing = size
    for part in parts:
        while len(part) >= missing:
            yield _together([*pieces, part[:missing]])
            part, pieces, missing = part[missing:], [], size
        if len(part):
            pieces.append(part)
            missing -= len(part)
    if pieces:
        yield _together(pieces)


def _everywhere(columns: Sequence[Any]) -> NDArray[Any] | None:
    """The one entry that these columns have, over and over, where that takes no look at them."""
    long = [column for column in columns if len(column)]
    if not long or not all(is_repeated(column) for column in long):
        return None
    first: NDArray[Any] = long[0][0]
    return first if all(column[0] == first for column in long) else None


def is_repeated(column: object) -> bool:
    """Whether an array is one entry over and over, which takes the memory of one.

    >>> is_repeated(np.broadcast_to(np.array(7), 3)), is_repeated(np.full(3, 7))
    (True, False)
    """
    return isinstance(column, np.ndarray) and column.strides == (0,)


def _together(pieces: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


def loaded(entries: Entries) -> Ragged:
    """The same with all columns in memory."""
    columns = {name: entries.whole(name) for name in entries.columns}
    return Ragged(entries.offset, columns)


def chained(name: str, tables: Sequence[Entries]) -> Picked:
    """The entries of all runs of the first table, then of the second, and so on.

    Args:
        name: Which of ``schema.RAGGED`` they are.
        tables: Any number.
    """
    nothing = Ragged(
        np.zeros(1, OFFSET), {column: np.empty(0, t) for column, t in RAGGED[name].items()}
    )
    counts = [len(table.offset) - 1 for table in tables]
    source = np.repeat(np.arange(1, len(tables) + 1, dtype=np.int32), counts)
    rows = np.concatenate([np.empty(0, np.int64), *(np.arange(n) for n in counts)])
    return Picked((nothing, *tables), source, rows)

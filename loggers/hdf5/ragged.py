"""What runs have several of: rows of all runs one after the other, in memory or in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..records.dtypes import TABLES, Rows, no_rows
from .schema import OFFSET

Indices = NDArray[np.int64]
Fields = tuple[str, ...]
_WINDOW_ROWS = 2**21
"""After so many rows of a file a new piece is read."""
_GAP_ROWS = 2**13
"""Rows of a file that nobody asked for are read with the others where they are fewer."""
_KEPT_BYTES = 2**30
"""So much of a file's rows, where some fields alone were asked for, is kept for the next time."""


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Rows of all runs in memory; run ``i`` owns ``rows[offsets[i] : offsets[i + 1]]``."""

    offsets: Indices
    rows: Rows

    @classmethod
    def concatenate(cls, parts: Sequence[Rows], dtype: np.dtype[Any]) -> Ragged:
        """One part for each run."""
        filled = [part.view(np.ndarray) for part in parts if len(part)]
        rows = np.concatenate(filled, dtype=dtype) if filled else np.empty(0, dtype)
        return cls.of_lengths(np.fromiter(map(len, parts), OFFSET, len(parts)), rows)

    @classmethod
    def of_lengths(cls, lengths: Indices, rows: Rows) -> Ragged:
        """Rows of all runs, and how many each run owns; ValueError where the sum is another."""
        offsets = _offsets(lengths)
        if offsets[-1] != len(rows):
            raise ValueError(f"{len(rows)} rows where {offsets[-1]} belong")
        return cls(offsets, rows)

    @property
    def lengths(self) -> Indices:
        """How many rows each run owns, shape ``(n_runs,)``."""
        return np.diff(self.offsets)

    def of(self, run: int) -> Rows:
        """The rows of one run, as a record array."""
        rows: Rows = self.rows[self.offsets[run] : self.offsets[run + 1]].view(np.recarray)
        return rows

    def pick(self, runs: Indices, fields: Fields = ()) -> Ragged:
        """The rows of these runs, in this order."""
        first, lengths = self.offsets[runs], self.lengths[runs]
        offsets = _offsets(lengths)
        if (first[1:] == first[:-1] + lengths[:-1]).all():
            start = first[0] if len(first) else 0
            return Ragged(offsets, self.rows[start : start + offsets[-1]])
        return Ragged(offsets, self.rows[_places(first, lengths)])

    def load(self) -> Ragged:
        """Itself."""
        return self

    def forget(self) -> None:
        """Nothing: the rows are in no file."""


class Stored:
    """Rows of all runs in an open file, read when they are asked for.

    Args:
        offsets: As of ``Ragged``.
        read: ``read(start, stop, fields)`` gives rows of the file; without fields, with all.
        check: ``check(runs, ragged)`` raises where the rows just read of these runs cannot be.
    """

    def __init__(
        self,
        offsets: Indices,
        read: Callable[[int, int, Fields], Rows],
        check: Callable[[slice, Ragged], None],
    ) -> None:
        self.offsets = offsets
        self._read = read
        self._check = check
        self.forget()

    def forget(self) -> None:
        """Free the rows that are kept in memory; they are read again when asked for."""
        self._kept: dict[tuple[int, int, Fields], Ragged] = {}
        self._room = _KEPT_BYTES
        self._window: tuple[int, Ragged] = (0, Ragged(np.zeros(1, OFFSET), np.empty(0)))

    @property
    def lengths(self) -> Indices:
        """How many rows each run owns, shape ``(n_runs,)``."""
        return np.diff(self.offsets)

    def of(self, run: int) -> Rows:
        """The rows of one run; neighbours are read with it, and kept for the next question."""
        first, window = self._window
        if not first <= run < first + len(window.offsets) - 1:
            stop = int(np.searchsorted(self.offsets, self.offsets[run] + _GAP_ROWS, "right"))
            runs = np.arange(run, max(min(stop, len(self.offsets)) - 1, run + 1))
            first, window = run, self.pick(runs)
            self._window = (first, window)
        return window.of(run - first)

    def pick(self, runs: Indices, fields: Fields = ()) -> Ragged:
        """The rows of these runs, in this order; with these fields alone, where some are given."""
        order = np.argsort(runs, kind="stable")
        ascending = runs[order]
        parts = [self._picked(part, fields) for part in self._windows(ascending)]
        if len(parts) == 1:
            found = parts[0]
        else:
            rows = np.concatenate([self._read(0, 0, fields), *(part.rows for part in parts)])
            found = Ragged.of_lengths(self.lengths[ascending], rows)
        return found if (order[1:] > order[:-1]).all() else found.pick(np.argsort(order))

    def _windows(self, runs: Indices) -> list[Indices]:
        """Cut ascending runs where much stands between them, and where many rows were together."""
        first, stop = self.offsets[runs], self.offsets[runs + 1]
        is_far = first[1:] > stop[:-1] + _GAP_ROWS
        is_full = np.diff(first // _WINDOW_ROWS) > 0
        parts = np.split(runs, np.flatnonzero(is_far | is_full) + 1)
        return parts if len(runs) else []

    def _picked(self, runs: Indices, fields: Fields) -> Ragged:
        """The rows of ascending runs near to each other, read with those between, or kept."""
        first, stop = int(runs[0]), int(runs[-1]) + 1
        found = self._kept.get((first, stop, fields))
        if found is None:
            offsets = self.offsets[first : stop + 1]
            rows = self._read(int(offsets[0]), int(offsets[-1]), fields)
            found = Ragged(offsets - offsets[0], rows)
            self._check(slice(first, stop), found)
            if fields and rows.nbytes <= self._room:
                self._kept[first, stop, fields] = found
                self._room -= rows.nbytes
        return found.pick(runs - first)

    def load(self) -> Ragged:
        """The rows of all runs, in memory."""
        return self.pick(np.arange(len(self.offsets) - 1))


class Picked:
    """Rows of runs picked from tables, in any order, gathered when they are asked for.

    Run ``i`` is the run ``runs[i]`` of the table ``source[i]``.
    """

    def __init__(self, tables: Sequence[Entries], source: NDArray[np.int32], runs: Indices) -> None:
        self._tables = tuple(tables)
        self._source = source
        self._runs = runs

    @cached_property
    def lengths(self) -> Indices:
        """How many rows each run owns, shape ``(n_runs,)``."""
        lengths = np.zeros(len(self._runs), OFFSET)
        for number, table in enumerate(self._tables):
            mine = self._source == number
            lengths[mine] = table.lengths[self._runs[mine]]
        return lengths

    def of(self, run: int) -> Rows:
        """The rows of one run, as a record array."""
        return self._tables[int(self._source[run])].of(int(self._runs[run]))

    def pick(self, runs: Indices, fields: Fields = ()) -> Ragged:
        """The rows of these runs, in this order; with these fields at least."""
        source, inner = self._source[runs], self._runs[runs]
        used: list[int] = np.unique(source).tolist()
        if len(used) < 2:
            return self._tables[used[0] if used else 0].pick(inner, fields)
        picked = [self._tables[number].pick(inner[source == number], fields) for number in used]
        offsets = _offsets(self.lengths[runs])
        names = list(fields or picked[0].rows.dtype.names or ())
        rows = np.empty(offsets[-1], [(name, picked[0].rows.dtype[name]) for name in names])
        for number, part in zip(used, picked, strict=True):
            rows[_places(offsets[:-1][source == number], part.lengths)] = part.rows[names]
        return Ragged(offsets, rows)

    def load(self) -> Ragged:
        """The rows of all runs, in memory."""
        return self.pick(np.arange(len(self._runs)))

    def forget(self) -> None:
        """Free the rows of files that are kept in memory; they are read again when asked for."""
        for table in self._tables:
            table.forget()

    def reordered(self, runs: Indices) -> Picked:
        """These runs, in this order, without reading any."""
        return Picked(self._tables, self._source[runs], self._runs[runs])


Entries = Ragged | Stored | Picked
"""Rows of many runs: in memory, in a file, or picked from several of these."""


def nothing(name: str, n_runs: int = 0) -> Ragged:
    """The table of that name where no run has any rows."""
    return Ragged(np.zeros(n_runs + 1, OFFSET), no_rows(TABLES[name]))


def chained(name: str, tables: Sequence[Entries], runs: Sequence[int]) -> Picked:
    """The rows of that name of all runs of the first table, then of the second, and so on."""
    source = np.repeat(np.arange(1, len(tables) + 1, dtype=np.int32), runs)
    inner = np.concatenate([np.empty(0, OFFSET), *map(np.arange, runs)])
    return Picked((nothing(name), *tables), source, inner)


def _offsets(lengths: Indices) -> Indices:
    offsets = np.zeros(len(lengths) + 1, OFFSET)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _places(first: Indices, lengths: Indices) -> Indices:
    """``first[i]``, ``first[i] + 1``, … for each run, ``lengths[i]`` of them."""
    offsets = _offsets(lengths)
    places = np.repeat(first - offsets[:-1], lengths)
    places += np.arange(len(places))
    return places

"""Variable-length tables: the rows of all runs, one run after the other, in memory or in a file.

A table such as ``hits`` has any number of rows for each run. There are three classes with the same
methods. `Ragged` has all rows in memory, `LazyRagged` reads them from an open file when they are
needed, and `RaggedView` selects runs from several of these tables without reading. `pick` and
`load` return a `Ragged` from any of them.
"""

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
"""Names of columns; empty: all columns."""
_WINDOW_ROWS = 2**21
"""Number of rows of a file after which a new read begins, to limit the memory of one read."""
_GAP_ROWS = 2**13
"""Maximum number of rows between two runs that are read although nobody needs them. Up to this
number one read is faster than two."""
_CACHE_BYTES = 2**30
"""Maximum size of the cache of a file's rows. Only reads of some columns are cached."""


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Rows of all runs in memory.

    Attributes:
        offsets: Position of the first row of each run, and the number of all rows, shape
            ``(n_runs + 1,)``. The rows of run ``i`` are ``rows[offsets[i] : offsets[i + 1]]``.
        rows: Rows of one of the types in `dtypes.TABLES`, or some columns of it.
    """

    offsets: Indices
    rows: Rows

    @classmethod
    def concatenate(cls, parts: Sequence[Rows], dtype: np.dtype[Any]) -> Ragged:
        """Make a table from the rows of each run.

        Args:
            parts: Rows of the runs, one array for each run.
            dtype: Type of the rows.
        """
        filled = [part.view(np.ndarray) for part in parts if len(part)]
        rows = np.concatenate(filled, dtype=dtype) if filled else np.empty(0, dtype)
        return cls.of_lengths(np.fromiter(map(len, parts), OFFSET, len(parts)), rows)

    @classmethod
    def of_lengths(cls, lengths: Indices, rows: Rows) -> Ragged:
        """Make a table from the number of rows of each run and all rows.

        Args:
            lengths: Number of rows of each run, shape ``(n_runs,)``.
            rows: Rows of all runs, one run after the other.

        Raises:
            ValueError: The sum of ``lengths`` is not the number of rows.
        """
        offsets = _offsets_of(lengths)
        if offsets[-1] != len(rows):
            raise ValueError(f"there are {len(rows)} rows, but the runs have {offsets[-1]}")
        return cls(offsets, rows)

    @property
    def lengths(self) -> Indices:
        """Number of rows of each run, shape ``(n_runs,)``."""
        return np.diff(self.offsets)

    def of(self, run: int) -> Rows:
        """Return the rows of one run, as a record array."""
        rows: Rows = self.rows[self.offsets[run] : self.offsets[run + 1]].view(np.recarray)
        return rows

    def pick(self, runs: Indices, fields: Fields = ()) -> Ragged:
        """Return the rows of some runs, with all columns.

        Args:
            runs: Positions of runs in any order, shape ``(n,)``.
            fields: Ignored: all columns are in memory.
        """
        start, lengths = self.offsets[runs], self.lengths[runs]
        offsets = _offsets_of(lengths)
        if (start[1:] == start[:-1] + lengths[:-1]).all():  # consecutive: no copy is needed
            first = start[0] if len(start) else 0
            return Ragged(offsets, self.rows[first : first + offsets[-1]])
        return Ragged(offsets, self.rows[_row_indices(start, lengths)])

    def load(self) -> Ragged:
        """Return the table itself, because all rows are in memory."""
        return self

    def forget(self) -> None:
        """Do nothing, because the rows cannot be read again."""


class LazyRagged:
    """Rows of all runs in an open file, which are read when they are needed.

    Args:
        offsets: Offsets of the runs; see `Ragged`.
        read: ``read(start, stop, fields)`` returns the rows ``start`` to ``stop - 1`` of the file.
            They have the columns ``fields``, or all columns if ``fields`` is empty.
        check: ``check(runs, ragged)`` raises an error if rows that were just read are impossible.
            ``runs`` is the slice of the runs to which the rows belong.
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
        """Free the rows in memory; later calls read them again."""
        self._cache: dict[tuple[int, int, Fields], Ragged] = {}
        self._cache_bytes_left = _CACHE_BYTES
        # Position of the first run of the last window that `of` has read, and the window.
        self._window: tuple[int, Ragged] = (0, Ragged(np.zeros(1, OFFSET), np.empty(0)))

    @property
    def lengths(self) -> Indices:
        """Number of rows of each run, shape ``(n_runs,)``."""
        return np.diff(self.offsets)

    def of(self, run: int) -> Rows:
        """Return the rows of one run, as a record array.

        Rows of the next runs are read at the same time, because calls usually follow each other.
        """
        first, window = self._window
        if not first <= run < first + len(window.offsets) - 1:
            stop = int(np.searchsorted(self.offsets, self.offsets[run] + _GAP_ROWS, "right"))
            runs = np.arange(run, max(min(stop, len(self.offsets)) - 1, run + 1))
            first, window = run, self.pick(runs)
            self._window = (first, window)
        return window.of(run - first)

    def pick(self, runs: Indices, fields: Fields = ()) -> Ragged:
        """Read the rows of some runs.

        Args:
            runs: Positions of runs in any order, shape ``(n,)``.
            fields: Columns to read. Default: all.

        Raises:
            LogFormatError: The file is damaged, or was changed after it was opened.
            LogReadError: The operating system cannot read the file now.
        """
        order = np.argsort(runs, kind="stable")
        ascending = runs[order]
        parts = [self._read_group(group, fields) for group in self._split_at_gaps(ascending)]
        if len(parts) == 1:
            entries = parts[0]
        else:
            # an empty read gives the type of the rows if there are no runs
            rows = np.concatenate([self._read(0, 0, fields), *(part.rows for part in parts)])
            entries = Ragged.of_lengths(self.lengths[ascending], rows)
        is_ascending = (order[1:] > order[:-1]).all()
        return entries if is_ascending else entries.pick(np.argsort(order))

    def _split_at_gaps(self, runs: Indices) -> list[Indices]:
        """Divide ascending runs into groups; the rows of a group are read at once."""
        start, stop = self.offsets[runs], self.offsets[runs + 1]
        is_far = start[1:] > stop[:-1] + _GAP_ROWS
        is_full = np.diff(start // _WINDOW_ROWS) > 0
        groups = np.split(runs, np.flatnonzero(is_far | is_full) + 1)
        return groups if len(runs) else []

    def _read_group(self, runs: Indices, fields: Fields) -> Ragged:
        """Return the rows of a group of ascending runs.

        All rows from the first to the last run of the group are read, and cached if only some
        columns are read.
        """
        first, stop = int(runs[0]), int(runs[-1]) + 1
        entries = self._cache.get((first, stop, fields))
        if entries is None:
            offsets = self.offsets[first : stop + 1]
            rows = self._read(int(offsets[0]), int(offsets[-1]), fields)
            entries = Ragged(offsets - offsets[0], rows)
            self._check(slice(first, stop), entries)
            if fields and rows.nbytes <= self._cache_bytes_left:
                self._cache[first, stop, fields] = entries
                self._cache_bytes_left -= rows.nbytes
        return entries.pick(runs - first)

    def load(self) -> Ragged:
        """Return the rows of all runs, in memory."""
        return self.pick(np.arange(len(self.offsets) - 1))


class RaggedView:
    """Rows of runs that are selected from several tables, in any order.

    Rows are gathered when they are needed. Run ``i`` is the run ``runs[i]`` of the table
    ``tables[source[i]]``.

    Args:
        tables: Tables from which runs are selected.
        source: Index of the table of each run, shape ``(n_runs,)``.
        runs: Position of each run in its table, shape ``(n_runs,)``.
    """

    def __init__(self, tables: Sequence[Entries], source: NDArray[np.int32], runs: Indices) -> None:
        self._tables = tuple(tables)
        self._source = source
        self._runs = runs

    @cached_property
    def lengths(self) -> Indices:
        """Number of rows of each run, shape ``(n_runs,)``."""
        lengths = np.zeros(len(self._runs), OFFSET)
        for index, table in enumerate(self._tables):
            is_of_table = self._source == index
            lengths[is_of_table] = table.lengths[self._runs[is_of_table]]
        return lengths

    def of(self, run: int) -> Rows:
        """Return the rows of one run, as a record array."""
        return self._tables[int(self._source[run])].of(int(self._runs[run]))

    def pick(self, runs: Indices, fields: Fields = ()) -> Ragged:
        """Return the rows of some runs, in memory.

        Args:
            runs: Positions of runs in any order, shape ``(n,)``.
            fields: Columns that are needed; the result may have more. Default: all.
        """
        source, inner_runs = self._source[runs], self._runs[runs]
        used_indices: list[int] = np.unique(source).tolist()
        if len(used_indices) < 2:
            index = used_indices[0] if used_indices else 0
            return self._tables[index].pick(inner_runs, fields)
        parts = [
            self._tables[index].pick(inner_runs[source == index], fields) for index in used_indices
        ]
        offsets = _offsets_of(self.lengths[runs])
        names = list(fields or parts[0].rows.dtype.names or ())
        rows = np.empty(offsets[-1], [(name, parts[0].rows.dtype[name]) for name in names])
        for index, part in zip(used_indices, parts, strict=True):
            row_indices = _row_indices(offsets[:-1][source == index], part.lengths)
            rows[row_indices] = part.rows[names]
        return Ragged(offsets, rows)

    def load(self) -> Ragged:
        """Return the rows of all runs, in memory."""
        return self.pick(np.arange(len(self._runs)))

    def forget(self) -> None:
        """Free the rows of files that are in memory; later calls read them again."""
        for table in self._tables:
            table.forget()

    def reorder(self, runs: Indices) -> RaggedView:
        """Return a view on some of these runs, in the order of ``runs``, without reading rows."""
        return RaggedView(self._tables, self._source[runs], self._runs[runs])


Entries = Ragged | LazyRagged | RaggedView
"""Variable-length table of many runs."""


def nothing(name: str, n_runs: int = 0) -> Ragged:
    """Return a table in which no run has rows.

    Args:
        name: Name of the table, a key of `dtypes.TABLES`.
        n_runs: Number of runs.
    """
    return Ragged(np.zeros(n_runs + 1, OFFSET), no_rows(TABLES[name]))


def chain(name: str, tables: Sequence[Entries], n_runs: Sequence[int]) -> RaggedView:
    """Return a view on all runs of the first table, then all runs of the second, and so on.

    Args:
        name: Name of the tables, a key of `dtypes.TABLES`.
        tables: Tables with rows of the same type.
        n_runs: Number of runs of each table.
    """
    source = np.repeat(np.arange(1, len(tables) + 1, dtype=np.int32), n_runs)
    inner_runs = np.concatenate([np.empty(0, OFFSET), *map(np.arange, n_runs)])
    # the empty table gives the type of the rows if there are no tables
    return RaggedView((nothing(name), *tables), source, inner_runs)


def _offsets_of(lengths: Indices) -> Indices:
    """Return the offsets of runs with these numbers of rows; see `Ragged`."""
    offsets = np.zeros(len(lengths) + 1, OFFSET)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _row_indices(start: Indices, lengths: Indices) -> Indices:
    """Return the indices of the rows of several runs, one run after the other.

    Args:
        start: Index of the first row of each run, shape ``(n_runs,)``.
        lengths: Number of rows of each run, shape ``(n_runs,)``.
    """
    offsets = _offsets_of(lengths)
    row_indices = np.repeat(start - offsets[:-1], lengths)
    row_indices += np.arange(len(row_indices))
    return row_indices

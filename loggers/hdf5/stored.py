"""Columns that stand in a file, read piece by piece without the HDF5 library."""

from __future__ import annotations

import hashlib
import os
import threading
import weakref
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LogFormatError
from .outline import identity
from .schema import HEAD_BYTES

DEFLATE, SHUFFLE, FLETCHER32 = 1, 2, 3
"""HDF5's numbers of the filters that a log uses."""
CACHE_BYTES = 2**30
"""So many bytes of unpacked chunks are kept for each file."""

Chunk = tuple[int, int, int]


class StoredFile:
    """An open log file, closed when nobody needs it any more.

    Args:
        path: The file.

    Attributes:
        path: The file.
        identity: What tells this content from another, see ``outline.identity``.

    Raises:
        OSError: It cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._raw = open(path, "rb", buffering=0)  # noqa: SIM115
        self._finalizer = weakref.finalize(self, self._raw.close)
        self.identity = identity(self._raw.fileno())
        self._turn = threading.RLock()
        self._cache: OrderedDict[tuple[str, int], NDArray[np.uint8]] = OrderedDict()
        self._cached_bytes = 0

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self.identity[2]

    def head(self) -> bytes:
        """The user block: what stands before the HDF5 content."""
        return self.read(0, HEAD_BYTES)

    def digest(self) -> str:
        """SHA-256 of all that follows the user block."""
        with self._turn:
            self._raw.seek(HEAD_BYTES)
            return hashlib.file_digest(self._raw, "sha256").hexdigest()

    def read(self, place: int, size: int) -> bytes:
        """Bytes of the file; fewer where it ends before."""
        if hasattr(os, "pread"):  # processes that a fork made share the place of an open file
            return os.pread(self._raw.fileno(), size, place)
        with self._turn:
            self._raw.seek(place)
            return self._raw.read(size)

    def check_unchanged(self) -> None:
        """Raise LogFormatError where the file was written to since it was opened."""
        if identity(self._raw.fileno())[2:] != self.identity[2:]:
            raise LogFormatError.of(self.path, "it was changed while it was being read")

    def unpacked(self, column: StoredColumn, number: int) -> NDArray[np.uint8]:
        """A chunk of a column as bytes, from memory if it was asked for lately."""
        key = (column.name, number)
        with self._turn:
            if (found := self._cache.get(key)) is not None:
                self._cache.move_to_end(key)
                return found
            content = column.unpack(number)
            self._cache[key] = content
            self._cached_bytes += content.nbytes
            while self._cached_bytes > CACHE_BYTES:
                self._cached_bytes -= self._cache.popitem(last=False)[1].nbytes
            return content


@dataclass(frozen=True, slots=True, eq=False)
class StoredColumn:
    """A one-dimensional dataset; slices of it are read when they are asked for.

    Attributes:
        file: Where it stands.
        name: Its name, for messages.
        dtype: Type of its entries.
        rows: How many there are.
        chunk_rows: How many of them a chunk holds.
        filters: HDF5's numbers of the filters, in the order in which they were applied.
        chunks: Place, bytes and mask (bit ``i``: filter ``i`` was left out) of each, in order.
    """

    file: StoredFile
    name: str
    dtype: np.dtype[Any]
    rows: int
    chunk_rows: int
    filters: tuple[int, ...]
    chunks: Sequence[Chunk]

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, part: slice) -> NDArray[Any]:
        """Entries of a slice with step 1.

        Raises:
            LogFormatError: What stands there is damaged, or the file was changed.
        """
        start, stop, _ = part.indices(self.rows)
        values = np.empty(max(stop - start, 0), self.dtype)
        if not len(values):
            return values
        self.file.check_unchanged()
        for number in range(start // self.chunk_rows, -(-stop // self.chunk_rows)):
            first = number * self.chunk_rows
            low, high = max(start, first), min(stop, first + self.chunk_rows)
            content = self.file.unpacked(self, number).view(self.dtype)
            values[low - start : high - start] = content[low - first : high - first]
        return values

    def unpack(self, number: int) -> NDArray[np.uint8]:
        """A chunk with its filters undone, in all rows of a chunk, as bytes."""
        place, size, mask = self.chunks[number]
        size_bytes = self.chunk_rows * self.dtype.itemsize
        content: Any = self.file.read(place, size)
        for i, kind in reversed(list(enumerate(self.filters))):
            if mask >> i & 1:
                continue
            if kind == FLETCHER32:
                content = memoryview(content)[:-4]  # the file's SHA-256 says more
            elif kind == DEFLATE:
                content = self._inflated(content, size_bytes)
            elif kind == SHUFFLE:
                content = _unshuffled(content, self.dtype.itemsize)
        if len(content) != size_bytes:
            raise LogFormatError.of(self.file.path, f"it is damaged: {self.name} has no full chunk")
        return np.frombuffer(content, dtype=np.uint8)

    def _inflated(self, content: Any, size_bytes: int) -> bytes:
        """Undone deflate, never more than a byte too long."""
        try:
            return zlib.decompressobj().decompress(content, size_bytes + 1)
        except zlib.error as error:
            reason = f"it is damaged: {self.name} cannot be unpacked"
            raise LogFormatError.of(self.file.path, reason) from error


@dataclass(frozen=True, slots=True, eq=False)
class DefaultColumn:
    """A column that a file does not have: everywhere the same.

    Attributes:
        dtype: Type of its entries.
        rows: How many there are.
        value: Of each.
    """

    dtype: np.dtype[Any]
    rows: int
    value: float

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, part: slice) -> NDArray[Any]:
        return np.full(len(range(*part.indices(self.rows))), self.value, self.dtype)


def _unshuffled(content: Any, itemsize: int) -> NDArray[np.uint8]:
    """Bytes of entries side by side again, from first bytes, second bytes and so on."""
    whole = np.frombuffer(content, dtype=np.uint8)
    rows = len(whole) // itemsize
    side_by_side = np.empty(len(whole), dtype=np.uint8)
    entries = side_by_side[: rows * itemsize].reshape(rows, itemsize)
    for i, ones in enumerate(whole[: rows * itemsize].reshape(itemsize, rows)):
        entries[:, i] = ones
    side_by_side[rows * itemsize :] = whole[rows * itemsize :]
    return side_by_side

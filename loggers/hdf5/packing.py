"""Chunks as HDF5's filters take them (shuffle, deflate, Fletcher-32), made in threads.

HDF5 applies its filters to one chunk at a time in one thread, while the other processors wait for
the end of a campaign. And it looks for repetitions everywhere, also among the digits of measured
numbers, where hardly any are but equal numbers one after the other: to look for only these takes
half the time and, all in all, a hundredth more room.
"""

from __future__ import annotations

import os
import threading
import zlib
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .ragged_columns import is_repeated

_LEVEL = 1
_MOST_THREADS = 4
_MODULUS = 2**16 - 1
_MOST_WORDS = 2**13
_WEIGHTS = np.arange(_MOST_WORDS, 0, -1, dtype=np.uint64)
"""How often a word is in the sums of all words so far, from the first word to the last."""
_NO_MORE: tuple[int, tuple[NDArray[Any], int]] = (-1, (np.empty(0), 0))
_EXACT = "biuS"
"""Kinds of NumPy types that are not measured: whole numbers and text."""


def packed(parts: Iterable[tuple[NDArray[Any], int]]) -> list[bytes]:
    """The content of chunks, packed, in the same order.

    Args:
        parts: Entries of a chunk, and how many the chunk has room for: what is left is 0. They are
            asked for one after the other, in whatever thread is to pack the next.
    """
    todo = enumerate(parts)
    turn = threading.Lock()
    done: dict[int, bytes] = {}
    errors: list[BaseException] = []

    def work() -> None:
        pack = _Packer()
        try:
            while not errors:
                with turn:
                    number, (values, rows) = next(todo, _NO_MORE)
                if number < 0:
                    return
                done[number] = pack(values, rows)
        except BaseException as error:
            errors.append(error)

    helpers = [threading.Thread(target=work) for _ in range(_helpers())]
    with suppress(RuntimeError):  # Python is about to end, and starts no thread any more
        for helper in helpers:
            helper.start()
    work()
    for helper in helpers:
        if helper.ident is not None:
            helper.join()
    for error in errors:
        raise error
    return [done[number] for number in range(len(done))]


def fletcher32(data: bytes) -> int:
    """HDF5's checksum: Fletcher's of 16-bit words, the first byte being the higher one.

    >>> f"{fletcher32(b'abcde'):08x}"
    '4ff029c7'
    """
    words = np.frombuffer(data.ljust(len(data) + len(data) % 2, b"\0"), ">u2")
    first = second = 0
    for start in range(0, len(words), _MOST_WORDS):
        some = words[start : start + _MOST_WORDS]
        second += len(some) * first + int(np.einsum("i,i->", some, _WEIGHTS[-len(some) :]))
        first += int(some.sum(dtype=np.uint64))
    return _folded(second) << 16 | _folded(first)


def _folded(number: int) -> int:
    """The rest modulo 2**16 - 1 as adding with end-around carry leaves it: 0 only of 0."""
    return (number - 1) % _MODULUS + 1 if number else 0


class _Packer:
    """Packs chunks, all in the same memory: new memory is dear, and each chunk needs much."""

    def __init__(self) -> None:
        self._memory = np.empty(0, np.uint8)
        self._repeated: dict[tuple[Any, ...], bytes] = {}

    def __call__(self, values: NDArray[Any], rows: int) -> bytes:
        if not is_repeated(values):
            return self._packed(values, rows)
        key = values.dtype, values[:1].tobytes(), len(values), rows
        if key not in self._repeated:
            self._repeated[key] = self._packed(values, rows)
        return self._repeated[key]

    def _packed(self, values: NDArray[Any], rows: int) -> bytes:
        shuffled = self._shuffled(values, rows)
        strategy = zlib.Z_DEFAULT_STRATEGY if values.dtype.kind in _EXACT else zlib.Z_RLE
        deflate = zlib.compressobj(_LEVEL, strategy=strategy)
        content = deflate.compress(shuffled.data) + deflate.flush()
        return content + fletcher32(content).to_bytes(4, "little")

    def _shuffled(self, values: NDArray[Any], rows: int) -> NDArray[np.uint8]:
        """First bytes of all entries, then second bytes and so on, with 0 where there is none."""
        size = values.dtype.itemsize
        if len(self._memory) < size * rows:
            self._memory = np.empty(size * rows, np.uint8)
        shuffled = self._memory[: size * rows].reshape(size, rows)
        shuffled[:, : len(values)] = np.ascontiguousarray(values).view(np.uint8).reshape(-1, size).T
        shuffled[:, len(values) :] = 0
        return shuffled


def _helpers() -> int:
    """How many threads beside the caller's are worth it."""
    return min(os.cpu_count() or 1, _MOST_THREADS) - 1

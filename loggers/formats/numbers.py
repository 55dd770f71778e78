"""Numbers from text files: lines of columns in blocks, each block under lines that head it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, compress, repeat
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MAX_COUNT = 2**53
"""Counts up to here are exact as float64."""


class TextError(Exception):
    """What is wrong in a text, and in which line, counted from 1."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class Block(NamedTuple):
    """Lines of numbers under the same head.

    Attributes:
        head: The lines above, without the numbers.
        rows: Shape ``(n_lines, n_columns)``; the first column ascends.
        line: Where it begins in the file, from 1.
    """

    head: tuple[str, ...]
    rows: Array
    line: int


@dataclass(frozen=True, slots=True)
class _Part:
    start: int
    head: list[bytes]
    body: list[bytes]


@dataclass(frozen=True, slots=True)
class Layout:
    """How lines make blocks.

    Attributes:
        heads: How the lines above a block begin, to tell them from its numbers.
        names_columns: Whether a line of a head is its last: the next head is another block's.
        columns: Positions of the columns to read, at least two; all but the last are counts of
            evaluations, and the first ascends.
    """

    heads: tuple[bytes, ...]
    names_columns: Callable[[bytes], bool]
    columns: Sequence[int]


def read_blocks(data: bytes, layout: Layout) -> list[Block]:
    """Split a text into blocks and read some columns of each.

    Raises:
        TextError: A line has no number where one should be, or counts do not ascend.
    """
    lines = data.split(b"\n")
    parts = _parts(lines, layout)
    values = _values(lines, parts, layout.columns)
    _check_counts(values[:, :-1], lines, parts)
    ends = np.cumsum([len(part.body) for part in parts]).tolist()
    blocks = []
    for part, start, stop in zip(parts, [0, *ends], ends, strict=False):
        head = tuple(line.decode("utf-8", "replace") for line in part.head)
        blocks.append(Block(head, values[start:stop], part.start))
    return blocks


def _parts(lines: list[bytes], layout: Layout) -> list[_Part]:
    is_head = map(bytes.startswith, lines, repeat(layout.heads))
    heads = list(compress(range(len(lines)), is_head))
    filled = next((i for i, line in enumerate(lines) if line.strip()), None)
    if filled is not None and (not heads or heads[0] > filled):
        raise TextError("numbers without a head above them", filled + 1)
    parts: list[_Part] = []
    for i, stop in zip(heads, [*heads[1:], len(lines)], strict=False):
        body = list(filter(bytes.strip, lines[i + 1 : stop]))
        if parts and not parts[-1].body and not layout.names_columns(parts[-1].head[-1]):
            parts[-1].head.append(lines[i])
            parts[-1].body.extend(body)
        else:
            parts.append(_Part(i + 1, [lines[i]], body))
    return parts


def _values(lines: list[bytes], parts: list[_Part], columns: Sequence[int]) -> Array:
    body = list(chain.from_iterable(part.body for part in parts))
    if not body:
        return np.empty((0, len(columns)))
    try:
        return np.loadtxt(body, usecols=columns, comments=None, ndmin=2)
    except ValueError:
        return _values_line_by_line(lines, body, columns)


def _values_line_by_line(lines: list[bytes], body: list[bytes], columns: Sequence[int]) -> Array:
    """All that Python takes for a number; else the error that names the first bad line."""
    wanted = itemgetter(*columns)
    values = []
    for line in body:
        try:
            values.append([float(text) for text in wanted(line.split())])
        except (ValueError, IndexError):
            shown = line[:60].decode("utf-8", "replace")
            raise TextError(
                f"{shown!r} does not hold the numbers expected", _line(lines, line)
            ) from None
    return np.array(values)


def _check_counts(counts: Array, lines: list[bytes], parts: list[_Part]) -> None:
    wrong = ~((counts >= 0) & (counts < MAX_COUNT)) | (counts != np.floor(counts))
    descends = np.zeros(len(counts), dtype=bool)
    descends[1:] = counts[1:, 0] < counts[:-1, 0]
    starts = np.cumsum([0, *(len(part.body) for part in parts)])
    descends[starts[starts < len(counts)]] = False
    bad = np.flatnonzero(wrong.any(axis=1) | descends)
    if not len(bad):
        return
    row = int(bad[0])
    line = list(chain.from_iterable(part.body for part in parts))[row]
    number = counts[row][wrong[row]][0] if wrong[row].any() else counts[row, 0]
    reason = "is no count of evaluations" if wrong[row].any() else "is less than the one before"
    raise TextError(f"the number {number:g} {reason}", _line(lines, line))


def _line(lines: list[bytes], line: bytes) -> int:
    """Number of a line; of equal lines the first."""
    return next(i for i, other in enumerate(lines, start=1) if other is line or other == line)

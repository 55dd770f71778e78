"""Numbers from text files: lines of columns in blocks, each block below the lines of its head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
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
    """Lines of numbers below the same head."""

    head: tuple[str, ...]  # the lines above, without the numbers
    rows: Array  # (n_lines, n_columns); the first column ascends
    line: int  # where it begins in the file, from 1


@dataclass(frozen=True, slots=True)
class Layout:
    """How lines make blocks.

    All but the last ``values`` columns are counts of evaluations, and the first ascends.
    """

    heads: tuple[str, ...]  # how the lines of a head begin
    ends_head: Callable[[str], bool]  # whether a line of a head is its last
    columns: tuple[int, ...]  # positions of those to read, at least two
    values: int = 1


def read_blocks(data: bytes, layout: Layout) -> list[Block]:
    """Split a text, taken as Latin-1, into blocks and read some columns of each.

    TextError where a line has no number where one should be, or counts do not ascend.
    """
    lines = data.decode("latin-1").split("\n")
    heads: list[tuple[int, list[str]]] = []  # each begins on a line of this number
    first_rows: list[int] = []
    body: list[str] = []
    numbers: list[int] = []  # of these lines
    for number, line in enumerate(lines, start=1):
        if line.startswith(layout.heads):
            is_open = heads and first_rows[-1] == len(body)
            if is_open and not layout.ends_head(heads[-1][1][-1]):
                heads[-1][1].append(line)
            else:
                heads.append((number, [line]))
                first_rows.append(len(body))
        elif line and not line.isspace():
            if not heads:
                raise TextError("numbers without a head above them", number)
            body.append(line)
            numbers.append(number)
    values = _values(body, numbers, layout.columns)
    counts = values[:, : -layout.values]
    _check_counts(counts, np.array(first_rows, dtype=np.int64), body, numbers)
    rows = pairwise([*first_rows, len(body)])
    return [
        Block(tuple(head), values[first:stop], number)
        for (number, head), (first, stop) in zip(heads, rows, strict=True)
    ]


def _values(body: Sequence[str], numbers: Sequence[int], columns: tuple[int, ...]) -> Array:
    if not body:
        return np.empty((0, len(columns)))
    try:
        return np.loadtxt(body, usecols=columns, comments=None, ndmin=2)
    except ValueError:
        return _values_line_by_line(body, numbers, columns)


def _values_line_by_line(
    body: Sequence[str], numbers: Sequence[int], columns: tuple[int, ...]
) -> Array:
    """All that Python takes for a number; else the error that names the first bad line."""
    selected = itemgetter(*columns)
    values = []
    for number, line in zip(numbers, body, strict=True):
        try:
            values.append([float(text) for text in selected(line.split())])
        except (ValueError, IndexError):
            reason = f"{line[:60]!r} does not hold the numbers expected"
            raise TextError(reason, number) from None
    return np.array(values)


def _check_counts(
    counts: Array, first_rows: NDArray[np.int64], body: Sequence[str], numbers: Sequence[int]
) -> None:
    if not len(counts):
        return
    wrong = (~((counts >= 0) & (counts < MAX_COUNT)) | (counts != np.floor(counts))).any(axis=1)
    less = np.append(False, counts[1:, 0] < counts[:-1, 0])
    less[first_rows[first_rows < len(counts)]] = False
    bad = np.flatnonzero(wrong | less)
    if len(bad):
        row = int(bad[0])
        reason = "is no count of evaluations" if wrong[row] else "is less than the one before"
        raise TextError(f"a count in {body[row][:60]!r} {reason}", numbers[row])

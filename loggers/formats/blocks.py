"""Read numbers from text files of COCO and IOHprofiler.

Such a file is a sequence of blocks, one for each run. A block has a head of one or more lines, and
lines of numbers in columns below it. `read_blocks` splits a file into blocks by the rules of a
`Layout`, and checks that the counts of evaluations ascend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suites.arrays import Floats

MAX_COUNT = 2**53
"""Counts up to here are exact as float64."""


class TextError(Exception):
    """An error in a text, with the number of its line, from 1."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class Block(NamedTuple):
    """A head and the lines of numbers below it."""

    head: tuple[str, ...]  # lines of the head
    rows: Floats  # numbers, shape (n_lines, n_columns); the first column ascends
    line: int  # number of the block's first line in the file, from 1


@dataclass(frozen=True, slots=True)
class Layout:
    """Rules by which lines form blocks, and the columns to read.

    All but the last ``values`` columns are counts of evaluations, and the first one ascends.
    """

    heads: tuple[str, ...]  # beginnings of the lines of a head
    ends_head: Callable[[str], bool]  # returns whether a line of a head is its last one
    columns: tuple[int, ...]  # positions of the columns to read, at least two
    values: int = 1  # number of columns that are no counts


def read_blocks(data: bytes, layout: Layout) -> list[Block]:
    """Split a text into blocks and read the columns of the layout.

    Args:
        data: Content of the file. It is decoded as Latin-1, which accepts all bytes.
        layout: Rules of the blocks, and columns to read.

    Returns:
        The blocks in the order of the file.

    Raises:
        TextError: A line has no number in a column, is above the first head, or a count of
            evaluations is invalid or less than the count before.
    """
    lines = data.decode("latin-1").split("\n")
    heads: list[tuple[int, list[str]]] = []  # number of the first line, and lines
    first_rows: list[int] = []  # position in `body` of the first line below each head
    body: list[str] = []  # lines of numbers of all blocks
    numbers: list[int] = []  # line numbers of `body`
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
    values = _parse_lines(body, numbers, layout.columns)
    counts = values[:, : -layout.values]
    _check_counts(counts, np.array(first_rows, dtype=np.int64), body, numbers)
    rows = pairwise([*first_rows, len(body)])
    return [
        Block(tuple(head), values[first:stop], number)
        for (number, head), (first, stop) in zip(heads, rows, strict=True)
    ]


def _parse_lines(body: Sequence[str], numbers: Sequence[int], columns: tuple[int, ...]) -> Floats:
    if not body:
        return np.empty((0, len(columns)))
    try:
        return np.loadtxt(body, usecols=columns, comments=None, ndmin=2)
    except ValueError:
        return _parse_line_by_line(body, numbers, columns)


def _parse_line_by_line(
    body: Sequence[str], numbers: Sequence[int], columns: tuple[int, ...]
) -> Floats:
    """Parse numbers with `float`, which accepts more than numpy; raise TextError if it fails.

    Underscores between digits, as in ``1_000``, are refused.
    """
    selected = itemgetter(*columns)
    values = []
    for number, line in zip(numbers, body, strict=True):
        try:
            texts = selected(line.split())
            if any("_" in text for text in texts):
                raise ValueError
            values.append([float(text) for text in texts])
        except (ValueError, IndexError):
            reason = f"{line[:60]!r} does not contain the expected numbers"
            raise TextError(reason, number) from None
    return np.array(values)


def _check_counts(
    counts: Floats, first_rows: NDArray[np.int64], body: Sequence[str], numbers: Sequence[int]
) -> None:
    if not len(counts):
        return
    is_count = (counts >= 0) & (counts < MAX_COUNT) & (counts == np.floor(counts))
    is_invalid = ~is_count.all(axis=1)
    descends = np.append(False, counts[1:, 0] < counts[:-1, 0])
    descends[first_rows[first_rows < len(counts)]] = False
    bad_rows = np.flatnonzero(is_invalid | descends)
    if len(bad_rows):
        row = int(bad_rows[0])
        reason = "is no count of evaluations" if is_invalid[row] else "is less than the one before"
        raise TextError(f"a count in {body[row][:60]!r} {reason}", numbers[row])

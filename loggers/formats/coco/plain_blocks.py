"""Blocks of numbers from many files at once, where their lines are as COCO's logger writes them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..numbers import Block, Layout
from .digits import DigitReader, Mask, Places

Array = NDArray[np.float64]

HEAD = b"%"
_LINES_AT_ONCE = 2**14
"""Of so many lines the numbers are read in fast memory."""


def read_plain_blocks(texts: Sequence[bytes], layout: Layout) -> list[list[Block] | None]:
    """The blocks of each text as ``read_blocks`` gives them, None where a text is not plain.

    Plain are lines of one or two counts, or a count and a number, and then the last number to be
    read, all with one space between them. What is not plain can be right nevertheless, or wrong:
    ``read_blocks`` knows.

    Args:
        texts: Files; each is empty, or its last line has an end.
        layout: With heads ``%``, and columns (0, 1, 2) or (0, 0, 2).
    """
    reader = DigitReader(texts)
    breaks = np.flatnonzero(reader.characters == ord("\n"))
    lines = np.concatenate(([0], breaks + 1))
    is_head = reader.characters[lines[:-1]] == ord(HEAD)
    heads = np.flatnonzero(is_head)
    rows = heads - np.arange(len(heads))  # the first row under each head
    values, bad = _values(reader, lines[:-1][~is_head], layout)
    bad |= _descends(values[:, 0], rows)
    places = np.cumsum([0, *map(len, texts)])
    line_of = np.searchsorted(lines, places)  # the first line of each text
    head_of = np.searchsorted(heads, line_of)  # likewise the first head, and the first row
    row_of = line_of - head_of
    is_plain = np.diff(np.searchsorted(np.flatnonzero(bad), row_of)) == 0
    is_plain &= np.append(is_head, True)[line_of[:-1]] | (np.diff(line_of) == 0)
    of_text = np.diff(head_of)
    begins, ends = (lines[heads + i] - places[:-1].repeat(of_text) for i in (0, 1))
    numbers = heads - line_of[:-1].repeat(of_text) + 1
    stops = np.minimum(np.append(rows, len(values))[1:], row_of[1:].repeat(of_text))
    above = list(zip(*(a.tolist() for a in (numbers, begins, ends - 1, rows, stops)), strict=True))
    known = _Heads(layout)
    return [
        _blocks(text, above[first:stop], values, known) if good else None
        for text, good, (first, stop) in zip(
            texts, is_plain.tolist(), pairwise(head_of.tolist()), strict=True
        )
    ]


def _blocks(
    text: bytes, heads: Sequence[tuple[int, ...]], values: Array, known: _Heads
) -> list[Block]:
    """Blocks of one text, from line, begin, end, first row and last row of each head."""
    blocks: list[Block] = []
    is_open = False
    for number, begin, end, first, stop in heads:
        head, names_columns = known[text[begin:end]]
        if is_open:
            above = blocks.pop()
            head, number = above.head + head, above.line
        blocks.append(Block(head, values[first:stop], number))
        is_open = first == stop and not names_columns
    return blocks


class _Heads(dict[bytes, tuple[tuple[str, ...], bool]]):
    """What lines above numbers say, and whether each names the columns; many are alike."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self._names_columns = layout.names_columns

    def __missing__(self, head: bytes) -> tuple[tuple[str, ...], bool]:
        found = self[head] = (head.decode("utf-8", "replace"),), self._names_columns(head)
        return found


def _values(reader: DigitReader, places: Places, layout: Layout) -> tuple[Array, Mask]:
    """The columns of lines that begin at ``places``, and which of the lines are not plain."""
    values = np.empty((len(places), 3))
    bad = np.empty(len(places), dtype=bool)
    for start in range(0, len(places), _LINES_AT_ONCE):
        part = slice(start, start + _LINES_AT_ONCE)
        first = reader.counts(places[part])
        second = (reader.counts if layout.columns[1] else reader.decimals)(first.ends + 1)
        third = reader.decimals(second.ends + 1)
        values[part, 0], values[part, 2] = first.values, third.values
        values[part, 1] = (second if layout.columns[1] else first).values
        bad[part] = ~(first.found & second.found & third.found)
    return values, bad


def _descends(counts: Array, firsts: Places) -> Mask:
    """Where a count is less than the one before in its block."""
    less = np.zeros(len(counts), dtype=bool)
    less[1:] = counts[1:] < counts[:-1]
    less[firsts[firsts < len(counts)]] = False
    return less

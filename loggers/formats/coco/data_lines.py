"""Reads COCO's data files: lines ``17 0 +1.234567890e-03 …`` below heads that begin with ``%``.

``read_blocks`` reads whatever is right. It takes a microsecond a line, so files of many lines are
first read by columns, with array operations on the characters. That works where all lines are as
COCO's logger writes them, and gives the same numbers to the last bit.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..blocks import Array, Block, Layout, TextError, descends, read_blocks
from ..data_files import DataFiles
from .reference_data import is_reference

KINDS = ("dat", "tdat", "rdat", "mdat")
"""The data file's ending, and those of the files that may stand beside it."""

_NO_VALUE = 1e21
"""COCO writes 2e21 for NaN and 3e21 for infinity: from here on there is no value."""
_MANY_BYTES = 2**14
"""From here on reading by columns is faster."""
_LINES_AT_ONCE = 2**14
_PADDING = bytes(64)
_POWERS = 10.0 ** np.arange(23)
"""The powers of ten that float64 holds exactly: a product or quotient with one rounds once."""
_WIDTH = len("+1.234567890e-03")
_MANTISSA = [1, *range(3, 12)]
_EXPONENT = [14, 15]


def _ends_head(line: str) -> bool:
    return line[1:].lstrip().startswith(("f evaluations", "function evaluation"))


# evaluations, evaluations of the constraints where there are any, best precision
_BIOBJ, _WITH_CONSTRAINTS, _WITHOUT = (
    Layout(("%",), _ends_head, columns) for columns in ((0, 0, 1), (0, 1, 2), (0, 0, 2))
)
_BIOBJ_WITH_TARGET = Layout(("%",), _ends_head, (0, 0, 1, 2), values=2)


class DataLines(NamedTuple):
    """What one file holds.

    Attributes:
        blocks: One for each run; columns are evaluations, evaluations of the constraints, and best
            precision; in ``.dat`` files of two objectives also the target hit.
        is_cut: Whether its last line had no end, and was left out.
    """

    blocks: list[Block]
    is_cut: bool


def read_data_lines(files: DataFiles, name: str, is_biobj: bool) -> DataLines:
    """Read a data file, or one that stands beside it.

    Raises:
        LogFormatError: A line has no number where one should be, counts do not ascend, or the file
            is one of a reference.
    """
    data = files[name]
    if is_reference(data):
        raise files.error(
            name,
            "these are average runtimes of a reference, not runs: give it as --reference, or to "
            "read_reference",
        )
    is_cut = bool(data) and not data.endswith(b"\n")
    if is_cut:
        data = data[: data.rfind(b"\n") + 1]
    if is_biobj:
        layout = _BIOBJ_WITH_TARGET if b"| target hit" in data[:1000] else _BIOBJ
    else:
        counts_constraints = b"g evaluations" in data[: data.find(b"\n")]
        layout = _WITH_CONSTRAINTS if counts_constraints else _WITHOUT
    blocks = None
    if len(data) >= _MANY_BYTES and not is_biobj:
        blocks = read_plain_blocks(data, layout)
    if blocks is None:
        try:
            blocks = read_blocks(data, layout)
        except TextError as error:
            raise files.text_error(name, error) from error
    for block in blocks:
        if layout is not _WITH_CONSTRAINTS:
            block.rows[:, 1] = 0
        block.rows[block.rows[:, 2] >= _NO_VALUE, 2] = np.inf
    return DataLines(blocks, is_cut)


def read_plain_blocks(data: bytes, layout: Layout) -> list[Block] | None:
    """The blocks of ``read_blocks`` where all lines are as COCO writes them, None elsewhere.

    Plain are lines with a count, another where it is to be read, and a number with nine decimals,
    with one space between them.

    Args:
        data: Not empty; the last line has an end.
        layout: With heads ``%``, and columns (0, 1, 2) or (0, 0, 2).
    """
    text = np.frombuffer(data + _PADDING, np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1))
    is_head = text[starts] == ord("%")
    heads = np.flatnonzero(is_head)
    first_rows = heads - np.arange(len(heads))
    values = _values(text, starts[~is_head], layout) if is_head[0] else None
    if values is None or descends(values[:, 0], first_rows).any():
        return None
    blocks: list[Block] = []
    is_open = False
    places = zip(heads.tolist(), starts[heads].tolist(), ends[heads].tolist(), strict=True)
    rows = pairwise([*first_rows.tolist(), len(values)])
    for (number, start, end), (first, stop) in zip(places, rows, strict=True):
        line = data[start:end].decode("latin-1")
        above = blocks.pop() if is_open else Block((), values, number + 1)
        blocks.append(Block((*above.head, line), values[first:stop], above.line))
        is_open = first == stop and not _ends_head(line)
    return blocks


def _values(text: NDArray[np.uint8], starts: NDArray[np.int64], layout: Layout) -> Array | None:
    """The columns of the lines that begin at ``starts``, None where a line is not plain."""
    values = np.empty((len(starts), 3))
    for start in range(0, len(starts), _LINES_AT_ONCE):
        part = slice(start, start + _LINES_AT_ONCE)
        values[part, 0], ends, is_plain = _counts(text, starts[part])
        values[part, 1] = values[part, 0]
        if layout.columns[1]:
            values[part, 1], ends, is_count = _counts(text, ends + 1)
            is_plain &= is_count
            values[part, 2], is_number = _decimals(text, ends + 1)
        else:
            _, is_number = _decimals(text, ends + 1)
            values[part, 2], is_third = _decimals(text, ends + 1 + _WIDTH + 1)
            is_number &= is_third
        if not (is_plain & is_number).all():
            return None
    return values


def _counts(
    text: NDArray[np.uint8], starts: NDArray[np.int64]
) -> tuple[Array, NDArray[np.int64], NDArray[np.bool_]]:
    """Counts of 1 to 15 digits: values, where each ends, and whether it is one before a space."""
    values, ends = np.zeros(len(starts)), starts.copy()
    for _ in range(15):
        digits = text[ends] - np.uint8(ord("0"))
        are_digits = digits < 10
        if not are_digits.any():
            break
        values = np.where(are_digits, 10 * values + digits, values)
        ends += are_digits
    return values, ends, (ends > starts) & (text[ends] == ord(" "))


def _decimals(
    text: NDArray[np.uint8], starts: NDArray[np.int64]
) -> tuple[Array, NDArray[np.bool_]]:
    """Numbers ``+1.234567890e-03``: values, and whether there is one before a space or line end."""
    window = np.lib.stride_tricks.sliding_window_view(text, _WIDTH + 1)[starts]
    digits = window - np.uint8(ord("0"))
    are_plain = np.all(digits[:, _MANTISSA + _EXPONENT] < 10, axis=1)
    for column, one, other in ((0, "+", "-"), (2, ".", "."), (12, "e", "e"), (13, "+", "-"),
                               (_WIDTH, " ", "\n")):  # fmt: skip
        are_plain &= (window[:, column] == ord(one)) | (window[:, column] == ord(other))
    mantissa = digits[:, _MANTISSA].astype(np.float64) @ _POWERS[9::-1]
    power = 10 * digits[:, 14].astype(np.int64) + digits[:, 15]
    power = np.where(window[:, 13] == ord("-"), -power, power) - 9
    exact = np.clip(power, -22, 22)
    values = mantissa * _POWERS[np.maximum(exact, 0)] / _POWERS[np.maximum(-exact, 0)]
    values = np.where(window[:, 0] == ord("-"), -values, values)
    for i in np.flatnonzero(are_plain & (exact != power)).tolist():
        values[i] = float(window[i, :_WIDTH].tobytes())
    return values, are_plain

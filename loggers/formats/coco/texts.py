"""COCO's data files and the files beside them, read ahead and many at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...errors import LogFormatError
from ..members import Members
from ..numbers import Block, Layout, TextError, read_blocks
from .plain_blocks import HEAD, read_plain_blocks
from .reference_data import is_reference

KINDS = ("dat", "tdat", "rdat", "mdat")
"""The data file's ending, and those of the files that may stand beside it."""
_BYTES_AHEAD = 4 * 2**20


def _names_columns(line: bytes) -> bool:
    return line[1:].lstrip().startswith((b"f evaluations", b"function evaluation"))


# evaluations, evaluations of the constraints where there are any, best precision
_BIOBJ, _WITH_CONSTRAINTS, _WITHOUT = (
    Layout((HEAD,), _names_columns, columns) for columns in ((0, 0, 1), (0, 1, 2), (0, 0, 2))
)


class Text(NamedTuple):
    """What one file holds.

    Attributes:
        data: Its lines that have an end.
        is_cut: Whether one more had none.
        layout: How its lines make blocks.
        is_reference: Whether it is of a reference, not of runs.
        blocks: Where it was read ahead, its blocks.
    """

    data: bytes
    is_cut: bool
    layout: Layout
    is_reference: bool
    blocks: list[Block] | None = None


def read_ahead(members: Members, names: Iterable[tuple[str, bool]]) -> Iterator[dict[str, Text]]:
    """The texts of each data file and of the files beside it, by name.

    A file that cannot be read is left out: ``read_text`` raises when its turn comes.

    Args:
        members: The data set.
        names: Of the data files, each with whether it is of a bi-objective suite.
    """
    ahead: list[dict[str, Text]] = []
    size = 0
    for name, is_biobj in names:
        texts = {}
        for other in (beside(name, kind) for kind in KINDS):
            if other not in members:
                continue
            try:
                texts[other] = read_text(members, other, is_biobj)
            except LogFormatError:
                continue
            size += len(texts[other].data)
        ahead.append(texts)
        if size >= _BYTES_AHEAD:
            yield from _with_blocks(ahead)
            ahead, size = [], 0
    yield from _with_blocks(ahead)


def beside(name: str, kind: str) -> str:
    """The file of one of ``KINDS`` beside the data file ``name``."""
    return name[: -len("dat")] + kind


def read_text(members: Members, name: str, is_biobj: bool) -> Text:
    """What a file holds, its numbers not read yet.

    Raises:
        LogFormatError: It cannot be read.
    """
    data = members[name]
    of_reference = is_reference(data)
    is_cut = bool(data) and not data.endswith(b"\n")
    if is_cut:
        data = data[: data.rfind(b"\n") + 1]
    layout = _BIOBJ
    if not is_biobj:
        told = b"g evaluations" in data[: data.find(b"\n")]
        layout = _WITH_CONSTRAINTS if told else _WITHOUT
    return Text(data, is_cut, layout, of_reference)


def blocks_of(members: Members, name: str, text: Text) -> list[Block]:
    """Blocks with three columns: evaluations, evaluations of the constraints, best precision.

    Raises:
        LogFormatError: A line has no number where one should be, or counts do not ascend.
    """
    blocks = text.blocks
    if blocks is None:
        try:
            blocks = read_blocks(text.data, text.layout)
        except TextError as error:
            raise members.error(name, str(error), error.line) from error
    if text.layout is not _WITH_CONSTRAINTS:
        for block in blocks:
            block.rows[:, 1] = 0
    return blocks


def _with_blocks(ahead: list[dict[str, Text]]) -> list[dict[str, Text]]:
    for layout in (_WITH_CONSTRAINTS, _WITHOUT):
        alike = [
            (texts, name, text)
            for texts in ahead
            for name, text in texts.items()
            if text.layout is layout
        ]
        found = read_plain_blocks([text.data for _, _, text in alike], layout)
        for (texts, name, text), blocks in zip(alike, found, strict=True):
            texts[name] = text._replace(blocks=blocks)
    return ahead

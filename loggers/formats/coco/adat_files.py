"""Reads COCO's ``.adat`` files: the points that entered the archives of runs on two objectives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...records.run_record import ArchiveKept
from ..blocks import Array, Layout, TextError, read_blocks
from ..data_files import DataFiles


class CocoArchive(NamedTuple):
    """The archive of one run.

    Attributes:
        rows: Evaluation and both objectives, shape ``(n, 3)``, evaluations ascending.
        kept: One of ``ARCHIVES_KEPT``: ``"none"`` of a run without ``.adat``.
    """

    rows: Array
    kept: ArchiveKept


NO_ARCHIVE = CocoArchive(np.empty((0, 3)), "none")

_NAME = re.compile(r"_d(\d+)_hyp\.dat$")
_INSTANCE = re.compile(r"instance = (\d+)")


def _ends_head(line: str) -> bool:
    return line[1:].lstrip().startswith("function evaluation")


_LAYOUT = Layout(("%",), _ends_head, (0, 1, 2), values=2)


def read_archives(
    files: DataFiles, index: str, data_file: str, instances: Iterable[int]
) -> list[CocoArchive]:
    """The archives of the runs of one data file.

    The file ``…_nondom_all.adat`` of an instance holds the points that no earlier one of the run
    dominated, ``…_nondom_final.adat`` those that are left at its end. Several runs of an instance
    follow each other.

    Args:
        files: Of the data set.
        index: Name of the index file; archives are in the folder ``archive`` beside it.
        data_file: Name of the ``.dat`` file.
        instances: Of its runs, in order.

    Returns:
        One for each run; `NO_ARCHIVE` where there is no file, or no more block in it.

    Raises:
        LogFormatError: A line has no number where one should be, counts do not ascend, or a block
            is of another instance.
    """
    place = _NAME.search(data_file)
    if place is None:
        return [NO_ARCHIVE for _ in instances]
    above = index.rpartition("/")[0]
    begin = data_file[: place.start()].rpartition("/")[2]
    stem = f"{above}/archive/{begin}" if above else f"archive/{begin}"
    seen: Counter[int] = Counter()
    found: dict[int, list[CocoArchive]] = {}
    archives = []
    for instance in instances:
        if instance not in found:
            found[instance] = _of_instance(files, f"{stem}_i{instance:02d}_d{place[1]}", instance)
        blocks, turn = found[instance], seen[instance]
        archives.append(blocks[turn] if turn < len(blocks) else NO_ARCHIVE)
        seen[instance] += 1
    return archives


def _of_instance(files: DataFiles, stem: str, instance: int) -> list[CocoArchive]:
    kinds: tuple[ArchiveKept, ...] = ("all", "final")
    kept = next((kind for kind in kinds if f"{stem}_nondom_{kind}.adat" in files), None)
    if kept is None:
        return []
    name = f"{stem}_nondom_{kept}.adat"
    data = files[name]
    try:
        blocks = read_blocks(data[: data.rfind(b"\n") + 1], _LAYOUT)
    except TextError as error:
        raise files.text_error(name, error) from error
    blocks = [block for block in blocks if _ends_head(block.head[-1])]
    for block in blocks:
        said = _INSTANCE.search(" ".join(block.head))
        if said and int(said[1]) != instance:
            raise files.error(name, f"this archive is of instance {said[1]}", block.line)
        if not np.isfinite(block.rows).all():
            raise files.error(name, "an objective value in it is not finite", block.line)
    return [CocoArchive(block.rows, kept) for block in blocks]

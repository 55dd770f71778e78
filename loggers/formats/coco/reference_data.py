"""Reads COCO's reference files: average runtimes of an artificial best algorithm."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...targets.grid import GRID_TOLERANCE
from ..data_files import DataFiles, open_data
from .info_files import Entry, read_info

_LINE = re.compile(r"(\S+)\s+(\S+)\s+(\S+)\s+(\S.*?)\s+(\d{1,9})\s+(\d{1,9})\s*$")
_SIGN = "algorithm type = best"


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceEntry:
    """What is known of the best algorithm on one function in one dimension.

    Of neighbouring targets with the same average runtime only the hardest stands in the file, so
    the runtime of a target is that of the first target here which is as hard or harder.

    Attributes:
        suite: Name of the suite.
        function: Number of the function.
        dimension: Number of variables.
        targets: Precisions, descending, shape ``(n,)``.
        average_runtimes: aRT of the best algorithm for each target, evaluations, rounded by COCO to
            integers, shape ``(n,)``.
        algorithms: Which algorithm has it, as the file names it; n of them.
        successes: Its runs that hit the target, shape ``(n,)``.
        trials: Its runs, shape ``(n,)``.
    """

    suite: str
    function: int
    dimension: int
    targets: NDArray[np.float64]
    average_runtimes: NDArray[np.float64]
    algorithms: tuple[str, ...]
    successes: NDArray[np.int64]
    trials: NDArray[np.int64]

    def position(self, target: float) -> int | None:
        """Where ``target`` stands: the first that is as hard or harder, None where none is."""
        hard = np.flatnonzero(self.targets <= target + GRID_TOLERANCE * abs(target))
        return int(hard[0]) if len(hard) else None

    def average_runtime(self, target: float) -> float:
        """Average runtime of the best algorithm for ``target``, inf where it was not reached."""
        position = self.position(target)
        return np.inf if position is None else float(self.average_runtimes[position])


def read_reference(path: str | os.PathLike[str]) -> tuple[ReferenceEntry, ...]:
    """Read a reference of COCO, such as ``best2009-bbob.tar.gz`` of the cocopp package.

    Args:
        path: The archive, or a folder with its content.

    Returns:
        Entries by dimension and function.

    Raises:
        LogNotFoundError: There is nothing.
        LogFormatError: It is no such reference, or a file in it cannot be read.
    """
    files = open_data(Path(path))
    entries = [
        _reference_entry(files, index, entry)
        for index in (name for name in files if name.endswith(".info"))
        for entry in read_info(files, index)
    ]
    if not entries:
        raise files.error("", "it holds no reference of COCO")
    return tuple(sorted(entries, key=lambda entry: (entry.suite, entry.dimension, entry.function)))


def is_reference(data: bytes) -> bool:
    """Whether a data file is one of a reference, not of runs."""
    return _SIGN.encode() in data[:200]


def _reference_entry(files: DataFiles, index: str, entry: Entry) -> ReferenceEntry:
    name = files.neighbour_file(index, next(iter(entry.files), ""), line=entry.line)
    if not is_reference(files[name]):
        raise files.error(name, "these are runs, and no reference: it lacks 'type = best'", 1)
    lines = enumerate(files.text(name).splitlines(), start=1)
    rows = [
        _row(files, name, line, number)
        for number, line in lines
        if line.strip() and not line.startswith("%")
    ]
    runtimes, targets, algorithms, successes, trials = zip(*rows, strict=True) if rows else [()] * 5
    if any(harder >= easier for easier, harder in pairwise(targets)):
        raise files.error(name, "its targets do not descend")
    return ReferenceEntry(
        entry.facts.get("suite", ""), entry.function, entry.dimension,
        np.array(targets, dtype=np.float64), np.array(runtimes, dtype=np.float64), algorithms,
        np.array(successes, dtype=np.int64), np.array(trials, dtype=np.int64),
    )  # fmt: skip


def _row(files: DataFiles, name: str, line: str, number: int) -> tuple[float, float, str, int, int]:
    match = _LINE.match(line)
    try:
        if match is None:
            raise ValueError
        runtime, target = float(match[1]), float(match[2])
        successes, trials = int(match[5]), int(match[6])
        if not (1 <= runtime < inf and isfinite(target) and successes <= trials):
            raise ValueError
    except ValueError:
        raise files.error(
            name, f"{line[:60]!r} is no line 'runtime target target algorithm successes trials'",
            number,
        ) from None  # fmt: skip
    return runtime, target, match[4], successes, trials

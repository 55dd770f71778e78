"""Reads COCO's reference files: average runtimes of an artificial best algorithm."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from ..targets import GRID_TOLERANCE
from .coco_info import Entry, parse_info
from .members import Members, open_members
from .numbers import TextError

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
        """Where ``target`` stands: the first that is as hard or harder, None where none is.

        Targets within a relative 1e-9 are equal.
        """
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
    members = open_members(Path(path))
    entries = [
        _entry(members, index, one)
        for index in (name for name in members if name.endswith(".info"))
        for one in _parsed(members, index)
    ]
    if not entries:
        raise members.error("", "it holds no reference of COCO")
    return tuple(sorted(entries, key=lambda entry: (entry.suite, entry.dimension, entry.function)))


def is_reference(data: bytes) -> bool:
    """Whether a data file is one of a reference, not of runs."""
    return _SIGN.encode() in data[:200]


def _parsed(members: Members, index: str) -> list[Entry]:
    try:
        return parse_info(members[index].decode("utf-8", "replace"))
    except TextError as error:
        raise members.error(index, str(error), error.line) from error


def _entry(members: Members, index: str, entry: Entry) -> ReferenceEntry:
    written = next(iter(entry.files), "")
    path = PurePosixPath(written.replace("\\", "/"))
    name = str(PurePosixPath(index).parent / path)
    if name not in members or ".." in path.parts or path.is_absolute():
        raise members.error(index, f"the data file {written[:60]!r} is missing", entry.line)
    data = members[name]
    if not is_reference(data):
        raise members.error(name, "these are runs, and no reference: it lacks 'type = best'", 1)
    rows = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        if line.strip() and not line.startswith("%"):
            rows.append(_row(members, name, line, number))
    targets = np.array([row[1] for row in rows])
    if np.any(np.diff(targets) >= 0):
        raise members.error(name, "its targets do not descend")
    return ReferenceEntry(
        suite=entry.facts.get("suite", ""),
        function=entry.function,
        dimension=entry.dimension,
        targets=targets,
        average_runtimes=np.array([row[0] for row in rows]),
        algorithms=tuple(row[2] for row in rows),
        successes=np.array([row[3] for row in rows], dtype=np.int64),
        trials=np.array([row[4] for row in rows], dtype=np.int64),
    )


def _row(members: Members, name: str, line: str, number: int) -> tuple[float, float, str, int, int]:
    match = _LINE.match(line)
    try:
        if match is None:
            raise ValueError
        runtime, target = float(match[1]), float(match[2])
        successes, trials = int(match[5]), int(match[6])
        if not (runtime >= 1 and np.isfinite([runtime, target]).all() and successes <= trials):
            raise ValueError
    except ValueError:
        raise members.error(
            name, f"{line[:60]!r} is no line 'runtime target target algorithm successes trials'",
            number,
        ) from None  # fmt: skip
    return runtime, target, match[4], successes, trials

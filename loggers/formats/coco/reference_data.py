"""Reads COCO's reference files: average runtimes of an artificial best algorithm."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...targets.grid import GRID_TOLERANCE
from ..members import Members, open_members
from ..numbers import TextError
from .info_files import Entry, parse_info

_LINE = re.compile(r"(\S+)\s+(\S+)\s+(\S+)\s+(\S.*?)\s+(\d{1,9})\s+(\d{1,9})\s*$")
_PLAIN = re.compile(
    r"^([-+.e\d]+) ([-+.e\d]+) \S+ (\S+) (\d{1,9}) (\d{1,9})\r?$", re.ASCII | re.MULTILINE
)
"""A line as COCO writes it."""
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
    table = _read(members, name, data.decode("utf-8", "replace"))
    if np.any(np.diff(table.targets) >= 0):
        raise members.error(name, "its targets do not descend")
    return ReferenceEntry(
        entry.facts.get("suite", ""), entry.function, entry.dimension, table.targets,
        table.average_runtimes, table.algorithms, table.successes, table.trials,
    )  # fmt: skip


class _Table(NamedTuple):
    """The lines of a file, see ``ReferenceEntry``."""

    average_runtimes: NDArray[np.float64]
    targets: NDArray[np.float64]
    algorithms: tuple[str, ...]
    successes: NDArray[np.int64]
    trials: NDArray[np.int64]

    def is_sound(self) -> bool:
        numbers = (self.average_runtimes, self.targets)
        finite = all(bool(np.isfinite(column).all()) for column in numbers)
        sound = (self.average_runtimes >= 1) & (self.successes <= self.trials)
        return finite and bool(sound.all())


def _read(members: Members, name: str, text: str) -> _Table:
    """All lines at once where they are as COCO writes them, otherwise one by one."""
    found = _PLAIN.findall(text)
    lines = sum(bool(line) and line[0] != "%" for line in text.splitlines())
    if found and len(found) == lines:
        try:
            table = _table(found)
        except ValueError:
            pass
        else:
            if table.is_sound():
                return table
    return _table([
        _row(members, name, line, number)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("%")
    ])  # fmt: skip


def _table(rows: Sequence[Sequence[str]]) -> _Table:
    runtimes, targets, algorithms, successes, trials = zip(*rows, strict=True) if rows else [()] * 5
    return _Table(
        np.array(list(map(float, runtimes))),
        np.array(list(map(float, targets))),
        tuple(algorithms),
        np.array(list(map(int, successes)), dtype=np.int64),
        np.array(list(map(int, trials)), dtype=np.int64),
    )


def _row(members: Members, name: str, line: str, number: int) -> tuple[str, str, str, str, str]:
    match = _LINE.match(line)
    try:
        if match is None:
            raise ValueError
        runtime, target, algorithm, successes, trials = match.group(1, 2, 4, 5, 6)
        finite = isfinite(float(runtime)) and isfinite(float(target))
        if not (finite and float(runtime) >= 1 and int(successes) <= int(trials)):
            raise ValueError
    except ValueError:
        raise members.error(
            name, f"{line[:60]!r} is no line 'runtime target target algorithm successes trials'",
            number,
        ) from None  # fmt: skip
    return runtime, target, algorithm, successes, trials

"""Read COCO's reference files: average runtimes of an artificial best algorithm.

Such a data set has an entry for each function and dimension. It is composed of the best algorithm
for each target among the algorithms of a year.
"""

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
_MARK = "algorithm type = best"
"""Text at the beginning of a data file by which a reference is recognized."""


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceEntry:
    """Average runtimes of the best algorithm on one function in one dimension.

    Of neighbouring targets with the same average runtime, the file contains only the hardest. So
    the runtime of a target is that of the first listed target that is equal or harder.

    Attributes:
        suite: Name of the suite.
        function: Number of the function.
        dimension: Number of variables.
        targets: Precisions, descending, shape ``(n,)``.
        average_runtimes: aRT of the best algorithm for each target in evaluations, rounded by COCO
            to integers, shape ``(n,)``.
        algorithms: Name of the best algorithm for each target in the file.
        successes: Number of its runs that hit the target, shape ``(n,)``.
        trials: Number of its runs, shape ``(n,)``.

    Example:
        >>> import numpy as np
        >>> from firsthit.loggers import ReferenceEntry
        >>> entry = ReferenceEntry(
        ...     "bbob", 1, 2, targets=np.array([10.0, 1.0]), average_runtimes=np.array([4.0, 40.0]),
        ...     algorithms=("A", "B"), successes=np.array([5, 4]), trials=np.array([5, 5]),
        ... )
        >>> entry.average_runtime(2.0), entry.average_runtime(1e-8)
        (40.0, inf)
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
        """Return the position of the first target that is equal or harder; None without one."""
        positions = np.flatnonzero(self.targets <= target + GRID_TOLERANCE * abs(target))
        return int(positions[0]) if len(positions) else None

    def average_runtime(self, target: float) -> float:
        """Return the average runtime for a target in evaluations; inf if it was not hit."""
        position = self.position(target)
        return np.inf if position is None else float(self.average_runtimes[position])


def read_reference(path: str | os.PathLike[str]) -> tuple[ReferenceEntry, ...]:
    r"""Read a reference of COCO, such as ``best2009-bbob.tar.gz`` of the cocopp package.

    Args:
        path: The archive, or a folder with its content.

    Returns:
        Entries sorted by suite, dimension and function.

    Raises:
        LogNotFoundError: There is no such archive or folder.
        LogFormatError: It is no such reference, or a file in it cannot be read.

    Example:
        >>> from pathlib import Path
        >>> from firsthit.loggers import read_reference
        >>> folder = Path("reference")
        >>> folder.mkdir()
        >>> info = "funcId = 1, DIM = 2, Precision = 1e-8, algId = 'best', suite = 'bbob'"
        >>> _ = (folder / "best.info").write_text(f"{info}\n% all\nf1.dat, 0:40|1.0e+00\n")
        >>> runtimes = "4 1e1 1e1 A.tgz 5 5\n40 1e0 1e0 B.tgz 4 5\n"
        >>> _ = (folder / "f1.dat").write_text(f"% algorithm type = best\n{runtimes}")
        >>> [entry] = read_reference(folder)
        >>> entry.targets, entry.average_runtimes, entry.algorithms
        (array([10.,  1.]), array([ 4., 40.]), ('A.tgz', 'B.tgz'))
    """
    files = open_data(Path(path))
    entries = [
        _read_entry(files, index, entry)
        for index in (name for name in files if name.endswith(".info"))
        for entry in read_info(files, index)
    ]
    if not entries:
        raise files.error("", "it has no reference of COCO")
    return tuple(sorted(entries, key=lambda entry: (entry.suite, entry.dimension, entry.function)))


def is_reference(data: bytes) -> bool:
    """Return whether the content of a data file is a reference, not runs."""
    return _MARK.encode() in data[:200]


def _read_entry(files: DataFiles, index: str, entry: Entry) -> ReferenceEntry:
    name = files.neighbour_file(index, next(iter(entry.files), ""), line=entry.line)
    if not is_reference(files[name]):
        raise files.error(name, "these are runs, not a reference: it lacks 'type = best'", 1)
    lines = enumerate(files.text(name).splitlines(), start=1)
    rows = [
        _parse_row(files, name, line, number)
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


def _parse_row(
    files: DataFiles, name: str, line: str, number: int
) -> tuple[float, float, str, int, int]:
    """Parse a line: average runtime, target, algorithm, successes and trials."""
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

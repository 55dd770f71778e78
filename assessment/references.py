"""Read reference algorithms from files, or compute the best of several algorithms.

Files are COCO's archives and tables of `best`. The package cocopp contains archives such as
``best2009-bbob.tar.gz``. They are read if cocopp is installed; cocopp itself is not imported.
The artificial best algorithm is the one with the smallest aRT on every target: Hansen, Auger,
Brockhoff, Tušar, "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 5: "for each
function and target the algorithm with the smallest aRT is taken".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..loggers import ReferenceEntry, read_reference
from .errors import AssessmentError
from .hits.run_sets import RunSet
from .statistics.average_runtime import average_runtime, simulated_runtimes
from .statistics.quantiles import Floats
from .tables.csv_text import parse_count, parse_number, parsed_lines
from .targets.target_sets import Cell, TargetSet

TABLE_SUFFIX = ".csv"
_ARCHIVE_SUFFIX = ".tar.gz"
_COCO_NAME = re.compile(r"best\d[\d-]*-bbob[\w-]*")
_COLUMNS = (
    "suite", "function", "dimension", "target", "art", "algorithm", "successes", "runs",
)  # fmt: skip
NUMBER_OF_TARGETS = "targets_in_file"
"""Column with the number of rows of the whole file, so that a reader notices missing rows. Files
of versions before it do not have the column."""


def cocopp_references() -> dict[str, Path]:
    """Return the paths of cocopp's archives by name; empty if cocopp is not installed."""
    spec = find_spec("cocopp")
    folders = [] if spec is None else spec.submodule_search_locations or []
    files = (
        file for folder in folders for file in Path(folder, "refalgs").glob(f"*{_ARCHIVE_SUFFIX}")
    )
    return {file.name.removesuffix(_ARCHIVE_SUFFIX): file for file in sorted(files)}


def reference_file(name: str) -> Path | None:
    """Return the path of a reference from its path or its name in cocopp; None: neither exists.

    Raises:
        AssessmentError: The name has the form of cocopp's names, but cocopp is not installed.
    """
    if Path(name).exists():
        return Path(name)
    archives = cocopp_references()
    if not archives and _COCO_NAME.fullmatch(name):
        raise AssessmentError(
            f"reference {name}: it is part of the package cocopp, which is not installed; install "
            f"it (pip install cocopp), or give the path of a file {name}{_ARCHIVE_SUFFIX} from "
            "https://numbbo.github.io/data-archive"
        )
    return archives.get(name)


def entries_of_file(path: Path) -> Sequence[ReferenceEntry]:
    """Return the entries of a file or folder; the last two unchanged files come from a cache."""
    if not path.is_file():
        return read_reference(path)
    status = path.stat()
    return _read(path, (status.st_ino, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=2)
def _read(path: Path, stamp: tuple[int, int, int]) -> Sequence[ReferenceEntry]:
    """Read a file; ``stamp`` changes with the file, so that the cache does not return old data."""
    return _read_table(path) if path.suffix == TABLE_SUFFIX else read_reference(path)


def _read_table(path: Path) -> tuple[ReferenceEntry, ...]:
    """Read a table of `best`."""
    needed = f"{', '.join(_COLUMNS)}, as `assess best --output` writes them"
    cells: dict[Cell, dict[float, tuple[float, str, int, int]]] = {}
    rows = list(parsed_lines(path, "reference", _parse_row, needed))
    for cell, target, entry, _ in rows:
        cells.setdefault(cell, {})[target] = entry
    if not cells:
        raise AssessmentError(f"reference: {path} holds none; needed are {', '.join(_COLUMNS)}")
    declared = {number for *_, number in rows if number is not None}
    if declared and declared != {len(rows)}:
        numbers = " and ".join(map(str, sorted(declared)[:2]))
        raise AssessmentError(
            f"reference: {path} is incomplete: it has {len(rows)} targets, but its column "
            f"{NUMBER_OF_TARGETS!r} says {numbers}; write it again with `assess best --output`"
        )
    return tuple(_build_entry(cell, cells[cell]) for cell in sorted(cells))


def _parse_row(
    line: dict[str, Any],
) -> tuple[Cell, float, tuple[float, str, int, int], int | None]:
    """Parse a row: cell, target, what was measured, and the number of targets in the file."""
    cell = line["suite"], parse_count(line["function"]), parse_count(line["dimension"])
    target, art = parse_number(line["target"]), parse_number(line["art"])
    if not (np.isfinite(target) and art >= 1):
        raise ValueError(f"no target {line['target']!r} with aRT {line['art']!r}")
    measured = art, line["algorithm"], parse_count(line["successes"]), parse_count(line["runs"])
    number = parse_count(line[NUMBER_OF_TARGETS]) if NUMBER_OF_TARGETS in line else None
    return cell, target, measured, number


def _build_entry(cell: Cell, by_target: dict[float, tuple[float, str, int, int]]) -> ReferenceEntry:
    targets = sorted(by_target, reverse=True)
    art, algorithms, successes, runs = zip(*(by_target[target] for target in targets), strict=True)
    return ReferenceEntry(
        *cell, np.array(targets), np.array(art), algorithms, np.array(successes), np.array(runs)
    )


@dataclass(frozen=True, eq=False)
class BestOf:
    """The best of several algorithms on one function in one dimension.

    Attributes:
        targets: Precisions, descending, shape ``(n_targets,)``.
        average_runtimes: The smallest aRT to each target; inf if no algorithm reached the target.
        algorithms: The algorithm with this aRT, the first by name of equal ones; empty for inf.
        winners: Index of its runs in ``run_sets``; -1 for inf.
        run_sets: The runs of all algorithms, by name.
    """

    suite: str
    function: int
    dimension: int
    targets: Floats
    average_runtimes: Floats
    algorithms: tuple[str, ...]
    winners: NDArray[np.int64]
    run_sets: tuple[RunSet, ...]

    def runs_of(self, target: int) -> tuple[Floats, Floats]:
        """Return the hits and the spent evaluations of the winner's runs, both ``(n_runs,)``.

        If no algorithm reached the target, return those of the first algorithm.
        """
        run_set = self.run_sets[max(int(self.winners[target]), 0)]
        return run_set.hits[:, target], run_set.spent

    def simulated_runtimes(self, samples: int, rng: np.random.Generator) -> Floats:
        """Simulate runtimes of each target's winner, shape ``(samples, n_targets)``."""
        columns = []
        for j in range(len(self.targets)):
            hits, spent = self.runs_of(j)
            columns.append(simulated_runtimes(hits[:, None], spent, samples, rng))
        return np.hstack(columns)


ReferenceRuntimes = ReferenceEntry | BestOf
"""Average runtimes on one function in one dimension, from COCO's files or from logs."""
Entries = Mapping[Cell, ReferenceRuntimes]
"""The average runtimes of a reference by suite, function and dimension."""


def best_of_algorithms(run_sets: Iterable[RunSet], targets: TargetSet) -> tuple[BestOf, ...]:
    """Return the best of all algorithms for each suite, function, dimension and target.

    The result is an artificial algorithm. Its aRT is biased: the expectation of the smallest of
    several averages is smaller than each average, the more so the fewer runs there are. Therefore
    do not test an algorithm against it on the same runs.

    Args:
        run_sets: The runs of the algorithms, with the hits of ``targets``.
        targets: The targets of each function.
    """
    cells: dict[Cell, list[RunSet]] = {}
    for run_set in sorted(run_sets, key=lambda run_set: run_set.algorithm):
        cells.setdefault(run_set.problem_class, []).append(run_set)
    return tuple(_best_of(cell, tuple(cells[cell]), targets.of(*cell)) for cell in sorted(cells))


def by_cell(entries: Iterable[ReferenceRuntimes]) -> dict[Cell, ReferenceRuntimes]:
    """Return the entries of a reference as a mapping from suite, function and dimension.

    Raises:
        AssessmentError: A function in a dimension has two entries.
    """
    entry_of_cell: dict[Cell, ReferenceRuntimes] = {}
    for entry in entries:
        cell = entry.suite, entry.function, entry.dimension
        if cell in entry_of_cell:
            raise AssessmentError(
                f"the reference has f{cell[1]} of {cell[0]!r} in {cell[2]}-D twice"
            )
        entry_of_cell[cell] = entry
    return entry_of_cell


def _best_of(cell: Cell, run_sets: tuple[RunSet, ...], targets: Sequence[float]) -> BestOf:
    art = np.array([average_runtime(run_set.hits, run_set.spent) for run_set in run_sets])
    best = art.min(axis=0)
    winners = np.where(np.isfinite(best), art.argmin(axis=0), -1)
    names = tuple(run_sets[i].algorithm if i >= 0 else "" for i in winners.tolist())
    return BestOf(*cell, np.array(targets, dtype=np.float64), best, names, winners, run_sets)

"""What algorithms are measured against: files, by path or by name, or the best of a set of logs.

Files are COCO's archives and tables of `best`. cocopp brings archives such as
``best2009-bbob.tar.gz``; they are found where it is installed, and cocopp itself is not imported.
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

from ...loggers import read_reference
from ...loggers.formats.coco.reference_data import ReferenceEntry
from ..errors import AssessmentError
from ..statistics.average_runtime import average_runtime, simulated_runtimes
from ..statistics.quantiles import Floats
from ..tables.csv_text import parsed_lines
from ..targets.target_sets import Cell, TargetSet
from .run_sets import RunSet

TABLE_SUFFIX = ".csv"
_ARCHIVE_SUFFIX = ".tar.gz"
_COCO_NAME = re.compile(r"best\d[\d-]*-bbob[\w-]*")
_COLUMNS = (
    "suite", "function", "dimension", "target", "art", "algorithm", "successes", "runs",
)  # fmt: skip


def cocopp_references() -> dict[str, Path]:
    """Archives of the installed cocopp, by name; empty where it is not installed."""
    spec = find_spec("cocopp")
    folders = [] if spec is None else spec.submodule_search_locations or []
    files = (
        file for folder in folders for file in Path(folder, "refalgs").glob(f"*{_ARCHIVE_SUFFIX}")
    )
    return {file.name.removesuffix(_ARCHIVE_SUFFIX): file for file in sorted(files)}


def reference_file(name: str) -> Path | None:
    """The file or folder that a reference is in, by path or cocopp's name; None for neither."""
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
    """The entries of a file or folder; one that was just read and is the same is not read again."""
    if not path.is_file():
        return read_reference(path)
    facts = path.stat()
    return _read(path, (facts.st_ino, facts.st_mtime_ns, facts.st_size))


@lru_cache(maxsize=2)
def _read(path: Path, stamp: tuple[int, int, int]) -> Sequence[ReferenceEntry]:
    return _read_table(path) if path.suffix == TABLE_SUFFIX else read_reference(path)


def _read_table(path: Path) -> tuple[ReferenceEntry, ...]:
    """A table of `best` as a reference."""
    needed = f"{', '.join(_COLUMNS)}, as `assess best --output` writes them"
    cells: dict[Cell, dict[float, tuple[float, str, int, int]]] = {}
    for cell, target, entry in parsed_lines(path, "reference", _row, needed):
        cells.setdefault(cell, {})[target] = entry
    if not cells:
        raise AssessmentError(f"reference: {path} holds none; needed are {', '.join(_COLUMNS)}")
    return tuple(_entry(cell, cells[cell]) for cell in sorted(cells))


def _row(line: dict[str, Any]) -> tuple[Cell, float, tuple[float, str, int, int]]:
    cell = line["suite"], int(line["function"]), int(line["dimension"])
    target, art = float(line["target"]), float(line["art"])
    if not (np.isfinite(target) and art >= 1):
        raise ValueError(f"no target {line['target']!r} with aRT {line['art']!r}")
    return cell, target, (art, line["algorithm"], int(line["successes"]), int(line["runs"]))


def _entry(cell: Cell, by_target: dict[float, tuple[float, str, int, int]]) -> ReferenceEntry:
    targets = sorted(by_target, reverse=True)
    art, algorithms, successes, runs = zip(*(by_target[target] for target in targets), strict=True)
    return ReferenceEntry(
        *cell, np.array(targets), np.array(art), algorithms, np.array(successes), np.array(runs)
    )


@dataclass(frozen=True, eq=False)
class BestOf:
    """The best of several algorithms on one function in one dimension.

    To each target, descending, the smallest aRT, inf where none reached it; whose that is, of equal
    ones the first by name, empty where there is none; and the place of that algorithm's runs in
    ``run_sets``, -1 where there is none.
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
        """The winner's runs to a target: hits and spent evaluations, both ``(n_runs,)``.

        Where nobody reached it: the runs of the first algorithm.
        """
        run_set = self.run_sets[max(int(self.winners[target]), 0)]
        return run_set.hits[:, target], run_set.spent

    def simulated_runtimes(self, samples: int, rng: np.random.Generator) -> Floats:
        """Simulated runtimes of each target's winner, shape ``(samples, n_targets)``."""
        columns = []
        for j in range(len(self.targets)):
            hits, spent = self.runs_of(j)
            columns.append(simulated_runtimes(hits[:, None], spent, samples, rng))
        return np.hstack(columns)


ReferenceRuntimes = ReferenceEntry | BestOf
"""Average runtimes on one function in one dimension, from COCO's files or from logs."""
Entries = Mapping[Cell, ReferenceRuntimes]
"""Of a reference, by suite, function and dimension."""


def best_of_algorithms(run_sets: Iterable[RunSet], targets: TargetSet) -> tuple[BestOf, ...]:
    """The best of all algorithms for each suite, function, dimension and target.

    A selection: the smallest of several averages is smaller than any of them in expectation, the
    more so the fewer the runs. It is an artificial algorithm, and what is compared with it must not
    be tested against it on the same runs.
    """
    cells: dict[Cell, list[RunSet]] = {}
    for run_set in sorted(run_sets, key=lambda run_set: run_set.algorithm):
        cells.setdefault(run_set.cell, []).append(run_set)
    return tuple(_best_of(cell, tuple(cells[cell]), targets.of(*cell)) for cell in sorted(cells))


def by_cell(entries: Iterable[ReferenceRuntimes]) -> dict[Cell, ReferenceRuntimes]:
    """Entries by suite, function and dimension."""
    found: dict[Cell, ReferenceRuntimes] = {}
    for entry in entries:
        cell = entry.suite, entry.function, entry.dimension
        if cell in found:
            raise AssessmentError(
                f"the reference has f{cell[1]} of {cell[0]!r} in {cell[2]}-D twice"
            )
        found[cell] = entry
    return found


def _best_of(cell: Cell, run_sets: tuple[RunSet, ...], targets: Sequence[float]) -> BestOf:
    art = np.array([average_runtime(run_set.hits, run_set.spent) for run_set in run_sets])
    best, place = art.min(axis=0), art.argmin(axis=0)
    winners = np.where(np.isfinite(best), place, -1)
    names = tuple(run_sets[i].algorithm if i >= 0 else "" for i in winners.tolist())
    return BestOf(*cell, np.array(targets, dtype=np.float64), best, names, winners, run_sets)

"""References that come as files: COCO's archives, by path or by name, and tables of `best`.

cocopp brings archives such as ``best2009-bbob.tar.gz``; they are found where it is installed, and
cocopp itself is not imported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ...loggers import read_reference
from ...loggers.formats.coco.reference_data import ReferenceEntry
from ..errors import AssessmentError
from ..tables.csv_text import read_csv
from ..targets.target_sets import Cell

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
    """The file or folder that a reference is in: a path, or a name of cocopp's; None for neither.

    Raises:
        AssessmentError: It is a name of COCO's, and cocopp is not installed.
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
    """The entries of a file or folder; one that was just read and is the same is not read again.

    Raises:
        LogFormatError: It is no reference of COCO.
        AssessmentError: It is no table that `best` wrote.
    """
    if not path.is_file():
        return read_reference(path)
    facts = path.stat()
    return _read(path, (facts.st_ino, facts.st_mtime_ns, facts.st_size))


@lru_cache(maxsize=2)
def _read(path: Path, stamp: tuple[int, int, int]) -> Sequence[ReferenceEntry]:
    return _read_table(path) if path.suffix == TABLE_SUFFIX else read_reference(path)


def _read_table(path: Path) -> tuple[ReferenceEntry, ...]:
    """A table of `best` as a reference."""
    try:
        _, lines = read_csv(path)
    except (OSError, ValueError) as error:
        raise AssessmentError(f"reference: cannot read {path}: {error}") from error
    cells: dict[Cell, dict[float, tuple[float, str, int, int]]] = {}
    for number, line in enumerate(lines, 2):
        try:
            cell, target, entry = _row(line)
        except (KeyError, TypeError, ValueError) as error:
            raise AssessmentError(
                f"reference: {path}, line {number}: {error}; needed are {', '.join(_COLUMNS)}, as "
                "`assess best --output` writes them"
            ) from error
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

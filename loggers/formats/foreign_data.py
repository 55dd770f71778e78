"""Finds data of COCO and IOHprofiler among paths, and reads them as tables of a log."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..hdf5.schema import JOURNAL_SUFFIX, SUFFIX
from ..records.identity import check_name
from .data_files import DataFiles, is_archive, is_index, is_ioh_index, open_data

if TYPE_CHECKING:
    from ..hdf5.table import LogTable
    from .imported_runs import DataSet

Path_ = str | os.PathLike[str]


def foreign_sources(paths: Iterable[Path_]) -> tuple[list[Path_], list[Path]]:
    """Sort paths into those left for the reader of logs, as given, and those of foreign data.

    These are archives, and folders that hold data of COCO or IOHprofiler and no log.
    """
    logs: list[Path_] = []
    foreign: dict[Path, None] = {}
    for item in paths:
        path = Path(item)
        found = [path]
        if glob.has_magic(str(item)) and not path.exists():
            found = sorted(Path(match) for match in glob.glob(str(item), recursive=True))
        others = [place for place in found if is_foreign(place)] if str(item) else []
        foreign.update(dict.fromkeys(others))
        if not others:
            logs.append(item)
        elif len(others) < len(found):
            logs.extend(place for place in found if place not in others)
    return logs, list(foreign)


def is_foreign(path: Path) -> bool:
    """Whether this is an archive, or a folder with foreign data and without a log."""
    if not path.is_dir():
        return path.is_file() and is_archive(path)
    found = False
    for _, folders, files in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if any(name.endswith((SUFFIX, JOURNAL_SUFFIX)) for name in files):
            return False
        found = found or any(is_index(name) for name in files)
    return found


def read_source(path: Path_, algorithm: str | None = None) -> LogTable:
    """All runs of one folder or archive with data of COCO or IOHprofiler.

    ``algorithm`` is another name for the algorithm in it. A LogFormatError names file and line.
    """
    from .tables import table_of

    files = open_data(Path(path))
    data = _read(files)
    data = replace(data, origin={**data.origin, "from": Path(path).name})
    if algorithm is not None:
        check_name(algorithm, "algorithm")
        if len(data.runs) > 1:
            raise files.error(
                "", f"it holds the algorithms {', '.join(sorted(data.runs))}; one name for all of "
                "them would mix them up",
            )  # fmt: skip
    try:
        return table_of(data, algorithm)
    except (ValueError, OverflowError) as error:
        raise files.error("", f"{error}") from error


def _read(files: DataFiles) -> DataSet:
    indices = [name for name in files if is_index(name)]
    ioh = [name for name in indices if is_ioh_index(name)]
    if not indices:
        raise files.error("", "it holds neither an .info file nor an IOHprofiler*.json")
    if ioh and len(ioh) < len(indices):
        raise files.error(
            "", f"it holds data of both IOHprofiler ({ioh[0]!r}) and COCO; give them one by one"
        )
    if ioh:
        from .ioh.reader import read_ioh

        return read_ioh(files)
    from .coco.reader import read_coco

    return read_coco(files)

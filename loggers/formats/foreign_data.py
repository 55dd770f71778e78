"""Finds data of COCO and IOHprofiler among paths and names, and reads them as tables of a log."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...suites.errors import FirsthitError
from ..errors import LogFormatError
from ..hdf5.schema import JOURNAL_SUFFIX, SUFFIX
from ..records.identity import check_name
from .coco.archive import PREFIX
from .data_files import DataFiles, is_archive, is_index, is_ioh_index, is_parquet, open_data

if TYPE_CHECKING:
    from ..hdf5.table import LogTable
    from .tables import DataSet

Path_ = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Source:
    """Data of COCO or IOHprofiler on this machine."""

    path: Path  # of the folder or archive
    origin: Mapping[str, Any] = field(default_factory=dict)  # for the log's header
    notes: tuple[str, ...] = ()  # sentences on where it comes from


def foreign_sources(paths: Iterable[Path_]) -> tuple[list[Path_], list[Source]]:
    """Sort paths into those left for the reader of logs, as given, and those of foreign data."""
    logs: list[Path_] = []
    foreign: dict[Path, Source] = {}
    for item in paths:
        if str(item).startswith(PREFIX):
            foreign.update((source.path, source) for source in _published(str(item)))
            continue
        path = Path(item)
        found = [path]
        if glob.has_magic(str(item)) and not path.exists():
            found = sorted(Path(match) for match in glob.glob(str(item), recursive=True))
        others = [place for place in found if is_foreign(place)] if str(item) else []
        for place in others:
            foreign.setdefault(place, Source(place, {"from": place.name}))
        if not others:
            logs.append(item)
        elif len(others) < len(found):
            logs.extend(place for place in found if place not in others)
    return logs, list(foreign.values())


def _published(name: str) -> list[Source]:
    from .coco.fetching import fetched

    return [
        Source(
            data.path,
            {"from": data.name, "sha256": data.sha256},
            (f"published data {data.name}, SHA-256 {data.sha256}",),
        )
        for data in fetched(name)
    ]


def is_foreign(path: Path) -> bool:
    """Whether this is an archive, or a folder with Parquet, or foreign data and no log."""
    if not path.is_dir():
        return path.is_file() and is_archive(path)
    if is_parquet(path):
        return True
    found = False
    for _, folders, files in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if any(name.endswith((SUFFIX, JOURNAL_SUFFIX)) for name in files):
            return False
        found = found or any(is_index(name) for name in files)
    return found


def read_source(source: Source, algorithm: str | None = None) -> LogTable:
    """All runs of a source; ``algorithm`` is another name for the one algorithm in it."""
    if is_parquet(source.path):
        from .parquet import read_parquet

        if algorithm is not None:
            raise LogFormatError.of(
                source.path, "algorithms of Parquet cannot be given other names"
            )
        return read_parquet(source.path)
    if "sha256" in source.origin and algorithm is None:
        return _read_once(source)
    return _read_anew(source, algorithm)


def _read_once(source: Source) -> LogTable:
    """Published data, read from text once and kept as a log beside what was downloaded.

    The text of 15 runs on 24 functions in six dimensions takes seconds, its log hundredths. A log
    of other readers is not used: its name has a checksum of their code.
    """
    from ..hdf5 import storage
    from ..hdf5.merge import encode
    from ..hdf5.reader import read_table
    from .coco.fetching import cache

    digest = hashlib.sha256(source.origin["from"].encode())
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    place = cache() / source.origin["sha256"] / f"{source.path.name}.{digest.hexdigest()[:16]}.h5"
    if place.is_file():
        with contextlib.suppress(FirsthitError):
            return replace(read_table(place), checksum="")
    table = _read_anew(source)
    with contextlib.suppress(OSError):
        storage.make_folders(place.parent)
        storage.write_atomically(place, *encode(table))
    return table


def _read_anew(source: Source, algorithm: str | None = None) -> LogTable:
    from .tables import table_of

    files = open_data(source.path)
    data = _read(files)
    origin, notes = {**data.origin, **source.origin}, (*source.notes, *data.notes)
    data = replace(data, origin=origin, notes=notes)
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

"""Read data of COCO, IOHprofiler and Parquet as tables of a log.

`foreign_sources` separates paths of foreign data from paths of logs, and downloads published data
that are named. `read_source` reads one folder or archive. Published data are kept as a log after
they were read once.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
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
    """A folder or archive of foreign data on this machine."""

    path: Path
    origin: Mapping[str, Any] = field(default_factory=dict)  # provenance for the log's header
    notes: tuple[str, ...] = ()  # sentences on the provenance


def foreign_sources(paths: Iterable[Path_]) -> tuple[list[Path_], list[Source]]:
    """Separate paths of logs from paths of foreign data; download published data if necessary.

    Args:
        paths: Paths, glob patterns, or names of published data, ``coco:PATTERN``.

    Returns:
        Paths for the reader of logs, unchanged unless a pattern matches both; and the sources of
        foreign data, each once.

    Raises:
        LogNotFoundError: No published data match a name.
        LogReadError: Published data cannot be downloaded.
    """
    logs: list[Path_] = []
    foreign: dict[Path, Source] = {}
    for item in paths:
        if str(item).startswith(PREFIX):
            foreign.update((source.path, source) for source in _fetch_sources(str(item)))
            continue
        path = Path(item)
        matches = [path]
        if glob.has_magic(str(item)) and not path.exists():
            matches = sorted(Path(match) for match in glob.glob(str(item), recursive=True))
        foreign_matches = [match for match in matches if is_foreign(match)] if str(item) else []
        for match in foreign_matches:
            foreign.setdefault(match, Source(match, {"from": match.name}))
        if not foreign_matches:
            logs.append(item)
        elif len(foreign_matches) < len(matches):
            logs.extend(match for match in matches if match not in foreign_matches)
    return logs, list(foreign.values())


def _fetch_sources(name: str) -> list[Source]:
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
    """Return whether a path is an archive file, or a folder of foreign data without logs."""
    if not path.is_dir():
        return path.is_file() and is_archive(path)
    if is_parquet(path):
        return True
    has_index = False
    for _, folders, files in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if any(name.endswith((SUFFIX, JOURNAL_SUFFIX)) for name in files):
            return False
        has_index = has_index or any(is_index(name) for name in files)
    return has_index


def read_source(source: Source, algorithm: str | None = None) -> LogTable:
    """Read all runs of a source; published data are kept as a log in the user's cache folder.

    Args:
        source: The folder or archive.
        algorithm: New name of the one algorithm in the data. None: the names in the data.

    Raises:
        LogFormatError: The data cannot be read, or a new name is given for several algorithms or
            for Parquet.
    """
    if is_parquet(source.path):
        from .parquet import read_parquet

        if algorithm is not None:
            raise LogFormatError.of(
                source.path, "algorithms of Parquet cannot be given other names"
            )
        return read_parquet(source.path)
    if "sha256" in source.origin and algorithm is None:
        return _read_cached(source)
    return _read_data(source, algorithm)


def _read_cached(source: Source) -> LogTable:
    """Read published data from their log in the cache, or read the text and write this log.

    Reading the text of 15 runs on 24 functions in six dimensions takes seconds, and reading its log
    hundredths of a second. The log's name contains a checksum of the readers' code, so that a log
    of other readers is not used.
    """
    from ..hdf5 import storage
    from ..hdf5.encode import encode
    from ..hdf5.reader import read_table
    from .coco.fetching import cache

    digest = hashlib.sha256(source.origin["from"].encode())
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    path = cache() / source.origin["sha256"] / f"{source.path.name}.{digest.hexdigest()[:16]}.h5"
    if path.is_file():
        with contextlib.suppress(FirsthitError):
            table = read_table(path)
            if _is_conversion(table, source):
                return replace(table, checksum="")
    table = _read_data(source)
    with contextlib.suppress(OSError):
        storage.make_folders(path.parent)
        storage.write_atomically(path, *encode(table))
    return table


def _is_conversion(table: LogTable, source: Source) -> bool:
    """Return whether a log is the conversion of a source, and not another log in its place."""
    if len(table.headers) != 1:
        return False
    imported = json.loads(table.headers[0])["provenance"].get("imported", {})
    return all(imported.get(name) == value for name, value in source.origin.items())


def _read_data(source: Source, algorithm: str | None = None) -> LogTable:
    from .tables import table_of

    files = open_data(source.path)
    data = _parse_files(files)
    origin, notes = {**data.origin, **source.origin}, (*source.notes, *data.notes)
    data = replace(data, origin=origin, notes=notes)
    if algorithm is not None:
        check_name(algorithm, "algorithm")
        if len(data.runs) > 1:
            raise files.error(
                "", f"it has the algorithms {', '.join(sorted(data.runs))}; with one name for all "
                "of them they could not be distinguished",
            )  # fmt: skip
    try:
        return table_of(data, algorithm)
    except (ValueError, OverflowError) as error:
        raise files.error("", f"{error}") from error


def _parse_files(files: DataFiles) -> DataSet:
    indices = [name for name in files if is_index(name)]
    ioh = [name for name in indices if is_ioh_index(name)]
    if not indices:
        raise files.error("", "it has neither an .info file nor an IOHprofiler*.json")
    if ioh and len(ioh) < len(indices):
        raise files.error(
            "", f"it has data of both IOHprofiler ({ioh[0]!r}) and COCO; give them one by one"
        )
    if ioh:
        from .ioh.reader import read_ioh

        return read_ioh(files)
    from .coco.reader import read_coco

    return read_coco(files)

"""Reads logs, and data of others as if they were logs."""

from __future__ import annotations

from pathlib import Path

from .formats.foreign_data import foreign_sources, read_source
from .hdf5.deduplicate import join
from .hdf5.files import Paths, listed
from .hdf5.reader import read_tables
from .hdf5.table import LogTable
from .log.log import Log


def read_log(paths: Paths) -> Log:
    """Read logs: finished, being written, or left by a crash.

    Args:
        paths: A log ``NAME.h5``, whose parts belong to it, a folder, searched to the bottom, a
            pattern such as ``"results/*.h5"``, or several of these. Folders without a log and
            archives with data of COCO or IOHprofiler are read as such. ``"coco:PATTERN"`` names
            data sets of COCO's archive, which are fetched once and checked at every use.

    Returns:
        All runs in canonical order. A run that stands in several files is there once.

    Raises:
        LogNotFoundError: A path stands for no file.
        LogFormatError: A file is damaged or foreign; the text names file and reason.
        LogReadError: The system does not let a file be read.
        LogConflictError: Two files tell different things of one run, one algorithm or one suite.
    """
    logs, foreign = foreign_sources(listed(paths))
    files: tuple[Path, ...] = ()
    tables: list[LogTable] = []
    if logs or not foreign:
        files, tables = read_tables(logs)
    files += tuple(source.path for source in foreign)
    tables += [read_source(source) for source in foreign]
    checksums = {file: table.checksum for file, table in zip(files, tables, strict=True)}
    return Log(join(tables, files), files, checksums=checksums)

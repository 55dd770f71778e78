"""Reads logs, and data of others as if they were logs, or into one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from .errors import LogExistsError, LogNotFoundError
from .formats.foreign_data import foreign_sources, read_source
from .hdf5.deduplicate import join
from .hdf5.files import Paths, listed
from .hdf5.merge import lock_parts, log_exists, log_path, write_merged
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


class Imported(NamedTuple):
    """What was imported.

    Attributes:
        path: The log written.
        runs: How many runs it holds.
        notes: What had to be guessed or left out, in sentences.
    """

    path: Path
    runs: int
    notes: tuple[str, ...]


def import_data(
    sources: Paths,
    output: str | os.PathLike[str],
    algorithm: str | None = None,
) -> Imported:
    """Write the runs of data of COCO and IOHprofiler into a new log.

    Args:
        sources: Folders and archives (``.tar``, ``.tar.gz``, ``.tgz``, ``.zip``), patterns, or
            names ``coco:PATTERN`` of published data.
        output: The log, ``NAME.h5``.
        algorithm: Another name for the one algorithm in each source.

    Raises:
        LogExistsError: The log exists.
        LogNotFoundError: A source stands for nothing.
        LogFormatError: A source cannot be read; the text names file and line.
        LogConflictError: Sources contradict each other.
        LogWriteError: The log cannot be written.
    """
    path = log_path(output)
    others, found = foreign_sources(listed(sources))
    if others or not found:
        first = repr(str(others[0])) if others else "nothing"
        raise LogNotFoundError(
            f"no data of COCO or IOHprofiler at {first}: give a folder with .info "
            "or IOHprofiler*.json files and without a log, or an archive of one"
        )
    if log_exists(path):
        raise LogExistsError(
            f"the log {str(path)!r} exists and is never overwritten; choose another name"
        )
    tables = {source.path: read_source(source, algorithm) for source in found}
    with lock_parts(path):
        table = write_merged(path, tables)
    return Imported(path, len(table), Log(table).notes)

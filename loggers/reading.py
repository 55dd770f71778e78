"""Read logs and data of other programs as a `Log`, and import such data into a log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from .errors import LogNotFoundError
from .formats.foreign_data import foreign_sources, read_source
from .hdf5.deduplicate import join
from .hdf5.files import Paths, journals, listed, parts_folder, resolve_log_path
from .hdf5.merge import check_log_path, check_replaceable, remove_journals, write_merged
from .hdf5.reader import read_tables
from .hdf5.recovery import lock_parts
from .hdf5.table import LogTable
from .log.log import Log


def read_log(paths: Paths) -> Log:
    """Read finished logs, logs that are being written, and logs that a crash left unfinished.

    Args:
        paths: A log ``NAME.h5``, to which its journals belong; a folder, which is searched with all
            folders below it; a pattern such as ``"results/*.h5"``; or several of these. Folders
            without a log and archive files with data of COCO or IOHprofiler are read, too.
            ``"coco:PATTERN"`` names data sets of COCO's archive. They are downloaded once, and
            their checksum is verified at every use.

    Returns:
        All runs in canonical order. A run that is in several files occurs once.

    Raises:
        LogNotFoundError: No file belongs to a path.
        LogFormatError: A file is damaged or is not a log; the message names file and reason.
        LogReadError: The operating system cannot read a file now.
        LogConflictError: Two files contradict each other about a run, an algorithm or a suite.

    Example:
        >>> import firsthit
        >>> from firsthit.loggers import read_log
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20, output="read.h5"
        ... )
        >>> log = read_log("read.h5")
        >>> len(log), log.algorithms
        (15, ('random-search',))
    """
    logs, foreign = foreign_sources(listed(paths))
    files: tuple[Path, ...] = ()
    tables: list[LogTable] = []
    if logs or not foreign:
        files, tables = read_tables(logs)
    files += tuple(source.path for source in foreign)
    tables += [read_source(source) for source in foreign]
    checksums = {file: table.checksum for file, table in zip(files, tables, strict=True)}
    publications = {
        file: table.publication
        for file, table in zip(files, tables, strict=True)
        if table.publication
    }
    return Log(join(tables, files), files, checksums=checksums, publications=publications)


class Imported(NamedTuple):
    """Result of an import.

    Attributes:
        path: The log that was written.
        runs: Number of runs in the log.
        notes: Sentences on data that had to be guessed or left out.
    """

    path: Path
    runs: int
    notes: tuple[str, ...]


def import_data(
    sources: Paths,
    output: str | os.PathLike[str],
    algorithm: str | None = None,
    *,
    overwrite: bool = False,
) -> Imported:
    """Write the runs of data of COCO and IOHprofiler into a log.

    Args:
        sources: Folders and archive files (``.tar``, ``.tar.gz``, ``.tgz``, ``.zip``), patterns, or
            names ``coco:PATTERN`` of published data.
        output: The log, ``NAME.h5``.
        algorithm: New name for the algorithm of each source, which must have only one. Default:
            the names in the data.
        overwrite: Whether to replace an existing log. If the import fails, it is unchanged.
            Default: False.

    Returns:
        The path of the log, the number of its runs, and notes.

    Raises:
        LogExistsError: The log exists, and ``overwrite`` is False.
        LogNotFoundError: A source contains no data.
        LogFormatError: A source cannot be read; the message names file and line. Or ``overwrite``
            would replace a file that is no log.
        LogConflictError: Sources contradict each other.
        LogWriteError: The log cannot be written.

    Example:
        >>> import firsthit
        >>> from firsthit.loggers import import_data, write_coco
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> notes = write_coco(results.log, "coco-data")
        >>> imported = import_data("coco-data", "imported.h5", algorithm="RS")
        >>> imported.runs, firsthit.load("imported.h5").algorithms
        (15, ('RS',))
    """
    check_log_path(output)
    path = resolve_log_path(output)
    other_paths, foreign = foreign_sources(listed(sources))
    if other_paths or not foreign:
        first_path = repr(str(other_paths[0])) if other_paths else "nothing"
        raise LogNotFoundError(
            f"no data of COCO or IOHprofiler at {first_path}: give a folder with .info "
            "or IOHprofiler*.json files and without a log, or an archive of one"
        )
    check_replaceable(path, overwrite)
    tables = {source.path: read_source(source, algorithm) for source in foreign}
    with lock_parts(path):
        earlier_journals = journals(parts_folder(path))
        table = write_merged(path, tables)
        remove_journals(path, earlier_journals)
    return Imported(Path(output), len(table), Log(table).notes)

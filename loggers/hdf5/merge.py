"""Merge logs, or the journals of one log, into one file; remove logs.

`merge_logs` is ``firsthit merge``. `write_merged` joins tables in memory and writes them to a file;
`encode` makes the content of this file. Every process that changes a log holds the lock on its
journal folder meanwhile (`lock_parts`).
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import LogExistsError, LogFormatError, LogWriteError
from . import storage
from .deduplicate import join
from .encode import encode
from .files import Paths, journals, listed, parts_folder, resolve_log_path
from .reader import is_log, read_tables
from .recovery import lock_parts
from .schema import SCHEMA_MINOR, SCHEMA_VERSION, SUFFIX
from .table import LogTable


def merge_logs(sources: Paths, output: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Write the runs of all sources into one log in canonical order, with one copy of each run.

    The output may be one of the sources: an unfinished log is then completed, and its journals are
    deleted. Other sources are not changed. If runs have several copies, the number of copies that
    were left out is printed to stderr.

    Args:
        sources: Files, folders and patterns; see `read_log`.
        output: A new file, or one of the sources.
        overwrite: Whether to replace a log ``output`` that is none of the sources; its runs are
            lost. If merging fails, it is unchanged. Default: False.

    Returns:
        The path of the file.

    Raises:
        LogExistsError: ``output`` exists, is none of the sources, and ``overwrite`` is False.
        LogNotFoundError: No file belongs to a source.
        LogFormatError: A source is damaged or is not a log, or ``overwrite`` would replace a file
            that is no log.
        LogConflictError: Sources contradict each other: two outcomes of a run, two sets of
            parameters of an algorithm, two versions of a suite.
        LogWriteError: The output cannot be written, or is being written by another process.

    Example:
        >>> import firsthit
        >>> from firsthit.loggers import merge_logs
        >>> for function in (1, 2):
        ...     results = firsthit.benchmark(
        ...         "random-search", "bbob", functions=function, dimensions=2, budget=20,
        ...         output=f"part{function}.h5",
        ...     )
        >>> firsthit.load(merge_logs(["part1.h5", "part2.h5"], "merged.h5"))
        <Results of random-search: 30 runs, bbob f1, 2 in 2-D>
    """
    path = resolve_log_path(check_log_path(output))
    source_paths = listed(sources)
    is_source = path in {resolve_log_path(source) for source in source_paths}
    if not is_source:
        check_replaceable(path, overwrite)
    folder, is_new = parts_folder(path), not log_exists(path)
    with lock_parts(path):
        try:
            files, tables = read_tables(source_paths)
            output_journals = [file for file in files if resolve_log_path(file.parent) == folder]
            if not is_source:
                output_journals = journals(folder)  # of the log that is replaced
            merged = write_merged(path, dict(zip(files, tables, strict=True)))
            remove_journals(path, output_journals)
        except LogWriteError:
            # The sources still have all runs. A new file that is left would make the next attempt
            # fail with LogExistsError.
            if is_new:
                with contextlib.suppress(OSError):
                    storage.remove(path)
            raise
    if n_left_out := sum(map(len, tables)) - len(merged):
        copies = "copy of a run was" if n_left_out == 1 else "copies of runs were"
        print(
            f"firsthit: {n_left_out} {copies} left out: {str(output)!r} has every run once",
            file=sys.stderr,
        )
    return Path(output)


def check_replaceable(path: Path, overwrite: bool) -> None:
    """Check that a log can be written at a path.

    Raises:
        LogExistsError: A log exists there, and ``overwrite`` is False.
        LogFormatError: A file exists there that is no log, and ``overwrite`` is True.
    """
    if not log_exists(path):
        return
    if not overwrite:
        raise LogExistsError(f"the log {str(path)!r} exists; overwrite=True replaces it")
    if path.exists() and not is_log(path):
        raise LogFormatError.of(path, "it is no log of firsthit, and stays as it is")


def remove_log(path: str | os.PathLike[str]) -> None:
    """Delete a log and its journals; do nothing if there is no log.

    Args:
        path: The log, ``NAME.h5``.

    Raises:
        LogFormatError: The file is not a log; it is not deleted.
        LogWriteError: The path is a folder or does not end in ``.h5``, the log cannot be deleted,
            or another process writes it.
    """
    check_log_path(path)
    log = resolve_log_path(path)
    folder = parts_folder(log)
    if log.exists():
        if not is_log(log):
            raise LogFormatError.of(path, "it is no log of firsthit, and stays as it is")
    elif not journals(folder):
        return
    with lock_parts(log):
        try:
            for file_of_log in (*journals(folder), log):
                storage.remove_if_there(file_of_log)
        except OSError as error:
            raise LogWriteError(f"cannot remove the log {str(path)!r}: {error}") from error


def log_exists(path: Path) -> bool:
    """Return whether a log has a file or journals.

    Raises:
        LogFormatError: The journal folder is a symbolic link.
    """
    return path.exists() or bool(journals(parts_folder(path)))


def check_log_path(path: str | os.PathLike[str]) -> Path:
    """Check the path of a log that will be written, and return it as a `Path`.

    Raises:
        LogWriteError: The path is a folder, or does not end in ``.h5``.
    """
    log = Path(path)
    if log.suffix != SUFFIX or log.name == SUFFIX:
        raise LogWriteError(
            f"the log {str(path)!r} must be a file name that ends in {SUFFIX}, "
            f"such as {log.stem or 'results'}{SUFFIX}"
        )
    if log.is_dir():
        raise LogWriteError(f"the log {str(path)!r} is a folder; it must be a file {SUFFIX}")
    return log


def write_merged(
    path: Path, tables: Mapping[Path, LogTable], publication: Mapping[str, str] | None = None
) -> LogTable:
    """Join tables and write them as a log file atomically; block until it is on the disk.

    Each run is written once; `join` tells which of its copies.

    Args:
        path: Path of the file, which is replaced if it exists.
        tables: The tables and the files from which they were read. If several files belong to one
            log, the older file comes first.
        publication: See `encode`.

    Returns:
        The table that was written.

    Raises:
        LogConflictError: Tables contradict each other.
        LogFormatError: Some of the runs were read from a log of a newer minor version.
        LogWriteError: The file cannot be written.
    """
    merged = join(list(tables.values()), list(tables))
    check_can_be_rewritten(path, merged)
    image = encode(merged, publication)
    try:
        storage.make_folders(path.parent)
        storage.write_atomically(path, *image)
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error
    return merged


def check_can_be_rewritten(path: Path, table: LogTable) -> None:
    """Check that no run was read from a log of a newer minor version.

    The reader skips content that only newer versions know, so writing such a run would lose it.

    Args:
        path: Path of the log that will be written, for the message.
        table: The runs.

    Raises:
        LogFormatError: Some of the runs were read from a log of a newer minor version.
    """
    if table.newer_version:
        raise LogFormatError(
            f"cannot write {str(path)!r}: some of its runs are from a log of format "
            f"{table.newer_version}, and this firsthit, which knows format "
            f"{SCHEMA_VERSION}.{SCHEMA_MINOR}, would lose a part of them; use a newer firsthit"
        )


def remove_journals(log: Path, journal_paths: Iterable[Path]) -> None:
    """Delete journals whose runs are in the log's file; skip those that are missing.

    Args:
        log: Path of the log, for the message.
        journal_paths: Journals to delete.

    Raises:
        LogWriteError: A journal cannot be deleted.
    """
    try:
        for journal in journal_paths:
            storage.remove_if_there(journal)
    except OSError as error:
        raise LogWriteError(f"cannot remove the parts of {str(log)!r}: {error}") from error

"""Merges logs, and the parts of one log, into one file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from .errors import LogExistsError, LogWriteError
from .files import Paths, log_files, parts_folder, read_tables, segments
from .image import TEMPORARY_SUFFIX, encode, write_atomically
from .join import join
from .locks import FolderLock
from .schema import SUFFIX


def merge_logs(sources: Paths, output: str | os.PathLike[str]) -> Path:
    """Write the runs of all sources into one log, in canonical order, every run once.

    An unfinished log is finished in place when it is its own output: its parts are then removed.
    Other sources stay as they are.

    Args:
        sources: Files, folders and patterns, as for ``read_log``.
        output: A new file, or one of the sources.

    Returns:
        The file written.

    Raises:
        LogExistsError: ``output`` exists and is none of the sources.
        LogNotFoundError: A source stands for no file.
        LogFormatError: A source is damaged or foreign.
        LogConflictError: Sources contradict each other.
        LogWriteError: The output cannot be written, or is being written by another process.
    """
    path = log_path(output)
    given = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    own = segments(parts_folder(path))
    if (path.exists() or own) and path.resolve() not in {Path(item).resolve() for item in given}:
        raise LogExistsError.of(path)
    log_files(given)
    folder = parts_folder(path)
    lock = lock_parts(path)
    try:
        merge_into(path, given, folder)
    finally:
        close_parts(folder, lock)
    return path


def log_path(path: str | os.PathLike[str]) -> Path:
    """The path of a log that is to be written.

    Raises:
        LogWriteError: It does not end in ``.h5``, or is a folder.
    """
    checked = Path(path)
    if checked.suffix != SUFFIX or checked.name == SUFFIX:
        raise LogWriteError(
            f"the log {str(path)!r} must be a file name that ends in {SUFFIX}, "
            f"such as {checked.stem or 'results'}{SUFFIX}"
        )
    if checked.is_dir():
        raise LogWriteError(f"the log {str(path)!r} is a folder; it must be a file {SUFFIX}")
    return checked


def lock_parts(path: Path) -> FolderLock:
    """Make the folder of a log's parts and lock it.

    Raises:
        LogWriteError: It cannot be made, or another process writes this log.
    """
    folder = parts_folder(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder)
    except LogWriteError:
        raise
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error
    for left in (*folder.glob(f".*{TEMPORARY_SUFFIX}"), *path.parent.glob(f".{path.name}.*.tmp")):
        left.unlink(missing_ok=True)  # of a process that was killed
    return lock


def close_parts(folder: Path, lock: FolderLock) -> None:
    """Drop the lock, and the folder where it is empty."""
    lock.release()
    with contextlib.suppress(OSError):
        folder.rmdir()


def merge_into(path: Path, sources: Paths | Sequence[Path], folder: Path) -> None:
    """Write all runs of ``sources`` to ``path``, then remove the parts in ``folder`` among them.

    Raises:
        LogWriteError: The file could not be written; nothing was removed.
    """
    files, tables = read_tables(sources)
    try:
        write_atomically(path, encode(join(tables, files)))
        for file in files:
            if file.parent == folder:
                file.unlink()
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error

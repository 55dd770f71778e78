"""Merges logs, and the parts of one log, into one file; removes a log."""

from __future__ import annotations

import contextlib
import glob
import os
from pathlib import Path

from ..errors import LogExistsError, LogFormatError, LogWriteError
from . import storage
from .deduplicate import join
from .encode import encode
from .files import Paths, listed, log_place, parts_folder, segments
from .locks import FolderLock
from .reader import is_log, read_tables
from .schema import SUFFIX

_TMP = storage.TEMPORARY_SUFFIX
_ATTEMPTS = 10


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
        LogConflictError: Sources contradict each other: two outcomes of a run, two sets of
            parameters of an algorithm, two versions of a suite.
        LogWriteError: The output cannot be written, or is being written by another process.
    """
    path = log_place(log_path(output))
    given = listed(sources)
    own = segments(parts_folder(path))
    if (path.exists() or own) and path not in {log_place(item) for item in given}:
        raise LogExistsError(
            f"the log {str(output)!r} exists and is never overwritten; choose another name"
        )
    is_new = not path.exists()
    folder = parts_folder(path)
    lock = lock_parts(path)
    try:
        merge_into(path, given, folder)
    except LogWriteError:
        if is_new and not own:  # the sources have it all: leave nothing in the way of another try
            with contextlib.suppress(OSError):
                storage.remove(path)
        raise
    finally:
        close_parts(folder, lock)
    return Path(output)


def remove_log(path: str | os.PathLike[str]) -> None:
    """Remove a log with its parts; where there is none, nothing happens.

    Args:
        path: The log, ``NAME.h5``.

    Raises:
        LogFormatError: The file is no log of firsthit; it stays.
        LogWriteError: It cannot be removed, or another process is writing it.
    """
    log_path(path)
    place = log_place(path)
    folder = parts_folder(place)
    if place.exists():
        if not is_log(place):
            raise LogFormatError.of(path, "it is no log of firsthit, and stays as it is")
    elif not segments(folder):
        return
    lock = lock_parts(place)
    try:
        for file_of_log in (*segments(folder), place):
            storage.remove_if_there(file_of_log)
    except OSError as error:
        raise LogWriteError(f"cannot remove the log {str(path)!r}: {error}") from error
    finally:
        close_parts(folder, lock)


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
    """Make the folder of a log's parts, lock it, and remove what a killed writer left half done.

    Raises:
        LogWriteError: It cannot be made, or another process writes this log.
    """
    folder = parts_folder(path)
    own = f".{glob.escape(path.name)}.*{_TMP}"
    try:
        lock = _locked_folder(folder)
        try:
            for left in (*folder.glob(f".*{_TMP}"), *path.parent.glob(own)):
                storage.remove_if_there(left)
        except BaseException:
            close_parts(folder, lock)
            raise
    except LogWriteError:
        raise
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error
    return lock


def _locked_folder(folder: Path) -> FolderLock:
    """The lock on a folder, made where it is missing, be it that its last writer removes it now."""
    for _ in range(_ATTEMPTS):
        storage.make_folders(folder)
        with contextlib.suppress(FileNotFoundError):
            return FolderLock(folder)
    return FolderLock(folder)


def close_parts(folder: Path, lock: FolderLock) -> None:
    """Drop the lock, and the folder where it is empty."""
    lock.release()
    with contextlib.suppress(OSError):
        storage.remove_folder(folder)


def merge_into(path: Path, sources: Paths, folder: Path) -> None:
    """Write all runs of ``sources`` to ``path``, then remove the parts in ``folder`` among them.

    Args:
        path: The log.
        sources: As for ``read_log``.
        folder: That of the log's parts.

    Raises:
        LogWriteError: The file could not be written, and the parts are there; or a part could not
            be removed, and it counts no more than before.
    """
    files, tables = read_tables(sources)
    image = encode(join(tables, files))
    del tables  # closes large files, which some systems do not remove while they are open
    try:
        storage.write_atomically(path, *image)
        for file in files:
            if log_place(file.parent) == folder:
                storage.remove_if_there(file)
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error

"""Lock the journal folder of a log, and repair what an earlier, killed writer left behind.

`lock_parts` is called before each change of a log. A writer that was killed may leave temporary
files, and a journal whose last record is torn: only a part of its bytes was written.
"""

from __future__ import annotations

import contextlib
import glob
import itertools
import os
import sys
from pathlib import Path

from ..errors import LogWriteError
from . import storage
from .files import journals, parts_folder
from .journal import read_tail
from .locks import FolderLock
from .opening import open_regular

_LOCK_ATTEMPTS = 10
"""Number of attempts to lock a folder that another process may remove between two steps."""


def lock_parts(path: Path) -> FolderLock:
    """Create and lock the journal folder of a log, and repair what a killed writer left behind.

    Temporary files of the killed writer are deleted. The torn end of a journal is moved to a file
    beside the log, and a message about it is printed to stderr.

    Args:
        path: Path of the log, with its links resolved.

    Returns:
        The lock, which the caller releases. It is a context manager.

    Raises:
        LogWriteError: The folder cannot be written, or another process holds its lock.
        LogFormatError: The folder or one of its files is a link.
    """
    folder = parts_folder(path)
    temporary_files = f".{glob.escape(path.name)}.*{storage.TEMPORARY_SUFFIX}"
    try:
        lock = _create_and_lock(folder)
        try:
            for file in (
                *folder.glob(f".*{storage.TEMPORARY_SUFFIX}"),
                *path.parent.glob(temporary_files),
            ):
                storage.remove_if_there(file)
            _set_torn_ends_aside(path, folder)
        except BaseException:
            lock.release()
            raise
    except LogWriteError:
        raise
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error
    return lock


def _create_and_lock(folder: Path) -> FolderLock:
    """Create a folder if it is missing, and lock it.

    Retry if the last writer removes the folder between these two steps.

    Raises:
        LogWriteError: Another process holds the lock.
        LogFormatError: The folder or one of its files is a link.
        OSError: The folder or its files cannot be created.
    """
    for _ in range(_LOCK_ATTEMPTS):
        storage.make_folders(folder)
        with contextlib.suppress(FileNotFoundError):
            return FolderLock(folder)
    return FolderLock(folder)


def _set_torn_ends_aside(log: Path, folder: Path) -> None:
    """Move the tails of journals to files ``NAME.h5.torn-1``, …, and print a message on each.

    The tail of a journal is an incomplete last record, or all records from a damaged or missing one
    on. Readers do not read it.

    Args:
        log: Path of the log.
        folder: The journal folder of the log.

    Raises:
        LogFormatError: A journal is a link.
        OSError: A file cannot be read or written.
    """
    for journal in journals(folder):
        with open_regular(journal) as file:
            tail = read_tail(file, os.fstat(file.fileno()).st_size)
            file.seek(tail.start)
            torn_bytes = file.read()
        if not torn_bytes:
            continue
        paths = (log.with_name(f"{log.name}.torn-{number}") for number in itertools.count(1))
        torn_path = next(path for path in paths if not os.path.lexists(path))
        storage.write_atomically(torn_path, torn_bytes)
        storage.cut(journal, tail.start)
        runs = f"{tail.n_runs} runs are" if tail.n_runs > 1 else "1 run is"
        reason = f"{runs} incomplete at the end of {str(journal)!r}, as after a crash"
        if tail.is_damaged:
            reason = f"{runs} lost in {str(journal)!r} because a record is damaged or missing"
        print(
            f"firsthit: {reason}; the last {len(torn_bytes)} bytes were moved to "
            f"{str(torn_path)!r}, and the log continues without them",
            file=sys.stderr,
        )

"""Lock the journal folder of a log, so that only one process writes the log.

`FolderLock` locks the file ``lock`` in the folder with `filelock`. The operating system releases
this lock when the process ends, for whatever reason. The lock also writes the file ``writer`` with
the number and the host of the process. `holder` reads this file, so other processes can name the
writer, even after it was killed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import warnings
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import LogWriteError
from . import storage
from .opening import check_folder, check_writable_path, open_regular

_LOCK_NAME, _WRITER_NAME = "lock", "writer"
_UNSUPPORTED_ERRORS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS}
"""Error numbers by which a file system says that it has no locks."""
_MAX_WRITER_BYTES = 2**20
"""Largest size of a file ``writer`` that is read; somebody may have replaced it by a large file."""
_RETRY_SECONDS = 0.2
"""Time for which a writer tries to acquire the lock, because `holder` acquires it for a moment."""
_POLL_SECONDS = 0.01
"""Time between two attempts to acquire the lock."""
_USER_STACKLEVEL = 7
"""``stacklevel`` of a warning in `FolderLock._acquire` that shows the line ``Observer(...)``.

The calls from there inwards are ``Observer.__init__``, ``LogWriter.__init__``, `lock_parts`,
``_create_and_lock``, ``FolderLock.__init__`` and ``FolderLock._acquire``.
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """Process that writes a log, or that was killed while it wrote the log."""

    pid: int  # number of the process on its host; 0: unknown
    host: str  # name of the machine on which the process runs; empty: unknown
    is_alive: bool  # True: the process holds the lock now; False: it was killed
    note: str = ""  # the last text that the process gave to `FolderLock.announce`, one line

    def __str__(self) -> str:
        if not self.pid:
            return "an unknown process"
        return f"process {self.pid} on {self.host}" if self.host else f"process {self.pid}"


class FolderLock:
    """Exclusive lock on a folder.

    The constructor acquires the lock, and `release` releases it. As a context manager the lock is
    released at the end of the block. A forked process does not own the lock of its parent process.
    All methods do nothing in a forked process. If the file system has no locks, the constructor
    warns, and the folder is not locked.

    Args:
        folder: The folder, which must exist.

    Raises:
        LogWriteError: Another process holds the lock.
        LogFormatError: The folder, its file ``lock`` or its file ``writer`` is a link.
        OSError: The files cannot be created.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pid = os.getpid()
        self._note = ""
        self._is_released = False
        self._writer_handle: int | None = None
        self._acquire()

    def _acquire(self) -> None:
        """Acquire the lock of the folder, or raise LogWriteError if another process holds it."""
        path = _check_lock_path(self._folder)
        self._lock = FileLock(path, thread_local=False)  # the sync timer's thread calls `renew`
        try:
            self._lock.acquire(timeout=_RETRY_SECONDS, poll_interval=_POLL_SECONDS)
        except Timeout:
            raise LogWriteError(
                f"{str(self._folder)!r} is being written by "
                f"{holder(self._folder) or 'another process'}; one log has one writer at a time"
            ) from None
        except OSError as error:
            if error.errno not in _UNSUPPORTED_ERRORS:
                raise
            warnings.warn(
                "this file system has no locks: take care that one process alone writes this log",
                stacklevel=_USER_STACKLEVEL,
            )
        self._file_identity = _identify_file(path)
        self.announce(self._note)

    @property
    def is_ours(self) -> bool:
        """Whether this process acquired the lock; False in a forked process."""
        return os.getpid() == self._pid

    @property
    def is_at_path(self) -> bool:
        """Whether the locked file is still in the folder; False if somebody moved or removed it."""
        current_identity = _identify_file(self._folder / _LOCK_NAME)
        return self._file_identity is not None and current_identity == self._file_identity

    def renew(self) -> None:
        """Create and lock the folder again if somebody moved or removed it.

        Do nothing if the folder is still at its path, after `release`, and in a forked process.

        Raises:
            LogWriteError: Another process holds the lock of the new folder.
            OSError: The folder or its files cannot be created.
        """
        if self.is_ours and not self._is_released and not self.is_at_path:
            self._clear_writer()
            self._lock.release()
            storage.make_folders(self._folder)
            self._acquire()

    def announce(self, note: str) -> None:
        """Write a note into the file ``writer``, from which `holder` reads it.

        Errors of the operating system are ignored, because the note is not needed for the lock. Do
        nothing after `release`, and in a forked process.

        Args:
            note: One line of text, which replaces the earlier note.
        """
        if not self.is_ours or self._is_released:
            return
        self._note = note
        text = f"{self._pid}\n{socket.gethostname()}\n{note}\n".encode()
        with contextlib.suppress(OSError):
            if self._writer_handle is None:
                self._writer_handle = storage.open_or_create(self._folder / _WRITER_NAME)
            storage.write_over(self._writer_handle, text)

    def release(self) -> None:
        """Release the lock, and delete its files, and the folder if it is empty.

        Files that cannot be deleted are left. Do nothing after the first call, and in a forked
        process.
        """
        if not self.is_ours or self._is_released:
            return
        self._is_released = True
        self._clear_writer()
        if self.is_at_path:
            with contextlib.suppress(OSError):
                storage.remove_if_there(self._folder / _WRITER_NAME)
            if os.name != "nt":  # Windows cannot delete an open file; there filelock deletes it
                with contextlib.suppress(OSError):
                    storage.remove_if_there(self._folder / _LOCK_NAME)
        self._lock.release()
        with contextlib.suppress(OSError):
            storage.remove_folder(self._folder)

    def _clear_writer(self) -> None:
        """Empty the file ``writer`` through its descriptor, and close it.

        The descriptor also reaches a file that somebody moved. If the moved folder is put back
        later, the empty file tells `holder` that the writer released its lock and was not killed.
        """
        handle, self._writer_handle = self._writer_handle, None
        if handle is not None:
            with contextlib.suppress(OSError):
                storage.cut(handle, 0)
            with contextlib.suppress(OSError):
                storage.close(handle)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self.release()


def holder(folder: Path) -> Holder | None:
    """Return the process that holds the lock on a folder, or that was killed while it held it.

    Args:
        folder: The folder, which need not exist.

    Returns:
        The process. None if the folder has no file ``lock``. None also if the file ``lock`` is not
        locked and the file ``writer`` is empty: the last writer then released its lock, but could
        not delete its files because somebody had moved the folder.

    Raises:
        LogFormatError: The folder, its file ``lock`` or its file ``writer`` is a link.
    """
    path = _check_lock_path(folder)
    if not path.exists():
        return None
    is_alive = False
    try:
        with FileLock(path, timeout=0):
            pass
    except Timeout:
        is_alive = True
    except FileNotFoundError:  # the writer deleted it just now
        return None
    except OSError:  # without permission to lock, assume that the lock is held
        is_alive = True
    try:
        with open_regular(folder / _WRITER_NAME, _MAX_WRITER_BYTES) as file:
            lines = file.read(_MAX_WRITER_BYTES).decode(errors="replace").splitlines()
        if not lines and not is_alive:
            return None
    except OSError:
        lines = []
    pid, host, note, *_ = [*lines, "", "", ""]  # missing lines are empty
    return Holder(int(pid) if pid.isdecimal() else 0, host, is_alive, note)


def is_written(folder: Path) -> bool:
    """Return whether a process holds the lock on a folder now; see `holder`."""
    process = holder(folder)
    return process is not None and process.is_alive


def _check_lock_path(folder: Path) -> Path:
    """Return the path of the lock file of a folder, after a check that nothing is a link.

    Acquiring the lock empties the files ``lock`` and ``writer``. The check prevents that a link
    empties a file elsewhere.

    Raises:
        LogFormatError: The folder or one of the two files is a link.
    """
    check_folder(folder)
    for name in (_WRITER_NAME, _LOCK_NAME):
        check_writable_path(folder / name)
    return folder / _LOCK_NAME


def _identify_file(path: Path) -> tuple[int, int] | None:
    """Return the numbers of the device and of the inode of a file; None if there is no file.

    No other file that exists has the same pair of numbers.
    """
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino

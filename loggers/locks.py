"""One writer for each log: a lock that the system drops when the process that holds it dies."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import warnings
from pathlib import Path

from .errors import LogWriteError

_UNSUPPORTED = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS}


class FolderLock:
    """An exclusive lock on a folder, held by the file ``lock`` in it.

    Args:
        folder: Exists.

    Raises:
        LogWriteError: Another process, or another writer of this process, holds the lock.
        OSError: The file cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        self._handle = -1
        while self._handle < 0:
            self._try()

    def _try(self) -> None:
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(handle)
            current = os.stat(self._path)
        except FileNotFoundError:  # its last holder removed it after we opened it
            os.close(handle)
            return
        except BlockingIOError as error:
            holder = _holder(handle)
            os.close(handle)
            raise LogWriteError(
                f"{str(self._path.parent)!r} is being written by process {holder}; "
                "one log has one writer at a time"
            ) from error
        except BaseException:
            os.close(handle)
            raise
        if not os.path.samestat(current, os.fstat(handle)):
            os.close(handle)
            return
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self._handle = handle

    def release(self) -> None:
        """Remove the lock."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(self._handle)
            self._handle = -1


def _holder(handle: int) -> str:
    if sys.platform == "win32":  # a locked file cannot be read there
        return "unknown"
    return os.pread(handle, 100, 0).decode(errors="replace").strip() or "unknown"


def _lock(handle: int) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                raise BlockingIOError(*error.args) from error
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        warnings.warn(
            "this file system has no locks: take care that one process alone writes this log",
            stacklevel=6,
        )

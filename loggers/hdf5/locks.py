"""One writer for each log: a lock that the system drops when the process that holds it dies."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

from ..errors import LogWriteError
from . import storage

_UNSUPPORTED = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS}
_LOCK_NAME = "lock"
_ATTEMPTS = 20
_PAUSE_SECONDS = 0.01
_MOST_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes a log, or wrote it last.

    Attributes:
        pid: The process's number; 0 where it is not known.
        host: Its machine; empty where it is not known.
        is_alive: Whether it holds the lock now.
        note: What it told of itself last, a line of text.
    """

    pid: int
    host: str
    is_alive: bool
    note: str = ""

    def __str__(self) -> str:
        if not self.pid:
            return "an unknown process"
        return f"process {self.pid} on {self.host}" if self.host else f"process {self.pid}"


class FolderLock:
    """An exclusive lock on a folder, held by the file ``lock`` in it.

    Who only looks (``holder``) disturbs a lock for a moment, so a few attempts are made.

    Args:
        folder: Exists.

    Raises:
        LogWriteError: Another process, or another writer of this process, holds the lock.
        OSError: The file cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / _LOCK_NAME
        self._handle = -1
        for attempt in range(_ATTEMPTS):
            if attempt:
                time.sleep(_PAUSE_SECONDS)
            if self._try():
                return
        raise LogWriteError(
            f"{str(folder)!r} is being written by {holder(folder) or 'another process'}; "
            "one log has one writer at a time"
        )

    def _try(self) -> bool:
        handle = storage.open_or_create(self._path)
        is_ours = False
        try:
            is_ours = _lock(handle) and self._is_at_place(handle)
            if is_ours:
                storage.empty(handle)
                storage.write_all(handle, _self())
                self._handle = handle
        finally:
            if self._handle < 0:
                self._drop(handle, is_ours)
        return is_ours

    def _drop(self, handle: int, is_ours: bool) -> None:
        """Close the file, and remove it where nobody else can have it."""
        with contextlib.suppress(OSError):
            if is_ours and self._is_at_place(handle):
                storage.remove(self._path)
        with contextlib.suppress(OSError):
            storage.close(handle)

    def _is_at_place(self, handle: int) -> bool:
        """Whether the file is still the one of that name: its last holder may have removed it."""
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(handle))
        except FileNotFoundError:
            return False

    def tell(self, note: str) -> None:
        """Leave a line of text for those who look; a disk that takes none is no error."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                storage.write_over(self._handle, _self() + note.encode() + b"\n")

    def release(self) -> None:
        """Remove the lock."""
        if self._handle >= 0:
            handle, self._handle = self._handle, -1
            self._drop(handle, is_ours=True)


def holder(folder: Path) -> Holder | None:
    """Who holds, or held when it was killed, the lock on a folder; None where nobody did.

    Args:
        folder: Need not exist.
    """
    try:
        handle = os.open(folder / _LOCK_NAME, os.O_RDONLY)
    except OSError:
        return None
    try:
        is_alive = not _lock(handle, shared=True)
        words = b"" if sys.platform == "win32" else os.pread(handle, _MOST_BYTES, 0)
    finally:
        os.close(handle)
    pid, host, note, *_ = [*words.decode(errors="replace").splitlines(), "", "", ""]
    return Holder(int(pid) if pid.isdecimal() else 0, host, is_alive, note)


def _self() -> bytes:
    return f"{os.getpid()}\n{socket.gethostname()}\n".encode()


def _lock(handle: int, *, shared: bool = False) -> bool:
    """Whether the lock could be had; a lock on what is shared is only a look."""
    try:
        if sys.platform == "win32":
            import msvcrt

            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError:
                return False
        else:
            import fcntl

            kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        if not shared:
            warnings.warn(
                "this file system has no locks: take care that one process alone writes this log",
                stacklevel=6,
            )
    return True

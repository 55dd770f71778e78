"""One writer for each log: a lock that the system drops when the process that holds it dies."""

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
from .opening import check_folder, check_own, open_regular

_UNSUPPORTED = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS}
_LOCK_NAME, _WRITER_NAME = "lock", "writer"
_MOST_BYTES = 2**20
"""Of the file that says who writes."""
_PATIENCE_SECONDS = 0.2
"""Who only looks (``holder``) has the lock for a moment: a writer tries for so long."""
_PAUSE_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes a log, or wrote it last."""

    pid: int  # 0 where it is not known
    host: str  # empty where it is not known
    is_alive: bool  # whether it holds the lock now
    note: str = ""  # what it announced last, a line of text

    def __str__(self) -> str:
        if not self.pid:
            return "an unknown process"
        return f"process {self.pid} on {self.host}" if self.host else f"process {self.pid}"


class FolderLock:
    """An exclusive lock on a folder, a file ``lock`` in it; a file ``writer`` says whose it is."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pid = os.getpid()
        self._note = ""
        self._acquire()

    def _acquire(self) -> None:
        path = _checked(self._folder)
        self._lock = FileLock(path, thread_local=False)
        try:
            self._lock.acquire(timeout=_PATIENCE_SECONDS, poll_interval=_PAUSE_SECONDS)
        except Timeout:
            raise LogWriteError(
                f"{str(self._folder)!r} is being written by "
                f"{holder(self._folder) or 'another process'}; one log has one writer at a time"
            ) from None
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
            warnings.warn(
                "this file system has no locks: take care that one process alone writes this log",
                stacklevel=7,
            )
        self._file = _file_at(path)
        self.announce(self._note)

    @property
    def is_ours(self) -> bool:
        """Whether this process took it: what a fork copied is its parent's."""
        return os.getpid() == self._pid

    @property
    def is_at_place(self) -> bool:
        """Whether the lock is still that of the folder: somebody may have removed both."""
        return self._file is not None and _file_at(self._folder / _LOCK_NAME) == self._file

    def renew(self) -> None:
        """Make the folder again where it vanished, and lock it; LogWriteError where others did."""
        if self.is_ours and not self.is_at_place:
            self._lock.release()
            storage.make_folders(self._folder)
            self._acquire()

    def announce(self, note: str) -> None:
        """Leave a line of text for those who look; a disk that takes none is no error."""
        if not self.is_ours:
            return
        self._note = note
        text = f"{self._pid}\n{socket.gethostname()}\n{note}\n".encode()
        with contextlib.suppress(OSError):
            handle = storage.open_or_create(self._folder / _WRITER_NAME)
            try:
                storage.write_over(handle, text)
            finally:
                storage.close(handle)

    def release(self) -> None:
        """Remove the lock, and the folder where it is empty; in a fork's process, do nothing."""
        if not self.is_ours:
            return
        if self.is_at_place:
            with contextlib.suppress(OSError):
                storage.remove_if_there(self._folder / _WRITER_NAME)
            if os.name != "nt":  # there nobody can remove a file that is open, and filelock does it
                with contextlib.suppress(OSError):
                    storage.remove_if_there(self._folder / _LOCK_NAME)
        self._lock.release()
        with contextlib.suppress(OSError):
            storage.remove_folder(self._folder)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self.release()


def holder(folder: Path) -> Holder | None:
    """Who holds, or held when it was killed, the lock on a folder; None where nobody did."""
    path = _checked(folder)
    if not path.exists():
        return None
    is_alive = False
    try:
        with FileLock(path, timeout=0):
            pass
    except Timeout:
        is_alive = True
    except FileNotFoundError:
        return None
    except OSError:  # not ours to lock: who can tell takes it for held
        is_alive = True
    try:
        with open_regular(folder / _WRITER_NAME, _MOST_BYTES) as file:
            words = file.read(_MOST_BYTES).decode(errors="replace").splitlines()
    except OSError:
        words = []
    pid, host, note, *_ = [*words, "", "", ""]
    return Holder(int(pid) if pid.isdecimal() else 0, host, is_alive, note)


def is_written(folder: Path) -> bool:
    """Whether somebody holds the lock on a folder now."""
    found = holder(folder)
    return found is not None and found.is_alive


def _checked(folder: Path) -> Path:
    """Where the lock of a folder stands, which a writer empties: no link may lead elsewhere."""
    check_folder(folder)
    for name in (_WRITER_NAME, _LOCK_NAME):
        check_own(folder / name)
    return folder / _LOCK_NAME


def _file_at(path: Path) -> tuple[int, int] | None:
    """What tells the file at this place from another."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino

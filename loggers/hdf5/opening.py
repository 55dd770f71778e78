"""The one way to open what stands in a folder that a stranger may have filled.

No link is followed below such a folder, nothing but a regular file is opened, and none that is
larger than its reader expects. What a user names himself is resolved before (``files.log_place``).
"""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

from ..errors import LogFormatError

_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""To open a file with: a link is an error, a pipe without a writer is not waited for."""


def open_regular(path: str | os.PathLike[str], limit: int | None = None) -> BufferedReader:
    """Open a regular file of at most ``limit`` bytes; LogFormatError where it is another."""
    _check(path, os.lstat(path), limit)
    handle = os.open(path, os.O_RDONLY | _FLAGS)
    try:
        _check(path, os.fstat(handle), limit)  # another file may stand there by now
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def open_or_create(path: str | os.PathLike[str]) -> int:
    """Open a regular file with one name for reading and writing, made where it is not there."""
    check_own(path)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | _FLAGS, 0o644)
    try:
        _check(path, os.fstat(handle), is_own=True)
    except BaseException:
        os.close(handle)
        raise
    return handle


def check_own(path: str | os.PathLike[str]) -> None:
    """Check that what is written here changes no other file; where nothing stands, all is well."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    _check(path, status, is_own=True)


def check_folder(path: str | os.PathLike[str]) -> None:
    """Check that a folder is no link to another."""
    if os.path.islink(path):
        raise _refused(path, "it is a link to another folder")


def _check(
    path: str | os.PathLike[str],
    status: os.stat_result,
    limit: int | None = None,
    is_own: bool = False,
) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise _refused(path, "it is a link, and links in a folder are not followed")
    if not stat.S_ISREG(status.st_mode):
        raise _refused(path, "it is no regular file")
    if limit is not None and status.st_size > limit:
        raise _refused(path, f"it has {status.st_size} bytes, and at most {limit} are read")
    if is_own and status.st_nlink > 1:
        raise _refused(path, "it is a file that has a second name, in another place")


def _refused(path: str | os.PathLike[str], reason: str) -> LogFormatError:
    return LogFormatError(f"{str(Path(path))!r} is not opened: {reason}")

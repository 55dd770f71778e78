"""Open files in folders that another user may have filled, without harm to other files.

Every file below such a folder is opened by `open_regular` or `open_or_create`. These functions
follow no symbolic link, open only regular files, and can limit the size. A path that the user gives
may be a link, because `files.resolve_log_path` resolves it before. All checks raise
`LogFormatError`.
"""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

from ..errors import LogFormatError

_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags of ``os.open``: a link is an error, and opening a pipe does not wait for a writer."""


def open_regular(path: str | os.PathLike[str], limit: int | None = None) -> BufferedReader:
    """Open a regular file for reading.

    Args:
        path: The file.
        limit: Maximum size in bytes. Default: any size.

    Raises:
        LogFormatError: The path is a link or no regular file, or the file is larger than ``limit``.
        OSError: The operating system cannot open the file.
    """
    _check(path, os.lstat(path), limit)  # before opening, which may block or have side effects
    handle = os.open(path, os.O_RDONLY | _FLAGS)
    try:
        _check(path, os.fstat(handle), limit)  # the file may have been replaced after the check
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def open_or_create(path: str | os.PathLike[str]) -> int:
    """Open a regular file for reading and writing, and create it if it does not exist.

    Returns:
        A file descriptor, which the caller closes.

    Raises:
        LogFormatError: The path is a link or no regular file, or the file has a second name.
        OSError: The operating system cannot open the file.
    """
    check_writable_path(path)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | _FLAGS, 0o644)
    try:
        _check(path, os.fstat(handle), has_one_name=True)
    except BaseException:
        os.close(handle)
        raise
    return handle


def check_writable_path(path: str | os.PathLike[str]) -> None:
    """Check that writing to a path changes no file at another path; the path need not exist.

    Raises:
        LogFormatError: The path is a link or no regular file, or the file has a second name.
    """
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    _check(path, status, has_one_name=True)


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise LogFormatError if a folder is a symbolic link."""
    if os.path.islink(path):
        raise _refusal(path, "it is a link to another folder")


def _check(
    path: str | os.PathLike[str],
    status: os.stat_result,
    limit: int | None = None,
    has_one_name: bool = False,
) -> None:
    """Raise LogFormatError unless the status of a path is that of a file that may be opened.

    Args:
        path: The path, for the message.
        status: Result of ``os.lstat`` or ``os.fstat``.
        limit: Maximum size in bytes; None: any size.
        has_one_name: Whether the file must have no second name (hard link).
    """
    if stat.S_ISLNK(status.st_mode):
        raise _refusal(path, "it is a link, and links in a folder are not followed")
    if not stat.S_ISREG(status.st_mode):
        raise _refusal(path, "it is no regular file")
    if limit is not None and status.st_size > limit:
        raise _refusal(path, f"it has {status.st_size} bytes, and at most {limit} are read")
    if has_one_name and status.st_nlink > 1:
        raise _refusal(path, "it is a file that has a second name, in another place")


def _refusal(path: str | os.PathLike[str], reason: str) -> LogFormatError:
    """Make the error that a path is not opened; ``reason`` is a clause."""
    return LogFormatError(f"{str(Path(path))!r} is not opened: {reason}")

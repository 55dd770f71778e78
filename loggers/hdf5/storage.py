"""Change files and folders for the writer of a log.

Only this module changes files on behalf of a writer. The functions in `STEPS` are single steps, and
the functions below them call these steps. Tests can therefore replace the steps, and interrupt the
writer or raise an error before, during and after each of them.
"""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from pathlib import Path

from . import opening

TEMPORARY_SUFFIX = ".tmp"
STEPS = (
    "make_folder", "create", "open_or_create", "write", "cut", "sync", "close", "replace",
    "remove", "remove_folder", "sync_folder",
)  # fmt: skip
"""Names of the functions that change the disk or make a change durable."""

_BINARY = getattr(os, "O_BINARY", 0)
_PAUSES_SECONDS = tuple(0.01 * 2**k for k in range(10)) if os.name == "nt" else ()
"""Pauses before further attempts to replace a file on Windows, 10 s in total."""


def make_folder(folder: Path) -> None:
    """Create one folder, whose parent must exist."""
    os.mkdir(folder)


def create(path: Path) -> int:
    """Create a file, open it for reading and appending, and return its descriptor.

    Raises:
        FileExistsError: The file exists.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | _BINARY, 0o644)


def open_or_create(path: Path) -> int:
    """Open or create a file for reading and writing, and return its descriptor.

    Raises:
        LogFormatError: The path is a link or no regular file, or the file has a second name.
    """
    return opening.open_or_create(path)


def write(handle: int, data: bytes | memoryview) -> int:
    """Write data at the position of an open file; the system may write only a part of the data.

    Args:
        handle: Descriptor of the file.
        data: The data.

    Returns:
        Number of bytes that were written.
    """
    return os.write(handle, data)


def cut(file: int | Path, size: int) -> None:
    """Truncate a file without a sync.

    Args:
        file: Path or descriptor of the file.
        size: New size in bytes.
    """
    os.truncate(file, size)


def write_over(handle: int, data: bytes) -> None:
    """Replace the content of an open file, neither atomically nor with a sync.

    Args:
        handle: Descriptor of the file.
        data: New content, short enough for one write.
    """
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, data)
    os.ftruncate(handle, len(data))


def sync(handle: int) -> None:
    """Block until the content of an open file survives a power failure."""
    os.fsync(handle)


def close(handle: int) -> None:
    """Close an open file."""
    os.close(handle)


def replace(old: Path, new: Path) -> None:
    """Rename a file atomically, and replace the file ``new`` if it exists.

    On Windows this fails while another process, such as a reader of the log or a virus scanner, has
    the file ``new`` open. The function then retries for about ten seconds.

    Args:
        old: Path of the file.
        new: New path on the same file system.
    """
    for pause in _PAUSES_SECONDS:
        try:
            os.replace(old, new)
            return
        except PermissionError:
            time.sleep(pause)
    os.replace(old, new)


def remove(path: Path) -> None:
    """Delete a file."""
    os.unlink(path)


def remove_folder(folder: Path) -> None:
    """Delete a folder, which must be empty."""
    os.rmdir(folder)


def sync_folder(folder: Path) -> None:
    """Block until the names of files in a folder survive a power failure; on Windows do nothing."""
    if os.name == "nt":  # Windows cannot open a folder as a file
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folders(folder: Path) -> None:
    """Create a folder and its missing parents; block until they survive a power failure."""
    missing_folders = [path for path in (folder, *folder.parents) if not path.is_dir()]
    for path in reversed(missing_folders):
        with contextlib.suppress(FileExistsError):  # another process created it just now
            make_folder(path)
        sync_folder(path.parent)


def write_all(handle: int, data: bytes | memoryview) -> None:
    """Write all data at the position of an open file, without a sync.

    Args:
        handle: Descriptor of the file.
        data: The data.

    Raises:
        OSError: Writing failed; a part of the data may have been written.
    """
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[write(handle, remaining) :]


def write_atomically(path: Path, *parts: bytes | memoryview) -> None:
    """Write a file atomically, and block until it survives a power failure.

    The data are written to a temporary file, which is renamed. If that fails, the temporary file is
    deleted, and a file that exists at ``path`` is unchanged.

    Args:
        path: Path of the file, which is replaced if it exists.
        parts: Data, written one after the other.

    Raises:
        OSError: A step failed.
    """
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}{TEMPORARY_SUFFIX}")
    handle = create(temporary)
    try:
        try:
            for part in parts:
                write_all(handle, part)
            sync(handle)
        finally:
            close(handle)
        replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            remove(temporary)
        raise
    sync_folder(path.parent)


def remove_if_there(path: Path) -> None:
    """Delete a file; do nothing if it does not exist, since another process may have deleted it."""
    with contextlib.suppress(FileNotFoundError):
        remove(path)

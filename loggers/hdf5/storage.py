"""All that a log's writer does to the disk, one function a step.

Nothing else in this part of firsthit changes a file, so a test that stands in for these functions
can stop the writer, tear a write short or fail it before and after every single step.
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
"""Names of the functions that change something, or make a change durable."""

_BINARY = getattr(os, "O_BINARY", 0)
_PAUSES_SECONDS = tuple(0.01 * 2**k for k in range(10)) if os.name == "nt" else ()


def make_folder(folder: Path) -> None:
    """Make one folder; its parent exists."""
    os.mkdir(folder)


def create(path: Path) -> int:
    """Make a new file and open it; what is written goes to its end."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | _BINARY, 0o644)


def open_or_create(path: Path) -> int:
    """Open a file for reading and writing, made where it is not there; no link is followed."""
    return opening.open_or_create(path)


def write(handle: int, data: bytes | memoryview) -> int:
    """Write some of ``data`` where the file stands; how many bytes it was."""
    return os.write(handle, data)


def cut(file: int | Path, size: int) -> None:
    """Drop what a file has beyond so many bytes, not durably."""
    os.truncate(file, size)


def write_over(handle: int, data: bytes) -> None:
    """Replace the content of an open file, neither at one stroke nor durably."""
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, data)
    os.ftruncate(handle, len(data))


def sync(handle: int) -> None:
    """Make the content of a file durable."""
    os.fsync(handle)


def close(handle: int) -> None:
    """Close a file."""
    os.close(handle)


def replace(old: Path, new: Path) -> None:
    """Rename a file, over one that may be there.

    Windows refuses while somebody has that one open, such as a reader of the log or a virus
    scanner: it is tried again for about ten seconds.
    """
    for pause in _PAUSES_SECONDS:
        try:
            os.replace(old, new)
            return
        except PermissionError:
            time.sleep(pause)
    os.replace(old, new)


def remove(path: Path) -> None:
    """Remove a file."""
    os.unlink(path)


def remove_folder(folder: Path) -> None:
    """Remove a folder, which must be empty."""
    os.rmdir(folder)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name == "nt":  # a folder cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folders(folder: Path) -> None:
    """Make a folder and those above it that are missing, durably."""
    missing = [
        parent_folder for parent_folder in (folder, *folder.parents) if not parent_folder.is_dir()
    ]
    for parent_folder in reversed(missing):
        with contextlib.suppress(FileExistsError):  # made by another process just now
            make_folder(parent_folder)
        sync_folder(parent_folder.parent)


def write_all(handle: int, data: bytes | memoryview) -> None:
    """Write all of ``data`` where the file stands."""
    rest = memoryview(data)
    while rest:
        rest = rest[write(handle, rest) :]


def write_atomically(path: Path, *parts: bytes | memoryview) -> None:
    """Put ``parts``, one after the other, at ``path``: there whole and durable, or an OSError."""
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
    """Remove a file that another process may have removed already."""
    with contextlib.suppress(FileNotFoundError):
        remove(path)

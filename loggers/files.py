"""Finds log files: what files, folders and patterns stand for; parts of unfinished logs too."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from .decode import read_table
from .errors import LogNotFoundError
from .schema import PARTS_SUFFIX, SUFFIX
from .table import LogTable

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

_ATTEMPTS = 10


def parts_folder(log: Path) -> Path:
    """Where the parts of a log stand while it is being written."""
    return log.with_name(log.name + ".parts")


def segments(folder: Path) -> list[Path]:
    """The finished parts in a folder of parts, oldest first; none where there is no folder."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith("."))


def log_files(paths: Paths) -> tuple[Path, ...]:
    """The files that hold these logs.

    Args:
        paths: A log ``NAME.h5``, whose parts belong to it, a folder, searched to the bottom, a
            pattern such as ``"results/*.h5"``, or several of these.

    Returns:
        Paths in order, each once.

    Raises:
        LogNotFoundError: One of ``paths`` stands for no file.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: dict[Path, None] = {}
    for item in given:
        files = _files_of(Path(item)) if str(item) else []
        if not files:
            raise LogNotFoundError(
                f"no log at {str(item)!r}: give a file NAME{SUFFIX}, a folder with such files, "
                "or a pattern"
            )
        found.update(dict.fromkeys(files))
    if not found:
        raise LogNotFoundError("no log was given")
    return tuple(found)


def _files_of(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(
            file
            for file in path.rglob(f"*{SUFFIX}")
            if file.is_file() and not file.name.startswith(".")
        )
    parts = segments(parts_folder(path))
    if path.is_file():
        return [path, *parts]
    if parts or not glob.has_magic(str(path)):
        return parts
    matches = sorted(Path(match) for match in glob.glob(str(path), recursive=True))
    return [
        file
        for match in matches
        if match.name.endswith((SUFFIX, PARTS_SUFFIX)) or match.is_dir()
        for file in _files_of(match)
    ]


def read_tables(paths: Paths) -> tuple[tuple[Path, ...], list[LogTable]]:
    """Read all files of these logs, also while their writers replace parts by a larger file.

    Raises:
        LogNotFoundError: There is nothing to read.
        LogFormatError: A file is damaged or foreign.
    """
    given = paths if isinstance(paths, str | os.PathLike) else list(paths)
    for _ in range(_ATTEMPTS):
        files = log_files(given)
        try:
            return files, [read_table(file) for file in files]
        except FileNotFoundError:
            continue
    raise LogNotFoundError(f"the files of {given!r} vanish while they are read")

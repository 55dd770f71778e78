"""Finds log files: what files, folders and patterns stand for; parts of unfinished logs too."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from ..errors import LogNotFoundError
from .opening import check_folder
from .schema import PARTS_SUFFIX, SUFFIX

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

ATTEMPTS = 100
"""To see files that writers do not replace meanwhile."""


def listed(paths: Paths) -> list[str | os.PathLike[str]]:
    """Paths, or the one path, as a list."""
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


def log_place(log: str | os.PathLike[str]) -> Path:
    """Where a log really stands: absolute, links followed, so that every spelling means one log."""
    return Path(os.path.realpath(log))


def parts_folder(log: Path) -> Path:
    """Where the parts of a log stand while it is being written; of a link, those of its log."""
    place = log_place(log) if log.is_symlink() else log
    return place.with_name(place.name + ".parts")


def segments(folder: Path) -> list[Path]:
    """The finished parts in a folder of parts, oldest first; none where there is no folder.

    Raises:
        LogFormatError: The folder is a link.
    """
    check_folder(folder)
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith("."))


def log_files(paths: Paths) -> tuple[Path, ...]:
    """The files that hold these logs.

    Args:
        paths: A log ``NAME.h5``, whose parts belong to it, a folder, searched to the bottom, a
            pattern such as ``"results/*.h5"``, or several of these.

    Returns:
        Paths in order, each once, as they stood at one moment, also while writers are at work.

    Raises:
        LogNotFoundError: One of ``paths`` stands for no file.
    """
    given = listed(paths)
    if not given:
        raise LogNotFoundError("no log was given")
    before: list[list[Path]] | None = None
    for _ in range(ATTEMPTS):
        now = _look(given)
        if now is not None and now == before:
            return _each_once(given, now)
        before = now
    raise LogNotFoundError(f"the files of {given!r} change faster than they can be listed")


def _look(given: list[str | os.PathLike[str]]) -> list[list[Path]] | None:
    """The files of each; None where a folder went meanwhile.

    One look may miss a file that is replaced meanwhile together with its successor; two equal looks
    do not: the successor stands before the file goes.
    """
    try:
        return [_files_of(Path(item)) if str(item) else [] for item in given]
    except FileNotFoundError:
        return None


def _each_once(given: list[str | os.PathLike[str]], found: list[list[Path]]) -> tuple[Path, ...]:
    for item, files in zip(given, found, strict=True):
        if not files:
            raise LogNotFoundError(
                f"no log at {str(item)!r}: give a file NAME{SUFFIX}, a folder with such files, "
                "or a pattern"
            )
    return tuple(dict.fromkeys(file for files in found for file in files))


def _files_of(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(
            file
            for file in path.rglob(f"*{SUFFIX}")
            if not file.name.startswith(".") and (file.is_symlink() or not file.is_dir())
        )
    parts = segments(parts_folder(path))
    if path.is_file():
        return [log_place(path) if path.is_symlink() else path, *parts]
    if parts or not glob.has_magic(str(path)):
        return parts
    matches = sorted(Path(match) for match in glob.glob(str(path), recursive=True))
    return [
        file
        for match in matches
        if match.name.endswith((SUFFIX, PARTS_SUFFIX)) or match.is_dir()
        for file in _files_of(match)
    ]

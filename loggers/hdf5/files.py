"""Finds logs: what files, folders and patterns stand for; parts of unfinished logs too."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from .opening import check_folder
from .schema import JOURNAL_SUFFIX, PARTS_SUFFIX, SUFFIX

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

_PARTS = PARTS_SUFFIX.removeprefix(SUFFIX)


def listed(paths: Paths) -> list[str | os.PathLike[str]]:
    """Paths, or the one path, as a list."""
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


def log_place(log: str | os.PathLike[str]) -> Path:
    """Where a log really stands: absolute, links followed, so that every spelling means one log."""
    return Path(os.path.realpath(log))


def parts_folder(log: Path) -> Path:
    """Where the parts of a log stand while it is being written; of a link, those of its log."""
    place = log_place(log) if log.is_symlink() else log
    return place.with_name(place.name + _PARTS)


def journals(folder: Path) -> list[Path]:
    """The journals in a folder of parts, oldest first; LogFormatError where that is a link."""
    check_folder(folder)
    found = folder.glob(f"*{JOURNAL_SUFFIX}")
    return sorted(path for path in found if not path.name.startswith("."))


def log_places(path: Path) -> list[Path]:
    """The logs that a path stands for: a log, its parts, a folder (with those below), a pattern.

    Some may have neither file nor parts. Folders of parts are looked for before files: a writer
    removes its parts when the file is there, so a log that is being written is always seen.
    """
    if path.is_dir():
        return [_log_of(path)] if path.name.endswith(PARTS_SUFFIX) else _logs_below(path)
    if path.exists() or parts_folder(path).is_dir() or not glob.has_magic(str(path)):
        return [log_place(path) if path.is_symlink() else path]
    matches: list[Path] = []
    for pattern in (f"{path}{_PARTS}", str(path)):
        matches += map(Path, glob.glob(pattern, recursive=True))
    return sorted(
        {
            place
            for match in matches
            if match.name.endswith((SUFFIX, PARTS_SUFFIX)) or match.is_dir()
            for place in log_places(match)
        }
    )


def _logs_below(folder: Path) -> list[Path]:
    parts = [_log_of(path) for path in folder.rglob(f"*{PARTS_SUFFIX}")]
    files = [path for path in folder.rglob(f"*{SUFFIX}") if path.is_symlink() or not path.is_dir()]
    return sorted({path for path in (*parts, *files) if not path.name.startswith(".")})


def _log_of(parts: Path) -> Path:
    return parts.with_name(parts.name.removesuffix(_PARTS))

"""Find logs and their journals: the files that paths, folders and patterns stand for.

While a log ``NAME.h5`` is being written, its finished runs are in journals in the journal folder
``NAME.h5.parts`` beside it. A log may have a file, journals, or both.
"""

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
    """Return one path or several paths as a list."""
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


def resolve_log_path(log: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a log without symbolic links, which is equal for all spellings.

    The log need not exist.
    """
    return Path(os.path.realpath(log))


def parts_folder(log: Path) -> Path:
    """Return the path of the journal folder of a log; for a link, that of the log it leads to."""
    path = resolve_log_path(log) if log.is_symlink() else log
    return path.with_name(path.name + _PARTS)


def journals(folder: Path) -> list[Path]:
    """Return the journals in a journal folder, oldest first; empty if the folder does not exist.

    Raises:
        LogFormatError: The folder is a symbolic link.
    """
    check_folder(folder)
    paths = folder.glob(f"*{JOURNAL_SUFFIX}")
    return sorted(path for path in paths if not path.name.startswith("."))


def log_of_file(file: Path) -> Path:
    """Return the log to which a file belongs: a journal's log, or the file itself."""
    return _log_of_folder(file.parent) if file.suffix == JOURNAL_SUFFIX else file


def find_logs(path: Path) -> list[Path]:
    """Return the logs that a path stands for; some may have neither a file nor journals.

    Journal folders are searched before files. A writer removes its journals after it has written
    the file, so a log that is being written is never missed.

    Args:
        path: A log, its journal folder, a folder with logs in it or below it, or a pattern.
    """
    if path.is_dir():
        is_parts_folder = path.name.endswith(PARTS_SUFFIX)
        return [_log_of_folder(path)] if is_parts_folder else _find_logs_below(path)
    if path.exists() or parts_folder(path).is_dir() or not glob.has_magic(str(path)):
        return [resolve_log_path(path) if path.is_symlink() else path]
    matches: list[Path] = []
    for pattern in (f"{path}{_PARTS}", str(path)):
        matches += map(Path, glob.glob(pattern, recursive=True))
    return sorted(
        {
            log
            for match in matches
            if match.name.endswith((SUFFIX, PARTS_SUFFIX)) or match.is_dir()
            for log in find_logs(match)
        }
    )


def _find_logs_below(folder: Path) -> list[Path]:
    unfinished_logs = [_log_of_folder(path) for path in folder.rglob(f"*{PARTS_SUFFIX}")]
    files = [path for path in folder.rglob(f"*{SUFFIX}") if path.is_symlink() or not path.is_dir()]
    return sorted({path for path in (*unfinished_logs, *files) if not path.name.startswith(".")})


def _log_of_folder(folder: Path) -> Path:
    return folder.with_name(folder.name.removesuffix(_PARTS))

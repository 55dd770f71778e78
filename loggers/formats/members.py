"""The files of a data set, from a folder or an archive, believed in nothing.

What could lead outside of the data set, or hide more data than a file of its size holds, is refused
before it is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ..errors import LogFormatError, LogNotFoundError

SUFFIXES = (".info", ".dat", ".tdat", ".rdat", ".mdat", ".json")
"""Endings of the files that are read; others are passed over."""

MAX_MEMBERS = 100_000
MAX_BYTES = 2 * 2**30
MAX_RATIO = 100
FREE_BYTES = 64 * 2**20
"""An archive may unpack to ``FREE_BYTES + MAX_RATIO`` times its size, and to ``MAX_BYTES``."""
MAX_NAME_CHARACTERS = 255

_DEPTH = 8
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")


class Members(Mapping[str, bytes]):
    """The files of one data set: names relative to its top, ``/`` between folders, to content.

    Args:
        where: The folder or archive, for messages.
        readers: Name to a function that gives the content.
    """

    def __init__(self, where: Path, readers: Mapping[str, Callable[[], bytes]]) -> None:
        self.where = where
        self._readers = dict(sorted(readers.items()))

    def __getitem__(self, name: str) -> bytes:
        return self._readers[name]()

    def __contains__(self, name: object) -> bool:
        return name in self._readers

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)

    def error(self, name: str, reason: str, line: int | None = None) -> LogFormatError:
        """The error that names data set, file, line (from 1) and reason."""
        place = f"{str(self.where)!r}" + (f", {name!r}" if name else "")
        place += f", line {line}" if line is not None else ""
        return LogFormatError(f"cannot read the data in {place}: {reason}")


def is_archive(path: Path) -> bool:
    """Whether the name is that of an archive that can be read."""
    return path.name.lower().endswith(_ARCHIVES)


def is_data(name: str) -> bool:
    """Whether a file of this name is read."""
    hidden = name.startswith("__MACOSX/") or name[name.rfind("/") + 1 :].startswith(".")
    return name.endswith(SUFFIXES) and not hidden


def is_ioh_index(name: str) -> bool:
    """Whether a file of this name, without folders, is an index of IOHprofiler."""
    return name.startswith("IOHprofiler") and name.endswith((".json", ".info"))


def open_members(path: Path) -> Members:
    """The files of a folder or archive.

    Raises:
        LogNotFoundError: There is none.
        LogFormatError: It is damaged, or something in it is not to be trusted.
    """
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        raise LogNotFoundError(f"no data at {str(path)!r}: give a folder or an archive")
    from .archives import read_archive

    contents = read_archive(path)
    return Members(path, {name: _giver(content) for name, content in contents.items()})


def _of_folder(path: Path) -> Members:
    root = path.resolve()
    readers: dict[str, Callable[[], bytes]] = {}
    for relative, entry in _files(str(root), "", _DEPTH):
        if not is_data(relative):
            continue
        if not _is_regular_within(entry, root):
            raise LogFormatError(
                f"cannot read the data in {str(path)!r}: {relative!r} is a link that leads "
                "out of the folder, or no regular file"
            )
        readers[relative] = _file_reader(entry.path, path)
        if len(readers) > MAX_MEMBERS:
            raise LogFormatError(
                f"cannot read the data in {str(path)!r}: it holds more than {MAX_MEMBERS} files"
            )
    return Members(path, readers)


def _files(folder: str, above: str, depth: int) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Files of a folder, then of those in it, with their names relative to the top.

    What cannot be listed is passed over, and so are links to folders and hidden folders.
    """
    try:
        with os.scandir(folder) as found:
            entries = list(found)
    except OSError:
        return
    folders = [entry for entry in entries if _is_folder(entry)]
    inner = {entry.name for entry in folders}
    yield from ((above + entry.name, entry) for entry in entries if entry.name not in inner)
    if not depth:
        return
    for entry in folders:
        if not entry.name.startswith(".") and not entry.is_symlink():
            yield from _files(entry.path, f"{above}{entry.name}/", depth - 1)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_regular_within(entry: os.DirEntry[str], root: Path) -> bool:
    """Whether this is a regular file, and no link that leads out of ``root``."""
    if entry.is_symlink():
        target = Path(entry.path).resolve()
        return target.is_relative_to(root) and target.is_file()
    return entry.is_file(follow_symlinks=False)


def _file_reader(file: str, where: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            return _content(file)
        except OSError as error:
            raise LogFormatError(f"cannot read the data in {str(where)!r}: {error}") from error

    return read


def _content(file: str) -> bytes:
    with open(file, "rb", buffering=0) as stream:
        return stream.readall()


def _giver(content: bytes) -> Callable[[], bytes]:
    return lambda: content

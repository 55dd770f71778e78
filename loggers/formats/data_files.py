"""The files of a data set of another tool, read from a folder or an archive.

Nothing in a data set is trusted: what leads out of it, and what unpacks to far more than its size,
is refused before it is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from ..errors import LogFormatError, LogNotFoundError
from ..hdf5.opening import open_regular
from .archives import MAX_BYTES, MAX_FILES, read_archive
from .blocks import TextError

SUFFIXES = (".info", ".dat", ".tdat", ".rdat", ".mdat", ".adat", ".json")
"""Endings of the files that are read; others are ignored."""

_DEPTH = 8
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")


class DataFiles(Mapping[str, bytes]):
    """The files of one data set: name relative to its top, ``/`` between folders, to content.

    Args:
        where: The folder or archive, for messages.
        contents: Name to the content, or to the path of a file that is read when it is asked for.
    """

    def __init__(self, where: Path, contents: Mapping[str, bytes | str]) -> None:
        self.where = where
        self._contents = dict(sorted(contents.items()))

    def __getitem__(self, name: str) -> bytes:
        content = self._contents[name]
        if isinstance(content, bytes):
            return content
        try:
            with open_regular(content, MAX_BYTES) as stream:
                return stream.read(MAX_BYTES)
        except OSError as error:
            raise self.error(name, str(error)) from error

    def __contains__(self, name: object) -> bool:
        return name in self._contents

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)

    def text(self, name: str) -> str:
        """The content as text; bytes that are no UTF-8 become U+FFFD."""
        return self[name].decode("utf-8", "replace")

    def beside(self, index: str, written: str, folder: str = "", line: int | None = None) -> str:
        """The name of the file that an index file means; it must be in the data set.

        Args:
            index: Name of the index file.
            written: Path of the other file as the index says it, relative to the index.
            folder: The folder that the index names for it.
            line: Where the index says it, for messages.

        Raises:
            LogFormatError: The path leads out of the data set, or there is no such file.
        """
        path = PurePosixPath(folder, written.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise self.error(index, f"the data file {written[:60]!r} leads elsewhere", line)
        name = str(PurePosixPath(index).parent / path)
        if name not in self:
            raise self.error(index, f"the data file {written[:60]!r} is missing", line)
        return name

    def error(self, name: str, reason: str, line: int | None = None) -> LogFormatError:
        """The error that names data set, file, line (from 1) and reason."""
        place = f"{str(self.where)!r}" + (f", {name!r}" if name else "")
        place += f", line {line}" if line is not None else ""
        return LogFormatError(f"cannot read the data in {place}: {reason}")

    def text_error(self, name: str, error: TextError) -> LogFormatError:
        """The error that names data set and file of what is wrong in a text."""
        return self.error(name, str(error), error.line)


def is_archive(path: Path) -> bool:
    """Whether the name is that of an archive that can be read."""
    return path.name.lower().endswith(_ARCHIVES)


def is_data(name: str) -> bool:
    """Whether a file of this name is read."""
    hidden = name.startswith("__MACOSX/") or _base(name).startswith(".")
    return name.endswith(SUFFIXES) and not hidden


def is_ioh_index(name: str) -> bool:
    """Whether the last part of this name is that of an index file of IOHprofiler."""
    return _base(name).startswith("IOHprofiler") and name.endswith((".json", ".info"))


PYCMA_INDEX = "fit.dat"
"""How the name of the file ends that each run of pycma's logger has."""


def is_pycma(name: str) -> bool:
    """Whether the last part of this name is that of the file of a run of pycma's logger."""
    return name.endswith(PYCMA_INDEX) and not _base(name).startswith(".")


def is_index(name: str) -> bool:
    """Whether the last part of this name is that of an index file of COCO or IOHprofiler."""
    return not _base(name).startswith(".") and (name.endswith(".info") or is_ioh_index(name))


def _base(name: str) -> str:
    return name.rpartition("/")[2]


def open_data(path: Path) -> DataFiles:
    """The files of a folder or archive.

    Raises:
        LogNotFoundError: There is none.
        LogFormatError: It is damaged, or something in it is refused.
    """
    if path.is_dir():
        return DataFiles(path, _files_of_folder(path))
    if not path.is_file():
        raise LogNotFoundError(f"no data at {str(path)!r}: give a folder or an archive")
    return DataFiles(path, read_archive(path, is_data))


def _files_of_folder(path: Path) -> dict[str, str]:
    """Name of each data file to its path; hidden folders and links to folders are ignored."""
    found: dict[str, str] = {}
    for folder, folders, files in os.walk(path):
        above = Path(folder).relative_to(path)
        deeper = len(above.parts) < _DEPTH
        folders[:] = [name for name in folders if deeper and not name.startswith(".")]
        for file in files:
            name = (above / file).as_posix()
            if not is_data(name):
                continue
            found[name] = os.path.join(folder, file)
            if len(found) > MAX_FILES:
                raise LogFormatError(
                    f"cannot read the data in {str(path)!r}: it holds more than {MAX_FILES} files"
                )
    return found

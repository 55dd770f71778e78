"""The files of a data set of another tool, read from a folder or an archive.

Nothing in a data set is trusted: what leads out of it, and what unpacks to far more than its size,
is refused before it is read. Members of archives are read one by one into memory, never extracted.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from ..errors import LogFormatError, LogNotFoundError
from ..hdf5.opening import open_regular
from .blocks import TextError

SUFFIXES = (".info", ".dat", ".tdat", ".rdat", ".mdat", ".adat", ".json")
"""Endings of the files that are read; others are ignored."""

MAX_FILES = 100_000
MAX_BYTES = 2 * 2**30
MAX_RATIO = 100
FREE_BYTES = 64 * 2**20
"""An archive may unpack to ``FREE_BYTES + MAX_RATIO`` times its size, and to ``MAX_BYTES``."""
MAX_NAME_CHARACTERS = 255

_DAMAGED = (
    OSError, EOFError, ValueError, KeyError, IndexError, zlib.error, zipfile.BadZipFile,
    tarfile.TarError, NotImplementedError, RuntimeError, OverflowError, MemoryError,
)  # fmt: skip
"""What the standard library raises where an archive is damaged."""

_DEPTH = 8
PARQUET_INDEX = "firsthit.json"
"""The file that a folder of Parquet files has, see ``parquet``."""
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")


class DataFiles(Mapping[str, bytes]):
    """The files of one data set: name relative to its top, ``/`` between folders, to content.

    A file whose content is given as its path is read when it is asked for.
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

    def neighbour_file(
        self, index: str, written: str, folder: str = "", line: int | None = None
    ) -> str:
        """The name of the file that an index means by ``written``; it must be there."""
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

    @contextlib.contextmanager
    def parsing(self, name: str) -> Iterator[None]:
        """Make a TextError the error that names data set and file, too."""
        try:
            yield
        except TextError as error:
            raise self.error(name, str(error), error.line) from error


def is_archive(path: Path) -> bool:
    """Whether the name is that of an archive that can be read."""
    return path.name.lower().endswith(_ARCHIVES)


def is_parquet(folder: Path) -> bool:
    """Whether this is a folder that ``write_parquet`` wrote."""
    return (folder / PARQUET_INDEX).is_file()


def is_data(name: str) -> bool:
    """Whether a file of this name is read."""
    hidden = name.startswith("__MACOSX/") or _base(name).startswith(".")
    return name.endswith(SUFFIXES) and not hidden


def is_ioh_index(name: str) -> bool:
    """Whether the last part of this name is that of an index file of IOHprofiler."""
    return _base(name).startswith("IOHprofiler") and name.endswith((".json", ".info"))


def is_index(name: str) -> bool:
    """Whether the last part of this name is that of an index file of COCO or IOHprofiler."""
    return not _base(name).startswith(".") and (name.endswith(".info") or is_ioh_index(name))


def _base(name: str) -> str:
    return name.rpartition("/")[2]


def open_data(path: Path) -> DataFiles:
    """The files of a folder or archive; what is damaged or refused is a LogFormatError."""
    if path.is_dir():
        return DataFiles(path, _files_of_folder(path))
    if not path.is_file():
        raise LogNotFoundError(f"no data at {str(path)!r}: give a folder or an archive")
    return DataFiles(path, _read_archive(path))


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


def _read_archive(path: Path) -> dict[str, bytes]:
    """Name to content of data files in an archive; the others are checked alone."""
    try:
        with open_regular(os.path.realpath(path)) as file:
            read = _read_zip if _starts_with(file, b"PK") else _read_tar
            return read(file)
    except _Refused as error:
        raise LogFormatError(f"cannot read the archive {str(path)!r}: {error}") from error
    except _DAMAGED as error:
        reason = " ".join(str(error).split())[:200]
        raise LogFormatError(
            f"cannot read the archive {str(path)!r}: it is damaged or of a kind that is not read "
            f"({type(error).__name__}: {reason})"
        ) from error


class _Refused(Exception):
    """A reason why an archive is not read."""


class _Member(NamedTuple):
    """A file or folder of an archive: what is wrong with its kind, if anything, and its content."""

    name: str
    is_folder: bool
    wrong: str
    size: int
    read: Callable[[], bytes]


def _read_tar(file: BinaryIO) -> dict[str, bytes]:
    unpacked = gzip.GzipFile(fileobj=file) if _starts_with(file, b"\x1f\x8b") else file
    source = _Limited(unpacked, _allowed_bytes(file))
    with tarfile.open(fileobj=source, mode="r|") as archive:
        contents = _read_members(_tar_member(archive, info) for info in archive)
    while source.read(2**20):
        pass  # to the end, where gzip keeps its checksum
    return contents


def _tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> _Member:
    def read() -> bytes:
        file = archive.extractfile(info)
        return b"" if file is None else file.read()

    is_file = info.isreg() and not info.issparse()
    wrong = "" if is_file else "is no regular file (a link, a device or sparse)"
    return _Member(info.name, info.isdir(), wrong, info.size, read)


def _read_zip(file: BinaryIO) -> dict[str, bytes]:
    allowed = _allowed_bytes(file)
    with zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        if len(infos) > MAX_FILES:
            raise _Refused(f"it has {len(infos)} members; at most {MAX_FILES} are read")
        if sum(info.file_size for info in infos) > allowed:
            raise _Refused(f"it unpacks to more than the {allowed} bytes allowed for its size")
        return _read_members(_zip_member(archive, info) for info in infos)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Member:
    def read() -> bytes:
        with archive.open(info) as file:
            return file.read(info.file_size + 1)

    wrong = "is encrypted" if info.flag_bits & 1 else ""
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        wrong = "is no regular file (a link or device)"
    return _Member(info.filename, info.is_dir(), wrong, info.file_size, read)


def _read_members(members: Iterator[_Member]) -> dict[str, bytes]:
    """Check every member, read those that are data."""
    contents: dict[str, bytes] = {}
    for count, member in enumerate(members, start=1):
        if count > MAX_FILES:
            raise _Refused(f"it has more than {MAX_FILES} members")
        path = PurePosixPath(member.name.replace("\\", "/"))
        name = str(path)
        wrong = _wrong_name(member.name, path)
        if member.is_folder and not wrong:
            continue
        wrong = wrong or member.wrong or ("" if path.parts else "has no proper name")
        if not wrong and not is_data(name):
            continue
        if not wrong and name in contents:
            wrong = "is there twice"
        if not wrong:
            contents[name] = member.read()
            if len(contents[name]) != member.size:
                wrong = "is not of the size it declares"
        if wrong:
            short_name = member.name if len(member.name) <= 60 else member.name[:60] + "…"
            raise _Refused(f"member {short_name!r} {wrong}")
    return contents


def _wrong_name(name: str, path: PurePosixPath) -> str:
    if not name.isprintable() or len(name) > MAX_NAME_CHARACTERS:
        return "has no proper name"
    if path.is_absolute() or ".." in path.parts or ":" in name.split("/", 1)[0]:
        return "leads out of the archive"
    return ""


class _Limited(io.RawIOBase):
    """Counts the bytes that a decompressor gives, and stops it where they are too many."""

    def __init__(self, source: BinaryIO | gzip.GzipFile, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._left = limit

    def read(self, size: int = -1, /) -> bytes:
        data = self._source.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _Refused(f"it unpacks to more than the {self._limit} bytes allowed for its size")
        return data


def _allowed_bytes(file: BinaryIO) -> int:
    return min(FREE_BYTES + MAX_RATIO * os.fstat(file.fileno()).st_size, MAX_BYTES)


def _starts_with(file: BinaryIO, magic: bytes) -> bool:
    found = file.read(len(magic))
    file.seek(0)
    return found == magic

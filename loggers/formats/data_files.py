"""Read the files of another tool's data set from a folder or an archive file.

`open_data` returns them as `DataFiles`, a mapping from names to contents. Data sets may come from
anyone, so nothing in them is trusted: paths that lead out of a data set, and archives that unpack
to far more than their size, are refused before they are read. Members of archives are read one by
one into memory and never extracted to disk.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from ..errors import LogFormatError, LogNotFoundError
from ..hdf5.opening import open_regular
from .blocks import TextError

SUFFIXES = (".info", ".dat", ".tdat", ".rdat", ".mdat", ".adat", ".json")
"""Endings of the names of data files. Other files are ignored."""

MAX_FILES = 100_000
MAX_BYTES = 2 * 2**30
MAX_RATIO = 100
FREE_BYTES = 64 * 2**20
"""An archive may unpack to ``FREE_BYTES + MAX_RATIO * size`` bytes, and at most ``MAX_BYTES``."""
MAX_NAME_CHARACTERS = 255

_DAMAGED = (
    OSError, EOFError, ValueError, KeyError, IndexError, zlib.error, zipfile.BadZipFile,
    tarfile.TarError, NotImplementedError, RuntimeError, OverflowError, MemoryError,
)  # fmt: skip
"""Exceptions that the standard library raises for damaged archives."""

_MAX_DEPTH = 8
"""Levels of folders that are searched for data."""
PARQUET_INDEX = "firsthit.json"
"""Index file of a folder of Parquet files, see `parquet`."""
_PROBLEM = re.compile(r"_f(\d{1,9})_(?:DIM|d)(\d{1,9})(?!\d)")
"""Function and dimension in the name of a data file of COCO or IOHprofiler."""
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")


class DataFiles(Mapping[str, bytes]):
    """The files of one data set: a mapping from names to contents.

    Args:
        where: Path of the folder or archive, for messages.
        contents: Content of each file, or its path, from which it is read when it is asked for. The
            names are relative to the data set's top, with ``/`` between folders.
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
        """Return the content of a file as text; bytes that are not UTF-8 become U+FFFD."""
        return self[name].decode("utf-8", "replace")

    def neighbour_file(
        self, index: str, written: str, folder: str = "", line: int | None = None
    ) -> str:
        """Return the name of a data file that an index file refers to.

        Args:
            index: Name of the index file.
            written: Path in the index file, relative to the folder of the index file.
            folder: Folder in which the path lies, relative to the folder of the index file.
            line: Line of the path in the index file, from 1, for the message.

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
        """Make an error that names the data set.

        Args:
            name: Name of the file; ``""``: the message names no file.
            reason: Sentence on the fault.
            line: Line in the file, from 1. None: the message names no line.

        Returns:
            The error, which the caller raises.
        """
        location = f"{str(self.where)!r}" + (f", {name!r}" if name else "")
        location += f", line {line}" if line is not None else ""
        return LogFormatError(f"cannot read the data in {location}: {reason}")

    @contextlib.contextmanager
    def parsing(self, name: str) -> Iterator[None]:
        """Convert a TextError of the block to a LogFormatError that names data set and file."""
        try:
            yield
        except TextError as error:
            raise self.error(name, str(error), error.line) from error


def is_archive(path: Path) -> bool:
    """Return whether a path has the name of an archive that can be read."""
    return path.name.lower().endswith(_ARCHIVES)


def is_parquet(folder: Path) -> bool:
    """Return whether a folder was written by `write_parquet`."""
    return (folder / PARQUET_INDEX).is_file()


def is_data(name: str) -> bool:
    """Return whether a name is that of a data file, neither hidden nor metadata of macOS."""
    is_hidden = name.startswith("__MACOSX/") or _file_name(name).startswith(".")
    return name.endswith(SUFFIXES) and not is_hidden


def is_ioh_index(name: str) -> bool:
    """Return whether a name is that of an index file of IOHprofiler."""
    return _file_name(name).startswith("IOHprofiler") and name.endswith((".json", ".info"))


def is_index(name: str) -> bool:
    """Return whether a name is that of an index file of COCO or IOHprofiler."""
    return not _file_name(name).startswith(".") and (name.endswith(".info") or is_ioh_index(name))


def has_other_problem(name: str, function: int | None, dimension: int) -> bool:
    """Return whether the name of a data file contains another function or dimension."""
    match = _PROBLEM.search(_file_name(name))
    return match is not None and (int(match[1]), int(match[2])) != (function, dimension)


def describe_mixed_folders(writers: Mapping[str, Collection[str]]) -> list[str]:
    """Return a note on each folder whose index files name several suites or algorithms.

    Args:
        writers: Texts ``ALGORITHM on SUITE`` of the index files in each folder.
    """
    notes = []
    for folder, texts in writers.items():
        if len(texts) > 1:
            where = f"the folder {folder!r}" if folder else "one folder"
            notes.append(
                f"the index files of {where} name several suites or algorithms: "
                f"{', '.join(sorted(texts))}."
            )
    return notes


def _file_name(name: str) -> str:
    return name.rpartition("/")[2]


def open_data(path: Path) -> DataFiles:
    """Open the data set in a folder or archive. Archives are read into memory.

    Raises:
        LogNotFoundError: There is no such folder or file.
        LogFormatError: The archive is damaged or refused, or there are too many files.
    """
    if path.is_dir():
        return DataFiles(path, _list_files(path))
    if not path.is_file():
        raise LogNotFoundError(f"no data at {str(path)!r}: give a folder or an archive")
    return DataFiles(path, _read_archive(path))


def _list_files(path: Path) -> dict[str, str]:
    """Map the name of each data file to its path; skip hidden folders and links to folders."""
    paths: dict[str, str] = {}
    for folder, folders, files in os.walk(path):
        relative = Path(folder).relative_to(path)
        goes_deeper = len(relative.parts) < _MAX_DEPTH
        folders[:] = [name for name in folders if goes_deeper and not name.startswith(".")]
        for file in files:
            name = (relative / file).as_posix()
            if not is_data(name):
                continue
            paths[name] = os.path.join(folder, file)
            if len(paths) > MAX_FILES:
                raise LogFormatError(
                    f"cannot read the data in {str(path)!r}: it has more than {MAX_FILES} files"
                )
    return paths


def _read_archive(path: Path) -> dict[str, bytes]:
    """Map the name of each data file in an archive to its content; check all other members."""
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
    """The reason why an archive is not read."""


class _Member(NamedTuple):
    """A file or folder in an archive."""

    name: str
    is_folder: bool
    fault: str  # why its kind is refused; empty: it is not
    size: int  # bytes, as declared in the archive
    read: Callable[[], bytes]  # returns its content


def _read_tar(file: BinaryIO) -> dict[str, bytes]:
    unpacked = gzip.GzipFile(fileobj=file) if _starts_with(file, b"\x1f\x8b") else file
    source = _LimitedReader(unpacked, _allowed_bytes(file))
    with tarfile.open(fileobj=source, mode="r|") as archive:
        contents = _read_members(_make_tar_member(archive, info) for info in archive)
    while source.read(2**20):
        pass  # read to the end, where gzip checks the checksum
    return contents


def _make_tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> _Member:
    def read() -> bytes:
        file = archive.extractfile(info)
        return b"" if file is None else file.read()

    is_file = info.isreg() and not info.issparse()
    fault = "" if is_file else "is no regular file (a link, a device or sparse)"
    return _Member(info.name, info.isdir(), fault, info.size, read)


def _read_zip(file: BinaryIO) -> dict[str, bytes]:
    allowed = _allowed_bytes(file)
    with zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        if len(infos) > MAX_FILES:
            raise _Refused(f"it has {len(infos)} members; at most {MAX_FILES} are read")
        if sum(info.file_size for info in infos) > allowed:
            raise _Refused(f"it unpacks to more than the {allowed} bytes allowed for its size")
        return _read_members(_make_zip_member(archive, info) for info in infos)


def _make_zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Member:
    def read() -> bytes:
        with archive.open(info) as file:
            return file.read(info.file_size + 1)  # one more shows that the declared size is wrong

    fault = "is encrypted" if info.flag_bits & 1 else ""
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        fault = "is no regular file (a link or device)"
    return _Member(info.filename, info.is_dir(), fault, info.file_size, read)


def _read_members(members: Iterator[_Member]) -> dict[str, bytes]:
    """Check all members of an archive, and read the data files among them."""
    contents: dict[str, bytes] = {}
    for count, member in enumerate(members, start=1):
        if count > MAX_FILES:
            raise _Refused(f"it has more than {MAX_FILES} members")
        path = PurePosixPath(member.name.replace("\\", "/"))
        name = str(path)
        fault = _find_fault_in_name(member.name, path)
        if member.is_folder and not fault:
            continue
        fault = fault or member.fault or ("" if path.parts else "has no proper name")
        if not fault and not is_data(name):
            continue
        if not fault and name in contents:
            fault = "is there twice"
        if not fault:
            contents[name] = member.read()
            if len(contents[name]) != member.size:
                fault = "does not have the size that it declares"
        if fault:
            short_name = member.name if len(member.name) <= 60 else member.name[:60] + "…"
            raise _Refused(f"member {short_name!r} {fault}")
    return contents


def _find_fault_in_name(name: str, path: PurePosixPath) -> str:
    if not name.isprintable() or len(name) > MAX_NAME_CHARACTERS:
        return "has no proper name"
    if path.is_absolute() or ".." in path.parts or ":" in name.split("/", 1)[0]:
        return "leads out of the archive"
    return ""


class _LimitedReader(io.RawIOBase):
    """A reader that raises `_Refused` if a decompressor returns more bytes than allowed."""

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
    beginning = file.read(len(magic))
    file.seek(0)
    return beginning == magic

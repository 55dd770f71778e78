"""The files of a data set, from a folder or an archive, believed in nothing.

Archives are read member by member into memory and never extracted. What could lead outside of the
data set, or hide more data than a file of its size holds, is refused before it is read.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

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
    try:
        contents = _of_zip(path) if _starts_with(path, b"PK") else _of_tar(path)
    except _Refused as error:
        raise LogFormatError(f"cannot read the archive {str(path)!r}: {error}") from error
    except (
        OSError, EOFError, ValueError, KeyError, IndexError, zlib.error, zipfile.BadZipFile,
        tarfile.TarError, NotImplementedError, RuntimeError, OverflowError, MemoryError,
    ) as error:  # fmt: skip
        reason = " ".join(str(error).split())[:200]
        raise LogFormatError(
            f"cannot read the archive {str(path)!r}: it is damaged or of a kind that is not read "
            f"({type(error).__name__}: {reason})"
        ) from error
    return Members(path, {name: _giver(content) for name, content in contents.items()})


class _Refused(Exception):
    """A reason why an archive is not read."""


class _Bounded(io.RawIOBase):
    """Counts the bytes that a decompressor gives, and stops it where they are too many."""

    def __init__(self, source: io.BufferedIOBase, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._left = limit

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _Refused(f"it unpacks to more than the {self._limit} bytes allowed for its size")
        return data


def _of_tar(path: Path) -> dict[str, bytes]:
    zipped = _starts_with(path, b"\x1f\x8b")
    with open(path, "rb") as file:
        source = gzip.GzipFile(fileobj=file) if zipped else file
        bounded = _Bounded(source, _allowed(path))
        with tarfile.open(fileobj=bounded, mode="r|") as archive:
            contents = _collect(_tar_members(archive))
        while bounded.read(2**20):
            pass  # to the end, where gzip keeps its checksum
    return contents


def _tar_members(archive: tarfile.TarFile) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for member in archive:
        if member.isdir():
            _check_place(member.name)
            continue
        if not member.isreg() or member.issparse():
            raise _Refused(
                f"member {_shown(member.name)} is no regular file (a link, a device or sparse)"
            )

        def read(member: tarfile.TarInfo = member) -> bytes:
            file = archive.extractfile(member)
            content = b"" if file is None else file.read()
            if len(content) != member.size:
                raise _Refused(f"member {_shown(member.name)} is cut off")
            return content

        yield member.name, read


def _of_zip(path: Path) -> dict[str, bytes]:
    allowed = _allowed(path)
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
        if len(infos) > MAX_MEMBERS:
            raise _Refused(f"it has {len(infos)} members; at most {MAX_MEMBERS} are read")
        if sum(info.file_size for info in infos) > allowed:
            raise _Refused(f"it unpacks to more than the {allowed} bytes allowed for its size")
        return _collect(_zip_members(archive, infos, allowed))


def _zip_members(
    archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], allowed: int
) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for info in infos:
        kind = stat.S_IFMT(info.external_attr >> 16)
        if info.is_dir():
            _check_place(info.filename)
            continue
        if kind not in (0, stat.S_IFREG):
            raise _Refused(f"member {_shown(info.filename)} is no regular file (a link or device)")
        if info.flag_bits & 1:
            raise _Refused(f"member {_shown(info.filename)} is encrypted")

        def read(info: zipfile.ZipInfo = info) -> bytes:
            nonlocal allowed
            with archive.open(info) as file:
                content = file.read(min(info.file_size, allowed) + 1)
            allowed -= len(content)
            if len(content) != info.file_size:
                raise _Refused(f"member {_shown(info.filename)} is not of the size it declares")
            return content

        yield info.filename, read


def _collect(members: Iterator[tuple[str, Callable[[], bytes]]]) -> dict[str, bytes]:
    """Check every name, read what has to do with data."""
    contents: dict[str, bytes] = {}
    for count, (raw, read) in enumerate(members, start=1):
        if count > MAX_MEMBERS:
            raise _Refused(f"it has more than {MAX_MEMBERS} members")
        name = _checked_name(raw)
        if not _is_data(name):
            continue
        if name in contents:
            raise _Refused(f"member {_shown(name)} is there twice")
        contents[name] = read()
    return contents


def _of_folder(path: Path) -> Members:
    root = path.resolve()
    readers: dict[str, Callable[[], bytes]] = {}
    for place, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if len(Path(place).relative_to(root).parts) >= _DEPTH:
            folders.clear()
        above = Path(place).relative_to(root).as_posix()
        for name in files:
            if not name.endswith(SUFFIXES):
                continue
            relative = name if above == "." else f"{above}/{name}"
            file = os.path.join(place, name)
            if not _is_data(relative):
                continue
            if not _is_regular_within(file, root):
                raise LogFormatError(
                    f"cannot read the data in {str(path)!r}: {relative!r} is a link that leads "
                    "out of the folder, or no regular file"
                )
            readers[relative] = _file_reader(file, path)
            if len(readers) > MAX_MEMBERS:
                raise LogFormatError(
                    f"cannot read the data in {str(path)!r}: it holds more than {MAX_MEMBERS} files"
                )
    return Members(path, readers)


def _is_regular_within(file: str, root: Path) -> bool:
    """Whether this is a regular file, and no link that leads out of ``root``."""
    mode = os.lstat(file).st_mode
    if stat.S_ISLNK(mode):
        target = Path(file).resolve()
        return target.is_relative_to(root) and target.is_file()
    return stat.S_ISREG(mode)


def _file_reader(file: str, where: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            with open(file, "rb") as stream:
                return stream.read()
        except OSError as error:
            raise LogFormatError(f"cannot read the data in {str(where)!r}: {error}") from error

    return read


def _giver(content: bytes) -> Callable[[], bytes]:
    return lambda: content


def _is_data(name: str) -> bool:
    parts = PurePosixPath(name).parts
    hidden = parts[-1].startswith(".") or parts[0] == "__MACOSX"
    return name.endswith(SUFFIXES) and not hidden


def _checked_name(name: str) -> str:
    """The name with ``/`` between folders, where it stays within the data set."""
    path = _check_place(name)
    if not path.parts:
        raise _Refused(f"member {_shown(name)} has no proper name")
    return str(path)


def _check_place(name: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    if not name.isprintable() or len(name) > MAX_NAME_CHARACTERS:
        raise _Refused(f"member {_shown(name)} has no proper name")
    if path.is_absolute() or ".." in path.parts or ":" in name.split("/", 1)[0]:
        raise _Refused(f"member {_shown(name)} leads out of the archive")
    return path


def _shown(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:60] + "…")


def _allowed(path: Path) -> int:
    return min(FREE_BYTES + MAX_RATIO * path.stat().st_size, MAX_BYTES)


def _starts_with(path: Path, magic: bytes) -> bool:
    with open(path, "rb") as file:
        return file.read(len(magic)) == magic

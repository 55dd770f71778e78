"""The files of an archive: members are read one by one into memory and never extracted.

What could lead out of the archive, or unpack to far more than its size, is refused.
"""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from ..errors import LogFormatError
from .data_files import MAX_FILES, is_data

MAX_BYTES = 2 * 2**30
MAX_RATIO = 100
FREE_BYTES = 64 * 2**20
"""An archive may unpack to ``FREE_BYTES + MAX_RATIO`` times its size, and to ``MAX_BYTES``."""
MAX_NAME_CHARACTERS = 255


def read_archive(path: Path) -> dict[str, bytes]:
    """Name to content of the files of data in an archive.

    Raises:
        LogFormatError: It is damaged, or something in it is refused.
    """
    try:
        return _of_zip(path) if _starts_with(path, b"PK") else _of_tar(path)
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
        if len(infos) > MAX_FILES:
            raise _Refused(f"it has {len(infos)} members; at most {MAX_FILES} are read")
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
        if count > MAX_FILES:
            raise _Refused(f"it has more than {MAX_FILES} members")
        name = _checked_name(raw)
        if not is_data(name):
            continue
        if name in contents:
            raise _Refused(f"member {_shown(name)} is there twice")
        contents[name] = read()
    return contents


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

"""Data that were published in an archive, by name: fetched once, checked at every use.

The network is touched where such a name is used and its data are not on this machine yet.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any

from filelock import FileLock

from ....suites.errors import FirsthitError
from ...errors import LogFormatError, LogNotFoundError, LogReadError
from ..data_files import MAX_BYTES
from .archive import (
    DEFINITION,
    MAX_DEFINITION_BYTES,
    PREFIX,
    PublishedData,
    matching,
    parsed_definition,
    read_definition,
    selected,
    sha256_of,
)

OFFICIAL = "https://numbbo.github.io/data-archive/data-archive"
VARIABLE = "FIRSTHIT_COCO_ARCHIVE"
"""Environment variable with the URL or folder of another archive."""

TIMEOUT_SECONDS = 30.0
"""How long a server may be silent."""

_COCOPP_SHORT = ("numbbo.github.io/data-archive/data-archive", "da")
"""What cocopp writes shorter in its cache."""
_BLOCK = 2**18


@dataclass(frozen=True, slots=True)
class Fetched:
    """A data set on this machine."""

    name: str  # ``coco:`` and its whole name in the archive
    path: Path  # its content has the SHA-256 of the archive's definition
    sha256: str  # hexadecimal


def archive() -> FolderArchive | WebArchive:
    """The official archive, or the one that the variable names."""
    place = os.environ.get(VARIABLE) or OFFICIAL
    if "://" in place:
        return WebArchive(place.rstrip("/"))
    if not Path(place).is_dir():
        raise LogNotFoundError(
            f"no archive of data at {place!r}: give an https address or a folder"
        )
    return FolderArchive(place)


def fetched(name: str) -> list[Fetched]:
    """The data sets that ``coco:PATTERN`` means, on this machine; see ``archive.selected``."""
    pattern, place = name.removeprefix(PREFIX).strip(), archive()
    data_sets = {data.name: data for data in place.data_sets()}
    stem = pattern[:-1] if pattern.endswith(("!", "*")) else pattern
    if not matching(list(data_sets), stem):
        with contextlib.suppress(LogReadError):
            data_sets = {data.name: data for data in place.data_sets(renew=True)}
    chosen = [data_sets[name] for name in selected(list(data_sets), pattern, place.place)]
    return [Fetched(PREFIX + data.name, place.fetch(data), data.sha256) for data in chosen]


class FolderArchive:
    """A folder of this machine with a definition file; its data are used where they are.

    Its methods are those of `WebArchive`, too.
    """

    def __init__(self, place: str) -> None:
        self.place = place

    def data_sets(self, renew: bool = False) -> tuple[PublishedData, ...]:
        """All data sets; ``renew`` asks for what is new."""
        definition = Path(self.place, DEFINITION)
        if not definition.is_file():
            raise LogNotFoundError(
                f"no {DEFINITION} in {self.place!r}; `firsthit data index {self.place}` writes it"
            )
        return read_definition(definition)

    def local(self, data: PublishedData) -> Path | None:
        """The file of a data set on this machine, not checked; None where there is none."""
        path = Path(self.place, data.name)
        return path if path.is_file() else None

    def fetch(self, data: PublishedData) -> Path:
        """The file of a data set on this machine, checked; it is downloaded where need be."""
        path = self.local(data)
        if path is None:
            raise LogNotFoundError(f"{data.name!r} of {DEFINITION} is not in {self.place!r}")
        if sha256_of(path) != data.sha256:
            raise LogFormatError(
                f"{str(path)!r} is not the file that {DEFINITION} means: its SHA-256 is another; "
                f"`firsthit data index {self.place}` writes the definition again"
            )
        return path


class WebArchive:
    """An archive on a web server. What was downloaded is kept in the user's folder of caches."""

    def __init__(self, place: str) -> None:
        self.place = place
        _check_scheme(place, place)

    @property
    def _definition(self) -> Path:
        host_and_path = self.place.partition("://")[2]
        return cache() / "definitions" / urllib.parse.quote(host_and_path, "") / DEFINITION

    def data_sets(self, renew: bool = False) -> tuple[PublishedData, ...]:
        """All data sets; the definition is downloaded once, and again to renew it."""
        if renew or not self._definition.is_file():
            url = f"{self.place}/{DEFINITION}"
            content = b"".join(_downloaded(url, MAX_DEFINITION_BYTES))
            parsed_definition(content.decode("utf-8", "replace"), url)
            with _written(self._definition) as part:
                part.write_bytes(content)
        return read_definition(self._definition)

    def local(self, data: PublishedData) -> Path | None:
        """The file of a data set, not checked; what cocopp downloaded counts."""
        own, theirs = self._place_of(data), self._place_of_cocopp(data)
        return next((path for path in (own, theirs) if path.is_file()), None)

    def _place_of(self, data: PublishedData) -> Path:
        return cache() / data.sha256 / data.name.rpartition("/")[2]

    def _place_of_cocopp(self, data: PublishedData) -> Path:
        import platformdirs

        host_and_path = self.place.partition("://")[2].replace(*_COCOPP_SHORT)
        return Path(platformdirs.user_cache_dir("cocopp"), "das", host_and_path, data.name)

    def fetch(self, data: PublishedData) -> Path:
        """The file of a data set, checked; of several processes, one downloads."""
        own = self._place_of(data)
        for path in (own, self._place_of_cocopp(data)):
            if path.is_file() and sha256_of(path) == data.sha256:
                return path
        with _written(own) as part:
            if not own.is_file() or sha256_of(own) != data.sha256:
                self._download(data, part)
        return own

    def _download(self, data: PublishedData, part: Path) -> None:
        url = f"{self.place}/{urllib.parse.quote(data.name)}"
        limit = MAX_BYTES if data.kilobytes is None else 1000 * (data.kilobytes + 1)
        digest = hashlib.sha256()
        with open(part, "wb") as file:
            for block in _with_progress(_downloaded(url, limit), data):
                digest.update(block)
                file.write(block)
        if digest.hexdigest() != data.sha256:
            raise LogFormatError(
                f"what {url!r} gives is not what the archive's definition means: its SHA-256 is "
                f"{digest.hexdigest()}, and {data.sha256} was expected; `firsthit data list` asks "
                "for the definition anew"
            )


def cache() -> Path:
    """The folder where what was downloaded is kept."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("firsthit", appauthor=False), "coco")


@contextlib.contextmanager
def _written(target: Path) -> Iterator[Path]:
    """A file beside ``target`` that takes its name when it is whole; for one process at a time."""
    part = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{target}.lock"):
            try:
                yield part
                if part.exists():
                    part.replace(target)
            finally:
                part.unlink(missing_ok=True)
    except FirsthitError:
        raise
    except OSError as error:
        raise LogReadError(
            f"cannot keep {target.name!r} in {str(target.parent)!r}: {error}"
        ) from error


def _with_progress(blocks: Iterable[bytes], data: PublishedData) -> Iterator[bytes]:
    """The blocks of a download, with a bar on a terminal."""
    from tqdm.auto import tqdm

    total = None if data.kilobytes is None else 1000 * data.kilobytes
    with tqdm(
        total=total, desc=data.name, unit="B", unit_scale=True, leave=False, disable=None
    ) as bar:
        for block in blocks:
            bar.update(len(block))
            yield block


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to https and http, never from https to http."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str,
        headers: HTTPMessage, newurl: str,
    ) -> urllib.request.Request | None:  # fmt: skip
        _check_scheme(newurl, req.full_url)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check_scheme(url: str, origin: str) -> None:
    """LogNotFoundError for an address that is not followed from another."""
    allowed = (
        ["https"] if url != origin and origin.lower().startswith("https:") else ["https", "http"]
    )
    scheme = urllib.parse.urlsplit(url).scheme.lower()
    if scheme not in allowed:
        raise LogNotFoundError(f"the address {url!r} is not used: only {' and '.join(allowed)} are")


def _downloaded(url: str, limit: int) -> Iterator[bytes]:
    """What an address gives, block by block; proxies and certificates as ``urllib`` has them."""
    opener = urllib.request.build_opener(_Redirects)
    try:
        with opener.open(url, timeout=TIMEOUT_SECONDS) as answer:
            yield from _blocks(answer, url, limit)
    except FirsthitError:
        raise
    except urllib.error.HTTPError as error:
        error.close()
        answered = f"the server answers {error.code} ({error.reason})"
        raise LogReadError(f"cannot fetch {url!r}: {answered}") from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise LogReadError(
            f"cannot fetch {url!r}: {reason}; what was fetched before can be used offline"
        ) from error


def _blocks(answer: Any, url: str, limit: int) -> Iterator[bytes]:
    declared = answer.headers.get("Content-Length", "")
    done = 0
    while block := answer.read(_BLOCK):
        done += len(block)
        if done > limit:
            raise LogReadError(f"cannot fetch {url!r}: it has more than the {limit} bytes allowed")
        yield block
    if declared.isdecimal() and done < int(declared):
        raise LogReadError(f"cannot fetch {url!r}: it broke off after {done} of {declared} bytes")

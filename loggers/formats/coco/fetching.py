"""Fetch published data sets of an archive by name, and check their SHA-256 at each use.

An archive is a folder on this machine (`FolderArchive`) or on a web server (`WebArchive`).
Downloads are kept in the user's cache folder, so the network is used only for a name whose data are
not on this machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from typing import IO

from filelock import FileLock

from ....suites.errors import FirsthitError
from ...errors import LogFormatError, LogNotFoundError, LogReadError
from ..data_files import MAX_BYTES
from .archive import (
    DEFINITION,
    MAX_DEFINITION_BYTES,
    PREFIX,
    PublishedData,
    match_names,
    parse_definition,
    read_definition,
    selected,
    sha256_of,
)

OFFICIAL = "https://numbbo.github.io/data-archive/data-archive"
VARIABLE = "FIRSTHIT_COCO_ARCHIVE"
"""Environment variable with the URL or folder of another archive."""

TIMEOUT_SECONDS = 30.0
"""Maximum time that a server may send nothing."""
DOWNLOAD_SECONDS = 600.0
BYTES_PER_SECOND = 100_000
"""A download may take `DOWNLOAD_SECONDS`, and one second more for each `BYTES_PER_SECOND` bytes
that the server announces."""

_COCOPP_SHORT = ("numbbo.github.io/data-archive/data-archive", "da")
"""Path of the official archive, and its abbreviation in cocopp's cache."""
_BLOCK_BYTES = 2**18


@dataclass(frozen=True, slots=True)
class Fetched:
    """A data set on this machine."""

    name: str  # ``coco:`` and the full name in the archive
    path: Path  # of the file, whose SHA-256 was checked
    sha256: str  # hexadecimal


def archive() -> FolderArchive | WebArchive:
    """Return the archive that the environment variable names; without it, the official one.

    Raises:
        LogNotFoundError: The variable is neither a folder nor an address with http or https.
    """
    location = os.environ.get(VARIABLE) or OFFICIAL
    if "://" in location:
        return WebArchive(location.rstrip("/"))
    if not Path(location).is_dir():
        raise LogNotFoundError(
            f"no archive of data at {location!r}: give an https address or a folder"
        )
    return FolderArchive(location)


def fetched(name: str) -> list[Fetched]:
    """Fetch the data sets that a name selects; download those that are not on this machine.

    If nothing matches, the definition of the archive is downloaded again, because it may be old.

    Args:
        name: ``coco:PATTERN``; for the pattern see `archive.selected`.

    Returns:
        At least one data set.

    Raises:
        LogNotFoundError: There is no archive, or no data set matches.
        LogFormatError: A file does not have the SHA-256 of the definition.
        LogReadError: A download fails.
    """
    pattern, source = name.removeprefix(PREFIX).strip(), archive()
    data_sets = {data.name: data for data in source.data_sets()}
    stem = pattern[:-1] if pattern.endswith(("!", "*")) else pattern
    if not match_names(list(data_sets), stem):
        with contextlib.suppress(LogReadError):
            data_sets = {data.name: data for data in source.data_sets(renew=True)}
    selection = [data_sets[name] for name in selected(list(data_sets), pattern, source.location)]
    return [Fetched(PREFIX + data.name, source.fetch(data), data.sha256) for data in selection]


class FolderArchive:
    """An archive in a folder of this machine. Its files are used without being copied.

    It has the methods of `WebArchive`.
    """

    def __init__(self, location: str) -> None:
        self.location = location

    def data_sets(self, renew: bool = False) -> tuple[PublishedData, ...]:
        """Read the definition of the archive; ``renew`` has no effect.

        Raises:
            LogNotFoundError: There is no definition file.
            LogFormatError: The definition file cannot be parsed.
        """
        definition = Path(self.location, DEFINITION)
        if not definition.is_file():
            raise LogNotFoundError(
                f"no {DEFINITION} in {self.location!r}; "
                f"`firsthit data index {self.location}` writes it"
            )
        return read_definition(definition)

    def local(self, data: PublishedData) -> Path | None:
        """Return the file of a data set without checking it; None if it does not exist."""
        path = Path(self.location, data.name)
        return path if path.is_file() else None

    def fetch(self, data: PublishedData) -> Path:
        """Return the file of a data set after checking its SHA-256.

        Raises:
            LogNotFoundError: The file does not exist.
            LogFormatError: It has another SHA-256.
        """
        path = self.local(data)
        if path is None:
            raise LogNotFoundError(f"{data.name!r} of {DEFINITION} is not in {self.location!r}")
        if sha256_of(path) != data.sha256:
            raise LogFormatError(
                f"{str(path)!r} is not the file that {DEFINITION} means: its SHA-256 is another; "
                f"`firsthit data index {self.location}` writes the definition again"
            )
        return path


class WebArchive:
    """An archive on a web server. Downloads are kept in the user's cache folder.

    Args:
        location: URL with http or https, without a slash at the end.

    Raises:
        LogNotFoundError: The URL has another scheme.
    """

    def __init__(self, location: str) -> None:
        self.location = location
        _check_scheme(location, location)

    @property
    def _definition(self) -> Path:
        """Path of the downloaded definition file."""
        host_and_path = self.location.partition("://")[2]
        return cache() / "definitions" / urllib.parse.quote(host_and_path, "") / DEFINITION

    def data_sets(self, renew: bool = False) -> tuple[PublishedData, ...]:
        """Read the definition of the archive.

        Args:
            renew: Whether to download the definition again. Without it, it is downloaded once.

        Raises:
            LogReadError: The download fails.
            LogFormatError: The definition cannot be parsed; an older copy is kept.
        """
        if renew or not self._definition.is_file():
            url = f"{self.location}/{DEFINITION}"
            content = b"".join(_download_blocks(url, MAX_DEFINITION_BYTES))
            parse_definition(content.decode("utf-8", "replace"), url)
            with _download_to(self._definition) as part:
                part.write_bytes(content)
        return read_definition(self._definition)

    def local(self, data: PublishedData) -> Path | None:
        """Return the file of a data set in the cache of firsthit or cocopp, without checking it.

        None if neither has it.
        """
        paths = (self._cached_path(data), self._cocopp_path(data))
        return next((path for path in paths if path.is_file()), None)

    def _cached_path(self, data: PublishedData) -> Path:
        return cache() / data.sha256 / data.name.rpartition("/")[2]

    def _cocopp_path(self, data: PublishedData) -> Path:
        import platformdirs

        host_and_path = self.location.partition("://")[2].replace(*_COCOPP_SHORT)
        return Path(platformdirs.user_cache_dir("cocopp"), "das", host_and_path, data.name)

    def fetch(self, data: PublishedData) -> Path:
        """Return the file of a data set after checking its SHA-256; download it if necessary.

        If several processes fetch the same file, one downloads it and the others wait.

        Raises:
            LogReadError: The download fails.
            LogFormatError: The downloaded file has another SHA-256.
        """
        cached = self._cached_path(data)
        for path in (cached, self._cocopp_path(data)):
            if path.is_file() and sha256_of(path) == data.sha256:
                return path
        with _download_to(cached) as part:
            # Another process may have finished the download while this one waited for the lock.
            if not cached.is_file() or sha256_of(cached) != data.sha256:
                self._download(data, part)
        return cached

    def _download(self, data: PublishedData, part: Path) -> None:
        url = f"{self.location}/{urllib.parse.quote(data.name)}"
        limit = MAX_BYTES if data.kilobytes is None else 1000 * (data.kilobytes + 1)
        digest = hashlib.sha256()
        with open(part, "wb") as file:
            for block in _show_progress(_download_blocks(url, limit), data):
                digest.update(block)
                file.write(block)
        if digest.hexdigest() != data.sha256:
            raise LogFormatError(
                f"what {url!r} gives is not what the archive's definition means: its SHA-256 is "
                f"{digest.hexdigest()}, and {data.sha256} was expected; `firsthit data list` asks "
                "for the definition anew"
            )


def cache() -> Path:
    """Return the folder in which downloads are kept; it need not exist."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("firsthit", appauthor=False), "coco")


@contextlib.contextmanager
def _download_to(target: Path) -> Iterator[Path]:
    """Lock a file, yield a temporary path beside it, and rename that to the file at the end.

    The block may leave the temporary path without a file: then the file is not changed. Blocks
    while another process has the lock.
    """
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


def _show_progress(blocks: Iterable[bytes], data: PublishedData) -> Iterator[bytes]:
    """Yield the blocks of a download, and show a progress bar if stderr is a terminal."""
    from tqdm.auto import tqdm

    total = None if data.kilobytes is None else 1000 * data.kilobytes
    with tqdm(
        total=total, desc=data.name, unit="B", unit_scale=True, leave=False, disable=None
    ) as bar:
        for block in blocks:
            bar.update(len(block))
            yield block


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Handler that follows redirects to https and http, but not from https to http."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str,
        headers: HTTPMessage, newurl: str,
    ) -> urllib.request.Request | None:  # fmt: skip
        _check_scheme(newurl, req.full_url)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check_scheme(url: str, origin: str) -> None:
    """Raise LogNotFoundError if an address must not be opened, or not be reached by a redirect."""
    allowed = (
        ["https"] if url != origin and origin.lower().startswith("https:") else ["https", "http"]
    )
    scheme = urllib.parse.urlsplit(url).scheme.lower()
    if scheme not in allowed:
        raise LogNotFoundError(f"the address {url!r} is not used: only {' and '.join(allowed)} are")


def _download_blocks(url: str, limit: int) -> Iterator[bytes]:
    """Download a file of at most ``limit`` bytes, and yield its blocks.

    Proxies and certificates are those of ``urllib``. Errors become LogReadError. The time limit
    begins when this function is called.
    """
    start = time.monotonic()
    opener = urllib.request.build_opener(_Redirects)
    try:
        with opener.open(url, timeout=TIMEOUT_SECONDS) as answer:
            yield from _read_blocks(answer, url, limit, start)
    except FirsthitError:
        raise
    except urllib.error.HTTPError as error:
        error.close()
        answer_text = f"the server answers {error.code} ({error.reason})"
        if str(error.reason).startswith(_Redirects.inf_msg):  # three lines of text
            answer_text = "too many redirects"
        raise LogReadError(f"cannot fetch {url!r}: {answer_text}") from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise LogReadError(
            f"cannot fetch {url!r}: {reason}; what was fetched before can be used offline"
        ) from error


def _read_blocks(answer: HTTPResponse, url: str, limit: int, start: float) -> Iterator[bytes]:
    """Yield the blocks of an answer; raise LogReadError if it is too long, late or incomplete.

    Args:
        answer: The answer.
        url: Address, for messages.
        limit: Largest number of bytes.
        start: Time of `time.monotonic` at which the download began.
    """
    declared = answer.headers.get("Content-Length", "")
    announced = int(declared) if declared.isdecimal() and len(declared) < 16 else 0
    time_limit = DOWNLOAD_SECONDS + min(announced, limit) / BYTES_PER_SECOND
    n_bytes = 0
    # `read1` returns what one receive call gives. `read` would wait for a full block, and a slow
    # server would keep it waiting without end.
    while block := answer.read1(_BLOCK_BYTES):
        if time.monotonic() - start > time_limit:
            raise LogReadError(
                f"cannot fetch {url!r}: the server sent {n_bytes} bytes in {time_limit:.0f} s, the "
                "time limit of this download"
            )
        n_bytes += len(block)
        if n_bytes > limit:
            raise LogReadError(f"cannot fetch {url!r}: it has more than the {limit} bytes allowed")
        yield block
    if n_bytes < announced:
        raise LogReadError(
            f"cannot fetch {url!r}: it broke off after {n_bytes} of {declared} bytes"
        )

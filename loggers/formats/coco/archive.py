"""Read, search and write the definition file of an archive of published data of COCO.

An archive is a folder, on this machine or on a web server, with data sets of COCO and a definition
file. This file lists their names, SHA-256 and sizes. `selected` applies the rules of cocopp for
names and patterns, and `write_definition` makes an archive of a folder. `fetching.py` downloads the
data sets.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...errors import LogFormatError, LogNotFoundError, LogWriteError
from ...hdf5.opening import open_regular
from ..data_files import MAX_BYTES, is_archive

PREFIX = "coco:"
DEFINITION = "coco_archive_definition.txt"
MAX_DEFINITION_BYTES = 2**22
"""Limit for definition files. The official one has 50 kB for 400 data sets."""

_MAX_LISTED_NAMES = 12
_URL_ENTRY = "_url_"
"""First field of an entry ``('_url_', 'https://…')`` with which cocopp's local copies begin."""


class PublishedData(NamedTuple):
    """One data set of an archive."""

    name: str  # relative to the archive, ``/`` between folders
    sha256: str  # of the file, 64 hexadecimal characters
    kilobytes: int | None  # size in units of 1000 bytes, rounded down; None: unknown


def parse_definition(text: str, where: object) -> tuple[PublishedData, ...]:
    """Parse the content of a definition file.

    Args:
        text: Content of the file.
        where: Path or URL of the file, for messages.

    Returns:
        The data sets in the order of the file.

    Raises:
        LogFormatError: The text is no list of entries, an entry is invalid, or a name occurs twice.
    """
    try:
        entries = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise _format_error(where, "it is no list of (name, SHA-256, size)") from error
    if not isinstance(entries, list):
        raise _format_error(where, "it is no list of (name, SHA-256, size)")
    if entries and isinstance(entries[0], tuple) and entries[0][:1] == (_URL_ENTRY,):
        entries = entries[1:]
    data_sets = {entry.name: entry for entry in (_parse_entry(item, where) for item in entries)}
    if len(data_sets) < len(entries):
        raise _format_error(where, "it has a name twice")
    return tuple(data_sets.values())


def _parse_entry(item: object, where: object) -> PublishedData:
    if not isinstance(item, tuple) or not 2 <= len(item) <= 3:
        raise _format_error(where, f"an entry is no (name, SHA-256, size): {str(item)[:80]!r}")
    name, sha256, kilobytes = (*item, None)[:3]
    if not isinstance(name, str) or not _stays_inside(name):
        raise _format_error(where, f"{str(name)[:80]!r} is no name of a file in the archive")
    if not isinstance(sha256, str) or not re.fullmatch("[0-9a-fA-F]{64}", sha256):
        raise _format_error(where, f"{name!r} has no SHA-256 of 64 hexadecimal characters")
    if kilobytes is not None and (type(kilobytes) is not int or kilobytes < 0):
        raise _format_error(
            where, f"the size of {name!r} is {str(kilobytes)[:40]!r}, no whole number"
        )
    return PublishedData(name, sha256.lower(), kilobytes)


def _stays_inside(name: str) -> bool:
    """Return whether a name is a path below the archive's folder on all operating systems."""
    parts = name.split("/")
    return (
        name.isprintable()
        and len(name) <= 250
        and not re.search(r'[\\:*?"<>|]', name)
        and all(part.strip(". ") for part in parts)
    )


def _format_error(where: object, reason: str) -> LogFormatError:
    return LogFormatError(f"cannot use the archive's definition {str(where)!r}: {reason}")


def match_names(names: Sequence[str], pattern: str) -> list[str]:
    """Return the names that contain a pattern, or match it at their beginning.

    The rules are those of ``cocopp.archiving``; case is ignored.

    Args:
        names: Names of data sets.
        pattern: Part of a name, or a regular expression.

    Returns:
        The matches, in the order of ``names``.

    Raises:
        LogNotFoundError: The pattern is no regular expression.
    """
    try:
        rule = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise LogNotFoundError(
            f"{PREFIX + pattern!r} is no regular expression ({error}); write \\ before a character "
            "that stands for itself, and .* for anything"
        ) from error
    return [name for name in names if rule.match(name) or pattern.lower() in name.lower()]


def selected(names: Sequence[str], pattern: str, where: object) -> list[str]:
    """Return the names that a pattern selects, by the rules of ``cocopp.main``.

    Args:
        names: Names of data sets.
        pattern: ``TEXT!`` selects the first match of TEXT, ``TEXT*`` all its matches. A pattern
            with ``*`` inside is a regular expression, of which all matches are selected. Any other
            pattern must match one name, or be equal to one.
        where: Path or URL of the archive, for messages.

    Returns:
        At least one name, in the order of ``names``.

    Raises:
        LogNotFoundError: No name matches, the pattern matches several names but must match one, or
            it is no regular expression.
    """
    matches = match_names(names, pattern[:-1] if pattern.endswith(("!", "*")) else pattern)
    if not matches:
        raise LogNotFoundError(
            f"no published data match {PREFIX + pattern!r} in the archive {str(where)!r}"
            f"{_suggest_names(names, pattern)}"
        )
    if pattern.endswith("!"):
        return matches[:1]
    if "*" in pattern or len(matches) == 1:
        return matches
    if pattern in matches:
        return [pattern]
    listed = ", ".join(matches[:_MAX_LISTED_NAMES])
    listed += ", …" if len(matches) > _MAX_LISTED_NAMES else ""
    raise LogNotFoundError(
        f"{PREFIX + pattern!r} matches {len(matches)} published data sets: {listed}; name one, or "
        f"quote '{PREFIX}{pattern}!' for the first of them, '{PREFIX}{pattern}*' for all"
    )


def _suggest_names(names: Sequence[str], pattern: str) -> str:
    """Return the end of a message, with up to three names that are similar to a pattern."""
    keys: dict[str, str] = {}
    for name in names:
        stem = name.rpartition("/")[2].partition(".")[0].lower()
        for key in (name.lower(), name.rpartition(".")[0].lower(), stem, stem.partition("_")[0]):
            keys.setdefault(key, name)
    pattern_text = pattern.rstrip("!*").lower()
    similar = difflib.get_close_matches(pattern_text, keys, n=3)
    similar += difflib.get_close_matches(pattern_text.rpartition("/")[2], keys, n=3)
    if not similar:
        return "; `firsthit data list` shows all names"
    suggestions = list(dict.fromkeys(keys[key] for key in similar))[:3]
    return f"; near are {', '.join(suggestions)}"


def write_definition(folder: Path) -> tuple[PublishedData, ...]:
    """Write the definition file of an archive, which cocopp reads as well.

    An older definition file is replaced.

    Args:
        folder: Folder of the archive. Its archive files ``.tgz``, ``.tar.gz``, ``.tar`` or
            ``.zip``, at any depth, have one data set each. Hidden files and links are left out.

    Returns:
        The entries of the file.

    Raises:
        LogNotFoundError: There is no archive file.
        LogFormatError: The old definition file has another format, or a file name is invalid.
        LogWriteError: The file cannot be written.
    """
    paths = [path for path in folder.rglob("*") if _is_published(path, folder)]
    if not paths:
        raise LogNotFoundError(
            f"no data to index in {str(folder)!r}: give a folder with archives .tgz, .tar.gz, .tar "
            "or .zip, a data set each"
        )
    target = folder / DEFINITION
    if os.path.lexists(target):
        read_definition(target)  # refuse to replace a file that is no definition
    entries = [_make_entry(path, folder) for path in paths]
    # the order of the official definition
    entries.sort(key=lambda entry: (entry.name.split("/")[0], entry))
    listed = ", \n".join(repr(tuple(entry)) for entry in entries)
    temporary = target.with_name(f".{DEFINITION}.tmp")
    try:
        temporary.write_text(f"[\n{listed}]", encoding="utf-8", newline="\n")
        temporary.replace(target)
    except OSError as error:
        raise LogWriteError(f"cannot write {str(target)!r}: {error}") from error
    return tuple(entries)


def _is_published(path: Path, folder: Path) -> bool:
    is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return is_archive(path) and path.is_file() and not path.is_symlink() and not is_hidden


def _make_entry(path: Path, folder: Path) -> PublishedData:
    name = path.relative_to(folder).as_posix()
    return _parse_entry((name, sha256_of(path), path.stat().st_size // 1000), folder / DEFINITION)


def read_definition(path: Path) -> tuple[PublishedData, ...]:
    """Read a definition file on this machine; raise LogFormatError as `parse_definition` does."""
    with open_regular(path, MAX_DEFINITION_BYTES) as file:
        return parse_definition(file.read().decode("utf-8", "replace"), path)


def sha256_of(path: Path) -> str:
    """Compute the SHA-256 of a file's content, as hexadecimal characters."""
    with open_regular(os.path.realpath(path), MAX_BYTES) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

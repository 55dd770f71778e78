"""Names of published data: the definition of an archive, COCO's way of matching, and its making.

An archive is a folder, or a folder of a web server, with data sets of COCO and a definition file: a
list of their names, SHA-256 and sizes. `fetching.py` finds and downloads what it names.
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
"""The official definition has 50 kB for 400 data sets."""

_MOST_NAMED = 12
_URL_ENTRY = "_url_"
"""cocopp's local copies of a definition begin with ``('_url_', 'https://…')``."""


class PublishedData(NamedTuple):
    """One data set of an archive."""

    name: str  # relative to the archive, ``/`` between folders
    sha256: str  # of the file, hexadecimal
    kilobytes: int | None  # of 1000 bytes, rounded down; None where it is not known


def parsed_definition(text: str, where: object) -> tuple[PublishedData, ...]:
    """The data sets that a definition file names, in its order; LogFormatError where it is none."""
    try:
        entries = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise _wrong(where, "it is no list of (name, SHA-256, size)") from error
    if not isinstance(entries, list):
        raise _wrong(where, "it is no list of (name, SHA-256, size)")
    if entries and isinstance(entries[0], tuple) and entries[0][:1] == (_URL_ENTRY,):
        entries = entries[1:]
    found = {entry.name: entry for entry in (_entry(item, where) for item in entries)}
    if len(found) < len(entries):
        raise _wrong(where, "it has a name twice")
    return tuple(found.values())


def _entry(item: object, where: object) -> PublishedData:
    if not isinstance(item, tuple) or not 2 <= len(item) <= 3:
        raise _wrong(where, f"an entry is no (name, SHA-256, size): {str(item)[:80]!r}")
    name, sha256, kilobytes = (*item, None)[:3]
    if not isinstance(name, str) or not _stays_inside(name):
        raise _wrong(where, f"{str(name)[:80]!r} is no name of a file in the archive")
    if not isinstance(sha256, str) or not re.fullmatch("[0-9a-fA-F]{64}", sha256):
        raise _wrong(where, f"{name!r} has no SHA-256 of 64 hexadecimal characters")
    if kilobytes is not None and (type(kilobytes) is not int or kilobytes < 0):
        raise _wrong(where, f"the size of {name!r} is {str(kilobytes)[:40]!r}, no whole number")
    return PublishedData(name, sha256.lower(), kilobytes)


def _stays_inside(name: str) -> bool:
    """Whether a name is a file below the archive on every system."""
    parts = name.split("/")
    return (
        name.isprintable()
        and len(name) <= 250
        and not re.search(r'[\\:*?"<>|]', name)
        and all(part.strip(". ") for part in parts)
    )


def _wrong(where: object, reason: str) -> LogFormatError:
    return LogFormatError(f"cannot use the archive's definition {str(where)!r}: {reason}")


def matching(names: Sequence[str], pattern: str) -> list[str]:
    """The names that contain ``pattern`` or begin with a match of it as a regular expression.

    Upper and lower case are the same; as in ``cocopp.archiving``.
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
    """The names that ``pattern`` means, by the rules of ``cocopp.main``.

    ``TEXT!`` is the first match of TEXT, ``TEXT*`` all its matches, a pattern with ``*`` inside all
    matches of this regular expression. Any other matches one name, or is one.
    """
    found = matching(names, pattern[:-1] if pattern.endswith(("!", "*")) else pattern)
    if not found:
        raise LogNotFoundError(
            f"no published data match {PREFIX + pattern!r} in the archive {str(where)!r}"
            f"{_near(names, pattern)}"
        )
    if pattern.endswith("!"):
        return found[:1]
    if "*" in pattern or len(found) == 1:
        return found
    if pattern in found:
        return [pattern]
    named = ", ".join(found[:_MOST_NAMED]) + (", …" if len(found) > _MOST_NAMED else "")
    raise LogNotFoundError(
        f"{PREFIX + pattern!r} matches {len(found)} published data sets: {named}; name one, or "
        f"quote '{PREFIX}{pattern}!' for the first of them, '{PREFIX}{pattern}*' for all"
    )


def _near(names: Sequence[str], pattern: str) -> str:
    """The part of a sentence that says which names are like a pattern."""
    keys: dict[str, str] = {}
    for name in names:
        stem = name.rpartition("/")[2].partition(".")[0].lower()
        for key in (name.lower(), name.rpartition(".")[0].lower(), stem, stem.partition("_")[0]):
            keys.setdefault(key, name)
    pattern_text = pattern.rstrip("!*").lower()
    near = difflib.get_close_matches(pattern_text, keys, n=3)
    near += difflib.get_close_matches(pattern_text.rpartition("/")[2], keys, n=3)
    found = list(dict.fromkeys(keys[key] for key in near))[:3]
    return f"; near are {', '.join(found)}" if found else "; `firsthit data list` shows all names"


def write_definition(folder: Path) -> tuple[PublishedData, ...]:
    """Write the definition file of a folder's archives, which cocopp reads as well.

    The archives ``.tgz``, ``.tar.gz``, ``.tar`` or ``.zip`` stand at any depth, each with one data
    set; hidden ones and links are left out.
    """
    found = [path for path in folder.rglob("*") if _is_published(path, folder)]
    if not found:
        raise LogNotFoundError(
            f"no data to index in {str(folder)!r}: give a folder with archives .tgz, .tar.gz, .tar "
            "or .zip, a data set each"
        )
    target = folder / DEFINITION
    if os.path.lexists(target):
        read_definition(target)
    entries = [_indexed(path, folder) for path in found]
    entries.sort(key=lambda entry: (entry.name.split("/")[0], entry))  # as the official one
    listed = ", \n".join(repr(tuple(entry)) for entry in entries)
    temporary = target.with_name(f".{DEFINITION}.tmp")
    try:
        temporary.write_text(f"[\n{listed}]", encoding="utf-8", newline="\n")
        temporary.replace(target)
    except OSError as error:
        raise LogWriteError(f"cannot write {str(target)!r}: {error}") from error
    return tuple(entries)


def _is_published(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return is_archive(path) and path.is_file() and not path.is_symlink() and not hidden


def _indexed(path: Path, folder: Path) -> PublishedData:
    name = path.relative_to(folder).as_posix()
    return _entry((name, sha256_of(path), path.stat().st_size // 1000), folder / DEFINITION)


def read_definition(path: Path) -> tuple[PublishedData, ...]:
    """The data sets that a definition file on this machine names; errors as they are parsed."""
    with open_regular(path, MAX_DEFINITION_BYTES) as file:
        return parsed_definition(file.read().decode("utf-8", "replace"), path)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's content, hexadecimal."""
    with open_regular(os.path.realpath(path), MAX_BYTES) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

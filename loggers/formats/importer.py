"""Turns data of others into a log."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..errors import LogExistsError, LogNotFoundError, LogWriteError
from ..hdf5 import storage
from ..hdf5.deduplicate import join
from ..hdf5.encode import encode
from ..hdf5.files import parts_folder, segments
from ..hdf5.merge import close_parts, lock_parts, log_path
from ..records.log_header import import_notes
from .foreign_data import foreign_sources, read_source


class Imported(NamedTuple):
    """What was imported.

    Attributes:
        path: The log written.
        runs: How many runs it holds.
        notes: What had to be guessed or left out, in sentences.
    """

    path: Path
    runs: int
    notes: tuple[str, ...]


def import_data(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    algorithm: str | None = None,
) -> Imported:
    """Write the runs of data of COCO and IOHprofiler into a new log.

    Args:
        sources: Folders and archives (``.tar``, ``.tar.gz``, ``.tgz``, ``.zip``), or patterns.
        output: The log, ``NAME.h5``.
        algorithm: Another name for the one algorithm in each source.

    Raises:
        LogExistsError: The log exists.
        LogNotFoundError: A source stands for nothing.
        LogFormatError: A source cannot be read; the text names file and line.
        LogConflictError: Sources contradict each other.
        LogWriteError: The log cannot be written.
    """
    path = log_path(output)
    found = _found([sources] if isinstance(sources, str | os.PathLike) else list(sources))
    if path.exists() or segments(parts_folder(path)):
        raise LogExistsError(
            f"the log {str(path)!r} exists and is never overwritten; choose another name"
        )
    tables = [read_source(source, algorithm) for source in found]
    table = join(tables, found)
    lock = lock_parts(path)
    try:
        storage.write_atomically(path, *encode(table))
    except OSError as error:
        raise LogWriteError(f"cannot write the log {str(path)!r}: {error}") from error
    finally:
        close_parts(parts_folder(path), lock)
    notes = (note for text in table.headers for note in import_notes(json.loads(text)))
    return Imported(path, len(table), tuple(dict.fromkeys(notes)))


def _found(given: list[str | os.PathLike[str]]) -> list[Path]:
    others, found = foreign_sources(given)
    if others or not found:
        shown = repr(str(others[0])) if others else "nothing"
        raise LogNotFoundError(
            f"no data of COCO or IOHprofiler at {shown}: give a folder with .info or "
            "IOHprofiler*.json files and without a log, or an archive of one"
        )
    return found

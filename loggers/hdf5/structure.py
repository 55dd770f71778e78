"""Refuses files that are no logs before anything in them is followed, read or allocated.

A file whose SHA-256 fits was written by a program, but perhaps not by ours. So each dataset is
looked at first: a hard link in the file to numbers and text of fixed length, that stand in this
file, in no more room than they can need, with the filters of a log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from ..errors import LogFormatError
from ..records.rows import TABLES
from .schema import (
    FORMAT,
    FUNCTION_TEXTS,
    HEAD_BYTES,
    OFFSET,
    OFFSETS,
    RUNS,
    SCHEMA_VERSION,
    SUITE_TEXTS,
    TEXT_LIMITS,
    chunk_rows,
    text_rows,
    user_block,
)

_TEXTS = ("headers", "algorithms", "messages", "references")
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}
_MAX_RATIO = 128
_FREE_BYTES = 2**28
"""All datasets together may unpack to so many times the file's size, and so many bytes more."""
_BYTES_PER_RUN = 16
"""The least that a run takes in a file: its key does not compress further."""


def check_content(path: Path, file: BufferedReader) -> None:
    """Compare a file with the SHA-256 in its user block, before HDF5 sees it.

    Raises:
        LogFormatError: It is no log, or is damaged.
    """
    file.seek(0)
    head = file.read(HEAD_BYTES)
    if head.split()[:3] != [*FORMAT.encode().split(), b"sha256"] or len(head) < HEAD_BYTES:
        raise LogFormatError.of(path, "it is no log of firsthit, or its beginning is damaged")
    if head != user_block(hashlib.file_digest(file, "sha256").hexdigest()):
        raise LogFormatError.of(path, "it is damaged: its content does not fit its checksum")


def check_format(path: Path, file: h5py.File) -> None:
    """Check that an HDF5 file is a log of the version known here.

    Raises:
        LogFormatError: It is not.
    """
    if _attribute(file, "format") != FORMAT or file.userblock_size != HEAD_BYTES:
        raise LogFormatError.of(path, "it is an HDF5 file, but no log of firsthit")
    version = _attribute(file, "schema_version")
    if version != SCHEMA_VERSION:
        raise LogFormatError.of(
            path,
            f"its schema version is {version!r}, and this firsthit reads version "
            f"{SCHEMA_VERSION} alone; use the firsthit that its attribute 'writer' names",
        )


def datasets(path: Path, file: h5py.File) -> dict[str, h5py.Dataset]:
    """The datasets of a log by name; those that may be absent only where they are there.

    Raises:
        LogFormatError: One is missing, leads elsewhere, has another type, or is larger than the
            file can hold.
    """
    found: dict[str, h5py.Dataset] = {}
    budget = _Budget(path)
    for name in (*_TEXTS, "suites", "functions", "runs"):
        if name not in file:
            raise LogFormatError.of(path, f"{name} is missing")
        found[name] = _dataset(path, file, name)
    for name in TABLES:
        pair = [part for part in (name, name + OFFSETS) if part in file]
        if len(pair) == 1:
            raise LogFormatError.of(path, f"one of {name} and {name}{OFFSETS} is missing")
        found |= {part: _dataset(path, file, part) for part in pair}
    for name, dataset in found.items():
        if not _fits(name, dataset.dtype):
            raise LogFormatError.of(path, f"{name} has type {dataset.dtype}")
        budget.take(name, dataset)
    return found


def _dataset(path: Path, file: h5py.File, name: str) -> h5py.Dataset:
    """The dataset of that name, which is in this file and has one dimension."""
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        raise LogFormatError.of(path, f"{name} is a link to elsewhere")
    dataset = file[name]
    if not isinstance(dataset, h5py.Dataset):
        raise LogFormatError.of(path, f"{name} is no dataset")
    if dataset.dtype.hasobject or dataset.ndim != 1:
        raise LogFormatError.of(path, f"{name} has type {dataset.dtype}, shape {dataset.shape}")
    return dataset


def _fits(name: str, found: np.dtype[Any]) -> bool:
    """Whether a dataset has its type; texts may have any length up to their limit."""
    if name in _TEXTS:
        return found.kind == "S" and 0 < found.itemsize <= TEXT_LIMITS[name]
    if name in ("suites", "functions"):
        texts = SUITE_TEXTS if name == "suites" else FUNCTION_TEXTS
        sizes = [found[text].itemsize for text in texts if text in (found.names or ())]
        fits = len(sizes) == len(texts) and 0 < min(sizes) <= max(sizes) <= TEXT_LIMITS[name]
        return fits and found == text_rows(name, sizes)
    if name.endswith(OFFSETS):
        return found == OFFSET
    return found == (RUNS if name == "runs" else TABLES[name])


class _Budget:
    """What the datasets of a file may take, of the file and of memory.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = path.stat().st_size
        self._stored_left = self._size
        self._bytes_left = _MAX_RATIO * self._size + _FREE_BYTES

    def take(self, name: str, dataset: h5py.Dataset) -> None:
        """Check how and where a dataset is stored."""
        for reason in self._reasons(dataset):
            raise LogFormatError.of(self._path, f"{name} {reason}")
        if name == "runs" and len(dataset) > self._size // _BYTES_PER_RUN:
            raise LogFormatError.of(self._path, "runs declares far more than the file can hold")

    def _reasons(self, dataset: h5py.Dataset) -> Iterator[str]:
        """What is wrong with a dataset, as far as one wants to know it."""
        plist = dataset.id.get_create_plist()
        layout = plist.get_layout()
        if layout == h5py.h5d.VIRTUAL or plist.get_external_count():
            yield "keeps its data outside of this file"
        filters = [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]
        if len(set(filters)) < len(filters) or not set(filters) <= _FILTERS:
            yield "uses filters that a log does not use"
        size = len(dataset) * dataset.dtype.itemsize
        self._bytes_left -= size
        stored = dataset.id.get_storage_size()
        self._stored_left -= stored
        if self._bytes_left < 0 or self._stored_left < 0:
            yield "declares far more than the file can hold"
        if layout == h5py.h5d.CHUNKED:
            yield from self._reasons_in_chunks(dataset, plist.get_chunk()[0])
        elif size and (layout != h5py.h5d.CONTIGUOUS or stored != size):
            yield "lacks some of its data"

    def _reasons_in_chunks(self, dataset: h5py.Dataset, rows: int) -> Iterator[str]:
        if rows > chunk_rows(dataset.dtype):
            yield f"has chunks of {rows} rows"
        if dataset.id.get_num_chunks() != -(-len(dataset) // rows):
            yield "lacks some of its data"
        # a chunk that does not compress grows by less than that; one that unpacks to more than it
        # declares is larger
        most = rows * dataset.dtype.itemsize * 1.01 + 2**10
        sizes: list[int] = []
        dataset.id.chunk_iter(lambda chunk: sizes.append(chunk.size))
        if max(sizes, default=0) > most:
            yield "has chunks that unpack to more than they declare"


def _attribute(file: h5py.File, name: str) -> str | int | None:
    """A small attribute of plain type; None where there is none."""
    if name not in file.attrs:
        return None
    kind = file.attrs.get_id(name)
    if kind.shape != () or kind.dtype.kind not in "Sui" or kind.dtype.itemsize > 32:
        return None
    value = file.attrs[name]
    return value.decode(errors="replace") if isinstance(value, bytes) else int(value)

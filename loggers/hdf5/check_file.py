"""Refuses files that are no logs before anything in them is followed, read or allocated.

A file whose SHA-256 fits was written by a program, but perhaps not by ours. So each dataset is
looked at first: a hard link to numbers and text of fixed length, that stand in this file, with the
filters of a log, in no more memory than its size allows.
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
from ..records.dtypes import TABLES
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

_NEEDED = ("headers", "algorithms", "messages", "references", "suites", "functions", "runs")
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}
_CHECKSUM_BYTES = 4
_MAX_RATIO = 128
_FREE_BYTES = 2**26
"""All datasets together may unpack to so many times the file's size, and so many bytes more."""


def check_checksum(path: Path, file: BufferedReader) -> str:
    """The SHA-256 in a file's user block, which must be that of its content."""
    file.seek(0)
    head = file.read(HEAD_BYTES)
    if head.split()[:3] != [*FORMAT.encode().split(), b"sha256"] or len(head) < HEAD_BYTES:
        raise LogFormatError.of(path, "it is no log of firsthit, or its beginning is damaged")
    checksum = hashlib.file_digest(file, "sha256").hexdigest()
    if head != user_block(checksum):
        raise LogFormatError.of(path, "it is damaged: its content does not fit its checksum")
    return checksum


def check_format(path: Path, file: h5py.File) -> None:
    """Check that an HDF5 file is a log of the version known here."""
    if file.userblock_size != HEAD_BYTES:
        raise LogFormatError.of(path, "it is an HDF5 file, but no log of firsthit")
    name, version = "schema_version", np.empty(0)
    if name in file.attrs and file.attrs.get_id(name).dtype.kind in "iu":  # no object type
        version = np.asarray(file.attrs[name])
    if not np.array_equal(version, SCHEMA_VERSION):
        raise LogFormatError.of(
            path,
            f"its schema version is {version}, and this firsthit reads version "
            f"{SCHEMA_VERSION} alone; use the firsthit that its attribute 'writer' names",
        )


def datasets(path: Path, file: h5py.File) -> dict[str, h5py.Dataset]:
    """The datasets of a log by name, each checked, without those that may be absent and are."""
    there = [name for name in TABLES if name in file or name + OFFSETS in file]
    names = (*_NEEDED, *there, *(name + OFFSETS for name in there))
    for name in names:
        for reason in _reasons(file, name):
            raise LogFormatError.of(path, f"{name} {reason}")
    found = {name: file[name] for name in names}
    bytes_declared = sum(dataset.size * dataset.dtype.itemsize for dataset in found.values())
    if bytes_declared > _MAX_RATIO * path.stat().st_size + _FREE_BYTES:
        raise LogFormatError.of(path, "it declares far more than the file can hold")
    return found


def _reasons(file: h5py.File, name: str) -> Iterator[str]:
    """What is wrong with a dataset; it is opened after its link was looked at, and not read."""
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        yield "is missing, or a link to elsewhere"
    dataset = file[name]
    if not isinstance(dataset, h5py.Dataset):
        yield "is no dataset"
    if dataset.ndim != 1 or dataset.dtype != _type(name, dataset.dtype):
        yield f"has type {dataset.dtype}, shape {dataset.shape}"
    plist = dataset.id.get_create_plist()
    if dataset.is_virtual or plist.get_external_count():
        yield "keeps its data outside of this file"
    filters = [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]
    if len(set(filters)) < len(filters) or not set(filters) <= _FILTERS:
        yield "uses filters that a log does not use"
    if dataset.chunks:
        if dataset.chunks[0] > chunk_rows(dataset.dtype):
            yield f"has chunks of {dataset.chunks[0]} rows"
        # a chunk that does not compress grows by less than that, one that unpacks to more than it
        # declares is larger; HDF5 2.0 crashes where the filter's checksum alone is longer
        most = dataset.chunks[0] * dataset.dtype.itemsize * 1.01 + 2**10
        sizes: list[int] = []
        dataset.id.chunk_iter(lambda chunk: sizes.append(chunk.size))
        if not all(_CHECKSUM_BYTES < size < most for size in sizes):
            yield "has chunks that do not unpack to what they declare"


def _type(name: str, found: np.dtype[Any]) -> np.dtype[Any] | None:
    """The type that a dataset must have; texts have the length found, up to their limit."""
    if name in ("suites", "functions"):
        texts = SUITE_TEXTS if name == "suites" else FUNCTION_TEXTS
        sizes = [found[text].itemsize for text in texts if text in (found.names or ())]
        fits = len(sizes) == len(texts) and max(sizes) <= TEXT_LIMITS[name]
        return text_rows(name, sizes) if fits else None
    if name in TEXT_LIMITS:
        return np.dtype(f"S{min(found.itemsize, TEXT_LIMITS[name])}")
    return OFFSET if name.endswith(OFFSETS) else RUNS if name == "runs" else TABLES[name]

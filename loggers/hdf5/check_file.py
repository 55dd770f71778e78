"""Check the structure of a log file before links are followed, rows read or memory allocated.

The order of the checks is: checksum (`check_checksum`), version (`check_version`), structure
(`open_datasets`). In this order a damaged file is reported as damaged, and a file of another
version is not.

A file with a correct SHA-256 was written by a program, but perhaps not by firsthit. So each dataset
must be a hard link to numbers and text of fixed length, stored in this file, with the filters of a
log, and its size must be possible. A dataset may have additional columns, because a later minor
version may add columns.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from ..errors import LogFormatError
from ..records.dtypes import TABLES
from ..records.run_record import clean_text
from .schema import (
    FORMAT,
    HEAD_BYTES,
    OFFSET,
    OFFSETS,
    PUBLICATION_ATTRIBUTES,
    RUNS,
    SCHEMA_MINOR,
    SCHEMA_VERSION,
    TEXT_LIMITS,
    TEXT_TABLES,
    max_chunk_rows,
    text_rows,
    user_block,
)

_REQUIRED_DATASETS = (
    "headers", "algorithms", "messages", "references", "suites", "functions", "runs",
)  # fmt: skip
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}
"""Filters that a log may use."""
_CHECKSUM_BYTES = 4
"""Size of the checksum that the filter fletcher32 appends to each chunk."""
_MAX_ATTRIBUTE_BYTES = 1000
"""Maximum size of a text attribute that is read."""
_MAX_SHOWN_BYTES = 200
"""Maximum size of a text of the file in a message."""
_MAX_NAMES = 1000
"""Maximum number of names of datasets that are counted for a message."""
_SHOWN_NAMES = 5
"""Maximum number of names in a message."""
_MAX_COMPRESSION = 128
_FREE_BYTES = 2**26
"""The datasets may need at most ``_MAX_COMPRESSION * size of the file + _FREE_BYTES`` in memory.
The constant term is for small files, which may compress better."""
_MAX_CHUNK_GROWTH = 1.01
_MAX_CHUNK_GROWTH_BYTES = 2**10
"""A chunk that does not compress may grow by this factor and by this number of bytes."""


def check_checksum(path: Path, file: BufferedReader) -> str:
    """Compare the SHA-256 in the user block with the content, and return it.

    Args:
        path: Path of the file, for the message.
        file: The file, opened for reading; its position changes.

    Returns:
        64 hexadecimal characters.

    Raises:
        LogFormatError: The file is no log, or its content has another checksum.
    """
    file.seek(0)
    head = file.read(HEAD_BYTES)
    if head.split()[:3] != [*FORMAT.encode().split(), b"sha256"] or len(head) < HEAD_BYTES:
        raise LogFormatError.of(path, "it is no log of firsthit, or its beginning is damaged")
    checksum = hashlib.file_digest(file, "sha256").hexdigest()
    if head != user_block(checksum):
        raise LogFormatError.of(
            path,
            "it is damaged, or changed by another program: its content does not fit its checksum",
        )
    return checksum


def check_version(path: Path, file: h5py.File) -> int:
    """Check that an HDF5 file is a log of a readable version, and return its minor version.

    Args:
        path: Path of the file, for the message.
        file: The file, opened by HDF5.

    Raises:
        LogFormatError: The file is no log, has another major version, or was written before format
            2.0 was frozen.
    """
    if file.userblock_size != HEAD_BYTES:
        raise LogFormatError.of(path, "it is an HDF5 file, but no log of firsthit")
    major = _integer_attribute(file, "schema_version")
    minor = _integer_attribute(file, "schema_minor") if "schema_minor" in file.attrs else 0
    if major is None or minor is None:
        raise LogFormatError.of(path, "its attributes name no version of the log format")
    if major > SCHEMA_VERSION:
        writer = _text_attribute(file, "writer_version")
        url = _text_attribute(file, "format_url")
        raise LogFormatError.of(
            path,
            f"its log format {major}.{minor} is newer than {SCHEMA_VERSION}.{SCHEMA_MINOR}, which "
            f"this firsthit reads; use the firsthit that wrote it{writer and f' ({writer})'}, or a "
            f"later one{url and f'; see {url}'}",
        )
    if major < SCHEMA_VERSION or "references" not in file:
        raise LogFormatError.of(
            path,
            "it was made before log format 2.0 was frozen at commit f7b2b1f4 of firsthit, and only "
            "logs of format 2.0 and later are read; use the firsthit that wrote it",
        )
    return minor


def read_publication(file: h5py.File) -> dict[str, str]:
    """Return licence, authors and DOI of a published log by attribute; empty for other logs."""
    texts = {name: _text_attribute(file, name) for name in PUBLICATION_ATTRIBUTES}
    return {name: text for name, text in texts.items() if text}


def _integer_attribute(file: h5py.File, name: str) -> int | None:
    """Return an attribute that is one integer; None if it is absent or something else."""
    if name not in file.attrs:
        return None
    attribute = file.attrs.get_id(name)
    is_integer = attribute.dtype.kind in "iu" and attribute.shape == ()  # no object type is read
    return int(file.attrs[name]) if is_integer else None


def _text_attribute(file: h5py.File, name: str) -> str:
    """Return an attribute that is a short text of fixed length; empty if it is something else."""
    if name not in file.attrs:
        return ""
    attribute = file.attrs.get_id(name)
    if (
        attribute.dtype.kind != "S"
        or attribute.shape
        or attribute.dtype.itemsize > _MAX_ATTRIBUTE_BYTES
    ):
        return ""
    return as_line(bytes(file.attrs[name]).decode(errors="replace"))


def describe_unused(file: h5py.File, datasets: Mapping[str, h5py.Dataset]) -> str:
    """Return a clause on the datasets and columns of a log that are not read.

    A log of a newer minor version may have them.

    Args:
        file: The log.
        datasets: The datasets that are read, by name.
    """
    names = [name for name in itertools.islice(file, _MAX_NAMES) if name not in datasets]
    columns = [
        f"{name}.{column}"
        for name, dataset in datasets.items()
        if dataset.dtype.names
        for column in dataset.dtype.names
        if column not in columns_of(name)
    ]
    return f"{_enumerate(names, 'dataset')} and {_enumerate(columns, 'column')} are not used"


def _enumerate(names: Sequence[str], kind: str) -> str:
    """Return the number of some things and the names of the first ones: ``2 columns (a, b)``."""
    shown = ", ".join(map(as_line, names[:_SHOWN_NAMES])) + ", …" * (len(names) > _SHOWN_NAMES)
    return f"{len(names)} {kind}{'s' * (len(names) != 1)}{f' ({shown})' * bool(names)}"


def as_line(text: str) -> str:
    """Return text of a file without control characters, as one short line."""
    return " ".join(clean_text(text, _MAX_SHOWN_BYTES).split())


def open_datasets(path: Path, file: h5py.File) -> dict[str, h5py.Dataset]:
    """Check all datasets of a log, and return them.

    Args:
        path: Path of the file.
        file: The file, opened by HDF5.

    Returns:
        The datasets by name. Variable-length tables that the file does not have are left out.

    Raises:
        LogFormatError: A dataset is missing, has another type or storage, or is impossibly large.
    """
    optional = [name for name in TABLES if name in file or name + OFFSETS in file]
    names = (*_REQUIRED_DATASETS, *optional, *(name + OFFSETS for name in optional))
    for name in names:
        for problem in _find_problems(file, name):
            raise LogFormatError.of(path, f"{name} {problem}")
    datasets = {name: file[name] for name in names}
    n_declared_bytes = sum(dataset.size * dataset.dtype.itemsize for dataset in datasets.values())
    if n_declared_bytes > _MAX_COMPRESSION * path.stat().st_size + _FREE_BYTES:
        raise LogFormatError.of(path, "it declares far more rows than a file of its size can hold")
    return datasets


def _find_problems(file: h5py.File, name: str) -> Iterator[str]:
    """Yield clauses on what is wrong with a dataset, without reading its rows.

    A check relies on the earlier checks, so the caller must stop at the first problem.
    """
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        yield "is missing, or a link to elsewhere"
    dataset = file[name]
    if not isinstance(dataset, h5py.Dataset):
        yield "is no dataset"
    if dataset.ndim != 1 or not _is_readable(name, dataset.dtype):
        yield f"has type {dataset.dtype}, shape {dataset.shape}"
    plist = dataset.id.get_create_plist()
    if dataset.is_virtual or plist.get_external_count():
        yield "keeps its data outside of this file"
    filters = [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]
    if len(set(filters)) < len(filters) or not set(filters) <= _FILTERS:
        yield "uses filters that a log does not use"
    if dataset.chunks:
        if dataset.chunks[0] > max_chunk_rows(dataset.dtype):
            yield f"has chunks of {dataset.chunks[0]} rows"
        # A larger chunk would unpack to more rows than it declares. HDF5 2.0 crashes if a chunk is
        # not longer than its checksum.
        chunk_bytes = dataset.chunks[0] * dataset.dtype.itemsize
        max_bytes = chunk_bytes * _MAX_CHUNK_GROWTH + _MAX_CHUNK_GROWTH_BYTES
        sizes: list[int] = []
        dataset.id.chunk_iter(lambda chunk: sizes.append(chunk.size))
        if not all(_CHECKSUM_BYTES < size < max_bytes for size in sizes):
            yield "has chunks that do not unpack to what they declare"


def _is_readable(name: str, dtype: np.dtype[Any]) -> bool:
    """Return whether a dataset can be read: it has the type of this version, or more columns.

    Args:
        name: Name of the dataset.
        dtype: Type of its rows.
    """
    if name in TEXT_LIMITS and name not in TEXT_TABLES:
        return dtype.kind == "S" and dtype.itemsize <= TEXT_LIMITS[name]
    if name.endswith(OFFSETS):
        return dtype == OFFSET
    if dtype.names is None:
        return False
    types = [dtype[column] for column in dtype.names]
    if dtype.itemsize != sum(column.itemsize for column in types):
        return False  # padding would let a file declare more bytes than it has
    if not all(column.kind in "iufS" for column in types):
        return False  # h5py gives references and text of any length the kind "O"
    return all(
        column in dtype.names and _has_expected_type(name, expected, dtype[column])
        for column, expected in columns_of(name).items()
    )


def _has_expected_type(table_name: str, expected: np.dtype[Any], actual: np.dtype[Any]) -> bool:
    """Return whether a column has the expected type.

    Texts of ``suites`` and ``functions`` may have any length up to their limit.
    """
    if table_name in TEXT_TABLES and expected.kind == "S":
        return actual.kind == "S" and actual.itemsize <= TEXT_LIMITS[table_name]
    return actual == expected


def columns_of(name: str) -> dict[str, np.dtype[Any]]:
    """Return the columns of a table and their types in this version of the format, in order.

    Texts of ``suites`` and ``functions``, whose length depends on the file, have length 1.
    """
    if name in TEXT_TABLES:
        dtype = text_rows(name, [1] * len(TEXT_TABLES[name]))
    else:
        dtype = RUNS if name == "runs" else TABLES[name]
    return {column: dtype[column] for column in dtype.names or ()}

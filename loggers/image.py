"""A table as the bytes of an HDF5 file.

Built in memory because h5py writing to a full disk can kill the process.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import metadata
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from .packing import packed
from .schema import CHUNK_ROWS, FORMAT, FUNCTION_TEXTS, HEAD_BYTES, SCHEMA_VERSION
from .table import LogTable


def encode(table: LogTable, *, is_packed: bool = True) -> bytes:
    """The HDF5 file that holds ``table``.

    Args:
        table: What it holds.
        is_packed: Compress the columns. Packing takes longer than all else, which is in vain where
            the file is read once and then removed, as a part of a log is.
    """
    image = io.BytesIO()
    versions = ("v108", "v110")
    with h5py.File(image, "w", libver=versions, userblock_size=HEAD_BYTES) as file:
        # text of fixed length: HDF5 can loop for ever over a damaged heap of variable lengths
        file.attrs["format"] = np.bytes_(FORMAT)
        file.attrs["schema_version"] = np.uint32(SCHEMA_VERSION)
        file.attrs["writer"] = np.bytes_(f"firsthit {_own_version()}")
        if is_packed:
            _put_packed(file, _columns(table))
        else:
            for name, values in _columns(table):
                file.create_dataset(name, data=values)
    return with_head(image.getvalue())


def _columns(table: LogTable) -> Iterator[tuple[str, NDArray[Any]]]:
    """Names of the datasets, and what they hold."""
    for name, values in _plain_columns(table):
        if values.dtype.kind == "S" and len(values):
            values = values.astype(h5py.string_dtype("utf-8", values.dtype.itemsize))
        yield name, values


def _plain_columns(table: LogTable) -> Iterator[tuple[str, NDArray[Any]]]:
    yield "headers", _texts(table.headers)
    yield "algorithms", _texts(table.algorithms)
    yield "messages", _texts(table.messages)
    for column in FUNCTION_TEXTS:
        yield f"functions/{column}", _texts([getattr(row, column) for row in table.functions])
    yield "functions/function", np.array([row.function for row in table.functions], dtype="<u4")
    yield "runs", table.runs
    for name, ragged in table.ragged.items():
        yield f"{name}/offset", ragged.offset
        for column, values in ragged.columns.items():
            yield f"{name}/{column}", values


def with_head(image: bytes) -> bytes:
    """The file with the SHA-256 of its content in its user block."""
    content = image[HEAD_BYTES:]
    head = f"{FORMAT}\nsha256 {hashlib.sha256(content).hexdigest()}\n".encode()
    return head.ljust(HEAD_BYTES, b"\n") + content


@cache
def _own_version() -> str:
    return metadata.version("firsthit")


def _put_packed(file: h5py.File, columns: Iterable[tuple[str, NDArray[Any]]]) -> None:
    places: list[tuple[h5py.Dataset, int]] = []
    parts: list[tuple[NDArray[Any], int]] = []
    for name, values in columns:
        if not len(values):
            file.create_dataset(name, data=values)
            continue
        rows = min(len(values), CHUNK_ROWS)
        dataset = file.create_dataset(
            name,
            shape=values.shape,
            dtype=values.dtype,
            chunks=(rows,),
            compression="gzip",
            compression_opts=1,
            shuffle=True,
            fletcher32=True,
        )
        for start in range(0, len(values), rows):
            places.append((dataset, start))
            parts.append((values[start : start + rows], rows))
    for (dataset, start), content in zip(places, packed(parts), strict=True):
        dataset.id.write_direct_chunk((start,), content)


def _texts(texts: Sequence[str]) -> NDArray[np.bytes_]:
    encoded = [text.encode() for text in texts]
    size = max([1, *map(len, encoded)])
    return np.array(encoded, dtype=f"S{size}")

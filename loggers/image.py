"""A table as the bytes of an HDF5 file.

Built in memory because h5py writing to a full disk can kill the process.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import metadata
from typing import Any

import h5py
import numpy as np
from h5py import h5a, h5d, h5f, h5o, h5p, h5s, h5t
from numpy.typing import NDArray

from .layout import Layout
from .outline import plain_type
from .packing import packed
from .schema import CHUNK_ROWS, FORMAT, FUNCTION_TEXTS, HEAD_BYTES, OPTIONAL, SCHEMA_VERSION
from .table import LogTable

Image = tuple[bytes, bytes | memoryview]
"""What a file consists of: its user block, which has the SHA-256 of what follows, and that."""


def encode(table: LogTable) -> Image:
    """The HDF5 file that holds ``table``, its columns packed."""
    image = io.BytesIO()
    versions = ("v108", "v110")
    with h5py.File(image, "w", libver=versions, userblock_size=HEAD_BYTES) as file:
        # text of fixed length: HDF5 can loop for ever over a damaged heap of variable lengths
        for name, value in _attributes().items():
            file.attrs[name] = value
        _put_packed(file, _columns(table))
    content = image.getbuffer()[HEAD_BYTES:]
    return _head(_digest(content)), content


def encode_plain(table: LogTable) -> tuple[Image, Layout]:
    """As ``encode``, without packing, and where everything stands.

    Packing takes longer than all else, which is in vain where the file is read once and then
    removed, as a part of a log is. HDF5's own functions are called, as h5py's objects around them
    take five times as long. Columns that a reader need not find are left out where they are 0.
    """
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_V18, h5f.LIBVER_V110)
    access.set_fapl_core(2**20, False)  # in memory, and not on the disk when closed
    creation = h5p.create(h5p.FILE_CREATE)
    creation.set_userblock(HEAD_BYTES)
    file = h5f.create(_NOWHERE, h5f.ACC_TRUNC, creation, access)
    try:
        for name, value in _attributes().items():
            attribute = h5a.create(file, name.encode(), h5t.py_create(value.dtype), _SCALAR)
            attribute.write(np.asarray(value))
        columns = {
            name: _put_plain(file, name, v) for name, v in _columns(table) if _is_due(name, v)
        }
        h5f.flush(file)
        content = file.get_file_image()
    finally:
        file.close()
    digest = _digest(content)
    return (_head(digest), content), Layout(digest, columns)


def _attributes() -> dict[str, Any]:
    return {
        "format": np.bytes_(FORMAT),
        "schema_version": np.uint32(SCHEMA_VERSION),
        "writer": np.bytes_(f"firsthit {_own_version()}"),
    }


def _is_due(name: str, values: NDArray[Any]) -> bool:
    """Whether a reader would not take the same values for a column that is not there."""
    return name not in OPTIONAL or bool((values != OPTIONAL[name]).any())


def _put_plain(file: h5f.FileID, name: str, values: NDArray[Any]) -> dict[str, Any]:
    """Write a column in one piece; what ``outline.py`` would say of it."""
    kind, size = h5t.py_create(values.dtype, logical=True), len(values)
    dataset = h5d.create(file, None, kind, h5s.create_simple((size,)), _UNFILLED)
    h5o.link(dataset, file, name.encode(), lcpl=_WITH_GROUPS)
    if size:
        dataset.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(values), kind)
    chunks = [[0, dataset.get_offset(), values.nbytes, 0]] if size else []
    return {
        "type": plain_type(values.dtype), "rows": size, "filters": [], "chunk_rows": size,
        "chunks": chunks,
    }  # fmt: skip


_NOWHERE = f"{os.devnull}/image".encode()
"""HDF5 looks whether there is such a file, even for one in memory: there is none."""
_SCALAR = h5s.create(h5s.SCALAR)
_UNFILLED = h5p.create(h5p.DATASET_CREATE)
_UNFILLED.set_fill_time(h5d.FILL_TIME_NEVER)
_WITH_GROUPS = h5p.create(h5p.LINK_CREATE)
_WITH_GROUPS.set_create_intermediate_group(True)


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
        for column in ragged.columns:
            yield f"{name}/{column}", ragged.whole(column)


def with_head(image: bytes) -> bytes:
    """The file with the SHA-256 of its content in its user block."""
    content = image[HEAD_BYTES:]
    return _head(_digest(content)) + content


def _head(digest: str) -> bytes:
    """The user block of a file with this SHA-256."""
    return f"{FORMAT}\nsha256 {digest}\n".encode().ljust(HEAD_BYTES, b"\n")


def _digest(content: bytes | memoryview) -> str:
    return hashlib.sha256(content).hexdigest()


@cache
def _own_version() -> str:
    return metadata.version("firsthit")


def _put_packed(file: h5py.File, columns: Iterable[tuple[str, NDArray[Any]]]) -> None:
    places: list[tuple[h5py.Dataset, int]] = []
    chunks = packed(_chunks(file, columns, places))
    for (dataset, start), content in zip(places, chunks, strict=True):
        dataset.id.write_direct_chunk((start,), content)


def _chunks(
    file: h5py.File,
    columns: Iterable[tuple[str, NDArray[Any]]],
    places: list[tuple[h5py.Dataset, int]],
) -> Iterator[tuple[NDArray[Any], int]]:
    """The entries of each chunk, and how many it has room for; notes in ``places`` which it is."""
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
            yield values[start : start + rows], rows


def _texts(texts: Sequence[str]) -> NDArray[np.bytes_]:
    encoded = [text.encode() for text in texts]
    size = max([1, *map(len, encoded)])
    return np.array(encoded, dtype=f"S{size}")

"""A table as the bytes of an HDF5 file.

Built in memory because h5py writing to a full disk can kill the process.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import metadata
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from ..records.table import LogTable
from .layout import Layout
from .mould import Attributes, cast
from .packing import packed
from .ragged_columns import cut
from .schema import CHUNK_ROWS, FORMAT, FUNCTION_TEXTS, HEAD_BYTES, OPTIONAL, RAGGED, SCHEMA_VERSION

Image = tuple[bytes, bytes | memoryview]
"""What a file consists of: its user block, which has the SHA-256 of what follows, and that."""


def encode(table: LogTable) -> Image:
    """The HDF5 file that holds ``table``, its columns packed."""
    image = io.BytesIO()
    versions = ("v108", "v110")
    with h5py.File(image, "w", libver=versions, userblock_size=HEAD_BYTES) as file:
        # text of fixed length: HDF5 can loop for ever over a damaged heap of variable lengths
        for name, value in _attributes():
            file.attrs[name] = value
        _put_packed(file, table)
    content = image.getbuffer()[HEAD_BYTES:]
    return _head(_digest(content)), content


def encode_plain(table: LogTable) -> tuple[Image, Layout]:
    """As ``encode``, without packing, and where everything stands.

    Packing takes longer than all else, which is in vain where the file is read once and then
    removed, as a part of a log is. Columns that a reader need not find are left out where they
    are 0.
    """
    columns = {name: values for name, values in _columns(table) if _is_due(name, values)}
    content, places = cast(columns, _attributes(), HEAD_BYTES)
    digest = _digest(content)
    return (_head(digest), content), Layout(digest, places)


def _attributes() -> Attributes:
    return (
        ("format", np.bytes_(FORMAT)),
        ("schema_version", np.uint32(SCHEMA_VERSION)),
        ("writer", np.bytes_(f"firsthit {_own_version()}")),
    )


def _is_due(name: str, values: NDArray[Any]) -> bool:
    """Whether a reader would not take the same values for a column that is not there."""
    return name not in OPTIONAL or bool((values != OPTIONAL[name]).any())


def _columns(table: LogTable) -> Iterator[tuple[str, NDArray[Any]]]:
    """Names of the datasets, and what they hold."""
    yield from _columns_of_runs(table)
    for name, ragged in table.ragged.items():
        for column in ragged.columns:
            yield f"{name}/{column}", ragged.whole(column)


def _columns_of_runs(table: LogTable) -> Iterator[tuple[str, NDArray[Any]]]:
    """Those with one entry a run, or fewer."""
    yield "headers", _texts(table.headers)
    yield "algorithms", _texts(table.algorithms)
    yield "messages", _texts(table.messages)
    for column in FUNCTION_TEXTS:
        yield f"functions/{column}", _texts([getattr(row, column) for row in table.functions])
    yield "functions/function", np.array([row.function for row in table.functions], dtype="<u4")
    yield "runs", table.runs
    for name, ragged in table.ragged.items():
        yield f"{name}/offset", ragged.offset


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


def _put_packed(file: h5py.File, table: LogTable) -> None:
    places: list[tuple[h5py.Dataset, int]] = []
    chunks = packed(_chunks(file, table, places))
    for (dataset, start), content in zip(places, chunks, strict=True):
        dataset.id.write_direct_chunk((start,), content)


def _chunks(
    file: h5py.File, table: LogTable, places: list[tuple[h5py.Dataset, int]]
) -> Iterator[tuple[NDArray[Any], int]]:
    """The entries of each chunk, and how many it has room for; notes in ``places`` which it is."""
    for name, values in _columns_of_runs(table):
        dataset = _dataset(file, name, values.dtype, len(values))
        yield from _placed(cut([values], CHUNK_ROWS), dataset, places)
    for name, ragged in table.ragged.items():
        for column in ragged.columns:
            kind, rows = np.dtype(RAGGED[name][column]), int(ragged.offset[-1])
            dataset = _dataset(file, f"{name}/{column}", kind, rows)
            yield from _placed(ragged.chunks(column, CHUNK_ROWS), dataset, places)


def _dataset(file: h5py.File, name: str, dtype: np.dtype[Any], rows: int) -> h5py.Dataset:
    kind: Any = dtype
    if dtype.kind == "S":
        kind = h5py.string_dtype("utf-8", dtype.itemsize)
    if not rows:
        return file.create_dataset(name, shape=(0,), dtype=kind)
    return file.create_dataset(
        name,
        shape=(rows,),
        dtype=kind,
        chunks=(min(rows, CHUNK_ROWS),),
        compression="gzip",
        compression_opts=1,
        shuffle=True,
        fletcher32=True,
    )


def _placed(
    chunks: Iterator[NDArray[Any]],
    dataset: h5py.Dataset,
    places: list[tuple[h5py.Dataset, int]],
) -> Iterator[tuple[NDArray[Any], int]]:
    for number, values in enumerate(chunks):
        places.append((dataset, number * CHUNK_ROWS))
        yield values, dataset.chunks[0]


def _texts(texts: Sequence[str]) -> NDArray[np.bytes_]:
    encoded = [text.encode() for text in texts]
    size = max([1, *map(len, encoded)])
    return np.array(encoded, dtype=f"S{size}")

"""A table as the bytes of an HDF5 file.

Built in memory because h5py writing to a full disk can kill the process.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from importlib import metadata
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from .schema import CHUNK_ROWS, FORMAT, FUNCTION_TEXTS, HEAD_BYTES, SCHEMA_VERSION
from .table import LogTable


def encode(table: LogTable) -> bytes:
    """The HDF5 file that holds ``table``."""
    image = io.BytesIO()
    versions = ("v108", "v110")
    with h5py.File(image, "w", libver=versions, userblock_size=HEAD_BYTES) as file:
        # text of fixed length: HDF5 can loop for ever over a damaged heap of variable lengths
        file.attrs["format"] = np.bytes_(FORMAT)
        file.attrs["schema_version"] = np.uint32(SCHEMA_VERSION)
        file.attrs["writer"] = np.bytes_(f"firsthit {metadata.version('firsthit')}")
        _put_text(file, "headers", table.headers)
        _put_text(file, "algorithms", table.algorithms)
        _put_text(file, "messages", table.messages)
        for column in FUNCTION_TEXTS:
            _put_text(
                file, f"functions/{column}", [getattr(row, column) for row in table.functions]
            )
        numbers = np.array([row.function for row in table.functions], dtype="<u4")
        _put(file, "functions/function", numbers)
        _put(file, "runs", table.runs)
        for name, ragged in table.ragged.items():
            _put(file, f"{name}/offset", ragged.offset)
            for column, values in ragged.columns.items():
                _put(file, f"{name}/{column}", values)
    return with_head(image.getvalue())


def with_head(image: bytes) -> bytes:
    """The file with the SHA-256 of its content in its user block."""
    content = image[HEAD_BYTES:]
    head = f"{FORMAT}\nsha256 {hashlib.sha256(content).hexdigest()}\n".encode()
    return head.ljust(HEAD_BYTES, b"\n") + content


def _put(file: h5py.File, name: str, values: NDArray[Any]) -> None:
    if not len(values):
        file.create_dataset(name, data=values)
        return
    if values.dtype.kind == "S":
        values = values.astype(h5py.string_dtype("utf-8", values.dtype.itemsize))
    file.create_dataset(
        name,
        data=values,
        chunks=(min(len(values), CHUNK_ROWS),),
        compression="gzip",
        compression_opts=1,
        shuffle=True,
        fletcher32=True,
    )


def _put_text(file: h5py.File, name: str, texts: Sequence[str]) -> None:
    encoded = [text.encode() for text in texts]
    size = max([1, *map(len, encoded)])
    _put(file, name, np.array(encoded, dtype=f"S{size}"))

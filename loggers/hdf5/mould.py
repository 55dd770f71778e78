"""HDF5 files of many small columns, each in one piece, made without HDF5 for each of them.

What such a file says of its columns is the same for all parts of a log, but for how long they are
and where they stand. So HDF5 writes it once, as a mould, with numbers that are nowhere else in it;
where these are, each file's own numbers are put. In HDF5's oldest layout, which every version of it
reads, no checksums depend on them. HDF5 itself would take 0.1 ms for each column of each file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Any

import h5py
import numpy as np
from h5py import h5a, h5d, h5f, h5o, h5p, h5s, h5t
from numpy.typing import NDArray

from ..errors import LogWriteError

Attributes = tuple[tuple[str, np.generic], ...]
Kinds = tuple[tuple[str, np.dtype[Any]], ...]
Place = tuple[np.dtype[Any], int, int]
"""Type of a column's entries, how many there are, and where in the file they stand."""

_ALIGNED = 8
_UNLIKELY_ROWS = 0x13_57_9B_DF_24_68
_NO_PLACE = 2**64 - 1
"""HDF5's address of what is not in the file."""
_NUMBER = Struct("<Q")
_TWO = Struct("<QQ")
_END_AT = 40
"""Where the oldest layout has the address of the file's end, as the format's specification says."""


@dataclass(frozen=True, slots=True)
class _Mould:
    """A file without its data, from behind its user block.

    Attributes:
        content: Its bytes, in whole words.
        rows_at: Where the length of each column stands, twice in a row.
        data_at: Where each column's address and its size in bytes stand.
    """

    content: bytes
    rows_at: tuple[int, ...]
    data_at: tuple[int, ...]


def cast(
    columns: Mapping[str, NDArray[Any]], attributes: Attributes, head_bytes: int
) -> tuple[bytes, dict[str, Place]]:
    """The HDF5 file that holds these columns as datasets of one dimension.

    Args:
        columns: By name, with ``/`` between a group's name and a dataset's; text (``S``) is UTF-8.
        attributes: Of the file; its names and values.
        head_bytes: Length of the user block that is going to stand before it.

    Returns:
        What follows the user block, and where each column stands in the whole file.

    Raises:
        LogWriteError: HDF5 did not write the mould as its format's specification says.
    """
    kinds = tuple((name, values.dtype) for name, values in columns.items())
    mould = _mould(kinds, attributes, head_bytes)
    content = bytearray(mould.content)
    pieces: list[Any] = [content]
    places: dict[str, Place] = {}
    end = len(content)
    for (name, kind), rows_at, data_at in zip(kinds, mould.rows_at, mould.data_at, strict=True):
        values = np.ascontiguousarray(columns[name])
        rows, size = len(values), values.nbytes
        _TWO.pack_into(content, rows_at, rows, rows)
        _TWO.pack_into(content, data_at, end if size else _NO_PLACE, size)
        places[name] = kind, rows, head_bytes + end
        if size:
            padding = -size % _ALIGNED
            pieces += [values.data, bytes(padding)]
            end += size + padding
    _NUMBER.pack_into(content, _END_AT, head_bytes + end)
    return b"".join(pieces), places


@lru_cache(maxsize=64)
def _mould(kinds: Kinds, attributes: Attributes, head_bytes: int) -> _Mould:
    """The mould for columns of these names and types."""
    rows = [_UNLIKELY_ROWS + number for number in range(len(kinds))]
    sizes = [n * kind.itemsize for n, (_, kind) in zip(rows, kinds, strict=True)]
    content = _written(kinds, rows, attributes, head_bytes)
    content += bytes(-len(content) % _ALIGNED)
    return _Mould(
        content,
        tuple(_only_place(content, _TWO.pack(n, n)) for n in rows),
        tuple(_only_place(content, _TWO.pack(_NO_PLACE, size)) for size in sizes),
    )


def _only_place(content: bytes, mark: bytes) -> int:
    place = content.find(mark)
    if place < 0 or content.find(mark, place + 1) >= 0:
        raise LogWriteError(f"HDF5 {h5py.version.hdf5_version} lays files out in an unknown way")
    return place


def _written(kinds: Kinds, rows: Sequence[int], attributes: Attributes, head_bytes: int) -> bytes:
    """A file in which no column has any data yet, from behind its user block."""
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_EARLIEST, h5f.LIBVER_V18)
    access.set_fapl_core(2**16, False)  # in memory, and not on the disk when closed
    creation = h5p.create(h5p.FILE_CREATE)
    creation.set_userblock(head_bytes)
    plain = h5p.create(h5p.DATASET_CREATE)
    plain.set_fill_time(h5d.FILL_TIME_NEVER)
    plain.set_obj_track_times(False)
    with_groups = h5p.create(h5p.LINK_CREATE)
    with_groups.set_create_intermediate_group(True)
    file = h5f.create(_NOWHERE, h5f.ACC_TRUNC, creation, access)
    try:
        for name, value in attributes:
            kind, space = h5t.py_create(value.dtype), h5s.create(h5s.SCALAR)
            h5a.create(file, name.encode(), kind, space).write(np.asarray(value))
        for (name, dtype), count in zip(kinds, rows, strict=True):
            is_text = dtype.kind == "S"
            kind = h5py.string_dtype("utf-8", dtype.itemsize) if is_text else dtype
            space = h5s.create_simple((count,))
            dataset = h5d.create(file, None, h5t.py_create(kind, logical=True), space, plain)
            h5o.link(dataset, file, name.encode(), lcpl=with_groups)
        h5f.flush(file)
        image: bytes = file.get_file_image()
    finally:
        file.close()
    return image


_NOWHERE = f"{os.devnull}/image".encode()
"""HDF5 looks whether there is such a file, even for one in memory: there is none."""

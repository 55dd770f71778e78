"""Read the first columns of compressed rows without decompressing the other columns.

HDF5's filter shuffle stores the first bytes of all rows of a chunk, then their second bytes, and so
on. These parts are called byte planes. The columns at the beginning of a row are the first planes,
so decompression can end after them.

The filter fletcher32 is a checksum of a whole chunk. It is not compared here, so the SHA-256 of the
file must have been compared before (`check_file.check_checksum`).
"""

from __future__ import annotations

import zlib

import h5py
import numpy as np

from ..records.dtypes import Rows

_FILTERS = [h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_FLETCHER32]
"""Filters of the datasets that firsthit writes, in their order."""


def read_first_columns(
    dataset: h5py.Dataset, columns: tuple[str, ...], start: int, stop: int
) -> Rows | None:
    """Read columns of some rows of a dataset in a file whose SHA-256 was compared.

    Args:
        dataset: A dataset of rows without padding.
        columns: Names of columns. All columns up to the last one of these are decompressed.
        start: Position of the first row.
        stop: Position after the last row.

    Returns:
        Rows equal to those of h5py, shape ``(stop - start,)``. None if a chunk has other filters
        than those that firsthit writes, or cannot be decompressed; h5py must then read the rows.
    """
    plist = dataset.id.get_create_plist()
    if [plist.get_filter(i)[0] for i in range(plist.get_nfilters())] != _FILTERS:
        return None
    (chunk_rows,) = dataset.chunks
    types = [dataset.dtype[name] for name in columns]
    offsets = [dataset.dtype.fields[name][1] for name in columns]
    n_planes = max(offset + dtype.itemsize for offset, dtype in zip(offsets, types, strict=True))
    row_type = np.dtype(
        {"names": columns, "formats": types, "offsets": offsets, "itemsize": n_planes}
    )
    rows = np.empty(stop - start, list(zip(columns, types, strict=True)))
    for first in range(start - start % chunk_rows, stop, chunk_rows):
        skipped_filters, chunk = dataset.id.read_direct_chunk((first,))
        try:
            # The chunk ends in the checksum of fletcher32, which zlib does not read.
            planes = zlib.decompressobj().decompress(chunk, n_planes * chunk_rows)
        except zlib.error:
            return None
        if skipped_filters or len(planes) < n_planes * chunk_rows:
            return None
        planes_by_row = np.frombuffer(planes, np.uint8).reshape(n_planes, chunk_rows).T
        rows_of_chunk = np.ascontiguousarray(planes_by_row).view(row_type)[:, 0]
        rows[max(first - start, 0) : first - start + chunk_rows] = rows_of_chunk[
            max(start - first, 0) : stop - first
        ]
    return rows

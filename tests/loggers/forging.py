"""Change logs and correct their checksums, so that only the content is wrong."""

import hashlib
from contextlib import contextmanager

import h5py
import numpy as np

HEAD_BYTES = 512


def with_head(image):
    """Return the bytes of a log with a user block whose checksum fits the content."""
    content = image[HEAD_BYTES:]
    head = f"firsthit log\nsha256 {hashlib.sha256(content).hexdigest()}\n"
    return head.encode().ljust(HEAD_BYTES, b"\n") + content


@contextmanager
def edited(path):
    """Open the HDF5 file of a log for changes, and correct its checksum at the end."""
    with h5py.File(path, "a") as file:
        yield file
    path.write_bytes(with_head(path.read_bytes()))


def put(file, name, **arguments):
    """Replace a dataset of an open file, or create it; ``arguments`` are h5py's."""
    if name in file:
        del file[name]
    return file.create_dataset(name, **arguments)


def change_rows(file, name, change):
    """Write changed rows of a dataset, chunked and compressed; their number may change.

    Args:
        file: The open log.
        name: Name of the dataset.
        change: Function of a copy of the rows, which changes them or returns other rows.
    """
    rows = file[name][:]
    changed = change(rows)
    rows = rows if changed is None else changed
    put(file, name, data=np.asarray(rows), chunks=(max(1, min(len(rows), 1024)),), compression=1)

"""Makes logs that lie: changed by somebody who makes their checksum fit."""

import hashlib
from contextlib import contextmanager

import h5py
import numpy as np

from firsthit.loggers.hdf5.schema import HEAD_BYTES, user_block


def with_head(image):
    """The bytes of a file with a user block that fits what follows it."""
    content = image[HEAD_BYTES:]
    return user_block(hashlib.sha256(content).hexdigest()) + content


@contextmanager
def edited(path):
    """The open HDF5 file; what is written to it gets a correct SHA-256 head."""
    with h5py.File(path, "a") as file:
        yield file
    path.write_bytes(with_head(path.read_bytes()))


def put(file, name, **arguments):
    """Put another dataset in the place of one."""
    if name in file:
        del file[name]
    return file.create_dataset(name, **arguments)


def change_rows(file, name, change):
    """Write changed rows of a dataset, perhaps more or fewer, packed as before.

    Args:
        file: The open log.
        name: Of the dataset.
        change: Called with a copy of the rows; changes them in place, or returns others.
    """
    rows = file[name][:]
    changed = change(rows)
    rows = rows if changed is None else changed
    put(file, name, data=np.asarray(rows), chunks=(max(1, min(len(rows), 1024)),), compression=1)

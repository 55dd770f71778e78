"""Makes logs that lie: changed by somebody who makes all their checksums fit."""

from contextlib import contextmanager
from dataclasses import replace

import h5py
import numpy as np

from firsthit.loggers.hdf5.image import encode, with_head
from firsthit.loggers.hdf5.ragged_columns import Ragged
from firsthit.loggers.hdf5.reader import read_table
from firsthit.loggers.records.table import LogTable


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


def forge(path, change):
    """Write the log anew with a changed table and correct checksums.

    Args:
        path: Of the log.
        change: Called with the table's runs, {"hits/target": array, …} and its texts as a dict;
            changes them in place.
    """
    table = read_table(path)
    columns = {
        f"{name}/{column}": np.array(values)
        for name, part in table.ragged.items()
        for column, values in [*part.columns.items(), ("offset", part.offset)]
    }
    texts = {n: getattr(table, n) for n in ("headers", "algorithms", "functions", "messages")}
    runs = table.runs.copy()
    change(runs, columns, texts)
    ragged = {
        name: Ragged(
            columns[f"{name}/offset"],
            {c.split("/")[1]: v for c, v in columns.items()
             if c.startswith(f"{name}/") and not c.endswith("/offset")},
        )
        for name in table.ragged
    }  # fmt: skip
    forged = LogTable(runs=runs, ragged=ragged, **texts)
    forged.runs["crc32"] = forged.checksums()
    path.write_bytes(b"".join(encode(replace(forged, ragged=table.ragged))))
    with edited(path) as file:  # offsets and columns that need not fit each other
        for name, values in columns.items():
            put(file, name, shape=values.shape, dtype=file[name].dtype)[...] = values

"""Entries of many runs, gathered from tables: columns of one entry over and over stay so."""

import numpy as np

from firsthit.loggers.hdf5.ragged_columns import Ragged, chained
from firsthit.loggers.hdf5.schema import RAGGED


def repeated(runs, value, title):
    """Entries of so many runs, two each, of which one column is one entry over and over."""
    columns = {name: np.zeros(2 * runs, kind) for name, kind in RAGGED["hits"].items()}
    columns[title] = np.broadcast_to(np.array(value, RAGGED["hits"][title]), 2 * runs)
    return Ragged(np.arange(0, 2 * runs + 1, 2, dtype="u8"), columns)


def test_columns_of_one_entry_stay_so_when_tables_are_joined():
    tables = [repeated(runs, 0, "constraints") for runs in (3, 0, 5)]
    order = np.array([7, 0, 2, 1, 6])
    chunks = list(chained("hits", tables).take(order).chunks("constraints", 4))
    assert [(len(chunk), chunk.strides) for chunk in chunks] == [(4, (0,)), (4, (0,)), (2, (0,))]
    assert not np.concatenate(chunks).any()


def test_columns_of_different_entries_are_told_apart():
    tables = [repeated(3, 0, "constraints"), repeated(2, 9, "constraints")]
    order = np.array([3, 0, 4, 1])
    chunks = list(chained("hits", tables).take(order).chunks("constraints", 5))
    assert np.concatenate(chunks).tolist() == [9, 9, 0, 0, 9, 9, 0, 0]

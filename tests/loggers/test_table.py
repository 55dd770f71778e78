"""Tables of runs travel between processes as they are."""

import pickle

import numpy as np
import pytest

from firsthit.loggers.hdf5.deduplicate import join
from firsthit.loggers.hdf5.schema import RAGGED
from firsthit.loggers.records.table import tabulate

from .conftest import random_run


def columns_of(table):
    yield "runs", table.runs
    for name, dtypes in RAGGED.items():
        yield name, table.ragged[name].offset
        for column in dtypes:
            yield f"{name}/{column}", table.ragged[name].whole(column)


def tables():
    few = tabulate([random_run(repetition=i, evaluations=30 * i + 7) for i in range(3)], "{}")
    more = tabulate([random_run(repetition=i) for i in range(3, 6)], "{}")
    yield pytest.param(tabulate([], "{}"), id="none")
    yield pytest.param(few, id="some")
    yield pytest.param(join([more, few], ["more", "few"]), id="joined")
    yield pytest.param(few.take(np.array([2, 0])), id="taken")


@pytest.mark.parametrize("table", list(tables()))
def test_a_table_travels_by_pickle(table):
    there = pickle.loads(pickle.dumps(table, protocol=5))
    for kind in ("headers", "algorithms", "functions", "messages"):
        assert getattr(there, kind) == getattr(table, kind)
    for (name, one), (_, other) in zip(columns_of(table), columns_of(there), strict=True):
        assert one.dtype == other.dtype, name
        assert one.tobytes() == other.tobytes(), name
        assert other.ctypes.data % 8 == 0, name
    assert there.checksums().tobytes() == table.checksums().tobytes()

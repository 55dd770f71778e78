"""Columns that are read from byte planes equal those that h5py reads.

Private names: the function that reads byte planes is compared with h5py, and all files are large.
"""

import io

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import read_log
from firsthit.loggers.errors import LogFormatError
from firsthit.loggers.hdf5 import reader
from firsthit.loggers.hdf5.byte_planes import read_first_columns
from firsthit.loggers.records.dtypes import HITS

from .forging import edited, put
from .test_golden import GOLDEN, READABLE
from .test_versions import make_log

COLUMNS = ("target", "evaluation")
FILTERS = {"compression": "gzip", "compression_opts": 1, "shuffle": True, "fletcher32": True}
"""Options of h5py for the filters of a log."""
OTHER_FILTERS = {
    "contiguous": {},
    "no filters": {"chunks": True},
    "no shuffle": {**FILTERS, "shuffle": False},
    "no checksum": {**FILTERS, "fletcher32": False},
    "no compression": {"chunks": True, "shuffle": True, "fletcher32": True},
    "another compression": {"compression": "lzf", "shuffle": True, "fletcher32": True},
}


def read_by_h5py(dataset, columns, start, stop):
    return dataset.fields(list(columns))[start:stop]


def make_dataset(rows, **options):
    """Write rows into an HDF5 file in memory, and return the dataset."""
    return h5py.File(io.BytesIO(), "w").create_dataset("hits", data=rows, **options)


def random_hits(n_rows):
    return np.frombuffer(np.random.default_rng(1).bytes(n_rows * HITS.itemsize), HITS)


@pytest.mark.parametrize("name", READABLE)
def test_hits_of_golden_logs(name):
    with h5py.File(GOLDEN / name) as file:
        hits = file["hits"]
        for start, stop in ((0, len(hits)), (1, len(hits) - 1), (3, 3)):
            rows = read_first_columns(hits, COLUMNS, start, stop)
            assert rows.tobytes() == read_by_h5py(hits, COLUMNS, start, stop).tobytes()


TYPES = st.lists(st.sampled_from(["<f8", "<i8", "<u4", "u1", "S16"]), min_size=1, max_size=4)


@given(types=TYPES, chunk_rows=st.integers(1, 9), data=st.data())
def test_rows_of_any_type(types, chunk_rows, data):
    dtype = np.dtype([(f"x{i}", kind) for i, kind in enumerate(types)])
    n_rows = data.draw(st.integers(1, 40))
    n_bytes = n_rows * dtype.itemsize
    rows = np.frombuffer(data.draw(st.binary(min_size=n_bytes, max_size=n_bytes)), dtype)
    columns = tuple(data.draw(st.lists(st.sampled_from(dtype.names), min_size=1, unique=True)))
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, n_rows)] * 2)))
    dataset = make_dataset(rows, chunks=(min(chunk_rows, n_rows),), **FILTERS)
    read, expected = (
        function(dataset, columns, start, stop) for function in (read_first_columns, read_by_h5py)
    )
    assert read.dtype == expected.dtype
    assert read.tobytes() == expected.tobytes()


@pytest.mark.parametrize("case", OTHER_FILTERS)
def test_rows_with_other_filters_are_left_to_h5py(case):
    dataset = make_dataset(random_hits(100), **OTHER_FILTERS[case])
    assert read_first_columns(dataset, COLUMNS, 0, 9) is None


def test_chunks_that_are_not_as_usual_are_left_to_h5py():
    dataset = make_dataset(random_hits(100), chunks=(50,), **FILTERS)
    _, chunk = dataset.id.read_direct_chunk((50,))
    # HDF5 changes the mask only together with the size.
    for mask, content in ((1, chunk * 2), (0, chunk[:100]), (0, b"\xff" * 101)):
        dataset.id.write_direct_chunk((50,), content, mask)
        assert read_first_columns(dataset, COLUMNS, 0, 50) is not None
        assert read_first_columns(dataset, COLUMNS, 0, 51) is None


@pytest.fixture
def reads(monkeypatch):
    """What is read of files that are read in pieces; here all files are large."""
    results = []

    def read(*arguments):
        results.append(read_first_columns(*arguments))
        return results[-1]

    monkeypatch.setattr(reader, "WHOLE_BYTES", 0)
    monkeypatch.setattr(reader, "read_first_columns", read)
    return results


def first_hits(path):
    return read_log(path).first_hits([0, 1, 2, 3], [1e2, 1.0, 1e-2]).evaluations


def test_first_hits_of_large_logs_are_read_from_byte_planes(tmp_path, reads):
    path = make_log(tmp_path / "a.h5")
    with h5py.File(path) as file:
        expected = read_by_h5py(file["hits"], COLUMNS, 0, None)
    first_hits(path)
    assert [rows.tobytes() for rows in reads] == [expected.tobytes()]


@pytest.mark.parametrize("case", [case for case in OTHER_FILTERS if case != "another compression"])
def test_first_hits_do_not_depend_on_the_filters(tmp_path, reads, case):
    path = make_log(tmp_path / "a.h5")
    expected = first_hits(path)
    assert np.isfinite(expected).any()
    with edited(path) as file:
        put(file, "hits", data=file["hits"][:], **OTHER_FILTERS[case])
    reads.clear()
    np.testing.assert_array_equal(first_hits(path), expected)
    assert reads == [None]


def test_a_file_whose_checksum_differs_is_not_read(tmp_path, reads):
    path = make_log(tmp_path / "a.h5")
    with h5py.File(path) as file:
        position = file["hits"].id.get_chunk_info(0).byte_offset
    content = bytearray(path.read_bytes())
    content[position + 600] ^= 1
    path.write_bytes(content)
    with pytest.raises(LogFormatError, match="does not fit its checksum"):
        first_hits(path)
    assert reads == []

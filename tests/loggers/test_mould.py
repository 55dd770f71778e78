"""Files cast in moulds are what HDF5 reads, and what it would have written."""

import io

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import LogWriteError
from firsthit.loggers.hdf5 import mould
from firsthit.loggers.hdf5.mould import cast

HEAD = 512
NAMES = ("a", "b/one", "b/two", "c/d/e")
KINDS = ("<f8", "<u4", "<i8", "u1", "S1", "S13", [("key", "S5"), ("n", "<u8"), ("x", "<f8")])
ATTRIBUTES = (("format", np.bytes_("any")), ("version", np.uint32(7)))


def column(kind, rows):
    values = np.zeros(rows, kind)
    values.view(np.uint8)[...] = np.arange(values.nbytes) % 26 + ord("a")
    return values


def opened(columns, mode="r"):
    content, _ = cast(columns, ATTRIBUTES, HEAD)
    return h5py.File(io.BytesIO(bytes(HEAD) + content), mode)


@given(
    st.dictionaries(st.sampled_from(NAMES), st.tuples(st.sampled_from(KINDS), st.integers(0, 9)))
)
def test_hdf5_reads_what_was_put_in(asked):
    columns = {name: column(kind, rows) for name, (kind, rows) in asked.items()}
    content, places = cast(columns, ATTRIBUTES, HEAD)
    whole = bytes(HEAD) + content
    with h5py.File(io.BytesIO(whole)) as file:
        assert dict(file.attrs) == dict(ATTRIBUTES)
        found = []
        file.visititems(lambda name, o: found.append(name) if isinstance(o, h5py.Dataset) else None)
        assert sorted(found) == sorted(columns)
        for name, values in columns.items():
            stored = file[name]
            assert stored.dtype == values.dtype
            assert stored.shape == values.shape
            text = h5py.check_string_dtype(stored.dtype)
            size = values.dtype.itemsize
            assert text == (("utf-8", size) if values.dtype.kind == "S" else None)
            assert stored[()].tobytes() == values.tobytes()
            dtype, rows, place = places[name]
            assert np.frombuffer(whole, dtype, rows, place).tobytes() == values.tobytes()
            assert not rows or stored.id.get_offset() == place


def test_the_same_mould_makes_files_of_any_length():
    for rows in (5, 0, 70_000, 1):
        with opened({"b/one": column("<f8", rows), "a": column("<u4", 2 * rows)}) as file:
            assert file["b/one"][()].tobytes() == column("<f8", rows).tobytes()
            assert file["a"][()].tobytes() == column("<u4", 2 * rows).tobytes()


def test_hdf5_can_add_to_such_a_file():
    with opened({"a": column("<u4", 3), "b/one": column("S4", 2)}, "r+") as file:
        file["b/two"] = np.arange(1000)
        file["a"][1] = 9
        assert file["b/two"][()].tolist() == list(range(1000))
        assert file["b/one"][()].tobytes() == column("S4", 2).tobytes()
        assert file["a"][1] == 9


def test_a_column_that_is_no_piece_of_memory():
    values = np.arange(20.0)[::2]
    with opened({"a": values}) as file:
        assert file["a"][()].tolist() == values.tolist()


def test_an_unknown_layout_is_refused(monkeypatch):
    mould._mould.cache_clear()
    written = mould._written
    monkeypatch.setattr(mould, "_written", lambda *asked: written(*asked).replace(b"\xff", b"\xfe"))
    with pytest.raises(LogWriteError, match="lays files out in an unknown way"):
        cast({"a": column("<u4", 1)}, ATTRIBUTES, HEAD)
    monkeypatch.undo()
    mould._mould.cache_clear()

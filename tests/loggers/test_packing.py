"""Chunks packed here are those that HDF5 would make."""

import errno
import io
import json
import threading
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from firsthit.loggers import LogFormatError, LogHeader, LogWriter, read_log
from firsthit.loggers.hdf5 import outline, packing
from firsthit.loggers.hdf5 import reader as decode
from firsthit.loggers.hdf5.image import encode, encode_plain
from firsthit.loggers.hdf5.packing import fletcher32, packed
from firsthit.loggers.hdf5.reader import read_own, read_table
from firsthit.loggers.hdf5.schema import FORMAT
from firsthit.loggers.records.table import tabulate

CHUNK = 1000
RANDOM = np.random.default_rng(1)
COLUMNS = {
    "one byte": np.array([7], dtype="u1"),
    "less than a chunk": RANDOM.random(3),
    "one chunk": RANDOM.integers(-9, 9, CHUNK),
    "two chunks and a piece": RANDOM.random(2 * CHUNK + 1),
    "zeros": np.zeros(CHUNK + 5),
    "one entry over and over": np.broadcast_to(np.array(1.25), 2 * CHUNK + 5),
    "texts": RANDOM.integers(0, 10**6, 50).astype("S7"),
    "records": np.ones(CHUNK + 1, dtype=[("a", "S3"), ("b", "<f8"), ("c", "u1")]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_hdf5_reads_the_chunks_as_its_own(name):
    values = COLUMNS[name]
    rows = min(len(values), CHUNK)
    starts = range(0, len(values), rows)
    filters = {"chunks": (rows,), "compression": "gzip", "shuffle": True, "fletcher32": True}
    with h5py.File(io.BytesIO(), "w") as file:
        theirs = file.create_dataset("theirs", data=values, compression_opts=1, **filters)
        ours = file.create_dataset(
            "ours", values.shape, values.dtype, compression_opts=1, **filters
        )
        chunks = packed([(values[start : start + rows], rows) for start in starts])
        for start, chunk in zip(starts, chunks, strict=True):
            ours.id.write_direct_chunk((start,), chunk)
        file.flush()
        assert ours[...].tobytes() == values.tobytes()
        if values.dtype.kind in "iuS":
            assert chunks == [theirs.id.read_direct_chunk((start,))[1] for start in starts]


@pytest.mark.parametrize("data", [b"", b"\0\0", b"\xff\xff", b"\xff" * 400, b"abcde", b"\0" * 99])
def test_the_checksum_is_that_of_the_definition(data):
    low = high = 0
    for i in range(0, len(data), 2):
        low += int.from_bytes(data[i : i + 2].ljust(2, b"\0"), "big")
        low = (low & 0xFFFF) + (low >> 16)
        high += low
        high = (high & 0xFFFF) + (high >> 16)
    assert fletcher32(data) == high << 16 | low


def test_the_same_where_no_thread_can_be_started(monkeypatch):
    parts = [(column, len(column)) for column in COLUMNS.values()]
    expected = packed(parts)

    def refused(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert packed(parts) == expected


def test_an_error_in_a_thread_comes_out(monkeypatch):
    def broken(self, values, rows):
        raise MemoryError("no room")

    monkeypatch.setattr(packing._Packer, "__call__", broken)
    with pytest.raises(MemoryError, match="no room"):
        packed([(np.zeros(3), 3)] * 5)


def test_an_error_of_the_parts_comes_out():
    def parts():
        yield np.zeros(3), 3
        raise ValueError("no such column")

    with pytest.raises(ValueError, match="no such column"):
        packed(parts())


def test_parts_are_asked_for_when_a_thread_is_free(monkeypatch):
    """So that not all columns of a log are in memory at once."""
    asked, done, waiting = [], [], []

    def parts():
        for number in range(50):
            asked.append(number)
            waiting.append(len(asked) - len(done))
            yield np.full(3, number), 3

    def noted(self, values, rows):
        done.append(int(values[0]))
        return bytes([values[0]])

    monkeypatch.setattr(packing._Packer, "__call__", noted)
    assert packed(parts()) == [bytes([number]) for number in range(50)]
    assert max(waiting) <= packing._helpers() + 1


def test_only_the_merged_file_is_packed(tmp_path, make_run):
    path = tmp_path / "a.h5"
    with LogWriter(path, LogHeader()) as log:
        log.add(make_run())
        log.seal()
        [part] = (tmp_path / "a.h5.parts").glob("*.h5")
        with h5py.File(part) as file:
            assert file["runs"].chunks is None
        inside = read_log(path)
        log.add(make_run(repetition=1))
    with h5py.File(path) as file:
        assert file["runs"].compression == "gzip"
    assert read_log(path).runs.key[0] == inside.runs.key[0]


def names_in(file):
    names: list[str] = []
    file.visit(names.append)
    return names


@pytest.mark.parametrize("spent", [0, 3])
def test_both_ways_hold_the_same(make_run, spent):
    runs = [make_run(repetition=i) for i in range(3)]
    hits = replace(runs[1].hits, constraints=np.full(len(runs[1].hits), spent))
    table = tabulate([runs[0], replace(runs[1], hits=hits), runs[2]], LogHeader().to_json())
    image, _ = encode_plain(table)
    plain, merged = (h5py.File(io.BytesIO(b"".join(parts))) for parts in (image, encode(table)))
    left_out = {"trajectory/constraints", *([] if spent else ["hits/constraints"])}
    assert set(names_in(merged)) - set(names_in(plain)) == left_out
    assert dict(plain.attrs) == dict(merged.attrs)
    for name in names_in(plain):
        one, other = plain[name], merged[name]
        if isinstance(one, h5py.Dataset):
            assert one.dtype == other.dtype
            assert h5py.check_string_dtype(one.dtype) == h5py.check_string_dtype(other.dtype)
            assert one[()].tobytes() == other[()].tobytes()
    for name in left_out:
        assert not merged[name][()].any()


def test_the_writer_knows_where_everything_stands(tmp_path, make_run):
    table = tabulate([make_run(repetition=i) for i in range(3)], LogHeader().to_json())
    image, layout = encode_plain(table)
    path = tmp_path / "a.h5"
    path.write_bytes(b"".join(image))
    question = {"path": str(path), "format": FORMAT, "columns": [], "optional": [*layout.columns]}
    said = json.loads(outline.answer(json.dumps(question)))["columns"]
    assert said == {
        name: {
            "type": outline.plain_type(dtype),
            "rows": rows,
            "filters": [],
            "chunk_rows": rows,
            "chunks": [[0, place, rows * dtype.itemsize, 0]] if rows else [],
        }
        for name, (dtype, rows, place) in layout.columns.items()
    }
    own, read = read_own(path, layout), read_table(path)
    assert (own.headers, own.functions, own.messages) == (
        read.headers,
        read.functions,
        read.messages,
    )
    assert own.runs.tobytes() == read.runs.tobytes()
    for name, part in read.ragged.items():
        assert own.ragged[name].offset.tobytes() == part.offset.tobytes()
        for title, values in part.columns.items():
            assert own.ragged[name].columns[title].tobytes() == values.tobytes()


def test_a_file_in_memory_touches_no_disk(tmp_path, make_run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    encode_plain(tabulate([make_run()], LogHeader().to_json()))
    assert list(tmp_path.iterdir()) == []


def test_repeated_entries_are_packed_as_if_they_stood_there():
    kinds = [(0, "<i8", 5), (1, "<i8", 5), (1, "<i8", 4), (1, "<f8", 5), (1, "<i8", 5)]
    repeated = [np.broadcast_to(np.array(value, kind), n) for value, kind, n in kinds]
    written = [np.array(values) for values in repeated]
    rows = [8, 8, 8, 8, 9]
    assert packed(zip(repeated, rows, strict=True)) == packed(zip(written, rows, strict=True))


def test_a_part_that_was_changed_is_refused(tmp_path, make_run):
    image, layout = encode_plain(tabulate([make_run()], LogHeader().to_json()))
    path = tmp_path / "a.h5"
    head, content = image
    path.write_bytes(head + content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(LogFormatError, match=r"a\.h5.*changed since it was written"):
        read_own(path, layout)


def test_a_part_that_cannot_be_read_is_refused(tmp_path, make_run, monkeypatch):
    image, layout = encode_plain(tabulate([make_run()], LogHeader().to_json()))
    path = tmp_path / "a.h5"
    path.write_bytes(b"".join(image))

    def failing(self):
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr(Path, "read_bytes", failing)
    with pytest.raises(LogFormatError, match=r"a\.h5.*input/output error"):
        read_own(path, layout)
    monkeypatch.undo()
    with pytest.raises(FileNotFoundError):
        read_own(tmp_path / "b.h5", layout)


def test_closing_a_log_examines_no_part_of_its_own(tmp_path, make_run, monkeypatch):
    def examined(*question):
        raise AssertionError("a process of its own was asked")

    monkeypatch.setattr(decode.examiner, "outline", examined)
    with LogWriter(tmp_path / "a.h5", LogHeader()) as log:
        for repetition in range(150):  # more than are compacted
            log.add(make_run(repetition=repetition))
            log.seal()
    monkeypatch.undo()
    assert len(read_log(tmp_path / "a.h5").runs) == 150

"""Large logs are read piece by piece: the same numbers as read at once, and only what is needed.

Private names: the size of a piece is lowered, and reads of the file are counted.
"""

import os
import shutil
from itertools import pairwise

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import read_log
from firsthit.loggers.errors import LogFormatError
from firsthit.loggers.hdf5 import ragged, reader, schema
from firsthit.loggers.hdf5.ragged import LazyRagged, Ragged, chain
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.log import first_hits
from firsthit.loggers.records.dtypes import HITS, as_rows
from firsthit.loggers.records.log_header import LogHeader
from firsthit.suites.errors import UnknownNameError

from .conftest import random_run
from .forging import edited
from .problems import equal
from .test_versions import make_log, make_version_2_9

ROWS = 512


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A log of 160 runs of two algorithms whose columns have several chunks."""
    path = tmp_path_factory.mktemp("large") / "a.h5"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_CHUNK_ROWS", ROWS)
        with LogWriter(path, LogHeader({"one": {}, "two": {}})) as writer:
            for repetition in range(80):
                for algorithm in ("one", "two"):
                    writer.add(
                        random_run(
                            algorithm=algorithm, repetition=repetition,
                            evaluations=100 + repetition, instance=1 + repetition % 3,
                        )
                    )  # fmt: skip
    return path


@pytest.fixture
def in_pieces(monkeypatch):
    """Large files are read in windows; here all files are large, and windows small."""
    monkeypatch.setattr(reader, "WHOLE_BYTES", 0)
    monkeypatch.setattr(ragged, "_WINDOW_ROWS", 300)
    monkeypatch.setattr(ragged, "_GAP_ROWS", 50)


def entries(log):
    for run in range(len(log)):
        yield [part(run).tobytes() for part in (log.hits, log.trajectory, log.restarts)]


@pytest.fixture
def whole(large):
    """The log, read at once; asked for before ``in_pieces``."""
    return read_log(large)


def test_the_tables_have_several_chunks(large):
    with h5py.File(large) as file:
        assert file["hits"].id.get_num_chunks() > 3


def test_in_pieces_everything_is_as_at_once(large, whole, in_pieces):
    log = read_log(large)
    for name in type(log.runs).__annotations__:
        np.testing.assert_array_equal(log.runs[name], whole.runs[name])
    for one, other in zip(entries(log), entries(whole), strict=True):
        assert one == other
    for run in range(len(log)):
        np.testing.assert_array_equal(log.best_solution(run), whole.best_solution(run))
    rows, targets = np.array([5, 3, 3, -1, 30]), [1e2, 3e-1, 1e-8, 0.77]
    for a, b in zip(log.first_hits(rows, targets), whole.first_hits(rows, targets), strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(log.best_at(rows, [1, 7, 99]), whole.best_at(rows, [1, 7, 99]), strict=True):
        np.testing.assert_array_equal(a, b)


def test_first_hits_do_not_depend_on_the_runs_taken_at_once(large, monkeypatch):
    log = read_log(large)
    targets = [1e-1, 1e2, 1e-8, 1e-3]
    one_by_one = [log.first_hits([run], targets).evaluations[0] for run in range(len(log))]
    assert np.isfinite(one_by_one).any(axis=0).sum() >= 2
    for runs in (1, 7, 1000):
        monkeypatch.setattr(first_hits, "_BLOCK_RUNS", runs)
        found = log.first_hits(np.arange(len(log)), targets).evaluations
        np.testing.assert_array_equal(found, one_by_one)


@pytest.fixture
def asked(monkeypatch):
    """Which rows are read of files."""
    spans = []
    real = reader._read_rows

    def read(path, file, raw, identity, name, start, stop, fields):
        spans.append((f"/{name}", start, stop))
        return real(path, file, raw, identity, name, start, stop, fields)

    monkeypatch.setattr(reader, "_read_rows", read)
    return spans


def test_hits_of_a_few_runs_are_read_without_the_rest(large, in_pieces, asked):
    log = read_log(large)
    log.first_hits([0, 1], [1e-1, 1e-8])
    counts = [len(log.hits(run)) for run in (0, 1)]
    assert asked[0] == ("/hits", 0, sum(counts))
    assert {name for name, _, _ in asked} == {"/hits"}


def test_what_was_read_is_kept_until_it_is_forgotten(large, in_pieces, asked):
    log, rows, targets = read_log(large), np.arange(160), [1e-1, 1e-8]
    first = log.first_hits(rows, targets).evaluations
    rows_read = sum(stop - start for _, start, stop in asked)
    assert rows_read > 0
    asked.clear()
    assert np.array_equal(log.first_hits(rows, targets).evaluations, first, equal_nan=True)
    assert sum(stop - start for _, start, stop in asked) == 0
    log.forget()
    assert np.array_equal(log.first_hits(rows, targets).evaluations, first, equal_nan=True)
    assert sum(stop - start for _, start, stop in asked) == rows_read


def test_no_window_is_larger_than_its_bound(large, in_pieces, asked):
    log = read_log(large)
    log.first_hits(np.arange(160)[::-1], [1e-1, 0.77])
    log.best_at(np.arange(0, 160, 7), [5])
    longest = max(len(log.trajectory(run)) for run in range(160))
    assert max(stop - start for _, start, stop in asked) <= 300 + longest


def test_a_log_replaced_after_it_was_opened_stays_what_it_was(large, in_pieces, tmp_path):
    path = tmp_path / "a.h5"
    shutil.copy(large, path)
    log, expected = read_log(path), read_log(large)
    other = tmp_path / "other"
    other.write_bytes(b"something else")
    os.replace(other, path)
    assert log.hits(7).tobytes() == expected.hits(7).tobytes()
    path.unlink()
    assert log.trajectory(7).tobytes() == expected.trajectory(7).tobytes()


def test_a_log_changed_while_it_is_read_is_refused(large, in_pieces, tmp_path):
    path = tmp_path / "a.h5"
    shutil.copy(large, path)
    log = read_log(path)
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        file.write(b"x" * 1000)
    os.utime(path, ns=(1, 1))
    with pytest.raises(LogFormatError, match=r"a\.h5.*changed while it was being read"):
        log.hits(0)


def test_what_is_read_later_is_checked_then(large, in_pieces, tmp_path):
    path = tmp_path / "a.h5"
    shutil.copy(large, path)
    with edited(path) as file:
        hits = file["hits"][:]
        hits["evaluation"][-1] = 10**9
        file["hits"][:] = hits
    log = read_log(path)
    assert len(log.hits(0)) > 0
    with pytest.raises(LogFormatError, match=r"a\.h5.*hits are out of range"):
        log.hits(159)


def test_two_large_logs_together(large, in_pieces, tmp_path):
    with LogWriter(tmp_path / "b.h5", LogHeader({"between": {}})) as writer:
        for instance in (1, 2, 3):
            writer.add(random_run(algorithm="between", instance=instance))
    both, one = read_log([large, tmp_path / "b.h5"]), read_log(large)
    mine = np.flatnonzero(both.runs.algorithm != "between")
    assert len(mine) == len(one)
    assert both.runs.key[mine].tolist() == one.runs.key.tolist()
    for run, place in enumerate(mine.tolist()):
        assert both.hits(place).tobytes() == one.hits(run).tobytes()
    np.testing.assert_array_equal(
        both.first_hits(mine, [1e-2]).evaluations,
        one.first_hits(np.arange(len(one)), [1e-2]).evaluations,
    )


@given(
    lengths=st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=3),
    is_stored=st.booleans(),
    data=st.data(),
)
def test_picked_rows_are_those_of_a_plain_loop(lengths, is_stored, data):
    count = 0
    tables, plain = [], []
    for runs in lengths:
        offsets = np.concatenate(([0], np.cumsum(runs))).astype("<i8")
        values = np.arange(count, count + sum(runs))
        count += sum(runs)
        rows = as_rows(HITS, values, values)
        if is_stored:
            check = lambda runs, found: None  # noqa: E731
            tables.append(LazyRagged(offsets, lambda a, b, _, rows=rows: rows[a:b], check))
        else:
            tables.append(Ragged(offsets, rows))
        plain += [values[int(a) : int(b)].tolist() for a, b in pairwise(offsets)]
    picked = chain("hits", tables, list(map(len, lengths)))
    for _ in range(2):
        rows = data.draw(st.lists(st.integers(0, len(plain) - 1), max_size=8)) if plain else []
        rows = np.array(rows, dtype=np.int64)
        loaded = picked.pick(rows)
        assert [run["evaluation"].tolist() for run in map(loaded.of, range(len(rows)))] == [
            plain[row] for row in rows
        ]
        picked = picked.reorder(rows)
        plain = [plain[row] for row in rows]
        assert picked.lengths.tolist() == [len(run) for run in plain]
        for i, run in enumerate(plain):
            assert picked.of(i)["target"].tolist() == run


def test_codes_are_the_texts_in_short(large):
    runs = read_log(large).runs
    for name in ("algorithm", "suite", "suite_version", "function_name", "status", "record"):
        names, positions = runs.codes(name)
        assert list(names) == sorted(set(runs[name].tolist()))
        assert [names[position] for position in positions] == runs[name].tolist()
    with pytest.raises(KeyError):
        runs.codes("seed")
    with pytest.raises(UnknownNameError, match=r"column 'sed'\. Did you mean 'seed'"):
        runs["sed"]


def test_a_large_log_of_a_newer_minor_version_is_read_in_pieces(tmp_path, monkeypatch):
    path = make_log(tmp_path / "a.h5")
    make_version_2_9(path)
    whole = read_log(path)
    monkeypatch.setattr(reader, "WHOLE_BYTES", 0)
    assert equal(read_log(path), whole)

"""Large logs are read piece by piece: the same numbers as read at once, and only what is needed."""

import os
import shutil
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.loggers import LogFormatError, LogHeader, LogWriter, read_log
from firsthit.loggers.hdf5 import image, stored
from firsthit.loggers.hdf5 import reader as decode
from firsthit.loggers.hdf5.ragged_columns import Ragged, chained
from firsthit.loggers.hdf5.reader import read_table
from firsthit.loggers.hdf5.schema import RAGGED
from firsthit.loggers.log import first_hits

from .conftest import random_run
from .forging import edited

ROWS = 1024


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A log of 160 runs of two algorithms whose columns have several chunks."""
    path = tmp_path_factory.mktemp("large") / "a.h5"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(image, "CHUNK_ROWS", ROWS)
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
    monkeypatch.setattr(decode, "WHOLE_BYTES", 0)


def entries(log):
    for run in range(len(log)):
        yield log.hits(run), log.trajectory(run), log.restarts(run), log.recommendations(run)


def test_the_columns_have_several_chunks(large):
    table = read_table(large, whole=True)
    assert len(table.ragged["hits"].columns["target"]) > ROWS


def test_in_pieces_everything_is_as_at_once(large, monkeypatch):
    whole = read_log(large)
    monkeypatch.setattr(decode, "WHOLE_BYTES", 0)
    log = read_log(large)
    for name in type(log.runs).__annotations__:
        np.testing.assert_array_equal(log.runs[name], whole.runs[name])
    for one, other in zip(entries(log), entries(whole), strict=True):
        assert all(a.same(b) for a, b in zip(one, other, strict=True))
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
        monkeypatch.setattr(first_hits, "_RUNS_AT_ONCE", runs)
        found = log.first_hits(np.arange(len(log)), targets).evaluations
        np.testing.assert_array_equal(found, one_by_one)


def test_hits_of_a_few_runs_are_read_without_the_rest(large, in_pieces, monkeypatch):
    log = read_log(large)
    asked = []
    real = stored.StoredColumn.unpack

    def unpack(self, number):
        asked.append((self.name, number))
        return real(self, number)

    monkeypatch.setattr(stored.StoredColumn, "unpack", unpack)
    log.first_hits([0, 1], [1e-1, 1e-8])
    assert sorted(asked) == [("hits/evaluation", 0), ("hits/target", 0)]
    log.first_hits([0, 1], [1e-2])
    assert len(asked) == 2


def test_unpacked_chunks_are_kept_up_to_a_bound(large, in_pieces, monkeypatch):
    monkeypatch.setattr(stored, "CACHE_BYTES", 3 * ROWS * 8)
    log = read_log(large)
    held = []
    real = stored.StoredFile.unpacked

    def unpacked(self, column, number):
        found = real(self, column, number)
        held.append(self._cached_bytes)
        assert self._cached_bytes == sum(chunk.nbytes for chunk in self._cache.values())
        return found

    monkeypatch.setattr(stored.StoredFile, "unpacked", unpacked)
    first = log.first_hits(np.arange(160), [1e-1, 0.77]).evaluations
    np.testing.assert_array_equal(log.first_hits(np.arange(160), [1e-1, 0.77]).evaluations, first)
    assert max(held) <= 3 * ROWS * 8


def test_a_log_replaced_after_it_was_opened_stays_what_it_was(large, in_pieces, tmp_path):
    path = tmp_path / "a.h5"
    shutil.copy(large, path)
    log, expected = read_log(path), read_log(large)
    other = tmp_path / "other"
    other.write_bytes(b"something else")
    os.replace(other, path)
    assert log.hits(7).same(expected.hits(7))
    path.unlink()
    assert log.trajectory(7).same(expected.trajectory(7))


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
        evaluation = file["hits/evaluation"][:]
        evaluation[-1] = 10**9
        file["hits/evaluation"][:] = evaluation
    log = read_log(path)
    assert len(log.hits(0)) > 0
    with pytest.raises(LogFormatError, match=r"a\.h5.*hits/evaluation is out of range"):
        log.hits(159)
    with pytest.raises(LogFormatError, match=r"a\.h5.*checksum of run 159"):
        decode_whole(path)


def decode_whole(path):
    """Read at once and compare checksums, in a file whose evaluations are in range again."""
    with edited(path) as file:
        evaluation = file["hits/evaluation"][:]
        evaluation[-1] = evaluation[-2] + 1
        file["hits/evaluation"][:] = evaluation
    read_table(path)


def test_two_large_logs_together(large, in_pieces, tmp_path):
    with LogWriter(tmp_path / "b.h5", LogHeader({"between": {}})) as writer:
        for instance in (1, 2, 3):
            writer.add(random_run(algorithm="between", instance=instance))
    both, one = read_log([large, tmp_path / "b.h5"]), read_log(large)
    mine = np.flatnonzero(both.runs.algorithm != "between")
    assert len(mine) == len(one)
    assert both.runs.key[mine].tolist() == one.runs.key.tolist()
    for run, place in enumerate(mine.tolist()):
        assert both.hits(place).same(one.hits(run))
    np.testing.assert_array_equal(
        both.first_hits(mine, [1e-2]).evaluations,
        one.first_hits(np.arange(len(one)), [1e-2]).evaluations,
    )


@given(
    lengths=st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=3),
    data=st.data(),
)
@settings(deadline=None)
def test_picked_entries_are_those_of_a_plain_loop(lengths, data):
    columns = list(RAGGED["hits"])
    count = 0
    tables, plain = [], []
    for runs in lengths:
        offset = np.concatenate(([0], np.cumsum(runs))).astype("<u8")
        values = np.arange(count, count + sum(runs))
        count += sum(runs)
        tables.append(Ragged(offset, {n: values.astype(RAGGED["hits"][n]) for n in columns}))
        plain += [values[int(a) : int(b)].tolist() for a, b in pairwise(offset)]
    picked = chained("hits", tables)
    for _ in range(2):
        rows = data.draw(st.lists(st.integers(0, len(plain) - 1), max_size=8)) if plain else []
        picked = picked.take(np.array(rows, dtype=np.int64))
        plain = [plain[row] for row in rows]
        assert picked.lengths.tolist() == [len(run) for run in plain]
        flat = [value for run in plain for value in run]
        for name in columns:
            assert picked.columns[name].dtype == np.dtype(RAGGED["hits"][name])
            assert picked.columns[name].tolist() == flat
        for i, run in enumerate(plain):
            assert picked.of(i)["evaluation"].tolist() == run
            assert picked.between("target", i, i + 1).tolist() == run


def test_codes_are_the_texts_in_short(large):
    runs = read_log(large).runs
    for name in ("algorithm", "suite", "suite_version", "function_name", "status", "record"):
        names, positions = runs.codes(name)
        assert list(names) == sorted(set(runs[name].tolist()))
        assert [names[position] for position in positions] == runs[name].tolist()
    with pytest.raises(KeyError):
        runs.codes("seed")
    with pytest.raises(AttributeError, match="no column 'sed'"):
        runs["sed"]

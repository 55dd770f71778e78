"""A log is never overwritten, never half written, and loses no run that it took.

Private names: faults are injected into the storage, and the journal's byte format is read.
"""

import errno
import io
import json
import os
import threading
from functools import partial
from unittest.mock import Mock

import h5py
import numpy as np
import pytest

from firsthit.loggers import Observer, merge_logs, read_log
from firsthit.loggers.errors import (
    LogConflictError,
    LogExistsError,
    LogFormatError,
    LogWriteError,
    ObservationError,
)
from firsthit.loggers.hdf5 import journal_writer, storage
from firsthit.loggers.hdf5.journal import complete_records, encode_record
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader

from .conftest import random_run
from .forging import with_head
from .problems import equal, sphere

HEADER = LogHeader({"random": {}})


def write(path, repetitions, *, resume=False, end="close"):
    log = LogWriter(path, HEADER, resume)
    for repetition in repetitions:
        log.add(random_run(repetition=repetition))
    getattr(log, end)()


def parts(path):
    return sorted(path.with_name(path.name + ".parts").glob("*.journal"))


def test_abandoning_leaves_parts_that_can_be_read_resumed_and_merged(tmp_path):
    path = tmp_path / "a.h5"
    write(path, range(3), end="abandon")
    assert not path.exists()
    assert len(read_log(path)) == len(read_log(tmp_path)) == 3
    write(path, range(3, 5), resume=True, end="abandon")
    assert len(parts(path)) == 2
    merge_logs(path, path)
    assert os.listdir(tmp_path) == ["a.h5"]
    assert len(read_log(path)) == 5


@pytest.mark.parametrize("end", ["close", "abandon"])
def test_an_existing_log_is_never_overwritten_and_the_error_names_two_ways_on(tmp_path, end):
    path = tmp_path / "a.h5"
    write(path, range(2), end=end)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.h5")}
    with pytest.raises(LogExistsError, match=r"resume=True makes .* overwrite=True replaces it"):
        LogWriter(path, HEADER)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.h5")} == before


def test_resuming_a_complete_log_changes_no_byte(tmp_path):
    path = tmp_path / "a.h5"
    write(path, range(2))
    before = path.read_bytes()
    write(path, [], resume=True)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.h5"]


def test_resuming_with_other_parameters_is_refused_before_anything_runs(tmp_path):
    path = tmp_path / "a.h5"
    write(path, [0])
    with pytest.raises(LogConflictError, match=r"'random' differs .* sigma was not set, is 1"):
        LogWriter(path, LogHeader({"random": {"sigma": 1}}), resume=True)
    assert os.listdir(tmp_path) == ["a.h5"]


def test_resuming_a_damaged_log_is_refused_and_leaves_it(tmp_path):
    path = tmp_path / "a.h5"
    path.write_bytes(b"garbage")
    with pytest.raises(LogFormatError, match=r"a\.h5"):
        LogWriter(path, HEADER, resume=True)
    assert path.read_bytes() == b"garbage"


def test_one_log_has_one_writer(tmp_path):
    path = tmp_path / "a.h5"
    with LogWriter(path, HEADER):
        for resume in (False, True):
            with pytest.raises(LogWriteError, match=f"by process {os.getpid()} on .*; one log"):
                LogWriter(path, HEADER, resume)
        write(tmp_path / "b.h5", [0])
        with pytest.raises(LogWriteError, match="one log has one writer"):
            merge_logs(tmp_path / "b.h5", path)
    LogWriter(path, HEADER, resume=True).close()


@pytest.mark.parametrize("name", ["a", "a.hdf5", "a.csv", ".h5"])
def test_a_name_without_the_suffix_is_refused(tmp_path, name):
    with pytest.raises(LogWriteError, match=r"ends in \.h5"):
        LogWriter(tmp_path / name, HEADER)


def test_places_that_cannot_be_written_are_refused_at_once(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "d.h5").mkdir()
    with pytest.raises(LogWriteError, match="cannot write the log"):
        LogWriter(tmp_path / "file" / "a.h5", HEADER)
    with pytest.raises(LogWriteError, match="is a folder"):
        LogWriter(tmp_path / "d.h5", HEADER)
    with pytest.raises(LogWriteError, match="cannot write the log"):
        LogWriter("/proc/nothing/a.h5", HEADER)


def test_closing_twice_does_no_harm_and_adding_later_is_refused(tmp_path):
    log = LogWriter(tmp_path / "a.h5", HEADER)
    log.add(random_run())
    log.close()
    log.close()
    log.abandon()
    with pytest.raises(ObservationError, match="is closed"):
        log.add(random_run())


@pytest.fixture
def synced(monkeypatch):
    """Files that were synced, and when the next is due by the clock of the writer."""
    calls = []
    real = storage.sync
    monkeypatch.setattr(storage, "sync", lambda handle: calls.append(handle) or real(handle))
    return calls


def test_a_timer_syncs_without_another_call(tmp_path, monkeypatch, synced):
    monkeypatch.setattr(journal_writer, "SYNC_SECONDS", 0.2)
    with LogWriter(tmp_path / "a.h5", HEADER) as log:
        log.add(random_run())
        timer = log._journals._timer
        assert timer is not None
        assert synced == []
        timer.join(10)
        assert len(synced) == 1


def test_where_no_timer_can_run_the_next_run_syncs_those_before(tmp_path, monkeypatch, synced):
    """As with an optimizer that holds the interpreter's lock for minutes."""
    now = 100.0
    monkeypatch.setattr(journal_writer.time, "monotonic", lambda: now)
    waits = []
    monkeypatch.setattr(threading, "Timer", lambda wait, what: waits.append(wait) or Mock())
    with LogWriter(tmp_path / "a.h5", HEADER) as log:
        log.add(random_run(repetition=0))
        now = 101.7
        log.add(random_run(repetition=1))
        assert (waits, synced) == ([1.8], [])
        now = 150.0
        log.add(random_run(repetition=2))
        assert (waits, len(synced)) == ([1.8, 1.8], 1)
        log.sync()
        assert len(synced) == 2
        log.sync()
        assert len(synced) == 2


@pytest.mark.parametrize("step", ["create", "write", "sync"])
def test_after_a_full_disk_the_next_run_tries_again(tmp_path, monkeypatch, step):
    path = tmp_path / "a.h5"
    with LogWriter(path, HEADER) as log:
        if step != "create":
            log.add(random_run(repetition=0))
        with monkeypatch.context() as patch:
            patch.setattr(storage, step, Mock(side_effect=OSError(errno.ENOSPC, "no space")))
            patch.setattr(journal_writer.time, "monotonic", lambda: float("inf"))
            with pytest.raises(LogWriteError, match="no space"):
                log.add(random_run(repetition=1))
            log._journals._sync_in_time()
        log.add(random_run(repetition=2))
        expected = [1, 2] if step == "create" else [0, 1, 2]
        assert read_log(path).runs.repetition.tolist() == expected
    assert read_log(path).runs.repetition.tolist() == expected
    assert os.listdir(tmp_path) == ["a.h5"]


def test_an_interrupt_within_a_write_costs_nothing(tmp_path, monkeypatch):
    path = tmp_path / "a.h5"
    real = storage.write

    def interrupted(handle, data):
        monkeypatch.setattr(storage, "write", real)
        real(handle, data[:50])
        raise KeyboardInterrupt

    with LogWriter(path, HEADER) as log:
        log.add(random_run(repetition=0))
        monkeypatch.setattr(storage, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            log.add(random_run(repetition=1))
        log.add(random_run(repetition=2))
        assert read_log(path).runs.repetition.tolist() == [0, 1, 2]
    assert read_log(path).runs.repetition.tolist() == [0, 1, 2]


def cut(path, size):
    os.truncate(path, size)


def zeroed(path, size):
    os.truncate(path, size)
    with open(path, "ab") as file:
        file.write(bytes(4096))


def flipped(path, size):
    data = bytearray(path.read_bytes())
    data[size] ^= 4
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [cut, zeroed, flipped])
def test_a_torn_journal_is_read_up_to_its_last_whole_run(tmp_path, capfd, damage):
    path = tmp_path / "a.h5"
    log = LogWriter(path, HEADER)
    ends = []
    for repetition in range(3):
        log.add(random_run(repetition=repetition))
        ends.append(os.path.getsize(parts(path)[0]))
    log.abandon()
    journal = parts(path)[0]
    whole = journal.read_bytes()
    head_end, _ = next(complete_records(io.BytesIO(whole), len(whole)))
    rng = np.random.default_rng(1)
    for size in (*rng.integers(1, ends[-1], 20).tolist(), *ends[:-1], ends[0] + 1, ends[1] - 1, 0):
        journal.write_bytes(whole)
        damage(journal, size)
        is_whole = damage is cut and size in (0, head_end, *ends)
        left = sum(end <= size for end in ends)
        if left:
            log = read_log(path)
            assert log.runs.repetition.tolist() == list(range(left))
        else:
            assert len(read_log(path)) == 0
        notes = read_log(path).notes
        assert len(notes) == (not is_whole)
        assert all(f"{journal.name}' ends in " in note for note in notes)
    assert capfd.readouterr().err == ""
    with LogWriter(path, HEADER, resume=True) as log:  # the last of them left nothing, 0 bytes
        log.add_many([random_run(repetition=repetition) for repetition in range(3)])
    assert read_log(path).runs.repetition.tolist() == [0, 1, 2]


def test_the_writer_sets_aside_what_is_torn_and_tells(tmp_path, capfd):
    path = tmp_path / "a.h5"
    write(path, range(3), end="abandon")
    journal = parts(path)[0]
    size = os.path.getsize(journal)
    cut(journal, size - 10)
    torn = journal.read_bytes()
    for number, expected in ((1, [0, 1]), (2, [0])):
        log = LogWriter(path, HEADER, resume=True)
        aside = tmp_path / f"a.h5.torn-{number}"
        told = capfd.readouterr().err
        assert f"1 run is incomplete at the end of {str(journal)!r}" in told
        assert f"the last {aside.stat().st_size} bytes were moved to {str(aside)!r}" in told
        assert torn.endswith(aside.read_bytes())
        assert read_log(path).runs.repetition.tolist() == expected
        assert read_log(path).notes == ()
        log.abandon()
        torn = journal.read_bytes()[:-20]
        cut(journal, len(torn))
    write(path, range(3), resume=True)
    assert read_log(path).runs.repetition.tolist() == [0, 1, 2]
    assert sorted(os.listdir(tmp_path)) == ["a.h5", *(f"a.h5.torn-{n}" for n in (1, 2, 3))]


def test_while_a_writer_lives_nobody_speaks_of_what_it_has_not_written_yet(tmp_path):
    path = tmp_path / "a.h5"
    log = LogWriter(path, HEADER)
    log.add(random_run(repetition=0))
    with open(parts(path)[0], "ab") as file:
        file.write(b"fhj\n and more to come")
    assert read_log(path).notes == ()
    log.close()
    assert len(read_log(path)) == 1


@pytest.mark.parametrize("kind", ["empty", "foreign", "version"])
def test_journals_of_others(tmp_path, kind):
    path = tmp_path / "a.h5"
    write(path, [0], end="abandon")
    journal = parts(path)[0]
    real = journal.read_bytes()
    if kind == "empty":
        (journal.parent / "000002.journal").write_bytes(b"")
        assert len(read_log(path)) == 1
        write(path, [1], resume=True)
        assert os.listdir(tmp_path) == ["a.h5"]
        return
    old, new = {
        "foreign": (b"firsthit journal", b"likewise journal"),
        "version": (b'"journal_version": 2', b'"journal_version": 9'),
    }[kind]
    _, head = next(complete_records(io.BytesIO(real), len(real)))
    journal.write_bytes(encode_record(head.replace(old, new)))
    for read in (lambda: read_log(path), lambda: LogWriter(path, HEADER, resume=True)):
        with pytest.raises(LogFormatError, match=journal.name):
            read()


def test_tables_may_be_absent_and_those_of_others_are_passed_over(tmp_path):
    """So that later versions may add some."""
    path = tmp_path / "a.h5"
    write(path, [0], end="abandon")
    journal = parts(path)[0]
    content = journal.read_bytes()
    head, run = (payload for _, payload in complete_records(io.BytesIO(content), len(content)))
    facts = json.loads(head)
    facts["tables"]["later"] = [["x", "<f8"], ["y", "S3"]]
    counts = 8 + 4 * (len(facts["tables"]) - 1)  # after the number of the run
    texts_at = run.rindex(b'{"algorithms"')
    later = (
        run[:counts] + (2).to_bytes(4, "little") + run[counts:texts_at] + bytes(22) + run[texts_at:]
    )
    before = read_log(path)
    journal.write_bytes(encode_record(json.dumps(facts).encode()) + encode_record(later))
    assert equal(read_log(path), before)
    assert "by a newer firsthit: its later are not used" in read_log(path).notes[0]
    with pytest.raises(LogFormatError, match="use a newer firsthit"):
        merge_logs(path, path)
    journal.write_bytes(content)
    merge_logs(path, path)
    with h5py.File(path, "r+") as file:
        for name in ("trajectory", "best_solutions"):
            del file[name], file[f"{name}_offsets"]
    path.write_bytes(with_head(path.read_bytes()))
    log = read_log(path)
    assert len(log.trajectory(0)) == len(log.best_solution(0)) == 0
    assert log.hits(0).tobytes() == before.hits(0).tobytes()


def test_order_and_sessions_make_no_difference(tmp_path):
    runs = [
        random_run(algorithm=name, instance=instance, repetition=repetition, evaluations=30)
        for name in ("b", "a")
        for instance in (2, 1)
        for repetition in (1, 0)
    ]
    rng = np.random.default_rng(1)
    header = LogHeader({"a": {}, "b": {}})
    logs = []
    for session in range(3):
        path = tmp_path / f"{session}.h5"
        order = rng.permutation(len(runs))
        for block in np.array_split(order, session + 1):
            with LogWriter(path, header, resume=True) as log:
                for i in block:
                    log.add(runs[i])
        logs.append(read_log(path))
    assert equal(logs[0], logs[1])
    assert equal(logs[0], logs[2])
    runs_read = logs[0].runs
    assert runs_read.instance.tolist() == [1] * 4 + [2] * 4
    assert runs_read.algorithm.tolist() == ["a", "a", "b", "b"] * 2
    assert runs_read.repetition.tolist() == [0, 1] * 4


def test_merging_drops_what_is_there_twice_and_refuses_contradictions(tmp_path):
    write(tmp_path / "a.h5", [0, 1])
    write(tmp_path / "b.h5", [1, 2])
    with LogWriter(tmp_path / "c.h5", HEADER) as log:
        log.add(random_run(repetition=1, evaluations=77))
    merged = merge_logs([tmp_path / "a.h5", tmp_path / "b.h5"], tmp_path / "m.h5")
    assert read_log(merged).runs.repetition.tolist() == [0, 1, 2]
    assert len(read_log([tmp_path / "a.h5", tmp_path / "b.h5", merged])) == 3
    for bad in (lambda: read_log(tmp_path), lambda: merge_logs(tmp_path, tmp_path / "n.h5")):
        with pytest.raises(LogConflictError, match=r"random on user f1 i1 d3, repetition 1.*c\.h5"):
            bad()
    assert sorted(os.listdir(tmp_path)) == ["a.h5", "b.h5", "c.h5", "m.h5"]


def test_merging_never_overwrites_another_log(tmp_path):
    write(tmp_path / "a.h5", [0])
    write(tmp_path / "b.h5", [1])
    with pytest.raises(LogExistsError, match="overwrite=True replaces it"):
        merge_logs(tmp_path / "a.h5", tmp_path / "b.h5")
    merge_logs([tmp_path / "a.h5", tmp_path / "b.h5"], tmp_path / "b.h5")
    assert len(read_log(tmp_path / "b.h5")) == 2


def test_a_header_must_be_plain_data(tmp_path):
    for bad in (object(), {"f": len}, b"bytes", 1j):
        with pytest.raises(ObservationError, match=r"header\.algorithms\.a\.x"):
            LogWriter(tmp_path / "a.h5", LogHeader({"a": {"x": bad}}))
    header = LogHeader({"a": {"x": np.float64(2), "y": [np.inf, (1, 2)], "z": np.arange(2)}})
    with LogWriter(tmp_path / "a.h5", header) as log:
        log.add(random_run(algorithm="a"))
    parameters = read_log(tmp_path / "a.h5").headers[0]["algorithms"]["a"]
    assert parameters == {"x": 2.0, "y": ["inf", [1, 2]], "z": [0, 1]}


def test_a_file_that_somebody_reads_is_replaced_when_they_let_go(tmp_path, monkeypatch):
    """Windows refuses to replace an open file; three tries here, the last one counts."""
    (tmp_path / "new").write_text("new")
    (tmp_path / "old").write_text("old")
    tries, replace = [], os.replace

    def refusing(old, new):
        tries.append(old)
        if len(tries) < 3:
            raise PermissionError(13, "used by another process")
        replace(old, new)

    monkeypatch.setattr(os, "replace", refusing)
    monkeypatch.setattr(storage, "_PAUSES_SECONDS", (0.0, 0.0))
    storage.replace(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old").read_text() == "new"
    tries.clear()
    monkeypatch.setattr(storage, "_PAUSES_SECONDS", (0.0,))
    (tmp_path / "new").write_text("newer")
    with pytest.raises(PermissionError):
        storage.replace(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old").read_text() == "new"


@pytest.mark.parametrize("loops", [1, 40])
def test_a_loop_for_each_problem_costs_no_more_than_one_for_all(tmp_path, loops, monkeypatch):
    """Nothing is synced, encoded or read at the end of a loop."""
    steps = []
    for name in storage.STEPS:
        real = getattr(storage, name)
        step = partial(lambda name, real, *given: steps.append(name) or real(*given), name, real)
        monkeypatch.setattr(storage, name, step)
    with Observer(tmp_path / "a.h5", "a") as observer:
        for part in np.array_split(np.arange(40), loops):
            for problem in observer(sphere(instance=int(i) + 1) for i in part):
                problem(np.ones(3))
        assert steps.count("write") == 40
        assert steps.count("sync") == 0
    assert len(read_log(tmp_path / "a.h5")) == 40

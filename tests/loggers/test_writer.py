"""A log is never overwritten, never half written, and loses nothing that was sealed."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import textwrap
import threading
from unittest.mock import Mock

import numpy as np
import pytest

from firsthit.loggers import (
    LogConflictError,
    LogExistsError,
    LogFormatError,
    LogHeader,
    LogWriteError,
    LogWriter,
    ObservationError,
    merge_logs,
    read_log,
)
from firsthit.loggers.hdf5 import sealer, storage

from .conftest import lost_record, random_run, sphere

HEADER = LogHeader({"random": {}})


def write(path, repetitions, *, resume=False, end="close"):
    log = LogWriter(path, HEADER, resume)
    for repetition in repetitions:
        log.add(random_run(repetition=repetition))
    getattr(log, end)()


def parts(path):
    return sorted(path.with_name(path.name + ".parts").glob("*.h5"))


def same(one, two):
    """Whether two logs hold equal runs, hits and trajectories."""
    a, b = one._table, two._table
    times = {"wall_seconds", "cpu_seconds", "problem_seconds", "header"}
    return all(
        a.runs[name].tobytes() == b.runs[name].tobytes() for name in set(a.runs.dtype.names) - times
    ) and all(
        entries.load().rows.tobytes() == b.ragged[name].load().rows.tobytes()
        for name, entries in a.ragged.items()
    )


def test_closing_leaves_one_file_and_no_parts(tmp_path):
    path = tmp_path / "deep" / "er" / "a.h5"
    write(path, range(5))
    assert os.listdir(path.parent) == ["a.h5"]
    assert read_log(path).runs.repetition.tolist() == [0, 1, 2, 3, 4]


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


def test_resuming_tells_what_is_finished_and_keeps_it(tmp_path):
    path = tmp_path / "a.h5"
    write(path, range(2))
    with LogWriter(path, HEADER, resume=True) as log:
        assert log.finished_keys == {random_run(repetition=r).key for r in range(2)}
        log.add(random_run(repetition=2))
    assert read_log(path).runs.repetition.tolist() == [0, 1, 2]


def test_resuming_a_complete_log_changes_no_byte(tmp_path):
    path = tmp_path / "a.h5"
    write(path, range(2))
    before = path.read_bytes()
    write(path, [], resume=True)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.h5"]


def test_resuming_what_is_not_there_begins_it(tmp_path):
    write(tmp_path / "a.h5", [0], resume=True)
    assert len(read_log(tmp_path / "a.h5")) == 1


def test_interrupted_runs_are_not_finished_and_give_way(tmp_path):
    path, whole = tmp_path / "a.h5", random_run()
    with LogWriter(path, HEADER) as log:
        log.add(lost_record(sphere(), whole.identity, "interrupted"))
    with LogWriter(path, HEADER, resume=True) as log:
        assert log.finished_keys == frozenset()
        log.add(whole)
    assert read_log(path).runs.status.tolist() == [whole.status]


def test_resuming_with_other_parameters_is_refused_before_anything_runs(tmp_path):
    path = tmp_path / "a.h5"
    write(path, [0])
    with pytest.raises(LogConflictError, match=r"'random' differs .* sigma was not there, is 1"):
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


def test_a_log_without_runs_leaves_nothing_behind(tmp_path):
    LogWriter(tmp_path / "a.h5", HEADER).close()
    assert os.listdir(tmp_path) == []


def test_closing_twice_does_no_harm_and_adding_later_is_refused(tmp_path):
    log = LogWriter(tmp_path / "a.h5", HEADER)
    log.add(random_run())
    log.close()
    log.close()
    log.abandon()
    with pytest.raises(ObservationError, match="is closed"):
        log.add(random_run())


def test_an_exception_in_the_block_keeps_what_was_added(tmp_path):
    def fail(log):
        log.add(random_run())
        raise KeyError

    with pytest.raises(KeyError), LogWriter(tmp_path / "a.h5", HEADER) as log:
        fail(log)
    assert len(read_log(tmp_path / "a.h5")) == 1
    assert len(parts(tmp_path / "a.h5")) == 1


def test_a_timer_seals_a_short_run_without_another_call(tmp_path, monkeypatch):
    monkeypatch.setattr(sealer, "SEAL_SECONDS", 0.2)
    path = tmp_path / "a.h5"
    with LogWriter(path, HEADER) as log:
        log._sealer.seal()
        log.add(random_run())
        timer = log._sealer._timer
        assert timer is not None
        timer.join(10)
        assert len(parts(path)) == 1
        assert len(read_log(path)) == 1


def test_runs_are_due_by_the_end_of_the_oldest(tmp_path, monkeypatch):
    now = 100.0
    monkeypatch.setattr(sealer.time, "monotonic", lambda: now)
    timers = []
    monkeypatch.setattr(threading, "Timer", lambda wait, what: timers.append(wait) or Mock())
    with LogWriter(tmp_path / "a.h5", HEADER) as log:
        log.add(random_run(repetition=0))
        now = 100.5
        log.add(random_run(repetition=1))
        older = [random_run(repetition=i) for i in (2, 3)]
        for record in older:
            object.__setattr__(record, "wall_seconds", 1.2)
        log.add_many(older)  # the first of them ended before the run that came first
        log.add_many([random_run(repetition=4)])
        assert timers == pytest.approx([1.9, 0.7])
        assert parts(tmp_path / "a.h5") == []
        now = 101.3
        log.add(random_run(repetition=5))
        assert [len(read_log(part)) for part in parts(tmp_path / "a.h5")] == [6]
        log.add(random_run(repetition=6))
        assert timers[-1] == pytest.approx(1.9)


def test_after_a_full_disk_the_next_run_tries_again(tmp_path, monkeypatch):
    with LogWriter(tmp_path / "a.h5", HEADER) as log:
        log.add(random_run(repetition=0))
        with monkeypatch.context() as patch:
            patch.setattr(storage, "create", Mock(side_effect=OSError(errno.ENOSPC, "no space")))
            patch.setattr(sealer.time, "monotonic", lambda: log._sealer._due)
            log._sealer._seal_in_time()
            with pytest.raises(LogWriteError, match="no space"):
                log.add(random_run(repetition=1))
        assert log._sealer._timer is None
        log.seal()
        assert len(read_log(tmp_path / "a.h5")) == 2


def test_a_long_run_is_sealed_the_moment_it_ends(tmp_path):
    problem, identity = sphere(), random_run().identity
    with LogWriter(tmp_path / "a.h5", HEADER) as log:
        log.add(lost_record(problem, identity, "timeout", wall_seconds=3.0))
        assert len(parts(tmp_path / "a.h5")) == 1


def test_a_run_is_sealed_once(tmp_path):
    path = tmp_path / "a.h5"
    with LogWriter(path, HEADER) as log:
        for repetition in range(3):
            log.add(random_run(repetition=repetition))
            log.seal()
        assert [len(read_log(part)) for part in parts(path)] == [1, 1, 1]


@pytest.mark.slow
def test_many_parts_are_compacted_without_loss(tmp_path):
    path = tmp_path / "a.h5"
    with LogWriter(path, HEADER) as log:
        for repetition in range(140):
            log.add(random_run(repetition=repetition, evaluations=10))
            log.seal()
        assert len(parts(path)) == 13
        assert read_log(path).runs.repetition.tolist() == list(range(140))
    assert read_log(path).runs.repetition.tolist() == list(range(140))


def test_parts_are_compacted_from_the_oldest_to_what_is_not_small(tmp_path, monkeypatch):
    monkeypatch.setattr(sealer, "_MANY_SMALL", 4)
    monkeypatch.setattr(sealer, "_MANY_RUNS", 3)
    path = tmp_path / "a.h5"
    seen = []
    with LogWriter(path, HEADER) as log:
        for repetition in range(8):
            log.add(random_run(repetition=repetition))
            log.seal()
            seen.append([read_log(part).runs.repetition.tolist() for part in parts(path)])
    assert seen[2:5] == [[[0], [1], [2]], [[0, 1, 2], [3]], [[0, 1, 2], [3], [4]]]
    assert seen[5:] == [
        [[0, 1, 2], [3], [4], [5]],
        [[0, 1, 2], [3, 4, 5], [6]],
        [[0, 1, 2], [3, 4, 5], [6], [7]],
    ]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_is_a_clean_error_and_nothing_is_lost(tmp_path, monkeypatch, call):
    path = tmp_path / "a.h5"
    log = LogWriter(path, HEADER)
    log.add(random_run(repetition=0))
    log.seal()
    log.add(random_run(repetition=1))

    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(LogWriteError, match="No space left"):
            log.seal()
        with pytest.raises(LogWriteError, match="No space left"):
            log.close()
        log._sealer._seal_in_time()
    assert read_log(path).runs.repetition.tolist() == [0]
    log.close()
    assert read_log(path).runs.repetition.tolist() == [0, 1]
    assert os.listdir(tmp_path) == ["a.h5"]


@pytest.mark.parametrize("at", range(1, 12))
def test_an_error_at_any_step_of_closing_loses_no_sealed_run(tmp_path, monkeypatch, at):
    path = tmp_path / "a.h5"
    write(path, range(2))
    log = LogWriter(path, HEADER, resume=True)
    for repetition in (2, 3):
        log.add(random_run(repetition=repetition))
        log.seal()
    count = 0

    def failing(real):
        def call(*arguments, **options):
            nonlocal count
            count += 1
            if count == at:
                raise OSError(errno.EIO, "Input/output error")
            return real(*arguments, **options)

        return call

    with monkeypatch.context() as patch:
        for name in ("fsync", "replace", "unlink", "open", "rmdir"):
            patch.setattr(os, name, failing(getattr(os, name)))
        with contextlib.suppress(LogWriteError):
            log.close()
    assert read_log(path).runs.repetition.tolist() == [0, 1, 2, 3]
    log.close()
    assert read_log(path).runs.repetition.tolist() == [0, 1, 2, 3]


def run_script(text, *arguments):
    code = textwrap.dedent(text)
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True
    )


SCRIPT = """
import os, signal, sys
import numpy as np
from firsthit.loggers import LogHeader, LogWriter, ObservedProblem, RunIdentity, StopConditions
from firsthit.suites import problem_from
log = LogWriter(sys.argv[1], LogHeader({"random": {}}))
problem = problem_from(lambda x: float(x @ x), 3, optimal_value=0.0)
def add(repetition):
    run = ObservedProblem(problem, RunIdentity("random", problem.problem_id, repetition))
    run(np.ones(3))
    log.add(run.finish("terminated"))
"""


def test_a_writer_nobody_closed_seals_when_the_interpreter_ends(tmp_path):
    done = run_script(SCRIPT + "add(0); add(1)", tmp_path / "a.h5")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(read_log(tmp_path / "a.h5")) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL, which Windows does not have")
def test_a_killed_writer_leaves_sealed_runs_no_lock_and_is_resumed(tmp_path):
    path = tmp_path / "a.h5"
    end = "add(0); log.seal(); add(1); os.kill(os.getpid(), signal.SIGKILL)"
    done = run_script(SCRIPT + end, path)
    assert done.returncode == -signal.SIGKILL
    assert read_log(path).runs.repetition.tolist() == [0]
    (parts(path)[0].parent / ".half.h5.123.tmp").write_bytes(b"half")
    with LogWriter(path, HEADER, resume=True) as log:
        assert len(log.finished_keys) == 1
        log.add(random_run(repetition=1))
    assert os.listdir(tmp_path) == ["a.h5"]
    assert len(read_log(path)) == 2


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
    assert same(logs[0], logs[1])
    assert same(logs[0], logs[2])
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
    with pytest.raises(LogExistsError, match="never overwritten"):
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

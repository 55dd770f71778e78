"""Journals that are moved or removed while a log is written: no run is lost, or it is named.

Private names: faults are injected into the storage of journals.
"""

import errno
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from dataclasses import replace
from unittest.mock import Mock

import pytest

from firsthit import Observer
from firsthit.loggers import merge_logs, read_log
from firsthit.loggers.errors import LogWriteError, MissingRunsError, ObservationError
from firsthit.loggers.hdf5 import journal_writer, storage
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records import log_header
from firsthit.loggers.records.log_header import LogHeader
from firsthit.suites import problem_from

from .conftest import random_run

HEADER = LogHeader({"random": {}})
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")


def repetitions(path):
    return read_log(path).runs.repetition.tolist()


def add(log, repetition, **options):
    """Add a run and sync it, so that the writer has it in no memory."""
    log.add(random_run(repetition=repetition, **options))
    log.sync()


def parts(path):
    return path.with_name(path.name + ".parts")


def remove_folder(folder, elsewhere):
    shutil.rmtree(folder)


def move_folder(folder, elsewhere):
    folder.rename(elsewhere)


def move_journals(folder, elsewhere):
    elsewhere.mkdir()
    for journal in folder.glob("*.journal"):
        journal.rename(elsewhere / journal.name)


@POSIX
@pytest.mark.parametrize("take_away", [remove_folder, move_folder, move_journals])
def test_a_log_whose_journals_go_several_times_has_all_runs(tmp_path, take_away):
    path = tmp_path / "a.h5"
    names = set()
    with LogWriter(path, HEADER) as log:
        for repetition in range(6):
            add(log, repetition)
            names_now = {journal.name for journal in parts(path).glob("*.journal")}
            assert not names & names_now or repetition % 2
            names |= names_now
            assert repetitions(path) == list(range(repetition + 1))  # copied from the open file
            if repetition % 2:
                take_away(parts(path), tmp_path / f"moved{repetition}")
    assert repetitions(path) == list(range(6))
    assert not parts(path).exists()


@POSIX
def test_a_loop_whose_folder_is_removed_after_a_sync_has_all_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(journal_writer, "SYNC_SECONDS", 0)
    path = tmp_path / "a.h5"
    with Observer(path, "a") as observer:
        for problem in observer(problem_from(sum, 2, instance=i) for i in range(1, 7)):
            problem([1.0, 2.0])
            if problem.id_instance in (4, 5):  # the runs before are synced by the next one
                shutil.rmtree(parts(path))
    assert read_log(path).runs.instance.tolist() == [1, 2, 3, 4, 5, 6]


@POSIX
def test_a_killed_writer_whose_folder_was_moved_leaves_all_runs_in_its_journals(tmp_path):
    script = """
        import os, signal, sys
        from pathlib import Path
        from firsthit import Observer, problem_from
        path = Path(sys.argv[1])
        for problem in Observer(path, "a")(problem_from(sum, 2, instance=i) for i in range(1, 5)):
            problem([1.0, 2.0])
            if problem.id_instance == 3:
                path.with_name("a.h5.parts").rename(path.with_name("moved"))
            if problem.id_instance == 4:
                os.kill(os.getpid(), signal.SIGKILL)
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "a.h5")]
    assert subprocess.run(command).returncode == -signal.SIGKILL
    assert read_log(tmp_path / "a.h5").runs.instance.tolist() == [1, 2, 3]


def test_runs_of_an_earlier_session_that_were_taken_away_are_named(tmp_path):
    path = tmp_path / "a.h5"
    log = LogWriter(path, HEADER)
    log.add_many([random_run(repetition=repetition) for repetition in range(9)])
    log.abandon()
    log = LogWriter(path, HEADER, resume=True)
    log.add(random_run(repetition=9))
    move_journals(parts(path), tmp_path / "moved")
    with pytest.raises(MissingRunsError) as caught:
        log.close()
    assert str(caught.value) == (
        f"9 of 10 runs are missing in {str(path)!r} ("
        + "; ".join(f"random on user_f001_i01_d03, repetition {k}" for k in range(5))
        + "; and 4 more) because files of the log were moved, removed or changed while it was "
        "written; all others are kept, and the same command, or a loop with resume=True, makes the "
        "missing runs again"
    )
    assert repetitions(path) == [9]
    log.close()
    with LogWriter(path, HEADER, resume=True) as log:
        assert len(log.finished_keys) == 1
        log.add_many([random_run(repetition=repetition) for repetition in range(9)])
    assert repetitions(path) == list(range(10))


@POSIX
@pytest.mark.parametrize("evaluations", [50, 60])
def test_a_folder_that_comes_back_is_merged_and_runs_made_again_stay(
    tmp_path, monkeypatch, capfd, evaluations
):
    """Made again, a run has other times; an optimizer that is not reproducible also other hits."""
    path = tmp_path / "a.h5"
    log = LogWriter(path, HEADER)
    for repetition in range(4):
        add(log, repetition, evaluations=50)
    log.abandon()
    move_folder(parts(path), tmp_path / "moved")
    times = log_header.self_provenance() | {"created_utc": "2099-01-01T00:00:00+00:00"}
    monkeypatch.setattr(log_header, "self_provenance", lambda: times)
    with LogWriter(path, HEADER, resume=True) as log:
        for repetition in range(1, 3):
            add(log, repetition, evaluations=evaluations)
    (tmp_path / "moved").rename(parts(path))
    made_again = [50, evaluations, evaluations, 50]
    assert read_log(path).runs.evaluations.tolist() == made_again
    capfd.readouterr()
    merge_logs(path, path)
    assert capfd.readouterr().err == (
        f"firsthit: 2 copies of runs were left out: {str(path)!r} has every run once\n"
    )
    assert read_log(path).runs.evaluations.tolist() == made_again
    assert os.listdir(tmp_path) == ["a.h5"]


@POSIX
def test_of_two_journals_the_later_session_stays_whatever_their_order(tmp_path, monkeypatch):
    path = tmp_path / "a.h5"
    for session, evaluations in (("2050", 50), ("2060", 60)):
        times = {"created_utc": f"{session}-01-01T00:00:00+00:00"}
        monkeypatch.setattr(log_header, "self_provenance", lambda times=times: times)
        log = LogWriter(path, HEADER)
        add(log, 0, evaluations=evaluations)
        log.abandon()
        move_journals(parts(path), tmp_path / session)
    parts(path).mkdir(exist_ok=True)
    for session, name in (("2050", "2.journal"), ("2060", "1.journal")):
        [journal] = (tmp_path / session).iterdir()
        journal.rename(parts(path) / name)
    assert read_log(path).runs.evaluations.tolist() == [60]
    with LogWriter(path, HEADER, resume=True) as log:
        assert len(log.finished_keys) == 1
    assert read_log(path).runs.evaluations.tolist() == [60]


def full_disk(*arguments):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("end", ["close", "abandon", "_finalizer"])
def test_where_nothing_can_be_written_the_runs_in_memory_are_named(
    tmp_path, monkeypatch, capfd, end
):
    path = tmp_path / "a.h5"
    log = LogWriter(path, HEADER)
    add(log, 0)
    monkeypatch.setattr(storage, "write", full_disk)
    with pytest.raises(LogWriteError, match="No space left"):
        log.add_many([random_run(repetition=1), random_run(repetition=2)])
    text = r"2 of 3 runs are missing in .*repetition 1; .*repetition 2\) because .*No space left"
    if end == "_finalizer":
        log._finalizer()
        assert "2 of 3 runs are missing" in capfd.readouterr().err
    else:
        with pytest.raises(MissingRunsError, match=text):
            getattr(log, end)()
    assert repetitions(path) == [0]
    monkeypatch.undo()
    log.close()
    assert repetitions(path) == ([0, 1, 2] if end == "close" else [0])


@pytest.mark.parametrize("end", ["close", "abandon"])
def test_a_new_outcome_that_cannot_be_written_is_missing_though_the_log_has_an_old_one(
    tmp_path, monkeypatch, end
):
    path = tmp_path / "a.h5"
    with LogWriter(path, HEADER) as log:
        log.add(replace(random_run(), status="failed"))
    log = LogWriter(path, HEADER, resume=True, retry_failed=True)
    with monkeypatch.context() as patch:
        patch.setattr(storage, "write", full_disk)
        with pytest.raises(LogWriteError, match="No space left"):
            log.add(random_run())
        with pytest.raises(MissingRunsError, match="1 of 1 runs is missing"):
            getattr(log, end)()
    log.close()
    assert read_log(path).runs.status.tolist() == ["budget" if end == "close" else "failed"]


def test_where_only_the_journals_cannot_be_written_the_log_takes_runs_from_memory(
    tmp_path, monkeypatch
):
    path = tmp_path / "a.h5"
    real = storage.create

    def create(place):
        return full_disk() if place.parent == parts(path) else real(place)

    with LogWriter(path, HEADER) as log:
        monkeypatch.setattr(storage, "create", create)
        with pytest.raises(LogWriteError, match="No space left"):
            log.add(random_run(repetition=1))
    assert repetitions(path) == [1]
    assert os.listdir(tmp_path) == ["a.h5"]


def test_a_loop_that_ends_on_a_full_disk_names_its_last_run_too(tmp_path, monkeypatch):
    path = tmp_path / "a.h5"
    observer = Observer(path, "a")
    turns = observer(problem_from(sum, 2, instance=i) for i in range(1, 4))
    for _ in range(2):
        next(turns)([1.0, 2.0])
    monkeypatch.setattr(storage, "write", full_disk)
    with pytest.raises(MissingRunsError, match=r"1 of 2 runs is missing .*i02_d02, repetition 0\)"):
        observer.close()
    monkeypatch.undo()
    observer.close()
    assert read_log(path).runs.instance.tolist() == [1, 2]


def test_a_timer_that_fires_while_the_log_is_closed_does_nothing(tmp_path, monkeypatch):
    timers = []
    monkeypatch.setattr(threading, "Timer", lambda wait, sync: timers.append(sync) or Mock())
    with LogWriter(tmp_path / "a.h5", HEADER) as log:
        log.add(random_run())
    [sync] = timers
    sync()
    log.announce("too late")
    with pytest.raises(ObservationError, match="is closed"):
        log._journals.add([random_run(repetition=1)])
    assert os.listdir(tmp_path) == ["a.h5"]
    LogWriter(tmp_path / "a.h5", HEADER, resume=True).close()

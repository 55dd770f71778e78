"""What the world does to a log that is being written: full disks, lost folders, clocks, readers.

Private names: faults are injected into files and locks.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from firsthit.loggers import read_log
from firsthit.loggers.errors import LogWriteError, MissingRunsError
from firsthit.loggers.hdf5 import files
from firsthit.loggers.hdf5.locks import holder
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader

from .conftest import random_run

HEADER = LogHeader({"random": {}})
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX file systems and signals")
SCRIPT = """
import os, sys
from pathlib import Path
import numpy as np
from firsthit.loggers import observe_problem, read_log
from firsthit.loggers.errors import LogWriteError, MissingRunsError
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.suites import problem_from
log = LogWriter(sys.argv[1], LogHeader({"random": {}}), resume=True)
problem = problem_from(lambda x: float(x @ x), 3, optimal_value=0.0)
def add(repetition):
    run = observe_problem(problem, RunIdentity("random", problem.problem_id, repetition))
    run(np.ones(3) * (repetition + 1))
    log.add(run.finish("terminated"))
"""


def script(text, *arguments, **options):
    code = SCRIPT + textwrap.dedent(text)
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def begun(path):
    """A log with two runs that is open."""
    log = LogWriter(path, HEADER)
    for repetition in range(2):
        log.add(random_run(repetition=repetition))
    return log


@POSIX
def test_files_that_may_not_grow_are_told_and_cost_nothing(tmp_path):
    """The limit on file sizes needs no rights, and strikes in the middle of a write."""
    done = script(
        """
        import resource
        add(0)
        [journal] = Path(sys.argv[1] + ".parts").glob("*.journal")
        size = os.path.getsize(journal)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, hard))
        try:
            add(1)
        except LogWriteError as error:
            print(error)
        assert read_log(sys.argv[1]).runs.repetition.tolist() == [0]
        assert os.path.getsize(journal) == size
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        add(2)
        assert read_log(sys.argv[1]).runs.repetition.tolist() == [0, 1, 2]
        log.close()
        """,
        tmp_path / "a.h5",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "File too large; runs written before are kept" in done.stdout
    assert read_log(tmp_path / "a.h5").runs.repetition.tolist() == [0, 1, 2]


@contextlib.contextmanager
def without_rights():
    """Root may write anywhere: be nobody for a while."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


@POSIX
def test_a_folder_that_becomes_read_only_is_told_and_costs_nothing(tmp_path):
    log = begun(tmp_path / "a.h5")
    tmp_path.chmod(0o500)
    log.add(random_run(repetition=2))  # the journal is open
    for _ in range(2):
        with without_rights(), pytest.raises(LogWriteError, match="Permission denied"):
            log.close()
    assert read_log(tmp_path / "a.h5").runs.repetition.tolist() == [0, 1, 2]
    tmp_path.chmod(0o700)
    log.close()
    assert read_log(tmp_path / "a.h5").runs.repetition.tolist() == [0, 1, 2]
    assert os.listdir(tmp_path) == ["a.h5"]


@pytest.mark.parametrize("end", ["sync", "close"])
@pytest.mark.parametrize("gone", ["results", "results/a.h5.parts", "results/a.h5.parts/lock"])
def test_what_vanished_is_made_again(tmp_path, gone, end):
    path = tmp_path / "results" / "a.h5"
    log = begun(path)
    if gone.endswith("lock"):
        (tmp_path / gone).unlink()
    else:
        shutil.rmtree(tmp_path / gone)
    if end == "sync":
        log.sync()
        assert read_log(path).runs.repetition.tolist() == [0, 1]
        with pytest.raises(LogWriteError, match="one log has one writer"):
            LogWriter(path, HEADER, resume=True)
    log.add(random_run(repetition=2))
    log.close()
    assert read_log(path).runs.repetition.tolist() == [0, 1, 2]
    assert os.listdir(path.parent) == ["a.h5"]


@pytest.mark.parametrize("gone", ["a.h5", "journal"])
@pytest.mark.parametrize("new_runs", [0, 1])
def test_runs_that_somebody_took_away_are_counted_at_the_end(tmp_path, gone, new_runs):
    path = tmp_path / "a.h5"
    with LogWriter(path, HEADER) as log:
        log.add_many([random_run(repetition=repetition) for repetition in range(3)])
    log = LogWriter(path, HEADER, resume=True)
    log.add_many([random_run(repetition=repetition) for repetition in range(3, 5)])
    log.abandon()
    if gone == "journal":
        [journal] = (tmp_path / "a.h5.parts").glob("*.journal")
        gone = str(journal.relative_to(tmp_path))
    log = LogWriter(path, HEADER, resume=True)
    for repetition in range(new_runs):
        log.add(random_run(repetition=5 + repetition))
    os.rename(tmp_path / gone, tmp_path / "elsewhere")
    missing = [0, 1, 2] if gone == "a.h5" else [3, 4]
    text = f"{len(missing)} of {5 + new_runs} runs are missing in .*a.h5' " + r"\(random on user"
    with pytest.raises(MissingRunsError, match=text) as caught:
        log.close()
    for repetition in range(5 + new_runs):
        is_named = f"repetition {repetition};" in str(caught.value).replace(")", ";")
        assert is_named == (repetition in missing)
    missing = len(missing)
    assert len(read_log(path)) == 5 + new_runs - missing
    log.close()  # once is enough
    (tmp_path / "a.h5.parts").mkdir(exist_ok=True)
    os.rename(tmp_path / "elsewhere", tmp_path / ("b.h5" if gone == "a.h5" else gone))
    assert len(read_log(tmp_path)) == 5 + new_runs


def test_a_deleted_folder_does_no_harm_to_who_comes_after(tmp_path):
    place = tmp_path / "results"
    log = begun(place / "a.h5")
    shutil.rmtree(place)
    with LogWriter(place / "a.h5", HEADER) as successor:
        for end in (log.close, log.abandon):
            with pytest.raises(LogWriteError, match="one log has one writer"):
                end()  # the lock is not its own
        with pytest.raises(LogWriteError, match="one log has one writer"):
            LogWriter(place / "a.h5", HEADER, resume=True)
        successor.add(random_run(repetition=5))
    assert read_log(place / "a.h5").runs.repetition.tolist() == [5]


@pytest.mark.slow
@POSIX
def test_every_spelling_of_a_path_is_the_same_log(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "link.h5").symlink_to("real/a.h5")
    monkeypatch.chdir(tmp_path)
    spellings = ("real/a.h5", "folder/a.h5", "link.h5", "folder/../real/./a.h5",
                 str(tmp_path / "link.h5"))  # fmt: skip
    for number, mine in enumerate(spellings):
        with LogWriter(mine, HEADER, resume=True) as log:
            for other in spellings:
                with pytest.raises(LogWriteError, match=f"by process {os.getpid()}"):
                    LogWriter(other, HEADER, resume=True)
            log.add(random_run(repetition=number))
            for other in spellings:
                assert len(read_log(other)) == number + 1
    assert sorted(os.listdir()) == ["folder", "link.h5", "real"]
    assert os.listdir("real") == ["a.h5"]
    assert os.path.islink("link.h5")


def test_a_writer_with_a_relative_path_stays_where_it_began(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    log = begun("a.h5")
    monkeypatch.chdir(tmp_path / "other")
    log.close()
    assert sorted(os.listdir(tmp_path)) == ["a.h5", "other"]
    assert len(read_log(tmp_path / "a.h5")) == 2


def test_names_with_pattern_characters_are_names(tmp_path):
    path = tmp_path / "a[1]*.h5"
    (tmp_path / ".a1x.h5.123.tmp").write_bytes(b"another's")
    begun(path).abandon()
    with LogWriter(path, HEADER, resume=True) as log:
        assert len(log.finished_keys) == 2
    assert len(read_log(path)) == 2
    assert (tmp_path / ".a1x.h5.123.tmp").exists()


@POSIX
def test_a_killed_writer_leaves_its_name_but_no_lock(tmp_path):
    path = tmp_path / "a.h5"
    folder = files.parts_folder(path)
    assert holder(folder) is None
    done = script(
        "import signal; add(0); log.announce('busy'); print(os.getpid(), flush=True); "
        "os.kill(os.getpid(), signal.SIGKILL)",
        path,
    )
    left = holder(folder)
    assert left is not None
    assert (left.pid, left.is_alive, left.note) == (int(done.stdout), False, "busy")
    with LogWriter(path, HEADER, resume=True) as log:
        log.announce("more words than before")
        log.announce("fewer")
        mine = holder(folder)
        assert mine is not None
        assert (mine.pid, mine.is_alive, mine.note) == (os.getpid(), True, "fewer")
    assert holder(folder) is None
    assert len(read_log(path)) == 1


def test_a_writer_nobody_closed_says_nothing_when_the_interpreter_ends(tmp_path):
    done = script("add(0); add(1)", tmp_path / "a.h5")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(read_log(tmp_path / "a.h5")) == 2


HAMMER = """
for repetition in range(int(sys.argv[2])):
    add(repetition)
    print(repetition, flush=True)
    if repetition % 5 == 4:
        log.close()
        log = LogWriter(sys.argv[1], LogHeader({"random": {}}), resume=True)
log.close()
"""


@pytest.mark.slow
@pytest.mark.parametrize("view", ["file", "folder", "pattern"])
def test_a_log_can_be_read_at_any_moment_of_its_making(tmp_path, view):
    """A writer adds and merges all the time; what it has added is always there."""
    path = tmp_path / "a.h5"
    given = {"file": path, "folder": tmp_path, "pattern": str(tmp_path / "*.h5*")}[view]
    command = [sys.executable, "-c", SCRIPT + HAMMER, str(path), "30"]
    readings = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            found = read_log(given).runs.repetition.tolist()
            assert found == list(range(len(found)))
            assert len(found) > int(line)
            readings += 1
    assert (process.returncode, readings) == (0, 30)
    assert os.listdir(tmp_path) == ["a.h5"]

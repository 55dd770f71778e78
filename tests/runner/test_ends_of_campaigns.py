"""A failure that concerns no algorithm ends the campaign, and marks no run as failed.

Private names: faults are injected into worker processes.
"""

import os
import subprocess
import sys
import time

import pytest

from firsthit.loggers import read_log
from firsthit.loggers.errors import LogNotFoundError
from firsthit.runner.errors import ExecutionError, SystemShortageError
from firsthit.runner.executors import processes
from firsthit.runner.executors.processes import ProcessExecutor

from .conftest import wait_for

CAMPAIGN = """
suite: bbob
functions: 1-5
dimensions: 2
instances: 1-4
optimizers: [random-search, "scipy:Nelder-Mead"]
budget: 50 * D
workers: 2
output: c.h5
"""
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv.pop(1)), 64))
from firsthit.cli import main
main()
"""


def read_statuses(log):
    """Return the statuses of the runs in a log; nothing if there is no log."""
    try:
        return read_log(log).runs.status.tolist()
    except LogNotFoundError:
        return []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of resources are POSIX")
@pytest.mark.parametrize("descriptors", [12, 11, 10, 9])
def test_without_file_descriptors_no_run_is_failed_and_the_same_command_continues(
    tmp_path, descriptors
):
    (tmp_path / "c.yaml").write_text(CAMPAIGN)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(descriptors), "run", "c.yaml"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    statuses = read_statuses(tmp_path / "c.h5")
    assert done.returncode == (1 if statuses else 2), done.stderr
    assert len(statuses) < 40
    assert "failed" not in statuses
    assert "Traceback" not in done.stderr
    *_, sentence = done.stderr.splitlines()
    assert sentence.startswith("firsthit: ")
    assert "Too many open files" in sentence
    assert sentence.endswith("the same command continues")
    assert ("finished runs are in c.h5" in sentence) == bool(statuses)
    done = subprocess.run(
        [sys.executable, "-m", "firsthit", "run", "c.yaml"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"{40 - len(statuses)} runs made" in done.stderr
    assert len(read_statuses(tmp_path / "c.h5")) == 40


def refuse(*arguments, **options):
    raise BlockingIOError(11, "Resource temporarily unavailable")


def refuse_thread(*arguments, **options):
    raise RuntimeError("can't start new thread")


@pytest.fixture
def impatient(monkeypatch):
    """Executors that give up after half a second."""
    monkeypatch.setattr(processes, "_START_SECONDS", 0.5)


def test_without_processes_the_campaign_ends_with_a_sentence(cli, tmp_path, monkeypatch, impatient):
    (tmp_path / "c.yaml").write_text(CAMPAIGN)
    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "Popen", refuse)
        code, _, err = cli("run", tmp_path / "c.yaml")
    assert code == 2
    assert err.splitlines()[-1] == (
        "firsthit: worker processes cannot be started: [Errno 11] Resource temporarily "
        "unavailable; the same command continues"
    )
    assert read_statuses(tmp_path / "c.h5") == []


def test_without_processes_every_task_raises(monkeypatch, impatient):
    executor = ProcessExecutor(2)
    try:
        monkeypatch.setattr(subprocess, "Popen", refuse)
        executor.prepare(2)
        futures = [executor.submit(abs, 1, worker=number) for number in (0, 1, 0)]
        for future in futures:
            with pytest.raises(SystemShortageError, match="cannot be started"):
                future.result(30)
        with pytest.raises(SystemShortageError, match="cannot be started"):
            executor.submit(abs, 1)
    finally:
        executor.close()


def test_a_short_shortage_costs_nothing(monkeypatch):
    executor = ProcessExecutor(2)
    try:
        with monkeypatch.context() as patched:
            attempts = []
            patched.setattr(subprocess, "Popen", lambda *a, **o: refuse(attempts.append(1)))
            futures = [executor.submit(abs, -n, worker=n % 2) for n in range(6)]
            wait_for(lambda: len(attempts) > 2)
        assert [future.result(60) for future in futures] == list(range(6))
    finally:
        executor.close()


def test_without_threads_no_process_is_left(monkeypatch, impatient):
    executor = ProcessExecutor(1)
    started = []
    popen = subprocess.Popen

    def start(*arguments, **options):
        started.append(popen(*arguments, **options))
        return started[-1]

    try:
        monkeypatch.setattr(subprocess, "Popen", start)
        monkeypatch.setattr("threading.Thread.start", refuse_thread)
        with pytest.raises(SystemShortageError, match="can't start new thread"):
            executor.submit(abs, 1).result(60)
    finally:
        executor.close()
    assert started
    assert all(process.returncode is not None for process in started)


def test_a_worker_that_cannot_import_what_it_needs_says_so(capfd, impatient):
    executor = ProcessExecutor(1, modules=["firsthit.no_such_module"])
    try:
        with pytest.raises(SystemShortageError, match="No module named"):
            executor.submit(abs, 1).result(60)
    finally:
        executor.close()
    assert capfd.readouterr().err == ""


def test_an_unexpected_error_of_the_managing_thread_reaches_every_task():
    def raise_error(folder, seconds):
        raise TypeError("memoryview: length is\nnot a multiple of itemsize")

    executor = ProcessExecutor(1, is_overdue=raise_error)
    try:
        futures = [executor.submit(time.sleep, 3600) for _ in range(3)]
        for future in futures:
            with pytest.raises(ExecutionError) as caught:
                future.result(60)
            assert str(caught.value) == (
                "worker processes cannot be managed any more: TypeError: memoryview: length is "
                "not a multiple of itemsize"
            )
        with pytest.raises(ExecutionError, match="cannot be managed"):
            executor.submit(abs, 1)
    finally:
        executor.close()
    assert executor.process_ids() == []


def test_an_unexpected_error_while_a_worker_is_replaced_reaches_its_task(monkeypatch):
    def raise_once(*arguments, **options):
        monkeypatch.undo()
        raise MemoryError

    executor = ProcessExecutor(1)
    try:
        assert executor.submit(abs, -1).result(60) == 1
        monkeypatch.setattr("shutil.rmtree", raise_once)
        with pytest.raises(ExecutionError, match="MemoryError"):
            executor.submit(os._exit, 3).result(60)
    finally:
        executor.close()


def test_an_unexpected_error_of_the_managing_thread_ends_the_campaign(cli, tmp_path, monkeypatch):
    def raise_error(timeout_seconds, folder, seconds):
        raise TypeError("what nobody expects")

    (tmp_path / "c.yaml").write_text(CAMPAIGN.replace("c.h5", str(tmp_path / "c.h5")))
    monkeypatch.setattr("firsthit.runner.execution.execute.is_overdue", raise_error)
    code, _, err = cli("run", tmp_path / "c.yaml", "--timeout", "60")
    assert code == 1
    sentence = err.splitlines()[-1]
    assert "worker processes cannot be managed any more: TypeError: what nobody expe" in sentence
    assert "Traceback" not in err
    monkeypatch.undo()
    assert "failed" not in read_statuses(tmp_path / "c.h5")


UNMADE = """
import firsthit

def sphere(x):
    return float(x @ x)

@firsthit.register_suite("unmade", functions=(1, 2), dimensions=(2,), instances=(1, 2), version="1")
def make(function, dimension, instance):
    if (function, instance) == (2, 2):
        raise RuntimeError("no such data")
    return firsthit.problem_from(sphere, dimension, instance=instance, optimal_value=0.0)
"""


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_a_problem_that_cannot_be_made_ends_the_campaign(tmp_path, workers):
    (tmp_path / "unmade.py").write_text(UNMADE)
    (tmp_path / "c.yaml").write_text(
        "imports: [unmade.py]\nsuite: unmade\noptimizers: [random-search]\nbudget: 9\noutput: c.h5"
    )
    done = subprocess.run(
        [sys.executable, "-m", "firsthit", "run", "c.yaml", "--workers", str(workers)],
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 1
    assert "problem unmade_f002_i02_d02 cannot be made: RuntimeError: no such data" in done.stderr
    assert "Traceback" not in done.stderr
    assert read_statuses(tmp_path / "c.h5").count("budget") == 3


RUBBISH = """
import os, time

def write_rubbish(problem, x0, length):
    # writes into every open file of the process, and evaluates beyond the time limit
    problem(x0)
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, (b"RUBBISH!!" * 3)[:length])
        except OSError:
            pass
    while True:
        try:
            problem(x0)
        except Exception:
            pass
        time.sleep(0.001)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="descriptors of pipes are POSIX")
def test_a_run_whose_memory_is_damaged_is_failed_and_the_others_are_made(tmp_path):
    (tmp_path / "bad.py").write_text(RUBBISH)
    (tmp_path / "c.yaml").write_text(
        "suite: bbob\nfunctions: 1\ndimensions: 2\ninstances: 1-2\nbudget: 20000\n"
        "timeout: 1\nrestarts: 0\nworkers: 2\noutput: c.h5\noptimizers:\n- random-search\n"
        "- {use: 'bad.py:write_rubbish', name: bad, parameters: {length: [9, 21]}}\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "firsthit", "run", "c.yaml"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    log = read_log(tmp_path / "c.h5")
    statuses = dict.fromkeys(zip(log.runs.algorithm, log.runs.status, strict=True))
    assert list(statuses) == [
        ("bad[length=21]", "failed"), ("bad[length=9]", "failed"), ("random-search", "budget"),
    ]  # fmt: skip
    assert len(log) == 6
    runs = log.runs
    for name, error, evaluations in zip(runs.algorithm, runs.error, runs.evaluations, strict=True):
        if "the memory of what it had recorded is damaged" in error:
            assert evaluations == 0
        elif name == "random-search":
            assert evaluations == 20000, error
        else:  # the process was ended because of what it wrote into the pipe
            assert evaluations >= 1, error

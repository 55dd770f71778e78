"""The pool: a death costs one task, and nothing outlives the coordinator.

Private names: messages between processes are forged, and tasks are plain functions.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path

import cloudpickle
import pytest

from firsthit.runner import OptimizerError
from firsthit.runner.errors import ClusterError, WorkerDied
from firsthit.runner.executors import dask
from firsthit.runner.executors.executor import TaskError, portable_dumps
from firsthit.runner.executors.messages import MessageError, message, read_message, whole_messages
from firsthit.runner.executors.output import OutputCapture, OutputReader, encode_mark
from firsthit.runner.executors.processes import ProcessExecutor

from .conftest import is_alive, wait_for

cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def pool():
    executor = ProcessExecutor(2)
    yield executor
    executor.close()


KILL_ME = "__import__('os').kill(__import__('os').getpid(), {})"


@pytest.mark.parametrize(
    ("task", "error", "text"),
    [
        ((os._exit, 3), WorkerDied, "ended with exit code 3"),
        ((os._exit, 0), WorkerDied, "ended with exit code 0"),
        ((eval, KILL_ME.format(9)), WorkerDied, "killed by SIGKILL"),
        ((eval, KILL_ME.format(11)), WorkerDied, "killed by SIGSEGV"),
        ((sys.exit, 4), TaskError, "SystemExit: 4"),
        ((int, "x"), TaskError, "ValueError: invalid literal"),
        ((eval, "lambda: 3"), TaskError, "pickle"),
    ],
)
def test_one_bad_task_costs_itself_only(pool, task, error, text):
    good = [pool.submit(abs, -i) for i in range(10)]
    bad = pool.submit(*task)
    more = [pool.submit(abs, -i) for i in range(10)]
    with pytest.raises(error, match=text):
        bad.result(30)
    assert [f.result(30) for f in (*good, *more)] == 2 * list(range(10))


def test_workers_use_one_thread_each_and_are_other_processes(pool):
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
    values = [pool.submit(os.getenv, name).result(30) for name in names]
    assert values == ["1"] * 3
    assert pool.submit(os.getpid).result(30) in pool.process_ids()
    assert os.getpid() not in pool.process_ids()


def test_workers_have_more_threads_where_that_is_asked_for(pool):
    numba_threads = "__import__('numba').get_num_threads()"
    assert pool.submit(eval, numba_threads).result(60) == 1
    executor = ProcessExecutor(1, threads=3)
    try:
        assert executor.submit(os.getenv, "OMP_NUM_THREADS").result(60) == "3"
        assert executor.submit(eval, numba_threads).result(60) == 3
    finally:
        executor.close()


def test_a_child_that_a_task_forks_does_not_answer():
    """It comes back into the worker's code, and would take tasks from the same connection."""
    executor = ProcessExecutor(1)
    try:
        for _ in range(5):
            forked = executor.submit(eval, "__import__('os').fork() and 7")
            assert [executor.submit(abs, -i).result(60) for i in range(10)] == list(range(10))
            assert forked.result(60) == 7
    finally:
        executor.close()


def test_what_tasks_print_and_read_is_not_the_pipe(pool):
    reading = "(print('x' * 10_000), __import__('sys').stdin.read())[1]"
    assert pool.submit(eval, reading).result(30) == ""


CLOSED = """
import os
os.close(2)
from firsthit.runner.executors.processes import ProcessExecutor
executor = ProcessExecutor(1)
print(executor.submit(eval, "print('x') or 7").result(60))
executor.close()
"""


def test_workers_work_where_stderr_is_closed():
    done = subprocess.run(
        [sys.executable, "-c", CLOSED], stdout=subprocess.PIPE, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout) == (0, "7\n")


SEEN = "__import__('sys').__dict__.setdefault('firsthit_seen', [])"


def test_a_process_runs_the_tasks_of_one_owner(pool):
    for owner in ("a", "b", "c"):
        futures = [
            pool.submit(eval, f"{SEEN}.append({owner!r}) or {SEEN}", owner=owner, worker=i % 2)
            for i in range(10)
        ]
        found = [future.result(60) for future in futures]
        assert found[-2:] == [[owner] * 5] * 2
    assert len(pool.process_ids()) == 2


def test_processes_are_there_before_they_are_needed(pool):
    for worker in (0, 1):
        pool.submit(abs, 1, worker=worker, owner="first").result(60)
    pool.prepare(2)
    wait_for(lambda: len(pool.process_ids()) == 4)
    prepared = pool.process_ids()[-2:]
    assert pool.submit(os.getpid, worker=0, owner="second").result(60) in prepared
    pool.prepare(1)
    assert pool.submit(os.getpid, worker=1, owner="third").result(60) in prepared


def starting():
    """In a worker: start a program, and fork; the process ids of both."""
    child = os.fork()
    if child == 0:
        time.sleep(3600)
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    return [child, program.pid]


@pytest.mark.parametrize("end", ["another owner", "a crash", "closing"])
def test_what_a_task_started_ends_with_its_process(end):
    executor = ProcessExecutor(1)
    try:
        started = executor.submit(starting, owner="a").result(60)
        assert all(map(is_alive, started))
        if end == "another owner":
            executor.submit(abs, 1, owner="b").result(60)
        elif end == "a crash":
            executor.submit(os._exit, 3, owner="a").exception(60)
    finally:
        executor.close()
    wait_for(lambda: not any(map(is_alive, started)))


def test_a_message_is_whole_or_none():
    parts = message(b"one") + message(b"") + message(b"three")
    assert list(whole_messages(parts)) == [b"one", b"", b"three"]
    assert list(whole_messages(parts[:-1])) == [b"one", b""]
    assert list(whole_messages(parts + b"garbage and more of it")) == [b"one", b"", b"three"]
    with pytest.raises(EOFError):
        read_message(lambda size: b"")
    data = bytearray(message(b"one"))
    data[-1] ^= 1
    for wrong in (bytes(data), b"garbage\0" * 100):
        left = [wrong]

        def read(size, left=left):
            part, left[0] = left[0][:size], left[0][size:]
            return part

        with pytest.raises(MessageError):
            read_message(read)


@pytest.mark.parametrize("step", [1, 7, 10**6])
def test_marks_are_recognized_however_they_are_read(tmp_path, step):
    capture = OutputCapture(tmp_path / "log.h5")
    reader = OutputReader(capture)
    output = (
        b"before\n"
        + encode_mark("first", keeps_tail=True)
        + b"one \0 two \0firsthit section +"
        + encode_mark("second", keeps_tail=True)
        + encode_mark("empty", keeps_tail=False)
        + encode_mark("not kept", keeps_tail=True)
        + b"three\n"
        + encode_mark("last", keeps_tail=False)
        + b"\xff\0firsthit"
    )
    for start in range(0, len(output), step):
        os.write(reader.descriptor, output[start : start + step])
    reader.close()
    capture.close()
    tails = {
        title: tail.text
        for title in ("first", "second", "empty", "not kept", "last")
        if (tail := capture.get_tail(title))
    }
    assert tails == {"last": "\ufffd\0firsthit", "first": "one \0 two \0firsthit section +"}
    assert (tmp_path / "log.h5.output" / "worker-1.txt").read_bytes() == (
        b"before\n== first ==\none \0 two \0firsthit section +\n== not kept ==\nthree\n"
        b"== last ==\n\xff\0firsthit"
    )


def test_workers_do_not_receive_ctrl_c(pool):
    handler = pool.submit(signal.getsignal, signal.SIGINT).result(30)
    assert handler == signal.SIG_IGN
    assert pool.submit(os.getpgrp).result(30) != os.getpgrp()


def test_workers_end_when_their_coordinator_is_gone(tmp_path):
    script = tmp_path / "coordinator.py"
    script.write_text(
        "import sys, time\nfrom firsthit.runner.executors.processes import ProcessExecutor\n"
        "def child():\n"
        "    import subprocess\n"
        "    return subprocess.Popen(['sleep', '3600'], stdin=subprocess.DEVNULL).pid\n"
        "executor = ProcessExecutor(2)\n"
        "children = [executor.submit(child, worker=i).result() for i in range(2)]\n"
        "busy = [executor.submit(time.sleep, 3600) for _ in range(2)]\n"
        "executor.prepare(1)\n"
        "while len(executor.process_ids()) < 3: time.sleep(0.01)\n"
        "print(*executor.process_ids(), *children, flush=True)\nsys.stdin.read()\n"
    )
    coordinator = subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    pids = [int(pid) for pid in coordinator.stdout.readline().split()]
    assert len(pids) == 5
    coordinator.kill()
    coordinator.communicate()
    wait_for(lambda: not any(map(is_alive, pids)))


@pytest.mark.slow
def test_a_task_beyond_the_deadline_is_ended():
    executor = ProcessExecutor(1, is_overdue=lambda folder, seconds: seconds > 3)
    try:
        error = executor.submit(time.sleep, 3600).exception(60)
        assert isinstance(error, WorkerDied)
        assert error.is_overdue
        assert executor.submit(abs, -1).result(60) == 1
    finally:
        executor.close()


def test_closing_ends_what_runs_and_cancels():
    executor = ProcessExecutor(1)
    executor.submit(abs, -1).result(60)
    pids = executor.process_ids()
    futures = [executor.submit(time.sleep, 3600) for _ in range(3)]
    executor.close()
    executor.close()
    for future in futures:
        with pytest.raises(CancelledError):
            future.result(1)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)
    with pytest.raises(RuntimeError, match="closed"):
        executor.submit(abs, 1)


def test_closing_at_once_leaves_no_process():
    before = children()
    ProcessExecutor(1).close()
    assert children() == before


def children():
    """Process ids of this process's children."""
    found = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return sorted(pid for task in found for pid in task.read_text().split())


def test_what_cannot_be_sent_says_what_to_do():
    with pytest.raises(
        OptimizerError, match=r"cannot pickle.*Use workers=0, or give a reference 'path/file.py:fun"
    ):
        portable_dumps(threading.Lock())


@pytest.mark.slow
def test_a_local_cluster_that_does_not_start_is_one_sentence(monkeypatch):
    monkeypatch.setattr(dask, "_CLUSTER_SCRIPT", "import time; time.sleep(3600) # {workers}")
    monkeypatch.setattr(dask, "_CLUSTER_START_SECONDS", 0.5)
    with pytest.raises(ClusterError, match="a local Dask cluster cannot be started"):
        dask.DaskExecutor("local")

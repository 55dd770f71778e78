"""The pool: a death costs one task, and nothing outlives the coordinator."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from firsthit.runner import OptimizerError, ProcessExecutor, SerialExecutor, WorkerDied
from firsthit.runner.executors.pickling import portable_dumps
from firsthit.runner.executors.processes import TaskError


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


def test_a_process_that_ends_is_noticed_though_its_child_holds_the_connection():
    executor = ProcessExecutor(1)
    task = "(lambda os, time: time.sleep(3600) if os.fork() == 0 else os._exit(5))"
    try:
        died = executor.submit(eval, f"{task}(__import__('os'), __import__('time'))")
        error = died.exception(60)
        assert isinstance(error, WorkerDied)
        assert "exit code 5" in str(error)
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


FORKING = """
import os, signal
from firsthit.runner.execution.contained import Contained, OptimizerCall

thread = Contained(lambda thread: call.make(os.fork, thread.bell))
call = OptimizerCall()
thread.start()
thread.join()
assert call.result > 0
signal.signal(signal.SIGALRM, lambda *_: os.kill(call.result, signal.SIGKILL))
signal.alarm(30)
print("ended with", os.waitstatus_to_exitcode(os.waitpid(call.result, 0)[1]))
"""


def test_a_child_that_an_optimizer_forks_ends_when_it_comes_back():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKING], capture_output=True, text=True, check=False
    )
    assert done.stdout == "ended with 0\n", done.stderr


def test_workers_look_for_garbage_less_often_the_more_runs_they_keep(pool):
    here = "__import__('firsthit.runner.executors.workplace', fromlist=['HERE']).HERE.get()"
    for runs in (1, 500):
        code = f"({here}.expect({runs}), __import__('gc').get_threshold()[0])[1]"
        assert pool.submit(eval, code).result(30) == 2000 + 16 * runs
    assert pool.submit(gc.isenabled).result(30)
    assert pool.submit(gc.get_freeze_count).result(30) > 10_000


def test_workers_do_not_receive_ctrl_c(pool):
    handler = pool.submit(signal.getsignal, signal.SIGINT).result(30)
    assert handler == signal.SIG_IGN
    assert pool.submit(os.getpgrp).result(30) != os.getpgrp()


def test_the_nursery_can_die_too(pool):
    nursery = pool.submit(os.getppid).result(30)
    os.kill(nursery, signal.SIGKILL)
    futures = [pool.submit(abs, -i) for i in range(5)]
    results = [f.exception(60) or f.result() for f in futures]
    assert all(isinstance(r, WorkerDied) or r == i for i, r in enumerate(results))
    again = [pool.submit(abs, -i) for i in range(5)]
    if any(isinstance(r, WorkerDied) for r in results):
        assert [f.result(60) for f in again] == list(range(5))
    else:  # nobody had noticed yet
        assert pool.submit(abs, -7).exception(60) is None or pool.submit(abs, -7).result(60) == 7


def test_a_task_beyond_the_deadline_is_ended():
    executor = ProcessExecutor(1, deadline_seconds=0.3)
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


def test_the_serial_executor_runs_at_once_and_keeps_errors():
    executor = SerialExecutor()
    assert executor.submit(abs, -2).result() == 2
    assert isinstance(executor.submit(int, "x").exception(), ValueError)

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        executor.submit(interrupt)


def test_what_cannot_be_sent_says_what_to_do():
    with pytest.raises(
        OptimizerError, match=r"cannot pickle.*Use workers=1, or give a reference 'path/file.py:fun"
    ):
        portable_dumps(threading.Lock())

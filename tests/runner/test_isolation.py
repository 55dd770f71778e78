"""What a run changes in its process is no concern of the runs that follow it, of any algorithm."""

import os
import subprocess
import sys

import pytest

from firsthit.loggers import read_log
from firsthit.runner import ExecutorConfig, execute, load_campaign, open_log, plan

from .conftest import log_content

OPTIMIZERS = '''
import contextlib, ctypes, os, signal, sys, tempfile, threading, time
import numpy as np
import firsthit

kept = []


def sphere(x):
    return float((x**2).sum())


@firsthit.register_suite("isolation", functions=1, dimensions=[2], instances=[1])
def suite(function, dimension, instance):
    return firsthit.problem_from(sphere, dimension, instance=function, transformation="shift",
                                 optimal_value=0.0, optimal_solution=np.zeros(dimension))


def innocent(problem, rng):
    """Uses what others may have changed."""
    with contextlib.ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(open(os.devnull))
    assert os.path.isdir(os.getcwd())
    begin = time.perf_counter() + time.monotonic() + time.time()
    assert time.perf_counter() + time.monotonic() + time.time() >= begin
    import firsthit.runner
    assert threading.active_count() == 2, threading.enumerate()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    for _ in range(20):
        problem(rng.uniform(-5, 5, problem.dimension))


def leaks(problem, x0):
    problem(x0)
    kept.extend(open(os.devnull) for _ in range(400))


def limits(problem, x0):
    import resource
    problem(x0)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def stops_clocks(problem, x0, value="noon"):
    problem(x0)
    for name in ("time", "monotonic", "perf_counter", "process_time", "time_ns", "monotonic_ns"):
        setattr(time, name, lambda: value)
    problem(x0)


def makes_clocks_nan(problem, x0):
    stops_clocks(problem, x0, float("nan"))


def leaves_handlers(problem, x0):
    def handler(*_):
        raise RuntimeError("who is there?")
    problem(x0)
    for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGUSR1):
        signal.signal(number, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)


def leaves_a_thread(problem, x0):
    problem(x0)
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()


def removes_its_folder(problem, x0):
    problem(x0)
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)


def forgets_modules(problem, x0):
    problem(x0)
    for name in list(sys.modules):
        if name.startswith("firsthit"):
            del sys.modules[name]


def babbles(problem, x0):
    problem(x0)
    for fd in range(64):
        with contextlib.suppress(OSError):
            os.write(fd, b"garbage\\0" * 100)


def crashes(problem, x0):
    problem(x0)
    ctypes.string_at(0)


def leaves(problem, x0):
    problem(x0)
    os._exit(3)


def lacks(problem, x0):
    problem(x0)
    raise OSError("nothing left, wherever it is made")
'''
PIPE = "worker process wrote something else to its coordinator's pipe, twice"
EVILS = {
    "leaks": ("terminated", ""),
    "limits": ("terminated", ""),
    "stops_clocks": ("terminated", ""),
    "makes_clocks_nan": ("terminated", ""),
    "leaves_handlers": ("terminated", ""),
    "leaves_a_thread": ("terminated", ""),
    "removes_its_folder": ("terminated", ""),
    "forgets_modules": ("terminated", ""),
    "babbles": ("failed", PIPE),
    "crashes": ("failed", "worker process was killed by SIGSEGV, twice"),
    "leaves": ("failed", "worker process ended with exit code 3, twice"),
    "lacks": ("failed", "OSError: nothing left, wherever it is made"),
}
CAMPAIGN = """
imports: [mine.py]
suite: isolation
budget: 50
restarts: 0
repetitions: 2
optimizers:
"""


def campaign_of(*names):
    return CAMPAIGN + "".join(f"  - {{use: 'mine.py:{n}', name: {n}}}\n" for n in names)


def made(file, output, workers):
    campaign = load_campaign(file, {"output": str(output)})
    with open_log(output, campaign.header(), resume=True) as writer:
        execute(plan(campaign), writer, ExecutorConfig(workers))
    return read_log(output)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    path = tmp_path_factory.mktemp("isolation")
    (path / "mine.py").write_text(OPTIMIZERS + FORKLESS)
    return path


@pytest.mark.slow
def test_algorithms_change_their_process_and_others_do_not_notice(place, tmp_path):
    file = place / "isolation.yaml"
    file.write_text(campaign_of("innocent", *EVILS))
    for workers in (1, 2):
        runs = made(file, tmp_path / f"{workers}.h5", workers).runs
        assert len(runs) == 2 * (1 + len(EVILS))
        for name, (status, error) in {"innocent": ("terminated", ""), **EVILS}.items():
            there = runs.algorithm == name
            assert set(runs.status[there]) == {status}, (name, runs.error[there])
            assert all(text.startswith(error) for text in runs.error[there]), name
            assert bool(error) or set(runs.error[there]) == {""}, name
            assert (runs.evaluations[there] >= 1).all(), name
    assert log_content(tmp_path / "1.h5") == log_content(tmp_path / "2.h5")


WITHOUT_FORK = """
import os, sys
for name in ("fork", "forkpty"):
    if hasattr(os, name):
        delattr(os, name)
if sys.argv[1:]:
    from firsthit.runner import ExecutorConfig, execute, load_campaign, open_log, plan
    campaign = load_campaign(sys.argv[1])
    with open_log(campaign.output, campaign.header(), resume=False) as writer:
        print(execute(plan(campaign), writer, ExecutorConfig(2)).made)
"""
FORKLESS = """
def checked(problem, x0):
    import os
    assert not hasattr(os, "fork")
    for _ in range(10):
        problem(x0)
"""


def test_nothing_needs_a_fork(place, tmp_path):
    """Neither the coordinator nor its workers, which import ``sitecustomize`` as it does."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT_FORK.partition("if sys.argv")[0])
    (tmp_path / "coordinate.py").write_text(WITHOUT_FORK)
    file = place / "forkless.yaml"
    text = campaign_of("checked", "innocent")
    file.write_text(f"output: {tmp_path / 'out.h5'}\n{text}")
    done = subprocess.run(
        [sys.executable, tmp_path / "coordinate.py", file],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr
    assert set(read_log(tmp_path / "out.h5").runs.error) == {""}

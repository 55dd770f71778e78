"""Helpers of the tests of runs: a small suite and optimizers in a file, and functions to run them.

``TOY`` is the content of a file as a user writes it. `run_with` makes one run, and `log_content`
returns the content of a log for comparisons.
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

import cloudpickle
import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.runner import FirsthitWarning, execute, open_log, plan
from firsthit.suites import Suite, problem_from


def benchmark(*args, **options):
    """Run ``firsthit.benchmark`` and return its log."""
    return firsthit.benchmark(*args, **options).log


TOY = '''
import os, signal, sys, time
import numpy as np
import firsthit


def sphere(x):
    return float((x**2).sum())


@firsthit.register_suite("runner-toy", functions="1-3", dimensions=[2, 3, 5], instances="1-5")
def toy(function, dimension, instance):
    return firsthit.problem_from(
        sphere, dimension, instance=10 * function + instance, transformation="shift",
        optimal_value=0.0, optimal_solution=np.zeros(dimension),
    )


def walk(problem, rng, step=0.5):
    problem(problem.initial_solution_proposal(1))
    x = problem.initial_solution
    y = problem(x)
    for _ in range(150):
        z = x + step * rng.standard_normal(len(x))
        w = problem(z)
        if w <= y:
            x, y = z, w
        else:
            step *= 0.97


def global_walk(problem):
    """Draw points from numpy's global generator."""
    for _ in range(40):
        problem(np.random.uniform(-5, 5, problem.dimension))


def killed(problem):
    problem(problem.initial_solution)
    os.kill(os.getpid(), signal.SIGKILL)


def dies_once(problem, flag):
    problem(problem.initial_solution)
    if not os.path.exists(flag):
        open(flag, "w").close()
        os._exit(7)


def raises(problem):
    problem(problem.initial_solution)
    raise ValueError("this one always fails")


def asks(name):
    return name


number = 3
'''

SLOW_PACKAGES = (
    "cma", "cmaes", "comocma", "nevergrad", "nlopt", "optuna", "pybobyqa", "pygmo", "pymoo",
)  # fmt: skip


def pytest_itemcollected(item):
    """Mark tests of built-in optimizers as slow, unless they are from SciPy or from firsthit."""
    callspec = getattr(item, "callspec", None)
    values = callspec.params.values() if callspec else ()
    names = [value for value in values if isinstance(value, str)]
    if any(name.partition(":")[0] in SLOW_PACKAGES for name in names):
        item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder with ``toy.py``, which has the suite ``runner-toy`` and some optimizers."""
    path = tmp_path_factory.mktemp("campaigns")
    (path / "toy.py").write_text(TOY)
    return path


def sphere(x):
    return float((x**2).sum())


def shifted_sphere(dimension=3):
    return problem_from(
        sphere,
        dimension,
        optimal_value=0.0,
        optimal_solution=np.zeros(dimension),
        transformation="shift",
    )


class LoggedRun:
    """The only run of a log; its columns in the table ``runs`` are attributes."""

    def __init__(self, log):
        assert len(log) == 1
        self._log = log

    def __getattr__(self, name):
        return self._log.runs[name].tolist()[0]

    @property
    def restarts(self):
        return self._log.restarts(0)

    @property
    def best_solution(self):
        return self._log.best_solution(0)

    @property
    def hits(self):
        return self._log.hits(0)

    def same_outcome(self, other):
        """Return whether two runs are equal except for their times."""
        return content_of(self._log) == content_of(other._log)


def run_with(optimizer, budget=500, *, problem=None, **options):
    """Make one run, by default on a shifted sphere in this process.

    Args:
        optimizer: The optimizer, as `firsthit.benchmark` takes it.
        budget: Evaluations; None: until the optimizer ends by itself.
        problem: The problem, or a suite of one problem; None: a shifted sphere.
        **options: Options of `firsthit.benchmark`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FirsthitWarning)  # the caller checks the status of the run
        suite = problem if isinstance(problem, Suite) else [problem or shifted_sphere()]
        return LoggedRun(benchmark(optimizer, suite, budget=budget, **options))


def made(campaign, where=0, runs=slice(None), **rules):
    """Make the runs of a campaign that its log lacks.

    Args:
        campaign: The campaign.
        where: Number of workers or settings of an executor, as `execute` takes them.
        runs: Slice of the planned runs to make.
        **rules: Options of `open_log`.

    Returns:
        The result of `execute`.
    """
    with open_log(campaign.output, campaign.header(), resume=True, **rules) as writer:
        return execute(plan(campaign)[runs], writer, where)


def run_isolated(optimizer, budget=500, **options):
    """Make one run in a worker process, to which the optimizer's module is sent by value."""
    modules = (sys.modules[optimizer.__module__], sys.modules[__name__])
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        return run_with(optimizer, budget, workers=1, **options)
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


@pytest.fixture
def go():
    return run_with


def wait_for(condition, seconds=300):
    """Wait until a condition is true; raise an AssertionError after ``seconds``."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "not seen in time"
        time.sleep(0.01)


def is_alive(pid):
    """Return whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def is_begun(file):
    """Return whether a run is in the log of a campaign file; the log has its name and ``.h5``."""
    has_journal = any(file.with_suffix(".h5.parts").glob("*.journal"))
    return has_journal and len(read_log(file.with_suffix(".h5"))) > 0


def log_content(path):
    """Read a log, and return all data of its runs except the times, as comparable plain data."""
    return content_of(read_log(path))


def content_of(log):
    """Return all data of a log's runs except the times, as comparable plain data."""
    times = {"wall_seconds", "cpu_seconds", "problem_seconds"}
    names = [name for name in type(log.runs).__annotations__ if name not in times]
    columns = {name: repr(log.runs[name].tolist()) for name in names}
    parts = [
        (
            log.hits(i).tobytes(), log.trajectory(i).tobytes(), log.restarts(i).tobytes(),
            log.recommendations(i).tobytes(), log.best_solution(i).tobytes(),
        )
        for i in range(len(log))
    ]  # fmt: skip
    return columns, parts


@pytest.fixture
def content():
    return log_content

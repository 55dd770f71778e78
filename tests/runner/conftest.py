"""A folder with a small suite and optimizers of all characters, as a user would write them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import cloudpickle
import numpy as np
import pytest

from firsthit.runner import execute, open_log, plan
from firsthit.runner.campaign.budget import parse_budget
from firsthit.runner.campaign.campaign import RunRules, RunSpec
from firsthit.runner.execution.dispatch import Dispatch
from firsthit.runner.execution.execute import make_executor
from firsthit.runner.execution.run import run_one
from firsthit.runner.executors.executor import ExecutorConfig
from firsthit.runner.executors.processes import ProcessExecutor
from firsthit.runner.optimizers.resolve import BUILT_IN, optimizer_ref
from firsthit.suites import problem_from

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
    """Draws from numpy's global generator."""
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

FAST = ("random-search", "scipy", "bits")


def pytest_itemcollected(item):
    """A test of a built-in optimizer is slow where its package is neither SciPy nor ours."""
    given = getattr(item, "callspec", None)
    names = [name for name in (given.params.values() if given else ()) if isinstance(name, str)]
    if any(name in BUILT_IN and name.partition(":")[0] not in FAST for name in names):
        item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds ``toy.py``: the suite ``runner-toy`` and some optimizers."""
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


def run_with(optimizer, budget=500, *, problem=None, parameters=None, **rules):
    """One run on a shifted sphere, in this process."""
    return run_one(spec_of(optimizer, budget, problem, parameters, rules))


def spec_of(optimizer, budget, problem, parameters, rules):
    ref = optimizer_ref(optimizer, parameters=parameters)
    return RunSpec(problem or shifted_sphere(), ref, RunRules(parse_budget(budget), **rules))


def made(campaign, where=0, runs=slice(None), **rules):
    """Make those of a campaign's runs that its log lacks; what came of it."""
    with open_log(campaign.output, campaign.header(), resume=True, **rules) as writer:
        return execute(plan(campaign)[runs], writer, where)


@pytest.fixture(scope="session")
def workers():
    """Two worker processes."""
    executor = ProcessExecutor(2, modules=["firsthit.runner.execution.chunk"])
    yield executor
    executor.close()


@pytest.fixture
def run_isolated(workers):
    """Makes one run on a shifted sphere in a worker process; this module is sent by value."""

    def run(optimizer, budget=500, *, problem=None, parameters=None, **rules):
        module = sys.modules[optimizer.__module__]
        cloudpickle.register_pickle_by_value(module)
        cloudpickle.register_pickle_by_value(sys.modules[__name__])
        try:
            spec = spec_of(optimizer, budget, problem, parameters, rules)
            executor = workers
            if spec.rules.timeout_seconds is not None:
                executor = make_executor(ExecutorConfig(1), spec.rules.timeout_seconds)
            try:
                [[record]] = Dispatch([spec], executor).records()
            finally:
                if executor is not workers:
                    executor.close()
            return record
        finally:
            cloudpickle.unregister_pickle_by_value(module)
            cloudpickle.unregister_pickle_by_value(sys.modules[__name__])

    return run


@pytest.fixture
def go():
    return run_with


def wait_for(condition, seconds=300):
    """Poll until something is to be seen; fail loudly where it never is."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "not seen in time"
        time.sleep(0.01)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def is_begun(file):
    """Whether a run is in the log."""
    from firsthit.loggers import read_log

    is_there = any(file.with_suffix(".h5.parts").glob("*.journal"))
    return is_there and len(read_log(file.with_suffix(".h5"))) > 0


def log_content(path):
    """All that a log says of its runs but the times, as comparable plain data."""
    from firsthit.loggers import read_log

    log = read_log(path)
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

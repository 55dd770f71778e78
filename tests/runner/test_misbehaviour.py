# ruff: noqa: SIM105
"""Optimizers that evaluate elsewhere, in threads, or tell what is not so: each run has its end."""

import concurrent.futures
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import OptimizeResult, differential_evolution

from firsthit.runner.execution.monitor import MOST_INVALID, MOST_REFUSALS
from firsthit.suites import problem_from

from .conftest import run_with, sphere

ELSEWHERE = "tried to evaluate in other processes, where evaluations cannot be observed"


def forks(problem, x0):
    for _ in range(130):
        problem(x0)
    child = os.fork()
    if child == 0:
        try:
            for _ in range(2):  # the next scheduled evaluation is 141
                problem(x0)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def forks_and_goes_on_in_both(problem, x0):
    problem(x0)
    child = os.fork()
    problem(x0)
    if child:
        os.waitpid(child, 0)


def evaluates_in_children(problem, x0):
    """Each child prints its refusal."""
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=problem, args=(x0,)) for _ in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()


def batches_in_children(problem):
    child = os.fork()
    if child == 0:
        try:
            problem(np.zeros((5, problem.dimension)))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    problem(np.zeros((5, problem.dimension)))


@pytest.mark.parametrize(
    ("optimizer", "evaluations"),
    [(forks, 130), (forks_and_goes_on_in_both, 2), (evaluates_in_children, 0),
     (batches_in_children, 5)],
)  # fmt: skip
def test_evaluations_in_forked_processes_fail_the_run_with_the_reason(optimizer, evaluations):
    record = run_with(optimizer, 500, restarts=0)
    assert (record.status, record.evaluations) == ("failed", evaluations)
    assert ELSEWHERE in record.error


def test_a_fork_that_evaluates_only_at_home_is_fine():
    def solve(problem, x0):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        for _ in range(200):
            problem(x0)

    record = run_with(solve, 300, restarts=0)
    assert (record.status, record.evaluations, record.error) == ("terminated", 200, "")


def test_workers_of_differential_evolution_are_refused_with_the_reason():
    for form in ({"workers": 2}, {"workers": 2, "updating": "deferred"}):
        record = run_with(lambda f, form=form: evolve(f, form), 500)
        assert (record.status, record.evaluations) == ("failed", 0)
        assert ELSEWHERE in record.error


def evolve(problem, form):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return differential_evolution(problem, problem.bounds, **form)


def test_a_refused_pickling_that_nobody_hears_of_is_told():
    def solve(problem):
        try:
            pickle.dumps(problem)
        except Exception:
            pass

    record = run_with(solve, 500)
    assert (record.status, record.evaluations) == ("failed", 0)
    assert "returned without evaluating the problem" in record.error
    assert ELSEWHERE in record.error


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (OptimizeResult(nfev=11), "reports 11 evaluations, but only 10 were observed"),
        (SimpleNamespace(nfev=np.int64(20)), "reports 20 evaluations, but only 10 were observed"),
        (SimpleNamespace(evaluations=99), "reports 99 evaluations, but only 10 were observed"),
        (OptimizeResult(nfev=10), None),
        (OptimizeResult(nfev=3), None),
        (SimpleNamespace(nfev=True), None),
        (SimpleNamespace(nfev="many"), None),
        (SimpleNamespace(nfev=lambda: 50), None),
    ],
)
def test_more_evaluations_reported_than_seen(result, sentence):
    def solve(problem, x0):
        for _ in range(10):
            problem(x0)
        return result

    record = run_with(solve, 100, restarts=0)
    assert record.evaluations == 10
    assert record.status == ("failed" if sentence else "terminated")
    assert (sentence or "") in record.error


def test_what_is_reported_is_compared_start_by_start():
    def solve(problem, x0, start):
        for _ in range(10):
            problem(x0)
        return OptimizeResult(nfev=10 if start < 2 else 12)

    record = run_with(solve, 100)
    assert (record.status, record.evaluations) == ("failed", 30)


def test_threads_are_counted_exactly():
    """The interpreter may switch threads anywhere; nothing is lost or counted twice."""
    calls = []

    def counted(x):
        calls.append(1)
        return sphere(x) + 1

    def solve(problem, rng):
        points = rng.uniform(-5, 5, (3000, problem.dimension))
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(problem, points))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for budget in (3000, 1777, 10):
            calls.clear()
            record = run_with(solve, budget, problem=problem_from(counted, 3, optimal_value=0.0))
            assert (record.status, record.evaluations) == ("budget", budget)
            assert len(calls) == budget
    finally:
        sys.setswitchinterval(before)


def test_threads_are_stopped_at_the_target():
    def solve(problem):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(problem, [problem.problem.optimal_solution] * 3000))

    record = run_with(solve, 3000)
    assert (record.status, record.evaluations) == ("target", 1)


def ignores_its_stop(problem, x0, tally=None):
    while True:
        try:
            if tally is not None:
                with open(tally, "a") as file:
                    file.write("x")
            problem(x0)
        except BaseException:
            pass


def test_an_optimizer_that_never_listens_is_soon_ended(run_isolated, tmp_path):
    tally = tmp_path / "tally"
    record = run_isolated(ignores_its_stop, 10, parameters={"tally": str(tally)})
    assert (record.status, record.evaluations) == ("budget", 10)
    assert len(tally.read_text()) == 10 + MOST_REFUSALS


def ignores_its_stop_in_threads(problem, x0):
    threads = [threading.Thread(target=ignores_its_stop, args=(problem, x0)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_that_never_listen_end_the_run(run_isolated):
    record = run_isolated(ignores_its_stop_in_threads, 50)
    assert (record.status, record.evaluations) == ("budget", 50)


def test_threads_left_behind_change_nothing():
    ends, goes = threading.Event(), threading.Event()
    late = []

    def later(problem, x0):
        ends.wait()
        try:
            late.append(problem(x0))
        except BaseException as refusal:
            late.append(refusal)
        goes.set()

    def solve(problem, x0):
        problem(x0)
        threading.Thread(target=later, args=(problem, x0)).start()

    record = run_with(solve, 50, restarts=0)
    ends.set()
    goes.wait()
    assert (record.status, record.evaluations) == ("terminated", 1)
    assert "the run is over" in str(late)


def announces(problem, x0, what):
    problem(x0)
    while True:
        try:
            problem.restart("again") if what == "restart" else problem.recommend(x0)
        except BaseException:
            pass


@pytest.mark.parametrize("what", ["restart", "recommend"])
def test_endless_announcements_end(what, run_isolated):
    record = run_isolated(announces, 50, parameters={"what": what})
    assert (record.status, record.evaluations) == ("failed", 1)
    assert "1000 announcements without an evaluation between" in record.error
    assert len(record.restarts) + len(record.recommendations) == MOST_INVALID


def test_announcements_with_evaluations_between_do_not_end():
    def solve(problem, x0):
        for _ in range(MOST_INVALID + 10):
            problem(x0)
            problem.restart("again")

    record = run_with(solve, MOST_INVALID + 5)
    assert (record.status, len(record.restarts)) == ("budget", MOST_INVALID + 5)


def test_a_generator_makes_no_evaluation():
    def solve(problem, x0):
        yield problem(x0)

    record = run_with(solve, 50)
    assert (record.status, record.evaluations) == ("failed", 0)
    assert "returned without evaluating" in record.error


def test_arrays_that_an_optimizer_overwrites_are_its_own():
    seen = []

    def solve(problem, x0, lower_bounds, upper_bounds):
        seen.append([x0.tolist(), lower_bounds.tolist(), problem.bounds[0]])
        problem(x0)
        for array in (x0, lower_bounds, upper_bounds, problem.initial_solution):
            if array.flags.writeable:
                array[:] = np.nan

    first = run_with(solve, 2, restarts=1)
    second = run_with(solve, 2, restarts=1)
    assert first.same_outcome(second)
    assert seen[:2] == seen[2:]
    assert np.isfinite(seen[1][0]).all()


class Hostile:
    @property
    def message(self):
        raise RuntimeError("no message for you")


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("cannot be told")


def test_what_cannot_be_told_fails_the_run_only():
    record = run_with(lambda f: (f(f.initial_solution), Hostile())[1], 50)
    assert record.error.startswith("RuntimeError: no message for you")

    def solve(problem, x0):
        problem(x0)
        raise Mute

    record = run_with(solve, 50)
    assert (record.status, record.evaluations) == ("failed", 1)
    assert "Mute" in record.error


SCRIPT = """
import concurrent.futures, threading, numpy as np
from firsthit.runner import benchmark
from firsthit.suites import problem_from

def solve(problem, rng):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(problem, rng.uniform(-5, 5, (2000, 2))))

log = benchmark(solve, [problem_from(lambda x: float(x @ x) + 1, 2, optimal_value=0.0)], budget=300)
print(log.runs.status, log.runs.evaluations)
"""


def test_a_pool_of_threads_does_not_keep_the_process_alive():
    """The interpreter's end joins every thread of a pool: none of them may sleep for ever."""
    end = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300, check=False
    )
    assert (end.returncode, end.stdout) == (0, "['budget'] [300]\n"), end.stderr

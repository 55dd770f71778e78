"""What is counted: evaluations in threads, and what optimizers say that they made."""

import concurrent.futures
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from .conftest import run_with, shifted_sphere


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


def test_threads_are_stopped_at_the_target():
    problem = shifted_sphere()

    def solve(observed):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(observed, [problem.optimal_solution] * 3000))

    record = run_with(solve, 3000, problem=problem)
    assert (record.status, record.evaluations) == ("target", 1)


def test_announcements_with_evaluations_between_do_not_end():
    def solve(problem, x0):
        for _ in range(1010):  # 1000 announcements without an evaluation end a run
            problem(x0)
            problem.restart("again")

    record = run_with(solve, 1005)
    assert (record.status, len(record.restarts)) == ("budget", 1005)


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


SCRIPT = """
import concurrent.futures, threading, numpy as np
from firsthit import benchmark
from firsthit.suites import problem_from

def solve(problem, rng):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(problem, rng.uniform(-5, 5, (2000, 2))))

problem = problem_from(lambda x: float(x @ x) + 1, 2, optimal_value=0.0)
log = benchmark(solve, [problem], budget=300).log
print(log.runs.status, log.runs.evaluations)
"""


def test_a_pool_of_threads_does_not_keep_the_process_alive():
    """The interpreter's end joins every thread of a pool: none of them may sleep for ever."""
    end = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300, check=False
    )
    assert (end.returncode, end.stdout) == (0, "['budget'] [300]\n"), end.stderr

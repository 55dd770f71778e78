# ruff: noqa: SIM105, NPY002, B012
"""Whatever an optimizer does, a run has an end, one status, and not one evaluation too many."""

import os
import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from firsthit.suites import problem_from

from .conftest import run_isolated, run_with, shifted_sphere, sphere


def catches_exceptions(f):
    while True:
        try:
            f(f.initial_solution)
        except Exception:
            pass


def catches_everything(f):
    while True:
        try:
            f(f.initial_solution)
        except BaseException:
            pass


def catches_everything_twice(f):
    while True:
        try:
            while True:
                try:
                    f(np.zeros((3, f.dimension)))
                except BaseException:
                    pass
        finally:
            continue


def catches_everything_at_constraints(f):
    while True:
        try:
            f(f.initial_solution)
            f.constraint(f.initial_solution)
        except BaseException:
            continue


def wraps_the_stop(f):
    try:
        while True:
            f(f.initial_solution)
    except BaseException as stop:
        raise RuntimeError("evaluation failed") from stop


@pytest.mark.parametrize(
    "optimizer",
    [
        catches_exceptions,
        catches_everything,
        catches_everything_twice,
        catches_everything_at_constraints,
        wraps_the_stop,
    ],
)
def test_who_does_not_listen_ends_at_the_budget(optimizer):
    record = run_isolated(optimizer, 50)
    assert (record.status, record.evaluations) == ("budget", 50)


def test_who_listens_a_little_ends_at_the_budget_in_this_process():
    for optimizer in (catches_exceptions, wraps_the_stop):
        record = run_with(optimizer, 50)
        assert (record.status, record.evaluations) == ("budget", 50)


def minimizes_without_end(f):
    while True:
        try:
            minimize(f, f.initial_solution)
        except BaseException:
            pass


def test_who_does_not_listen_ends_at_the_target():
    assert run_isolated(minimizes_without_end, 5000).status == "target"


def test_a_limited_number_of_calls_after_the_end_ends_naturally():
    calls = []

    def solve(f):
        for _ in range(10 + 99):
            try:
                calls.append(f(f.initial_solution))
            except BaseException:
                calls.append(None)

    assert run_with(solve, 10).status == "budget"
    assert len(calls) == 10 + 99  # the 100th refusal would end the run


def asks_for_no_point(f):
    while True:
        try:
            f("abc")
        except Exception:
            pass


def test_who_keeps_asking_for_no_point_fails():
    record = run_isolated(asks_for_no_point, 50)
    assert (record.status, record.evaluations) == ("failed", 0)
    assert "kept on after refusals: " in record.error


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("boo"), "ValueError: boo"),
        (SystemExit(3), "SystemExit: 3"),
        (MemoryError(), "MemoryError"),
        (GeneratorExit(), "GeneratorExit"),
        (BaseException("bare"), "BaseException: bare"),
    ],
)
def test_what_is_raised_fails_the_run_and_keeps_its_evaluations(error, text):
    def solve(f):
        f(f.initial_solution)
        raise error

    record = run_with(solve, 50)
    assert (record.status, record.evaluations) == ("failed", 1)
    assert record.error.startswith(text)
    assert "test_run.py" in record.error


def test_ctrl_c_in_this_process_passes_on():
    def solve(f):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_with(solve, 50)


@pytest.mark.parametrize("budget", [50, None])
def test_who_evaluates_nothing_fails(budget):
    record = run_with(lambda f: None, budget)
    assert (record.status, record.evaluations) == ("failed", 0)
    assert "returned without evaluating the problem" in record.error


def test_starts_without_evaluation_end_the_run():
    def solve(f, start):
        if start < 2:
            f(f.initial_solution)

    record = run_with(solve, 50)
    assert (record.status, record.evaluations, len(record.restarts)) == ("terminated", 2, 4)
    assert "3 starts in a row made no evaluation" in record.error


def test_evaluations_of_another_function_are_noticed():
    record = run_with(lambda f: minimize(sphere, f.initial_solution), 50)
    assert record.status == "failed"
    assert "but none was observed" in record.error


@pytest.mark.slow
@given(st.lists(st.one_of(st.none(), st.integers(1, 30)), max_size=20), st.integers(1, 100))
def test_no_budget_is_ever_exceeded(calls, budget):
    """Points and batches in any order, by an optimizer that does not listen."""
    evaluated = []

    def counted(x):
        evaluated.append(1)
        return sphere(x) + 1

    def solve(f):
        for size in calls:
            try:
                f(f.initial_solution if size is None else np.ones((size, 3)))
            except BaseException:
                pass

    problem = problem_from(counted, 3, optimal_value=0.0)
    record = run_with(solve, budget, problem=problem)
    total = sum(size or 1 for size in calls)
    assert len(evaluated) == record.evaluations <= budget
    if total >= budget:
        assert (record.status, record.evaluations) == ("budget", budget)


def test_restarts_are_independent_and_recorded():
    points, seeds = [], []

    def solve(problem, x0, seed, rng, start):
        assert np.array_equal(problem.initial_solution, x0)
        points.append(tuple(x0))
        seeds.append((seed, rng.integers(2**62), start))
        for _ in range(10):
            problem(x0)

    record = run_with(solve, 35)
    assert (record.status, record.evaluations) == ("budget", 35)
    assert points[0] == tuple(shifted_sphere().initial_solution)
    assert len(set(points)) == len({s[:2] for s in seeds}) == 4
    assert [s[2] for s in seeds] == [0, 1, 2, 3]
    assert record.restarts["evaluation"].tolist() == [10, 20, 30]
    assert record.restarts["seed"].tolist() == [s[0] for s in seeds[1:]]
    assert record.seed == seeds[0][0]


def test_the_final_target_ends_a_run_unless_turned_off():
    assert run_with("scipy:L-BFGS-B", 500).status == "target"
    record = run_with("scipy:L-BFGS-B", 500, final_target=False)
    assert (record.status, record.evaluations) == ("budget", 500)


def test_budget_left_is_offered():
    seen = []

    def solve(problem, x0, budget):
        seen.append(budget)
        problem(x0)
        problem(x0)

    run_with(solve, 5)
    run_with(solve, None)
    assert seen == [5, 3, 1, None]


def test_global_generators_repeat_and_are_put_back():
    def solve(f):
        for _ in range(20):
            f(np.random.uniform(-5, 5, 3) + random.random())

    np.random.seed(1)
    random.seed(1)
    first = run_with(solve, 60)
    assert np.random.uniform() == np.random.RandomState(1).uniform()
    np.random.seed(2)
    second = run_with(solve, 60)
    assert first.same_outcome(second)


def test_the_working_folder_is_put_back(tmp_path):
    before = os.getcwd()
    run_with(lambda f: (os.chdir(tmp_path), f(f.initial_solution)), 1)
    assert os.getcwd() == before


def evaluates_for_ever(f):
    while True:
        f(f.initial_solution)


def test_an_optimizer_that_evaluates_is_ended_by_the_timeout_in_this_process():
    started = time.perf_counter()
    record = run_with(evaluates_for_ever, None, timeout=0.2)
    assert time.perf_counter() - started < 30
    assert record.status == "timeout"
    assert record.error == "no end within 0.2 s"
    assert record.evaluations > 0


def test_who_catches_everything_without_budget_is_ended_by_the_timeout():
    record = run_isolated(catches_everything, None, timeout=0.2)
    assert (record.status, record.error) == ("timeout", "no end within 0.2 s")
    assert record.evaluations > 0


def test_a_run_that_ends_in_time_is_not_touched_by_the_timeout():
    started = time.perf_counter()
    assert run_with("scipy:L-BFGS-B", 500, timeout=300).status == "target"
    assert time.perf_counter() - started < 30

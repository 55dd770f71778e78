"""The suite bbob: its values against cocoex and stored ones, optima, batches, contract."""

import pickle
import threading

import numpy as np
import pytest

from firsthit.suites import Suite, with_threads
from firsthit.suites.errors import SelectionError, SuiteError


def test_any_dimension_and_instance():
    problem = Suite("bbob", 10, 640, 12345)[0]
    assert abs(problem(problem.optimal_solution) - problem.optimal_value) <= 1e-9
    with pytest.raises(SelectionError, match=r"suite 'bbob': dimensions 1 not available; there is"):
        Suite("bbob", dimensions=1)
    with pytest.raises(SelectionError, match="functions 25 not available; there is 1-24"):
        Suite("bbob", functions=25)


def test_points_of_any_stride_and_type():
    problem = Suite("bbob", 8, 3, 1)[0]
    x = np.array([0.5, -1.0, 2.0])
    value = problem(x)
    assert problem(np.repeat(x, 2)[::2]) == value
    assert problem(x[::-1][::-1]) == value
    assert problem([0.5, -1.0, 2.0]) == value
    assert problem((0.5, -1, 2)) == value
    assert problem(np.array([1, 2, 3])) == problem(np.array([1.0, 2.0, 3.0]))
    assert problem(np.float32(x)) == value
    assert problem(np.asfortranarray(np.vstack([x, x]))).tolist() == [value, value]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_gives_nan_and_infinity_gives_infinity(bad):
    for problem in Suite("bbob", dimensions=3, instances=1):
        x = np.zeros((40, 3))
        x[17, 1] = bad
        expected = np.nan if np.isnan(bad) else np.inf
        assert np.array_equal(problem(x[17]), expected, equal_nan=True), problem.id
        values = problem(x)
        assert np.array_equal(values[17], expected, equal_nan=True), problem.id
        assert np.isfinite(np.delete(values, 17)).all(), problem.id
        assert np.isnan(problem(np.array([np.nan, np.inf, 0.0]))), problem.id


def test_problems_pickle_by_identity():
    problem = Suite("bbob", 23, 5, 71)[0]
    assert len(pickle.dumps(problem)) < 300
    again = pickle.loads(pickle.dumps(problem))
    assert again.id == problem.id == "bbob_f023_i71_d05"
    assert again(np.ones(5)) == problem(np.ones(5))


def test_one_problem_in_two_threads_gives_the_same_values():
    problem = Suite("bbob", 21, 10, 1)[0]
    x = np.random.default_rng(0).uniform(-5, 5, (500, 10))
    expected = problem(x).tolist()
    results = [[], []]

    def evaluate(out):
        out.extend(problem(point) for point in x)

    threads = [threading.Thread(target=evaluate, args=(out,)) for out in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected, expected]


@pytest.mark.parametrize("count", [0, 1, 255, 513, 2000])
def test_batches_on_threads_have_the_same_values(count):
    problem = Suite("bbob", 15, 5, 1)[0]
    threaded = with_threads(problem, 3)
    x = np.random.default_rng(count).uniform(-5, 5, (count, 5))
    assert threaded(x).tolist() == problem(x).tolist()
    assert threaded.id == problem.id
    again = pickle.loads(pickle.dumps(threaded))
    assert again(x).tolist() == problem(x).tolist()
    with pytest.raises(SuiteError, match="threads must be an integer >= 1; got 0"):
        with_threads(problem, 0)

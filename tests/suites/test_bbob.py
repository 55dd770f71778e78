"""The suite bbob: its values against cocoex and stored ones, optima, batches, contract."""

import csv
import importlib.util
import pickle
import threading
from pathlib import Path

import cocoex
import numpy as np
import pytest

from firsthit.suites import SelectionError, Suite, SuiteError, check_suite, with_threads

GOLDEN = Path(__file__).parents[1] / "golden"
DIMENSIONS = (2, 3, 5, 10, 20, 40)
INSTANCES = (1, 2, 5, 71, 80, 101, 1000, 54321)
AMPLIFYING = {16, 19, 23}


def tolerance(function):
    return 1e-8 if function in AMPLIFYING else 1e-11


def assert_same_values(values, truth, problem):
    """Relative to the value, or to its distance from the optimal value where the two cancel."""
    size = np.maximum(np.abs(truth), np.abs(truth - problem.optimal_value))
    assert np.max(np.abs(values - truth) / size) <= tolerance(problem.function), problem.id


def sample(problem, count=4):
    """Points inside, outside and on the box, and near the optimum."""
    rng = np.random.default_rng([problem.function, problem.instance])
    shape = (count, problem.dimension)
    return np.vstack(
        [
            rng.uniform(-5, 5, shape),
            rng.uniform(-7, 7, shape),
            np.where(rng.random(shape) < 0.5, -5.0, rng.uniform(-5, 5, shape)),
            problem.optimal_solution + 1e-3 * rng.standard_normal(shape),
        ]
    )


@pytest.fixture(scope="module")
def peer():
    return cocoex.Suite("bbob", "instances: " + ",".join(map(str, INSTANCES)), "")


@pytest.mark.parametrize("dimension", DIMENSIONS)
@pytest.mark.parametrize("function", range(1, 25))
def test_values_are_those_of_cocoex(function, dimension, peer):
    for problem in Suite("bbob", function, dimension, INSTANCES):
        other = peer.get_problem_by_function_dimension_instance(
            function, dimension, problem.instance
        )
        x = sample(problem)
        truth = np.array([other(point) for point in x])
        assert_same_values(np.array([problem(point) for point in x]), truth, problem)
        assert_same_values(problem(x), truth, problem)
        assert problem.name  # the peer's names carry instance and dimension; ours the function


def test_values_are_the_stored_ones():
    """For machines without cocoex: values made by ``tests/golden/make_bbob.py``."""
    spec = importlib.util.spec_from_file_location("make_bbob", GOLDEN / "make_bbob.py")
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    rows = list(csv.DictReader((GOLDEN / "bbob.csv").read_text().splitlines()))
    assert len(rows) == 24 * 6 * 6
    for row in rows:
        numbers = [int(row[key]) for key in ("function", "dimension", "instance")]
        problem = Suite("bbob", *numbers)[0]
        x = maker.points(problem.function, problem.dimension)
        truth = np.array([float.fromhex(row[key]) for key in ("inside", "outside", "corner")])
        assert_same_values(problem(x), truth, problem)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_the_optimum_has_the_optimal_value(dimension):
    for problem in Suite("bbob", dimensions=dimension, instances=[1, 5, 75, 999]):
        assert abs(problem(problem.optimal_solution) - problem.optimal_value) <= 1e-9


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 100])
def test_batches_equal_single_points_to_the_bit(count):
    for problem in Suite("bbob", dimensions=[2, 7], instances=3):
        x = np.random.default_rng(count).uniform(-6, 6, (count, problem.dimension))
        assert problem(x).tolist() == [problem(point) for point in x], problem.id


def test_every_problem_keeps_the_contract():
    assert check_suite(Suite("bbob", dimensions=[2, 3, 13], instances=[1, 80])) == 144


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
@pytest.mark.parametrize("function", range(1, 25))
def test_nan_gives_nan_and_infinity_gives_infinity(function, bad):
    problem = Suite("bbob", function, 3, 1)[0]
    x = np.zeros((40, 3))
    x[17, 1] = bad
    expected = np.nan if np.isnan(bad) else np.inf
    assert np.array_equal(problem(x[17]), expected, equal_nan=True)
    values = problem(x)
    assert np.array_equal(values[17], expected, equal_nan=True)
    assert np.isfinite(np.delete(values, 17)).all()
    both = np.array([np.nan, np.inf, 0.0])
    assert np.isnan(problem(both))


def test_shared_seeds_of_the_twins():
    suite = Suite("bbob", dimensions=5, instances=1)
    assert suite.problem(3, 5, 1).optimal_value == suite.problem(4, 5, 1).optimal_value
    assert suite.problem(17, 5, 1).optimal_value == suite.problem(18, 5, 1).optimal_value


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


@pytest.mark.parametrize("function", range(1, 25))
def test_the_final_target_is_decided_as_by_cocoex(function, peer):
    """On random points whose precision is of the size of the final target."""
    dimension, count = 5, 4200
    problem = Suite("bbob", function, dimension, 1)[0]
    other = peer.get_problem_by_function_dimension_instance(function, dimension, 1)
    rng = np.random.default_rng(function)
    steps = rng.standard_normal((count, dimension))
    near = around_the_final_target(problem, steps)
    values = problem(near)
    truth = np.array([other(x) for x in near])
    threshold = problem.optimal_value + 1e-8
    assert np.array_equal(values <= threshold, truth <= threshold)
    assert 0.1 < np.mean(values <= threshold) < 0.9


def around_the_final_target(problem, steps):
    """Points at which each direction crosses the final target, give or take 20 %."""
    threshold = problem.optimal_value + 1e-8
    low, high = np.full(len(steps), -16.0), np.full(len(steps), 2.0)
    for _ in range(60):
        middle = (low + high) / 2
        hits = problem(problem.optimal_solution + 10 ** middle[:, None] * steps) <= threshold
        low, high = np.where(hits, middle, low), np.where(hits, high, middle)
    factor = np.random.default_rng(0).uniform(0.8, 1.2, len(steps))
    return problem.optimal_solution + (factor * 10**low)[:, None] * steps


@pytest.mark.parametrize("dimension", [2, 3, 10, 40])
@pytest.mark.parametrize("function", range(1, 25))
def test_far_outside_the_box_a_value_may_be_infinite_but_is_never_nan(function, dimension, peer):
    """Where cocoex overflows, it gives infinity or NaN; we infinity, or still a value."""
    problem = Suite("bbob", function, dimension, 1)[0]
    other = peer.get_problem_by_function_dimension_instance(function, dimension, 1)
    rng = np.random.default_rng(function)
    powers = [2, 3, 4, 5, 6, 8, 12, 15, 16, 17, 20, 30, 50, 75, 100, 150, 155, 200, 250, 300]
    x = np.vstack([rng.standard_normal((3, dimension)) * 10.0**k for k in powers])
    values = problem(x)
    assert values.tolist() == [problem(point) for point in x]
    truth = np.array([other(point) for point in x])
    assert not np.isnan(values).any()
    assert values.min() >= problem.optimal_value
    assert not np.isfinite(truth[np.isinf(values)]).any()
    assert (values[~np.isfinite(truth)] > 1e4).all()
    known = np.isfinite(truth)
    size = np.maximum(np.abs(truth), np.abs(truth - problem.optimal_value))[known]
    error = np.max(np.abs(values[known] - truth[known]) / size)
    assert error <= (1.0 if function in (17, 18) else 1e-6)  # these: sin of up to 1e60

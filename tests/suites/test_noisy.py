"""The suite bbob-noisy: true values, noise draw by draw against cocoex, optima, contract."""

import csv
import importlib.util
import pickle
from itertools import repeat
from pathlib import Path

import cocoex
import numpy as np
import pytest

from firsthit.suites import Suite, check_suite
from firsthit.suites.transforms import hard_box, with_noise

SPEC = importlib.util.spec_from_file_location(
    "coco_stream", Path(__file__).with_name("coco_stream.py")
)
coco_stream = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(coco_stream)
CocoStream = coco_stream.CocoStream

GOLDEN = Path(__file__).parents[1] / "golden" / "noisy.csv"
KINDS = ("Gaussian", "uniform", "Cauchy")
ALL = range(101, 131)


def kind(function):
    return KINDS[(function - 101) % 3]


def assert_close(values, truth, problem):
    tolerance = 1e-8 if 125 <= problem.function <= 127 else 1e-11
    assert np.max(np.abs(values - truth) / np.maximum(1, np.abs(truth))) <= tolerance, problem.id


def sample(problem):
    """Points inside, outside and on the box, and near the optimum.

    Not nearer: cocoex subtracts the optimal value before it applies noise to the difference.
    """
    rng = np.random.default_rng([problem.function, problem.instance])
    shape = (1, problem.dimension)
    return np.vstack(
        [
            rng.uniform(-5, 5, shape),
            rng.uniform(-7, 7, shape),
            np.where(rng.random(shape) < 0.5, -5.0, rng.uniform(-5, 5, shape)),
            problem.optimal_solution + 0.1 * rng.standard_normal(shape),
        ]
    )


def test_the_noise_is_that_of_cocoex_draw_by_draw():
    """All functions from one stream: every number is drawn when and as cocoex draws it."""
    problems = list(Suite("bbob-noisy", dimensions=[2, 5, 20], instances=[1, 7]))
    evaluated = [kind(p.function) for p in problems for _ in range(4)]
    stream = CocoStream(evaluated)
    peers = cocoex.Suite("bbob-noisy", "instances: 1,7", "dimensions: 2,5,20")
    for problem in problems:
        peer = peers.get_problem_by_function_dimension_instance(
            problem.function, problem.dimension, problem.instance
        )
        x = sample(problem)
        truth = np.array([peer(point) for point in x])
        assert_close(problem.noisy(x, stream), truth, problem)


def test_measured_values_are_the_stored_ones():
    """For machines without cocoex: made by ``tests/golden/make_noisy_and_constrained.py``."""
    rows = list(csv.DictReader(GOLDEN.read_text().splitlines()))
    assert len(rows) == 30 * 2 * 2
    stream = CocoStream(kind(int(row["function"])) for row in rows)
    for row in rows:
        function, dimension, instance, number = (
            int(row[key]) for key in ("function", "dimension", "instance", "point")
        )
        problem = Suite("bbob-noisy", function, dimension, instance)[0]
        i = np.arange(dimension)
        x = -5 + 10 * ((37 * i + 17 * number + 11) % 101 + 0.5) / 101
        assert_close(problem.noisy(x, stream), float(row["measured"]), problem)


@pytest.mark.parametrize("function", ALL)
def test_true_values_are_those_that_cocoex_logs_with_the_penalty(function, tmp_path):
    """cocoex tells the noise-free value in its data only, and there without the penalty."""
    problem = Suite("bbob-noisy", function, 3, 4)[0]
    suite = cocoex.Suite(
        "bbob-noisy", "instances: 4", f"dimensions: 3 function_indices: {function - 100}"
    )
    peer = suite[0]
    peer.observe_with(cocoex.Observer("bbob-noisy", f"outer_folder: {tmp_path} result_folder: a"))
    x = np.random.default_rng(function).uniform(-6, 6, (10, 3))
    for point in x:
        peer(point)
    peer.free()
    (file,) = (tmp_path / "a").rglob("*.tdat")
    logged = [line.split() for line in file.read_text().splitlines() if line[0] != "%"]
    logged = {int(fields[0]): float(fields[3]) for fields in logged}
    penalty = 100 * np.sum(np.maximum(0, np.abs(x) - 5) ** 2, axis=1)
    for evaluation, value in logged.items():
        truth = problem(x[evaluation - 1]) - penalty[evaluation - 1]
        assert abs(value - truth) <= 1e-9 * max(1, abs(truth))
    assert penalty.any()


def test_the_true_value_has_the_penalty_that_the_data_of_coco_leave_out():
    assert abs(Suite("bbob-noisy", 113, 2, 1)[0]([7.0, 7.0]) - 4614.85) < 0.01


@pytest.mark.parametrize("dimension", [2, 3, 5, 10, 20, 40])
def test_the_optimum_has_the_optimal_value(dimension):
    for problem in Suite("bbob-noisy", dimensions=dimension, instances=[1, 2, 9, 15]):
        assert abs(problem(problem.optimal_solution) - problem.optimal_value) <= 1e-9


def test_batches_equal_single_points_to_the_bit():
    for problem in Suite("bbob-noisy", dimensions=[2, 7], instances=3):
        x = np.random.default_rng(1).uniform(-6, 6, (100, problem.dimension))
        x[5, 0], x[70, 1] = np.nan, np.inf
        true, noisy = problem.evaluate_noisy(x, np.random.default_rng(2))
        rng = np.random.default_rng(2)
        measure = problem.measuring(rng)
        pairs = np.array([measure(point) for point in x])
        assert np.array_equal(pairs, np.column_stack([true, noisy]), equal_nan=True)
        assert np.array_equal(true, problem(x), equal_nan=True)
        assert np.array_equal(true, [problem(point) for point in x], equal_nan=True)
        rng = np.random.default_rng(2)
        parts = [problem.noisy(part, rng) for part in np.split(x, [1, 40, 41])]
        assert np.array_equal(np.concatenate(parts), noisy, equal_nan=True)
        assert np.isnan(noisy[5])
        assert noisy[70] == np.inf


@pytest.mark.parametrize("function", [101, 102, 103, 113, 129, 130])
def test_noise_has_its_distribution(function):
    """Medians of the measured distance at one point, by the formulas of the definition."""
    problem = Suite("bbob-noisy", function, 5, 2)[0]
    x = np.repeat([[1.0, -2.0, 3.0, 0.5, 4.0]], 40_000, axis=0)
    distance = problem(x[0]) - problem.optimal_value
    measured = problem.noisy(x, np.random.default_rng(3)) - problem.optimal_value
    rng = np.random.default_rng(4)
    u = rng.random((2, 400_000))
    strength = 0.01 if function <= 106 else 1.0
    if kind(function) == "Gaussian":
        expected = distance * np.exp(strength * rng.standard_normal(400_000))
    elif kind(function) == "uniform":
        stretch = (1e9 / distance) ** ((0.49 + 1 / 5) * strength * u[1])
        expected = distance * u[0] ** strength * np.maximum(1, stretch)
    else:
        cauchy = rng.standard_cauchy(400_000) * (u[0] < (0.05 if function <= 106 else 0.2))
        expected = distance + np.maximum(0, strength * (1e3 + cauchy))
    for share in (0.02, 0.25, 0.5, 0.75, 0.98):
        low, high = np.quantile(expected, [max(0, share - 0.01), min(1, share + 0.01)])
        assert low <= np.quantile(measured, share) * (1 + 1e-9)
        assert np.quantile(measured, share) <= high * (1 + 1e-9) + 1e-7


def test_a_transform_keeps_the_noise():
    problem = Suite("bbob-noisy", 107, 2, 1)[0]
    x = np.array([[1.0, 2.0], [6.0, 0.0], [-4.0, 4.0]])
    boxed = hard_box(problem).noisy(x, np.random.default_rng(5))
    expected = problem.noisy(x[[0, 2]], np.random.default_rng(5))
    assert boxed[1] == np.inf
    assert abs(boxed[0] - expected[0]) <= 1e-9
    other = with_noise(problem, lambda points, values, rng: values + 1)
    assert other.noisy(x, np.random.default_rng(5)).tolist() == (problem(x) + 1).tolist()


def test_every_problem_keeps_the_contract():
    assert check_suite(Suite("bbob-noisy", dimensions=[2, 3, 13], instances=[1, 80])) == 180


def test_identity_groups_and_constants():
    suite = Suite("bbob-noisy")
    assert len(suite) == 30 * 6 * 15
    groups = {name: (min(f), max(f)) for name, f in suite.groups.items()}
    assert list(groups.values()) == [(101, 106), (107, 121), (122, 130)]
    problem = suite.problem(128, 5, 3)
    assert problem.id == "bbob_noisy_f128_i03_d05"
    assert suite["bbob_noisy_f128_i03_d05"].function == 128
    assert problem.name == "Gallagher 101 peaks, severe Gaussian noise"
    assert problem.measurement.indicator == "noise-free"
    assert problem.is_noisy
    constants = problem.constants()
    assert constants["noise"].tolist() == [0, 0, 1]
    assert constants["optimum"].tolist() == problem.optimal_solution.tolist()
    again = pickle.loads(pickle.dumps(problem))
    assert again.noisy(np.ones(5), np.random.default_rng(1)) == problem.noisy(
        np.ones(5), np.random.default_rng(1)
    )


def test_the_stream_of_cocoex_is_used_up_exactly():
    stream = CocoStream(repeat("Cauchy", 2))
    problem = Suite("bbob-noisy", 103, 2, 1)[0]
    problem.noisy(np.zeros((2, 2)), stream)
    with pytest.raises(StopIteration):
        next(stream._numbers)

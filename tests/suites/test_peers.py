"""Values and facts of all suites are those of cocoex, and of ioh where cocoex has no such suite."""

import math

import cocoex
import ioh
import numpy as np
import pytest

from firsthit.suites import Suite

from .coco_stream import CocoStream, kind_of
from .same_values import assert_same_values

COMPARED = {
    "bbob": ((2, 3, 5, 10, 20, 40), (1, 2, 5, 71, 80, 101, 1000, 54321)),
    "bbob-boxed": ((2, 5), (1, 3, 104)),
    "bbob-largescale": ((20, 160), (1, 3, 104)),
    "bbob-mixint": ((5, 80), (1, 3, 104)),
    "bbob-constrained": ((2, 3, 10), (1, 9)),
    "bbob-constrained-active-only": ((2, 3, 10), (2,)),
    "bbob-constrained-no-disguise": ((2, 3, 10), (2,)),
    "bbob-biobj": ((3,), (11,)),
    "bbob-biobj-ext": ((2, 10), (11,)),
    "bbob-biobj-mixint": ((5, 80), (11,)),
}
"""Suite to dimensions and instances. Instance 1 of two objectives is among the stored values."""

CASES = [(name, one) for name, (dimensions, _) in COMPARED.items() for one in dimensions]


def peer_suite(name, dimensions, instances):
    """cocoex knows two of the suites, but does not say so."""
    known = list(cocoex.known_suite_names)
    cocoex.known_suite_names.append(name)
    try:
        return cocoex.Suite(
            name,
            f"instances: {','.join(map(str, instances))}",
            f"dimensions: {','.join(map(str, dimensions))}",
        )
    finally:
        cocoex.known_suite_names[:] = known


def peer_of(problem, peers):
    return peers.get_problem_by_function_dimension_instance(
        problem.function, problem.dimension, problem.instance
    )


def sample(problem):
    """Points inside, outside and on the box, and near the optimum or the fronts."""
    rng = np.random.default_rng([problem.function, problem.instance])
    shape, low, high = (3, problem.dimension), problem.lower_bounds, problem.upper_bounds
    inside = rng.uniform(low, high, shape)
    if problem.number_of_objectives == 2:
        near = rng.uniform(low, high, shape)
        near[:, problem.number_of_integer_variables :] /= 20
    else:
        near = problem.optimal_solution + 1e-3 * rng.standard_normal(shape)
    outside = rng.uniform(low - 0.2 * (high - low), high + 0.2 * (high - low), shape)
    return np.vstack([inside, outside, np.where(rng.random(shape) < 0.5, low, high), near])


@pytest.mark.parametrize(("name", "dimension"), CASES)
def test_values_and_facts_are_those_of_cocoex(name, dimension):
    instances = COMPARED[name][1]
    peers = peer_suite(name, [dimension], instances)
    for problem in Suite(name, dimensions=dimension, instances=instances):
        other = peer_of(problem, peers)
        x = sample(problem)
        truth = np.array([other(point) for point in x])
        assert_same_values(problem(x), truth, problem)
        assert_same_values(np.array([problem(point) for point in x]), truth, problem)
        assert problem.id == other.id
        assert name == "bbob" or problem.title == other.name
        assert problem.lower_bounds.tolist() == other.lower_bounds.tolist()
        assert problem.upper_bounds.tolist() == other.upper_bounds.tolist()
        assert np.allclose(problem.initial_solution, other.initial_solution, rtol=1e-11, atol=1e-11)
        assert problem.number_of_integer_variables == other.number_of_integer_variables
        assert problem.number_of_objectives == other.number_of_objectives
        assert problem.number_of_constraints == other.number_of_constraints
        if problem.number_of_constraints:
            values = [other.constraint(point) for point in x]
            assert np.allclose(problem.constraint(x), values, rtol=1e-11, atol=1e-11), problem.id
        if problem.number_of_objectives == 2:
            assert_same_values(problem.nadir_point, other.largest_fvalues_of_interest, problem)
        else:
            other(problem.optimal_solution)
            assert other.final_target_hit, problem.id


@pytest.mark.parametrize("function", range(1, 25))
def test_the_final_target_is_decided_as_by_cocoex(function):
    """On random points whose precision is of the size of the final target."""
    problem = Suite("bbob", function, 5, 1)[0]
    peers = peer_suite("bbob", [5], [1])  # kept: its problems end with it
    other = peer_of(problem, peers)
    steps = np.random.default_rng(function).standard_normal((4200, 5))
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
    for _ in range(14):  # 18 decades become 0.3 %
        middle = (low + high) / 2
        hits = problem(problem.optimal_solution + 10 ** middle[:, None] * steps) <= threshold
        low, high = np.where(hits, middle, low), np.where(hits, high, middle)
    factor = np.random.default_rng(0).uniform(0.8, 1.2, len(steps))
    return problem.optimal_solution + (factor * 10**low)[:, None] * steps


@pytest.mark.parametrize("dimension", [2, 3, 10, 40])
def test_far_outside_the_box_a_value_may_be_infinite_but_is_never_nan(dimension):
    """Where cocoex overflows, it gives infinity or NaN; we infinity, or still a value."""
    peers = peer_suite("bbob", [dimension], [1])
    powers = [2, 3, 4, 5, 6, 8, 12, 15, 16, 17, 20, 30, 50, 75, 100, 150, 155, 200, 250, 300]
    for problem in Suite("bbob", dimensions=dimension, instances=1):
        other = peer_of(problem, peers)
        rng = np.random.default_rng(problem.function)
        x = np.vstack([rng.standard_normal((3, dimension)) * 10.0**k for k in powers])
        values = problem(x)
        assert values.tolist() == [problem(point) for point in x]
        truth = np.array([other(point) for point in x])
        assert not np.isnan(values).any()
        assert values.min() >= problem.optimal_value
        assert not np.isfinite(truth[np.isinf(values)]).any()
        known = np.isfinite(truth)
        assert (values[~known] > 1e4).all()
        size = np.maximum(np.abs(truth), np.abs(truth - problem.optimal_value))[known]
        error = np.max(np.abs(values[known] - truth[known]) / size)
        assert error <= (1.0 if problem.function in (17, 18) else 1e-6)  # these: sin of up to 1e60


@pytest.mark.parametrize("instance", [4295, 42950, 99999])
def test_constraints_of_instances_of_any_number(instance):
    """The last instance is the largest that the suite has."""
    peers = peer_suite("bbob-constrained", [3], [instance])
    for problem in Suite("bbob-constrained", [4, 17, 18, 36, 54], 3, instance):
        other = peer_of(problem, peers)
        x = sample(problem)
        assert_same_values(problem(x), np.array([other(point) for point in x]), problem)
        values = [other.constraint(point) for point in x]
        assert np.allclose(problem.constraint(x), values, rtol=1e-11, atol=1e-11), problem.id


def test_feasibility_at_the_optimum_is_decided_as_by_cocoex():
    """Terms that are rounding errors do not make the optimum infeasible."""
    peers = peer_suite("bbob-constrained", [5], [1])
    rng = np.random.default_rng(1)
    decided = []
    for problem in Suite("bbob-constrained", dimensions=5, instances=1):
        other = peer_of(problem, peers)
        for size in (1e-15, 1e-13, 1e-12):
            x = problem.optimal_solution + size * rng.standard_normal(5)
            decided.append(problem.is_feasible(x))
            assert decided[-1] == np.all(other.constraint(x) <= 0), problem.id
    assert 0.1 < np.mean(decided) < 0.9


def test_pairs_beyond_instance_15_are_those_that_cocoex_searches():
    chosen = [16, 22, 37, 90]
    suite = cocoex.Suite(
        "bbob-biobj",
        f"instances: {','.join(map(str, chosen))}",
        "dimensions: 2 function_indices: 2",
    )
    for instance, other in zip(chosen, suite, strict=True):
        assert Suite("bbob-biobj", 2, 2, instance)[0].title == other.name


def noisy_sample(problem):
    """Not nearer: cocoex subtracts the optimal value before it applies noise to the difference."""
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
    stream = CocoStream(kind_of(p.function) for p in problems for _ in range(4))
    peers = peer_suite("bbob-noisy", [2, 5, 20], [1, 7])
    for problem in problems:
        other = peer_of(problem, peers)
        x = noisy_sample(problem)
        truth = np.array([other(point) for point in x])
        assert_same_values(problem.noisy(x, stream), truth, problem)


@pytest.mark.parametrize("function", range(101, 131))
def test_true_values_are_those_that_cocoex_logs_with_the_penalty(function, tmp_path):
    """cocoex tells the noise-free value in its data only, and there without the penalty."""
    problem = Suite("bbob-noisy", function, 3, 4)[0]
    peers = peer_suite("bbob-noisy", [3], [4])  # kept: its problems end with it
    other = peer_of(problem, peers)
    other.observe_with(cocoex.Observer("bbob-noisy", f"outer_folder: {tmp_path} result_folder: a"))
    x = np.random.default_rng(function).uniform(-6, 6, (10, 3))
    for point in x:
        other(point)
    other.free()
    (file,) = (tmp_path / "a").rglob("*.tdat")
    logged = [line.split() for line in file.read_text().splitlines() if line[0] != "%"]
    logged = {int(fields[0]): float(fields[3]) for fields in logged}
    penalty = 100 * np.sum(np.maximum(0, np.abs(x) - 5) ** 2, axis=1)
    for evaluation, value in logged.items():
        truth = problem(x[evaluation - 1]) - penalty[evaluation - 1]
        assert abs(value - truth) <= 1e-9 * max(1, abs(truth))
    assert penalty.any()


@pytest.mark.parametrize("dimension", [2, 5])
@pytest.mark.parametrize("instance", [1, 2, 5, 14, 25])
def test_mixtures_without_f7_are_those_of_ioh(dimension, instance):
    problem = Suite("ma-bbob", 1, dimension, instance)[0]
    other = ioh.problem.ManyAffine(instance, dimension)
    assert other.weights[6] == 0
    x = sample(problem)
    truth = np.array([other(point) for point in x])
    for values in (problem(x), np.array([problem(point) for point in x])):
        assert np.all(np.abs(values - truth) <= 1e-11 * np.maximum(1, truth))
    assert np.allclose(problem.optimal_solution, other.optimum.x, rtol=0, atol=1e-15)
    assert math.isclose(problem.optimal_value, other.optimum.y, rel_tol=1e-12)


def test_mixtures_with_f7_are_those_of_ioh_away_from_the_optimum():
    problem, other = Suite("ma-bbob", 1, 5, 4)[0], ioh.problem.ManyAffine(4, 5)
    assert other.weights[6] > 0
    x = np.random.default_rng(0).uniform(-5, 5, (20, 5))
    assert np.allclose(problem(x), [other(point) for point in x], rtol=1e-11)


def test_mixtures_are_drawn_as_by_ioh():
    """Also where fewer than two of the uniform numbers reach the threshold: 14, 81 and others."""
    for instance in (*range(1, 120), 54321):
        constants = Suite("ma-bbob", 1, 5, instance)[0].constants()
        other = ioh.problem.ManyAffine(instance, 5)
        assert np.allclose(constants["weights"], other.weights, rtol=0, atol=1e-15)
        assert np.allclose(constants["optimum"], other.optimum.x, rtol=0, atol=1e-15)
        assert constants["instances"].tolist() == list(other.instances)
        assert np.array_equal(constants["scales"], other.scale_factors)

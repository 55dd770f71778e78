"""The suites bbob-constrained: values, constraints and starts against cocoex, optima, contract."""

import pickle

import numpy as np
import pytest

from firsthit.suites import Suite
from firsthit.suites.errors import EvaluationError

from .some_functions import some_functions

SUITES = ("bbob-constrained", "bbob-constrained-active-only", "bbob-constrained-no-disguise")


def assert_close(values, truth, problem):
    errors = np.abs(np.subtract(values, truth)) / np.maximum(1, np.abs(truth))
    assert np.max(errors) <= 1e-11, problem.id


@pytest.mark.parametrize(
    "chosen", [some_functions, pytest.param(lambda _: None, marks=pytest.mark.slow, id="all")]
)
@pytest.mark.parametrize("suite", SUITES)
def test_no_feasible_point_near_the_optimum_is_better(suite, chosen):
    rng = np.random.default_rng(0)
    feasible = 0
    for problem in Suite(suite, chosen(suite), 2, 3):
        steps = rng.standard_normal((1500, 2)) * 10.0 ** rng.uniform(-6, 0, (1500, 1))
        points = problem.optimal_solution + steps
        points = points[problem.is_feasible(points)]
        feasible += len(points)
        slack = 1e-9 * max(1, abs(problem.optimal_value))
        if len(points):
            assert problem(points).min() >= problem.optimal_value - slack, problem.id
    assert feasible > 1000


def test_points_that_are_none_are_refused():
    problem = Suite(SUITES[0], 6, 3, 1)[0]
    for x in (np.zeros(2), np.zeros(3, dtype=complex), [[1.0, 2.0]]):
        with pytest.raises(EvaluationError):
            problem.constraint(x)
        with pytest.raises(EvaluationError):
            problem.is_feasible(x)
    assert problem.constraint([1, 2, 3]).tolist() == problem.constraint(np.arange(1.0, 4)).tolist()
    assert problem.is_feasible([1, 2, 3]) == problem.is_feasible(np.arange(1.0, 4))


def test_counts_of_constraints_groups_and_constants():
    suite = Suite(SUITES[0])
    assert len(suite) == 54 * 6 * 15
    assert [len(functions) for functions in suite.groups.values()] == [6] * 9
    counts = [suite.problem(f, 10, 1).number_of_constraints for f in range(1, 7)]
    assert counts == [1, 3, 9, 16, 24, 54]
    problem = suite.problem(24, 3, 1)
    constants = problem.constants()
    assert constants["gradients"].shape == constants["offsets"].shape == (15 + 7, 3)
    assert constants["R"].shape == (3, 3)
    assert len(problem.measurement.targets) == 41
    again = pickle.loads(pickle.dumps(problem))
    assert again.id == "bbob-constrained_f024_i01_d03"
    assert again.constraint(np.ones(3)).tolist() == problem.constraint(np.ones(3)).tolist()


def test_a_linear_function_by_hand():
    """f1 with one constraint, ``-fd``: the constants say what is evaluated."""
    problem = Suite(SUITES[0], 1, 2, 1)[0]
    c = problem.constants()
    x = np.array([1.0, -2.0])
    y = x - c["optimum"]
    assert_close(problem(x), 10 * (np.sum((y - c["center"]) ** 2) + c["fopt"]), problem)
    assert_close(problem.constraint(x), c["gradients"] @ y, problem)
    assert np.allclose(
        c["gradients"][0] / np.linalg.norm(c["gradients"][0]),
        c["center"] / np.linalg.norm(c["center"]),
    )

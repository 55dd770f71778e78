"""bbob-boxed, bbob-largescale and bbob-mixint against cocoex and stored values; their contract."""

import pickle

import numpy as np
import pytest

from firsthit.suites import Suite
from firsthit.suites.errors import SelectionError


def test_the_grid_of_integers_holds_the_optimum():
    """By hand: sphere, D = 5; 2, 4, 8, 16 of the points between -4 and 4, moved."""
    problem, inner = Suite("bbob-mixint", 1, 5, 1)[0], Suite("bbob", 1, 5, 1)[0]
    constants = problem.constants()
    assert constants["cardinalities"].tolist() == [2, 4, 8, 16, 0]
    assert np.allclose(constants["step"][:4], [8 / 3, 8 / 5, 8 / 9, 8 / 17])
    z = constants["low"] + constants["step"] * problem.optimal_solution
    assert np.allclose(z[:4], inner.optimal_solution[:4])
    assert problem.optimal_solution[4] == inner.optimal_solution[4]
    x = problem.optimal_solution
    x[0] = 1 - x[0]
    x[4] += 2
    assert np.isclose(problem(x) - problem.optimal_value, (8 / 3) ** 2 + 4)


def test_dimensions_that_a_suite_does_not_have():
    with pytest.raises(SelectionError, match="dimensions 12 not available"):
        Suite("bbob-mixint", dimensions=12)
    assert Suite("bbob-mixint", dimensions=[15, 100]).dimensions == (15, 100)


def test_identifiers_are_those_of_coco_and_pickle():
    suite = Suite("bbob-largescale", [1, 13], [20, 80], 1)
    problem = suite["bbob_f013_i01_d0080"]
    assert (problem.function, problem.dimension, problem.suite) == (13, 80, "bbob-largescale")
    again = pickle.loads(pickle.dumps(problem))
    assert again.id == problem.id == "bbob_f013_i01_d0080"
    assert Suite("bbob-boxed", 1, 2, 1)[0].id == "bbob-boxed_f001_i01_d02"


def dense(blocks):
    """The matrix of which ``blocks`` holds the columns of blocks on the diagonal."""
    size, dimension = blocks.shape
    matrix = np.zeros((dimension, dimension))
    for start in range(0, dimension, size):
        length = min(size, dimension - start)
        here = slice(start, start + length)
        matrix[here, here] = blocks[:length, here].T
    return matrix


@pytest.mark.slow  # its kernel is used by no other test
def test_constants_are_enough_to_evaluate_a_largescale_function_elsewhere():
    """f14 by dense matrices, as the table of the suite tells."""
    problem = Suite("bbob-largescale", 14, 100, 2)[0]
    constants = problem.constants()
    orders = [constants[name].astype(int) for name in ("p2", "p3")]
    matrix = dense(constants["B1"])
    assert np.allclose(matrix @ matrix.T, np.eye(100))
    x = np.random.default_rng(0).uniform(-5, 5, 100)
    z = (matrix @ (x - constants["optimum"])[orders[0]])[orders[1]]
    e = np.arange(100) / 99
    value = 0.4 * np.sqrt(np.sum(np.abs(z) ** (2 + 4 * e))) + constants["optimal_value"]
    assert np.isclose(problem(x), value, rtol=1e-13)


def test_memory_of_a_largescale_problem_is_linear_in_the_dimension():
    for function, numbers_per_variable in ((1, 40), (7, 40), (15, 40), (24, 40), (21, 101)):
        constants = Suite("bbob-largescale", function, 640, 1)[0].constants().values()
        assert sum(np.asarray(one).nbytes for one in constants) < 8 * 640 * numbers_per_variable * 4

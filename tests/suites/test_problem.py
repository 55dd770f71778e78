"""Problems with two objectives, constraints, integer variables and noise; what wraps them.

Private names: transforms are tested alone; no part exports them.
"""

import pickle

import numpy as np
import pytest

from firsthit.suites import Suite, check_suite, problem_from
from firsthit.suites.errors import EvaluationError, SuiteError
from firsthit.suites.transforms import (
    hard_box,
    on_integers,
    two_objectives,
    with_constraints,
    with_noise,
)


def sphere(x):
    return float(x @ x)


def two_spheres(x):
    return [x @ x, (x - 1) @ (x - 1)]


def two_spheres_in_batches(X):
    return np.column_stack([(X**2).sum(axis=1), ((X - 1) ** 2).sum(axis=1)])


def half_plane(x):
    return [1 - x[0], x.sum() - 20]


def half_planes(X):
    return np.column_stack([1 - X[:, 0], X.sum(axis=1) - 20])


def gauss(points, values, rng):
    return values * np.exp(0.1 * rng.standard_normal(values.shape))


def test_two_objectives_have_values_of_two_numbers():
    for batch in (None, two_spheres_in_batches):
        problem = problem_from(two_spheres, 3, objectives=2, batch=batch)
        assert problem(np.zeros(3)).tolist() == [0.0, 3.0]
        assert problem(np.zeros((4, 3))).shape == (4, 2)
        assert problem(np.zeros((0, 3))).shape == (0, 2)
        assert np.isnan(problem([np.nan, 0, 0])).all()
        assert check_suite([problem]) == 1
    assert problem.number_of_objectives == 2
    assert np.isnan(problem.reference_value)
    for wrong in (lambda x: 1.0, lambda x: [1.0, 2.0, 3.0], lambda x: ["a", "b"]):
        with pytest.raises(EvaluationError, match="must return 2 real numbers"):
            problem_from(wrong, 3, objectives=2)(np.zeros(3))


def test_constraints_of_points_and_batches():
    problem = problem_from(
        sphere, 3, constraint=half_plane, number_of_constraints=2, optimal_value=1.0,
        optimal_solution=[1.0, 0.0, 0.0],
    )  # fmt: skip
    assert problem.constraint([2.0, 0, 0]).tolist() == [-1.0, -18.0]
    assert problem.constraint(np.zeros((4, 3))).tolist() == [[1.0, -20.0]] * 4
    assert problem.constraint(np.zeros((0, 3))).shape == (0, 2)
    assert check_suite([problem]) == 1
    assert problem_from(sphere, 3).constraint(np.zeros((4, 3))).shape == (4, 0)
    assert problem_from(sphere, 3).constraint(np.zeros(3)).shape == (0,)
    with pytest.raises(EvaluationError, match=r"x has shape \(2,\)"):
        problem.constraint(np.zeros(2))
    wrong = problem_from(sphere, 3, constraint=half_plane, number_of_constraints=3)
    with pytest.raises(EvaluationError, match=r"the constraint returned .* must return 3 real"):
        wrong.constraint(np.zeros(3))


def test_constraints_move_with_the_function():
    problem = problem_from(
        sphere, 3, constraint=half_plane, number_of_constraints=2, transformation="shift+rotation",
        optimal_value=1.0, optimal_solution=[1.0, 0.0, 0.0],
    )  # fmt: skip
    assert problem.constraint(problem.optimal_solution) == pytest.approx([0.0, -19.0], abs=1e-12)


def test_integer_variables_are_rounded_halves_upwards():
    problem = problem_from(sphere, 3, integer_variables=2, lower_bounds=0.0, upper_bounds=3.0)
    assert problem([1.5, 0.49, 0.3]) == 4 + 0 + 0.09
    assert problem(np.array([[1.5, 0.49, 0.3]])).tolist() == [4 + 0 + 0.09]
    assert problem.number_of_integer_variables == 2
    assert problem.initial_solution.tolist() == [2.0, 2.0, 1.5]
    starts = [problem.initial_solution_proposal(np.random.default_rng(k)) for k in range(50)]
    assert {start[0] for start in starts} == {0.0, 1.0, 2.0, 3.0}
    assert check_suite([problem]) == 1


def test_noise_is_drawn_row_after_row():
    problem = problem_from(sphere, 3, noise=gauss, optimal_value=0.0)
    assert problem.is_noisy
    assert not problem_from(sphere, 3).is_noisy
    X = np.random.default_rng(0).uniform(-5, 5, (9, 3))
    measured = problem.noisy(X, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    single = [problem.noisy(x, rng) for x in X]
    assert measured.tolist() == single
    assert all(type(value) is float for value in single)
    assert not np.any(measured == problem(X))
    true, again = problem.evaluate_noisy(X, np.random.default_rng(5))
    assert true.tolist() == problem(X).tolist()
    assert again.tolist() == single
    assert np.isnan(problem.noisy([np.nan, 0, 0], rng))
    assert check_suite([problem]) == 1


def test_without_noise_measured_values_are_the_true_ones():
    problem = Suite("bbob", 1, 3, 1)[0]
    x = np.ones(3)
    assert problem.noisy(x, np.random.default_rng(0)) == problem(x)
    two = problem_from(two_spheres, 3, objectives=2)
    assert two.noisy(x, np.random.default_rng(0)).tolist() == two(x).tolist()


def test_a_hard_box_is_infinite_outside():
    inner = Suite("bbob", 8, 3, 1)[0]
    problem = hard_box(inner)
    assert problem.suite == "user"
    inside, outside = np.array([5.0, -5.0, 0.0]), np.array([5.000001, 0.0, 0.0])
    assert problem(inside) == inner(inside)
    assert problem(outside) == np.inf
    assert problem(np.array([inside, outside])).tolist() == [inner(inside), np.inf]
    assert np.isnan(problem([np.nan, 9.0, 0.0]))
    pair = hard_box(two_objectives(inner, inner))
    assert pair(outside).tolist() == [np.inf, np.inf]
    assert pair(np.array([inside, outside]))[1].tolist() == [np.inf, np.inf]
    assert check_suite([problem]) == check_suite([pair]) == 1


def test_integers_stand_for_a_grid():
    inner = Suite("bbob", 1, 4, 1)[0]
    problem = on_integers(inner, [2, 11, 3])
    assert problem.lower_bounds.tolist() == [0, 0, 0, -5]
    assert problem.upper_bounds.tolist() == [1, 10, 2, 5]
    assert problem([1, 4, 0.4, 1.5]) == inner([5, -1, -5, 1.5])
    assert problem([1.7, 3.5, -3, 1.5]) == inner([5, -1, -5, 1.5])
    assert problem.initial_solution.tolist() == [1, 5, 1, 0]
    assert problem.optimal_value is None
    assert check_suite([problem]) == 1
    solved = on_integers(problem_from(sphere, 2, optimal_value=0.0, optimal_solution=0.0), [3])
    assert solved.optimal_solution.tolist() == [1.0, 0.0]
    assert check_suite([solved]) == 1
    for wrong in ([1], [2.5], [2] * 5):
        with pytest.raises(SuiteError, match="cardinalities must be at most 4 integers >= 2"):
            on_integers(inner, wrong)
    with pytest.raises(SuiteError, match="takes one objective of continuous variables"):
        on_integers(problem, [2])


def test_two_problems_are_two_objectives():
    first, second = Suite("bbob", [1, 2], 3, 1)
    problem = two_objectives(first, second, reference_value=0.7)
    x = np.ones(3)
    assert problem(x).tolist() == [first(x), second(x)]
    assert problem.ideal_point.tolist() == [first.optimal_value, second.optimal_value]
    assert problem.nadir_point.tolist() == [
        first(second.optimal_solution), second(first.optimal_solution),
    ]  # fmt: skip
    assert problem.reference_value == 0.7
    assert problem.optimal_value is None
    assert problem.constants()["second_optimum"].tolist() == second.optimal_solution.tolist()
    assert check_suite([problem]) == 1
    with pytest.raises(SuiteError, match="takes problems of one dimension"):
        two_objectives(first, Suite("bbob", 1, 2, 1)[0])
    with pytest.raises(SuiteError, match="takes problems of one objective"):
        two_objectives(problem, first)


def test_constraints_around_a_problem():
    inner = problem_from(sphere, 3, optimal_value=0.0, optimal_solution=0.0)
    problem = with_constraints(inner, half_planes, 2, 1.0, [1.0, 0.0, 0.0])
    assert problem.constraint([2.0, 0, 0]).tolist() == [-1.0, -18.0]
    assert problem.optimal_value == 1.0
    assert check_suite([problem]) == 1
    with pytest.raises(SuiteError, match="takes a problem without constraints"):
        with_constraints(problem, half_planes, 2)


def test_transforms_wrap_each_other_and_pickle():
    inner = with_constraints(Suite("bbob", 1, 3, 1)[0], half_planes, 2)
    problem = with_noise(hard_box(inner), gauss)
    assert check_suite([problem]) == 1
    again = pickle.loads(pickle.dumps(problem))
    X = np.random.default_rng(0).uniform(-6, 6, (9, 3))
    assert (
        again.noisy(X, np.random.default_rng(1)).tolist()
        == problem.noisy(X, np.random.default_rng(1)).tolist()
    )
    assert again.constraint(X).tolist() == problem.constraint(X).tolist()


def test_transforms_keep_the_noise_of_bbob_noisy():
    problem = Suite("bbob-noisy", 107, 2, 1)[0]
    x = np.array([[1.0, 2.0], [6.0, 0.0], [-4.0, 4.0]])
    boxed = hard_box(problem).noisy(x, np.random.default_rng(5))
    expected = problem.noisy(x[[0, 2]], np.random.default_rng(5))
    assert boxed[1] == np.inf
    assert abs(boxed[0] - expected[0]) <= 1e-9
    other = with_noise(problem, lambda points, values, rng: values + 1)
    assert other.noisy(x, np.random.default_rng(5)).tolist() == (problem(x) + 1).tolist()


def unrepeatable(points, values, rng):
    return values + np.random.default_rng().random(len(values))


def drawn_by_columns(points, values, rng):
    return values + rng.random(len(values)) - rng.random(len(values))


def changing(X):
    X[:] = 0.0
    return half_planes(X)


def batch_of_another_mind(X):
    return half_planes(X) + (len(X) > 1)


@pytest.mark.parametrize(
    ("problem", "fault"),
    [
        (problem_from(sphere, 2, noise=unrepeatable), "random numbers give other noisy values"),
        (problem_from(sphere, 2, noise=drawn_by_columns), "depend on how points are split"),
        (with_constraints(problem_from(sphere, 2), changing, 2), "constraints changes x"),
        (with_constraints(problem_from(sphere, 2), batch_of_another_mind, 2),
         "a batch gives other constraint values"),
        (with_constraints(problem_from(sphere, 2), half_planes, 1), "number_of_constraints is 1"),
        (with_constraints(problem_from(sphere, 2), half_planes, 2, 0.0, [0.0, 0.0]),
         "the optimal solution is not feasible"),
        (problem_from(sphere, 2, integer_variables=1, lower_bounds=0.5),
         "the lower bound is not an integer in an integer variable"),
        (problem_from(sphere, 2, integer_variables=1, optimal_value=1.0,
                      optimal_solution=[0.5, 0.0]),
         "the optimal solution is not an integer in an integer variable"),
    ],
)  # fmt: skip
def test_check_suite_finds(problem, fault):
    with pytest.raises(SuiteError, match=fault):
        check_suite([problem])


def test_feasible_is_where_all_constraints_hold():
    problem = problem_from(
        lambda x: float(x.sum()), 2, constraint=lambda x: [x[0], -x[1]], number_of_constraints=2
    )
    assert problem.is_feasible([0.0, 0.0]) is True
    assert problem.is_feasible(np.array([1e-300, 0.0])) is False
    assert problem.is_feasible([[0.0, 1.0], [1.0, 1.0], [np.nan, 1.0]]).tolist() == [1, 0, 0]
    free = problem_from(lambda x: float(x.sum()), 2)
    assert free.is_feasible([7.0, 7.0]) is True
    assert free.is_feasible(np.zeros((3, 2))).tolist() == [True] * 3

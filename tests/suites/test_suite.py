"""Suites as users meet them: filters, order, registration, errors."""

import pickle
from collections import deque

import numpy as np
import pytest

import firsthit
from firsthit.suites import (
    FirsthitError,
    Suite,
    check_suite,
    problem_from,
    register_suite,
    suite_names,
)
from firsthit.suites.errors import EvaluationError, SelectionError, SuiteError, UnknownNameError


def sphere(x):
    return float(x @ x)


def spheres(x):
    return (x**2).sum(axis=1)


def test_standard_experiment():
    suite = Suite("bbob")
    assert len(suite) == 24 * 6 * 15 == 2160
    assert suite.functions == tuple(range(1, 25))
    assert suite.dimensions == (2, 3, 5, 10, 20, 40)
    assert suite.instances == (1, 2, 3, 4, 5, *range(71, 81))
    assert sum(suite.groups.values(), ()) == suite.functions
    assert list(suite.groups) == [
        "separable", "moderate conditioning", "high conditioning", "multi-modal", "weak structure",
    ]  # fmt: skip


def test_order_is_dimension_then_function_then_instance():
    suite = Suite("bbob", functions=[3, 1], dimensions=[5, 2], instances="2,1")
    expected = [f"bbob_f00{f}_i0{i}_d0{d}" for d in (5, 2) for f in (3, 1) for i in (2, 1)]
    assert [problem.id for problem in suite] == expected
    assert [suite[k].id for k in range(len(suite))] == expected
    assert [str(identity) for identity in suite.identities()] == expected
    assert suite[-1].id == expected[-1]
    with pytest.raises(IndexError):
        suite[8]


def test_problem_by_numbers():
    suite = Suite("bbob", functions="1-5", dimensions=2)
    assert suite.problem(3, 2, 71).id == "bbob_f003_i71_d02"
    assert suite.problem(3, 2, 71).group == "separable"
    with pytest.raises(SelectionError, match=r"functions 7 not available; there is 1-5"):
        suite.problem(7, 2, 1)


@pytest.mark.parametrize(
    ("selection", "numbers"),
    [
        (3, (3,)),
        ([2, 1, 2], (2, 1)),
        (range(1, 4), (1, 2, 3)),
        ("1-3, 7", (1, 2, 3, 7)),
        (np.int64(4), (4,)),
        (np.array([1, 5]), (1, 5)),
    ],
)
def test_selections(selection, numbers):
    assert Suite("bbob", functions=selection).functions == numbers


@pytest.mark.parametrize(
    ("selection", "sentence"),
    [
        ("1-", "is not a list of numbers"),
        ("5-1", "the range '5-1' is empty"),
        ("1:5", "does not begin with 'name:'"),
        ("-3", "is not a list of numbers"),
        ("1-9999999999", "empty or too long"),
        ([], "selects nothing"),
        (0, "functions 0 not available; there is 1-24"),
        ([4, 32, 31], "functions 31, 32 not available"),
        (1.5, r"got 1.5 of type float"),
        (True, r"got True of type bool"),
        ([1, "2"], r"got '2' of type str"),
        ({"a": 1}, r"got 'a' of type str"),
        ([None], "got None"),
    ],
)
def test_wrong_selections(selection, sentence):
    with pytest.raises(SelectionError, match=sentence) as caught:
        Suite("bbob", functions=selection)
    assert str(caught.value).startswith("suite 'bbob': ")


def test_unknown_suite_is_named_with_a_suggestion():
    with pytest.raises(UnknownNameError, match=r"unknown suite 'bbop'\. Did you mean 'bbob'\?"):
        Suite("bbop")


def test_a_long_unknown_name_is_quoted_in_part():
    with pytest.raises(UnknownNameError, match=rf"^unknown suite '{'x' * 200}…'\. Known: "):
        Suite("x" * 5000)


def test_suite_pickles():
    suite = pickle.loads(pickle.dumps(Suite("bbob", [1, 3], 2, "1-3")))
    assert [p.id for p in suite][:2] == ["bbob_f001_i01_d02", "bbob_f001_i02_d02"]
    assert len(suite) == 6


@pytest.mark.parametrize(
    ("filters", "functions", "dimensions", "instances"),
    [
        (("dimensions: 2,5 instances: 1-3",), None, (2, 5), (1, 2, 3)),
        (("instances: 7,3-5", "dimensions: 10 function_indices: 1-3,7"), (1, 2, 3, 7), (10,),
         (7, 3, 4, 5)),
        (("", "dimension_indices: 2 instance_indices: 5-7"), None, (3,), (5, 71, 72)),
        (("functions: 3", 2, "1-2"), (3,), (2,), (1, 2)),
    ],
)  # fmt: skip
def test_filters_as_coco_writes_them(filters, functions, dimensions, instances):
    suite = Suite("bbob", *filters)
    assert suite.functions == (functions or Suite("bbob").functions)
    assert suite.dimensions == dimensions
    assert suite.instances == instances


@pytest.mark.parametrize(
    ("filters", "sentence"),
    [
        (("dimension: 5",), "the filter 'dimension' is not understood; there is functions, dim"),
        (("year: 2009",), "the filter 'year' is not understood"),
        (("dimensions: 2", 3), "the filter 'dimensions' is given twice"),
        (("function_indices: 30",), "function_indices 30 not available; there is 1-24"),
        (("2,5 dimensions: 2",), "does not begin with 'name:'"),
        (("dimensions: 2-",), "is not a list of numbers"),
    ],
)
def test_wrong_filters_as_coco_writes_them(filters, sentence):
    with pytest.raises(SelectionError, match=sentence):
        Suite("bbob", *filters)


def test_a_problem_by_its_identifier_and_slices():
    suite = Suite("bbob", [1, 2], [2, 5], "1-3")
    assert suite["bbob_f002_i03_d05"].id == "bbob_f002_i03_d05"
    assert [p.id for p in suite[3:7]] == [suite[k].id for k in range(3, 7)]
    assert [p.id for p in suite[::-5]] == [suite[-1].id, suite[6].id, suite[1].id]
    with pytest.raises(SelectionError, match="'bbob' has no problem 'bbob_f003_i03_d05' among"):
        suite["bbob_f003_i03_d05"]
    with pytest.raises(SelectionError, match="must be an integer, an identifier or a slice"):
        suite[1.5]


@pytest.fixture
def mine():
    """Register a suite once in this process, because a suite cannot be removed."""
    if "mine" not in suite_names():

        @register_suite(
            "mine", functions="1-2", dimensions=[2, 5], instances="1-3", groups={"all": (1, 2)}
        )
        def make(function, dimension, instance):
            return problem_from(
                sphere, dimension, instance=instance, transformation="shift+rotation",
                optimal_value=0.0, optimal_solution=0.0, batch=spheres,
            )  # fmt: skip

    return "mine"


def test_a_users_suite(mine):
    suite = Suite(mine)
    assert "mine" in suite_names()
    assert len(suite) == 12
    assert suite[0].id == "mine_f001_i01_d02"
    assert suite[0].group == "all"
    assert check_suite(suite) == check_suite(mine) == 12
    assert pickle.loads(pickle.dumps(suite[3])).id == suite[3].id
    with pytest.raises(SelectionError, match="dimensions 3 not available; there is 2, 5"):
        Suite(mine, dimensions=3)
    with pytest.raises(UnknownNameError, match="Did you mean 'mine'"):
        check_suite("mime")


def test_a_name_once_only(mine):
    with pytest.raises(SuiteError, match="registered already"):
        register_suite("mine", functions=1, dimensions=2)(lambda f, d, i: None)
    with pytest.raises(SuiteError, match="only letters"):
        register_suite("../mine", functions=1, dimensions=2)


@pytest.mark.parametrize("functions", [[sphere, sphere], sphere])
def test_python_functions_instead_of_numbers_are_refused_with_a_call_that_works(functions):
    name = f"of-{type(functions).__name__}"
    with pytest.raises(SuiteError, match="functions are numbers, not Python functions") as error:
        register_suite(name, functions=functions)
    call = str(error.value).partition(" of each number: ")[2]
    eval(call, {"firsthit": firsthit, "f": sphere, "g": sphere})
    assert check_suite(name) == 4


def test_a_suite_without_dimensions_is_refused():
    with pytest.raises(SuiteError, match=r"dimensions are missing; give such as dimensions=\[2"):
        register_suite("nowhere", functions=1)


def test_a_maker_that_returns_something_else():
    register_suite("odd", functions=1, dimensions=2)(lambda f, d, i: problem_from(sphere, 3))
    with pytest.raises(SuiteError, match="must return a Problem of that dimension"):
        Suite("odd")[0]


def test_shift_and_rotation_move_the_optimum():
    problems = [
        problem_from(sphere, 4, instance=k, transformation="shift+rotation",
                     optimal_value=0.0, optimal_solution=0.0)
        for k in (1, 2)
    ]  # fmt: skip
    solutions = [p.optimal_solution for p in problems]
    assert not np.allclose(*solutions)
    for problem, solution in zip(problems, solutions, strict=True):
        assert problem(solution) == pytest.approx(0, abs=1e-20)
        assert np.abs(solution).max() <= 4
        assert problem.optimal_value == problem.reference_value == 0


def test_rotation_keeps_the_given_optimum_in_place():
    problem = problem_from(
        lambda x: float(((x - 1) ** 2).sum()), 3, transformation="rotation",
        optimal_value=0.0, optimal_solution=1.0,
    )  # fmt: skip
    assert np.allclose(problem.optimal_solution, 1)


def test_unknown_optimum_has_no_reference():
    problem = problem_from(sphere, 3)
    assert problem.optimal_value is None
    assert problem.optimal_solution is None
    assert np.isnan(problem.reference_value)
    assert problem_from(sphere, 3, reference_value=2.0).reference_value == 2.0
    assert check_suite([problem]) == 1


def test_functions_of_one_log_have_numbers_of_their_own():
    problem = problem_from(sphere, 3, number=12, instance=2)
    assert problem.id == pickle.loads(pickle.dumps(problem)).id == "user_f012_i02_d03"


def wrong_optimum(x):
    return float(x @ x) + 1


def noisy(x):
    return float(np.random.default_rng().random())


def greedy(x):
    x[0] = 0.0
    return float(x @ x)


def bad_batch(x):
    return (x**2).sum(axis=1) + 1


@pytest.mark.parametrize(
    ("problem", "fault"),
    [
        (problem_from(sphere, 2, optimal_value=7.0), "is below the optimal value 7.0"),
        (problem_from(noisy, 2), "gives another value the second time"),
        (problem_from(sphere, 2, batch=bad_batch), "a batch gives other values"),
        (problem_from(lambda x: float(x @ x), 2), "cannot be pickled"),
    ],
)  # fmt: skip
def test_check_suite_finds(problem, fault):
    with pytest.raises(SuiteError, match=fault):
        check_suite([problem])


def test_check_suite_finds_doubles_and_nothing():
    with pytest.raises(SuiteError, match="has the same identifier"):
        check_suite([problem_from(sphere, 2)] * 2)
    with pytest.raises(SuiteError, match="no problems"):
        check_suite([])


def test_a_function_that_writes_into_its_argument_cannot_change_the_callers_point():
    problem = problem_from(greedy, 2)
    x = np.array([3.0, 4.0])
    assert problem(x) == 16.0
    assert x.tolist() == [3.0, 4.0]


@pytest.mark.parametrize("problem", [Suite("bbob", 1, 3, 1)[0], problem_from(sphere, 3)])
@pytest.mark.parametrize(
    "x",
    [
        np.zeros(2), np.zeros(4), np.zeros((2, 2)), np.zeros((1, 1, 3)), np.float64(1.0), 3,
        np.zeros(3, dtype=complex), ["a", "b", "c"], "abc", None, [1.0, [2.0], 3.0],
        np.array([1, 2, None]), np.zeros(3, dtype=bool), {"a": 1}, np.zeros((3, 0)),
        np.array(["2020-01-01"] * 3, dtype="M8[D]"), [np.zeros(2)], [], [[[1.0], [1.0, 2.0]]],
        deque([[1.0], [1.0, 2.0]]),
    ],
    ids=lambda x: repr(x)[:40],
)  # fmt: skip
def test_a_wrong_point_is_refused_by_name(problem, x):
    with pytest.raises(EvaluationError, match=f"{problem.function:03d}_i01_d03.*x ") as caught:
        problem(x)
    assert isinstance(caught.value, FirsthitError)
    assert "\n" not in str(caught.value)


MASKED = np.ma.masked_array([1.0, 2.0, 3.0], mask=[0, 1, 0])


@pytest.mark.parametrize("problem", [Suite("bbob", 1, 3, 1)[0], problem_from(sphere, 3)])
@pytest.mark.parametrize(
    "x",
    [
        MASKED, np.ma.stack([MASKED, MASKED]), [1.0, np.ma.masked, 3.0], [MASKED, MASKED],
        np.ma.masked_all(3),
    ],
    ids=["point", "batch", "list", "list of points", "all"],
)  # fmt: skip
def test_masked_entries_are_refused(problem, x):
    with pytest.raises(EvaluationError, match="x has masked entries"):
        problem(x)
    with pytest.raises(EvaluationError, match="x has masked entries"):
        problem.noisy(x, np.random.default_rng(0))


def test_a_masked_array_without_masked_entries_is_a_point():
    problem = Suite("bbob", 1, 3, 1)[0]
    x = np.ma.masked_array([1.0, 2.0, 3.0])
    assert problem(x) == problem.evaluate_point(x) == problem([1.0, 2.0, 3.0])
    assert problem(np.ma.stack([x, x])).tolist() == [problem(x.data)] * 2


def test_the_evaluators_of_hot_paths_refuse_masked_entries_too():
    problem = Suite("bbob", 1, 3, 1)[0]
    with pytest.raises(EvaluationError, match="x has masked entries"):
        problem.evaluate_point(MASKED)
    with pytest.raises(EvaluationError, match="x has masked entries"):
        problem.evaluate_batch(np.ma.stack([MASKED, MASKED]))


@pytest.mark.parametrize("value", [np.ma.masked, np.ma.masked_array([0.0], mask=[1])])
def test_a_masked_value_is_no_value(value):
    with pytest.raises(EvaluationError, match="must return one real number"):
        problem_from(lambda x: value, 2, optimal_value=0.0)([0.0, 0.0])
    with pytest.raises(EvaluationError, match="batch returned MaskedArray"):
        problem_from(sphere, 2, batch=lambda X: np.ma.masked_all(len(X)))(np.zeros((3, 2)))


@pytest.mark.parametrize("value", ["1", None, 1j, [1.0, 2.0]])
def test_a_function_must_return_one_real_number(value):
    with pytest.raises(EvaluationError, match="must return one real number"):
        problem_from(lambda x: value, 2)([0.0, 0.0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"dimension": 0}, "must be an integer >= 1"),
        ({"lower_bounds": 5.0}, "lower bound must be below"),
        ({"upper_bounds": [1.0, 2.0, 3.0]}, "upper_bounds must be a number or 2 numbers"),
        ({"transformation": "shft"}, "Did you mean 'shift'"),
        ({"instance": 0}, "instance must be an integer >= 1"),
        ({"number": 1.5}, "number must be an integer >= 1; got 1.5"),
        ({"objectives": 3}, "objectives must be an integer from 1 to 2; got 3"),
        ({"integer_variables": 3}, "integer_variables must be an integer from 0 to 2; got 3"),
        ({"constraint": sphere}, "are given together"),
        ({"number_of_constraints": 1}, "are given together"),
        ({"integer_variables": 1, "transformation": "shift"}, "cannot be shifted or rotated"),
    ],
)
def test_wrong_arguments_of_problem_from(arguments, sentence):
    with pytest.raises(SuiteError, match=sentence):
        problem_from(sphere, **{"dimension": 2, **arguments})


def test_a_wrong_optimum_is_refused_at_its_declaration():
    with pytest.raises(SuiteError, match=r"the value 1\.0 at the optimal solution, but .* is 0\.0"):
        problem_from(wrong_optimum, 2, optimal_value=0.0, optimal_solution=0.0)
    assert (
        problem_from(wrong_optimum, 2, optimal_value=1.0, optimal_solution=0.0).optimal_value == 1
    )


def test_a_valid_dimension_needs_no_selection():
    by_number = Suite("pbo").problem(function=1, dimension=9, instance=7)
    [selected] = Suite("pbo", functions=1, dimensions=9, instances=7)
    assert by_number.id == selected.id
    bits = np.ones(9)
    assert by_number(bits) == selected(bits)
    with pytest.raises(SelectionError, match="dimensions 9 not available"):
        Suite("pbo", dimensions=16).problem(function=1, dimension=9, instance=7)
    with pytest.raises(SelectionError, match="square"):
        Suite("pbo").problem(function=21, dimension=10, instance=1)


def test_a_value_that_is_almost_a_bit_is_shown_with_all_digits():
    with pytest.raises(EvaluationError, match=r"x\[0\] is 1\.0000001; every variable is a bit"):
        Suite("pbo", 1, 16, 1)[0]([1.0000001] + [0] * 15)

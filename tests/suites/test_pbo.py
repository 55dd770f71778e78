"""The pseudo-Boolean suite: ioh's values to the bit, its instances, what it refuses."""

import csv

import numpy as np
import pytest

from firsthit.suites import Suite, check_suite, problem_from
from firsthit.suites.errors import EvaluationError, SelectionError, SuiteError

from ..golden.make_pbo import FILE, bits


def test_values_are_the_stored_ones_to_the_bit():
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 700
    for row in rows:
        numbers = [int(row[column]) for column in ("function", "dimension", "instance")]
        problem = Suite("pbo", *numbers)[0]
        points = np.array([bits(text, problem.dimension) for text in row["points"].split()])
        truth = [-float(value) for value in row["values"].split()]
        assert [problem(x) for x in points] == problem(points).tolist() == truth, problem.id


@pytest.mark.parametrize("instance", [1, 7, 60, 500])
def test_an_instance_moves_bits_and_scales_values(instance):
    """Function 3 weighs bit i with i + 1: what is left shows where each bit went."""
    problem = Suite("pbo", 3, 16, instance)[0]
    known = problem.constants()
    for i in range(16):
        x = problem.optimal_solution
        x[known["order"][i]] = 1 - x[known["order"][i]]
        assert problem.unscaled(x) - problem.reference_value == i + 1
        raw = -problem.unscaled(x)
        assert problem(x) == -(raw * float(known["scale"]) + float(known["shift"]))


def test_bits_of_any_type_have_the_same_value():
    problem = Suite("pbo", 25, 16, 2)[0]
    points = np.random.default_rng(1).integers(0, 2, (50, 16))
    truth = problem(points).tolist()
    for kind in (bool, np.int8, np.uint8, np.int32, np.uint64, np.float32, np.float64):
        assert problem(points.astype(kind)).tolist() == truth, kind
        assert [problem(x) for x in points.astype(kind)] == truth, kind
    assert [problem(x.tolist()) for x in points] == truth
    assert [problem(x == 1) for x in points] == truth
    negative_zeros = np.where(points == 1, 1.0, -0.0)
    assert problem(negative_zeros).tolist() == truth
    assert [problem(x) for x in negative_zeros] == truth
    assert [problem(x[::-1]) for x in points[:, ::-1]] == truth


def test_what_is_no_bit_is_refused_with_its_place():
    problem = Suite("pbo", 1, 16, 1)[0]
    x = np.zeros(16)
    for bad, shown in ((0.5, "0.5"), (2, "2.0"), (-1, "-1.0"), (np.nan, "nan"), (5e-324, "5e-324")):
        x[3] = bad
        with pytest.raises(EvaluationError, match=rf"x\[3\] is {shown}.*a bit, 0 or 1"):
            problem(x)
        with pytest.raises(EvaluationError, match=rf"x\[1, 3\] is {shown}"):
            problem(np.array([np.ones(16), x]))
    with pytest.raises(EvaluationError, match=r"x\[0\] is 2"):
        problem(np.full(16, 2))
    with pytest.raises(EvaluationError, match=r"shape \(15,\)"):
        problem(np.zeros(15))


def test_a_dimension_that_a_function_does_not_take_is_refused():
    sentence = "function 20 has as many variables as a square has fields, not 50; functions 1-19"
    with pytest.raises(SelectionError, match=sentence):
        Suite("pbo", dimensions=50)
    with pytest.raises(SelectionError, match="function 6 has 3 variables at least, not 2"):
        Suite("pbo", 6, 2)
    assert len(Suite("pbo", "1-19,22,24,25", 50, 1)) == 22


def at_most_three_ones(x):
    return [x.sum() - 3]


def knapsack(x):
    return -float(x @ np.arange(1, len(x) + 1))


def knapsacks(points):
    return -points @ np.arange(1.0, points.shape[1] + 1)


def two_ways(x):
    return [x.sum(), len(x) - x.sum()]


@pytest.mark.parametrize(
    ("function", "facts"),
    [
        (knapsack, {}),
        (knapsack, {"batch": knapsacks, "lower_bounds": 0, "upper_bounds": 1}),
        (knapsack, {"constraint": at_most_three_ones, "number_of_constraints": 1}),
        (two_ways, {"objectives": 2}),
    ],
)
def test_a_users_function_of_bits_keeps_the_contract(function, facts):
    problem = problem_from(function, 6, bits=True, **facts)
    assert check_suite([problem]) == 1
    assert problem.is_binary
    assert problem.lower_bounds.tolist() == [0] * 6
    assert problem.upper_bounds.tolist() == [1] * 6
    assert problem.initial_solution.tolist() == [0, 1, 0, 1, 0, 1]
    with pytest.raises(EvaluationError, match=r"x\[2\] is 3.0; every variable is a bit, 0 or 1"):
        problem([0, 1, 3, 0, 0, 0])


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"lower_bounds": -1}, "the bounds of bits are 0 and 1; got -1 and 5.0"),
        ({"integer_variables": 2}, "bits are given without integer_variables"),
        ({"transformation": "shift"}, "bits are given without integer_variables and transf"),
    ],
)
def test_what_contradicts_bits_is_refused(facts, sentence):
    with pytest.raises(SuiteError, match=sentence):
        problem_from(knapsack, 6, bits=True, **facts)


def test_check_suite_finds_what_takes_other_numbers_than_bits():
    class Careless:
        """Rounds what it should refuse."""

    def rounded(x):
        values = np.asarray(x)
        return honest.evaluate_point(np.round(values) if values.dtype.kind == "f" else x)

    honest = problem_from(knapsack, 6, bits=True)
    assert check_suite([honest]) == 1
    careless = honest.wrapped((Careless, ()), evaluate_point=rounded)
    with pytest.raises(SuiteError, match=r"a point with 0\.5 among its bits is not refused"):
        check_suite([careless])


def test_notebooks_show_facts_and_no_picture():
    """A contour plot would evaluate what is no bit."""
    page = Suite("pbo", 1, 16, 1)[0]._repr_html_()
    assert "OneMax" in page
    assert "<img" not in page

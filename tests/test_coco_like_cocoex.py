"""``firsthit.coco`` behaves as cocoex where scripts notice the difference."""

import cocoex
import numpy as np
import pytest

from firsthit import coco
from firsthit.suites.errors import SelectionError


@pytest.mark.parametrize("name", ["bbob", "bbob-biobj", "bbob-boxed", "bbob-mixint"])
def test_year_zero_has_the_instances_of_cocoex(name):
    suites = [package.Suite(name, "year: 0000", "") for package in (coco, cocoex)]
    assert suites[0].ids() == suites[1].ids()


@pytest.mark.parametrize("function", [1, 3, 8, 21])
def test_instance_zero_of_bbob_is_that_of_cocoex(function):
    ours, theirs = (package.BareProblem("bbob", function, 3, 0) for package in (coco, cocoex))
    x = [0.5, 0.0, 1.0]
    assert ours(x) == pytest.approx(theirs(x), rel=1e-12)
    assert ours.best_value() == theirs.best_value()
    with pytest.raises(coco.exceptions.NoSuchProblemException, match="has no instance 0"):
        coco.BareProblem("bbob-boxed", function, 3, 0)


def test_bare_problems_equal_those_of_cocoex_outside_the_suite():
    for function in range(1, 25):
        for instance in (0, 1000):
            ours, theirs = (
                package.BareProblem("bbob", function, 4, instance) for package in (coco, cocoex)
            )
            assert (str(ours), ours.is_tainted) == (str(theirs), theirs.is_tainted)
            assert ours.best_value() == theirs.best_value()
            assert ours.best_parameter() == pytest.approx(theirs.best_parameter(), rel=1e-9)
            assert (ours.is_tainted, theirs.is_tainted) == (True, True)
            x = [4, 1, -2, 0.5]
            assert ours(x) == pytest.approx(theirs(x), rel=1e-9)
            assert ours(ours.best_parameter()) == pytest.approx(ours.best_value(), rel=1e-9)


def test_a_bare_problem_evaluates_a_batch_of_any_length_as_cocoex():
    batch = np.random.default_rng(1).uniform(-5, 5, (200, 4))
    ours, theirs = (package.BareProblem("bbob", 1, 4, 1) for package in (coco, cocoex))
    for n in (1, 2, 10, 200):
        assert ours(batch[:n]) == pytest.approx(theirs(batch[:n]), rel=1e-9)


def test_an_unknown_suite_raises_the_exception_of_cocoex():
    for package in (coco, cocoex):
        with pytest.raises(package.exceptions.NoSuchSuiteException):
            package.BareProblem("bad_suite", 1, 1, 1)


def test_a_suite_has_the_values_of_cocoex_at_each_position():
    suites = [package.Suite("bbob", "instances: 1-15", "") for package in (coco, cocoex)]
    assert len(suites[0]) == len(suites[1])
    x = np.random.default_rng(2).uniform(-5, 5, 40)
    for position in range(0, len(suites[0]), 41):
        ours, theirs = (suite.get_problem(position) for suite in suites)
        assert ours.id == theirs.id
        assert ours(x[: ours.dimension]) == pytest.approx(theirs(x[: ours.dimension]), rel=1e-9)
        theirs.free()


@pytest.mark.parametrize(
    "options", ["dimensions: 4", "dimensions: 7", "dimensions: 2 dimension_indices: 2"]
)
def test_a_filter_that_selects_nothing_raises_the_exception_of_cocoex(options):
    with pytest.raises(cocoex.exceptions.NoSuchSuiteException):
        cocoex.Suite("bbob", "", options)
    with pytest.raises(coco.exceptions.NoSuchSuiteException) as caught:
        coco.Suite("bbob", "", options)
    assert isinstance(caught.value, SelectionError)


def test_a_problem_has_the_attributes_of_cocoex():
    ours, theirs = (
        {name for name in dir(package.Suite("bbob", "", "dimensions: 2")[0]) if name[0] != "_"}
        for package in (coco, cocoex)
    )
    assert theirs <= ours


def test_a_problem_of_a_suite_evaluates_single_points_only():
    for package in (coco, cocoex):
        problem = package.Suite("bbob", "", "dimensions: 2")[0]
        for points in (np.zeros((2, 2)), np.zeros((1, 2)), [[0.0, 0.0]]):
            with pytest.raises(ValueError, match=r"dimension"):
                problem(points)
        assert problem.evaluations == 0
        assert package.BareProblem("bbob", 1, 2, 1)(np.zeros((2, 2))).shape == (2,)


def test_constraints_of_an_unconstrained_problem_are_none():
    for package in (coco, cocoex):
        assert package.Suite("bbob", "", "dimensions: 2")[0].constraint([0.0, 0.0]) is None
        constrained = package.Suite("bbob-constrained", "", "dimensions: 2")[0]
        assert constrained.constraint(np.zeros(2)).shape == (1,)

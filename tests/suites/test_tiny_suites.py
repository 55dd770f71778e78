"""The tiny suites that other tests use keep the contract of suites themselves."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from firsthit.suites import Suite, check_suite
from firsthit.suites.errors import UnknownNameError

PATH = Path(__file__).parents[1] / "tiny_suites.py"
SPEC = importlib.util.spec_from_file_location("tiny_suites", PATH)
tiny = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(tiny)


def test_they_keep_the_contract():
    for name in ("tiny-two", "tiny-noise", "tiny-integers"):
        assert check_suite(Suite(name)) == check_suite(name) == 6
    with pytest.raises(UnknownNameError, match="Did you mean 'tiny-two'"):
        check_suite("tiny-tow")


def test_registering_twice_is_no_error():
    tiny.register_tiny_suites()
    tiny.register_tiny_indicator()


def test_they_say_how_they_are_measured():
    two = Suite("tiny-two")[0].measurement
    assert (two.indicator, two.final_target) == ("tiny-sum", None)
    assert min(two.targets) < 0 in two.targets
    assert Suite("tiny-noise")[0].measurement.final_target == 0.01
    assert Suite("tiny-integers")[0].measurement.final_target == 0.001


def test_precisions_of_two_objectives_go_below_zero():
    for problem in Suite("tiny-two"):
        best = problem(np.full(problem.dimension, 0.5)).sum()
        assert best - problem.reference_value < -0.2
        assert problem(problem.initial_solution).sum() - problem.reference_value <= 0
        assert problem(problem.lower_bounds).sum() - problem.reference_value > 10


def test_the_optimum_of_the_integers_is_the_best_of_a_grid():
    for problem in Suite("tiny-integers", instances=1):
        axes = [np.arange(-4, 5.0)] * 2 + [np.linspace(-4, 4, 81)] * (problem.dimension - 2)
        points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, problem.dimension)
        feasible = (problem.constraint(points) <= 0).all(axis=1)
        assert problem(points[feasible]).min() >= problem.optimal_value - 1e-9

"""Affine mixtures against ioh, and their definition by hand."""

import math

import numpy as np
import pytest

from firsthit.suites import Suite, affine_mixture, check_suite
from firsthit.suites.errors import SuiteError


def test_a_mixture_of_two_spheres_by_hand():
    """Both parts are the same sphere: 10**(10 (log10(9) + 8) / 11 - 8) at distance 3."""
    problem = affine_mixture([2.0, *[0.0] * 23], [3] * 24, [1.0, -1.0], instance=7)
    assert math.isclose(problem([1.0, 2.0]), 10 ** (10 * (math.log10(9) + 8) / 11 - 8))
    assert math.isclose(problem.optimal_value, 10 ** (10 * (-12 + 8) / 11 - 8))
    assert problem(problem.optimal_solution) == problem.optimal_value
    assert problem.id == "user_f001_i07_d02"


def test_a_mixture_of_ones_own_keeps_the_contract():
    problem = affine_mixture(np.ones(24) * ([1, 0] * 12), [1] * 24, [0.5, 0.5])
    assert check_suite([problem]) == 1
    assert problem.constants()["weights"].sum() == pytest.approx(1)


def test_far_away_values_are_infinite_not_an_error():
    problem = Suite("ma-bbob", 1, 2, 3)[0]
    x = np.array([1e200, 1e200])
    assert problem(x) == problem(x[None])[0] == np.inf
    assert np.isnan(problem([np.nan, 0.0]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0] * 23, [1] * 24, [0.0, 0.0]), "weights must be 24 numbers"),
        (([-1.0] * 24, [1] * 24, [0.0, 0.0]), "weights must be 24 numbers"),
        (([0.0] * 24, [1] * 24, [0.0, 0.0]), "weights must be 24 numbers"),
        (([1.0] * 24, [0] * 24, [0.0, 0.0]), "instances must be 24 integers >= 1"),
        (([1.0] * 24, [1] * 24, [0.0, 5.5]), r"the optimum must be 2 or more numbers within"),
        (([1.0] * 24, [1] * 24, [0.0]), r"the optimum must be 2 or more numbers within"),
    ],
)
def test_wrong_mixtures_are_refused(arguments, message):
    with pytest.raises(SuiteError, match=message):
        affine_mixture(*arguments)

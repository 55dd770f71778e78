"""Affine mixtures against ioh, and their definition by hand."""

import math
import pickle

import ioh
import numpy as np
import pytest

from firsthit.suites import Suite, SuiteError, affine_mixture, check_suite
from firsthit.suites.affine.mixtures import SCALES, drawn

WITHOUT_F7 = (1, 2, 5, 14, 25)


@pytest.mark.parametrize("dimension", [2, 5])
@pytest.mark.parametrize("instance", WITHOUT_F7)
def test_values_are_those_of_ioh(dimension, instance):
    problem = Suite("ma-bbob", 1, dimension, instance)[0]
    peer = ioh.problem.ManyAffine(instance, dimension)
    assert peer.weights[6] == 0
    rng = np.random.default_rng(instance)
    shape = (8, dimension)
    near = problem.optimal_solution + 1e-3 * rng.standard_normal(shape)
    x = np.vstack([rng.uniform(-5, 5, shape), rng.uniform(-7, 7, shape), near])
    truth = np.array([peer(point) for point in x])
    for values in (problem(x), np.array([problem(point) for point in x])):
        assert np.all(np.abs(values - truth) <= 1e-11 * np.maximum(1, truth))
    assert np.allclose(problem.optimal_solution, peer.optimum.x, rtol=0, atol=1e-15)
    assert math.isclose(problem.optimal_value, peer.optimum.y, rel_tol=1e-12)


def test_values_with_f7_are_those_of_ioh_away_from_the_optimum():
    problem, peer = Suite("ma-bbob", 1, 5, 4)[0], ioh.problem.ManyAffine(4, 5)
    assert peer.weights[6] > 0
    x = np.random.default_rng(0).uniform(-5, 5, (20, 5))
    assert np.allclose(problem(x), [peer(point) for point in x], rtol=1e-11)


def test_instances_are_drawn_as_by_ioh():
    """Also where fewer than two of the uniform numbers reach the threshold: 14, 81 and others."""
    for instance in (*range(1, 120), 54321):
        weights, instances, optimum = drawn(5, instance)
        peer = ioh.problem.ManyAffine(instance, 5)
        assert np.allclose(weights / weights.sum(), peer.weights, rtol=0, atol=1e-15)
        assert np.allclose(optimum, peer.optimum.x, rtol=0, atol=1e-15)
        assert instances == list(peer.instances)
    assert peer.scale_factors == SCALES.tolist()


def test_a_mixture_of_two_spheres_by_hand():
    """Both parts are the same sphere: 10**(10 (log10(9) + 8) / 11 - 8) at distance 3."""
    problem = affine_mixture([2.0, *[0.0] * 23], [3] * 24, [1.0, -1.0], instance=7)
    assert math.isclose(problem([1.0, 2.0]), 10 ** (10 * (math.log10(9) + 8) / 11 - 8))
    assert math.isclose(problem.optimal_value, 10 ** (10 * (-12 + 8) / 11 - 8))
    assert problem(problem.optimal_solution) == problem.optimal_value
    assert problem.id == "user_f001_i07_d02"


def test_every_problem_keeps_the_contract():
    assert check_suite(Suite("ma-bbob", 1, [2, 5], [1, 3])) == 4
    problem = affine_mixture(np.ones(24) * ([1, 0] * 12), [1] * 24, [0.5, 0.5])
    again = pickle.loads(pickle.dumps(problem))
    assert again([1.0, 2.0]) == problem([1.0, 2.0])
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

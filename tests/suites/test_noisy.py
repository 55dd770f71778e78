"""The suite bbob-noisy: true values, noise draw by draw against cocoex, optima, contract."""

import pickle

import numpy as np
import pytest

from firsthit.suites import Suite

from .coco_stream import kind_of


@pytest.mark.parametrize("function", [101, 102, 103, 113, 129, 130])
def test_noise_has_its_distribution(function):
    """Medians of the measured distance at one point, by the formulas of the definition."""
    problem = Suite("bbob-noisy", function, 5, 2)[0]
    x = np.repeat([[1.0, -2.0, 3.0, 0.5, 4.0]], 40_000, axis=0)
    distance = problem(x[0]) - problem.optimal_value
    measured = problem.noisy(x, np.random.default_rng(3)) - problem.optimal_value
    rng = np.random.default_rng(4)
    u = rng.random((2, 400_000))
    strength = 0.01 if function <= 106 else 1.0
    if kind_of(function) == "Gaussian":
        expected = distance * np.exp(strength * rng.standard_normal(400_000))
    elif kind_of(function) == "uniform":
        stretch = (1e9 / distance) ** ((0.49 + 1 / 5) * strength * u[1])
        expected = distance * u[0] ** strength * np.maximum(1, stretch)
    else:
        cauchy = rng.standard_cauchy(400_000) * (u[0] < (0.05 if function <= 106 else 0.2))
        expected = distance + np.maximum(0, strength * (1e3 + cauchy))
    for share in (0.02, 0.25, 0.5, 0.75, 0.98):
        low, high = np.quantile(expected, [max(0, share - 0.01), min(1, share + 0.01)])
        assert low <= np.quantile(measured, share) * (1 + 1e-9)
        assert np.quantile(measured, share) <= high * (1 + 1e-9) + 1e-7


def test_identity_groups_and_constants():
    suite = Suite("bbob-noisy")
    assert len(suite) == 30 * 6 * 15
    groups = {name: (min(f), max(f)) for name, f in suite.groups.items()}
    assert list(groups.values()) == [(101, 106), (107, 121), (122, 130)]
    problem = suite.problem(128, 5, 3)
    assert problem.id == "bbob_noisy_f128_i03_d05"
    assert suite["bbob_noisy_f128_i03_d05"].function == 128
    assert problem.name == "Gallagher 101 peaks, severe Gaussian noise"
    assert problem.measurement.indicator == "noise-free"
    assert problem.is_noisy
    constants = problem.constants()
    assert constants["noise"].tolist() == [0, 0, 1]
    assert constants["optimum"].tolist() == problem.optimal_solution.tolist()
    again = pickle.loads(pickle.dumps(problem))
    assert again.noisy(np.ones(5), np.random.default_rng(1)) == problem.noisy(
        np.ones(5), np.random.default_rng(1)
    )

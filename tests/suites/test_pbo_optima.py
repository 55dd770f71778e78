"""The optima of pbo are those of all points, where so many can be looked at."""

import contextlib

import numpy as np
import pytest

from firsthit.suites import Suite
from firsthit.suites.errors import SelectionError

DEFAULT_TIER = range(2, 11)
PER_BATCH = 2**16


def all_points(n):
    """All points of ``n`` bits, in batches of at most 65 536."""
    for start in range(0, 2**n, PER_BATCH):
        numbers = np.arange(start, min(start + PER_BATCH, 2**n))
        yield (numbers[:, np.newaxis] >> np.arange(n)) & 1


def problems(n):
    """All functions that exist with ``n`` bits."""
    for function in range(1, 26):
        with contextlib.suppress(SelectionError):
            yield Suite("pbo", function, n, 1)[0]


def check(n):
    for problem in problems(n):
        function = problem.function
        values = [problem(points) for points in all_points(n)]
        assert min(map(np.min, values)) == problem.optimal_value, problem.id
        mean = float(np.mean(np.concatenate(values)))
        if function != 18:  # its mean is that at the mean energy
            assert problem.target_unit == pytest.approx(mean - problem.reference_value, rel=1e-12)
        if problem.optimal_solution is not None:
            assert problem(problem.optimal_solution) == problem.optimal_value, problem.id


@pytest.mark.parametrize("n", DEFAULT_TIER)
def test_no_point_is_better(n):
    check(n)


@pytest.mark.slow
@pytest.mark.parametrize("n", range(DEFAULT_TIER[-1] + 1, 21))
def test_no_point_is_better_with_up_to_twenty_bits(n):
    check(n)


@pytest.mark.parametrize("instance", [2, 33, 50, 51, 100, 101])
def test_the_optimum_moves_with_the_instance(instance):
    for problem in Suite("pbo", dimensions=[16, 25], instances=instance):
        first = Suite("pbo", problem.function, problem.dimension, 1)[0]
        assert problem.reference_value == first.reference_value
        assert problem.target_unit == first.target_unit
        if problem.optimal_solution is not None:
            assert problem.unscaled(problem.optimal_solution) == first.reference_value
            assert problem(problem.optimal_solution) == problem.optimal_value


def test_large_ones():
    """The largest raw values that the definitions give; of f25 as its exact solution says."""
    best = {
        (2, 625): 625, (3, 100): 5050, (6, 100): 33, (8, 625): 314, (18, 64): 4096 / 2 / 208,
        (19, 100): 100, (20, 625): 1250, (21, 625): 1875, (22, 64): 32, (22, 625): 312,
        (23, 625): 25, (24, 625): 125, (24, 64): 12.6, (25, 64): -0.3306365310284363,
        (25, 100): -0.2920664942739842, (25, 625): -0.27736571457188836,
    }  # fmt: skip
    for (function, dimension), value in best.items():
        reference = Suite("pbo", function, dimension, 1)[0].reference_value
        assert reference == pytest.approx(-value, rel=1e-15), (function, dimension)


def test_beyond_66_bits_nobody_knows_the_best_sequence():
    problem = Suite("pbo", 18, 67, 1)[0]
    assert problem.optimal_value is None
    assert problem.optimal_solution is None
    assert np.isnan(problem.reference_value)

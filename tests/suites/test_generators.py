"""BBOB's random numbers: against the dumbest loop, and their stated properties."""

import math

import numpy as np
import pytest

from firsthit.suites.bbob import generators


def plain_uniform(count, seed):
    """The generator as the report states it, in plain integers."""
    state = max(1, abs(seed))
    slots = [0] * 32
    for i in range(39, -1, -1):
        state = state * 16807 % 2147483647
        if i < 32:
            slots[i] = state
    last, numbers = slots[0], []
    for _ in range(count):
        state = state * 16807 % 2147483647
        slot = last // 67108865
        last, slots[slot] = slots[slot], state
        numbers.append(last / 2.147483647e9)
    return numbers


@pytest.mark.parametrize("seed", [-7, 0, 1, 10001, 240071, 2**31 - 2])
def test_uniform_equals_the_plain_loop(seed):
    assert generators.uniform(200, seed).tolist() == plain_uniform(200, seed)


def test_gaussian_is_box_and_muller_of_two_halves():
    u = plain_uniform(20, 5)
    expected = [
        math.sqrt(-2 * math.log(u[i])) * math.cos(2 * math.pi * u[10 + i]) for i in range(10)
    ]
    assert generators.gaussian(10, 5) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("dimension", [2, 5, 40, 100])
def test_rotation_is_orthogonal(dimension):
    matrix = generators.rotation(dimension, 1000003)
    assert np.allclose(matrix @ matrix.T, np.eye(dimension), atol=1e-12)
    assert np.allclose(matrix.T @ matrix, np.eye(dimension), atol=1e-12)


def test_first_column_of_a_rotation_is_the_first_normal_numbers_normalised():
    numbers = generators.gaussian(9, 42)
    first = numbers[:3] / np.linalg.norm(numbers[:3])
    assert np.allclose(generators.rotation(3, 42)[:, 0], first, rtol=1e-14)


def test_optimal_solution_lies_on_the_grid_and_is_never_zero():
    solution = generators.optimal_solution(5000, 3)
    assert solution.min() >= -4
    assert solution.max() < 4
    on_grid = (solution + 4) / 0.0008
    assert np.all((np.abs(on_grid - np.rint(on_grid)) < 1e-6) | (solution == -1e-5))
    assert not np.any(solution == 0)


def test_optimal_value_has_two_decimals_within_a_thousand():
    values = [generators.optimal_value(function + 10000) for function in range(1, 25)]
    assert all(abs(v) <= 1000 and round(v, 2) == v for v in values)
    assert values[0] == 79.48  # f1, instance 1, as printed in every COCO data set

"""Input transforms and block-diagonal operators, against the dumbest numpy.

Private names: operators of kernels are tested alone, against numpy.
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from firsthit.suites.compiled.compilation import (
    Constants,
    build_batch_evaluator,
    build_point_evaluator,
)
from firsthit.suites.compiled.operators import block_rows, hard_box, integer_grid
from firsthit.suites.errors import EvaluationError, SuiteError

PATH = Path(__file__).with_name("tiny_kernels.py")
SPEC = importlib.util.spec_from_file_location("firsthit_tiny_kernels", PATH)
kernels = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = kernels
SPEC.loader.exec_module(kernels)

COUNTS = [0, 1, 63, 64, 65, 130]


def both(kernel, constants, points):
    """The values of points, which are the same in a batch and one by one."""
    values = build_batch_evaluator(kernel, constants, "tiny")(points)
    point = build_point_evaluator(kernel, constants, "tiny")
    assert np.array_equal(values, [point(x) for x in points], equal_nan=True)
    return values


def weights(dimension, **more):
    rows = np.arange(1.0, dimension + 1)[None]
    return Constants(rows, 7.0, 2 * dimension + 1, **more)


def sample(count, dimension, size=6.0):
    return np.random.default_rng(count).uniform(-size, size, (count, dimension))


@pytest.mark.parametrize("count", COUNTS)
def test_outside_a_hard_box_the_value_is_infinite(count):
    lower, upper = np.array([-5.0, -1.0, 0.0]), np.array([5.0, 4.0, 0.5])
    x = sample(count, 3)
    x[: count // 2] = np.clip(x[: count // 2], lower, upper)  # the box is closed
    x[-1:, 2] = np.nan
    values = both(kernels.weighted_sphere, weights(3, transform=hard_box(lower, upper)), x)
    inside = ((x >= lower) & (x <= upper)).all(axis=1)
    expected = np.where(inside, (np.array([1, 2, 3]) * x**2).sum(axis=1) + 7, np.inf)
    expected[-1:] = np.nan
    assert np.allclose(values, expected, rtol=1e-14, equal_nan=True)
    assert inside[: count // 2].all()


@pytest.mark.parametrize("count", COUNTS)
def test_integers_stand_for_points_of_a_grid(count):
    n, low, high = np.array([2, 4, 16, 0]), np.array([-4.0, -3, 0, 0]), np.array([4.0, 3, 1, 0])
    x = np.random.default_rng(count).uniform(-3, 18, (count, 4))
    x[: count // 2] = np.floor(x[: count // 2]) + 0.5
    values = both(kernels.weighted_sphere, weights(4, transform=integer_grid(n, low, high)), x)
    z = x.copy()
    for i in range(3):
        k = np.clip(np.floor(x[:, i] + 0.5), 0, n[i] - 1)
        z[:, i] = low[i] + (high[i] - low[i]) * k / (n[i] - 1)
    assert np.allclose(values, (np.arange(1, 5) * z**2).sum(axis=1) + 7, rtol=1e-13)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_pass_through_a_grid(bad):
    x = np.array([[0.0, bad, 1.0], [0.0, 1.0, 1.0]])
    transform = integer_grid([2, 2, 0], [0.0] * 3, [1.0] * 3)
    values = both(kernels.weighted_sphere, weights(3, transform=transform), x)
    expected = np.nan if np.isnan(bad) else np.inf
    assert np.array_equal(values[:1], [expected], equal_nan=True)
    assert values[1] == 7 + 2 + 3


def test_wrong_cardinalities():
    for n in ([1, 2], [2.5, 2], [-2, 2]):
        with pytest.raises(SuiteError, match="must be 0 or integers >= 2"):
            integer_grid(n, [0, 0], [1, 1])


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("sizes", [[3, 3, 2], [4, 4], [1, 1, 1], [5]])
def test_block_rotations_and_permutations(count, sizes):
    rng = np.random.default_rng(len(sizes))
    blocks = [rng.standard_normal((size, size)) for size in sizes]
    dimension = sum(sizes)
    order = rng.permutation(dimension)
    dense, start = np.zeros((dimension, dimension)), 0
    for block in blocks:
        dense[start : start + len(block), start : start + len(block)] = block
        start += len(block)
    x = sample(count, dimension)
    rows = np.vstack([order, block_rows(blocks)])
    values = both(kernels.block_rotated, Constants(rows, 0.0, 2 * dimension + 1), x)
    z = (x @ dense.T + 1)[:, order]
    assert np.allclose(values, (np.arange(1, dimension + 1) * z**2).sum(axis=1), rtol=1e-12)


def test_memory_of_blocks_grows_with_the_dimension_not_its_square():
    blocks = [np.eye(40)] * 16
    assert block_rows(blocks).shape == (40, 640)
    rows = np.vstack([np.arange(640.0), block_rows(blocks)])
    assert Constants(rows, 0.0, 2 * 640 + 1).pack().nbytes < 8 * 640 * 45


@pytest.mark.parametrize("shapes", [[(2, 2), (3, 3)], [(2, 3)], [(1, 1), (2, 2), (2, 2)]])
def test_blocks_of_other_sizes_are_refused(shapes):
    with pytest.raises(SuiteError, match="square, of one size but the last"):
        block_rows([np.zeros(shape) for shape in shapes])


@pytest.mark.parametrize("count", COUNTS)
def test_several_values_a_point(count):
    gradients = np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]])
    x = sample(count, 3)
    x[-1:, 0] = np.nan
    constants = Constants(gradients, -1.0, 7, 2.0, hard_box([-5.0] * 3, [5.0] * 3))
    values = build_batch_evaluator(kernels.two_lines, constants, "tiny", values_per_point=2)(x)
    expected = 2 * (x @ gradients.T - 1)
    expected[(np.abs(x) > 5).any(axis=1)] = np.inf
    expected[-1:] = np.nan
    assert values.shape == (count, 2)
    assert np.allclose(values, expected, equal_nan=True)


def test_a_kernel_that_overflows_at_a_finite_point_gives_infinity():
    constants = Constants(np.zeros((1, 2)), 0.0, 5)
    x = np.array([[1e200, 1e200], [2.0, 1.0]])
    assert both(kernels.difference_of_squares, constants, x).tolist() == [np.inf, 3.0]


def test_points_are_checked():
    for evaluate in (build_point_evaluator, build_batch_evaluator):
        with pytest.raises(EvaluationError, match=r"tiny: x has shape \(4,\)"):
            evaluate(kernels.weighted_sphere, weights(3), "tiny")(np.zeros(4))

"""The elementary functions keep the errors that their module states.

Private names: elementary functions are tested alone, to the last bit.
"""

import math
from functools import cache

import numpy as np
import pytest
from numba import njit

from firsthit.suites.compiled import elementary

EXACT = np.finfo(np.longdouble).nmant >= 63
SAMPLE = 50_000


@cache
def over_arrays(function, *fixed):
    @njit(error_model="numpy")
    def loop(x, y):
        for k in range(x.shape[0]):
            y[k] = function(x[k], *fixed)

    def apply(x):
        y = np.empty_like(x)
        loop(x, y)
        return y

    return apply


def ulps(values, truth):
    assert EXACT, "these bounds need a long double with 64 bits (any x86)"
    size = np.spacing(np.abs(truth.astype(np.float64))).astype(np.longdouble)
    return float(np.max(np.abs(values.astype(np.longdouble) - truth) / size))


def wide(low, high):
    return np.random.default_rng(1).uniform(low, high, SAMPLE)


@pytest.mark.parametrize(
    ("name", "truth", "x", "bound"),
    [
        ("exp", np.exp, wide(-700, 700), 1.0),
        ("exp", np.exp, wide(-1, 1), 1.0),
        ("log", np.log, 10 ** wide(-300, 300), 1.0),
        ("log", np.log, wide(0.5, 2), 1.0),
        ("sin", np.sin, wide(-10, 10), 2.5),
        ("sin", np.sin, wide(-1e5, 1e5), 2.5),
    ],
)
def test_error_in_ulp_is_as_stated(name, truth, x, bound):
    values = over_arrays(getattr(elementary, name))(x)
    assert ulps(values, truth(x.astype(np.longdouble))) <= bound


@pytest.mark.parametrize("exponent", [0.1, 0.2, 0.9, 6.0, 20.0])
@pytest.mark.parametrize("decades", [0.3, 8])
def test_power_loses_a_fifth_of_an_ulp_for_each_unit_of_the_exponent(exponent, decades):
    x = 10 ** wide(-decades, decades)
    values = over_arrays(elementary.power, exponent)(x)
    truth = x.astype(np.longdouble) ** np.longdouble(exponent)
    error = np.abs(values.astype(np.longdouble) / truth - 1) / np.finfo(np.float64).eps
    assert np.max(error) <= 1 + 0.2 * exponent


def test_power_with_the_exponent_1_changes_nothing():
    x = 10 ** wide(-300, 300)
    assert np.array_equal(over_arrays(elementary.power, 1.0)(x), x)


def test_cos_turns_is_exact_at_integers_and_close_elsewhere():
    turns = over_arrays(elementary.cos_turns)
    assert np.array_equal(turns(np.arange(-1e6, 1e6, 997)), np.ones(2007))
    assert np.array_equal(turns(np.array([0.5, 1.5, -2.5])), [-1.0, -1.0, -1.0])
    v = wide(-100, 100)
    truth = np.cos(2 * math.pi * (v - np.rint(v)))
    assert np.max(np.abs(turns(v) - truth)) <= 5e-16


@pytest.mark.parametrize("size", [4, 1e5])
def test_cos_is_close(size):
    x = wide(-size, size)
    truth = np.cos(x.astype(np.longdouble))
    assert np.max(np.abs(over_arrays(elementary.cos)(x) - truth)) <= 4e-16
    assert over_arrays(elementary.cos)(np.zeros(1))[0] == 1.0


def test_special_values():
    infinity, nan = math.inf, math.nan
    assert list(over_arrays(elementary.exp)(np.array([-infinity, -800, 800, infinity]))) == [
        0, 0, infinity, infinity,
    ]  # fmt: skip
    assert np.isnan(over_arrays(elementary.exp)(np.array([nan])))[0]
    assert over_arrays(elementary.log)(np.array([infinity]))[0] == infinity
    assert np.isnan(over_arrays(elementary.log)(np.array([nan])))[0]
    assert over_arrays(elementary.log)(np.array([0.0]))[0] < -700
    assert list(over_arrays(elementary.power, 0.5)(np.array([0.0, 1.0, infinity]))) == [
        0, 1, infinity,
    ]  # fmt: skip
    assert np.isnan(over_arrays(elementary.power, 0.5)(np.array([nan])))[0]
    for name in ("sin", "cos", "cos_turns"):
        assert np.isnan(over_arrays(getattr(elementary, name))(np.array([nan, infinity]))).all()


@pytest.mark.parametrize("name", ["sin", "cos", "cos_turns"])
def test_waves_of_huge_numbers_stay_between_minus_one_and_one(name):
    x = np.sign(wide(-1, 1)) * 10 ** wide(5, 300)
    assert np.max(np.abs(over_arrays(getattr(elementary, name))(x))) <= 1.0


def test_nearest_rounds_halves_upwards():
    x = np.array([-2.5, -0.5, 0.4999999999999999, 0.5, 1.5, 2.0**52 + 1])
    assert list(over_arrays(elementary.nearest)(x)) == [math.floor(v + 0.5) for v in x]

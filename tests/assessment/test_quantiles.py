"""Quantiles by convention: numpy's, R's by hand, and infinity."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment.statistics.quantiles import quantiles
from firsthit.suites.errors import UnknownNameError

INF = math.inf
VALUES = st.lists(st.floats(1, 1e6), min_size=1, max_size=20)
PROBABILITIES = st.lists(st.floats(0, 1), min_size=1, max_size=5)


@given(VALUES, PROBABILITIES, st.sampled_from([("hazen", "hazen"), ("type-7", "linear")]))
def test_interpolating_conventions_are_numpys(values, probabilities, names):
    ours, theirs = names
    expected = np.quantile(values, probabilities, method=theirs)
    np.testing.assert_allclose(quantiles(values, probabilities, ours), expected, rtol=1e-12)


def nearest_even(values, percent):
    """R's type 3 in whole numbers: the rank nearest to n p, the even one of two."""
    values, twice = sorted(values), 2 * len(values) * percent
    rank, rest = divmod(twice, 200)
    if rest > 100 or (rest == 100 and rank % 2 == 1):
        rank += 1
    return values[min(max(rank, 1), len(values)) - 1]


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=300), st.integers(0, 100))
def test_type_3_is_the_value_of_the_nearest_even_rank(values, percent):
    assert quantiles(values, percent / 100, "type-3")[0] == nearest_even(values, percent)


def test_type_3_by_hand():
    """R: quantile(c(10, 20), c(.02, .25, .5, .75, .98), type = 3) gives 10 10 10 20 20."""
    found = quantiles([20.0, 10.0], [0.02, 0.25, 0.5, 0.75, 0.98], "type-3")
    assert found.tolist() == [10.0, 10.0, 10.0, 20.0, 20.0]


@pytest.mark.parametrize("convention", ["hazen", "type-3", "type-7"])
def test_a_quantile_that_leans_on_infinity_is_infinite(convention):
    found = quantiles([1.0, 2.0, INF, math.nan], [0.0, 0.5, 1.0], convention)
    assert found.tolist() == [1.0, 2.0 if convention == "type-3" else INF, INF]


def test_columns_are_apart():
    values = [[1.0, 10.0], [3.0, 30.0]]
    assert quantiles(values, [0.5], "type-7").tolist() == [[2.0, 20.0]]


def test_an_unknown_convention_is_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'type-7'"):
        quantiles([1.0], [0.5], "type-8")

"""Budgets at which shares of function-target pairs are solved; factors; means of the easiest."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import Results
from firsthit.assessment.statistics.ecdf import budgets_of_shares, geometric_means_of_easiest
from firsthit.assessment.statistics.ratios import ratio_of_ends
from firsthit.suites.errors import UnknownNameError


@pytest.fixture(scope="module")
def results(make_log):
    """Of a: hits of 1 and 0.1 after 2 and 8 evaluations; of b: after 4, and never within 10."""
    easy, never = [5.0, 1.0, *[0.5] * 5, 0.1], [5.0] * 3 + [1.0] * 7
    return Results(
        make_log([{"algorithm": "a", "precisions": easy}, {"algorithm": "b", "precisions": never}])
    )


def rows(table, *names):
    return list(zip(*(table[name].tolist() for name in names), strict=True))


def test_by_hand(results):
    """In 2-D; the geometric mean of the easiest half is that of one pair, of all 1 and 4."""
    table = results.ecdf([1.0, 0.1], fractions="50,75,100")
    assert table.names == (
        "algorithm", "suite", "dimension", "group", "percent", "evaluations_per_dimension",
        "factor", "geometric_mean",
    )  # fmt: skip
    names = ("algorithm", "percent", "evaluations_per_dimension", "factor", "geometric_mean")
    assert [tuple(row) for row in rows(table, *names)] == [
        ("a", 50.0, 1.0, 1.0, 1.0),
        ("a", 75.0, 4.0, 1.0, pytest.approx(4 ** (1 / 3))),
        ("a", 100.0, 4.0, 1.0, pytest.approx(2.0)),
        ("b", 50.0, 2.0, 2.0, pytest.approx(2.0)),
        ("b", 75.0, math.inf, math.inf, math.inf),
        ("b", 100.0, math.inf, math.inf, math.inf),
    ]
    assert any("by the least budget of all algorithms here" in note for note in table.notes)
    to_b = results.ecdf([1.0, 0.1], fractions=[50, 75], reference="b")
    np.testing.assert_array_equal(to_b["factor"], [0.5, 0.0, 1.0, math.nan])
    assert "evaluations" in results.ecdf([1.0], fractions=50, axis="evaluations").names


def test_the_budget_is_the_first_at_which_the_curve_is_at_the_share(make_log, random_runs):
    results = Results(make_log(random_runs(1) + random_runs(2, "b")))
    curve = results.ecdf(group_by=("all", "group"))
    table = results.ecdf(group_by=("all", "group"), fractions="10,50,90")
    assert table.profiles
    for one in table._records():
        (p,) = (p for p in curve.profiles if all(
            getattr(p, name) == one[name] for name in ("algorithm", "dimension", "group")
        ))  # fmt: skip
        budget, share = one["evaluations_per_dimension"], one["percent"] / 100
        assert p.at(budget * 10 ** (1 / 50)) >= share - 0.002
        assert p.at(budget / 10 ** (1 / 50)) < share + 0.002


def test_intervals_are_where_the_band_reaches_the_share(make_log, random_runs):
    results = Results(make_log(random_runs(1) + random_runs(2, "b")))
    band = results.ecdf(interval=0.9, dimensions=5)
    table = results.ecdf(interval=0.9, dimensions=5, fractions=50)
    assert table.names[5:] == (
        "evaluations_per_dimension", "budget_low", "budget_high", "factor", "factor_low",
        "factor_high", "geometric_mean",
    )  # fmt: skip
    for one in table._records():
        own = band["algorithm"] == one["algorithm"]
        grid, low, high = (band[n][own] for n in ("evaluations_per_dimension", "low", "high"))
        assert one["budget_high"] == grid[low >= 0.5][0]
        assert one["budget_low"] == grid[high < 0.5][-1]
        assert one["budget_low"] <= one["evaluations_per_dimension"] <= one["budget_high"]
        assert one["factor_low"] <= one["factor"] <= one["factor_high"]
    assert sorted(table["factor"])[0] == 1.0
    figure = results.plot.ecdf(dimensions=5).figure
    assert len(figure.axes) == 1


def test_factors_are_to_an_algorithm(results):
    with pytest.raises(UnknownNameError, match="algorithm that factors are to 'best'"):
        results.ecdf(fractions=50, reference="best")


@given(
    st.lists(st.tuples(st.sampled_from([1.0, 2.0, 5.0, 30.0, math.inf]), st.integers(1, 5)),
             min_size=1, max_size=8),
    st.integers(1, 20),
)  # fmt: skip
def test_shares_are_those_of_repeated_runtimes(weighted, twentieths):
    """The dumbest way: every runtime as often as its weight says, 20 times, sorted."""
    runtimes, weights = (np.array(column, dtype=float) for column in zip(*weighted, strict=True))
    single = np.sort(np.repeat(runtimes, weights.astype(int) * 20))
    share = twentieths / 20
    first = single[: round(share * len(single))]
    weights /= weights.sum()
    assert budgets_of_shares(runtimes, weights, [share]) == [first[-1]]
    mean = np.exp(np.mean(np.log(first)))
    assert geometric_means_of_easiest(runtimes, weights, [share]) == pytest.approx([mean])


def test_ends_of_ratios():
    """Widened by one side alone where the other is known; to inf where the first never is."""
    assert ratio_of_ends([8, 4, 16], [2, 2, 2]) == pytest.approx((2, 8))
    both = ratio_of_ends([8, 4, 16], [2, 1, 4])
    assert both == pytest.approx((4 * 2 ** -math.sqrt(2), 4 * 2 ** math.sqrt(2)))
    assert ratio_of_ends([math.inf, 8, math.inf], [2, 1, 4]) == (2.0, math.inf)

"""Statistics of runtimes: IOHanalyzer's golden numbers, cocopp's balancing, dumb loops.

Golden data: 4 runs with budgets 100, 40, 60, 50 whose first hits of 1 and 0.1 are 5, 7, 10, never
and 20, never, 10, never; the numbers are what IOHanalyzer 0.1.8 (R) prints for them.
"""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment.questions.fixed_budget import precision_statistics
from firsthit.assessment.statistics.runtime_statistics import (
    balancing_copies,
    capped,
    expected_runtime,
    iohanalyzer_statistics,
    penalized_runtime,
    successful_deviation,
    successful_mean,
    successful_quantiles,
)

NAN, INF = math.nan, math.inf
HITS = np.array([[5.0, 20.0], [7.0, NAN], [10.0, 10.0], [NAN, NAN]])
SPENT = np.array([100.0, 40.0, 60.0, 50.0])


def test_iohanalyzers_golden_table():
    table = iohanalyzer_statistics(HITS, SPENT)
    assert list(table) == [
        *("mean", "median", "sd"),
        *("2%", "5%", "10%", "25%", "50%", "75%", "90%", "95%", "98%"),
        *("PAR-1", "ERT", "runs", "ps"),
    ]
    golden = {
        "mean": (7.333, 15),
        "median": (7, 15),
        "sd": (2.5166, 7.0711),
        "PAR-1": (30.5, 57.5),
        "ERT": (40.667, 115),
        "runs": (3, 2),
        "ps": (0.75, 0.5),
    }
    for name, values in golden.items():
        np.testing.assert_allclose(table[name], values, rtol=5e-5, err_msg=name)
    names = ("2%", "5%", "10%", "25%", "50%", "75%", "90%", "95%", "98%")
    assert [table[name][1] for name in names] == [10, 10, 10, 10, 10, 20, 20, 20, 20]
    assert iohanalyzer_statistics(HITS, SPENT, penalty=10)["PAR-10"][1] == 507.5


def test_fixed_budget_golden_numbers():
    """At t = 30 the best-so-far values are 0.01, 0.25, 0.04, 4."""
    table = precision_statistics(np.array([[0.01], [0.25], [0.04], [4.0]]))
    found = [table[name][0] for name in ("mean", "median", "sd", "geometric_mean")]
    np.testing.assert_allclose(found, [1.075, 0.145, 1.9529, 0.14142], rtol=5e-5)
    assert table["75%"][0] == pytest.approx(np.quantile([0.01, 0.25, 0.04, 4.0], 0.75))


def test_precisions_that_are_infinite_or_zero():
    table = precision_statistics(np.array([[1.0, 0.0, -1.0], [INF, 2.0, 2.0]]))
    assert table["mean"].tolist() == [INF, 1.0, 0.5]
    np.testing.assert_array_equal(table["geometric_mean"], [INF, 0.0, NAN])
    assert np.isnan(table["sd"][0])
    assert math.isnan(precision_statistics(np.array([[1.0]]))["sd"][0])


@st.composite
def run_sets(draw):
    spent = draw(st.lists(st.integers(1, 1000), min_size=1, max_size=8))
    hits = [draw(st.one_of(st.just(NAN), st.integers(1, end).map(float))) for end in spent]
    return hits, [float(end) for end in spent]


@given(run_sets(), st.integers(1, 1200), st.sampled_from([1.0, 2.0, 10.0]))
def test_statistics_are_their_definitions(data, budget, penalty):
    hits, _ = data
    column = np.array(hits)[:, None]
    reached = [t for t in hits if not math.isnan(t)]
    in_time = [t for t in reached if t <= budget]
    charged = [t if t <= budget else penalty * budget for t in hits]
    assert penalized_runtime(column, budget, penalty)[0] == pytest.approx(np.mean(charged))
    ert = expected_runtime(column, budget)[0]
    total = sum(in_time) + budget * (len(hits) - len(in_time))
    assert ert == (pytest.approx(total / len(in_time)) if in_time else INF)
    if reached:
        assert successful_mean(column)[0] == pytest.approx(statistics.mean(reached))
        middle = successful_quantiles(column, 0.5, "type-7")[0, 0]
        assert middle == statistics.median(reached)
    else:
        assert np.isnan(successful_mean(column)[0])
        assert np.isnan(successful_quantiles(column, 0.5)[0, 0])
    deviation = successful_deviation(column)[0]
    if len(reached) > 1:
        assert deviation == pytest.approx(statistics.stdev(reached), abs=1e-9)
    else:
        assert np.isnan(deviation)


@given(run_sets(), st.integers(1, 1200))
def test_capped_runs_are_those_stopped_at_the_budget(data, budget):
    hits, spent = data
    found, ends = capped(np.array(hits)[:, None], spent, budget)
    for i, (hit, end) in enumerate(zip(hits, spent, strict=True)):
        assert ends[i] == min(end, budget)
        np.testing.assert_equal(found[i, 0], hit if hit <= budget else NAN)


@pytest.mark.parametrize(
    ("counts", "copies"),
    [
        ((2, 2, 2), (1, 1, 1)),
        ((30, 30), (1, 1)),
        ((2, 3), (3, 2)),
        ((5, 7), (4, 3)),
        ((1, 25), (25, 1)),
    ],
)
def test_copies_are_cocopps(counts, copies):
    """The least common multiple; above 24 (5 * 7, 25) the largest count times 24 // that."""
    instances = [i for i, n in enumerate(counts) for _ in range(n)]
    expected = [c for c, n in zip(copies, counts, strict=True) for _ in range(n)]
    assert balancing_copies(instances).tolist() == expected

"""ECDFs of runtimes: their budgets, the marker where data end, the area below."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError, ecdf
from firsthit.assessment.statistics.ecdf import (
    MARKERS,
    budget_grid,
    failure_budget,
    linear_area,
    log_area,
)

NAN, INF = math.nan, math.inf
RUNTIME = st.one_of(st.sampled_from([INF, NAN, 0.5, 1.0, 10.0, 1e7]), st.floats(1e-3, 1e9))


@given(
    st.lists(RUNTIME, min_size=1, max_size=30),
    st.lists(st.one_of(st.sampled_from([1.0, 10.0, INF]), st.floats(0, 1e9)), min_size=1),
)
def test_ecdf_counts_runtimes_up_to_the_budget(runtimes, budgets):
    for budget, fraction in zip(budgets, ecdf(runtimes, budgets), strict=True):
        count = sum(1 for t in runtimes if math.isfinite(t) and t <= budget)
        assert fraction == count / len(runtimes)


def test_a_profile_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        ecdf([], [1.0])


@given(st.lists(RUNTIME, min_size=1, max_size=10))
def test_budgets_enclose_all_steps_and_no_more(runtimes):
    grid = budget_grid([np.array(runtimes)])
    reached = [t for t in runtimes if math.isfinite(t)]
    if not reached:
        assert grid.tolist() == [1.0]
        return
    assert grid[0] < min(reached) <= grid[1]
    assert grid[-2] < max(reached) <= grid[-1]
    np.testing.assert_allclose(np.diff(np.log10(grid)), 1 / 50, rtol=1e-9)


def test_decades_are_among_the_budgets_exactly():
    """Otherwise a run that ends at 1000 evaluations / dimension would count beyond 1e3."""
    grid = budget_grid([np.array([1e-3, 1e9])]).tolist()
    assert all(float(f"1e{n}") in grid for n in range(-3, 10))


NAN = math.nan
HITS = [NAN, 300.0, NAN, NAN, 20.0]
SPENT = [100.0, 300.0, 110.0, 400.0, 20.0]
INSTANCES = [1, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("marker", "evaluations"),
    [
        ("longest", 400.0),
        ("median", 110.0),
        # instances 1 to 4: (100 + 300) / 1, 110, 400, 20; hazen: 0.9 * 4 - 0.5 = 3.1, clipped to 3
        ("cocopp-x", 400.0),
        # failed: 0.9 * 3 - 0.5 = 2.2, clipped to 2; successful: 300
        ("cocopp-plus", 400.0),
    ],
)
def test_conventions_by_hand(marker, evaluations):
    assert failure_budget(HITS, SPENT, INSTANCES, marker) == evaluations


def test_cocopps_crosses_differ_where_instances_repeat():
    """Two failures of 100 on each of 2 instances: 200 an instance, 100 a run."""
    hits, spent, instances = [NAN] * 4, [100.0] * 4, [1, 1, 2, 2]
    found = [failure_budget(hits, spent, instances, marker) for marker in MARKERS]
    assert found == [100.0, 100.0, 200.0, 100.0]


def test_cocopps_estimate_divides_by_the_successes_of_an_instance():
    """One instance: 3 + 5 + 100 evaluations for two successes."""
    assert failure_budget([3.0, 5.0, NAN], [3.0, 5.0, 100.0], [7, 7, 7], "cocopp-x") == 54.0


def test_cocopps_plus_is_the_successful_runtimes_where_they_are_longer():
    assert failure_budget([NAN, 900.0], [100.0, 900.0], [1, 2], "cocopp-plus") == 900.0


@pytest.mark.parametrize("marker", MARKERS)
def test_where_every_run_succeeds_there_is_none(marker):
    assert math.isnan(failure_budget([3.0, 4.0], [3.0, 9.0], [1, 2], marker))


RUNTIMES = st.lists(st.one_of(st.just(math.inf), st.floats(0.1, 1e5)), min_size=1, max_size=12)


@given(RUNTIMES, st.sampled_from([2.0, 100.0, 1e4]))
def test_area_is_the_integral_of_the_ecdf(runtimes, budget):
    """Midpoints of 20 000 cells: each of at most 12 steps is off by half a cell at most."""
    cells = 20_000
    middle = (np.arange(cells) + 0.5) / cells
    assert log_area(runtimes, budget) == pytest.approx(
        ecdf(runtimes, budget**middle).mean(), abs=1 / cells
    )
    assert linear_area(runtimes, budget) == pytest.approx(
        ecdf(runtimes, budget * middle).mean(), abs=1 / cells
    )


def test_start_of_the_axis():
    assert log_area([10.0], 1000.0, start=10.0) == 1.0
    assert log_area([100.0], 1000.0, start=10.0) == pytest.approx(0.5)
    assert log_area([math.nan], 1000.0) == 0.0


@pytest.mark.parametrize("budget", [1.0, 0.0, math.inf, math.nan])
def test_budgets_that_span_nothing_are_refused(budget):
    with pytest.raises(AssessmentError, match="area: budget"):
        log_area([1.0], budget)
    if budget != 1.0:
        with pytest.raises(AssessmentError, match="area: budget"):
            linear_area([1.0], budget)


def test_area_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        log_area([], 10.0)

"""Runtime profiles: the ECDF, its budgets, the marker and the solved pairs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import ecdf
from firsthit.assessment.statistics.ecdf import budget_grid

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

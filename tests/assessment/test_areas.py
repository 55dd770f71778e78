"""Areas under ECDFs: numerical integration of the curve, and geometric means."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError, ecdf
from firsthit.assessment.statistics.ecdf import linear_area, log_area

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

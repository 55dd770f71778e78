"""ECDFs of runtimes, the marker where data end, the area below; masses and densities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError, Results, ecdf
from firsthit.assessment.statistics.densities import (
    kernel_density,
    kernel_density_of_r,
    nrd0,
    probability_mass,
)
from firsthit.assessment.statistics.ecdf import (
    MARKERS,
    budget_grid,
    failure_budgets,
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
    assert failure_budgets(HITS, SPENT, INSTANCES)[marker] == evaluations


def test_cocopps_crosses_differ_where_instances_repeat():
    """Two failures of 100 on each of 2 instances: 200 an instance, 100 a run."""
    hits, spent, instances = [NAN] * 4, [100.0] * 4, [1, 1, 2, 2]
    budgets = failure_budgets(hits, spent, instances)
    assert [budgets[marker] for marker in MARKERS] == [100.0, 100.0, 200.0, 100.0]


def test_cocopps_estimate_divides_by_the_successes_of_an_instance():
    """One instance: 3 + 5 + 100 evaluations for two successes."""
    assert failure_budgets([3.0, 5.0, NAN], [3.0, 5.0, 100.0], [7, 7, 7])["cocopp-x"] == 54.0


def test_cocopps_plus_is_the_successful_runtimes_where_they_are_longer():
    assert failure_budgets([NAN, 900.0], [100.0, 900.0], [1, 2])["cocopp-plus"] == 900.0


@pytest.mark.parametrize("marker", MARKERS)
def test_where_every_run_succeeds_there_is_none(marker):
    assert math.isnan(failure_budgets([3.0, 4.0], [3.0, 9.0], [1, 2])[marker])


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


VALUES = st.lists(
    st.one_of(st.just(math.inf), st.just(math.nan), st.floats(1e-3, 1e6)), min_size=1, max_size=20
)


@given(VALUES)
def test_mass_is_the_share_of_each_value(values):
    at, share = probability_mass(values)
    finite = [v for v in values if math.isfinite(v)]
    assert at.tolist() == sorted(set(finite))
    assert share.tolist() == [finite.count(v) / len(values) for v in at]


@given(VALUES)
def test_a_density_integrates_to_the_share_that_was_reached(values):
    """All but what a Gaussian has beyond three standard deviations."""
    at, density = kernel_density(values, points=2001)
    finite = [v for v in values if math.isfinite(v)]
    if not at.size:
        assert not finite or np.ptp(np.log10(finite)) < 1e-8
        return
    area = np.trapezoid(density, np.log10(at))
    assert 0.997 * len(finite) / len(values) <= area <= (1 + 1e-9) * len(finite) / len(values)


def test_a_density_by_hand():
    """Two values a decade apart, 1 and 10: Scott's band width is sd * n**(-1/5)."""
    at, density = kernel_density([1.0, 10.0], points=3)
    width = math.sqrt(0.5) * 2**-0.2
    assert np.log10(at) == pytest.approx([-3 * width, 0.5, 1 + 3 * width])
    assert density[1] == pytest.approx(
        math.exp(-0.5 * (0.5 / width) ** 2) / (width * math.sqrt(2 * math.pi))
    )


def test_distributions_of_runtimes_and_precisions(make_log):
    runs = [{"instance": i, "precisions": [9.0] * i + [1.0 / i]} for i in (1, 2, 3)]
    results = Results(make_log(runs))
    mass = results.runtime_density([1.0, 1e-8], shape="mass")
    assert mass["runtime"].tolist() == [2.0, 3.0, 4.0]
    assert mass["probability"].tolist() == [1 / 3] * 3
    assert "distributions left out: 1 of 2; nothing was reached." in mass.notes
    density = results.runtime_density([1.0])
    assert density.names[-3:] == ("target", "runtime", "density")
    reached = results.precision_density("2*D", shape="mass")
    assert reached["precision"].tolist() == pytest.approx([1 / 3, 1 / 2, 1.0])
    one = results.precision_density("0.5*D", shape="density")
    assert len(one) == 0
    assert "distributions left out: 1 of 1; fewer than two values differ." in one.notes


def test_the_band_width_of_r_by_hand():
    """bw.nrd0: 0.9 min(sd, IQR / 1.34) n**-0.2, and what takes the place of 0."""
    assert nrd0([1.0, 2.0, 3.0, 4.0]) == pytest.approx(0.9 * 1.5 / 1.34 * 4**-0.2)
    assert nrd0([0.0, 0.0, 0.0, 0.0, 10.0]) == pytest.approx(0.9 * math.sqrt(20) * 5**-0.2)
    assert nrd0([3.0, 3.0]) == pytest.approx(0.9 * 3 * 2**-0.2)
    assert nrd0([0.0, 0.0]) == pytest.approx(0.9 * 2**-0.2)


@given(st.lists(st.floats(1, 1e4), min_size=2, max_size=30, unique=True))
def test_a_density_as_r_has_it_is_that_of_scipy_with_its_band_width(values):
    from scipy.stats import gaussian_kde

    at, density = kernel_density_of_r([*values, math.inf], points=64)
    width = nrd0(values)
    assert at[[0, -1]] == pytest.approx([min(values) - 3 * width, max(values) + 3 * width])
    if width > 1e-6 * max(values):  # else rounding decides
        kernel = gaussian_kde(values, bw_method=width / np.std(values, ddof=1))
        share = len(values) / (len(values) + 1)
        assert density == pytest.approx(kernel(at) * share, rel=1e-6, abs=1e-12)


def test_densities_with_the_band_width_of_r(make_log):
    runs = [{"instance": i, "precisions": [9.0] * i + [1.0 / i]} for i in (1, 2, 3)]
    table = Results(make_log(runs)).runtime_density([1.0], shape="density-nrd0")
    at, density = kernel_density_of_r([2.0, 3.0, 4.0])
    np.testing.assert_array_equal(table["runtime"], at)
    np.testing.assert_array_equal(table["density"], density)

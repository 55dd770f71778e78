"""Masses and densities of runtimes and precisions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import Results
from firsthit.assessment.statistics.densities import (
    kernel_density,
    kernel_density_of_r,
    nrd0,
    probability_mass,
)

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
    assert "1 of 2 distributions are left out: nothing was reached." in mass.notes
    density = results.runtime_density([1.0])
    assert density.names[-3:] == ("target", "runtime", "density")
    reached = results.precision_density("2*D", shape="mass")
    assert reached["precision"].tolist() == pytest.approx([1 / 3, 1 / 2, 1.0])
    one = results.precision_density("0.5*D", shape="density")
    assert len(one) == 0
    assert "1 of 1 distributions are left out: fewer than two values differ." in one.notes


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

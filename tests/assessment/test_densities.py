"""Masses and densities of runtimes and precisions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.assessment import Results, kernel_density, probability_mass
from firsthit.suites import UnknownNameError

VALUES = st.lists(
    st.one_of(st.just(math.inf), st.just(math.nan), st.floats(1e-3, 1e6)), min_size=1, max_size=20
)


@settings(deadline=None)
@given(VALUES)
def test_mass_is_the_share_of_each_value(values):
    at, share = probability_mass(values)
    finite = [v for v in values if math.isfinite(v)]
    assert at.tolist() == sorted(set(finite))
    assert share.tolist() == [finite.count(v) / len(values) for v in at]


@settings(deadline=None)
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


def test_shapes_of_runtimes_and_precisions(make_log):
    runs = [{"instance": i, "precisions": [9.0] * i + [1.0 / i]} for i in (1, 2, 3)]
    results = Results(make_log(runs))
    mass = results.runtime_shapes([1.0, 1e-8], shape="mass")
    assert mass["runtime"].tolist() == [2.0, 3.0, 4.0]
    assert mass["probability"].tolist() == [1 / 3] * 3
    assert "1 of 2 distributions are left out: nothing was reached." in mass.notes
    density = results.runtime_shapes([1.0])
    assert density.names[-3:] == ("target", "runtime", "density")
    reached = results.precision_shapes([2.0], shape="mass")
    assert reached["precision"].tolist() == pytest.approx([1 / 3, 1 / 2, 1.0])
    one = results.precision_shapes([0.5], shape="density")
    assert len(one) == 0
    assert "1 of 1 distributions are left out: fewer than two values differ." in one.notes
    with pytest.raises(UnknownNameError, match="unknown shape"):
        results.runtime_shapes([1.0], shape="masses")

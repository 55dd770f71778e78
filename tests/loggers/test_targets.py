"""The grid of targets: exact decades, five per decade among them, nothing rounded away.

Private names: the grid of targets is a pure function that no part exports.
"""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers.targets.grid import (
    EASIEST_TARGET,
    FINAL_TARGET,
    POSITIVE,
    SIGNED,
    evaluation_schedule,
    grid,
    grid_index,
    grid_value,
)


def test_decades_are_the_literals():
    for decade in range(-8, 309):
        assert grid_value(20 * decade) == float(f"1e{decade}")


def test_every_value_is_the_nearest_float_to_the_power_of_ten():
    with localcontext() as context:
        context.prec = 60
        for k in range(-160, 200):
            assert grid_value(k) == float(Decimal(10) ** (Decimal(k) / 20))


def test_grid_ascends_without_ties():
    assert np.all(np.diff(grid()) > 0)


def test_the_51_targets_of_the_field_are_on_the_grid():
    for i in range(51):
        assert grid_index(10 ** (2 - i / 5)) == 40 - 4 * i


@given(st.integers(FINAL_TARGET, EASIEST_TARGET), st.floats(-0.9e-9, 0.9e-9))
def test_index_finds_a_value_within_tolerance(k, error):
    assert grid_index(grid_value(k) * (1 + error)) == k


@pytest.mark.parametrize("off", [0.3, 1e-9, 9.9e-9, 0.0, -1.0, np.nan, np.inf, 1 + 1e-8])
def test_other_values_have_no_index(off):
    assert grid_index(off) is None


@pytest.mark.parametrize("k", [-161, 6161])
def test_values_beyond_the_grid_are_refused(k):
    with pytest.raises(ValueError, match="from -160 to 6160"):
        grid_value(k)


def test_the_signed_grid_goes_on_below_zero():
    values = SIGNED.values
    assert np.all(np.diff(values) > 0)
    assert (values[0], values[-1]) == (-1e8, 1e308)
    for i, meant in ((-1e-8, -1e-8), (0.0, 0.0), (1e-8, 1e-8), (-0.1 * (1 + 1e-12), -0.1)):
        assert SIGNED.value_meant(i) == meant
    assert SIGNED.value_meant(-0.3) is None
    assert POSITIVE.value_meant(0.0) is None


def test_schedule_is_that_of_coco_with_1_2_5_per_decade_and_dimension():
    fine = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15, 17, 19, 22, 25, 28, 31, 35, 39, 44, 50]
    assert set(evaluation_schedule(1)) >= set(fine)
    assert [n for n in evaluation_schedule(1) if n <= 50] == sorted({*fine, 20})
    assert {40, 80, 200, 400, 800, 2000, 4000} <= set(evaluation_schedule(40))

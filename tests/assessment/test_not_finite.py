"""What is not finite is never a hit, and large values do not overflow into other numbers."""

import numpy as np
import pytest

from firsthit.assessment.data.ranked_runs import ranks_of_runs
from firsthit.assessment.questions.fixed_budget import precision_statistics
from firsthit.assessment.statistics.aocc import PrecisionScale
from firsthit.assessment.statistics.average_runtime import average_runtime
from firsthit.assessment.statistics.densities import nrd0
from firsthit.assessment.statistics.intervals import Resampling, art_interval
from firsthit.assessment.statistics.runtime_statistics import capped
from firsthit.assessment.statistics.slowdown import Versions, reliability, scores

NEVER = [np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("never", NEVER)
def test_no_formula_takes_it_for_a_hit(never):
    hits, spent = np.array([[20.0], [never]]), np.array([100.0, 100.0])
    assert average_runtime(hits, spent).tolist() == [120.0]
    assert np.isnan(capped(hits, spent, 50.0)[0][1, 0])
    order = ranks_of_runs([5.0, never, 7.0], [1e-9, 0.1, 1e-9], 60.0)
    assert order.tolist() == [0.0, 2.0, 1.0]
    versions = Versions(
        np.full((4, 1), 20.0), np.full(4, 20.0), np.full((4, 1), never), np.full(4, 100.0),
        np.empty((0, 2), dtype=np.int64),
    )  # fmt: skip
    base, new = scores(versions, 1.0)
    assert base.max() < new.min()
    assert reliability(versions, 1.0)[1:3] == (4, 0)


@pytest.mark.parametrize("never", NEVER)
def test_no_view_takes_it_for_a_precision(never):
    assert PrecisionScale().score(never) == 0
    assert ranks_of_runs([np.nan] * 2, [never, 5.0], 60.0).tolist() == [1.0, 0.0]
    found = precision_statistics([[never], [1.0], [2.0]])
    assert found["median"] == 2.0
    assert found["mean"] == np.inf


def test_large_precisions_have_a_deviation():
    """1e300 has no square in float64."""
    values = np.array([1.0, 2.0, 4.0])
    small, large = (precision_statistics((scale * values)[:, None]) for scale in (1.0, 1e300))
    assert small["sd"] == values.std(ddof=1)
    assert large["sd"] == pytest.approx(1e300 * values.std(ddof=1))
    assert nrd0(1e300 * values) == pytest.approx(1e300 * nrd0(values))
    assert precision_statistics(np.zeros((3, 1)))["sd"] == 0


def test_runtimes_beyond_what_can_be_counted_are_refused():
    runtimes = np.full((5, 1), 1e300)
    for formula in (average_runtime, lambda h, s: art_interval(h, s, Resampling())):
        with pytest.raises(ValueError, match=r"spent must lie between 0 and 2\^53"):
            formula(runtimes, runtimes[:, 0])

"""Where data end: one number a function by each convention, and the median over functions."""

import math

import pytest

from firsthit.assessment.statistics.ecdf import MARKERS, failure_budget

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

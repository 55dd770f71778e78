"""Tables with intervals and bands: what is shown, and what their notes say."""

import numpy as np
import pytest

from firsthit.assessment.data.profiles import ProfileOptions, ecdf_tables
from firsthit.assessment.data.uncertainty import banded, with_intervals
from firsthit.assessment.questions.art.table import averages
from firsthit.assessment.statistics.intervals import Resampling, art_interval
from firsthit.assessment.targets.target_sets import common_set

from .run_sets import run_set

TARGETS = common_set((1.0,))


def shown(one):
    table = with_intervals(averages([one], TARGETS), [one], Resampling())
    return table, str(table), " ".join(table.notes)


def test_five_runs_that_all_succeed():
    runtimes = [259, 411, 438, 283, 427]
    one = run_set("a", runtimes, runtimes)
    table, text, notes = shown(one)
    assert (table["low"][0], table["high"][0]) == pytest.approx((234.129, 507.731), abs=0.01)
    assert not table["at_least"][0]
    assert "[234, 508]" in text or "[234.1, 507.7]" in text
    assert "times up to 0.61 with 5 runs" in notes
    assert "instances alone" not in notes


@pytest.mark.parametrize(
    "hits", [[10, np.nan, np.nan, np.nan, 20], [10, 12, 9, 11, 900], [np.nan] * 5]
)
def test_runs_that_do_not_tell_the_upper_end_show_the_lower_one_only(hits):
    one = run_set("a", hits, np.nan_to_num(hits, nan=1000.0))
    table, text, notes = shown(one)
    assert table["at_least"][0]
    assert "[>= " in text
    assert ("very skew" in notes) == (900 in hits)


def test_for_whom_intervals_hold():
    """Three instances and more: for the function, from whole instances; two: for these."""
    hits = [100.0, 101, 200, 201, 300, 301]
    three = run_set("a", hits, hits, instances=[1, 1, 2, 2, 3, 3])
    table, _, notes = shown(three)
    assert "for the function" in notes
    whole = art_interval(three.hits, three.spent, Resampling(), three.instances)
    assert table["high"][0] == whole[1, 0]
    _, _, notes = shown(run_set("a", hits, hits, instances=[1, 1, 1, 2, 2, 2]))
    assert "for these instances alone (1 of 1 functions and dimensions)" in notes


def test_bands_say_it_too():
    hits = [10.0, 11, 20, 21, 30, 31]
    one = run_set("a", hits, hits, instances=[1, 1, 2, 2, 3, 3])
    alone = run_set("a", hits, hits)
    options = ProfileOptions(runtimes="runs")
    resampling = Resampling(samples=100)
    widths = []
    for data in (one, alone):
        (table,) = ecdf_tables([data], TARGETS, [options])
        (found,) = banded([table], [data], [options], resampling)
        widths.append((found["high"] - found["low"]).mean())
        assert any("whole instances" in note for note in found.notes) == (data is one)
    assert widths[0] > widths[1]

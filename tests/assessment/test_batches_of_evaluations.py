"""Runtimes in batches of evaluations."""

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Results
from firsthit.assessment.data.run_sets import in_batches
from firsthit.assessment.data.runs import Runs
from firsthit.assessment.targets.defaults import all_targets
from firsthit.suites.errors import UnknownNameError


@pytest.fixture(scope="module")
def log(make_log):
    """In 2-D, target 1: a hit after 5 evaluations, and a failure of 9."""
    return make_log(
        [
            {"instance": 1, "precisions": [9.0] * 4 + [0.5] * 3},
            {"instance": 2, "precisions": [9.0] * 9},
        ]
    )


def at(table, budget):
    (profile,) = table.profiles
    return profile.at(budget)


def test_a_hit_counts_with_its_batch_and_a_run_begins_a_new_one(log):
    """Batches of 4: the hit is in the second, the failure takes 3, so a hit after it takes 5.

    Divided afterwards, it would be (9 + 5) / 4 = 3.5.
    """
    table = Results(log).ecdf([1.0], axis="batches:4")
    assert table.names[4] == "batches"
    grid = 10 ** (1 / 50)
    assert [at(table, b) for b in (2 / grid, 2 * grid, 4.9)] == pytest.approx(
        [0, 0.5, 0.5], abs=2e-3
    )
    assert at(table, 5 * grid) == pytest.approx(0.75, abs=2e-3)
    shares = Results(log).ecdf([1.0], axis="batches:4", fractions="40,70")
    assert shares["batches"].tolist() == [2.0, 5.0]
    assert "<=10" in str(table)
    assert "<=10*D" not in str(table)
    assert any("batches of 4 evaluations, a hit counts with" in note for note in table.notes)
    one = Results(log).ecdf([1.0], axis="batches:1")
    evaluations = Results(log).ecdf([1.0], axis="evaluations")
    np.testing.assert_array_equal(one["fraction"], evaluations["fraction"])


def test_areas_are_in_batches(log):
    """Single runs: 2 batches, and never: half of the axis from 1 to 16, from 2 on."""
    table = Results(log).areas([1.0], budget=16, axis="batches:4", runtimes="runs")
    assert table["area"].tolist() == [0.5 * 0.75]


def test_run_sets_in_batches_are_those_of_the_dumbest_loop(make_log, random_runs):
    run_sets, _ = Runs(make_log(random_runs(3))).at_targets(None, all_targets)
    for before, after in zip(run_sets, in_batches(run_sets, 7), strict=True):
        for hits, batches in zip(before.hits.ravel(), after.hits.ravel(), strict=True):
            taken = 0
            while 7 * taken < hits:
                taken += 1
            assert batches == taken or (np.isnan(hits) and np.isnan(batches))
        assert (after.spent == np.ceil(before.spent / 7)).all()


def test_what_is_no_batch_is_refused(log):
    for axis in ("batches", "batches:x", "batches:2.5"):
        with pytest.raises(AssessmentError, match="such as batches:8"):
            Results(log).ecdf(axis=axis)
    with pytest.raises(UnknownNameError, match="unit of budgets 'batch:3'"):
        Results(log).ecdf(axis="batch:3")
    with pytest.raises(AssessmentError, match="the axis is in batches"):
        Results(log).areas(budget="10*D", axis="batches:4")
    with pytest.raises(AssessmentError, match="no curve in batches"):
        Results(log).ecdf(axis="batches:4", reference="a")


def test_the_figure_names_the_unit(log):
    from firsthit.assessment.questions.ecdf.figures import draw_ecdf

    figure = draw_ecdf(Results(log).ecdf([1.0], axis="batches:4"))
    assert figure.axes[0].get_xlabel() == "batches of 4 evaluations"

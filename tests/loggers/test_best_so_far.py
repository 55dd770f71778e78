"""Best precision at evaluation counts, against the dumbest loop over all values.

Private names: records are made from given tables, and the result is compared with a loop.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import read_log
from firsthit.loggers.log.best_so_far import best_so_far
from firsthit.loggers.records.dtypes import HITS, TRAJECTORY, as_rows
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.run_record import RunRecord, SuiteFacts
from firsthit.loggers.targets.grid import evaluation_schedule, grid_value
from firsthit.suites.facts import ProblemId

from .conftest import lost_record, record_of, tabulate
from .problems import sphere

VALUES = st.lists(
    st.one_of(st.sampled_from([np.nan, np.inf, 1.0, 2.0, 0.1, 1e-7]), st.floats(2e-8, 1e6)),
    min_size=1,
    max_size=60,
)


def best_of_all(values, count):
    """The dumbest loop."""
    best = np.inf
    for value in values[:count]:
        if np.isfinite(value) and value < best:
            best = value
    return best


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_with_every_improvement_it_is_exact(runs):
    table = tabulate([record_of(v, "improvements", repetition=i) for i, v in enumerate(runs, 1)])
    counts = np.arange(1, 70)
    best = best_so_far(table, np.arange(len(runs)), counts)
    expected = [[best_of_all(values, n) for n in counts] for values in runs]
    np.testing.assert_array_equal(best.precision, expected)
    assert best.exact.all()


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_with_first_hits_the_truth_lies_between_the_bounds(runs):
    table = tabulate([record_of(v, "targets", repetition=i) for i, v in enumerate(runs, 1)])
    counts = np.arange(1, 70)
    best = best_so_far(table, np.arange(len(runs)), counts)
    expected = np.array([[best_of_all(values, n) for n in counts] for values in runs])
    assert (best.precision >= expected).all()
    assert (best.bound <= expected).all()
    np.testing.assert_array_equal(best.precision[best.exact], expected[best.exact])
    scheduled = np.isin(counts, evaluation_schedule(2))
    assert best.exact[:, scheduled].all()
    for row, values in enumerate(runs):
        assert best.exact[row, counts >= len(values)].all()


def test_bounds_between_recorded_values_by_hand():
    """Dimension 2: 12, 14, 15, 17 are scheduled, 13 and 16 are not. 3.0 (at 13) hits no target that
    3.1 (at 12) did not; the next target of the grid is 10**(9/20) = 2.82."""
    values = [3.1] * 12 + [3.0, 3.0, 2.9, 2.5, 2.4]
    table = tabulate([record_of(values, "targets")])
    best = best_so_far(table, np.array([0]), np.array([12, 13, 14, 15, 16]))
    np.testing.assert_allclose(best.precision[0], [3.1, 3.1, 3.0, 2.9, 2.5])
    np.testing.assert_allclose(best.bound[0], [3.1, 3.0, 3.0, 2.9, 2.5])
    assert best.exact[0].tolist() == [True, False, True, True, True]


def test_without_scheduled_counts_the_next_target_is_the_bound():
    """Hits at 20 (1.05) and 30 (0.5) alone: until 29 nothing was at or below 10**(-0/20) = 1."""
    hits = as_rows(HITS, [grid_value(1), grid_value(-6)], [20, 30], [1.05, 0.5])
    record = recorded("targets", hits)
    best = best_so_far(tabulate([record]), np.array([0]), np.array([19, 20, 25, 30]))
    np.testing.assert_array_equal(best.precision[0], [np.inf, 1.05, 1.05, 0.5])
    np.testing.assert_allclose(best.bound[0], [1.05, 1.05, 1.0, 0.5])


@pytest.mark.parametrize(
    ("record", "bound"),
    [("targets_5", 1.0), ("targets_10", 10 ** (2 / 20)), ("sampled", 0.5), ("improvements", 1.3)],
)
def test_bounds_of_imported_runs_know_what_was_promised(record, bound):
    """1.3 hits 10**(3/20) and not 10**(2/20): of ten a decade that is the next, of five it is 1."""
    hits = as_rows(HITS, [grid_value(3), grid_value(-6)], [20, 30], [1.3, 0.5])
    table = tabulate([recorded(record, hits)])
    best = best_so_far(table, np.array([0]), np.array([25]))
    assert best.precision[0, 0] == 1.3
    assert best.bound[0, 0] == pytest.approx(bound, rel=1e-12)


def recorded(record, hits, last=0.5):
    return RunRecord(
        identity=RunIdentity("a", ProblemId("s", 1, 2, 1), 0),
        suite=SuiteFacts("s"),
        function_name="f",
        group="g",
        reference_value=0.0,
        status="terminated",
        record=record,
        evaluations=40,
        best_precision=last,
        hits=hits,
        trajectory=as_rows(TRAJECTORY, [40], [last]),
    )


def test_without_reference_value_every_improvement_is_told():
    values = [5.0, 4.0, 3.9, -2.0, 7.0]
    table = tabulate([record_of(values, reference=None)])
    best = best_so_far(table, np.array([0]), np.arange(1, 7))
    assert best.precision[0].tolist() == [5.0, 4.0, 3.9, -2.0, -2.0, -2.0]
    assert best.exact.all()


def test_counts_may_differ_between_runs():
    runs = [record_of([3.0, 2.0, 1.0], "improvements", repetition=i) for i in (1, 2)]
    best = best_so_far(tabulate(runs), np.array([0, 1, 1]), np.array([[1], [2], [9]]))
    assert best.precision[:, 0].tolist() == [3.0, 2.0, 1.0]


def test_a_run_that_evaluated_nothing_has_reached_nothing():
    lost = lost_record(sphere(), RunIdentity("a", sphere().problem_id), "failed")
    best = best_so_far(tabulate([lost]), np.array([0]), np.array([1, 100]))
    assert best.precision.tolist() == [[np.inf, np.inf]]
    assert best.exact.all()


def test_a_log_takes_rows_as_positions_or_mask(tmp_path):
    import firsthit

    problem = firsthit.Suite("bbob", functions=1, dimensions=2, instances="1-2")
    with firsthit.Observer(tmp_path / "x.h5", algorithm="a", record="improvements") as observer:
        for run in observer(problem):
            for x in np.linspace(-4, 4, 30):
                run([x, x])
    log = read_log(tmp_path / "x.h5")
    best = log.best_at([1, -1, 0], [1, 30])
    assert best.precision.shape == (3, 2)
    np.testing.assert_array_equal(best.precision[0], best.precision[1])
    np.testing.assert_array_equal(best.precision[:, 1], log.runs["best_precision"][[1, 1, 0]])
    np.testing.assert_array_equal(
        log.best_at(log.runs["instance"] == 2, 30).precision, best.precision[:1, 1:]
    )
    with pytest.raises(IndexError, match="from 0 to 1"):
        log.best_at([2], [1])


@pytest.mark.parametrize(("hit", "bound"), [(1e-8, -1.0), (0.0, -1e-8), (-1e-8, -(10**-7.95))])
def test_bounds_below_the_reference(hit, bound):
    """What a run recorded of targets at and below 0 is known where it hit one of them."""
    hits = as_rows(HITS, [1.0, hit], [20, 30], [0.95, hit])
    table = tabulate([recorded("targets", hits, last=-1.0)])
    best = best_so_far(table, np.array([0]), np.array([35]))
    assert best.precision[0, 0] == hit
    assert best.bound[0, 0] == pytest.approx(bound, rel=1e-12)

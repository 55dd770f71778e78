"""First hits from data that hold some improvements only: right, and exact only where it is so.

Private names: imported runs are made from lists of values, so that hypothesis can search for
errors.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import STATUSES
from firsthit.loggers.formats.tables import DataSet, ImportedRun, table_of
from firsthit.loggers.hdf5.check_content import check_table
from firsthit.loggers.log.first_hits import first_hits
from firsthit.loggers.targets.grid import grid_value
from firsthit.suites.facts import ProblemId

VALUES = st.lists(
    st.one_of(
        st.integers(-90, 30).map(lambda k: 10.0 ** (k / 10)),
        st.floats(1e-9, 1e3),
        st.sampled_from([0.0, -1e-9, -1e-8, -3e-6, -1e-5, 1e-8, 2e21, 3e21, np.nan, 1.0]),
    ),
    min_size=1,
    max_size=12,
)


def recorded(values, per_decade):
    """What a logger with such targets writes, by the dumbest loop: first hits, first and last."""
    grid = [10.0 ** (k / per_decade) for k in range(-8 * per_decade, 4 * per_decade)]
    if per_decade == 10:
        grid += [0.0] + [-t for t in grid]
    rows, best, hit = [], np.inf, set()
    for evaluation, value in enumerate(values, start=1):
        fine = value == value and value < 1e21
        now = {t for t in grid if fine and value <= t + 1e-9 * abs(t)}
        if fine and value < best:
            best = value
        if evaluation in (1, len(values)) or now - hit:
            rows.append((evaluation, 0, best if best < np.inf else 3e21))
        hit |= now
    return np.array(rows, dtype=float)


def answers(values, targets):
    return [
        next((n for n, v in enumerate(values, 1) if v < 1e21 and v <= t + 1e-9 * abs(t)), np.nan)
        for t in targets
    ]


def run(values, record, entries):
    objectives = 2 if record == "targets_10" else 1
    return ImportedRun(
        ProblemId("x", 1, 2, 1), record, 0.0, len(values), entries=entries,
        number_of_objectives=objectives,
    )  # fmt: skip


@given(
    st.lists(VALUES, min_size=1, max_size=4),
    st.lists(st.floats(1e-9, 1e3), max_size=4),
    st.sampled_from([("targets_5", 5), ("targets_10", 10)]),
)
def test_exact_where_it_says_so_and_never_too_early(sequences, others, kind):
    record, per_decade = kind
    grid = [10.0 ** (k / per_decade) for k in range(-8 * per_decade, 3 * per_decade, 3)]
    grid += [0.0, -1e-8, -1e-5] if per_decade == 10 else []
    targets = np.array([*grid, *others])
    runs = [run(values, record, recorded(values, per_decade)) for values in sequences]
    table = table_of(DataSet({"a": runs}, {}))
    check_table(table)
    for row, values in enumerate(sequences):
        hits = table.ragged["hits"].of(row)
        assert ((hits.evaluation >= 1) & (hits.evaluation <= len(values))).all()
        assert (np.diff(hits.evaluation) >= 1).all()
        assert (hits.target[1:] <= hits.target[:-1]).all()
    times, exact = first_hits(table, np.arange(len(runs)), targets)
    assert exact[:, : len(grid)].all()
    for row, values in enumerate(sequences):
        expected = answers(values, targets)
        for column in range(len(targets)):
            if exact[row, column]:
                assert np.array_equal(times[row, column], expected[column], equal_nan=True)
            else:
                assert times[row, column] >= expected[column]


@given(st.lists(VALUES, min_size=1, max_size=4), st.integers(2, 5))
def test_samples_are_bounds_but_for_neighbours(sequences, step):
    """Every ``step``-th evaluation is recorded: only the first and neighbours are exact."""
    runs, expected = [], []
    targets = np.array([1e2, 1.0, 1e-3, 1e-8, 0.3])
    for values in sequences:
        best = np.fmin.accumulate([v if v < 1e21 else np.nan for v in values])
        samples = [(n, 0, b) for n, b in enumerate(best, 1) if n % step == 0 or n == 1]
        runs.append(run(values, "sampled", np.array(samples, dtype=float).reshape(-1, 3)))
        expected.append(answers(values, targets))
    table = table_of(DataSet({"a": runs}, {}))
    times, exact = first_hits(table, np.arange(len(runs)), targets)
    assert np.array_equal(times[exact], np.array(expected)[exact])
    assert not exact[np.isnan(times)].any()
    late = ~np.isnan(times)
    assert (times[late] >= np.array(expected)[late]).all()
    assert (times[late & ~exact] > 1).all()


def test_printed_digits_hit_the_target_they_mean():
    """COCO prints ten digits: 2.511886432e+01 is 10**1.4, though the number is larger."""
    entries = np.array([[1, 0, 99.0], [7, 0, 2.511886432e01], [9, 0, 1.0000001e-8]])
    table = table_of(DataSet({"a": [run(range(20), "targets_5", entries)]}, {}))
    assert 2.511886432e01 > 10**1.4
    times, exact = first_hits(table, np.array([0]), np.array([10**1.4, 1e-7, 1e-8]))
    assert np.array_equal(times, [[7, 9, np.nan]], equal_nan=True)
    assert exact.all()


def test_a_precision_of_zero_below_the_reference():
    entries = np.array([[1, 0, 5.0], [4, 0, 0.0], [6, 0, -2e-5]])
    table = table_of(DataSet({"a": [run(range(9), "targets_10", entries)]}, {}))
    hits = table.ragged["hits"].of(0)
    assert hits.target.tolist() == [grid_value(14), 0.0, -grid_value(-94)]
    assert hits.precision.tolist() == [5.0, 0.0, -2e-5]
    assert STATUSES[table.runs["status"][0]] == "terminated"
    times, exact = first_hits(table, np.array([0]), np.array([1e-8, 0.0, -1e-5, -1e-4]))
    assert np.array_equal(times, [[4, 4, 6, np.nan]], equal_nan=True)
    assert exact.all()


def test_an_observer_cannot_record_as_others_do(tmp_path):
    import firsthit

    with pytest.raises(firsthit.FirsthitError, match="record is 'sampled'; allowed are: targets"):
        firsthit.Observer(tmp_path / "a.h5", algorithm="a", record="sampled")

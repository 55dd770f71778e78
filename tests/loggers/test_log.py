"""What a log tells of its runs: columns, files, and first hits of any target.

Private names: records hold columns and tables that no optimizer produces.
"""

import math
import os
from dataclasses import replace

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.loggers import Log, merge_logs, observe_problem, read_log
from firsthit.loggers.errors import LogConflictError, LogNotFoundError, ObservationError
from firsthit.loggers.hdf5 import reader
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.dtypes import (
    HITS,
    OBJECTIVES,
    ORIGIN,
    SECONDS,
    as_rows,
)
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import RunRecord, SuiteFacts
from firsthit.loggers.targets.grid import grid_value
from firsthit.suites import problem_from
from firsthit.suites.errors import UnknownNameError
from firsthit.suites.facts import ProblemId

from .conftest import random_run, record_of, tabulate


def write(path, *records, header=None):
    with LogWriter(path, header or LogHeader({"random": {}})) as writer:
        for record in records:
            writer.add(record)
    return path


def test_algorithms_groups_and_headers(tmp_path):
    records = [random_run(repetition=r, instance=i) for i in (1, 2) for r in (0, 1)]
    log = read_log(write(tmp_path / "a.h5", *reversed(records)))
    assert len(log) == len(log.runs) == 4
    assert log.runs.key.tolist() == [record.key for record in records]
    assert log.algorithms == ("random",)
    assert log.groups() == log.groups("user") == {"": (1,)}
    assert log.groups("other") == {}
    assert log.header_of(0) == log.headers[0]
    with pytest.raises(IndexError):
        log.hits(4)


def files(paths):
    """The files that were read, none of them twice."""
    found = read_log(paths).files
    assert len(set(found)) == len(found)
    return set(found)


def test_files_folders_patterns_and_lists(tmp_path):
    one = write(tmp_path / "x" / "a.h5", random_run())
    two = write(tmp_path / "x" / "y" / "b.h5", random_run(repetition=1))
    (tmp_path / "x" / "note.txt").write_text("no log")
    writer = LogWriter(tmp_path / "x" / "c.h5", LogHeader({"random": {}}))
    writer.add(random_run(repetition=2))
    writer.abandon()
    part = next((tmp_path / "x" / "c.h5.parts").glob("*.journal"))
    assert files(tmp_path) == {one, two, part}
    assert files(str(one)) == {one}
    assert files([one, one, tmp_path / "x" / "y"]) == {one, two}
    assert files(tmp_path / "x" / "c.h5") == {part}
    assert files(tmp_path / "x" / "c.h5.parts") == {part}
    assert files(str(tmp_path / "x" / "*.h5")) == {one, part}
    assert files(str(tmp_path / "x" / "*")) == {one, two, part}
    assert files(str(tmp_path / "**" / "*.h5*")) == {one, two, part}
    assert len(read_log(tmp_path)) == 3


def test_the_working_folder_and_those_above(tmp_path, monkeypatch):
    write(tmp_path / "a.h5", random_run())
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    assert [path.name for path in files(".")] == ["a.h5"]
    monkeypatch.chdir(tmp_path / "below")
    assert [path.name for path in files("..")] == ["a.h5"]


@pytest.mark.parametrize(
    "paths", ["nothing.h5", "empty", "no*thing", [], "", "/no/such/place", "."]
)
def test_nothing_to_read_is_an_error(tmp_path, monkeypatch, paths):
    monkeypatch.chdir(tmp_path)
    os.mkdir("empty")
    with pytest.raises(LogNotFoundError, match="no log"):
        read_log(paths)


@pytest.mark.parametrize("step", ["read_journal", "read_journal_table", "read_table"])
def test_reading_survives_a_writer_that_merges_at_any_moment(tmp_path, monkeypatch, step):
    path = tmp_path / "a.h5"
    write(path, random_run())
    writer = LogWriter(path, LogHeader({"random": {}}), resume=True)
    writer.add(random_run(repetition=1))
    real = getattr(reader, step)

    def read(*arguments):
        monkeypatch.setattr(reader, step, real)
        writer.close()
        return real(*arguments)

    monkeypatch.setattr(reader, step, read)
    assert len(read_log(path)) == 2
    assert not path.with_name("a.h5.parts").exists()


def test_one_name_with_two_sets_of_parameters_is_refused(tmp_path):
    write(tmp_path / "a.h5", random_run(), header=LogHeader({"random": {"s": 1}}))
    write(tmp_path / "b.h5", random_run(repetition=1), header=LogHeader({"random": {"s": 2}}))
    with pytest.raises(LogConflictError, match=r"'random' differs .*a\.h5.*b\.h5.*s was 1, is 2"):
        read_log(tmp_path)


def test_the_second_of_a_hit_and_the_origin_of_a_run_have_their_place(tmp_path):
    """Two copies of a run agree, though they were made elsewhere and took another time."""
    record = random_run()
    seconds = np.linspace(0.1, 3.0, len(record.hits))
    for name, host in (("a", "here"), ("b", "there")):
        known = {
            "hit_seconds": as_rows(SECONDS, seconds + (name == "b")),
            "origin": as_rows(ORIGIN, [host.encode()]),
        }
        write(tmp_path / f"{name}.h5", replace(record, **known))
    with h5py.File(tmp_path / "b.h5") as file:
        np.testing.assert_array_equal(file["hit_seconds"]["seconds"], seconds + 1)
        assert file["origin"][0].tolist() == (b"there",)
    assert len(read_log(tmp_path)) == 1
    with pytest.raises(ObservationError, match="hit_seconds must have one row for each row of hit"):
        replace(record, hit_seconds=as_rows(SECONDS, [1.0]))
    with pytest.raises(ObservationError, match="origin must have at most one row"):
        replace(record, origin=np.zeros(2, ORIGIN))


PRECISION = st.one_of(
    st.integers(-160, 60).map(grid_value),
    st.floats(-8.5, 3).map(lambda e: 10**e),
    st.sampled_from([math.nan, math.inf, 0.0, -1.0, 1e-9]),
)
TARGET = st.one_of(
    st.integers(-160, 60).map(grid_value),
    st.integers(-160, 60).map(lambda k: grid_value(k) * (1 + 3e-10)),
    st.floats(-9, 3).map(lambda e: 10**e),
    st.sampled_from([0.0, -0.5, 1e-9, 0.3, 1e9]),
)


@settings(max_examples=80)
@given(
    st.lists(st.lists(PRECISION, min_size=1, max_size=40), min_size=1, max_size=4),
    st.lists(TARGET, min_size=1, max_size=6),
    st.sampled_from(["targets", "improvements"]),
)
def test_first_hits_are_those_of_a_loop_or_a_bound_that_says_so(sequences, targets, record):
    records = [record_of(values, record, repetition=i) for i, values in enumerate(sequences)]
    log = Log(tabulate(records))
    rows = list(reversed(range(len(records))))
    times, exact = log.first_hits(rows, targets)
    assert times.shape == exact.shape == (len(rows), len(targets))
    for i, row in enumerate(rows):
        for j, target in enumerate(targets):
            near = [k for k in range(-160, 61) if abs(target / grid_value(k) - 1) <= 1e-9]
            meant = grid_value(near[0]) if near else target
            hit = [
                t
                for t, value in enumerate(sequences[row], start=1)
                if math.isfinite(value) and value <= meant
            ]
            if near or record == "improvements":
                assert exact[i, j]
            if exact[i, j]:
                assert times[i, j] == hit[0] if hit else math.isnan(times[i, j])
            else:
                assert hit
                assert times[i, j] >= hit[0]


def test_a_target_between_two_of_the_grid_is_exact_where_the_log_shows_it():
    values = [5.0] * 20 + [2.0] + [1.9] * 9 + [1.88] * 3 + [0.1]
    log = Log(tabulate([record_of(values)]))
    times, exact = log.first_hits([0], [1.95, 1.89, 1.5, 1.2, 0.01])
    assert times[0, 2] == times[0, 3] == len(values)
    assert times[0, :2].tolist() == [22, 31]
    assert exact[0].tolist() == [True, False, True, True, True]
    assert math.isnan(times[0, 4])


def test_runs_without_reference_reach_no_target():
    log = Log(tabulate([record_of([3.0, -7.0], reference=None)]))
    times, exact = log.first_hits([True], [1e-8, 10.0, 0.3])
    assert np.isnan(times).all()
    assert exact.all()


def test_rows_may_be_a_mask_and_must_exist():
    log = Log(tabulate([record_of([3.0], repetition=i) for i in range(3)]))
    assert log.first_hits(np.array([True, False, True]), 10.0)[0].tolist() == [[1.0], [1.0]]
    assert log.first_hits([], [1.0])[0].shape == (0, 1)
    with pytest.raises(IndexError, match="from 0 to 2"):
        log.first_hits([3], [1.0])


def signed_run(precisions, targets, repetition=0, **facts):
    """A run whose hits are these, one an evaluation."""
    counts = np.arange(1, len(precisions) + 1)
    return RunRecord(
        identity=RunIdentity("random", ProblemId("two", 1, 2, 1), repetition),
        suite=SuiteFacts("two"),
        function_name="f",
        group="",
        reference_value=0.0,
        status="terminated",
        evaluations=100,
        best_precision=min(precisions),
        hits=as_rows(HITS, targets, counts * 10, precisions),
        **facts,
    )


def test_targets_at_and_below_0_are_hit_where_they_were_recorded(tmp_path):
    signed = signed_run([2.0, 5e-9, -3e-4], [grid_value(7), 1e-8, -grid_value(-71)])
    plain = signed_run([2.0, 5e-9, -3e-4], [grid_value(7), 1e-8, 1e-8], 1)
    above = signed_run([2.0, 5e-9], [grid_value(7), 1e-8], 2)
    log = read_log(write(tmp_path / "a.h5", signed, plain, above))
    targets = [1e-8, 0.0, -1e-5, -grid_value(-71), -1e-3, -1.0]
    times, exact = log.first_hits([0, 1, 2], targets)
    nan = math.nan
    np.testing.assert_array_equal(
        times,
        [[20, 30, 30, 30, nan, nan], [20, 30, 30, 30, nan, nan], [20, nan, nan, nan, nan, nan]],
    )
    assert exact[[0, 2]].all()
    assert exact[1].tolist() == [True, False, False, False, True, True]
    times, exact = log.first_hits([0], [-2e-5, -2.5e-4])
    assert times.tolist() == [[30, 30]]
    assert exact.all()


def test_constraint_counts_go_through_the_log_into_first_hits(tmp_path):
    """f and g: each of 12 evaluations is preceded by as many of the constraints as its number."""
    problem = problem_from(
        lambda x: float(x @ x), 2, optimal_value=0.0,
        constraint=lambda x: x[:1] - 9.0, number_of_constraints=1,
    )  # fmt: skip
    run = observe_problem(problem, RunIdentity("random", problem.problem_id))
    spent, expected = 0, {}
    for t in range(12):
        for _ in range(t + 1):
            run.constraint(np.zeros(2))
        spent += t + 1
        value = run(np.array([10.0 ** -(t // 3), 0.0]))
        for target in (1.0, 1e-2, 1e-4):
            if value <= target:
                expected.setdefault(target, (t + 1, spent))
    record = run.finish("terminated")
    assert record.evaluations_constraints == spent == 78
    log = read_log(write(tmp_path / "a.h5", record))
    np.testing.assert_array_equal(log.hits(0), record.hits)
    np.testing.assert_array_equal(log.trajectory(0), record.trajectory)
    assert log.runs.evaluations_constraints.tolist() == [78]
    f, g = np.array([expected[target] for target in (1.0, 1e-2, 1e-4)]).T
    for weight in (0.0, 0.5, 1.0):
        times, exact = log.first_hits([0], [1.0, 1e-2, 1e-4], constraints_weight=weight)
        assert exact.all()
        np.testing.assert_array_equal(times[0], f + weight * g)


def test_where_a_reference_comes_from_and_both_objectives_are_in_the_log(tmp_path):
    facts = as_rows(OBJECTIVES, [-3.0, 7.5], [1.0, 1e3])
    one = signed_run([2.0], [grid_value(7)], objectives=facts, reference_name="COCO 2.8.2")
    two = signed_run([3.0], [grid_value(10)], repetition=1)
    write(tmp_path / "a.h5", one)
    write(tmp_path / "b.h5", two)
    merge_logs([tmp_path / "a.h5", tmp_path / "b.h5"], tmp_path / "all.h5")
    log = read_log(tmp_path / "all.h5")
    assert log.runs.reference_name.tolist() == ["COCO 2.8.2", ""]
    assert log.runs.codes("reference_name")[0] == ("", "COCO 2.8.2")
    assert log.objectives(0).nadir.tolist() == [1.0, 1e3]
    assert len(log.objectives(1)) == 0
    with h5py.File(tmp_path / "all.h5") as file:
        names = file["references"].asstr()[:]
        assert [names[i] for i in file["runs"]["reference"]] == ["COCO 2.8.2", ""]
        assert file["objectives"][:].tolist() == [(-3.0, 1.0), (7.5, 1e3)]
        assert file["objectives_offsets"][:].tolist() == [0, 2, 2]


def test_a_run_has_ideal_and_nadir_of_both_objectives_or_of_none():
    with pytest.raises(ObservationError, match="one row for each of two objectives"):
        signed_run([2.0], [grid_value(7)], objectives=as_rows(OBJECTIVES, [1.0], [2.0]))


def test_hits_of_several_runs_are_those_of_each_run(tmp_path):
    """Also in another order than in the file, and of no run."""
    records = [random_run(instance=i, evaluations=40 * i) for i in range(1, 6)]
    log = read_log(write(tmp_path / "runs.h5", *records))
    for rows in ([4, 0, 2], [], range(5), [1]):
        hits = log.hits_of_runs(np.array(rows, dtype=int))
        assert len(hits.offsets) == len(rows) + 1
        for i, row in enumerate(rows):
            part = hits.rows[hits.offsets[i] : hits.offsets[i + 1]]
            assert part.tolist() == log.hits(row).tolist()
    with pytest.raises(IndexError):
        log.hits_of_runs([5])


def test_entries_are_as_many_as_the_rows_of_each_run(tmp_path):
    log = read_log(write(tmp_path / "a.h5", *(random_run(repetition=r) for r in range(3))))
    assert log.entries("hits").sum() > 0
    for name, rows in (("hits", log.hits), ("restarts", log.restarts), ("notes", log.notes_of)):
        assert log.entries(name).tolist() == [len(rows(run)) for run in range(len(log))]
    with pytest.raises(UnknownNameError, match="kind of rows"):
        log.entries("hit")

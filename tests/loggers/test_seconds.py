"""The second of the run at which each hit was made, measured by the clock or simulated.

Private names: the clock of a run is replaced.
"""

import platform
from dataclasses import replace

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import Observer, read_log
from firsthit.loggers.errors import LogFormatError, ObservationError
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.observation import clock as clock_module
from firsthit.loggers.observation.memory import RunMemory
from firsthit.loggers.observation.run_result import make_lost_record
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records import run_record
from firsthit.loggers.records.dtypes import SECONDS, as_rows
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.targets.grid import evaluation_schedule
from firsthit.suites import problem_from

from .conftest import observe
from .problems import scripted, sphere


def wrapped(values, batches):
    """Values in batches of given sizes, as far as they go; 0 is a single point."""
    at = 0
    for size in batches:
        part = values[at : at + max(size, 1)]
        at += len(part)
        if len(part):
            yield at, size, part


@given(
    st.lists(st.floats(1e-9, 1e3), min_size=1, max_size=60),
    st.lists(st.integers(0, 7), min_size=60, max_size=60),
    st.sampled_from(["targets", "improvements"]),
)
def test_every_hit_and_scheduled_count_has_the_second_after_its_call(values, batches, record):
    """As the dumbest loop says: a call lasts a second for each of its points."""
    now = [0.0]

    def value(x):
        now[0] += 1.0
        return float(values[int(x[0])])

    def batch(points):
        now[0] += len(points)
        return np.array(values)[points[:, 0].astype(int)]

    problem = problem_from(value, 2, reference_value=0.0, batch=batch)
    run = observe(problem, clock=lambda: now[0], record=record)
    seconds_of = {}
    for at, size, part in wrapped(range(len(values)), batches):
        points = np.array([[i, 0.0] for i in part])
        run(points if size else points[0])
        seconds_of.update(dict.fromkeys(range(at - len(part) + 1, at + 1), now[0]))
    made = run.finish("terminated")
    for rows, seconds in (
        (made.hits, made.hit_seconds),
        (made.trajectory, made.trajectory_seconds),
    ):
        expected = [seconds_of[evaluation] for evaluation in rows["evaluation"].tolist()]
        assert seconds["seconds"].tolist() == expected


def test_measured_seconds_are_those_of_the_wall_clock_since_the_start(monkeypatch, tmp_path):
    """In the log with the host; read with h5py alone."""
    now = [1000.0]
    monkeypatch.setattr(clock_module, "perf_counter", lambda: now[0])

    def slow(x):
        now[0] += 0.25
        return float(x @ x)

    problem = problem_from(slow, 2, optimal_value=0.0)
    with Observer(tmp_path / "a.h5", "a", clock="measured", record="improvements") as observer:
        for observed in observer([problem]):
            for x in (4, 5, 3, 2, 9, 1):
                observed(np.array([x, 0.0]))
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["hits"]["evaluation"].tolist() == [1, 3, 4, 6]
        assert file["hit_seconds"]["seconds"].tolist() == [0.25, 0.75, 1.0, 1.5]
        expected = 0.25 * file["trajectory"]["evaluation"]
        np.testing.assert_array_equal(file["trajectory_seconds"]["seconds"], expected)
        assert file["origin"]["host"][0] == platform.node().encode()
    log = read_log(tmp_path)
    assert log.hit_seconds(0).tolist() == [0.25, 0.75, 1.0, 1.5]
    assert log.trajectory_seconds(0)[-1] == 1.5


def test_without_a_clock_a_log_says_nothing_of_seconds(tmp_path):
    with Observer(tmp_path / "a.h5", "a") as observer:
        for observed in observer([sphere()]):
            observed(np.ones(3))
    with h5py.File(tmp_path / "a.h5") as file:
        assert not {"hit_seconds", "trajectory_seconds", "origin", "dropped"} & set(file)
    assert read_log(tmp_path).hit_seconds(0).shape == (0,)


@pytest.mark.parametrize("is_measured", [True, False])
def test_a_run_whose_process_died_keeps_its_seconds(tmp_path, monkeypatch, is_measured):
    now = [0.0]
    monkeypatch.setattr(clock_module, "perf_counter", lambda: now[0])
    reading = RunMemory.create(tmp_path / "memory")
    shared = RunMemory.open(tmp_path / "memory")
    shared.begin_run()
    run = observe(sphere(), clock="measured" if is_measured else lambda: now[0], memory=shared)
    scheduled = evaluation_schedule(3)
    for number in range(1, 30):
        now[0] = number / 8
        run(np.full(3, 0.7**number))
    problem = sphere()
    lost = make_lost_record(
        reading, problem, RunIdentity("a", problem.problem_id), "failed", "gone"
    )
    assert len(lost.hits) > 5
    np.testing.assert_array_equal(lost.hit_seconds["seconds"], lost.hits["evaluation"] / 8)
    counts = [count for count in scheduled if count < 30]
    known = lost.trajectory_seconds["seconds"]
    assert known[: len(counts)].tolist() == [count / 8 for count in counts]
    assert len(known) == len(lost.trajectory)
    if not is_measured:
        assert known[-1] == max(lost.hits["evaluation"][-1], counts[-1]) / 8


def test_evaluations_whose_values_nobody_knows_count(tmp_path):
    """At a restart, and after the target was hit; the log says how many there were."""
    problem = scripted([5.0, 4.0, 1e-9])
    run = observe(problem, StopConditions(10), clock=lambda: 2.0)
    run([0, 0])
    run.drop(3)
    run([1, 0])
    assert (run.evaluations, run.evaluations_left) == (5, 5)
    with pytest.raises(BaseException, match="final target hit at evaluation 6"):
        run([2, 0])
    run.drop(2)
    record = run.finish("target")
    with pytest.raises(ObservationError, match="this run has ended"):
        run.drop(1)
    assert (record.evaluations, record.evaluations_constraints) == (8, 0)
    assert record.hits["evaluation"].tolist() == [1, 5, 6]
    assert record.dropped.tolist() == [(4, 3), (8, 2)]
    assert set(evaluation_schedule(2)) & {2, 3, 4} <= set(record.trajectory["evaluation"].tolist())
    with LogWriter(tmp_path / "a.h5", LogHeader({"a": {}})) as writer:
        writer.add(record)
    assert read_log(tmp_path).dropped(0).tolist() == [(4, 3), (8, 2)]


def test_constraints_that_were_to_be_evaluated_count_with_them():
    problem = problem_from(
        lambda x: float(x @ x), 2, optimal_value=0.0,
        constraint=lambda x: np.array([-1.0]), number_of_constraints=1,
    )  # fmt: skip
    run = observe(problem)
    run.drop(4)
    record = run.finish("terminated")
    assert (record.evaluations, record.evaluations_constraints) == (4, 4)


@pytest.mark.parametrize("wrong", [[2.0, 1.0], [-1.0, 2.0], [0.0, np.nan], [0.0, np.inf]])
def test_seconds_that_fall_or_are_no_times_are_refused(tmp_path, monkeypatch, wrong):
    run = observe(scripted([50.0, 5.0, 5.0]), record="improvements")
    run([0, 0])
    run([1, 0])
    record = run.finish("terminated")
    timed = {"hit_seconds": as_rows(SECONDS, wrong)}
    with pytest.raises(ObservationError, match="seconds must be finite, and not fall"):
        replace(record, **timed)
    monkeypatch.setattr(run_record, "is_clock", lambda seconds: True)
    writer = LogWriter(tmp_path / "a.h5", LogHeader({"a": {}}))
    writer.add(replace(record, **timed))
    writer.abandon()
    with pytest.raises(LogFormatError, match="hit_seconds are no times, or fall"):
        read_log(tmp_path).hit_seconds(0)


def test_first_hits_of_untimed_runs_have_no_seconds(tmp_path):
    for name, clock in (("timed", "measured"), ("untimed", "none")):
        with Observer(tmp_path / f"{name}.h5", name, clock=clock) as observer:
            for problem in observer([sphere()]):
                problem(np.zeros(3))
    log = read_log([tmp_path / "timed.h5", tmp_path / "untimed.h5"])
    timed = np.flatnonzero(log.runs.algorithm == "timed")
    assert np.isfinite(log.first_hits(timed, [1e2], in_seconds=True).evaluations).all()
    with pytest.raises(ValueError, match="1 of 2 runs were not timed"):
        log.first_hits([0, 1], [1e2], in_seconds=True)

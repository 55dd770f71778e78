"""Runs of a group are made one after the other in one thread, and come out as each alone would."""

import gc
import os
import pickle
import signal
import threading
import time
import weakref
from dataclasses import replace
from itertools import chain

import cloudpickle
import numpy as np
import pytest

from firsthit.loggers import STATUSES, LogHeader
from firsthit.loggers.errors import ObservationError
from firsthit.loggers.hdf5 import ragged_columns as ragged
from firsthit.loggers.hdf5.deduplicate import join
from firsthit.loggers.hdf5.ragged_columns import Picked, Ragged
from firsthit.loggers.observation.flight import FLIGHT_BYTES, FlightMemory
from firsthit.loggers.observation.forks import _alive
from firsthit.loggers.records.table import tabulate
from firsthit.runner import (
    OptimizerRef,
    ProcessExecutor,
    RunRules,
    RunSpec,
    WorkerDied,
    parse_budget,
    run_one,
)
from firsthit.runner.execution import series
from firsthit.runner.execution.guard import RunProblem
from firsthit.runner.execution.restart_loop import load
from firsthit.runner.execution.run import lost_run, run_group
from firsthit.runner.execution.seeds import descendant, run_words, seed_number
from firsthit.runner.execution.series import Series
from firsthit.runner.executors.workplace import HERE, WorkerPlace, Workplace
from firsthit.suites import ProblemId

TIMES = ("wall_seconds", "cpu_seconds", "problem_seconds")


def walk(problem, rng, x0):
    x = x0
    for _ in range(60):
        trial = x + rng.standard_normal(len(x))
        x = min(x, trial, key=problem)
    problem.recommend(x)


def specs(optimizer, count=6, **rules):
    ref = OptimizerRef("walk", optimizer)
    rules = RunRules(**{"restarts": 0, **rules})
    return [
        RunSpec(ProblemId("bbob", 1 + i % 3, 2 + i % 2, 1), ref, rules, i) for i in range(count)
    ]


@pytest.fixture
def worker():
    """This thread is a worker's, where runs are prepared many at once."""
    place = WorkerPlace(FlightMemory(bytearray(FLIGHT_BYTES)))
    token = HERE.set(place)
    yield place
    HERE.reset(token)


def check_equal(one, other):
    assert one.functions == other.functions
    assert one.messages == other.messages
    assert one.headers == other.headers
    for name in set(other.runs.dtype.names) - set(TIMES):
        assert one.runs[name].tolist() == other.runs[name].tolist(), name
    for name, entries in other.ragged.items():
        assert one.ragged[name].offset.tolist() == entries.offset.tolist()
        for column, values in entries.columns.items():
            assert one.ragged[name].columns[column].dtype == values.dtype
            assert one.ragged[name].columns[column].tobytes() == values.tobytes()


@pytest.mark.parametrize("restarts", [0, 2])
def test_a_group_is_the_table_of_its_runs(restarts):
    runs = specs(walk, restarts=restarts)
    check_equal(run_group(runs, np.inf), tabulate([run_one(run) for run in runs], ""))


@pytest.mark.parametrize("most", [1, 4, 128])
def test_runs_prepared_many_at_once_are_the_same(most, worker, monkeypatch):
    runs = specs(walk, 11, restarts=1)
    monkeypatch.setattr(series, "_MOST_PREPARED", most)
    together = run_group(runs, np.inf)
    HERE.set(Workplace())
    check_equal(together, tabulate([run_one(run) for run in runs], ""))


def test_those_that_do_not_end_cost_no_others(worker):
    """One sleeps beyond its time, one never listens, one fails; all were prepared before."""
    runs = specs(mixed, 9, timeout_seconds=0.3, budget=parse_budget(5))
    table = run_group(runs, np.inf)
    others = {1: "timeout", 4: "failed"}
    statuses = [STATUSES[code] for code in table.runs["status"]]
    assert statuses == [others.get(k, "budget") for k in range(9)]
    assert table.runs["repetition"].tolist() == list(range(9))
    assert table.runs["evaluations"].tolist() == [5, 1, 5, 5, 2, 5, 5, 5, 5]
    assert worker.has_leftovers


def mixed(problem, seed, x0):
    kind = {seed_of_run(k): k for k in range(9)}[seed]
    problem(x0)
    if kind == 1:
        time.sleep(1.0)
    problem(x0)
    if kind == 4:
        raise ValueError("no")
    while True:
        try:
            problem(x0)
        except BaseException:
            if kind != 7:
                raise


def seed_of_run(k):
    problem = ProblemId("bbob", 1 + k % 3, 2 + k % 2, 1)
    return seed_number(descendant(run_words(1, problem, "walk", k), 0))


class Counting:
    """An optimizer with a state: it evaluates once more at each call."""

    calls = 0

    def __call__(self, problem, x0):
        self.calls += 1
        for _ in range(self.calls):
            problem(x0)


def test_a_group_has_optimizers_of_its_own_or_those_that_a_text_names(worker):
    ref = OptimizerRef("walk", Counting())
    for _ in range(2):
        sent = pickle.loads(cloudpickle.dumps([replace(s, optimizer=ref) for s in specs(walk, 3)]))
        assert run_group(sent, np.inf).runs["evaluations"].tolist() == [1, 2, 3]
    ref = OptimizerRef("walk", "scipy:Nelder-Mead", {"maxiter": 3})
    loaded = []
    for _ in range(2):
        sent = pickle.loads(cloudpickle.dumps([replace(s, optimizer=ref) for s in specs(walk, 3)]))
        loaded += [worker.optimizer(spec, load) for spec in sent]
    assert len(set(map(id, loaded))) == 1
    other = replace(sent[0], optimizer=replace(ref, parameters={"maxiter": 4}))
    assert worker.optimizer(other, load).call.parameters == {"maxiter": 4}


def test_a_fork_concerns_the_run_at_hand_only(worker):
    """Others were prepared, and some are over."""
    counted = []

    def forks(problem, seed, x0):
        problem(x0)
        child = os.fork()
        if child == 0:
            try:
                if seed == seed_of_run(3):
                    problem(x0)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        counted.append(sum(observed._elsewhere is not None for observed in _alive()))

    table = run_group(specs(forks, 6), np.inf)
    others = {3: "failed"}
    statuses = [STATUSES[code] for code in table.runs["status"]]
    assert statuses == [others.get(k, "terminated") for k in range(6)]
    assert counted == [1, 2, 3, 4, 5, 6]


def test_the_memory_that_a_worker_shares_tells_at_which_run_it_died():
    """Of those that were prepared; and what it had reached."""
    deadly = seed_of_run(5)

    def dies(problem, seed, x0):
        problem(x0)
        if seed == deadly:
            problem(x0)
            os.kill(os.getpid(), signal.SIGKILL)

    executor = ProcessExecutor(1)
    try:
        error = executor.submit(run_group, tuple(specs(dies, 9)), np.inf).exception(60)
    finally:
        executor.close()
    assert isinstance(error, WorkerDied)
    assert error.flight.number == 5
    lost = lost_run(specs(dies, 9)[5], "failed", str(error), error.flight)
    assert lost.evaluations == 2


def test_no_run_but_the_first_begins_when_time_is_over():
    assert len(run_group(specs(walk), -1.0)) == 1
    assert len(run_group(specs(walk), np.inf)) == 6


def test_no_run_begins_that_would_end_too_late_if_it_lasted_as_the_longest(monkeypatch):
    now = 0.0
    lasting = iter([1.0, 3.0, 2.0, 1.0, 1.0])

    def waiting(problem, x0):
        nonlocal now
        problem(x0)
        now += next(lasting)

    monkeypatch.setattr(series.time, "monotonic", lambda: now)
    assert len(run_group(specs(waiting, 5), 8.9)) == 3
    assert now == 6.0


def test_one_thread_makes_all_runs_and_another_goes_on_after_a_run_that_hangs():
    threads, spins = [], iter([False, False, True, False, False])

    def hanging(problem):
        threads.append(threading.current_thread())
        problem(problem.initial_solution)
        while next(spins) if problem.evaluations == 1 else False:
            _spin()

    table = run_group(specs(hanging, 5, timeout_seconds=0.3), np.inf)
    statuses = ["terminated", "terminated", "timeout", "terminated", "terminated"]
    codes = {"terminated": 2, "timeout": 4}
    assert table.runs["status"].tolist() == [codes[status] for status in statuses]
    assert table.runs["evaluations"].tolist() == [1] * 5
    assert threads[0] is threads[1] is threads[2]
    assert threads[2] is not threads[3] is threads[4]


def failing(problem, rng, x0):
    problem(x0)
    raise ValueError("no more")


def hitting(problem, rng, x0):
    problem(problem.problem.optimal_solution)


@pytest.mark.parametrize(
    ("optimizer", "budget", "status"),
    [
        (walk, None, "terminated"),
        (walk, 20, "budget"),
        (failing, None, "failed"),
        (hitting, None, "target"),
    ],
)
def test_a_run_is_forgotten_when_it_ends(optimizer, budget, status):
    """Also where an exception ended it, whose traceback knows everything."""
    seen = []

    def watched(problem, rng, x0):
        seen.append(weakref.ref(problem))
        optimizer(problem, rng, x0)

    series = Series(specs(watched, 3, budget=parse_budget(budget)), RunProblem.outcome, None)
    gc.collect()
    gc.disable()
    try:
        outcomes = series.make()
        assert [ref() for ref in seen] == [None] * 3
    finally:
        gc.enable()
    assert {outcome.status for outcome in outcomes} == {status}


def _spin():
    while True:
        time.sleep(0.001)


def test_a_run_whose_records_are_out_of_order_spoils_no_log():
    [outcome] = Series(specs(walk, 1), RunProblem.outcome, None).make()
    evaluations = outcome.recorded.trajectory[0]
    evaluations[0], evaluations[1] = evaluations[1], evaluations[0]
    with pytest.raises(ObservationError, match="trajectory/evaluation"):
        tabulate([outcome], "")
    evaluations[0], evaluations[1] = evaluations[1], evaluations[0]
    tabulate([outcome], "")
    outcome.recorded.hits[0].reverse()
    with pytest.raises(ObservationError, match="hits/target"):
        tabulate([outcome], "")
    outcome.recorded.hits[0].reverse()
    outcome.evaluations = 3
    with pytest.raises(ObservationError, match="out of order, or of range"):
        tabulate([outcome], "")


@pytest.mark.parametrize("key", [(), (0,), (7,), (2**32 - 1,), (3, 0)])
def test_descendants_are_those_of_numpy(key):
    words = (1, *range(5, 13))
    ours, theirs = descendant(words, *key), np.random.SeedSequence(words, spawn_key=key)
    assert ours.generate_state(8).tolist() == theirs.generate_state(8).tolist()
    assert (
        ours.spawn(2)[1].generate_state(4).tolist() == theirs.spawn(2)[1].generate_state(4).tolist()
    )
    assert seed_number(ours) == int(theirs.generate_state(1)[0]) % (2**31 - 1) + 1


@pytest.mark.parametrize("few", [0, 5, 2**22])
def test_scattered_entries_are_gathered_as_run_by_run(few, monkeypatch):
    monkeypatch.setattr(ragged, "_FEW_ENTRIES", few)
    rng = np.random.default_rng(1)
    for _ in range(100):
        tables = []
        for _ in range(rng.integers(1, 4)):
            offset = np.concatenate(([0], np.cumsum(rng.integers(0, 4, rng.integers(1, 6)))))
            values = rng.integers(0, 1000, offset[-1])
            tables.append(Ragged(offset.astype("<u8"), {"x": values, "y": -values}))
        source = rng.integers(0, len(tables), rng.integers(0, 12)).astype(np.int32)
        rows = np.array([rng.integers(len(tables[s].offset) - 1) for s in source], np.int64)
        parts = [tables[s].of(row)["x"].tolist() for s, row in zip(source, rows, strict=True)]
        columns = Picked(tables, source, rows).columns
        assert columns["x"].tolist() == list(chain(*parts))
        assert columns["y"].tolist() == [-number for number in chain(*parts)]


def test_a_joined_table_keeps_the_entries_of_scattered_runs():
    header = (LogHeader().to_json(),)
    groups = [run_group(specs(walk)[i::2], np.inf) for i in range(2)]
    tables = [replace(table, headers=header) for table in groups]
    whole, joined = tabulate([run_one(run) for run in specs(walk)], ""), join(tables, [1, 2])
    place = {key: i for i, key in enumerate(whole.runs["key"].tolist())}
    for i, key in enumerate(joined.runs["key"].tolist()):
        expected = whole.ragged["hits"].of(place[key])["evaluation"].tolist()
        assert joined.ragged["hits"].of(i)["evaluation"].tolist() == expected

"""What an observed problem promises to the algorithm, to the loop's owner and to the log.

Private names: the clock and the stop conditions of a run are replaced.
"""

import contextlib
import copy
import dataclasses
import multiprocessing
import pickle
import re
import sys
import threading
import time

import numpy as np
import pytest

from firsthit.loggers import (
    BudgetExhausted,
    FinalTargetHit,
    Indicator,
    TimeExhausted,
    observe_problem,
    register_indicator,
)
from firsthit.loggers.errors import ObservationError
from firsthit.loggers.observation import observed_problem as observed_module
from firsthit.loggers.observation.clock import RunClock
from firsthit.loggers.observation.run_result import make_lost_record
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records.dtypes import HITS, as_rows
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.run_record import SuiteFacts
from firsthit.suites import Problem, Suite, problem_from
from firsthit.suites.errors import EvaluationError
from firsthit.suites.facts import ProblemFacts, ProblemId

from .conftest import random_run
from .problems import scripted, sphere

ONES = np.ones(3)


def observe(problem=None, **stop):
    problem = sphere() if problem is None else problem
    conditions = StopConditions(**{"final_target": False, **stop})
    return observe_problem(problem, RunIdentity("a", problem.problem_id), conditions)


def test_a_loop_body_written_for_cocoex_runs():
    problem = observe(
        problem_from(lambda x: float(x @ x) + 1, 3, optimal_value=0.5), budget_evaluations=50
    )
    problem(np.zeros(problem.dimension) + 1)
    propose = problem.initial_solution_proposal
    while problem.evaluations_left > 10 and not problem.final_target_hit:
        x = propose()
        assert isinstance(problem(x), float)
        assert problem.constraint(x).shape == (0,)
        problem.recommend(x)
    assert problem.evaluations + problem.evaluations_constraints == 40
    assert (problem.number_of_objectives, problem.number_of_constraints) == (1, 0)
    assert problem.number_of_variables == 3
    assert problem.largest_fvalues_of_interest is None
    assert problem.number_of_integer_variables == 0
    assert np.all(problem.lower_bounds < problem.upper_bounds)
    assert problem.bounds == [(-5.0, 5.0)] * 3
    np.testing.assert_array_equal(problem.bounds.lb, problem.lower_bounds)
    np.testing.assert_array_equal(problem.bounds.ub, problem.upper_bounds)
    assert problem.best_observed_fvalue1 == problem.best_observed_value == 1.0


@pytest.mark.parametrize(
    "name", ["problem", "optimal_value", "optimal_solution", "reference_value"]
)
def test_the_optimum_is_the_owners_not_the_algorithms(name):
    with pytest.raises(AttributeError, match=r"the loop's owner asks the suite"):
        getattr(observe(), name)


@pytest.mark.parametrize("suite", ["bbob", "bbob-noisy", "bbob-constrained", "bbob-biobj"])
def test_nothing_that_an_algorithm_is_given_leads_to_the_optimum(suite):
    """No public attribute is the problem, nor the place or the value of its optimum."""
    problem = Suite(suite)[0]
    secret = [problem.optimal_solution, np.asarray(problem.reference_value)]
    observed = observe_problem(problem, RunIdentity("a", problem.problem_id, 0))
    for name in dir(observed):
        if name.startswith("_") or not hasattr(observed, name):
            continue
        value = getattr(observed, name)
        assert value is not problem
        assert getattr(value, "__self__", observed) is observed
        if isinstance(value, np.ndarray | float):
            assert not any(np.array_equal(value, one) for one in secret), name


def test_the_identity_is_there_under_the_names_of_cocoex():
    observed = observe()
    assert (observed.id, observed.name, observed.suite) == ("user_f001_i01_d03", "sphere", "user")
    assert (observed.id_function, observed.id_dimension, observed.id_instance) == (1, 3, 1)
    assert observed.observe_with("an observer") is observed
    observed.free()
    assert observed(ONES) == 3.0


def test_proposals_begin_with_the_initial_solution_and_repeat_from_the_key():
    one, two = observe(), observe()
    np.testing.assert_array_equal(one.initial_solution_proposal(), one.initial_solution)
    second = one.initial_solution_proposal()
    assert not np.array_equal(second, one.initial_solution)
    two.initial_solution_proposal(0)
    np.testing.assert_array_equal(two.initial_solution_proposal(1), second)


@pytest.mark.parametrize(
    "bad",
    [
        np.ones(2),
        np.ones((2, 2)),
        np.ones((1, 1, 3)),
        np.ones(3, dtype=complex),
        np.array([1 + 1j, 2, 3]),
        ["a", "b", "c"],
        [None] * 3,
        "abc",
        1.0,
        [[1, 2], [3]],
        [[[1], [1, 2]]],
        object,
        np.array([1, 2, 3], dtype=object),
    ],
    ids=repr,
)
@pytest.mark.parametrize("before", [0, 8])
def test_a_bad_x_is_an_error_that_names_the_problem_and_is_not_counted(bad, before):
    observed = observe(budget_evaluations=1000)
    for _ in range(before):
        observed(ONES)
    with pytest.raises(EvaluationError, match="user_f001_i01_d03"):
        observed(bad)
    observed([1, 2, 3])
    assert observed.evaluations == before + 1


def test_a_run_without_finite_values_has_no_best():
    observed = observe(scripted([np.nan]))
    observed([0, 0])
    assert observed.best_observed_solution is None
    record = observed.finish("terminated")
    assert record.best_precision == np.inf
    assert record.best_solution.shape == (0,)


def test_the_budget_is_never_exceeded_and_keeps_raising():
    calls = []
    problem = problem_from(lambda x: calls.append(1) or float(x @ x), 3)
    observed = observe(problem, budget_evaluations=3)
    for _ in range(3):
        observed(ONES)
    assert observed.evaluations_left == 0
    for x in (ONES, ONES, np.ones((2, 3)), [1, 2, 3]):
        with pytest.raises(BudgetExhausted, match="budget of 3 evaluations"):
            observed(x)
    assert observed.evaluations == len(calls) == 3


def test_an_error_of_the_function_passes_and_is_counted():
    problem = problem_from(lambda x: 1 / float(x[0]), 3)
    observed = observe(problem)
    for before in range(10):
        with pytest.raises(ZeroDivisionError):
            observed([0, 1, 1])
        assert observed.evaluations == 2 * before + 1
        observed(ONES)


def test_an_empty_batch_costs_nothing():
    observed = observe(budget_evaluations=1)
    observed(ONES)
    assert observed(np.empty((0, 3))).shape == (0,)
    assert observed.evaluations == 1


def test_the_final_target_stops_after_its_hit_is_recorded():
    observed = observe(scripted([1.0, 1e-8, 0.0]), final_target=True)
    observed([0, 0])
    for _ in range(2):
        with pytest.raises(FinalTargetHit, match="evaluation 2"):
            observed([1, 0])
    assert observed.final_target_hit
    record = observed.finish("target")
    assert record.evaluations == 2
    assert record.hits["target"][-1] == 1e-8


@pytest.mark.parametrize("budget", [0, -1, 1.5, True])
def test_a_budget_that_is_no_positive_integer_is_refused(budget):
    with pytest.raises(ObservationError, match="budget_evaluations is"):
        StopConditions(budget)


def test_changing_x_afterwards_changes_nothing():
    observed = observe()
    x, batch = np.ones(3), np.ones((2, 3)) / 2
    observed(x)
    x[:] = 9
    assert observed.best_observed_solution.tolist() == [1, 1, 1]
    observed(batch)
    batch[:] = 9
    observed.best_observed_solution[:] = 7
    assert observed.finish("terminated").best_solution.tolist() == [0.5] * 3


def test_restarts_and_recommendations_are_recorded():
    observed = observe()
    observed(ONES)
    observed.restart("stagnation\x00", seed=2**63, start=[1.0, 2.0, 3.0])
    observed.restart()
    observed.recommend([0, 0, 2])
    record = observed.finish("terminated")
    assert record.evaluations == 1
    assert record.restarts["evaluation"].tolist() == [1, 1]
    assert record.restarts["seed"].tolist() == [2**63, 0]
    assert record.restarts["reason"].tolist() == [b"stagnation", b""]
    assert len(record.restarts["start_hash"][0]) == 16
    assert record.recommendations["precision"].tolist() == [4.0]
    assert record.recommended_solutions.tolist() == [[0, 0, 2]]


def test_a_run_ends_although_an_evaluation_never_lets_go(monkeypatch):
    monkeypatch.setattr(observed_module, "_LOCK_TIMEOUT_SECONDS", 0.01)
    observed = observe(sphere())
    observed(np.ones(3))
    thief = threading.Thread(target=observed._lock.acquire)
    thief.start()
    thief.join()
    assert observed.finish("terminated").evaluations == 1


def test_a_finished_run_evaluates_no_more_and_ends_once():
    observed = observe()
    observed(ONES)
    observed.finish("terminated")
    for use in (
        lambda: observed(ONES),
        lambda: observed(np.ones((2, 3))),
        lambda: observed.constraint(ONES),
        lambda: observed.recommend(ONES),
        lambda: observed.restart(),
        lambda: observed.finish("terminated"),
    ):
        with pytest.raises(ObservationError, match="this run has ended"):
            use()
    assert observed.evaluations == 1


def test_unknown_status_and_record_are_refused():
    with pytest.raises(ObservationError, match="status is 'done'; allowed are: target, budget"):
        observe().finish("done")
    problem = sphere()
    with pytest.raises(ObservationError, match="record is 'all'"):
        observe_problem(problem, RunIdentity("a", problem.problem_id), record="all")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 201, None, "a\u202eb"])
def test_a_name_that_cannot_stand_in_a_log_is_refused(name):
    with pytest.raises(ObservationError, match="algorithm"):
        RunIdentity(name, sphere().problem_id)


@pytest.mark.parametrize("number", [-1, 2**32, 1.5, None])
def test_a_number_that_a_log_cannot_hold_is_refused(number):
    with pytest.raises(ObservationError, match="repetition is"):
        RunIdentity("a", sphere().problem_id, number)


def test_the_key_depends_on_every_name_and_is_stable():
    problem = ProblemId("bbob", 1, 2, 3)
    identity = RunIdentity("a", problem)
    assert identity.key == "e04274e230dfa7504887168d74a52407"
    others = [
        RunIdentity("b", problem),
        RunIdentity("a", ProblemId("bbob", 1, 3, 2)),
        RunIdentity("a", problem, 1),
        RunIdentity("a", problem, 0, 1),
        RunIdentity("a", problem, 0, 0, 1),
    ]
    assert len({identity.key, *(other.key for other in others)}) == 6


def test_pickling_says_why_not():
    with pytest.raises(ObservationError, match="cannot be pickled"):
        pickle.dumps(observe())


def test_copies_are_the_run_itself():
    observed = observe()
    copy.deepcopy({"f": observed})["f"](ONES)
    copy.copy(observed)(ONES)
    assert observed.evaluations == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork, which Windows does not have")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_cannot_evaluate_unseen():
    observed = observe()

    def child(connection):
        try:
            observed(ONES)
            connection.send("evaluated")
        except ObservationError as error:
            connection.send(str(error))

    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=child, args=(theirs,))
    process.start()
    assert "forked process" in ours.recv()
    process.join()


@pytest.mark.parametrize("batch", [False, True])
def test_threads_lose_no_evaluation_and_keep_the_budget(batch):
    budget, workers = 3000, 8
    calls = []
    problem = problem_from(lambda x: calls.append(1) or float(x @ x), 3)
    observed = observe(problem, budget_evaluations=budget)

    def work(seed):
        rng = np.random.default_rng(seed)
        shape = (seed + 1, 3) if batch and seed % 2 else 3
        try:
            while True:
                observed(rng.standard_normal(shape))
        except BudgetExhausted:
            pass

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert observed.evaluations == len(calls) == budget
    record = observed.finish("budget")
    assert np.all(np.diff(record.hits["evaluation"]) > 0)
    assert np.all(np.diff(record.trajectory["evaluation"]) > 0)


def test_a_batch_that_was_taken_for_a_point_takes_no_evaluation_from_other_threads():
    observed = observe(budget_evaluations=100)
    for _ in range(80):  # between two scheduled counts, where any call begins as that of a point
        observed(ONES)

    def spend():
        with contextlib.suppress(BudgetExhausted):
            while True:
                observed(ONES)

    class Points:
        """While it is looked at for the first time, another thread spends what is left."""

        other = threading.Thread(target=spend)

        def __array__(self, dtype=None, copy=None):
            if self.other.ident is None:
                self.other.start()
                self.other.join()
            return np.ones((2, 3))

    with pytest.raises(BudgetExhausted):
        observed(Points())
    assert observed.evaluations == 100


def test_slow_evaluations_are_timed_one_by_one_and_fast_ones_sampled():
    clock = iter(np.arange(0, 1e6, 0.5))
    observed = observe()
    for _ in range(300):
        observed(ONES)
    record = observed.finish("terminated")
    assert 0 < record.problem_seconds <= record.wall_seconds
    assert record.cpu_seconds >= 0
    slow = problem_from(lambda x: float(sum(range(20_000)) + next(clock)), 3)
    observed = observe(slow)
    for _ in range(30):
        observed(ONES)
    record = observed.finish("terminated")
    assert 0.5 * record.wall_seconds < record.problem_seconds <= record.wall_seconds


def constrained() -> Problem:
    """x0 is to be minimised, and must be >= 0."""
    facts = ProblemFacts(
        name="constrained",
        lower_bounds=np.full(2, -5.0),
        upper_bounds=np.full(2, 5.0),
        optimal_value=0.0,
        number_of_constraints=1,
        constraint=lambda x: -np.asarray(x)[..., :1],
    )
    return Problem(
        ProblemId("user", 1, 2, 1), facts, lambda x: float(x[0]), lambda points: points[:, 0]
    )


def test_infeasible_points_are_no_hits():
    points = np.array([[3.0, 0], [-1.0, 0], [1.0, 0], [-5.0, 0], [0.0, 0]])
    one, two = observe(constrained()), observe(constrained())
    for x in points:
        one(x)
    two(points[:2])
    two(points[2])
    two(points[3:])
    one.constraint(points[0])
    two.constraint(points[0])
    records = [run.finish("target") for run in (one, two)]
    assert records[0].same_outcome(records[1])
    assert records[0].hits["evaluation"].tolist() == [1, 3, 5]
    assert records[0].evaluations_constraints == 1


class _Measured(Indicator):
    """The value itself, but through the indicator: at every evaluation."""

    def __init__(self, problem):
        pass

    def measure(self, points, values):
        assert len(points) == len(values)
        return values


class _MeasuredIfBetter(_Measured):
    """The same, at evaluations that are better."""

    is_at_least_the_value = True


register_indicator("measured", _Measured)
register_indicator("measured-if-better", _MeasuredIfBetter)


def test_the_fast_path_equals_the_way_through_the_indicator():
    records = []
    for indicator in (None, "measured", "measured-if-better"):
        rng = np.random.default_rng(3)
        problem = sphere()
        observed = observe_problem(
            problem,
            RunIdentity("a", problem.problem_id),
            StopConditions(400, final_target=False),
            indicator=indicator,
        )
        for t in range(300):
            x = rng.standard_normal(3) * 0.98**t
            observed(x if t % 3 else np.array([x, x / 2]))
        records.append(observed.finish("budget"))
    one, *others = (dataclasses.replace(record, suite=records[0].suite) for record in records)
    assert all(one.same_outcome(other) for other in others)


def test_a_record_travels_by_pickle_and_knows_its_equals():
    record = random_run()
    assert pickle.loads(pickle.dumps(record)).same_outcome(record)
    assert not record.same_outcome(random_run(repetition=1))
    assert not record.same_outcome(random_run(evaluations=199))


def test_error_texts_are_cleaned_and_cut():
    record = observe().finish("failed", "a\x1b[31mred\u202e\n" + "é" * 3000)
    assert record.error.startswith("a[31mred\né")
    assert len(record.error.encode()) <= 2000


def test_a_record_that_contradicts_itself_is_refused_where_it_is_made():
    record = random_run(evaluations=50)
    for evaluations in (1, 49):
        with pytest.raises(ObservationError, match=f"ascend from 1 to {evaluations}"):
            dataclasses.replace(record, evaluations=evaluations)
    with pytest.raises(ObservationError, match=r"one number for each variable.*dimension is 3"):
        dataclasses.replace(record, best_solution=np.zeros(2))
    with pytest.raises(ObservationError, match="must not rise"):
        dataclasses.replace(record, hits=as_rows(HITS, [1.0, 2.0], [1, 2], [0.0, 0.0]))


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"budget": -1}, "budget is -1"),
        ({"evaluations": -1}, "evaluations is -1"),
        ({"evaluations": 2**63}, "evaluations is 9223372036854775808"),
        ({"evaluations_constraints": -1}, "evaluations_constraints is -1"),
        ({"hits": as_rows(HITS, [np.nan], [1], [0.0])}, "must not be NaN"),
        ({"recommended_solutions": np.zeros((2, 3))}, "recommended solutions must have"),
        ({"suite": SuiteFacts("bbob", "1\n")}, "version of the suite is '1"),
    ],
)
def test_a_record_that_no_reader_would_accept_is_refused_where_it_is_made(wrong, reason):
    """One accepted record of this kind would make the whole log unreadable."""
    with pytest.raises(ObservationError, match=re.escape(reason)):
        dataclasses.replace(random_run(evaluations=50), **{"hits": as_rows(HITS), **wrong})


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed):
    problem = sphere()
    with pytest.raises(ObservationError, match="seed is"):
        make_lost_record(
            None, problem, RunIdentity("a", problem.problem_id), "failed", "", seed=seed
        )


def test_a_slow_evaluation_makes_the_next_one_timed_and_fast_ones_stand_for_the_rest():
    clock = RunClock()
    clock.start()
    clock.add_point(1e-3)
    assert clock.is_slow
    clock.add_point(2e-9)
    assert not clock.is_slow
    clock.add_batch(1e-3, 10)
    untimed = 4
    expected = 2e-3 + 2e-9 + untimed * 2e-9
    time.sleep(0.01)
    times = clock.compute_times(time.perf_counter(), time.process_time(), 12 + untimed)
    assert times.problem == pytest.approx(expected, rel=1e-12)


def test_no_evaluation_is_made_after_the_time_limit(monkeypatch):
    now = [10.0]
    monkeypatch.setattr(observed_module, "monotonic", lambda: now[0])
    observed = observe(timeout_seconds=2.0)
    for _ in range(7):
        observed(ONES)
    now[0] = 12.0
    for x in (ONES, np.ones((2, 3)), ONES):
        with pytest.raises(TimeExhausted, match="time limit of 2 s"):
            observed(x)
    record = observed.finish("timeout")
    assert record.evaluations == 7
    assert record.hits["evaluation"].tolist() == [1]


@pytest.mark.parametrize("timeout", [0.0, -1.0, np.nan, np.inf])
def test_a_time_limit_that_is_not_positive_is_refused(timeout):
    with pytest.raises(ObservationError, match="timeout_seconds is"):
        StopConditions(timeout_seconds=timeout)


def test_after_a_restart_with_a_start_point_the_run_starts_there():
    observed = observe()
    observed.restart("anew", start=[1.0, 2.0, 3.0])
    assert observed.initial_solution.tolist() == [1.0, 2.0, 3.0]
    assert observed.initial_solution_proposal(0).tolist() == [0.0, 0.0, 0.0]


def test_notes_are_logged_at_hits_and_scheduled_counts():
    observed = observe(scripted([5.0, 4.99, 1.0, *[9.0] * 20]))
    observed.note(sigma=2.0)
    observed([0, 0])
    observed([1, 0])
    observed.note(sigma=0.5, popsize=10)
    observed([2, 0])
    for i in range(3, 12):
        observed([i, 0])
    notes = observed.finish("terminated").notes
    assert notes["name"].tolist()[:4] == [b"sigma", b"sigma", b"sigma", b"popsize"]
    assert notes["value"].tolist()[:4] == [2.0, 2.0, 0.5, 10.0]
    assert notes["evaluation"].tolist() == [1, 2, *np.repeat([3, 4, 5, 6, 7, 8, 10, 11, 12], 2)]
    with pytest.raises(ObservationError, match=r"note sigma='wide' is no number"):
        observe().note(sigma="wide")


class _Watching:
    def __init__(self):
        self.seen = []

    def refused(self, error):
        self.seen.append(type(error).__name__)

    def announced(self):
        self.seen.append("announced")


def test_a_monitor_is_told_of_every_refusal():
    monitor = _Watching()
    problem = sphere()
    observed = observe_problem(
        problem, RunIdentity("a", problem.problem_id), StopConditions(2), monitor=monitor
    )
    observed.restart("first")
    for x in (ONES, [1, 2], ONES, ONES, np.ones((2, 3))):
        with contextlib.suppress(EvaluationError, BudgetExhausted):
            observed(x)
    observed.finish("budget")
    with pytest.raises(ObservationError):
        observed(ONES)
    assert monitor.seen == [
        "announced", "EvaluationError", "BudgetExhausted", "BudgetExhausted", "ObservationError",
    ]  # fmt: skip

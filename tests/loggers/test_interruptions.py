"""Signal handlers, finalizers and deep recursions that interrupt an evaluation, or evaluate.

An exception that interrupts the recording of an evaluation ends the run there. The record then
equals the independent count up to this evaluation. An exception anywhere else in an evaluation does
not end the run: the evaluation counts, and its value may be missing.

Private names: evaluations are interrupted at each line of the recording code.
"""

import contextlib
import dis
import gc
import itertools
import math
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.loggers import (
    ObservedProblem,
    Observer,
    RecordInterrupted,
    observe_problem,
    read_log,
)
from firsthit.loggers.errors import ObservationError
from firsthit.loggers.observation import clock, memory
from firsthit.loggers.observation.stops import RunStop, StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.run_record import RunRecord
from firsthit.suites import problem_from

from .witness import Witness, is_ours

FREE = StopConditions(final_target=False)
Step = Callable[[ObservedProblem], Any]


class Interruption(Exception):
    """Raised at a moment of an evaluation."""


@cache
def find_checks(code) -> frozenset[int]:
    """Offsets of the instructions before which CPython has just looked for signals.

    It looks after calls, when a function begins, and when a loop jumps back.
    """
    instructions = list(dis.get_instructions(code))
    names = ("CALL", "RESUME", "JUMP_BACKWARD")
    return frozenset(
        after.offset
        for before, after in itertools.pairwise(instructions)
        if before.opname.startswith(names)
    )


def interrupt(step: Callable[[], Any], at: int) -> int:
    """Raise `Interruption` at a moment of a step, from 1, and catch it.

    Returns:
        The number of moments of the step until then. Moments are the places in this package where
        CPython looks for signals.
    """
    moments = 0

    def local(frame, event, _):
        nonlocal moments
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_lasti in find_checks(frame.f_code):
            moments += 1
            if moments == at:
                raise Interruption
        return local

    def follow(frame, event, _):
        return local(frame, event, _) if is_ours(frame.f_code.co_filename) else None

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        with contextlib.suppress(Interruption, RunStop):
            step()
    finally:
        sys.settrace(before)
    return moments


class Raw:
    """A function that knows how often it was called, and raises when it is told to."""

    def __init__(self, function):
        self._function = function
        self.calls = 0
        self.raises = False

    def __call__(self, *arguments):
        self.calls += 1
        if self.raises:
            raise Interruption
        return self._function(*arguments)


@dataclass
class Run:
    """Steps of a run, one of which is disturbed."""

    steps: list[Step]
    disturbed: int
    function: Callable[..., Any] = lambda x: float(x @ x)
    stop: StopConditions = FREE
    problem: dict[str, Any] = field(default_factory=dict)
    observed: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        self.raw = Raw(self.function)
        self.called = False
        self.before = 0  # evaluations before the disturbed step
        known = {"optimal_value": 0.0, "batch": self._batch, **self.problem}
        if "constraint" in known:
            self.raw_constraint = Raw(known["constraint"])
            known["constraint"] = self.raw_constraint
        problem = problem_from(self.raw, 3, **known)
        if problem.number_of_objectives == 2:
            region = {"ideal_point": np.zeros(2), "nadir_point": np.full(2, 3.0)}
            problem = problem.wrapped((problem_from, (self.raw, 3)), **region)
        identity = RunIdentity("a", problem.problem_id)
        self.run = observe_problem(problem, identity, self.stop, **self.observed)

    def _batch(self, points):
        if len(points) and self.raw.raises:
            raise Interruption
        return np.array([self.raw(x) for x in points])

    def make(self, how: str, at: int = 0) -> RunRecord:
        """Make the steps, and return the record.

        Args:
            how: The disturbed step is ``"made"``, ``"skipped"``, or ``"raises"``; or it is one
                evaluation that raises, ``"counted"``; or an exception is raised at a moment of it,
                ``"interrupted"``.
            at: Number of this moment, from 1.
        """
        for number, step in enumerate(self.steps):
            is_disturbed = number == self.disturbed
            if is_disturbed and how == "skipped":
                continue
            if is_disturbed and how == "counted":
                step = evaluate(9, 9, 9)
            raises = is_disturbed and how in ("raises", "counted")
            before, self.raw.raises = self.raw.calls, raises
            if "constraint" in self.problem:
                self.raw_constraint.raises = raises
            if is_disturbed:
                self.before = self.run.evaluations
            with contextlib.suppress(RunStop, Interruption):
                if is_disturbed and how == "interrupted":
                    interrupt(partial(step, self.run), at)
                else:
                    step(self.run)
            if is_disturbed:
                self.called = self.raw.calls > before
        return self.run.finish("terminated")


def evaluate(*x: float) -> Step:
    return lambda run: run(np.array(x))


def falling(first: int, last: int) -> list[Step]:
    """Evaluations of these numbers, one better than the other."""
    return [evaluate(3.0 * 0.7**t, 0, 0) for t in range(first, last + 1)]


def noted(run):
    run.note(sigma=0.5, popsize=7)


def two(x):
    return np.array([float(x @ x), float((x - 1) @ (x - 1))])


def trade_off(t: float) -> Step:
    return evaluate(t, t, t)


def batch(*points: tuple[float, ...]) -> Step:
    return lambda run: run(np.array(points))


NINE = falling(1, 8)  # the ninth evaluation takes the fast path, the tenth is scheduled
REST = [evaluate(9, 9, 9), *falling(40, 42), batch((1e-4, 0, 0), (1, 0, 0), (1e-5, 0, 0))]
HITS = batch((0.1, 0, 0), (3, 0, 0), (0.05, 0, 0), (0.05, 0.01, 0), (0.01, 0, 0), (5, 0, 0))
TWO = {
    "function": two,
    "problem": {"objectives": 2, "optimal_value": None, "reference_value": 0.9},
    "observed": {"indicator": "hypervolume"},
}
FRONT = [trade_off(t) for t in (1.5, 0.9, 0.1, 0.8, 0.2, 0.7, 0.3, -0.5)]
FRONT_BATCH = batch((0.5,) * 3, (0.9,) * 3, (0.45,) * 3, (0.55,) * 3)
TWO_REST = [trade_off(0.65), FRONT_BATCH, trade_off(0.35), trade_off(0.6)]
CONSTRAINED = {"problem": {"constraint": lambda x: x[:1] - 1, "number_of_constraints": 1}}
NOISE = {"noise": lambda points, values, rng: values + 0.25}
IMPROVEMENTS = {"record": "improvements"}


def constraint(run):
    run.constraint(np.zeros(3))


def constraints(run):
    run.constraint(np.zeros((4, 3)))


def restart(run):
    run.restart("stuck", seed=3, start=np.ones(3))


def recommend(run):
    run.recommend(np.full(3, 0.01))


RUNS: dict[str, Callable[[], Run]] = {
    "hit": lambda: Run([noted, *NINE, *falling(9, 9), *REST], 9),
    "scheduled hit": lambda: Run([noted, *falling(1, 10), *REST], 10),
    "scheduled": lambda: Run([noted, *falling(1, 9), evaluate(9, 9, 9), *REST], 10),
    "not better": lambda: Run([*NINE, evaluate(9, 9, 9), *REST], 8),
    "last": lambda: Run(falling(1, 9), 8),
    "batch": lambda: Run([noted, *NINE, HITS, *REST], 9),
    "last batch": lambda: Run([*NINE, HITS], 8),
    "final target": lambda: Run(
        [*NINE, evaluate(1e-5, 0, 0), evaluate(1e-6, 0, 0)], 8, stop=StopConditions()
    ),
    "final target in a batch": lambda: Run(
        [*NINE, batch((1, 0, 0), (1e-5, 0, 0), (1e-6, 0, 0)), evaluate(1e-6, 0, 0)], 8,
        stop=StopConditions(20),
    ),
    "budget": lambda: Run([*NINE, HITS, *REST], 8, stop=StopConditions(11, False)),
    "improvement": lambda: Run([*NINE, *falling(9, 9), *REST], 8, observed=IMPROVEMENTS),
    "memory to grow": lambda: Run(falling(1, 24), 20, observed=IMPROVEMENTS),
    "point of two objectives": lambda: Run([*FRONT, trade_off(0.4), *TWO_REST], 8, **TWO),
    "scheduled of two": lambda: Run([*FRONT, trade_off(9), trade_off(0.4), *TWO_REST], 9, **TWO),
    "batch of two objectives": lambda: Run([*FRONT, FRONT_BATCH, *TWO_REST], 8, **TWO),
    "constrained": lambda: Run([*NINE, *falling(9, 9), *REST], 8, **CONSTRAINED),
    "batch of constrained": lambda: Run([*NINE, HITS, *REST], 8, **CONSTRAINED),
    "constraint": lambda: Run(
        [*NINE, constraint, *REST, constraint], 8, stop=StopConditions(20, False, count="f+g"),
        **CONSTRAINED,
    ),
    "constraints over budget": lambda: Run(
        [*NINE, constraints, *REST], 8, stop=StopConditions(11, False, count="f+g"), **CONSTRAINED
    ),
    "noisy": lambda: Run([*NINE, *falling(9, 9), *REST], 8, problem=NOISE),
    "noisy batch": lambda: Run([*NINE, HITS, *REST], 8, problem=NOISE),
    "quantile": lambda: Run(
        [*NINE, *falling(9, 9), *REST], 8, problem=NOISE, observed={"indicator": "noisy-quantile"}
    ),
    "batch of quantiles": lambda: Run(
        [*NINE, HITS, *REST], 8, problem=NOISE, observed={"indicator": "noisy-quantile"}
    ),
    "note": lambda: Run([*NINE, noted, *REST], 8),
    "restart": lambda: Run([*NINE, restart, *REST], 8),
    "recommendation": lambda: Run([*NINE, recommend, recommend, *REST], 8),
}  # fmt: skip
COSTS_NO_EVALUATION = {"note", "restart", "recommendation", "constraint"}


@cache
def make_undisturbed(name: str) -> dict[str, RunRecord]:
    return {how: RUNS[name]().make(how) for how in ("made", "raises", "skipped", "counted")}


@cache
def count_moments(name: str) -> int:
    run = RUNS[name]()
    for step in run.steps[: run.disturbed]:
        step(run.run)
    return interrupt(partial(run.steps[run.disturbed], run.run), 10**9)


def rows_until(record: RunRecord, evaluation: int) -> list[list[tuple]]:
    """Hits, trajectory, notes and archive up to an evaluation."""
    tables = (record.hits, record.trajectory, record.notes, record.archive)
    return [rows[rows["evaluation"] <= evaluation].tolist() for rows in tables]


def check_interrupted(name: str, at: int) -> str:
    """Interrupt the disturbed step at a moment, and check the record; return what became of it."""
    run = RUNS[name]()
    record = run.make("interrupted", at)
    expected = make_undisturbed(name)
    if run.run.failure is None:
        allowed = ["made", "raises"] if run.called else ["raises", "skipped", "counted"]
        if name in COSTS_NO_EVALUATION:
            allowed.append("made")
        assert any(record.same_outcome(expected[how]) for how in allowed), allowed
        return "recorded"
    # The run ended with this step: it has the evaluations before, and those of the step.
    interrupted = max(run.before, 1) if name in COSTS_NO_EVALUATION else record.evaluations
    message = f"recording evaluation {interrupted} was interrupted by Interruption"
    assert record.error == f"{message}; the run ends there"
    is_hit = record.best_precision <= 1e-8 and run.stop.final_target
    assert record.status == ("target" if is_hit else "failed")
    assert rows_until(record, run.before) == rows_until(expected["made"], run.before)
    if name in COSTS_NO_EVALUATION:
        assert record.evaluations == run.before
    elif "final target in a batch" in name:  # points after the hit do not count
        assert run.before < record.evaluations <= run.raw.calls
    else:
        assert record.evaluations == run.raw.calls
    assert set(record.hits["evaluation"]) <= set(expected["made"].hits["evaluation"])
    if len(record.hits):
        assert record.best_precision <= record.hits["precision"][-1]
    return "ended"


@pytest.fixture(autouse=True)
def _always_fast_and_soon_full(monkeypatch):
    """After an evaluation that is slow, the next one would not take the fast path.

    Memory is for 20 hits at first.
    """
    monkeypatch.setattr(clock, "SLOW_SECONDS", math.inf)
    monkeypatch.setattr(memory, "_INITIAL_TABLE_BYTES", 640)


@settings(max_examples=100)
@given(st.sampled_from(list(RUNS)), st.floats(0, 1, exclude_max=True))
def test_a_record_equals_the_independent_count_up_to_an_interruption(name, moment):
    check_interrupted(name, 1 + int(moment * count_moments(name)))


@pytest.mark.slow
def test_every_interruption_inside_the_critical_section_ends_the_run_there():
    outcomes = [
        check_interrupted(name, at) for name in RUNS for at in range(1, 1 + count_moments(name))
    ]
    assert outcomes.count("ended") > 500
    assert outcomes.count("recorded") > 500


@given(st.floats(0, 1, exclude_max=True))
def test_the_end_of_a_run_may_be_interrupted_and_made_again(moment):
    def make_run() -> ObservedProblem:
        run = Run([noted, *NINE, evaluate(0.01, 0, 0)], -1)
        for step in run.steps:
            step(run.run)
        return run.run

    expected = make_run().finish("terminated")
    moments = interrupt(partial(make_run().finish, "terminated"), 10**9)
    run, records = make_run(), []
    interrupt(lambda: records.append(run.finish("terminated")), 1 + int(moment * moments))
    if not records:
        with contextlib.suppress(ObservationError):  # interrupted when the record was complete
            records.append(run.finish("terminated"))
    assert all(record.same_outcome(expected) for record in records)


POINTS = [np.array([0.99**t, 0.0]) for t in range(900)]


def test_recursions_that_become_too_deep_anywhere_lose_no_hit():
    def deep(depth, evaluate):
        if depth:
            deep(depth - 1, evaluate)
        else:
            evaluate()

    frames, frame = 0, sys._getframe()
    while frame := frame.f_back:
        frames += 1
    before, ended = sys.getrecursionlimit(), 0
    for first in range(0, 80, 2):
        witness = Witness()
        sys.setrecursionlimit(frames + 200)
        try:
            for number, x in enumerate(POINTS[:120]):
                with contextlib.suppress(RecursionError):
                    deep(120 + (first + number) % 80, partial(witness.evaluate, x))
        except RecordInterrupted:
            ended += 1
        finally:
            sys.setrecursionlimit(before)
        record = witness.run.finish("terminated")
        witness.check(record)
        assert record.status == ("failed" if witness.run.failure else "terminated")
    assert ended > 5


needs_timers = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")


@contextlib.contextmanager
def call_every(seconds: float, function: Callable[[Any], None]):
    """Call a function with the interrupted frame, in the handler of an interval timer."""
    old = signal.signal(signal.SIGALRM, lambda _, frame: function(frame))
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


@needs_timers
def test_signal_handlers_that_raise_lose_no_hit():
    def interrupt_evaluation(frame):  # elsewhere it would end the test
        is_inside = is_ours(frame.f_code.co_filename)
        while is_inside and (frame := frame.f_back):
            if frame.f_code is Witness.evaluate.__code__:
                raise Interruption

    interrupted = 0
    for _ in range(30):
        witness = Witness()
        with call_every(1e-4, interrupt_evaluation):
            try:
                for x in POINTS:
                    try:
                        witness.evaluate(x)
                    except Interruption:
                        interrupted += 1
            except RecordInterrupted:
                assert isinstance(witness.run.failure, Interruption)
        witness.check(witness.run.finish("terminated"))
    assert interrupted > 30


def random_points(seed: int):
    """2000 points that come closer and closer to the optimum."""
    points = np.random.default_rng(seed).standard_normal((2000, 2))
    return iter(points * 0.995 ** np.arange(2000)[:, np.newaxis])


@needs_timers
@pytest.mark.parametrize("seed", range(5))
def test_signal_handlers_may_evaluate(seed):
    witness, points, nested = Witness(), random_points(seed), 0

    def evaluate_again(_):
        nonlocal nested
        nested += 1
        x = next(points)
        witness.evaluate(x if nested % 5 else np.array([x, x / 2]))

    with call_every(1e-3, evaluate_again):
        for number, x in enumerate(itertools.islice(random_points(seed + 100), 600)):
            witness.evaluate(x if number % 5 else np.array([x, x / 2]))
    assert nested
    witness.check(witness.run.finish("terminated"))


@pytest.mark.parametrize("seed", range(5))
def test_finalizers_may_evaluate(seed):
    witness, points, is_active = Witness(), random_points(seed), True

    class Evaluates:
        """Part of a reference cycle, so that garbage collection calls the finalizer."""

        def __init__(self):
            self.cycle = self

        def __del__(self):
            if is_active:
                witness.evaluate(next(points))

    threshold = gc.get_threshold()
    gc.set_threshold(7)
    try:
        for x in itertools.islice(random_points(seed + 100), 600):
            Evaluates()
            witness.evaluate(x)
    finally:
        is_active = False
        gc.set_threshold(*threshold)
    assert len(witness.attempts) > 900
    witness.check(witness.run.finish("terminated"))


def make_interrupted_loop(path, error: BaseException, is_swallowed: bool):
    """The log of a loop whose third hit is interrupted by an error after it was recorded."""

    def raise_after_hit(frame, event, _):
        if frame.f_code.co_name == "_write_notes":
            raise error

    problem = problem_from(lambda x: float(x[0]), 1, optimal_value=0.0)
    with contextlib.suppress(type(error), RecordInterrupted), Observer(path, "a") as observer:
        for run in observer([problem]):
            run([3.0])
            run([2.0])
            sys.settrace(raise_after_hit)
            try:
                run([1.0])
            except type(error):
                sys.settrace(None)
                if not is_swallowed:
                    raise
            for _ in range(2):
                with pytest.raises(RecordInterrupted, match="recording evaluation 3 was inter"):
                    run([0.5])
            run([0.5])
    return read_log(path)


@pytest.mark.parametrize(
    ("error", "is_swallowed", "status"),
    [
        (TimeoutError("slow"), False, "failed"),
        (TimeoutError("slow"), True, "failed"),
        (KeyboardInterrupt(), False, "interrupted"),
    ],
)
def test_an_interrupted_run_has_a_status_and_a_message(tmp_path, error, is_swallowed, status):
    log = make_interrupted_loop(tmp_path / "log.h5", error, is_swallowed)
    assert log.runs["status"].tolist() == [status]
    cause = "TimeoutError: slow" if status == "failed" else "KeyboardInterrupt"
    message = f"recording evaluation 3 was interrupted by {cause}; the run ends there"
    assert message in log.runs["error"][0]
    assert log.runs["error"][0].count("the run ends there") == 1
    assert log.runs["evaluations"].tolist() == [3]
    assert log.hits(0)["evaluation"].tolist() == [1, 2, 3]


def test_a_run_that_hit_its_final_target_keeps_this_status_if_it_is_interrupted():
    statuses = set()
    for at in range(1, 1 + count_moments("final target")):
        run = RUNS["final target"]()
        record = run.make("interrupted", at)
        if run.run.failure is not None:
            assert "recording evaluation 9 was interrupted by Interruption" in record.error
            statuses.add((record.status, record.best_precision <= 1e-8))
    assert statuses == {("target", True), ("failed", False)}

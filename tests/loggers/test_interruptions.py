"""Whatever interrupts an evaluation, wherever it comes in between, no other evaluation is lost.

An exception is raised before each bytecode that an evaluation runs in this package, one after the
other: a signal's handler, another thread, a recursion that is too deep or a lack of memory can do
no worse. The run must come to what one of three undisturbed runs comes to: the evaluation was made,
or it raised (it counts, and has no value), or, where the function was not called, it was not made.
"""

import contextlib
import math
import os
import random
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import firsthit.loggers
from firsthit.loggers import ObservedProblem
from firsthit.loggers.errors import ObservationError
from firsthit.loggers.observation import clock, memory
from firsthit.loggers.observation.stops import RunStop, StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.suites import problem_from

OURS = os.path.realpath(Path(firsthit.loggers.__file__).parent)
FREE = StopConditions(final_target=False)
Step = Callable[[ObservedProblem], Any]


class Interruption(Exception):
    """Comes in between."""


@cache
def is_ours(file: str) -> bool:
    return os.path.realpath(file).startswith(OURS)


def is_interrupted(step: Callable[[], Any], at: int) -> bool:
    """Raise before the bytecode of that number, from 1; whether there were so many."""
    left = at

    def local(frame, event, _):
        nonlocal left
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left == 0:
                raise Interruption
        return local

    def follow(frame, event, _):
        return local(frame, event, _) if is_ours(frame.f_code.co_filename) else None

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        with contextlib.suppress(Interruption):
            step()
    finally:
        sys.settrace(before)
    return left <= 0


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
        self.called = self.reached = False
        known = {"optimal_value": 0.0, "batch": self._batch, **self.problem}
        if "constraint" in known:
            self.raw_constraint = Raw(known["constraint"])
            known["constraint"] = self.raw_constraint
        problem = problem_from(self.raw, 3, **known)
        if problem.number_of_objectives == 2:
            region = {"ideal_point": np.zeros(2), "nadir_point": np.full(2, 3.0)}
            problem = problem.wrapped((problem_from, (self.raw, 3)), **region)
        identity = RunIdentity("a", problem.problem_id)
        self.run = ObservedProblem(problem, identity, self.stop, **self.observed)

    def _batch(self, points):
        if len(points) and self.raw.raises:
            raise Interruption
        return np.array([self.raw(x) for x in points])

    def make(self, how: str | list[int]):
        """The run's record.

        Args:
            how: The step is ``"made"``, ``"skipped"``, or ``"raises"``, or is one evaluation that
                raises, ``"counted"``; or it is interrupted before the first bytecode of these
                numbers, and what finishes it before each of the others.
        """
        at = list(how) if isinstance(how, list) else []
        for number, step in enumerate(self.steps):
            if number == self.disturbed and how == "skipped":
                continue
            if number == self.disturbed and how == "counted":
                step = evaluate(9, 9, 9)
            raises = number == self.disturbed and how in ("raises", "counted")
            before, self.raw.raises = self.raw.calls, raises
            if "constraint" in self.problem:
                self.raw_constraint.raises = raises
            try:
                if number == self.disturbed and at:
                    self.reached = is_interrupted(partial(step, self.run), at[0])
                    for again in at[1:]:
                        is_interrupted(lambda: self.run.best_observed_value, again)
                else:
                    step(self.run)
            except (RunStop, Interruption):
                pass
            if number == self.disturbed:
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


def undisturbed(name: str) -> dict[str, Any]:
    return {how: RUNS[name]().make(how) for how in ("made", "raises", "skipped", "counted")}


def check(name: str, made: Run, record: Any, expected: dict[str, Any]) -> None:
    """The record is that of a run in which the disturbed step was made, or raised, or was not."""
    allowed = ["made", "raises"] if made.called else ["raises", "skipped", "counted"]
    if name in COSTS_NO_EVALUATION:
        allowed.append("made")
    assert any(record.same_outcome(expected[how]) for how in allowed), allowed


@pytest.fixture(autouse=True)
def _always_fast_and_soon_full(monkeypatch):
    """After an evaluation that is slow, the next one would not take the fast path.

    Memory is for 20 hits at first.
    """
    monkeypatch.setattr(clock, "SLOW_SECONDS", math.inf)
    monkeypatch.setattr(memory, "_FIRST_BYTES", 640)


@pytest.mark.parametrize(
    "name", [name if name == "hit" else pytest.param(name, marks=pytest.mark.slow) for name in RUNS]
)
def test_an_exception_before_any_bytecode_of_an_evaluation_costs_no_other(name):
    expected = undisturbed(name)
    assert not expected["made"].same_outcome(expected["skipped"])
    at, made = 1, RUNS[name]()
    while record := made.make([at]):
        check(name, made, record, expected)
        if not made.reached:
            break
        at, made = at + 1, RUNS[name]()
    assert at > 20
    assert record.same_outcome(expected["made"])


@pytest.mark.slow
def test_the_end_of_a_run_may_be_interrupted_and_made_again():
    def made(before: int) -> ObservedProblem:
        """A run whose last evaluation was interrupted before that bytecode."""
        steps = [noted, *NINE]
        made = Run(steps, len(steps))
        for step in steps:
            step(made.run)
        is_interrupted(partial(made.run, np.full(3, 0.01)), before)
        return made.run

    expected = made(10**9).finish("terminated")
    first = 1  # before it, what is to be recorded was not put down
    while not made(first).finish("terminated").same_outcome(expected):
        first += 1
    at, is_reached = 0, True
    while is_reached:
        run, records, at = made(first), [], at + 1
        end = partial(run.finish, "terminated")
        is_reached = is_interrupted(lambda end=end, to=records: to.append(end()), at)
        if not records:
            with contextlib.suppress(ObservationError):  # its record had been made
                records.append(end())
        assert all(record.same_outcome(expected) for record in records)
    assert at > 200
    assert records


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_what_is_interrupted_again_and_again_is_finished_in_the_end(name):
    expected = undisturbed(name)
    rng = random.Random(name)
    for _ in range(200):
        made = RUNS[name]()
        check(name, made, made.make([rng.randint(1, 500) for _ in range(4)]), expected)


class Witness:
    """A run, and an independent count of what its function was asked for and returned.

    Attributes:
        seen: Number and value of each evaluation whose function returned.
        done: Numbers of those that returned to their caller; the others were interrupted.
    """

    def __init__(self) -> None:
        self.seen: list[tuple[int, float]] = []
        self.done: list[int] = []
        problem = problem_from(self._function, 2, optimal_value=0.0)
        self.run = ObservedProblem(problem, RunIdentity("a", problem.problem_id), FREE)

    def _function(self, x):
        value = float(x @ x)
        self.seen.append((self.run.evaluations, value))
        return value

    def evaluate(self, points):
        for x in points:
            self.run(x)
            self.done.append(self.run.evaluations)

    def check(self) -> int:
        """Compare with the run's record; how many evaluations were interrupted."""
        record = self.run.finish("terminated")
        recorded = dict(record.hits[["evaluation", "precision"]].tolist())
        done, hits, hardest = set(self.done), {}, math.inf
        for evaluation, value in self.seen:
            target = math.ceil(round(20 * math.log10(value), 9))
            if target < hardest and (evaluation in done or evaluation in recorded):
                hardest = target
                hits[evaluation] = value
        assert recorded == hits
        numbers = [evaluation for evaluation, _ in self.seen]
        assert len(set(numbers)) == len(numbers)
        assert record.evaluations >= max(numbers)
        return record.evaluations - len(done)


POINTS = [np.array([0.99**t, 0.0]) for t in range(900)]


def test_recursions_that_become_too_deep_anywhere_lose_no_hit():
    witness = Witness()

    def deep(depth, x):
        if depth:
            deep(depth - 1, x)
        else:
            witness.evaluate([x])

    frames, frame = 0, sys._getframe()
    while frame := frame.f_back:
        frames += 1
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(frames + 200)
    try:
        for number, x in enumerate(POINTS):
            with contextlib.suppress(RecursionError):
                deep(120 + number % 80, x)
    finally:
        sys.setrecursionlimit(before)
    assert witness.check() > 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")
def test_a_signals_handler_that_raises_every_tenth_of_a_millisecond_loses_no_hit():
    def interrupt(_, frame):  # only into evaluations, or the test itself would end
        inside = is_ours(frame.f_code.co_filename)
        while inside and (frame := frame.f_back):
            if frame.f_code is Witness.evaluate.__code__:
                raise Interruption

    interrupted, old = 0, signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
    try:
        for _ in range(30):
            witness = Witness()
            for x in POINTS:
                with contextlib.suppress(Interruption):
                    witness.evaluate([x])
            interrupted += witness.check()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert interrupted > 30

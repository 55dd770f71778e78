"""One run: an optimizer, called again and again until something ends the run."""

from __future__ import annotations

import os
import random
import sysconfig
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ...loggers import ObservedProblem, TimeExhausted
from ...loggers.errors import ObservationError
from ...loggers.observation.memory import RunMemory
from ...loggers.observation.stops import RunStop
from ...loggers.observation.stops import StopConditions as Stop
from ...loggers.records.dtypes import MAX_REASON_BYTES
from ...loggers.records.run_record import RunRecord, Status, clean_text
from ...suites import Problem, suite_names
from ...suites.errors import EvaluationError
from ...suites.facts import ProblemId
from ...suites.suite import definition, register_definition
from ..campaign.campaign import RunSpec
from ..optimizers.import_string import import_text, searched
from ..optimizers.parallel import ParallelProblem, SimulatedClock
from ..optimizers.resolve import Optimizer, resolve_optimizer
from . import seeds

EMPTY_STARTS = 3
"""A run ends after so many starts in a row without any evaluation."""
MOST_REFUSALS = 100
"""So often the end of a run is raised in an optimizer that catches it and goes on."""
MOST_INVALID = 1000
"""A run may pass so many invalid points, or announce so often without an evaluation."""
MOST_REFUSALS_OF_THREADS = 100_000
"""So often the end of a run is raised in an optimizer's own threads."""
_COUNTS = ("nfev", "evaluations")
_MOST_CALLS = 8
_FIRSTHIT = __name__.partition(".")[0]
_INSTALLED = ("site-packages", "dist-packages")

HandIn = Callable[[RunRecord], NoReturn]


def run_one(spec: RunSpec) -> RunRecord:
    """Make one run in this process and thread, and return its record; ``failed`` where it raised.

    Working folder and global random generators are put back. An optimizer that catches every
    exception, the end of its budget among them, or that neither evaluates nor returns, never ends
    here; in a worker process it does.
    """
    optimizer = load(spec)
    with _put_back(), searched(optimizer.folder):
        record, error = make_run(spec, optimizer, spec.make_problem())
    if isinstance(error, KeyboardInterrupt):
        raise error
    return with_plain_times(record)


def load(spec: RunSpec) -> Optimizer:
    """Import what a run needs, and return its optimizer; raises FirsthitError where it cannot."""
    for text in spec.imports:
        import_text(text, spec.optimizer.folder)
    if spec.suite is not None and spec.suite.name not in suite_names():
        register_definition(spec.suite)
    if isinstance(spec.problem, ProblemId):
        definition(spec.problem.suite)
    optimizer = resolve_optimizer(spec.optimizer, spec.rules.parallel is not None)
    optimizer.prepare()
    return optimizer


def make_run(
    spec: RunSpec,
    optimizer: Optimizer,
    problem: Problem,
    memory: RunMemory | None = None,
    hand_in: HandIn | None = None,
) -> tuple[RunRecord, BaseException | None]:
    """Make one run; also return what the optimizer raised, but for the end of the run.

    It records into ``memory``, which was told that the run begins; None for the heap. ``hand_in``
    takes the record of an optimizer that does not listen to the end of its run, and ends the
    process; None where it must not.
    """
    rules, identity, process = spec.rules, spec.identity, os.getpid()
    second = SimulatedClock()
    sequence = seeds.run_sequence(identity)
    seed = seeds.seed_number(seeds.start_sequence(sequence, 0))

    def ended(error: BaseException | None = None, words: str = "", end: str = "") -> RunRecord:
        status, text = _ending(spec, used, monitor, error, words, end)
        if isinstance(used, ParallelProblem):
            used.drop()
        return observed.finish(status, text)

    def give_up() -> None:
        with suppress(ObservationError):  # it is over
            record = ended()
            assert hand_in is not None
            hand_in(record)

    monitor = RunMonitor(give_up if hand_in is not None else None)
    observed = ObservedProblem(
        problem,
        identity,
        Stop(spec.budget_evaluations, rules.final_target, rules.timeout_seconds, spec.budget_count),
        rules.record,
        partial(seeds.generator, sequence, seeds.PROPOSALS),
        seed=seed,
        indicator=rules.indicator,
        archive=rules.archive,
        clock=second if rules.parallel else rules.clock,
        memory=memory,
        monitor=monitor,
    )
    monitor.evaluations = lambda: observed.evaluations
    used: ObservedProblem | ParallelProblem = observed
    error, words, end = None, "", ""
    try:
        if rules.parallel is not None:
            rng = seeds.generator(sequence, seeds.DURATIONS)
            used = ParallelProblem(observed, rules.parallel, rng, second, spec.budget_seconds)
        words, end = _make_starts(spec, optimizer, problem, used, sequence, seed)
    except RunStop:
        pass
    except BaseException as raised:
        error = raised
    if os.getpid() != process:
        os._exit(0)  # the optimizer forked, and this is the child: the parent goes on
    try:
        return ended(error, words, end), error or observed.failure
    finally:
        monitor.close()


def _make_starts(
    spec: RunSpec,
    optimizer: Optimizer,
    problem: Problem,
    observed: ObservedProblem | ParallelProblem,
    run: np.random.SeedSequence,
    seed: int,
) -> tuple[str, str]:
    """Start the optimizer until the run ends: its last message, and why no start follows.

    The first start has this seed.
    """
    scheme, most = spec.restarts, spec.most_restarts
    empty, words = 0, ""
    for start in count():
        if start:
            seed = seeds.seed_number(seeds.start_sequence(run, start))
            point = seeds.start_point(problem, run, start)
            observed.restart(words, seed=seed, start=point)
        call = optimizer.call
        if scheme.multiply:
            call = replace(call, parameters=scheme.parameters(call.parameters, start))
        names = (*call.positional, *call.keywords)
        offer = {name: _offered(name, observed, run, start, seed) for name in names}
        before = observed.evaluations
        np.random.seed(seed)  # noqa: NPY002  (optimizers that use the global generators repeat, too)
        random.seed(seed)
        result = optimizer.start(observed, call.arguments(offer))
        evaluations = observed.evaluations - before
        words = clean_text(_last_words(result, evaluations), MAX_REASON_BYTES)
        empty = 0 if evaluations else empty + 1
        if empty == EMPTY_STARTS:
            return words, f"{EMPTY_STARTS} starts in a row made no evaluation"
        if (most is not None and start >= most) or observed.evaluations_left < 1:
            break
    return words, ""


def _offered(
    name: str,
    observed: ObservedProblem | ParallelProblem,
    run: np.random.SeedSequence,
    start: int,
    seed: int,
) -> Any:
    """The value of an argument that the optimizer takes by name, see ``OFFERED``."""
    match name:
        case "problem":
            return observed
        case "x0":
            return observed.initial_solution
        case "budget":
            left = observed.evaluations_left
            return None if left == np.inf else int(left)
        case "rng":
            return seeds.generator(run, start, 0)
        case "seed":
            return seed
        case "start":
            return start
    return getattr(observed, name)


def _last_words(result: object, evaluations: int) -> str:
    """Why a start ended, as its result says; raises where that claims more evaluations."""
    if (reported := _reported_evaluations(result)) > evaluations:
        seen = f"only {evaluations} were" if evaluations else "none was"
        raise RuntimeError(
            f"the optimizer reports {reported} evaluations, but {seen} observed; evaluations "
            "in other processes, or of another function, cannot be observed"
        )
    return _reason_of(result)


def _ending(
    spec: RunSpec,
    observed: ObservedProblem | ParallelProblem,
    monitor: RunMonitor,
    error: BaseException | None,
    words: str,
    end: str,
) -> tuple[Status, str]:
    """How a run ended, and the message for its log."""
    message = "" if error is None else _describe(error)
    elsewhere = ""
    if observed.was_forked or observed.was_pickled:
        elsewhere = (
            "it tried to evaluate in other processes, where evaluations cannot be observed: let it "
            "evaluate in this one; the campaign runs problems in parallel"
        )
    if spec.rules.final_target and observed.final_target_hit:
        return "target", message
    if observed.evaluations_left < 1:
        return "budget", message
    if monitor.is_over_time:
        return "timeout", f"no end within {spec.rules.timeout_seconds:g} s"
    if error is not None:
        return "failed", "; ".join(filter(None, (message, elsewhere))) + _calls_to(error)
    if monitor.ignores_stop:
        return "failed", f"kept on after refusals: {monitor.last_refusal}"
    if not observed.evaluations:
        reason = "the optimizer returned without evaluating the problem"
        text = f"{reason} ({end})" if end else reason
        return "failed", "; ".join(filter(None, (text, elsewhere)))
    if observed.was_forked:
        return "failed", elsewhere
    return "terminated", "; ".join(filter(None, (words, end)))


def with_plain_times(record: RunRecord) -> RunRecord:
    """The record, without the times of an optimizer that changed the clocks."""
    wrong: dict[str, Any] = {}
    for name in ("wall_seconds", "cpu_seconds", "problem_seconds"):
        seconds = getattr(record, name)
        if not (isinstance(seconds, int | float) and 0 <= seconds < np.inf):
            wrong[name] = 0.0
    return replace(record, **wrong) if wrong else record


def _reason_of(result: object) -> str:
    """Why a start ended, as far as what the optimizer returned tells; ``""`` where it does not."""
    message = getattr(result, "message", None)
    if isinstance(message, bytes):
        return message.decode(errors="replace")
    if isinstance(message, str):
        return message
    if isinstance(message, list):
        return "; ".join(str(line) for line in message)
    if isinstance(result, str):
        return result
    second = result[1] if isinstance(result, tuple) and len(result) == 2 else None
    stop = getattr(second, "stop", None)  # as of pycma's (x, evolution_strategy)
    stopped = stop() if callable(stop) else result
    return ", ".join(str(name) for name in stopped) if isinstance(stopped, dict) else ""


def _reported_evaluations(result: object) -> int:
    """Evaluations that the optimizer says it made: scipy's ``nfev``, or ``evaluations``; else 0."""
    for name in _COUNTS:
        count = getattr(result, name, None)
        if isinstance(count, int | np.integer) and not isinstance(count, bool):
            return int(count)
    return 0


def _describe(error: BaseException) -> str:
    """An error as one line of text: type, message, and the place in the optimizer's code."""
    text = " ".join("".join(traceback.format_exception_only(error)).strip().splitlines())
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return text
    last = frames[-1]
    return f"{text} ({last.filename}:{last.lineno} in {last.name})"


def _calls_to(error: BaseException) -> str:
    """The calls that led to an error, a line each, as far as they are in the user's own files.

    Calls in firsthit, in Python's library and in installed packages are left out, and all but the
    last eight. ``""`` where there are none.
    """
    frames = traceback.walk_tb(error.__traceback__)
    own = [
        call
        for (frame, _), call in zip(frames, traceback.extract_tb(error.__traceback__), strict=True)
        if frame.f_globals.get("__name__", "").partition(".")[0] != _FIRSTHIT
        and not _is_library(call.filename)
    ]
    lines = []
    for call in own[-_MOST_CALLS:]:
        code = "" if call.filename.startswith("<") else call.line
        place = f"{Path(call.filename).name}:{call.lineno} in {call.name}"
        lines.append(f"\n  {place}: {code}" if code else f"\n  {place}")
    return "".join(lines)


def _is_library(filename: str) -> bool:
    """Whether a file belongs to Python's library or to an installed package."""
    parts = Path(filename).parts
    in_python = filename.startswith((sysconfig.get_path("stdlib"), "<frozen"))
    return in_python or any(name in parts for name in _INSTALLED)


class RunMonitor:
    """Counts the refusals of one run; the ``Monitor`` of its observed problem.

    In a worker process, an optimizer that does not listen is ended with its process: ``give_up`` is
    called, in whatever thread, and does not return, unless the run is over. In the caller's process
    nothing can end it but itself.
    """

    def __init__(self, give_up: Callable[[], None] | None = None) -> None:
        self.is_over_time = False  # an evaluation was refused because the time limit was over
        self.last_refusal = ""
        self.evaluations: Callable[[], int] = int  # asked for their number so far
        self._give_up = give_up
        self._home, self._process = threading.get_ident(), os.getpid()
        self._refusals = self._invalid = self._thread_refusals = 0
        self._announced = self._idle = 0

    @property
    def ignores_stop(self) -> bool:
        """Whether the optimizer went on in spite of the refusals."""
        return (
            self._refusals >= MOST_REFUSALS
            or self._invalid >= MOST_INVALID
            or self._thread_refusals >= MOST_REFUSALS_OF_THREADS
        )

    def refused(self, error: BaseException) -> None:
        """See ``Monitor``."""
        if os.getpid() != self._process:
            return
        self.last_refusal = str(error)
        self.is_over_time |= isinstance(error, TimeExhausted)
        if threading.get_ident() != self._home:
            self._thread_refusals += 1
        elif isinstance(error, EvaluationError):
            self._invalid += 1
        else:
            self._refusals += 1
        if self.ignores_stop and self._give_up is not None:
            self._give_up()

    def announced(self) -> None:
        """See ``Monitor``; an end to announcements for ever without an evaluation between."""
        if (evaluations := self.evaluations()) != self._announced:
            self._announced, self._idle = evaluations, 0
        self._idle += 1
        if self._idle > MOST_INVALID:
            error = ObservationError(f"{MOST_INVALID} announcements without an evaluation between")
            self.refused(error)
            raise error

    def close(self) -> None:
        """The run is over: let go of it."""
        self.evaluations, self._give_up = int, None


@contextmanager
def _put_back() -> Iterator[None]:
    """Put back the working folder, and numpy's and Python's global random states."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    folder = os.getcwd()
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)
        with suppress(OSError):
            os.chdir(folder)

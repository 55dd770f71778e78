"""One run: an optimizer is started repeatedly until the run ends.

`make_run` makes a run from its description (`RunSpec`), its optimizer and its problem. The problem
is observed, and the optimizer is started until it hits the final target, the budget or the time
limit is used up, no restart is left, or an exception is raised. The result is a `RunRecord`.
`run_one` does this in the caller's process, without any preparation.

An observed problem ends a run by raising an exception into the optimizer. `RunMonitor` detects
optimizers that catch this exception and continue. In a worker process, the record of the run is
then handed in, and the process ends.
"""

from __future__ import annotations

import os
import random
import sysconfig
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ...loggers import ObservedProblem, TimeExhausted, observe_problem
from ...loggers.errors import ObservationError
from ...loggers.indicators.registry import indicator_names, register_indicator
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
from ..errors import report_shortages
from ..optimizers.import_string import import_text, searched
from ..optimizers.parallel import ParallelProblem, SimulatedClock
from ..optimizers.resolve import Optimizer, resolve_optimizer
from . import seeds

EMPTY_STARTS = 3
"""A run ends after this number of consecutive starts without an evaluation."""
MOST_REFUSALS = 100
"""An optimizer ignores the end of its run if the end was raised this often in the main thread."""
MOST_INVALID = 1000
"""Limit on the invalid points of a run, and on consecutive announcements (restarts, recommendations
and notes) without an evaluation."""
MOST_REFUSALS_OF_THREADS = 100_000
"""The corresponding limit for an optimizer's own threads. It is high, because an optimizer may have
queued many evaluations in a pool of threads, each of which is refused."""
_COUNT_ATTRIBUTES = ("nfev", "evaluations")
"""Attributes of an optimizer's result that may hold its number of evaluations."""
_MAX_CALLS = 8
"""Number of innermost calls in the message of a failed run."""
_FIRSTHIT = __name__.partition(".")[0]
_INSTALLED_FOLDERS = ("site-packages", "dist-packages")

HandIn = Callable[[RunRecord], NoReturn]
"""Hands in the record of a run, and ends the process."""


def run_one(spec: RunSpec) -> RunRecord:
    """Make one run in this process and thread, and return its record.

    If the optimizer raises an exception, the status of the record is ``failed``. The working folder
    and the states of the global random generators are restored afterwards. The function does not
    return if the optimizer catches all exceptions, including the end of its budget, or if it
    neither evaluates nor returns. In a worker process such an optimizer is ended.

    Raises:
        FirsthitError: The optimizer or the suite cannot be loaded.
        KeyboardInterrupt: The user interrupted the run.
        SystemShortageError: The system lacks memory or file descriptors to open the run.
    """
    optimizer = load(spec)
    with _restore_process_state(), searched(optimizer.folder):
        record, error = make_run(spec, optimizer, spec.make_problem())
    if isinstance(error, KeyboardInterrupt):
        raise error
    return replace_invalid_times(record)


def load(spec: RunSpec) -> Optimizer:
    """Import the modules, suite, indicator and optimizer of a run, and return the optimizer.

    A suite and an indicator that the run brings along are registered if their names are unknown.

    Raises:
        FirsthitError: One of them cannot be imported.
    """
    for module in spec.imports:
        import_text(module, spec.optimizer.folder)
    if spec.suite is not None and spec.suite.name not in suite_names():
        register_definition(spec.suite)
    if spec.indicator is not None and spec.indicator[0] not in indicator_names():
        register_indicator(*spec.indicator)
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
    """Make one run: observe the problem, start the optimizer until the run ends, and record it.

    Args:
        spec: Description of the run.
        optimizer: Its optimizer, as returned by `load`.
        problem: Its problem, not observed.
        memory: Memory in which the run is recorded, prepared for this run. None: new memory of this
            process.
        hand_in: Takes the record of an optimizer that ignores the end of its run, and ends the
            process. None: such an optimizer is not ended.

    Returns:
        The record, and the exception of the optimizer or its problem that ended the run. The
        exception is None if there was none, or if it only signalled the end of the run.

    Raises:
        SystemShortageError: The system lacks memory or file descriptors to open the run.
    """
    with report_shortages():
        run = _open_run(spec, optimizer, problem, memory, hand_in)
    try:
        _execute(run)
        return _record(run), run.error or run.observed.failure
    finally:
        run.monitor.close()


@dataclass(slots=True)
class _OpenRun:
    """A run that has no record yet.

    Attributes:
        spec: Description of the run.
        optimizer: Optimizer that is started with ``used``.
        problem: The problem, not observed.
        observed: The observed problem, which records the evaluations.
        used: Problem that the optimizer evaluates: ``observed``, or its evaluations in parallel.
        monitor: Counts how often the optimizer ignores the end of the run.
        clock: Simulated time of evaluations in parallel.
        sequence: Seed sequence of the run.
        seed: Seed of the first start.
        error: Exception of the optimizer that ended the run, except the end of the run itself.
        last_message: Reason for the end of the last start, from the optimizer's result.
        end_reason: Reason why no further start follows. Empty: it needs no explanation.
    """

    spec: RunSpec
    optimizer: Optimizer
    problem: Problem
    observed: ObservedProblem
    used: ObservedProblem | ParallelProblem
    monitor: RunMonitor
    clock: SimulatedClock
    sequence: np.random.SeedSequence
    seed: int
    error: BaseException | None = None
    last_message: str = ""
    end_reason: str = ""


def _open_run(
    spec: RunSpec,
    optimizer: Optimizer,
    problem: Problem,
    memory: RunMemory | None,
    hand_in: HandIn | None,
) -> _OpenRun:
    """Observe the problem of a run. No code of the optimizer is executed."""
    rules, identity = spec.rules, spec.identity
    sequence = seeds.run_sequence(identity)
    seed = seeds.seed_number(seeds.start_sequence(sequence, 0))
    monitor, clock = RunMonitor(), SimulatedClock()
    observed = observe_problem(
        problem,
        identity,
        Stop(spec.budget_evaluations, rules.final_target, rules.timeout_seconds, spec.budget_count),
        rules.record,
        partial(seeds.generator, sequence, seeds.PROPOSALS),
        seed=seed,
        indicator=rules.indicator,
        archive=rules.archive,
        clock=clock if rules.parallel else rules.clock,
        record_points=rules.record_points,
        max_point_bytes=rules.max_point_bytes,
        memory=memory,
        monitor=monitor,
    )
    run = _OpenRun(spec, optimizer, problem, observed, observed, monitor, clock, sequence, seed)
    monitor.watch(observed, None if hand_in is None else partial(_give_up, run, hand_in))
    return run


def _give_up(run: _OpenRun, hand_in: HandIn) -> None:
    """Hand in the record of a run whose optimizer ignores its end, and end the process.

    Return only if the run has ended in the meantime, because it then has a record.
    """
    with suppress(ObservationError):
        hand_in(_record(run))


def _execute(run: _OpenRun) -> None:
    """Start the optimizer until the run ends, and store the exception that it raised in the run."""
    process_id, rules = os.getpid(), run.spec.rules
    try:
        if rules.parallel is not None:
            rng = seeds.generator(run.sequence, seeds.DURATIONS)
            run.used = ParallelProblem(
                run.observed, rules.parallel, rng, run.clock, run.spec.budget_seconds
            )
        run.last_message, run.end_reason = _make_starts(run)
    except RunStop:
        pass
    except BaseException as error:
        run.error = error
    if os.getpid() != process_id:
        os._exit(
            0
        )  # the optimizer forked, and this is the child: only the parent continues the run


def _record(run: _OpenRun) -> RunRecord:
    """End a run, and return its record; raise ObservationError if it has ended already."""
    status, message = _determine_ending(run)
    if isinstance(run.used, ParallelProblem):
        run.used.drop()
    return run.observed.finish(status, message)


def _make_starts(run: _OpenRun) -> tuple[str, str]:
    """Start the optimizer repeatedly until no restart, no evaluation or no progress is left.

    Returns:
        The reason for the end of the last start, from the optimizer's result, and the reason why no
        further start follows; "" if it needs no explanation.
    """
    scheme, most_restarts = run.spec.restarts, run.spec.most_restarts
    used, seed = run.used, run.seed
    n_empty_starts, last_message = 0, ""
    for start in count():
        if start:
            seed = seeds.seed_number(seeds.start_sequence(run.sequence, start))
            point = seeds.start_point(run.problem, run.sequence, start)
            used.restart(last_message, seed=seed, start=point)
        call = run.optimizer.call
        if scheme.multiply:
            call = replace(call, parameters=scheme.parameters(call.parameters, start))
        names = (*call.positional, *call.keywords)
        offered = {name: _offered_value(name, used, run.sequence, start, seed) for name in names}
        evaluations_before = used.evaluations
        # also optimizers that use the global generators are reproducible
        np.random.seed(seed)  # noqa: NPY002
        random.seed(seed)
        result = run.optimizer.start(used, call.arguments(offered))
        evaluations = used.evaluations - evaluations_before
        _check_reported_evaluations(result, evaluations)
        last_message = clean_text(_extract_message(result), MAX_REASON_BYTES)
        n_empty_starts = 0 if evaluations else n_empty_starts + 1
        if n_empty_starts == EMPTY_STARTS:
            return last_message, f"{EMPTY_STARTS} starts in a row made no evaluation"
        if (most_restarts is not None and start >= most_restarts) or used.evaluations_left < 1:
            break
    return last_message, ""


def _offered_value(
    name: str,
    observed: ObservedProblem | ParallelProblem,
    run: np.random.SeedSequence,
    start: int,
    seed: int,
) -> Any:
    """Return the value of an argument that optimizers take by its name, see ``OFFERED``."""
    match name:
        case "problem":
            return observed
        case "x0":
            return observed.initial_solution
        case "budget":
            evaluations_left = observed.evaluations_left
            return None if evaluations_left == np.inf else int(evaluations_left)
        case "rng":
            return seeds.generator(run, start, 0)
        case "seed":
            return seed
        case "start":
            return start
    return getattr(observed, name)


def _check_reported_evaluations(result: object, evaluations: int) -> None:
    """Raise RuntimeError if an optimizer reports more evaluations than were observed."""
    for name in _COUNT_ATTRIBUTES:
        reported = getattr(result, name, None)
        if isinstance(reported, int | np.integer) and not isinstance(reported, bool):
            break
    else:
        return
    if reported > evaluations:
        observed = f"only {evaluations} were" if evaluations else "none was"
        raise RuntimeError(
            f"the optimizer reports {int(reported)} evaluations, but {observed} observed; "
            "evaluations in other processes, or of another function, cannot be observed"
        )


def _extract_message(result: object) -> str:
    """Return the reason for the end of a start from the optimizer's result; "" if it has none."""
    message = getattr(result, "message", None)
    if isinstance(message, bytes):
        return message.decode(errors="replace")
    if isinstance(message, str):
        return message
    if isinstance(message, list):
        return "; ".join(str(line) for line in message)
    if isinstance(result, str):
        return result
    strategy = result[1] if isinstance(result, tuple) and len(result) == 2 else None
    stop = getattr(strategy, "stop", None)  # pycma returns (x, evolution_strategy)
    conditions = stop() if callable(stop) else result
    return ", ".join(map(str, conditions)) if isinstance(conditions, dict) else ""


def _determine_ending(run: _OpenRun) -> tuple[Status, str]:
    """Return how a run ended, and the message for its log."""
    observed, error = run.used, run.error
    message = "" if error is None else _describe(error)
    other_process_message = ""
    if observed.was_forked or observed.was_pickled:
        other_process_message = (
            "it tried to evaluate in other processes, where evaluations cannot be observed: let it "
            "evaluate in this one; the campaign runs problems in parallel"
        )
    if run.spec.rules.final_target and observed.final_target_hit:
        return "target", message
    if observed.evaluations_left < 1:
        return "budget", message
    if run.monitor.is_over_time:
        return "timeout", f"no end within {run.spec.rules.timeout_seconds:g} s"
    if error is not None:
        return "failed", _join(message, other_process_message) + _format_calls(error)
    if run.monitor.ignores_stop:
        return "failed", f"kept on after refusals: {run.monitor.last_refusal}"
    if not observed.evaluations:
        reason = "the optimizer returned without evaluating the problem"
        message = f"{reason} ({run.end_reason})" if run.end_reason else reason
        return "failed", _join(message, other_process_message)
    if observed.was_forked:
        return "failed", other_process_message
    return "terminated", _join(run.last_message, run.end_reason)


def replace_invalid_times(record: RunRecord) -> RunRecord:
    """Replace negative, infinite or non-numeric times of a record by 0, and return the record.

    Such times come from an optimizer that has changed Python's clocks.
    """
    replacements: dict[str, Any] = {}
    for name in ("wall_seconds", "cpu_seconds", "problem_seconds"):
        seconds = getattr(record, name)
        if not (isinstance(seconds, int | float) and 0 <= seconds < np.inf):
            replacements[name] = 0.0
    return replace(record, **replacements) if replacements else record


def _join(*messages: str) -> str:
    return "; ".join(filter(None, messages))


def _describe(error: BaseException) -> str:
    """Return the type and message of an error, and the line that raised it, in one line of text."""
    text = " ".join("".join(traceback.format_exception_only(error)).strip().splitlines())
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return text
    last = frames[-1]
    return f"{text} ({last.filename}:{last.lineno} in {last.name})"


def _format_calls(error: BaseException) -> str:
    """Return the last calls in the user's files that led to an error, one line for each.

    Calls in firsthit, in Python's standard library and in installed packages are left out.
    """
    summaries = traceback.extract_tb(error.__traceback__)
    frames = traceback.walk_tb(error.__traceback__)
    user_calls = [
        call
        for (frame, _), call in zip(frames, summaries, strict=True)
        if frame.f_globals.get("__name__", "").partition(".")[0] != _FIRSTHIT
        and not _is_library(call.filename)
    ]
    lines = []
    for call in user_calls[-_MAX_CALLS:]:
        code = "" if call.filename.startswith("<") else call.line
        position = f"{Path(call.filename).name}:{call.lineno} in {call.name}"
        lines.append(f"\n  {position}: {code}" if code else f"\n  {position}")
    return "".join(lines)


def _is_library(filename: str) -> bool:
    """Return whether a file belongs to Python's standard library or to an installed package."""
    parts = Path(filename).parts
    in_python = filename.startswith((sysconfig.get_path("stdlib"), "<frozen"))
    return in_python or any(name in parts for name in _INSTALLED_FOLDERS)


class RunMonitor:
    """Counter of refused evaluations of one run; the ``Monitor`` of its observed problem.

    An evaluation is refused if the run has ended, or if the point is invalid. After too many
    refusals, the optimizer is considered to ignore the end of its run. In a worker process, the
    process then ends. In the caller's process, such an optimizer cannot be ended.

    Attributes:
        is_over_time: Whether an evaluation was refused because the time limit was over.
        last_refusal: Message of the last refusal.
    """

    def __init__(self) -> None:
        self.is_over_time = False
        self.last_refusal = ""
        self._observed: ObservedProblem | None = None
        self._give_up: Callable[[], None] | None = None
        self._thread_id, self._process_id = threading.get_ident(), os.getpid()
        self._n_refusals = self._n_invalid = self._n_thread_refusals = 0
        self._evaluations_at_announcement = self._n_idle_announcements = 0

    @property
    def ignores_stop(self) -> bool:
        """Whether the optimizer has continued after too many refusals."""
        return (
            self._n_refusals >= MOST_REFUSALS
            or self._n_invalid >= MOST_INVALID
            or self._n_thread_refusals >= MOST_REFUSALS_OF_THREADS
        )

    def watch(self, observed: ObservedProblem, give_up: Callable[[], None] | None) -> None:
        """Begin to count the refusals of a run.

        Args:
            observed: Observed problem of the run.
            give_up: Called, in any thread, if the optimizer ignores the end of its run. It ends the
                process, or returns if the run has ended in the meantime. None: nothing is called.
        """
        self._observed, self._give_up = observed, give_up

    def refused(self, error: BaseException) -> None:
        """Count a refusal, and give up if there are too many; see ``Monitor``."""
        if os.getpid() != self._process_id:
            return
        self.last_refusal = str(error)
        self.is_over_time |= isinstance(error, TimeExhausted)
        if threading.get_ident() != self._thread_id:
            self._n_thread_refusals += 1
        elif isinstance(error, EvaluationError):
            self._n_invalid += 1
        else:
            self._n_refusals += 1
        if self.ignores_stop and self._give_up is not None:
            self._give_up()

    def announced(self) -> None:
        """Count a restart, a recommendation or a note; see ``Monitor``.

        Raises:
            ObservationError: There were too many consecutive announcements without an evaluation.
        """
        evaluations = 0 if self._observed is None else self._observed.evaluations
        if evaluations != self._evaluations_at_announcement:
            self._evaluations_at_announcement, self._n_idle_announcements = evaluations, 0
        self._n_idle_announcements += 1
        if self._n_idle_announcements > MOST_INVALID:
            error = ObservationError(f"{MOST_INVALID} announcements without an evaluation between")
            self.refused(error)
            raise error

    def close(self) -> None:
        """Release the observed problem of the run, which has ended."""
        self._observed = self._give_up = None


@contextmanager
def _restore_process_state() -> Iterator[None]:
    """Restore the working folder and the global random states of numpy and Python at the end."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    folder = os.getcwd()
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)
        with suppress(OSError):  # the folder was deleted
            os.chdir(folder)

"""The problem as an algorithm sees it: counts evaluations, keeps the limits, records the run.

The hot path is ``ObservedProblem.__call__``: one comparison with the best value so far, and one
countdown to the next evaluation at which anything else is due (a scheduled count, the end of the
budget, a duration to be measured).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sized
from contextlib import suppress
from functools import partial
from time import monotonic, perf_counter, process_time
from typing import Any, NoReturn, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import Problem
from ...suites.errors import EvaluationError
from ...suites.penalty import Penalized
from ...suites.points import is_batch
from ..errors import ObservationError
from ..indicators.registry import make_indicator, recorded_kind
from ..records.identity import RunIdentity
from ..records.run_record import (
    ARCHIVES_KEPT,
    CLOCKS,
    OBSERVED_RECORDS,
    STATUSES,
    ArchiveKept,
    Clock,
    Record,
    RunRecord,
    Status,
    SuiteFacts,
    check_one_of,
)
from .clock import RunClock
from .forks import watch
from .measured_problem import Evaluate, MeasuredProblem
from .memory import CONSTRAINTS, EVALUATIONS, FORKED, RunMemory
from .problem_view import ProblemView
from .recorder import Recorder, Rules, up_to_target
from .run_result import Ending, RunFacts, record_of
from .stops import (
    BudgetExhausted,
    FinalTargetHit,
    MemoryExhausted,
    RunStop,
    StopConditions,
    TimeExhausted,
)

Vector = NDArray[np.float64]

_OVER = (
    "the run is over: its problem can be used no more. In a loop over an observer evaluate each "
    "problem before the loop asks for the next; list() and pools of threads ask for all at once. "
    "To make runs in parallel give firsthit.benchmark the algorithm, and workers=2"
)
_PATIENCE_SECONDS = 2.0
"""A run ends even if an evaluation never lets go: C code that calls an optimizer's function again
with our exception pending (NLopt does) leaves the lock taken for ever."""


class Monitor(Protocol):
    """Watches how an algorithm uses its problem. What its methods raise, the algorithm gets."""

    def refused(self, error: BaseException) -> None:
        """An evaluation was refused; called before ``error`` is raised into the algorithm."""

    def announced(self) -> None:
        """The algorithm announced a restart, a recommendation or a note."""


class ObservedProblem(ProblemView):
    """One run on one problem. Call it as the problem is called; everything is counted.

    A point of shape ``(dimension,)`` gives a float, points of shape ``(n, dimension)`` give shape
    ``(n,)``, counted row by row; with two objectives, ``(2,)`` and ``(n, 2)``. A noisy problem
    gives noisy values, drawn from a generator of the run. An ``x`` that cannot be evaluated raises
    ``EvaluationError`` and is not counted. NaN and infinite values are counted, never a hit and
    never best. Threads may evaluate: they are counted one after the other. Other processes may not.

    An evaluation that another exception interrupts is counted: a signal's handler raised it, say,
    or the function itself. Its value is recorded, or it is not; nothing else is lost by it.

    Args:
        problem: What is optimized. An algorithm cannot ask for it, as it knows the optimum.
        identity: Which run this is.
        stop: When it ends by itself; by default at the final target.
        record: ``"targets"`` keeps first hits of targets, ``"improvements"`` all improvements.
        rng: Draws start points, or makes what does; by default made of the run's key.
        seed: The run's seed, for the record.
        indicator: Name of what targets apply to; by default the suite's.
        archive: What is kept of the archive of two objectives: ``"all"`` points that entered it,
            the ``"final"`` ones, those that are left at the end, or ``"none"``.
        clock: ``"measured"`` records the second of the run at which each hit was made; a function
            says the second where time is simulated.
        memory: What is recorded into; by default memory of its own.
        monitor: Watches refusals; by default nobody does.

    Attributes:
        identity: Which run this is.
        stop: When it ends by itself.
        record: What is recorded.
        dimension: Number of variables.
        was_pickled: Whether somebody tried to send it to another process.
        failure: Why evaluations could not be recorded any more; None where they could.

    Raises:
        BudgetExhausted: By an evaluation beyond the budget, which is not made. A batch larger than
            what is left is evaluated and recorded as far as the budget goes before this is raised.
        TimeExhausted: By an evaluation after the time limit, which is not made.
        MemoryExhausted: By an evaluation that there is no memory to record, which is not made.
        FinalTargetHit: With ``stop.final_target``, by the evaluation that hits the final target.
            Later points of the same batch are not counted, as if never evaluated.
        ObservationError: By an evaluation after the end of the run, or in another process.
    """

    __slots__ = (
        "__weakref__", "_best", "_clock", "_count", "_deadline", "_due", "_evaluate", "_facts",
        "_follows", "_has_constraints", "_keeps_archive", "_lock", "_look", "_mark", "_measured",
        "_memory", "_monitor", "_pending", "_pid", "_recorder", "_second", "_shares_budget",
        "_stopped", "failure", "identity", "record", "stop", "was_pickled",
    )  # fmt: skip

    def __init__(
        self,
        problem: Problem,
        identity: RunIdentity,
        stop: StopConditions | None = None,
        record: Record = "targets",
        rng: np.random.Generator | Callable[[], np.random.Generator] | None = None,
        *,
        seed: int = 0,
        indicator: str | None = None,
        archive: ArchiveKept = "all",
        clock: Clock | Callable[[], float] = "none",
        memory: RunMemory | None = None,
        monitor: Monitor | None = None,
    ) -> None:
        check_one_of(record, OBSERVED_RECORDS, "record")
        check_one_of(archive, ARCHIVES_KEPT, "archive")
        if not callable(clock):
            check_one_of(clock, CLOCKS, "clock")
        super().__init__(problem, rng or (lambda: np.random.default_rng(int(identity.key, 16))))
        self.identity = identity
        self.stop = StopConditions() if stop is None else stop
        self.was_pickled = False
        suite = SuiteFacts.of(problem, indicator)
        measure = make_indicator(suite.measurement.indicator, problem)
        noise_seed = int(identity.key, 16) if problem.is_noisy else 0
        self._measured = MeasuredProblem(problem, measure, noise_seed)
        self.record = record = recorded_kind(suite.measurement.indicator, record)
        self._has_constraints = problem.number_of_constraints > 0
        budget = self.stop.budget_evaluations
        self._shares_budget = budget is not None and self.stop.count == "f+g"
        self._facts = RunFacts(problem, identity, suite, seed, budget, record, archive)
        self._memory = memory or RunMemory()
        if not self._memory.is_shared:
            self._memory.begin()
        self._monitor = monitor
        final = suite.measurement.final_target
        every = record == "improvements"
        reference = getattr(measure, "reference", problem.reference_value)
        self._keeps_archive = self._measured.has_archive and archive != "none"
        grid = measure.grid
        rules = Rules(problem.dimension, reference, grid, final, every, self._keeps_archive)
        self._clock = RunClock()
        second = self._clock.seconds if clock == "measured" else clock
        self._second = second if callable(second) else None
        self._recorder = Recorder(rules, self._memory, self._second)
        if clock == "measured":
            self._recorder.note_host()
        timeout = self.stop.timeout_seconds
        self._deadline = np.inf if timeout is None else monotonic() + timeout
        self._evaluate = self._evaluation()
        look = self._measured.may_improve
        self._follows = look is None and not problem.is_noisy
        self._look: Callable[[Any], bool] = _never if look is None or problem.is_noisy else look
        self._best = None if problem.number_of_objectives > 1 else -np.inf  # None: look
        self._follow_best()
        self._count = 0
        self._due: float = 0
        self._pending: Callable[[], None] | None = None
        self._stopped: BaseException | None = None
        self.failure: BaseException | None = None
        self._pid = os.getpid()
        # of this run: a process that an earlier one forked may still try to evaluate, in its name
        self._mark = 1 + (self._memory.run_number or 0)
        self._lock = threading.RLock()
        watch(self)
        self._clock.start()

    def _evaluation(self) -> Evaluate:
        """The evaluation of a point between scheduled ones; noisy ones are watched here."""
        measure, recorder = self._measured.evaluate_true, self._recorder
        if measure is None:
            return self._watched(self._measured.evaluate)
        measure = self._watched(measure)
        may_improve = self._measured.may_improve or (lambda true: true < recorder.best)

        def evaluate(x: ArrayLike) -> Any:
            true, value = measure(x)
            if may_improve(true):
                self._improved(true, x)
            return value

        return evaluate

    def _follow_best(self) -> None:
        """Set what values are compared with as they come; noisy ones are not."""
        if self._follows:
            self._best = self._measured.value_at(self._recorder.best)

    def _watched(self, evaluate: Evaluate) -> Evaluate:
        """The evaluation of a point, with what has to be done at each one; mostly nothing."""
        if self._memory.is_shared:
            evaluate = self._counted(evaluate)
        if self._deadline < np.inf:
            return self._in_time(evaluate)
        return evaluate

    def _counted(self, evaluate: Evaluate) -> Evaluate:
        """The same evaluation, each counted at once in memory that outlives the process."""
        counts = self._memory.counts

        def evaluate_and_count(x: ArrayLike) -> Any:
            value = evaluate(x)
            counts[EVALUATIONS] = self._count
            return value

        return evaluate_and_count

    def _in_time(self, evaluate: Evaluate) -> Evaluate:
        def evaluate_in_time(x: ArrayLike) -> Any:
            self._check_time()
            return evaluate(x)

        return evaluate_in_time

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point, giving a float, or points, giving shape ``(n,)``."""
        count = self._count
        if count >= self._due:
            return self._scheduled(x)
        self._count = count + 1  # before evaluating: threads cannot exceed the budget together
        evaluate = self._evaluate  # called through a local name it costs 5 % less
        try:
            value = evaluate(x)
        except (EvaluationError, TimeExhausted) as error:
            self._uncount()
            if isinstance(error, TimeExhausted):
                raise
            if is_batch(x):
                return self._batch(x)
            self._refused(error)
            raise
        best = self._best
        if value < best if best is not None else self._look(value):
            self._improved(value, x)
        return value

    def _uncount(self) -> None:
        """Take back what was no evaluation of a point; another thread may have seen it counted."""
        with self._lock:
            self._count -= 1
            if isinstance(self._stopped, BudgetExhausted) and self._count < self._limit:
                self._stopped = None

    @property
    def evaluations(self) -> int:
        """Evaluations of the objective so far."""
        return self._count

    @property
    def evaluations_constraints(self) -> int:
        """Evaluations of the constraints so far."""
        return int(self._memory.counts[CONSTRAINTS])

    @property
    def evaluations_left(self) -> float:
        """Evaluations that the budget still allows, of f or of f+g; inf without a budget."""
        return self._limit - self._count

    @property
    def _limit(self) -> float:
        """Evaluations of the objective after which the budget is spent; inf without one."""
        budget = self.stop.budget_evaluations
        if budget is None:
            return np.inf
        return budget - self.evaluations_constraints if self._shares_budget else budget

    @property
    def best_observed_value(self) -> float:
        """Best indicator value so far, the objective's value on usual problems; inf before."""
        return float(self._settled.best)

    best_observed_fvalue1 = best_observed_value

    @property
    def best_observed_solution(self) -> Vector | None:
        """The best point so far, shape ``(dimension,)``, a copy; None before the first."""
        return self._settled.best_solution

    @property
    def final_target_hit(self) -> bool:
        """Whether the suite's final target was hit; False where it has none."""
        with suppress(Exception):  # what cannot be finished is told by ``finish``
            return self._settled.final_target_hit
        return self._recorder.final_target_hit

    @property
    def _settled(self) -> Recorder:
        """The recorder, after what an exception interrupted was finished."""
        if self._is_unsettled:
            with self._lock:
                self._check_process()
                self._settle()
        return self._recorder

    @property
    def was_forked(self) -> bool:
        """Whether a forked process tried to evaluate; known where the memory is shared."""
        return self._memory.counts[FORKED] == self._mark

    def constraint(self, x: ArrayLike) -> Vector:
        """Constraint values, <= 0 where feasible, of a point, shape ``(number_of_constraints,)``.

        Of points of shape ``(n, dimension)``, shape ``(n, number_of_constraints)``; each counts.
        A budget that counts f+g raises ``BudgetExhausted`` where it is spent.
        """
        with self._lock:
            self._check_open()
            if not self._has_constraints:
                return self._problem.constraint(x)
            left = self.evaluations_left if self._shares_budget else np.inf
            if left < 1:
                self._exhaust()
            points_given = len(cast(Sized, x)) if is_batch(x) else 1
            counted = int(min(points_given, left))
            if self._shares_budget:
                self._due = 0
            self._memory.counts[CONSTRAINTS] += counted
            try:
                values = self._problem.constraint(x)
            except EvaluationError:
                self._memory.counts[CONSTRAINTS] -= counted
                raise
            if points_given > left:
                self._exhaust()
            if self._shares_budget:
                self._due = self._next_due()
            return values

    def penalized(self, weight: float = 10.0) -> Penalized:
        """The objective plus ``weight`` times the sum of violations, as a function of ``x``.

        For optimizers that know no constraints. Each call counts as an evaluation of the objective
        and one of the constraints. What is measured stays the best feasible value. The log says the
        weight, as the note ``penalty_weight``.

        Raises:
            SuiteError: There are two objectives, or the weight is not a number > 0.
        """
        self._problem.penalized(weight)  # refuses what cannot be penalized
        self.note(penalty_weight=weight)
        return Penalized(self, weight)

    def recommend(self, x: ArrayLike) -> None:
        """Announce the solution that the algorithm would return now; costs no evaluation."""
        point = self._problem.as_point(x)
        with self._lock:
            self._check_open()
            self._announced()
            value = self._problem.unscaled(point)
            number = float(value) if np.ndim(value) == 0 else np.nan
            self._in_memory(self._recorder.recommend, self._count, number, point)

    def restart(
        self, reason: object = None, *, seed: int = 0, start: ArrayLike | None = None
    ) -> None:
        """Announce that the algorithm starts anew.

        Args:
            reason: Why, at most 200 bytes of text.
            seed: Seed of what follows, where there is one.
            start: Start point of what follows, where there is one: ``initial_solution`` from now
                on; the log keeps its hash.
        """
        with self._lock:
            self._check_open()
            self._announced()
            self._in_memory(self._recorder.restart, self._count, seed, start, reason)
            if start is not None:
                self._initial_solution = self._problem.as_point(start).copy()

    def drop(self, count: int) -> None:
        """Count evaluations whose values nobody will know; also after the end was raised.

        They were under way, in parallel, when a start or the run ended. Constraints, where there
        are some, were to be evaluated with them, and count as well.

        Raises:
            ObservationError: `finish` was called, or this is another process.
        """
        with self._lock:
            self._check_process()
            if isinstance(self._stopped, ObservationError):
                raise ObservationError(*self._stopped.args)
            self._in_memory(self._settle)
            self._in_memory(self._recorder.reserve, count)
            self._memory.counts[CONSTRAINTS] += count * self._has_constraints
            self._count += count
            self._in_memory(self._recorder.drop, self._count, count)
            self._in_memory(self._settle)

    def note(self, **values: float) -> None:
        """Record parameters of the algorithm: now current, logged at hits and scheduled counts.

        Raises:
            ObservationError: A value is no number.
        """
        with self._lock:
            self._check_open()
            self._announced()
            self._in_memory(self._recorder.note, values)

    def finish(self, status: Status, error: object = None) -> RunRecord:
        """End the run and return its record; once only.

        Args:
            status: One of ``STATUSES``; ``failed`` where evaluations could not be recorded any
                more, whatever is given.
            error: What went wrong, kept as text of at most 2000 bytes.

        Raises:
            ObservationError: The run is over, the status is unknown, or this is another process.
        """
        check_one_of(status, STATUSES, "status")
        is_held = self._lock.acquire(False) or self._lock.acquire(timeout=_PATIENCE_SECONDS)
        try:
            now = perf_counter(), process_time()
            self._check_process()
            if isinstance(self._stopped, ObservationError):
                raise ObservationError(*self._stopped.args)
            try:
                self._settle()
            except Exception:
                self._settle_or_fail()  # once more: a signal's handler may have raised it
            self._due = 0
            self._best = None  # a thread that evaluates now comes too late
            evaluations = self._memory.counts[EVALUATIONS] = self._count
            text = "" if error is None else str(error)
            if self.failure is not None:
                status = "failed"
                text = "; ".join(filter(None, (_unrecorded(evaluations, self.failure), text)))
            second = None if self._second is None else self._second()
            ending = Ending(status, text, self._clock.times(now, evaluations), second)
            record = record_of(self._memory, self._facts, ending)
            self._stopped = ObservationError(_OVER)
            return record
        finally:
            if is_held:
                self._lock.release()

    def _scheduled(self, x: ArrayLike) -> Any:
        if is_batch(x):
            return self._batch(x)
        with self._lock:
            self._prepare(1)
            started = perf_counter()
            self._count += 1
            try:
                value, true = self._measured.point(x)
            except EvaluationError as error:
                self._count -= 1
                self._refused(error)
                raise
            self._clock.add_single(perf_counter() - started)
            self._put_down(x, value, true)
            self._settle()
            self._stop_at_target()
            return value

    def _improved(self, true: Any, x: ArrayLike) -> None:
        with self._lock:
            if isinstance(self._stopped, ObservationError):
                return  # a thread that evaluated when the run was over
            if self._is_unsettled:
                self._check_process()
                self._settle()
            due = self._due
            self._put_down(x, true, true)
            if self._pending is not None:
                self._work_off()
                self._stop_at_target()
                if self._recorder.has_room():
                    self._due = due

    def _put_down(self, x: ArrayLike, value: Any, true: Any) -> None:
        """Say what an evaluation came to, in one step, where something is to be recorded of it.

        From here on nothing is lost: whatever comes in between, ``_due`` sends the next evaluation
        to what is pending.
        """
        self._check_process()
        quality = self._measured.quality(x, true, self._recorder.best)
        if quality is not None and not quality < self._recorder.best:
            return
        place, count = self._memory.put_point(x), self._count
        self._due = 0
        if quality is not None:
            self._pending = partial(self._record, count, place, quality)
        else:
            measure, length = (
                self._measured.measuring(x, value, true),
                self._recorder.archive_length,
            )
            self._pending = partial(self._measure, count, place, true, length, measure)

    def _measure(
        self, count: int, place: int, true: Any, length: int, measure: Callable[[], float]
    ) -> None:
        quality = measure()
        if self._keeps_archive and len(self._measured.entered):
            self._recorder.enter(length, count, true)
        self._record(count, place, quality)

    def _record(self, count: int, place: int, quality: float) -> None:
        if quality < self._recorder.best:
            self._recorder.improve(count, quality, place)

    @property
    def _is_unsettled(self) -> bool:
        return self._pending is not None or self._count >= self._recorder.next_scheduled

    def _settle(self) -> None:
        """Finish what was put down, and look ahead; what is settled already stays as it is.

        Not in a forked process: whoever calls it has looked.
        """
        if isinstance(self._stopped, ObservationError):
            return  # an evaluation that nobody waited for
        self._work_off()
        self._recorder.pass_counts(self._count)
        self._memory.counts[EVALUATIONS] = self._count
        self._due = self._next_due()

    def _settle_or_fail(self) -> None:
        try:
            self._settle()
        except Exception as reason:
            self.failure = self.failure or reason

    def _work_off(self) -> None:
        if self._pending is not None:
            self._pending()
            self._pending = None
        self._follow_best()

    def _next_due(self) -> float:
        """From so many evaluations on, the next one must not take the fast path."""
        if (
            self._stopped is not None
            or self._clock.slow
            or not self._measured.by_value
            or self._is_at_target
            or not self._recorder.has_room()
        ):
            return 0
        return min(self._recorder.next_scheduled - 1, self._limit)

    def _prepare(self, evaluations: int) -> int:
        """How many of the evaluations that are wanted can be made now; all is ready for them."""
        self._check_open()
        left = self._limit - self._count
        if left < 1:
            self._exhaust()
        if self._deadline < np.inf:
            self._check_time()
        allowed = evaluations if evaluations <= left else int(left)
        if allowed > self._recorder.sure:
            self._in_memory(self._recorder.reserve, allowed)
        return allowed

    def _in_memory(self, record: Callable[..., None], *args: Any) -> None:
        """Do what may need more memory, and end the run where there is none."""
        try:
            record(*args)
        except (OSError, MemoryError) as error:
            if isinstance(error, OSError) and error.errno is None:
                raise  # a signal's handler raised it: TimeoutError
            self.failure = error
            self.halt(MemoryExhausted(_unrecorded(self._count, error)))

    def _batch(self, x: ArrayLike) -> Vector:
        try:
            points = self._problem.as_batch(x)
        except EvaluationError as error:
            self._refused(error)
            raise
        if not len(points):
            return self._problem.evaluate_batch(points)
        with self._lock:
            allowed = self._prepare(len(points))
            values = self._take(points[:allowed])
            if allowed < len(points):
                self._exhaust()
            return values

    def _take(self, points: Vector) -> Vector:
        before, points_given = self._count, len(points)
        self._due = 0  # other threads wait from here on, and the next batch is not tried as a point
        started = perf_counter()
        self._count = before + points_given
        try:
            values, true = self._measured.batch(points)
        except EvaluationError:
            self._count = before
            raise
        self._clock.add_batch(perf_counter() - started, points_given)
        if not self._measured.none_improves(true, self._recorder.best):
            quality = self._measured.qualities(points, true)
            points, length = points.copy(), self._recorder.archive_length
            measure = self._measured.measuring_batch(points, values, true)
            self._pending = partial(
                self._record_batch, before, points, true, length, quality, measure
            )
        if self._is_unsettled:
            self._check_process()  # the evaluation may have forked
            self._settle()
            self._due = 0
            self._stop_at_target()
        else:
            self._memory.counts[EVALUATIONS] = self._count
        return values

    def _record_batch(
        self,
        before: int,
        points: Vector,
        true: Vector,
        length: int,
        quality: Vector | None,
        measure: Callable[[], Vector],
    ) -> None:
        quality = measure() if quality is None else quality
        if self.stop.final_target:
            quality = up_to_target(quality, self._recorder.final_threshold)
            self._count = before + len(quality)
        rows = self._measured.entered
        if self._keeps_archive and len(rows := rows[rows < len(quality)]):
            self._recorder.enter_many(length, rows + (before + 1), true[rows])
        self._recorder.take(before, points, quality)

    @property
    def _is_at_target(self) -> bool:
        recorder = self._recorder
        return self.stop.final_target and recorder.best <= recorder.final_threshold

    def _stop_at_target(self) -> None:
        if self._is_at_target:
            self.halt(FinalTargetHit(f"final target hit at evaluation {self._count}"))

    def _exhaust(self) -> NoReturn:
        budget = self.stop.budget_evaluations
        self.halt(BudgetExhausted(f"the budget of {budget} evaluations is spent"))

    def _check_time(self) -> None:
        if monotonic() >= self._deadline:
            seconds = self.stop.timeout_seconds
            self.halt(TimeExhausted(f"the time limit of {seconds:g} s is over"))

    def halt(self, stop: RunStop) -> NoReturn:
        """End the run: ``stop`` is raised now, and by every evaluation from now on."""
        self._due = 0
        self._stopped = stop
        self._refused(stop)
        try:
            raise stop
        finally:
            del stop  # its traceback knows this frame

    def _refused(self, error: BaseException) -> None:
        if self._monitor is not None:
            self._monitor.refused(error)

    def _announced(self) -> None:
        if self._monitor is not None:
            self._monitor.announced()

    def _check_open(self) -> None:
        """Refuse what comes after the end, and finish what was interrupted before."""
        self._check_process()
        if self._stopped is not None:
            error = type(self._stopped)(*self._stopped.args)
            self._refused(error)
            raise error
        if self._is_unsettled:
            self._in_memory(self._settle)
        self._stop_at_target()

    def close_copy(self) -> None:
        """Called in a forked process: evaluations there are refused, as none would be recorded."""
        self._lock = threading.RLock()
        self._due = 0

    def _check_process(self) -> None:
        if os.getpid() == self._pid:
            return
        self._memory.counts[FORKED] = self._mark
        raise ObservationError(
            "an observed problem is used in a forked process, where evaluations cannot be "
            "observed; observe in the process that evaluates"
        )

    def __copy__(self) -> ObservedProblem:
        return self

    def __deepcopy__(self, memo: object) -> ObservedProblem:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.was_pickled = True
        raise ObservationError(
            "an observed problem cannot be pickled: evaluations made in another process would not "
            "be observed. Evaluate in this process, or give each process a run of its own"
        )

    def __repr__(self) -> str:
        return f"<ObservedProblem: {self.dimension} variables, {self.evaluations} evaluations>"


def _never(value: Any) -> bool:
    """Nothing is to be done for this value."""
    return False


def _unrecorded(evaluations: int, error: BaseException) -> str:
    reason = f"{type(error).__name__}: {error}"
    return f"after {evaluations} evaluations nothing more could be recorded ({reason})"

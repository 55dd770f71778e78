"""A problem as an algorithm sees it: evaluations are counted, limited and recorded.

Read the class from top to bottom. `__call__` is the fast path, which most evaluations take: two
comparisons and one increment around the evaluation. `_evaluate_guarded` is the other path, for
batches, scheduled evaluation counts and the end of the run. Both call `_record`, which writes an
improvement inside the critical section, `_write`. `_plan` decides which evaluations take the fast
path.

Three rules keep the record right whatever signal handlers, finalizers and threads do:

- An evaluation is counted before the function is called. It is recorded at the number of
  evaluations that have begun by then. The number is exact unless evaluations overlap.
- A signal handler or a finalizer may evaluate while its thread is inside the critical section. Such
  an evaluation waits in a list until the thread leaves the section.
- An exception inside the critical section ends the run there. An exception anywhere else does not:
  its evaluation counts, and its value may be missing.
"""

from __future__ import annotations

import copy
import os
import sys
import threading
from collections.abc import Callable, Sized
from contextlib import suppress
from time import monotonic, perf_counter, process_time
from typing import Any, NoReturn, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import Problem
from ...suites.errors import EvaluationError
from ...suites.penalty import Penalized
from ...suites.points import is_batch
from ..errors import ObservationError
from ..records.identity import RunIdentity
from ..records.run_record import STATUSES, ObservedRecord, RunRecord, Status, check_one_of
from .clock import RunClock
from .measured_problem import Evaluate, MeasuredProblem
from .memory import CONSTRAINTS, EVALUATIONS, FORKED, RunMemory
from .point_recorder import PointRecorder
from .problem_view import ProblemView
from .recorder import Recorder, cut_at_target, describe_restart, find_lowest
from .run_result import Ending
from .stops import (
    BudgetExhausted,
    FinalTargetHit,
    RecordInterrupted,
    RunStop,
    StopConditions,
    TimeExhausted,
)

Vector = NDArray[np.float64]

_ENDED = (
    "this run has ended; its problem cannot be evaluated any more. In a loop over an observer, "
    "evaluate each problem before the loop asks for the next one; list() and pools of threads ask "
    "for all at once. To make runs in parallel, give firsthit.benchmark the algorithm and workers=2"
)
_UNLIMITED = sys.maxsize
"""Limit of a run without a budget. It is an integer because counts must stay integers."""
_LOCK_TIMEOUT_SECONDS = 2.0
"""Time after which a run ends although an evaluation still holds the lock.

C code that goes on calling an optimizer's function while our exception is pending (NLopt does)
leaves the lock taken for ever.
"""


class Monitor(Protocol):
    """Watches how an algorithm uses its problem; its exceptions pass into the algorithm."""

    def refused(self, error: BaseException) -> None:
        """Handle a refused evaluation. Called before ``error`` is raised into the algorithm."""

    def announced(self) -> None:
        """Handle a restart, a recommendation or a note. Called before it is recorded."""


class ObservedProblem(ProblemView):
    """One run on one problem. Call it like the problem; every evaluation is counted.

    A point of shape ``(dimension,)`` gives a float. A batch of shape ``(n, dimension)`` gives shape
    ``(n,)``, and each row counts as one evaluation. With two objectives the shapes are ``(2,)`` and
    ``(n, 2)``. A noisy problem gives noisy values, drawn from a generator of the run. Evaluations
    with the value NaN or infinity count, but are never the best and never hit a target. Threads may
    evaluate; other processes may not.

    `observe_problem` makes objects of this class.

    Args:
        problem: The problem.
        identity: Identity of the run.
        record: Recorded evaluations: first hits of targets, or all improvements.
        stop: Conditions under which the run ends by itself.
        measured: The problem with the indicator and the noise of the run.
        recorder: Recorder of the run.
        points: Recorder of the evaluated points; None: they are not recorded.
        memory: Memory of the recorder.
        clock: Clock that measures durations.
        make_record: Function that makes the record of the run from its ending.
        monitor: Monitor of refusals and announcements; None: there is no monitor.
        rng: Generator of random start points, or a function that makes it when it is first needed.

    Attributes:
        identity: Identity of the run.
        stop: Conditions under which the run ends by itself.
        record: Recorded evaluations: first hits of targets, or all improvements.
        dimension: Number of variables.
        was_pickled: Whether somebody tried to pickle this object, to send it to another process.
        failure: The exception that interrupted the recording of an evaluation; None without one.
        accepts_batches: Whether a call may evaluate several points. Default: True.

    Raises:
        EvaluationError: By an evaluation, as are the errors below: ``x`` is invalid and does not
            count.
        BudgetExhausted: The evaluation is beyond the budget and is not made. If a batch is larger
            than the rest of the budget, its first points are evaluated and recorded before.
        TimeExhausted: The time limit is over; the evaluation is not made.
        FinalTargetHit: The evaluation has hit the final target, and ``stop.final_target`` is True.
            Later points of its batch do not count.
        RecordInterrupted: An earlier evaluation could not be recorded completely.
        ObservationError: The run has ended, or this is another process.

    Example:
        >>> import firsthit
        >>> suite = firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)
        >>> with firsthit.Observer("observed.h5", algorithm="three-points") as observer:
        ...     for problem in observer(suite):
        ...         values = problem([[0, 0], [1, 1], [2, 2]])  # three evaluations
        ...         print(problem.evaluations, problem.best_observed_solution)
        3 [0. 0.]
    """

    __slots__ = (
        "__weakref__", "_best", "_clock", "_compares_values", "_count", "_deadline", "_evaluate",
        "_has_constraints", "_has_ended", "_interrupted", "_is_copy", "_is_finished",
        "_is_recording", "_limit", "_lock", "_make_record", "_may_improve", "_measured", "_memory",
        "_monitor", "_next_slow", "_pid", "_points", "_recorder", "_run_mark",
        "_shares_budget", "_stop_value", "_stopped", "_takes_batches", "_waiting",
        "accepts_batches", "failure", "identity", "record", "stop", "was_pickled",
    )  # fmt: skip

    def __init__(
        self,
        problem: Problem,
        identity: RunIdentity,
        record: ObservedRecord,
        stop: StopConditions,
        measured: MeasuredProblem,
        recorder: Recorder,
        points: PointRecorder | None,
        memory: RunMemory,
        clock: RunClock,
        make_record: Callable[[Ending], RunRecord],
        monitor: Monitor | None,
        rng: np.random.Generator | Callable[[], np.random.Generator],
    ) -> None:
        super().__init__(problem, rng)
        self.identity = identity
        self.record = record
        self.stop = stop
        self.was_pickled = False
        self.failure: BaseException | None = None
        self.accepts_batches = True
        self._measured = measured
        self._recorder = recorder
        self._points = points
        self._memory = memory
        self._clock = clock
        self._make_record = make_record
        self._monitor = monitor
        # Limits.
        self._has_constraints = problem.number_of_constraints > 0
        self._shares_budget = stop.budget_evaluations is not None and stop.count == "f+g"
        budget = stop.budget_evaluations
        self._limit = _UNLIMITED if budget is None else int(budget)  # of objective evaluations
        timeout = stop.timeout_seconds
        self._deadline = np.inf if timeout is None else monotonic() + timeout
        self._stop_value = recorder.final_threshold if stop.final_target else -np.inf
        # The fast path records values below `_best`; if this is None, it asks `_may_improve`. Noise
        # is an exception: `_evaluate` compares the true values, and the fast path records nothing.
        self._evaluate = self._build_evaluation()
        is_noisy = measured.evaluate_noisy is not None
        may_improve = None if is_noisy else measured.may_improve
        self._compares_values = measured.may_improve is None and not is_noisy
        self._best: float | None = -np.inf if problem.number_of_objectives == 1 else None
        self._may_improve: Callable[[Any], bool] = may_improve or (lambda value: False)
        self._count = 0  # evaluations begun
        self._next_slow = 0  # number of evaluations from which a call is guarded
        self._takes_batches = False  # the last guarded call was a batch
        # The critical section and the end of the run.
        self._lock = threading.RLock()
        self._is_recording = False  # a thread is inside the critical section
        self._waiting: list[tuple[Callable[..., None], int, tuple[Any, ...]]] = []
        self._interrupted: int | None = None  # the evaluation whose recording was interrupted
        self._stopped: RunStop | None = None  # every later evaluation raises it again
        self._has_ended = False  # `finish` was called
        self._is_finished = False  # `finish` has returned the record
        # Other processes.
        self._pid = os.getpid()
        self._is_copy = False  # made by a fork
        # A process that an earlier run forked may still write its own mark into the memory.
        self._run_mark = 1 + (memory.run_number or 0)

    # The fast path

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point, giving a float, or points, giving shape ``(n,)``."""
        count = self._count
        if count >= self._next_slow:
            return self._evaluate_guarded(x)
        self._count = count + 1  # before evaluating: threads cannot exceed the budget together
        evaluate = self._evaluate  # called through a local name it costs 5 % less
        try:
            value = evaluate(x)
        except (EvaluationError, TimeExhausted) as error:
            self._count -= 1  # nothing was evaluated
            self._memory.counts[EVALUATIONS] = self._count
            if isinstance(error, EvaluationError):
                if is_batch(x):
                    return self._evaluate_guarded(x)
                self._report_refusal(error)
            raise
        best = self._best
        if value < best if best is not None else self._may_improve(value):
            self._record(x, value, value)
        return value

    def _build_evaluation(self) -> Evaluate:
        """Return the function that evaluates a point on the fast path.

        It contains only the steps that this run needs, because it is called at each evaluation.
        """
        measured, recorder, counts = self._measured, self._recorder, self._memory.counts
        evaluate, evaluate_noisy = measured.evaluate, measured.evaluate_noisy
        if evaluate_noisy is not None:
            may_improve = measured.may_improve or (lambda true: true < recorder.best)

            def evaluate_with_noise(x: ArrayLike) -> Any:
                true, value = evaluate_noisy(x)
                if self._points is not None:
                    self._append_point(x, value)
                if may_improve(true):
                    self._record(x, true, value)
                return value

            evaluate = evaluate_with_noise
        elif self._points is not None:
            evaluate_unrecorded, append = evaluate, self._points.append

            def evaluate_and_append(x: ArrayLike) -> Any:
                value = evaluate_unrecorded(x)
                if append(self._count, x, value):
                    self._write_points()
                return value

            evaluate = evaluate_and_append

        if self._memory.is_shared:
            evaluate_uncounted = evaluate

            def evaluate_counted(x: ArrayLike) -> Any:
                counts[EVALUATIONS] = self._count  # known even if the process dies in the function
                return evaluate_uncounted(x)

            evaluate = evaluate_counted

        if self._deadline < np.inf:
            evaluate_untimed = evaluate

            def evaluate_in_time(x: ArrayLike) -> Any:
                self._check_time()
                return evaluate_untimed(x)

            evaluate = evaluate_in_time
        return evaluate

    # The guarded path

    def _evaluate_guarded(self, x: ArrayLike) -> Any:
        """Evaluate one point or a batch under the lock, after all checks."""
        if is_batch(x):
            return self._evaluate_batch(x)
        with self._lock:
            self._admit(1)
            started = perf_counter()
            try:
                true, value = self._measured.evaluate_point(x)
            except EvaluationError as error:
                self._count -= 1
                self._report_refusal(error)
                raise
            self._clock.add_point(perf_counter() - started)
            self._takes_batches = False
            if self._points is not None:
                self._append_point(x, value)
            self._record(x, true, value)
            return value

    def _evaluate_batch(self, x: ArrayLike) -> Any:
        """Evaluate as many points of a batch as the budget admits; raise if it admits not all."""
        if not self.accepts_batches:
            raise EvaluationError(
                f"{self.id}: x is two-dimensional; give one point of {self.dimension} numbers"
            )
        try:
            points = self._problem.as_batch(x)
        except EvaluationError as error:
            self._report_refusal(error)
            raise
        wanted = len(points)
        if not wanted:
            return self._problem.evaluate_batch(points)
        with self._lock:
            admitted = self._admit(wanted)
            if admitted < wanted:
                points = points[:admitted]
            started = perf_counter()
            try:
                true, values = self._measured.evaluate_batch(points)
            except EvaluationError as error:
                self._count -= admitted
                self._report_refusal(error)
                raise
            self._clock.add_batch(perf_counter() - started, admitted)
            self._takes_batches = True
            self._record_batch(points, true, values)
            if admitted < wanted:
                self._raise_exhausted()
            return values

    def _admit(self, wanted: int) -> int:
        """Check that the run is open, and count as many evaluations as the budget admits.

        Returns:
            Number of evaluations to make, from 1 to ``wanted``.
        """
        self._check_open()
        if self._deadline < np.inf:
            self._check_time()
        # No function is called between reading the count and increasing it, except to raise. A
        # signal handler or a finalizer that evaluates in between would exceed the budget.
        left = self._limit - self._count
        if left < 1:
            self._raise_exhausted()
        admitted = wanted if wanted <= left else left
        self._count += admitted
        self._memory.counts[EVALUATIONS] = self._count
        return admitted

    # Recording

    def _record(self, x: ArrayLike, true: Any, value: Any) -> None:
        """Record an evaluated point if it improves the best value or if its count is scheduled.

        Args:
            x: The point.
            true: Its true value.
            value: The value that the algorithm gets.
        """
        with self._lock:
            if not self._measured.is_stateless:
                self._write(self._measure_point, x, true, value)
            else:
                best = self._recorder.best
                quality = self._measured.compute_quality(x, true, best)
                if quality < best or self._count >= self._recorder.next_scheduled:
                    self._write(self._recorder.take_point, x, quality)
                else:
                    self._plan()
            self._stop_at_target()

    def _record_batch(self, points: Vector, true: Vector, values: Vector) -> None:
        """Record an evaluated batch if a point improves the best value or its count is scheduled.

        The caller holds the lock. The arguments are those of `_record`, for each point.
        """
        if not self._measured.is_stateless:
            self._write(self._measure_batch, points, true, values)
        else:
            best = self._recorder.best
            qualities = self._measured.compute_qualities(points, true, best)
            # The lowest one is NaN if any is NaN. Then others may still be below the best.
            is_worse = find_lowest(qualities) >= best
            is_scheduled = self._count >= self._recorder.next_scheduled
            if not is_worse or is_scheduled or self._points is not None:
                self._write(self._take_batch, points, qualities, values)
            elif self._next_slow:  # after a batch, `_plan` makes the next call a guarded one
                self._plan()
        self._stop_at_target()

    def _append_point(self, x: ArrayLike, value: Any) -> None:
        """Append an evaluation to the list of `_points`, and write it if it is a complete block.

        Points of slow evaluations are written at once, so that a killed process loses none of them.
        """
        assert self._points is not None
        is_complete = self._points.append(self._count, x, value)
        if is_complete or self._clock.is_slow:
            self._write_points()

    def _write_points(self) -> None:
        """Write the block of points that are not written yet."""
        with self._lock:
            self._write(self._take_points)

    def _write(self, step: Callable[..., None], *arguments: Any) -> None:
        """Run ``step(number, *arguments)``, which writes into the record, in the critical section.

        The number is the number of evaluations begun. The caller holds the lock. If its thread is
        inside the section already, because a signal handler or a finalizer evaluates, the step
        waits until the thread leaves the section. An exception inside the section ends the run.
        After the end of the run this function does nothing.
        """
        if self._is_recording:
            # Copied, because the arrays belong to the algorithm, which goes on meanwhile.
            self._waiting.append((step, self._count, copy.deepcopy(arguments)))
            return
        if self._has_ended or self._interrupted is not None:  # while a thread evaluated
            return
        self._check_process()  # the function may have forked
        self._interrupted = self._count  # set in advance: no exception can come too early for it
        self._is_recording = True
        self._next_slow = 0
        self._memory.counts[EVALUATIONS] = self._count  # no recorded number is higher
        try:
            step(self._count, *arguments)
            while self._waiting:
                step, number, arguments = self._waiting.pop(0)
                step(number, *arguments)
        except BaseException as error:
            self.failure = error
            raise
        finally:
            self._is_recording = False
        self._interrupted = None
        self._plan()

    # Steps of `_write`. Their argument ``number`` is the number of the last evaluation.

    def _measure_point(self, number: int, x: ArrayLike, true: Any, value: Any) -> None:
        """Measure one point by a stateful indicator, and record it."""
        quality = self._measured.measure_point(x, true, value)
        if len(self._measured.entered_positions):
            self._recorder.enter_point(number, true)
        self._recorder.take_point(number, x, quality)

    def _take_points(self, number: int) -> None:
        """Write the points of single evaluations."""
        if self._points is not None:
            self._points.write()
            self._close_points()

    def _close_points(self) -> None:
        """Stop recording points if no further points are recorded, so that they cost nothing."""
        if self._points is not None and not self._points.is_open:
            self._points = None
            self._evaluate = self._build_evaluation()

    def _take_batch(self, number: int, points: Vector, qualities: Vector, values: Vector) -> None:
        """Record a batch up to its first point that hits the final target, if that ends the run.

        The points after it do not count as evaluations.
        """
        taken = cut_at_target(qualities, self._stop_value)
        if len(taken) < len(qualities):
            number -= len(qualities) - len(taken)
            self._count -= len(qualities) - len(taken)
            self._memory.counts[EVALUATIONS] = self._count
        if self._points is not None:
            self._points.write_batch(number, points[: len(taken)], values[: len(taken)])
            self._close_points()
        self._recorder.take_batch(number, points, taken)

    def _measure_batch(self, number: int, points: Vector, true: Vector, values: Vector) -> None:
        """Measure a batch by a stateful indicator, and record it."""
        qualities = self._measured.measure_batch(points, true, values)
        entered = self._measured.entered_positions
        entered = entered[entered < len(cut_at_target(qualities, self._stop_value))]
        if len(entered):
            numbers = entered + (number - len(points) + 1)
            self._recorder.enter_batch(numbers, true[entered])
        self._take_batch(number, points, qualities, values)

    def _plan(self, constraints: int = 0) -> None:
        """Decide which evaluations take the fast path: set the next slow count and the best value.

        The slow count is the number of evaluations from which a call must be guarded. No other
        function computes it, and only the critical section sets it otherwise, to 0.

        Args:
            constraints: Evaluations of the constraints to count in the same step. They may lower
                the limit of a budget that counts both.
        """
        if self._compares_values:
            self._best = self._measured.value_at(self._recorder.best)
        # No function is called from here on, so that no exception separates the limit from the slow
        # count, and no signal handler that ends the run has its slow count overwritten.
        recorder = self._recorder
        if constraints:
            self._memory.counts[CONSTRAINTS] += constraints
            if self._shares_budget:
                self._limit -= constraints
        if (
            self._stopped is not None
            or self._interrupted is not None
            or self._has_ended
            or self._is_copy
            or self._takes_batches  # the next batch should not be tried as a point first
            or self._clock.is_slow
            or not self._measured.can_skip
            or recorder.best <= self._stop_value
        ):
            self._next_slow = 0
        elif self._limit < recorder.next_scheduled:
            self._next_slow = self._limit
        else:
            self._next_slow = recorder.next_scheduled - 1

    # The end of the run

    def halt(self, stop: RunStop) -> NoReturn:
        """End the run: raise ``stop`` now, and again by every later evaluation."""
        self._stopped = stop
        self._plan()
        self._report_refusal(stop)
        try:
            raise stop
        finally:
            del stop  # its traceback refers to this frame, which would keep the problem alive

    def finish(self, status: Status, error: object = None) -> RunRecord:
        """End the run and return its record.

        Call it once, and again only if an exception interrupted the call. If the recording of an
        evaluation was interrupted, the record gets the status ``failed``, or ``target`` if the
        final target had been hit. Its message names the evaluation. The status ``interrupted`` is
        not replaced.

        Args:
            status: One of ``STATUSES``.
            error: Error that ended the run; its text is cut to 2000 bytes. None: no error.

        Raises:
            ObservationError: The run has ended, the status is unknown, or this is another process.
        """
        check_one_of(status, STATUSES, "status")
        has_lock = self._lock.acquire(False) or self._lock.acquire(timeout=_LOCK_TIMEOUT_SECONDS)
        try:
            wall_end, cpu_end = perf_counter(), process_time()
            self._check_process()
            if self._is_finished:
                raise ObservationError(_ENDED)
            if self._interrupted is None and self._count >= self._recorder.next_scheduled:
                # Scheduled counts of evaluations that raised. An error is reported below.
                with suppress(Exception):
                    self._write(self._recorder.pass_counts)
            if self._points is not None:
                # An error is reported below. After an interruption `_write` would do nothing.
                with suppress(Exception):
                    if self._interrupted is None:
                        self._write(self._take_points)
                    else:
                        self._points.write()
            self._has_ended = True  # before the counts are read: nothing is recorded from here on
            self._plan()
            evaluations = self._memory.counts[EVALUATIONS] = self._count
            text = "" if error is None else str(error)
            if self._interrupted is not None:
                if status != "interrupted":
                    status = "target" if self._recorder.final_target_hit else "failed"
                message = self._describe_interruption()
                if message not in text:  # `RecordInterrupted` may have left the loop
                    text = f"{message}; {text}" if text else message
            read_seconds = self._recorder.read_seconds
            end_second = None if read_seconds is None else read_seconds()
            times = self._clock.compute_times(wall_end, cpu_end, evaluations)
            record = self._make_record(Ending(status, text, times, end_second))
            self._is_finished = True
            return record
        finally:
            if has_lock:
                self._lock.release()

    def _check_open(self) -> None:
        """Raise the exception that ended the run, if it has ended."""
        self._check_process()
        error: BaseException
        if self._has_ended:
            error = ObservationError(_ENDED)
        elif self._interrupted is not None and not self._is_recording:
            error = RecordInterrupted(self._describe_interruption())
        elif self._stopped is not None:
            # A new exception: the traceback of the old one would grow with each evaluation.
            error = type(self._stopped)(*self._stopped.args)
        else:
            self._stop_at_target()
            return
        self._report_refusal(error)
        raise error

    def _check_time(self) -> None:
        """End the run by `TimeExhausted` if its time limit is over."""
        if monotonic() >= self._deadline:
            seconds = self.stop.timeout_seconds
            self.halt(TimeExhausted(f"the time limit of {seconds:g} s is over"))

    def _stop_at_target(self) -> None:
        """End the run by `FinalTargetHit` if the final target was hit and ends the run."""
        # Not inside the critical section, where an exception would interrupt another evaluation.
        if self._recorder.best <= self._stop_value and not self._is_recording:
            self.halt(FinalTargetHit(f"final target hit at evaluation {self._count}"))

    def _raise_exhausted(self) -> NoReturn:
        """Raise BudgetExhausted.

        The exception is not stored as the end of the run: if another thread evaluates an invalid
        ``x``, its evaluation does not count, and the budget admits one more.
        """
        budget = self.stop.budget_evaluations
        error = BudgetExhausted(f"the budget of {budget} evaluations is spent")
        self._report_refusal(error)
        raise error

    def _describe_interruption(self) -> str:
        """Return a message that names the evaluation whose recording was interrupted."""
        cause = "an exception"
        if self.failure is not None:
            cause = ": ".join(filter(None, (type(self.failure).__name__, str(self.failure))))
        # Later points of a batch do not count if one of them hit the final target.
        number = min(self._interrupted or 0, self._count)
        return f"recording evaluation {number} was interrupted by {cause}; the run ends there"

    def _report_refusal(self, error: BaseException) -> None:
        """Tell the monitor, if there is one, that an evaluation is refused by this exception."""
        if self._monitor is not None:
            self._monitor.refused(error)

    # What else an algorithm may do

    def constraint(self, x: ArrayLike) -> Vector:
        """Evaluate the constraints at one point or at points; each point counts.

        Args:
            x: Shape ``(dimension,)`` or ``(n, dimension)``.

        Returns:
            Values, <= 0 where feasible, shape ``(number_of_constraints,)`` or
            ``(n, number_of_constraints)``.

        Raises:
            EvaluationError: ``x`` is invalid; it does not count.
            BudgetExhausted: The budget counts f+g and is spent.
        """
        with self._lock:
            self._check_open()
            if not self._has_constraints:
                return self._problem.constraint(x)
            wanted = len(cast(Sized, x)) if is_batch(x) else 1
            left = self._limit - self._count if self._shares_budget else wanted
            if left < 1 <= wanted:
                self._raise_exhausted()
            admitted = min(wanted, left)
            self._plan(constraints=admitted)
            try:
                values = self._problem.constraint(x)
            except EvaluationError:
                self._plan(constraints=-admitted)
                raise
            if admitted < wanted:
                self._raise_exhausted()
            return values

    def penalized(self, weight: float = 10.0) -> Penalized:
        """Return the objective plus ``weight`` times the sum of violations, a function of ``x``.

        It is meant for optimizers without constraint handling. Each call counts as one evaluation
        of the objective and one of the constraints. The indicator stays the best feasible value.
        The log keeps the weight, as the note ``penalty_weight``.

        Raises:
            SuiteError: There are two objectives, or the weight is not a number > 0.
        """
        self._problem.penalized(weight)  # raises SuiteError
        self.note(penalty_weight=weight)
        return Penalized(self, weight)

    def recommend(self, x: ArrayLike) -> None:
        """Record the solution that the algorithm would return now; this costs no evaluation.

        Raises:
            EvaluationError: ``x`` is not a point of shape ``(dimension,)``.
        """
        point = self._problem.as_point(x)
        with self._lock:
            self._announce()
            value = self._measured.compute_recommended_value(point)
            self._write(self._recorder.add_recommendation, value, point)

    def restart(
        self, reason: object = None, *, seed: int = 0, start: ArrayLike | None = None
    ) -> None:
        """Record that the algorithm restarts.

        Args:
            reason: Why it restarts; cut to 200 bytes of text.
            seed: Seed of the next start, from 0 to 2**64 - 1; 0: unknown.
            start: Point where it starts, shape ``(dimension,)``: ``initial_solution`` from now on.
                The log keeps its hash. None: unknown.

        Raises:
            EvaluationError: ``start`` is not a point.
            ObservationError: The seed is out of range.
        """
        with self._lock:
            self._announce()
            point = None if start is None else self._problem.as_point(start).copy()
            self._write(self._recorder.add_restart, *describe_restart(seed, point, reason))
            if point is not None:
                self._initial_solution = point

    def note(self, **values: float) -> None:
        """Set parameters of the algorithm, which are logged at hits and scheduled counts.

        Raises:
            ObservationError: A value is no number, or a name is too long.
        """
        with self._lock:
            self._announce()
            self._recorder.set_notes(values)

    def _announce(self) -> None:
        """Check that the run is open, and tell the monitor about an announcement."""
        self._check_open()
        if self._monitor is not None:
            self._monitor.announced()

    def drop(self, count: int) -> None:
        """Count evaluations whose values were not waited for at a restart or at the end of the run.

        An algorithm in simulated parallel time has them. If the problem has constraints, their
        evaluations count as well. The method may be called after an exception has ended the run.

        Raises:
            ObservationError: `finish` was called, or this is another process.
        """
        with self._lock:
            self._check_process()
            if self._has_ended:
                raise ObservationError(_ENDED)
            self._count += count
            self._plan(constraints=count if self._has_constraints else 0)
            self._write(self._recorder.add_dropped, count)

    # The state of the run

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
        if self.stop.budget_evaluations is None:
            return np.inf
        return self._limit - self._count

    @property
    def best_observed_value(self) -> float:
        """Best indicator value so far, usually the objective's value; inf before the first one."""
        return float(self._recorder.best)

    best_observed_fvalue1 = best_observed_value

    @property
    def best_observed_solution(self) -> Vector | None:
        """The best point so far, shape ``(dimension,)``, a copy; None before the first one."""
        point = self._memory.copy_best().x
        return point if len(point) else None

    @property
    def final_target_hit(self) -> bool:
        """Whether the suite's final target was hit; False if it has none."""
        return self._recorder.final_target_hit

    @property
    def was_forked(self) -> bool:
        """Whether a forked process tried to evaluate."""
        return self._memory.counts[FORKED] == self._run_mark

    # Copies and other processes

    def close_copy(self) -> None:
        """Refuse evaluations from now on, because this process was forked and cannot record them.

        It is called in the forked process, before other code runs there.
        """
        self._lock = threading.RLock()  # another thread of the parent may have held it
        self._is_copy = True
        self._plan()

    def _check_process(self) -> None:
        """Raise ObservationError in a forked process, and note in the memory that one evaluated."""
        if os.getpid() == self._pid:
            return
        self._memory.counts[FORKED] = self._run_mark
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

"""The problem as an algorithm sees it: counts evaluations, keeps the limits, records the run.

The hot path is ``ObservedProblem.__call__``: one comparison with the best value so far, and one
countdown to the next evaluation at which anything else is due (a scheduled count, the end of the
budget, a duration to be measured).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from os import getpid
from time import monotonic, perf_counter, process_time
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import EvaluationError, Problem
from ...suites.penalty import Penalized
from ...suites.points import as_batch, as_point, is_batch
from ..errors import ObservationError
from ..indicators.registry import make_indicator
from ..records.identity import RunIdentity
from ..records.run_record import (
    ARCHIVES_KEPT,
    OBSERVED_RECORDS,
    STATUSES,
    ArchiveKept,
    Record,
    RunRecord,
    Status,
    check_one_of,
)
from ..records.suite_facts import SuiteFacts
from .clock import RunClock
from .forks import watch
from .measured_problem import Evaluate, MeasuredProblem
from .memory import CONSTRAINTS, EVALUATIONS, FORKED, RunMemory
from .problem_view import ProblemView
from .recorder import Recorder, Rules, up_to_target
from .run_result import Ending, RunFacts, record_of
from .stops import BudgetExhausted, FinalTargetHit, RunStop, StopConditions, TimeExhausted

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

    Args:
        problem: What is optimized; the loop's owner finds it in ``.problem``.
        identity: Which run this is.
        stop: When it ends by itself; by default at the final target.
        record: ``"targets"`` keeps first hits of targets, ``"improvements"`` all improvements.
        rng: Draws start points, or makes what does; by default made of the run's key.
        seed: The run's seed, for the record.
        indicator: Name of what targets apply to; by default the suite's.
        archive: What is kept of the archive of two objectives: ``"all"`` points that entered it,
            the ``"final"`` ones, those that are left at the end, or ``"none"``.
        memory: What is recorded into; by default memory of its own.
        monitor: Watches refusals; by default nobody does.

    Attributes:
        problem: What is optimized.
        identity: Which run this is.
        stop: When it ends by itself.
        record: What is recorded.
        dimension: Number of variables.
        was_pickled: Whether somebody tried to send it to another process.

    Raises:
        BudgetExhausted: By an evaluation beyond the budget, which is not made. A batch larger than
            what is left is evaluated and recorded as far as the budget goes before this is raised.
        TimeExhausted: By an evaluation after the time limit, which is not made.
        FinalTargetHit: With ``stop.final_target``, by the evaluation that hits the final target.
            Later points of the same batch are not counted, as if never evaluated.
        ObservationError: By an evaluation after the end of the run, or in another process.
    """

    __slots__ = (
        "__weakref__", "_best", "_clock", "_countdown", "_deadline", "_evaluate", "_event",
        "_facts", "_follows", "_has_constraints", "_keeps_archive", "_limit", "_lock", "_look",
        "_mark", "_measured", "_memory", "_monitor", "_pid", "_recorder", "_shares_budget",
        "_stopped", "identity", "record", "stop", "was_pickled",
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
        memory: RunMemory | None = None,
        monitor: Monitor | None = None,
    ) -> None:
        check_one_of(record, OBSERVED_RECORDS, "record")
        check_one_of(archive, ARCHIVES_KEPT, "archive")
        super().__init__(problem, rng or (lambda: np.random.default_rng(int(identity.key, 16))))
        self.identity = identity
        self.stop = StopConditions() if stop is None else stop
        self.record = record
        self.was_pickled = False
        suite = SuiteFacts.of(problem, indicator)
        measure = make_indicator(suite.measurement.indicator, problem)
        self._measured = MeasuredProblem(problem, measure, int(identity.key, 16))
        self._limit = self.stop.budget_evaluations
        self._has_constraints = problem.number_of_constraints > 0
        self._shares_budget = self._limit is not None and self.stop.count == "f+g"
        self._facts = RunFacts(problem, identity, suite, seed, self._limit, record, archive)
        self._memory = memory or RunMemory()
        if not self._memory.is_shared:
            self._memory.begin()
        self._monitor = monitor
        final = suite.measurement.final_target
        every = record == "improvements"
        reference = getattr(measure, "reference", problem.reference_value)
        rules = Rules(problem.dimension, reference, measure.grid, final, every)
        self._keeps_archive = self._measured.has_archive and archive != "none"
        self._recorder = Recorder(rules, self._memory)
        timeout = self.stop.timeout_seconds
        self._deadline = np.inf if timeout is None else monotonic() + timeout
        self._evaluate = self._evaluation()
        look = self._measured.may_improve
        self._follows = look is None and not problem.is_noisy
        self._look: Callable[[Any], bool] = _never if look is None or problem.is_noisy else look
        self._best = None if problem.number_of_objectives > 1 else -np.inf  # None: look
        self._follow_best()
        self._countdown = self._event = 0
        self._stopped: BaseException | None = None
        self._pid = os.getpid()
        # of this run: a process that an earlier one forked may still try to evaluate, in its name
        self._mark = 1 + (self._memory.run_number or 0)
        self._lock = threading.RLock()
        self._clock = RunClock()
        watch(self)
        self._clock.start()

    def _evaluation(self) -> Evaluate:
        """The evaluation of a point between scheduled ones; noisy ones are watched here."""
        measure, recorder = self._measured.measure, self._recorder
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
            self._best = self._recorder.best

    def _watched(self, evaluate: Evaluate) -> Evaluate:
        """The evaluation of a point, with what has to be done at each one; mostly nothing."""
        if self._memory.is_shared:
            evaluate = _counting(evaluate, self._memory.counts)
        if self._deadline < np.inf:
            return self._in_time(evaluate)
        return evaluate

    def _in_time(self, evaluate: Evaluate) -> Evaluate:
        def evaluate_in_time(x: ArrayLike) -> Any:
            self._check_time()
            return evaluate(x)

        return evaluate_in_time

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point, giving a float, or points, giving shape ``(n,)``."""
        if self._countdown <= 0:
            return self._scheduled(x)
        self._countdown -= 1  # before evaluating: threads cannot exceed the budget together
        evaluate = self._evaluate  # called through a local name it costs 5 % less
        try:
            value = evaluate(x)
        except BaseException as error:
            if isinstance(error, FinalTargetHit):  # a noisy evaluation that counts
                raise
            self._countdown += 1
            if isinstance(error, EvaluationError):
                if is_batch(x):
                    return self._batch(x)
                self._refused(error)
            raise
        best = self._best
        if value < best if best is not None else self._look(value):
            self._improved(value, x)
        return value

    @property
    def evaluations(self) -> int:
        """Evaluations of the objective so far."""
        return self._event - self._countdown

    @property
    def evaluations_constraints(self) -> int:
        """Evaluations of the constraints so far."""
        return int(self._memory.counts[CONSTRAINTS])

    @property
    def evaluations_left(self) -> float:
        """Evaluations that the budget still allows, of f or of f+g; inf without a budget."""
        return np.inf if self._limit is None else self._limit - self.evaluations

    @property
    def best_observed_value(self) -> float:
        """Best indicator value so far, the objective's value on usual problems; inf before."""
        return float(self._recorder.best)

    best_observed_fvalue1 = best_observed_value

    @property
    def best_observed_solution(self) -> Vector | None:
        """The best point so far, shape ``(dimension,)``, a copy; None before the first."""
        best = self._memory.best(self.dimension)[1]
        return best if len(best) else None

    @property
    def final_target_hit(self) -> bool:
        """Whether the suite's final target was hit; False where it has none."""
        return self._recorder.final_target_hit

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
            if self._stopped is not None or getpid() != self._pid:
                self._check_open()
            if self._shares_budget and self.evaluations_left < 1:
                self._exhaust()
            values = self.problem.constraint(x)
            if self._has_constraints:
                made = 1 if values.ndim == 1 else len(values)
                if self._shares_budget:
                    self._spend_on_constraints(made)
                else:
                    self._memory.counts[CONSTRAINTS] += made
            return values

    def penalized(self, weight: float = 10.0) -> Penalized:
        """The objective plus ``weight`` times the sum of violations, as a function of ``x``.

        For optimizers that know no constraints. Each call counts as an evaluation of the objective
        and one of the constraints. What is measured stays the best feasible value. The log says the
        weight, as the note ``penalty_weight``.

        Raises:
            SuiteError: There are two objectives, or the weight is not a number > 0.
        """
        self.problem.penalized(weight)  # refuses what cannot be penalized
        self.note(penalty_weight=weight)
        return Penalized(self, weight)

    def _spend_on_constraints(self, made: int) -> None:
        """Count evaluations that a budget of f+g allows, and end the run where it does not."""
        allowed = int(min(made, self.evaluations_left))
        self._memory.counts[CONSTRAINTS] += allowed
        assert self._limit is not None
        self._limit -= allowed
        count = self.evaluations
        self._jump_to(max(self._due(count), count + 1))
        if allowed < made:
            self._exhaust()

    def recommend(self, x: ArrayLike) -> None:
        """Announce the solution that the algorithm would return now; costs no evaluation."""
        point = as_point(x, self.dimension, self.problem.id)
        with self._lock:
            self._check_open()
            self._announced()
            value = self.problem.evaluate_point(point)
            number = float(value) if np.ndim(value) == 0 else np.nan
            self._recorder.recommend(self.evaluations, number, point)

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
            self._recorder.restart(self.evaluations, seed, start, reason)
            if start is not None:
                self._initial_solution = as_point(start, self.dimension, self.problem.id).copy()

    def note(self, **values: float) -> None:
        """Record parameters of the algorithm: now current, logged at hits and scheduled counts.

        Raises:
            ObservationError: A value is no number.
        """
        with self._lock:
            self._check_open()
            self._announced()
            self._recorder.note(values)

    def finish(self, status: Status, error: object = None) -> RunRecord:
        """End the run and return its record; once only.

        Args:
            status: One of ``STATUSES``.
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
            self._stopped = ObservationError(_OVER)
            evaluations = self.evaluations
            self._jump_to(evaluations + 1)
            self._best = None  # a thread that evaluates now comes too late
            self._memory.counts[EVALUATIONS] = evaluations
            text = "" if error is None else str(error)
            ending = Ending(status, text, self._clock.times(now, evaluations))
            return record_of(self._memory, self._facts, ending)
        finally:
            if is_held:
                self._lock.release()

    def _scheduled(self, x: ArrayLike) -> Any:
        if is_batch(x):
            return self._batch(x)
        with self._lock:
            self._check_open()
            if self.evaluations_left < 1:
                self._exhaust()
            self._check_time()
            started = perf_counter()
            try:
                value, true = self._measured.point(x)
            except EvaluationError as error:
                self._refused(error)
                raise
            self._clock.add_single(perf_counter() - started)
            quality = self._measured.quality(x, value, true, self._recorder.best)
            self._countdown -= 1
            count = self.evaluations
            self._memory.counts[EVALUATIONS] = count
            self._jump_to(self._due(count))
            self._keep_entered(count, true)
            if quality < self._recorder.best:
                self._recorder.improve(count, quality, x)
                self._follow_best()
            self._recorder.pass_count(count)
            self._stop_at_target()
            return value

    def _improved(self, true: Any, x: ArrayLike) -> None:
        with self._lock:
            if isinstance(self._stopped, ObservationError):
                return  # a thread that evaluated when the run was over
            quality = self._measured.quality(x, true, true, self._recorder.best)
            self._keep_entered(self.evaluations, true)
            if quality < self._recorder.best:
                self._recorder.improve(self.evaluations, quality, x)
                self._follow_best()
                self._stop_at_target()

    def _batch(self, x: ArrayLike) -> Vector:
        try:
            points = as_batch(x, self.dimension, self.problem.id)
        except EvaluationError as error:
            self._refused(error)
            raise
        if not len(points):
            return self.problem.evaluate_batch(points)
        with self._lock:
            self._check_open()
            self._check_time()
            if self._countdown:
                self._jump_to(self.evaluations + 1)  # other threads wait from here on
            if self._limit is None:
                return self._take(points)
            allowed = min(len(points), self._limit - self.evaluations)
            if allowed < 1:
                self._exhaust()
            values = self._take(points[:allowed])
            if allowed < len(points):
                self._exhaust()
            return values

    def _take(self, points: Vector) -> Vector:
        before = self.evaluations
        started = perf_counter()
        values, true, quality = self._measured.batch(points)
        self._clock.add_batch(perf_counter() - started, len(points))
        if self.stop.final_target:
            quality = up_to_target(quality, self._recorder.final_threshold)
        self._event += len(quality)
        self._recorder.take(before, points, quality)
        self._memory.counts[EVALUATIONS] = self.evaluations
        self._keep_entered(before + 1, true)
        self._follow_best()
        self._stop_at_target()
        return values

    def _keep_entered(self, first: int, values: Vector) -> None:
        """Record those of the points measured last that entered the archive.

        Args:
            first: Number of the evaluation of the first of them.
            values: Their true values, shape ``(n, 2)``, or ``(2,)`` of one.
        """
        if not self._keeps_archive:
            return
        rows = self._measured.entered
        if not len(rows):
            return
        if values.ndim == 1:
            self._recorder.enter(first, values)
        else:
            self._recorder.enter_many(rows + first, values[rows])

    def _due(self, count: int) -> int:
        """The number of the next evaluation that must not take the fast path."""
        if self._clock.slow or not self._measured.by_value:
            return count + 1
        scheduled = self._recorder.next_scheduled(count)
        return scheduled if self._limit is None else min(scheduled, self._limit + 1)

    def _jump_to(self, due: int) -> None:
        """Make evaluation number ``due`` the next scheduled one; ``evaluations`` stays."""
        step = due - 1 - self._event
        self._event += step
        self._countdown += step

    def _stop_at_target(self) -> None:
        if self.stop.final_target and self.final_target_hit:
            self._halt(FinalTargetHit(f"final target hit at evaluation {self.evaluations}"))

    def _exhaust(self) -> NoReturn:
        budget = self.stop.budget_evaluations
        self._halt(BudgetExhausted(f"the budget of {budget} evaluations is spent"))

    def _check_time(self) -> None:
        if monotonic() >= self._deadline:
            seconds = self.stop.timeout_seconds
            self._halt(TimeExhausted(f"the time limit of {seconds:g} s is over"))

    def _halt(self, stop: RunStop) -> NoReturn:
        self._stopped = stop
        self._jump_to(self.evaluations + 1)
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
        self._check_process()
        if self._stopped is not None:
            error = type(self._stopped)(*self._stopped.args)
            self._refused(error)
            raise error

    def close_copy(self) -> None:
        """Called in a forked process: evaluations there are refused, as none would be recorded."""
        self._lock = threading.RLock()
        self._jump_to(self.evaluations + 1)

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


def _counting(evaluate: Evaluate, counts: memoryview) -> Evaluate:
    """The same evaluation, each counted at once in memory that outlives the process."""

    def evaluate_and_count(x: ArrayLike) -> Any:
        value = evaluate(x)
        counts[EVALUATIONS] += 1
        return value

    return evaluate_and_count

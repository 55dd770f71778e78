"""The problem as an algorithm sees it: counts evaluations, keeps the budget, records the run.

The hot path is ``ObservedProblem.__call__``: one comparison with the best value so far, and one
countdown to the next evaluation at which anything else is due (a scheduled count, the end of the
budget, a duration to be measured).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import EvaluationError, Problem
from ...suites.points import as_batch, as_point
from ..errors import ObservationError
from ..indicators.indicators import BestFeasible, QualityIndicator
from ..records.identity import RunIdentity
from ..records.outcome import Recorded, RunOutcome
from ..records.run_record import OBSERVED_RECORDS, STATUSES, Record, RunRecord, Status, check_one_of
from .clock import RunClock
from .forks import watch
from .problem_view import ProblemView
from .recorder import RunRecorder, up_to_target
from .stops import BudgetExhausted, FinalTargetHit, RunStop, StopConditions

Vector = NDArray[np.float64]

_PATIENCE_SECONDS = 2.0
"""A run ends even if an evaluation never lets go: C code that calls an optimizer's function again
with our exception pending (NLopt does) leaves the lock taken for ever."""


_OVER = ObservationError("the run is over: its problem can be used no more")

_Ended = tuple[int, tuple[float, float], Recorded | None]
"""Evaluations of a run that was closed, when that was (wall, CPU), and what was recorded; None
where nothing more can be recorded, so that it can be had later."""


class ObservedProblem(ProblemView):
    """One run on one problem. Call it as the problem is called; everything is counted.

    A point of shape ``(dimension,)`` gives a float, points of shape ``(n, dimension)`` give shape
    ``(n,)``, counted row by row. An ``x`` that cannot be evaluated raises ``EvaluationError`` and
    is not counted. NaN and infinite values are counted, never a hit and never best. Threads may
    evaluate: they are counted one after the other. Other processes may not.

    Args:
        problem: What is optimized; the loop's owner finds it in ``.problem``.
        identity: Which run this is.
        stop: When it ends by itself; by default at the final target.
        record: ``"targets"`` keeps first hits of targets, ``"improvements"`` all improvements.
        rng: Draws start points, or makes what does; by default made of the run's key.
        seed: The run's seed, for the record.
        indicator: What targets apply to; by default ``BestFeasible``.
        recorder: Takes what is recorded; by default a new ``RunRecorder``.

    Attributes:
        problem: What is optimized.
        identity: Which run this is.
        stop: When it ends by itself.
        record: What is recorded.
        dimension: Number of variables.
        evaluations_constraints: Evaluations of the constraints so far.

    Raises:
        BudgetExhausted: By an evaluation beyond the budget, which is not made. A batch larger than
            what is left is evaluated and recorded as far as the budget goes before this is raised.
        FinalTargetHit: With ``stop.final_target``, by the evaluation that hits the final target.
            Later points of the same batch are not counted, as if never evaluated.
        ObservationError: By an evaluation after the end of the run, or in another process.
    """

    __slots__ = (
        "__weakref__", "_best", "_clock", "_countdown", "_ended", "_evaluate", "_event",
        "_indicator", "_limit", "_lock", "_pid", "_recorder", "_seed", "_stopped",
        "evaluations_constraints", "identity", "record", "stop",
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
        indicator: QualityIndicator | None = None,
        recorder: RunRecorder | None = None,
    ) -> None:
        check_one_of(record, OBSERVED_RECORDS, "record")
        super().__init__(problem, rng or (lambda: np.random.default_rng(int(identity.key, 16))))
        self.identity = identity
        self.stop = StopConditions() if stop is None else stop
        self.record = record
        self.evaluations_constraints = 0
        self._evaluate = problem.evaluate_point
        if indicator is None and problem.number_of_constraints:
            indicator = BestFeasible(problem)
        is_the_value = indicator is None or indicator.is_the_value
        self._indicator = None if is_the_value else indicator
        self._seed = seed
        self._recorder = recorder or RunRecorder(
            problem.dimension, problem.reference_value, record == "improvements"
        )
        self._best = np.inf
        self._limit = self.stop.budget_evaluations
        self._countdown = self._event = 0
        self._stopped: BaseException | None = None
        self._ended: _Ended = 0, (0.0, 0.0), None
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._clock = RunClock()
        watch(self)
        self._begin()

    def _begin(self) -> None:
        """The run begins: it is timed."""
        self._clock.start()

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point, giving a float, or points, giving shape ``(n,)``."""
        if self._countdown <= 0:
            return self._scheduled(x)
        self._countdown -= 1  # before evaluating: threads cannot exceed the budget together
        try:
            value = self._evaluate(x)
        except BaseException as error:
            self._countdown += 1
            if isinstance(error, EvaluationError) and _is_batch(x):
                return self._batch(x)
            raise
        if value < self._best:
            self._improved(value, x)
        return value

    @property
    def evaluations(self) -> int:
        """Evaluations of the objective so far."""
        return self._event - self._countdown

    @property
    def evaluations_left(self) -> float:
        """Evaluations that the budget still allows; inf without a budget."""
        return np.inf if self._limit is None else self._limit - self.evaluations

    @property
    def best_observed_value(self) -> float:
        """Best indicator value so far, the objective's value on usual problems; inf before."""
        return float(self._recorder.best)

    @property
    def best_observed_fvalue1(self) -> float:
        """The best value so far, as ``cocoex`` calls it."""
        return self.best_observed_value

    @property
    def best_observed_solution(self) -> Vector | None:
        """The best point so far, shape ``(dimension,)``, a copy; None before the first."""
        best = self._recorder.best_x
        return None if best is None else best.copy()

    @property
    def final_target_hit(self) -> bool:
        """Whether the final target, 1e-8 above the reference, was hit."""
        return self._recorder.hits.final_target_hit

    def constraint(self, x: ArrayLike) -> Vector:
        """Constraint values of one point, shape ``(number_of_constraints,)``; <= 0 is feasible."""
        with self._lock:
            self._check_open()
            values = self.problem.constraint(x)
            self.evaluations_constraints += self.number_of_constraints > 0
            return values

    def recommend(self, x: ArrayLike) -> None:
        """Tell the log the solution that the algorithm would return now; costs no evaluation."""
        point = as_point(x, self.dimension, self.problem.id)
        with self._lock:
            self._check_open()
            precision = self._recorder.hits.precision(float(self._evaluate(point)))
            self._recorder.journal.add_recommendation(self.evaluations, precision, point)

    def restart(
        self, reason: object = None, *, seed: int = 0, start: ArrayLike | None = None
    ) -> None:
        """Tell the log that the algorithm starts anew.

        Args:
            reason: Why, at most 200 bytes of text.
            seed: Seed of what follows, where there is one.
            start: Start point of what follows, where there is one; its hash is kept.
        """
        with self._lock:
            self._check_open()
            self._recorder.journal.add_restart(self.evaluations, seed, start, reason)

    def finish(self, status: Status, error: object = None) -> RunRecord:
        """End the run and return its record; once only.

        Args:
            status: One of ``STATUSES``.
            error: What went wrong, kept as text of at most 2000 bytes.

        Raises:
            ObservationError: The run is over, the status is unknown, or this is another process.
        """
        check_one_of(status, STATUSES, "status")
        self.close()
        return self.outcome(status, error).checked()

    def close(self) -> None:
        """End the run; once only. What it came to is had from ``outcome``, now or later.

        Raises:
            ObservationError: The run is over, or this is another process.
        """
        is_held = self._lock.acquire(False) or self._lock.acquire(timeout=_PATIENCE_SECONDS)
        try:
            now = perf_counter(), process_time()
            self._check_process()
            if isinstance(self._stopped, ObservationError):
                raise ObservationError(*self._stopped.args)
            self._stopped = _OVER
            evaluations = self.evaluations
            self._jump_to(evaluations + 1)
            self._best = -np.inf  # nothing improves on it: a thread that evaluates comes too late
            recorded = None if is_held else self._recorder.recorded(evaluations)
            self._ended = evaluations, now, recorded
        finally:
            if is_held:
                self._lock.release()

    def outcome(self, status: Status, error: object = None) -> RunOutcome:
        """What the run came to, after ``close``.

        Args:
            status: One of ``STATUSES``.
            error: What went wrong, kept as text of at most 2000 bytes.
        """
        problem, recorder = self.problem, self._recorder
        evaluations, now, recorded = self._ended
        return RunOutcome(
            self.identity,
            problem.suite_version,
            problem.name,
            problem.group,
            recorder.reference,
            status,
            "" if error is None else str(error),
            self._seed,
            self._limit,
            self.record,
            evaluations,
            self.evaluations_constraints,
            recorder.best_precision,
            *self._clock.times(now, evaluations),
            recorded or recorder.recorded(evaluations),
        )

    def _scheduled(self, x: ArrayLike) -> Any:
        if _is_batch(x):
            return self._batch(x)
        with self._lock:
            self._check_open()
            if self.evaluations_left < 1:
                self._exhaust()
            started = perf_counter()
            value = self._evaluate(x)
            self._clock.add_single(perf_counter() - started)
            indicator = self._indicator
            quality = value if indicator is None else self._measured(indicator, x, value)
            self._countdown -= 1
            count = self.evaluations
            self._jump_to(self._due(count))
            if quality < self._best:
                self._recorder.improve(count, quality, x)
                self._best = self._recorder.best
            self._recorder.pass_count(count)
            self._stop_at_target()
            return value

    def _improved(self, value: float, x: ArrayLike) -> None:
        with self._lock:
            if value < self._best:
                self._recorder.improve(self.evaluations, value, x)
                self._best = self._recorder.best
                self._stop_at_target()

    def _batch(self, x: ArrayLike) -> Vector:
        points = as_batch(x, self.dimension, self.problem.id)
        if not len(points):
            return np.empty(0)
        with self._lock:
            self._check_open()
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
        values = self.problem.evaluate_batch(points)
        self._clock.add_batch(perf_counter() - started, len(points))
        indicator = self._indicator
        quality = values if indicator is None else indicator.measure(points, values)
        if self.stop.final_target:
            quality = up_to_target(quality, self._recorder.hits.final_threshold)
        self._event += len(quality)
        self._recorder.take(before, points, quality)
        self._best = self._recorder.best
        self._stop_at_target()
        return values

    def _measured(self, indicator: QualityIndicator, x: ArrayLike, value: float) -> float:
        point = as_point(x, self.dimension, self.problem.id)
        return float(indicator.measure(point[np.newaxis], np.array([value]))[0])

    def _due(self, count: int) -> int:
        """The number of the next evaluation that must not take the fast path."""
        if self._indicator is not None or self._clock.slow:
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
        self._halt(BudgetExhausted(f"the budget of {self._limit} evaluations is spent"))

    def _halt(self, stop: RunStop) -> NoReturn:
        self._stopped = stop
        self._jump_to(self.evaluations + 1)
        try:
            raise stop
        finally:
            del stop  # its traceback knows this frame

    def _check_open(self) -> None:
        self._check_process()
        if self._stopped is not None:
            raise type(self._stopped)(*self._stopped.args)

    def prepare_fork(self) -> None:
        """Called before this process forks."""

    def close_copy(self) -> None:
        """Called in a forked process: evaluations there are refused, as none would be recorded."""
        self._lock = threading.RLock()
        self._jump_to(self.evaluations + 1)

    def _check_process(self) -> None:
        if os.getpid() != self._pid:
            raise ObservationError(
                "an observed problem is used in a forked process, where evaluations cannot be "
                "observed; observe in the process that evaluates"
            )

    def __copy__(self) -> ObservedProblem:
        return self

    def __deepcopy__(self, memo: object) -> ObservedProblem:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise ObservationError(
            "an observed problem cannot be pickled: evaluations made in another process would not "
            "be observed. Evaluate in this process, or give each process a run of its own"
        )

    def __repr__(self) -> str:
        return f"<ObservedProblem: {self.dimension} variables, {self.evaluations} evaluations>"


def _is_batch(x: ArrayLike) -> bool:
    if isinstance(x, np.ndarray):
        return x.ndim == 2
    try:
        return np.ndim(x) == 2
    except ValueError:  # a ragged sequence
        return False

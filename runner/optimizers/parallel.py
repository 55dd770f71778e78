"""Simulate that several evaluators evaluate points at the same time.

No time passes in reality. Each evaluation gets a duration in seconds, and a simulated clock
advances to the end of the next pending evaluation. `Parallel` contains the number of evaluators and
the duration. `ParallelProblem` keeps a queue of pending evaluations. `drive_in_parallel` asks an
ask/tell optimizer for points and tells it their values in the order of completion.

The function is called when an evaluation completes, not when it begins. Therefore noise is drawn
and hits are counted in the order of completion.
"""

from __future__ import annotations

import heapq
import math
import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from numpy.typing import ArrayLike

from ...loggers import BudgetExhausted, ObservedProblem
from ...suites.arrays import Floats
from ...suites.errors import EvaluationError, unknown_name
from ...suites.penalty import Penalized
from ...suites.points import as_batch, as_point, is_batch
from ..errors import CampaignError, OptimizerError
from .import_string import file_hash, load_object

MOST_EVALUATORS = 1_000_000
"""Maximum number of evaluators. This number of pending evaluations still fits into memory."""

Duration = Callable[[Floats, np.random.Generator], float]
"""Function of a point and the run's generator. It returns the seconds of an evaluation, > 0."""

_NUMBER = r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*"
_DISTRIBUTION = re.compile(rf"\s*(\w+)\s*\(({_NUMBER}(?:,{_NUMBER})*)\)\s*", re.ASCII)
"""A distribution with its parameters as text, such as ``uniform(1, 3)``."""
_FORMS = (
    "write seconds, constant(2), uniform(1, 3), exponential(2), lognormal(0, 0.5), or "
    "'path/file.py:function'"
)
_MAX_VALUE_LENGTH = 60
"""Maximum length of a value in an error message, in characters."""


@dataclass(frozen=True)
class Parallel:
    """Settings of simulated parallel evaluation.

    The number of evaluators that an optimizer uses depends on its interface:

    - An ask/tell optimizer that returns single points uses all evaluators. It is told the values in
      the order of completion. Values that complete at the same time are told in the order of
      asking. As soon as an evaluator is free, the optimizer is asked for the next point.
    - An optimizer that evaluates batches uses all evaluators for one batch. It gets the values when
      the whole batch is complete.
    - An optimizer that evaluates one point after the other uses one evaluator.

    Attributes:
        evaluators: Maximum number of pending evaluations.
        duration: Duration of an evaluation: seconds, a distribution (``"constant(2)"``,
            ``"uniform(1, 3)"``, ``"exponential(2)"``, ``"lognormal(0, 0.5)"``), a function of
            ``(x, rng)``, or a reference to a function, ``"path/file.py:function"``.
        folder: Folder of a relative path in ``duration``. It is made absolute.

    Raises:
        CampaignError: The number of evaluators or the duration is invalid.

    Example:
        >>> import firsthit
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, instances="1-5", budget=200,
        ...     parallel=firsthit.Parallel(evaluators=4, duration=2),
        ... )
        >>> print(results.art(targets=[1e1, 1e0], count="seconds"))
        algorithm      suite  function  dimension  runs  1e1   1e0
        random-search  bbob          1          2     5  2.4  30.4
    """

    evaluators: int = 1
    duration: Any = 1.0
    folder: str = "."

    def __post_init__(self) -> None:
        number = self.evaluators
        if (
            isinstance(number, bool)
            or not isinstance(number, int | np.integer)
            or (not 1 <= number <= MOST_EVALUATORS)
        ):
            raise CampaignError(
                f"evaluators must be a whole number from 1 to {MOST_EVALUATORS}; got {number!r}"
            )
        read_duration(self.duration)
        object.__setattr__(self, "folder", os.path.abspath(self.folder))

    def law(self) -> Duration:
        """Return the function that draws durations. If `duration` is a reference, import it.

        Raises:
            OptimizerError: The reference cannot be imported, or names an object that is not
                callable.
        """
        duration = read_duration(self.duration)
        function = (
            load_object(duration, Path(self.folder)) if isinstance(duration, str) else duration
        )
        if not callable(function):
            raise OptimizerError(f"duration {duration!r} is not a function of (x, rng)")
        return function

    def description(self) -> dict[str, Any]:
        """Return JSON-able data for the log, with the checksum of the duration's file, if any."""
        duration = read_duration(self.duration)
        name = getattr(duration, "__qualname__", None)
        return {
            "evaluators": int(self.evaluators),
            "duration": f"{duration.__module__}.{name}" if name else str(duration),
            **file_hash(duration, self.folder),
        }


def read_duration(value: object) -> Duration | str:
    """Check a duration, and convert it to a function if nothing must be imported for it.

    Args:
        value: Seconds, a distribution as text, a function of ``(x, rng)``, or a reference to a
            function as text.

    Returns:
        The function. A reference is returned unchanged, and is not imported.

    Raises:
        CampaignError: The value has none of these forms, or a number is out of range.

    >>> str(read_duration("lognormal(0, .5)")), str(read_duration(2))
    ('lognormal(0, 0.5)', 'constant(2)')
    """
    if callable(value):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _make_distribution("constant", (float(value),))
    if not isinstance(value, str):
        raise CampaignError(f"duration is {repr(value)[:_MAX_VALUE_LENGTH]}; {_FORMS}")
    if match := _DISTRIBUTION.fullmatch(value):
        numbers = tuple(float(number) for number in match[2].split(","))
        return _make_distribution(match[1], numbers)
    if ":" in value:
        return value
    raise CampaignError(f"duration {repr(value)[:_MAX_VALUE_LENGTH]} is not understood; {_FORMS}")


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution of durations, which do not depend on the point.

    Attributes:
        name: ``"constant"``, or the name of a method of `numpy.random.Generator`.
        parameters: Arguments of that method, or the constant duration in seconds.
    """

    name: str
    parameters: tuple[float, ...]

    def __call__(self, x: Floats, rng: np.random.Generator) -> float:
        """Return the duration of one evaluation in seconds."""
        if self.name == "constant":
            return self.parameters[0]
        return float(getattr(rng, self.name)(*self.parameters))

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{number:.12g}' for number in self.parameters)})"


class _ParameterRule(NamedTuple):
    """Condition on the parameters of a distribution.

    Attributes:
        n_parameters: Number of the parameters.
        is_valid: Function of all parameters that returns whether they are in range.
        text: The condition as text, for error messages.
    """

    n_parameters: int
    is_valid: Callable[..., bool]
    text: str


_PARAMETER_RULES = {
    "constant": _ParameterRule(1, lambda seconds: seconds > 0, "seconds > 0"),
    "uniform": _ParameterRule(2, lambda low, high: 0 <= low < high, "0 <= low < high"),
    "exponential": _ParameterRule(1, lambda mean: mean > 0, "mean > 0"),
    "lognormal": _ParameterRule(2, lambda mean, deviation: deviation >= 0, "deviation >= 0"),
}


def _make_distribution(name: str, parameters: tuple[float, ...]) -> Distribution:
    """Return a distribution; raise CampaignError if its name or its parameters are invalid."""
    if name not in _PARAMETER_RULES:
        raise CampaignError(f"duration: {unknown_name('distribution', name, _PARAMETER_RULES)}")
    rule = _PARAMETER_RULES[name]
    distribution = Distribution(name, parameters)
    if (
        len(parameters) != rule.n_parameters
        or not all(map(math.isfinite, parameters))
        or not rule.is_valid(*parameters)
    ):
        raise CampaignError(f"duration {distribution}: {name} takes {rule.text}")
    return distribution


class SimulatedClock:
    """Clock of a run in simulated time.

    Attributes:
        now: Simulated seconds since the start of the run. `ParallelProblem` increases it.
    """

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the simulated seconds since the start of the run."""
        return self.now


_PendingEvaluation = tuple[float, int, Any, Floats]
"""An evaluation that has begun and has no value yet.

The fields are:

1. the simulated second at which the evaluation ends,
2. the number of evaluations that began before; it is unique, so that the heap compares no further
   fields,
3. the object that is returned together with the value,
4. a copy of the point.

It is a plain tuple, because a NamedTuple costs 0.4 of 6 µs per evaluation.
"""


class ParallelProblem:
    """Observed problem whose points are evaluated by several evaluators in simulated time.

    An optimizer can use this object like the observed problem. Attributes that this class does not
    define are those of the observed problem. A call with one point uses one evaluator, and a call
    with a batch uses all evaluators. A call advances the clock until all its points are evaluated.

    `drive_in_parallel` does not call the object. It calls `begin` for each point, and
    `complete_next` for the next values.

    The constraints of a point are evaluated together with its objective. `constraint` returns the
    values that belong to the points of the last evaluation.

    Args:
        problem: Observed problem whose clock is ``clock``.
        parallel: Number of evaluators, and duration of an evaluation.
        rng: Generator from which durations are drawn.
        clock: Clock of the run. This object advances it.
        budget_seconds: Simulated seconds after which the run ends. inf, the default: no limit.
    """

    def __init__(
        self,
        problem: ObservedProblem,
        parallel: Parallel,
        rng: np.random.Generator,
        clock: SimulatedClock,
        budget_seconds: float = math.inf,
    ) -> None:
        self.evaluators = int(parallel.evaluators)
        self._problem = problem
        self._draw_duration = parallel.law()
        self._rng = rng
        self._clock = clock
        self._budget_seconds = budget_seconds
        self._pending: list[_PendingEvaluation] = []  # a heap
        self._n_begun = 0
        # Points of the last evaluation, and the values of their constraints; None: no constraints.
        self._last_constraints: tuple[Floats, Floats] | None = None
        self._lock = threading.RLock()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._problem, name)

    def __deepcopy__(self, memo: object) -> ParallelProblem:
        # Some optimizers copy their state, which contains this problem. Evaluations of the copy
        # must count in the same run.
        return self

    @property
    def seconds(self) -> float:
        """Simulated seconds since the start of the run."""
        return self._clock.now

    @property
    def evaluations_left(self) -> float:
        """Number of evaluations that can still begin; inf without a budget of evaluations."""
        if self._clock.now >= self._budget_seconds:
            return 0
        left = self._problem.evaluations_left
        if left == math.inf:
            return left
        return left // self._evaluation_cost - len(self._pending)

    @property
    def _evaluation_cost(self) -> int:
        """Units of the budget that one evaluation uses: 2 if constraints are counted, else 1."""
        counts_both = self._problem.stop.count == "f+g"
        return 1 + (counts_both and self._problem.number_of_constraints > 0)

    @property
    def has_end(self) -> bool:
        """Whether the run has a budget, of evaluations or of seconds."""
        return self._budget_seconds < math.inf or self._problem.evaluations_left < math.inf

    @property
    def is_free(self) -> bool:
        """Whether an evaluator is free and the budget permits another evaluation."""
        return len(self._pending) < self.evaluators and self.evaluations_left >= 1

    @property
    def n_pending(self) -> int:
        """Number of pending evaluations."""
        return len(self._pending)

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point or a batch, advancing the clock until all points are evaluated.

        Args:
            x: One point, shape ``(dimension,)``, or a batch, shape ``(n, dimension)``.

        Returns:
            The value or values, as the observed problem returns them.

        Raises:
            OptimizerError: Evaluations that `begin` began are pending.
            BudgetExhausted: The budget is spent before all points are evaluated.
        """
        with self._lock:
            if self._pending:
                raise OptimizerError(
                    "an optimizer that is asked and told evaluated its problem itself, while "
                    "evaluations were pending"
                )
            if not is_batch(x):
                if not self.is_free:
                    self.exhaust()
                self.begin(x)
                return next(self.complete_next())[1]
            points = self._checked(as_batch, x).copy()
            evaluated = sorted(self._evaluate_batch(points), key=lambda pair: pair[0])
            values = [value for _, value in evaluated]
            # An empty batch goes to the observed problem for a result of the right shape.
            return np.array(values) if values else self._problem(points)

    def _evaluate_batch(self, points: Floats) -> Iterator[tuple[int, Any]]:
        """Yield the row and the value of each point of a batch, in the order of completion."""
        constraints = np.empty((len(points), self._problem.number_of_constraints))
        n_begun = 0
        while n_begun < len(points) or self._pending:
            while n_begun < len(points) and self.is_free:
                self.begin(points[n_begun], n_begun)
                n_begun += 1
            if not self._pending:
                self.exhaust()
            for row, value in self.complete_next():
                if self._last_constraints is not None:
                    constraints[row] = self._last_constraints[1]
                yield row, value
        if self._last_constraints is not None:
            self._last_constraints = points, constraints

    def begin(self, x: ArrayLike, candidate: Any = None) -> None:
        """Begin the evaluation of a point: draw its duration and add it to the pending ones.

        Args:
            x: Point, shape ``(dimension,)``. It is copied.
            candidate: Object that `complete_next` yields together with the value. None: ``x``.

        Raises:
            OptimizerError: The duration is not a finite number > 0.
        """
        point = self._checked(as_point, x).copy()
        seconds = self._draw_duration(point.copy(), self._rng)
        try:
            is_duration = 0 < float(seconds) < math.inf
        except (TypeError, ValueError):
            is_duration = False
        if not is_duration:
            raise OptimizerError(f"a duration is {seconds!r}; it must be a number > 0")
        end = self._clock.now + float(seconds)
        candidate = x if candidate is None else candidate
        heapq.heappush(self._pending, (end, self._n_begun, candidate, point))
        self._n_begun += 1

    def _checked(self, check: Any, x: ArrayLike) -> Floats:
        """Return a point or batch as an array.

        Args:
            check: Function that checks and converts ``x``: `as_point` or `as_batch`.
            x: The point or batch.

        Raises:
            EvaluationError: ``x`` is invalid.
        """
        try:
            return cast(Floats, check(x, self._problem.dimension, self._problem.id))
        except EvaluationError:
            # The observed problem counts and reports an invalid point itself.
            self._problem(x)
            raise

    def complete_next(self) -> Iterator[tuple[Any, Any]]:
        """Advance the clock to the end of the next evaluation, and evaluate its point.

        If several evaluations end at that time, all of them are evaluated, in the order in which
        they began. At least one evaluation must be pending.

        Yields:
            The candidate of `begin` and the value, for each evaluation that ends.

        Raises:
            BudgetExhausted: The budget of seconds is spent before the end of the evaluation.
        """
        end = self._pending[0][0]
        if end > self._budget_seconds:
            self._clock.now = self._budget_seconds
            self.exhaust()
        self._clock.now = end
        while self._pending and self._pending[0][0] == end:
            _, _, candidate, point = self._pending[0]
            evaluations_before = self._problem.evaluations
            try:
                if self._problem.number_of_constraints:
                    self._last_constraints = point, self._problem.constraint(point)
                value = self._problem(point)
            finally:
                # If the problem raised an exception before it counted the evaluation, the
                # evaluation stays pending.
                if self._problem.evaluations > evaluations_before:
                    heapq.heappop(self._pending)
            yield candidate, value

    def drop(self) -> None:
        """Discard all pending evaluations. They count as evaluations of the run."""
        n_pending = len(self._pending)
        self._pending.clear()
        if n_pending:
            self._problem.drop(n_pending)

    def exhaust(self) -> NoReturn:
        """End the run because its budget is spent; raise BudgetExhausted."""
        if self._clock.now >= self._budget_seconds:
            limit = f"{self._budget_seconds:g} seconds"
        else:
            limit = f"{self._problem.stop.budget_evaluations} evaluations"
        self._problem.halt(BudgetExhausted(f"the budget of {limit} is spent"))

    def constraint(self, x: ArrayLike) -> Floats:
        """Return the values of the constraints at the points of the last evaluation.

        They were computed together with the objective. This method evaluates nothing.

        Args:
            x: The point or batch of the last evaluation.

        Returns:
            A copy of the values, shape ``(n_constraints,)`` for one point, or
            ``(n, n_constraints)`` for a batch of ``n`` points.

        Raises:
            OptimizerError: ``x`` differs from the points of the last evaluation.
        """
        if not self._problem.number_of_constraints:
            return self._problem.constraint(x)
        if self._last_constraints is None or not np.array_equal(x, self._last_constraints[0]):
            raise OptimizerError(
                "in a parallel run an evaluation returns the objective and the constraints "
                "together: constraint(x) is available only for the points evaluated last"
            )
        return self._last_constraints[1].copy()

    def penalized(self, weight: float = 10.0) -> Penalized:
        """Return a function of points that adds weighted constraint violations to the objective.

        Args:
            weight: Factor of the violations, > 0. Default: 10. The log records it.

        Raises:
            SuiteError: There are two objectives, or the weight is not a number > 0.
        """
        # The result of this call is not used, because it would evaluate the observed problem. The
        # call checks the weight and records it in the log.
        self._problem.penalized(weight)
        return Penalized(self, weight)


def drive_in_parallel(optimizer: Any, problem: ParallelProblem) -> Any:
    """Ask, evaluate and tell until ``optimizer.stop()`` returns a true value; return that value.

    If ``ask()`` returns a single point, its evaluation begins at once, and the optimizer is asked
    again while evaluators are free. If ``ask()`` returns several points, they are a batch: pending
    evaluations complete before the batch, and the optimizer is asked again after it.

    Args:
        optimizer: Object with ``ask()`` and ``tell(points, values)``. It may have a method
            ``stop()``. It may have an attribute ``asynchronous``; if that is False, a single point
            is treated as a batch.
        problem: Problem of the run. Pending evaluations are discarded when the optimizer stops.

    Raises:
        BudgetExhausted: The budget is spent before the optimizer stops.
        OptimizerError: The optimizer has no ``stop()`` and the run has no budget, or ``ask()``
            returns no points.
    """
    stop = stop_condition(optimizer, problem.has_end)
    is_asynchronous = getattr(optimizer, "asynchronous", True)
    while True:
        while problem.is_free:
            if reason := stop():
                problem.drop()
                return reason
            points = ask_points(optimizer)
            if np.ndim(points) == 1 and is_asynchronous:
                problem.begin(points)
                continue
            while problem.n_pending:
                _tell_next(optimizer, problem)
            optimizer.tell(points, problem(points if np.ndim(points) == 1 else np.asarray(points)))
        if not problem.n_pending:
            problem.exhaust()
        _tell_next(optimizer, problem)


def _tell_next(optimizer: Any, problem: ParallelProblem) -> None:
    for candidate, value in problem.complete_next():
        optimizer.tell(candidate, value)


def stop_condition(optimizer: Any, has_end: bool) -> Callable[[], Any]:
    """Return the method ``stop`` of an ask/tell object, or a function that always returns None.

    Args:
        optimizer: Object with ``ask()`` and ``tell()``.
        has_end: Whether the run has a budget, which ends it if the object has no ``stop``.

    Returns:
        Function without arguments. It returns the reason why the object stops, or a false value if
        the object continues.

    Raises:
        OptimizerError: The object has no ``stop``, and the run has no budget.
    """
    stop = getattr(optimizer, "stop", None)
    if callable(stop):
        return cast("Callable[[], Any]", stop)
    if not has_end:
        raise OptimizerError(
            f"{type(optimizer).__name__} has ask() and tell() but no stop(): give the run a budget"
        )
    return lambda: None


def ask_points(optimizer: Any) -> Any:
    """Ask an ask/tell object for one or more points; raise OptimizerError if it returns none."""
    points = optimizer.ask()
    if np.size(points) == 0:
        raise OptimizerError(f"{type(optimizer).__name__}.ask() returned no points")
    return points

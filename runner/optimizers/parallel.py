"""Evaluations in parallel, in simulated time: nobody waits, and every hit has its second.

An event queue holds the evaluations that are under way. Time goes on to the end of the next one;
then its point is evaluated. So noise is drawn, and hits are counted, in the order of completion.
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
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...loggers import BudgetExhausted, ObservedProblem
from ...suites.errors import EvaluationError, unknown_name
from ...suites.penalty import Penalized
from ...suites.points import as_batch, as_point, is_batch
from ..errors import CampaignError, OptimizerError
from .import_string import file_hash, load_object

Vector = NDArray[np.float64]
MOST_EVALUATORS = 1_000_000
Duration = Callable[[Vector, np.random.Generator], float]
"""Seconds, > 0, that the evaluation of a point lasts; drawn from the generator of the run."""

_NUMBER = r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*"
_LAW = re.compile(rf"\s*(\w+)\s*\(({_NUMBER}(?:,{_NUMBER})*)\)\s*", re.ASCII)
_FORMS = (
    "write seconds, constant(2), uniform(1, 3), exponential(2), lognormal(0, 0.5), or "
    "'path/file.py:function'"
)


@dataclass(frozen=True, slots=True)
class Law:
    """A law in words and its parameters; it does not depend on the point."""

    name: str
    parameters: tuple[float, ...]

    def __call__(self, x: Vector, rng: np.random.Generator) -> float:
        """Seconds of one evaluation."""
        if self.name == "constant":
            return self.parameters[0]
        return float(getattr(rng, self.name)(*self.parameters))

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{number:.12g}' for number in self.parameters)})"


_LAWS: dict[str, tuple[int, Callable[..., bool], str]] = {
    "constant": (1, lambda seconds: seconds > 0, "seconds > 0"),
    "uniform": (2, lambda low, high: 0 <= low < high, "0 <= low < high"),
    "exponential": (1, lambda mean: mean > 0, "mean > 0"),
    "lognormal": (2, lambda mean, deviation: deviation >= 0, "deviation >= 0"),
}
"""Each law: how many numbers it has, which ones it takes, and that in words."""


def read_duration(given: object) -> Duration | str:
    """What a duration means: a law, a function, or the reference of a function.

    >>> str(read_duration("lognormal(0, .5)")), str(read_duration(2))
    ('lognormal(0, 0.5)', 'constant(2)')
    """
    if callable(given):
        return given
    if isinstance(given, int | float) and not isinstance(given, bool):
        return _law("constant", (float(given),))
    if not isinstance(given, str):
        raise CampaignError(f"duration is {_cut(given)}; {_FORMS}")
    if match := _LAW.fullmatch(given):
        return _law(match[1], tuple(float(number) for number in match[2].split(",")))
    if ":" in given:
        return given
    raise CampaignError(f"duration {_cut(given)} is not understood; {_FORMS}")


def _law(name: str, numbers: tuple[float, ...]) -> Law:
    if name not in _LAWS:
        raise CampaignError(f"duration: {unknown_name('law', name, _LAWS)}")
    count, fits, in_words = _LAWS[name]
    if len(numbers) != count or not all(map(math.isfinite, numbers)) or not fits(*numbers):
        raise CampaignError(f"duration {Law(name, numbers)}: {name} takes {in_words}")
    return Law(name, numbers)


def _cut(value: Any) -> str:
    return repr(value)[:60]


@dataclass(frozen=True)
class Parallel:
    """Several evaluations at the same time, in simulated time.

    An optimizer that is asked and told point by point keeps all evaluators busy: it is told values
    in the order of completion, ties in the order of asking, and asked again as soon as an evaluator
    is free; what ends at the same time is told first. One that evaluates batches waits for the
    whole batch, and one that evaluates single points uses one evaluator.

    Attributes:
        evaluators: How many evaluations are under way at most.
        duration: How long one lasts: seconds, a law in words (``"constant(2)"``,
            ``"uniform(1, 3)"``, ``"exponential(2)"``, ``"lognormal(0, 0.5)"``), a function of
            ``(x, rng)``, or its reference, ``"path/file.py:function"``.
        folder: What a relative path in ``duration`` is relative to.

    Raises:
        CampaignError: There is no evaluator, or the duration is none.
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
        """What says how long an evaluation lasts; imports what a text names.

        Raises:
            OptimizerError: It is not there, or no function.
        """
        read = read_duration(self.duration)
        found = load_object(read, Path(self.folder)) if isinstance(read, str) else read
        if not callable(found):
            raise OptimizerError(f"duration {read!r} is no function of (x, rng)")
        return found

    def description(self) -> dict[str, Any]:
        """JSON-able, for the log."""
        law = read_duration(self.duration)
        name = getattr(law, "__qualname__", None)
        return {
            "evaluators": int(self.evaluators),
            "duration": f"{law.__module__}.{name}" if name else str(law),
            **file_hash(law, self.folder),
        }


class SimulatedClock:
    """Seconds since the start of a run, as far as it has got."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The second."""
        return self.now


class ParallelProblem:
    """An observed problem, evaluated by several evaluators in simulated time.

    It is used as the observed problem is, whose clock is ``clock``. A point takes one evaluator,
    and a batch as many as there are; both are waited for. Constraints are evaluated with the
    objective, and ``constraint(x)`` answers for the points evaluated last. ``rng`` draws durations.
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
        self._duration = parallel.law()
        self._rng = rng
        self._clock = clock
        self._end = budget_seconds
        self._under_way: list[tuple[float, int, Any, Vector]] = []
        self._begun = 0
        self._last: tuple[Vector, Vector] | None = None
        self._lock = threading.RLock()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._problem, name)

    def __deepcopy__(self, memo: object) -> ParallelProblem:
        return self

    @property
    def seconds(self) -> float:
        """The second that the run has got to."""
        return self._clock.now

    @property
    def evaluations_left(self) -> float:
        """Evaluations that can still be begun; inf without a budget of evaluations."""
        if self._clock.now >= self._end:
            return 0
        left = self._problem.evaluations_left
        if left == math.inf:
            return left
        return left // self._cost - len(self._under_way)

    @property
    def _cost(self) -> int:
        """What an evaluation costs of a budget; with constraints it may count them."""
        counts_both = self._problem.stop.count == "f+g"
        return 1 + (counts_both and self._problem.number_of_constraints > 0)

    @property
    def has_end(self) -> bool:
        """Whether there is a budget, of evaluations or of seconds."""
        return self._end < math.inf or self._problem.evaluations_left < math.inf

    @property
    def is_free(self) -> bool:
        """Whether an evaluation can be begun now."""
        return len(self._under_way) < self.evaluators and self.evaluations_left >= 1

    @property
    def under_way(self) -> int:
        """How many evaluations are under way."""
        return len(self._under_way)

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point, or points, and wait for them; as the observed problem does."""
        with self._lock:
            if self._under_way:
                raise OptimizerError(
                    "an optimizer that is asked and told evaluated its problem itself, while "
                    "evaluations were under way"
                )
            if not is_batch(x):
                if not self.is_free:
                    self.exhaust()
                self.begin(x)
                return next(self.completed())[1]
            points = self._checked(as_batch, x).copy()
            values = [value for _, value in sorted(self._batch(points), key=lambda pair: pair[0])]
            return np.array(values) if values else self._problem(points)

    def _batch(self, points: Vector) -> Iterator[tuple[int, Any]]:
        """Position and value of each point of a batch, in the order of completion."""
        constraints = np.empty((len(points), self._problem.number_of_constraints))
        begun = 0
        while begun < len(points) or self._under_way:
            while begun < len(points) and self.is_free:
                self.begin(points[begun], begun)
                begun += 1
            if not self._under_way:
                self.exhaust()
            for place, value in self.completed():
                if self._last is not None:
                    constraints[place] = self._last[1]
                yield place, value
        if self._last is not None:
            self._last = points, constraints

    def begin(self, x: ArrayLike, candidate: Any = None) -> None:
        """Begin an evaluation; ``candidate`` is given back with its value, by default ``x``."""
        point = self._checked(as_point, x).copy()
        seconds = self._duration(point.copy(), self._rng)
        try:
            is_time = 0 < float(seconds) < math.inf
        except (TypeError, ValueError):
            is_time = False
        if not is_time:
            raise OptimizerError(f"a duration is {seconds!r}; it must be a number > 0")
        end, key = self._clock.now + float(seconds), x if candidate is None else candidate
        heapq.heappush(self._under_way, (end, self._begun, key, point))
        self._begun += 1

    def _checked(self, check: Any, x: ArrayLike) -> Vector:
        """A point or points, as the problem takes them; it refuses others itself."""
        try:
            return cast(Vector, check(x, self._problem.dimension, self._problem.id))
        except EvaluationError:
            self._problem(x)
            raise

    def completed(self) -> Iterator[tuple[Any, Any]]:
        """Time goes on to the next completion: what was asked, and its value.

        Several that end at the same time come in the order of asking. Where the budget of seconds
        ends before, the run ends.
        """
        end = self._under_way[0][0]
        if end > self._end:
            self._clock.now = self._end
            self.exhaust()
        self._clock.now = end
        while self._under_way and self._under_way[0][0] == end:
            _, _, candidate, point = self._under_way[0]
            before = self._problem.evaluations
            try:
                if self._problem.number_of_constraints:
                    self._last = point, self._problem.constraint(point)
                value = self._problem(point)
            finally:
                if self._problem.evaluations > before:
                    heapq.heappop(self._under_way)
            yield candidate, value

    def drop(self) -> None:
        """Give up what is under way; it counts."""
        count = len(self._under_way)
        self._under_way.clear()
        if count:
            self._problem.drop(count)

    def exhaust(self) -> NoReturn:
        """End the run: its budget is spent."""
        budget = self._problem.stop.budget_evaluations
        limit = (
            f"{self._end:g} seconds" if self._clock.now >= self._end else f"{budget} evaluations"
        )
        self._problem.halt(BudgetExhausted(f"the budget of {limit} is spent"))

    def constraint(self, x: ArrayLike) -> Vector:
        """The constraints of the points evaluated last, which came with their values."""
        if not self._problem.number_of_constraints:
            return self._problem.constraint(x)
        if self._last is None or not np.array_equal(x, self._last[0]):
            raise OptimizerError(
                "in a parallel run an evaluation returns the objective and the constraints "
                "together: constraint(x) answers for the points evaluated last alone"
            )
        return self._last[1].copy()

    def penalized(self, weight: float = 10.0) -> Penalized:
        """As that of the observed problem."""
        self._problem.penalized(weight)
        return Penalized(self, weight)


def stop_of(optimizer: Any, has_end: bool) -> Callable[[], Any]:
    """What says why an ask/tell object stops; without any, its run must have an end."""
    stop = getattr(optimizer, "stop", None)
    if callable(stop):
        return cast("Callable[[], Any]", stop)
    if not has_end:
        raise OptimizerError(
            f"{type(optimizer).__name__} has ask() and tell() but no stop(): give the run a budget"
        )
    return lambda: None


def asked(optimizer: Any) -> Any:
    """What ``ask()`` returned: at least one point."""
    points = optimizer.ask()
    if np.size(points) == 0:
        raise OptimizerError(f"{type(optimizer).__name__}.ask() returned no points")
    return points


def drive_in_parallel(optimizer: Any, problem: ParallelProblem) -> Any:
    """Ask, evaluate and tell until ``optimizer.stop()`` is true; return that.

    What ``ask()`` returns as one point is begun at once, and asked for again while evaluators are
    free. Points, shape ``(n, dimension)``, are a batch that is waited for, as is a point of an
    optimizer whose ``asynchronous`` is False.
    """
    stop = stop_of(optimizer, problem.has_end)
    is_asynchronous = getattr(optimizer, "asynchronous", True)
    while True:
        while problem.is_free:
            if reason := stop():
                problem.drop()
                return reason
            points = asked(optimizer)
            if np.ndim(points) == 1 and is_asynchronous:
                problem.begin(points)
                continue
            while problem.under_way:
                _tell(optimizer, problem)
            optimizer.tell(points, problem(points if np.ndim(points) == 1 else np.asarray(points)))
        if not problem.under_way:
            problem.exhaust()
        _tell(optimizer, problem)


def _tell(optimizer: Any, problem: ParallelProblem) -> None:
    for candidate, value in problem.completed():
        optimizer.tell(candidate, value)

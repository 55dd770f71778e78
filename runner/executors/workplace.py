"""Where runs are made: in the caller's process, or in a worker process, which keeps things."""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from functools import cache
from operator import is_not
from typing import Any

from ...loggers.observation.flight import (
    CONSTRAINTS,
    EVALUATIONS,
    Flight,
    FlightMemory,
    FlightRecorder,
)
from ...suites import Problem, ProblemId, definition
from ..campaign.campaign import RunSpec
from ..execution.contained import THREAD_NAME, preserved_generators
from ..execution.guard import RunProblem
from ..optimizers.resolve import Optimizer
from .pickling import portable_dumps

_MOST_KEPT = 2048
_MOST_KEPT_SIZE = 2**18
"""Of the problems kept, the sum of their dimensions squared: about as many numbers as they hold."""
_NEW_OBJECTS = 2000
"""After so many, beside their own, workers look for garbage, as all do from Python 3.14 on; 700 was
the number before."""
_OF_A_RUN = 16
"""So many objects at least a run keeps, be it prepared or over, until all of its group are told."""
_OURS = __name__.partition(".")[0]


class Workplace:
    """The caller's process: every run has all things of its own, and nothing else is changed."""

    def optimizer(self, spec: RunSpec, load: Callable[[RunSpec], Optimizer]) -> Optimizer:
        """The optimizer of a run."""
        return load(spec)

    def problem(self, spec: RunSpec) -> Problem:
        """The problem of a run."""
        return spec.make_problem()

    def is_kept(self, spec: RunSpec) -> bool:
        """Whether a run's problem is made once for many, so that it may be there before the run."""
        return False

    def observed(self, problem: Problem, *arguments: Any, **named: Any) -> RunProblem:
        """What the optimizer receives; arguments as of ``RunProblem``."""
        return RunProblem(problem, *arguments, **named)

    def preserved(self) -> AbstractContextManager[None]:
        """Puts back the global random generators."""
        return preserved_generators()

    def expect(self, runs: int) -> None:
        """So many runs are going to be made, one after the other."""

    def begin(self, number: int) -> None:
        """Run ``number`` of the task begins to be prepared, from 0."""

    def flight(self) -> Flight:
        """What the run has reached as far as the flight recorder knows."""
        return Flight()


class WorkerPlace(Workplace):
    """A worker process: keeps optimizers and problems of our suites.

    Args:
        memory: Shared with the coordinator, which reads it when this process has died.
    """

    def __init__(self, memory: FlightMemory) -> None:
        self._memory = memory
        self._problems: OrderedDict[ProblemId, Problem] = OrderedDict()
        self._optimizers: OrderedDict[bytes, Optimizer] = OrderedDict()
        self._latest: tuple[tuple[object, ...], Optimizer] | None = None

    def optimizer(self, spec: RunSpec, load: Callable[[RunSpec], Optimizer]) -> Optimizer:
        """Loaded once for all runs that name the same."""
        things = (spec.optimizer, spec.suite, spec.imports)
        if self._latest is None or any(map(is_not, things, self._latest[0])):
            self._latest = things, self._equal_optimizer(things, spec, load)
        return self._latest[1]

    def _equal_optimizer(
        self, things: object, spec: RunSpec, load: Callable[[RunSpec], Optimizer]
    ) -> Optimizer:
        """One that was loaded for an earlier group of runs, or is now.

        A callable that was sent may have a state: each group has its own.
        """
        if not isinstance(spec.optimizer.use, str):
            return load(spec)
        value = portable_dumps(things)
        return self._optimizers.get(value) or _kept(self._optimizers, value, load(spec))

    def problem(self, spec: RunSpec) -> Problem:
        """Made once for many runs, where ``is_kept``."""
        name = spec.problem
        if isinstance(name, Problem):
            return name
        known = self._problems.get(name)
        if known is not None:
            return known
        made = spec.make_problem()
        if self.is_kept(spec):
            most = min(_MOST_KEPT, _MOST_KEPT_SIZE // name.dimension**2)
            _kept(self._problems, name, made, most)
        return made

    def is_kept(self, spec: RunSpec) -> bool:
        """See ``Workplace``: those of our suites, of which we know that they have no state."""
        return isinstance(spec.problem, ProblemId) and is_ours(spec.problem.suite)

    def observed(self, problem: Problem, *arguments: Any, **named: Any) -> RunProblem:
        """A problem whose run is written to the flight memory."""
        return WatchedProblem(problem, *arguments, memory=self._memory, **named)

    def preserved(self) -> AbstractContextManager[None]:
        """Every start seeds the global generators anyway."""
        return nullcontext()

    def flight(self) -> Flight:
        """See ``Workplace``."""
        return self._memory.flight()

    @property
    def has_leftovers(self) -> bool:
        """Whether the thread of an optimizer is still at it, which makes this process unfit."""
        return any(thread.name == THREAD_NAME for thread in threading.enumerate())

    def expect(self, runs: int) -> None:
        """See ``Workplace``: what they keep until the last of them is told is no garbage."""
        gc.set_threshold(_NEW_OBJECTS + _OF_A_RUN * runs)

    def begin(self, number: int) -> None:
        """See ``Workplace``."""
        self._memory.begin(number)

    def rest(self) -> None:
        """The task is done."""
        self._memory.rest()


class WatchedProblem(RunProblem):
    """Stores its counts in a flight memory after every evaluation."""

    __slots__ = ("_memory",)

    def __init__(
        self, problem: Problem, identity: Any, stop: Any, record: Any, rng: Any,
        *, seed: int, memory: FlightMemory,
    ) -> None:  # fmt: skip
        recorder = FlightRecorder(
            problem.dimension, problem.reference_value, record == "improvements", memory
        )
        super().__init__(problem, identity, stop, record, rng, seed=seed, recorder=recorder)
        self._memory = memory

    def begin(self, number: int) -> None:
        """See ``RunProblem``."""
        self._memory.open(number, self.dimension)
        super().begin(number)

    def __call__(self, x: Any) -> Any:
        """See ``ObservedProblem``."""
        try:
            return super().__call__(x)
        finally:
            self._memory.counts[EVALUATIONS] = self._event - self._countdown

    def constraint(self, x: Any) -> Any:
        """See ``ObservedProblem``."""
        values = super().constraint(x)
        self._memory.counts[CONSTRAINTS] = self.evaluations_constraints
        return values


HERE: ContextVar[Workplace] = ContextVar("HERE", default=Workplace())  # noqa: B039
"""Where this thread makes its runs."""


@cache
def is_ours(suite: str) -> bool:
    """Whether firsthit itself defines a suite, which is known here."""
    return (definition(suite).make.__module__ or "").partition(".")[0] == _OURS


def _kept(shelf: OrderedDict[Any, Any], key: Any, value: Any, most: int = _MOST_KEPT) -> Any:
    """Put ``value`` on a shelf for ``most``; what has stood there longest goes."""
    shelf[key] = value
    while len(shelf) > max(most, 1):
        shelf.popitem(last=False)
    return value

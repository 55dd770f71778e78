"""The observed problem as optimizers of the runner receive it: refusals have an end."""

from __future__ import annotations

import mmap
import os
import threading
import time
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...loggers import ObservedProblem, RunStop
from ...loggers.errors import ObservationError
from ...suites import EvaluationError
from .contained import OptimizerCall

MOST_REFUSALS = 100
MOST_INVALID = 1000
MOST_REFUSALS_OF_THREADS = 100_000
_DEAF_SECONDS = 0.01


class RunProblem(ObservedProblem):
    """Counts the evaluations that were refused, and puts those to sleep who never listen.

    After the end of a run every evaluation raises; an optimizer that catches even that and goes on
    is called deaf. So is one that keeps asking for values of what is no point.

    Attributes:
        was_pickled: Whether somebody tried to send the problem to another process.
        home: The optimizer's thread; it may have others evaluate. 0 before the run begins.
        call: The call of the optimizer. After ``MOST_REFUSALS`` refusals or ``MOST_INVALID``
            invalid points in the optimizer's thread it is parked; after
            ``MOST_REFUSALS_OF_THREADS`` in other threads it is given up. These are only slowed
            down: the end of the process waits for theirs.
        last_refusal: The last error raised into the optimizer.
    """

    __slots__ = (
        "_announced", "_elsewhere", "_idle", "_invalid", "_of_threads", "_refusals", "_start_point",
        "call", "home", "last_refusal", "was_pickled",
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._start_point: NDArray[np.float64] | None = None
        self.call: OptimizerCall | None = None
        self.home = 0
        self.last_refusal: BaseException | None = None
        self.was_pickled = False
        self._refusals = self._invalid = self._of_threads = self._idle = self._announced = 0
        self._elsewhere: mmap.mmap | None = None

    def _begin(self) -> None:
        """Not when it is made: see ``begin``."""

    def begin(self, number: int) -> None:
        """The run begins now, in this thread: run ``number`` of its task, from 0."""
        self.home = threading.get_ident()
        super()._begin()

    def __call__(self, x: ArrayLike) -> Any:
        """See ``ObservedProblem``."""
        try:
            return super().__call__(x)
        except (RunStop, EvaluationError, ObservationError) as error:
            self._refused(error)
            raise

    def constraint(self, x: ArrayLike) -> NDArray[np.float64]:
        """See ``ObservedProblem``."""
        try:
            return super().constraint(x)
        except (RunStop, EvaluationError, ObservationError) as error:
            self._refused(error)
            raise

    def restart(
        self, reason: object = None, *, seed: int = 0, start: ArrayLike | None = None
    ) -> None:
        """See ``ObservedProblem``."""
        self._announce()
        super().restart(reason, seed=seed, start=start)

    def recommend(self, x: ArrayLike) -> None:
        """See ``ObservedProblem``."""
        self._announce()
        super().recommend(x)

    @property
    def start_point(self) -> NDArray[np.float64]:
        """Where the current start begins, shape ``(dimension,)``."""
        if self._start_point is None:
            self._start_point = self.problem.initial_solution
        return self._start_point

    @start_point.setter
    def start_point(self, point: NDArray[np.float64]) -> None:
        self._start_point = point

    @property
    def initial_solution(self) -> NDArray[np.float64]:
        """Where this start begins, shape ``(dimension,)``: at each restart another point."""
        return self.start_point.copy()

    @property
    def is_deaf(self) -> bool:
        """Whether the optimizer did not listen to the refusals."""
        return (
            self._refusals >= MOST_REFUSALS
            or self._invalid >= MOST_INVALID
            or self._of_threads >= MOST_REFUSALS_OF_THREADS
        )

    @property
    def was_forked(self) -> bool:
        """Whether a forked process tried to evaluate."""
        return self._elsewhere is not None and self._elsewhere[0] != 0

    def prepare_fork(self) -> None:
        """Called before this process forks: make a byte that forked processes share with it."""
        is_at_work = self.home and not isinstance(self._stopped, ObservationError)
        if is_at_work and self._elsewhere is None:
            self._elsewhere = mmap.mmap(-1, 1)

    def _announce(self) -> None:
        """Give an end to those who announce restarts and recommend for ever without evaluating."""
        if self.evaluations != self._announced:
            self._announced, self._idle = self.evaluations, 0
        self._idle += 1
        if self._idle > MOST_INVALID:
            error = ObservationError(f"{MOST_INVALID} announcements without an evaluation between")
            self._refused(error)
            raise error

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.was_pickled = True
        super().__reduce_ex__(protocol)

    def _refused(self, error: BaseException) -> None:
        self.last_refusal = error
        if os.getpid() != self._pid:
            if self._elsewhere is not None:
                self._elsewhere[0] = 1
        elif threading.get_ident() != self.home:
            self._refused_to_thread()
        else:
            self._refused_at_home(error)

    def _refused_to_thread(self) -> None:
        self._of_threads += 1
        if self._of_threads >= MOST_REFUSALS_OF_THREADS:
            if self.call is not None:
                self.call.give_up()
            time.sleep(_DEAF_SECONDS)

    def _refused_at_home(self, error: BaseException) -> None:
        if isinstance(error, EvaluationError):
            self._invalid += 1
        else:
            self._refusals += 1
        if self.is_deaf and self.call is not None:
            self.call.park()

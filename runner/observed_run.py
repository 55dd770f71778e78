"""The observed problem as optimizers of the runner receive it: refusals have an end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..loggers import ObservedProblem, RunStop
from ..loggers.errors import ObservationError
from ..suites import EvaluationError

MOST_REFUSALS = 100
MOST_INVALID = 1000


class RunProblem(ObservedProblem):
    """Counts the evaluations that were refused, and puts those to sleep who never listen.

    After the end of a run every evaluation raises; an optimizer that catches even that and goes on
    is called deaf. So is one that keeps asking for values of what is no point.

    Attributes:
        start_point: Where the current start begins; also its ``initial_solution``.
        on_deaf: Called after ``MOST_REFUSALS`` refusals or ``MOST_INVALID`` invalid points; does
            not return.
        last_refusal: The last error raised into the optimizer.
    """

    __slots__ = ("_invalid", "_refusals", "last_refusal", "on_deaf", "start_point")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.start_point: NDArray[np.float64] = self.problem.initial_solution
        self.on_deaf: Callable[[], None] = lambda: None
        self.last_refusal: BaseException | None = None
        self._refusals = self._invalid = 0

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

    @property
    def initial_solution(self) -> NDArray[np.float64]:
        """Where this start begins, shape ``(dimension,)``: at each restart another point."""
        return self.start_point.copy()

    @property
    def is_deaf(self) -> bool:
        """Whether the optimizer did not listen to the refusals."""
        return self._refusals >= MOST_REFUSALS or self._invalid >= MOST_INVALID

    def _refused(self, error: BaseException) -> None:
        self.last_refusal = error
        if isinstance(error, EvaluationError):
            self._invalid += 1
        else:
            self._refusals += 1
        if self.is_deaf:
            self.on_deaf()

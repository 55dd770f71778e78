"""An end to optimizers that do not listen to the end of their run."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from ...loggers import ObservationError, TimeExhausted
from ...suites import EvaluationError

MOST_REFUSALS = 100
"""So often the end of a run is raised into an optimizer that catches it and goes on."""
MOST_INVALID = 1000
"""So many points that are none, or announcements without an evaluation, a run may make."""
MOST_REFUSALS_OF_THREADS = 100_000
"""So often the end of a run is raised into an optimizer's own threads."""


class RunMonitor:
    """Counts the refusals of one run; the ``Monitor`` of its observed problem.

    In a worker process, an optimizer that does not listen is ended with its process. In the
    caller's process nothing can end it but itself.

    Args:
        give_up: Called when it does not listen, in whatever thread; does not return, unless the run
            is over. None in the caller's process.

    Attributes:
        is_over_time: An evaluation was refused because the time limit was over.
        last_refusal: Text of the last error raised into the optimizer.
        evaluations: Asked for the number of evaluations so far.
    """

    def __init__(self, give_up: Callable[[], None] | None = None) -> None:
        self.is_over_time = False
        self.last_refusal = ""
        self.evaluations: Callable[[], int] = int
        self._give_up = give_up
        self._home, self._process = threading.get_ident(), os.getpid()
        self._refusals = self._invalid = self._of_threads = 0
        self._announced = self._idle = 0

    @property
    def ignores_stop(self) -> bool:
        """Whether the optimizer did not listen to the refusals."""
        return (
            self._refusals >= MOST_REFUSALS
            or self._invalid >= MOST_INVALID
            or self._of_threads >= MOST_REFUSALS_OF_THREADS
        )

    def refused(self, error: BaseException) -> None:
        """See ``Monitor``."""
        if os.getpid() != self._process:
            return
        self.last_refusal = str(error)
        self.is_over_time |= isinstance(error, TimeExhausted)
        if threading.get_ident() != self._home:
            self._of_threads += 1
        elif isinstance(error, EvaluationError):
            self._invalid += 1
        else:
            self._refusals += 1
        if self.ignores_stop and self._give_up is not None:
            self._give_up()

    def announced(self) -> None:
        """See ``Monitor``; an end to announcements for ever without an evaluation between."""
        if (evaluations := self.evaluations()) != self._announced:
            self._announced, self._idle = evaluations, 0
        self._idle += 1
        if self._idle > MOST_INVALID:
            error = ObservationError(f"{MOST_INVALID} announcements without an evaluation between")
            self.refused(error)
            raise error

    def close(self) -> None:
        """The run is over: let go of it."""
        self.evaluations, self._give_up = int, None

"""Runs made one after the other in a thread of their own, while the caller's thread watches them.

Handing each run to a thread, and waiting for it, would cost more than a short run does. So one
thread makes them all, and another one follows only after a run that was declared over: its
optimizer did not listen, or its time was over.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import Generic, TypeVar

from ..loggers.errors import ObservationError
from ..loggers.record import Status
from .campaign import RunSpec
from .contained import Contained, OptimizerCall
from .observed_run import RunProblem
from .optimizers import Optimizer
from .references import searched
from .starts import Named, RunInterrupted, Starts, load
from .workplace import HERE

Ended = TypeVar("Ended")
End = Callable[[RunProblem, Status, str], Ended]
Lose = Callable[[RunSpec, Status, str], Ended]

_GRACE_SECONDS = 1.0
_FINISH_SECONDS = 5.0


class Attempt:
    """One run, from the moment when its problem and its optimizer are there.

    Attributes:
        spec: What to run.
        starts: The starts of the optimizer.
        call: Of all starts.
        ends_at: When its time is over, by the monotonic clock; infinity where it has no limit.
    """

    __slots__ = ("call", "ends_at", "spec", "starts")

    def __init__(
        self, spec: RunSpec, named: Named, optimizer: Optimizer, thread: Contained
    ) -> None:
        self.spec = spec
        self.starts = Starts(spec, named, HERE.get().problem(spec), optimizer)
        self.call = OptimizerCall(self.starts.make_all, thread.bell)
        observed = self.starts.observed
        observed.on_deaf, observed.on_deaf_threads = self.call.park, self.call.give_up
        self.ends_at = time.monotonic() + _limit(spec)


class Series(Generic[Ended]):
    """Makes runs, one after the other.

    Args:
        runs: At least one.
        end: Ends an observed run and tells what came of it.
        lose: Does so for a run that is over its time inside an evaluation.
        most_seconds: No run but the first begins later than this.
    """

    def __init__(
        self,
        runs: Sequence[RunSpec],
        end: End[Ended],
        lose: Lose[Ended],
        most_seconds: float = math.inf,
    ) -> None:
        self._runs = runs
        self._end, self._lose = end, lose
        self._stops_at = time.monotonic() + most_seconds
        self._ended: list[Ended] = []
        self._attempt: Attempt | None = None
        self._optimizers: list[Optimizer] = []
        self._named: list[Named] = []
        self._folder = os.getcwd()
        self._shortest = min(map(_limit, runs))

    def make(self) -> list[Ended]:
        """What came of the runs; of the first of them, where time was over.

        Raises:
            FirsthitError: A problem or an optimizer cannot be made at all.
            KeyboardInterrupt: As it came.
        """
        place = HERE.get()
        place.begin(0)
        self._optimizers = [place.optimizer(run, load) for run in self._runs]
        self._named = list(map(Named, self._runs, self._optimizers))
        folders = dict.fromkeys(run.optimizer.file_folder for run in self._runs)
        with place.preserved(), ExitStack() as stack:
            for folder in folders:
                if folder is not None:
                    stack.enter_context(searched(folder))
            while self._is_more:
                self._go_on()
        ended, self._ended, self._attempt = self._ended, [], None
        return ended

    @property
    def _is_more(self) -> bool:
        done = len(self._ended)
        return done < len(self._runs) and (not done or time.monotonic() <= self._stops_at)

    def _go_on(self) -> None:
        """Make runs in a new thread, until all are made or one is declared over."""
        self._attempt = None
        thread = Contained(self._work)
        thread.start()
        try:
            is_overdue = self._watch(thread)
            lost = self._given_up()
            if lost is None:
                thread.join()
                if thread.error is not None:
                    raise thread.error
            elif is_overdue:
                thread.interrupt(RunInterrupted, _GRACE_SECONDS)
                self._ended.append(self._timed_out(lost))
            else:
                self._ended.append(self._told(lost))
        except BaseException:
            self._stops_at = -math.inf
            self._give_up()
            thread.interrupt(RunInterrupted, _GRACE_SECONDS)
            raise
        finally:
            self._go_home()

    def _work(self, thread: Contained) -> None:
        """Make runs in this thread."""
        place = HERE.get()
        while self._is_more:
            number = len(self._ended)
            place.begin(number)
            named, optimizer = self._named[number], self._optimizers[number]
            attempt = Attempt(self._runs[number], named, optimizer, thread)
            self._attempt = attempt
            if not attempt.call.make():
                return
            self._ended.append(self._told(attempt))
            self._go_home()

    def _watch(self, thread: Contained) -> bool:
        """Wait until the thread has ended or its run is declared over; whether by us, for time."""
        while not thread.bell.wait(self._patience()):
            attempt = self._attempt
            is_over_time = attempt is not None and time.monotonic() >= attempt.ends_at
            if attempt is not None and is_over_time and attempt.call.give_up():
                return True
        return False

    def _given_up(self) -> Attempt | None:
        """The attempt at hand, if it was declared over."""
        attempt = self._attempt
        return attempt if attempt is not None and attempt.call.is_given_up else None

    def _give_up(self) -> None:
        if self._attempt is not None:
            self._attempt.call.give_up()

    def _patience(self) -> float | None:
        """How long no run can be over its time, in seconds; None for ever."""
        attempt = self._attempt
        if attempt is None or attempt.call.is_over:
            seconds = self._shortest
        else:
            seconds = max(attempt.ends_at - time.monotonic(), 0.0)
        return None if math.isinf(seconds) else seconds

    def _told(self, attempt: Attempt) -> Ended:
        observed = attempt.starts.observed
        verdict = attempt.starts.verdict(attempt.call.error)
        ended = self._end(observed, verdict.status, verdict.text)
        # errors know, by way of their frames, all that knows them: let go of what is not needed
        attempt.call.error = observed.last_refusal = None
        return ended

    def _timed_out(self, attempt: Attempt) -> Ended:
        text = f"no end within {attempt.spec.rules.timeout_seconds:g} s"
        told: list[Ended] = []

        def finish(thread: Contained) -> None:
            with suppress(ObservationError):
                told.append(self._end(attempt.starts.observed, "timeout", text))

        ending = Contained(finish)
        ending.start()
        ending.bell.wait(_FINISH_SECONDS)
        if told:
            return told[0]
        return self._lose(attempt.spec, "timeout", f"{text}; an evaluation did not return")

    def _go_home(self) -> None:
        if not _is_at(self._folder):
            with suppress(OSError):
                os.chdir(self._folder)


def _is_at(folder: str) -> bool:
    """Whether this is the working directory."""
    try:
        return os.getcwd() == folder
    except OSError:  # it was removed
        return False


def _limit(run: RunSpec) -> float:
    seconds = run.rules.timeout_seconds
    return math.inf if seconds is None else seconds

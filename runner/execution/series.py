"""Runs made one after the other in a thread of their own, while the caller's thread watches them.

Handing each run to a thread, and waiting for it, would cost more than a short run does. So one
thread makes them all, and another one follows only after a run that was declared over: its
optimizer did not listen, or its time was over.

What has to be done once a run takes a third of the time when it is done for many runs one after the
other, and not between two runs, after code and data of an optimizer have filled the processor's
caches. So runs are prepared many at once, and it is told of many at once what came of them.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import Generic, TypeVar

from ...loggers import RunStop
from ...loggers.errors import ObservationError
from ...loggers.records.run_record import Status
from ..campaign.campaign import RunSpec
from ..executors.workplace import HERE
from ..optimizers.import_string import searched
from ..optimizers.reported import describe
from ..optimizers.resolve import Optimizer
from .contained import Contained, OptimizerCall
from .draws import FirstDraw, first_draws
from .guard import RunProblem
from .restart_loop import RunInterrupted, Starts, Verdict, load
from .seeds import Words, run_words

Ended = TypeVar("Ended")
Tell = Callable[[RunProblem, Status, str], Ended]
Lose = Callable[[RunSpec, Status, str], Ended]

_MOST_PREPARED = 128
_GRACE_SECONDS = 1.0
_FINISH_SECONDS = 5.0


class Attempt:
    """One run, from the moment when its problem and its optimizer are there.

    Attributes:
        spec: What to run.
        starts: The starts of the optimizer.
        observed: What it receives.
        call: Of all starts.
        limit: Seconds that it may take; None for no limit.
        ends_at: When its time is over, by the monotonic clock; infinity where it has no limit.
    """

    __slots__ = ("_deafness", "_said", "call", "ends_at", "limit", "observed", "spec", "starts")

    def __init__(self, spec: RunSpec, optimizer: Optimizer, draw: FirstDraw) -> None:
        self.spec = spec
        self.starts = Starts(spec, HERE.get().problem(spec), optimizer, draw)
        self.observed = observed = self.starts.observed
        self.call = observed.call = OptimizerCall()
        self.limit = spec.rules.timeout_seconds
        self.ends_at = math.inf
        self._said = self._deafness = ""

    def begin(self, number: int) -> None:
        """Its time begins, in this thread: run ``number`` of its task, from 0."""
        if self.limit is not None:
            self.ends_at = time.monotonic() + self.limit
        self.observed.begin(number)

    def close(self) -> None:
        """Its end: the optimizer can evaluate no more.

        Raises:
            ObservationError: This is another process.
        """
        observed, error = self.observed, self.call.error
        if error is not None and not isinstance(error, RunStop):
            self._said = describe(error)
        if observed.is_deaf:
            self._deafness = f"kept on after refusals: {observed.last_refusal}"
        observed.close()
        # errors know, by way of their frames, all that knows them: let go of what is not needed
        self.call.error = observed.last_refusal = None

    def verdict(self) -> Verdict:
        """How it ended, once it is closed."""
        return self.starts.verdict(self._said, self._deafness)


class Series(Generic[Ended]):
    """Makes runs, one after the other.

    Args:
        runs: At least one.
        tell: Tells what came of a run that was closed.
        lose: Does so for a run that is over its time inside an evaluation.
        most_seconds: No run but the first begins where it would end later than this, if it lasted
            as long as the longest so far.
    """

    def __init__(
        self,
        runs: Sequence[RunSpec],
        tell: Tell[Ended],
        lose: Lose[Ended],
        most_seconds: float = math.inf,
    ) -> None:
        self._runs = runs
        self._tell, self._lose = tell, lose
        self._looked = time.monotonic()
        self._longest = 0.0
        self._stops_at = self._looked + most_seconds
        self._told: list[Ended] = []
        self._closed: list[Attempt] = []
        self._prepared: deque[Attempt] = deque()
        self._attempt: Attempt | None = None
        self._optimizers: list[Optimizer] = []
        self._draws: list[FirstDraw] = []
        self._folder = os.getcwd()
        self._shortest = min(map(_limit, runs))

    def make(self) -> list[Ended]:
        """What came of the runs; of the first of them, where time was over.

        Raises:
            FirsthitError: A problem or an optimizer cannot be made at all.
            KeyboardInterrupt: As it came.
        """
        place = HERE.get()
        place.expect(len(self._runs))
        place.begin(0)
        self._optimizers = [place.optimizer(run, load) for run in self._runs]
        self._draws = first_draws(list(map(_words, self._runs)))
        folders = dict.fromkeys(optimizer.folder for optimizer in self._optimizers)
        with place.preserved(), ExitStack() as stack:
            for folder in folders:
                if folder is not None:
                    stack.enter_context(searched(folder))
            while self._next() is not None:
                self._go_on()
        self._tell_closed()
        told, self._told, self._attempt = self._told, [], None
        self._prepared.clear()
        return told

    def _next(self) -> int | None:
        """Number of the next run; None where all are made, or the time is over."""
        number = len(self._told) + len(self._closed)
        now = time.monotonic()
        self._longest = max(self._longest, now - self._looked)
        self._looked = now
        is_in_time = not number or now + self._longest <= self._stops_at
        return number if is_in_time and number < len(self._runs) else None

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
                self._tell_closed()
                self._told.append(self._timed_out(lost))
            else:
                lost.close()
                self._closed.append(lost)
        except BaseException:
            self._stops_at = -math.inf
            self._give_up()
            thread.interrupt(RunInterrupted, _GRACE_SECONDS)
            raise
        finally:
            self._go_home()

    def _work(self, thread: Contained) -> None:
        """Make runs in this thread."""
        while (number := self._next()) is not None:
            if not self._prepared:
                self._tell_closed()
                self._prepare(number)
            attempt = self._prepared.popleft()
            attempt.begin(number)
            self._attempt = attempt  # from here on its time is watched
            if not attempt.call.make(attempt.starts.make_all, thread.bell):
                return
            attempt.close()
            self._closed.append(attempt)
            self._go_home()

    def _prepare(self, number: int) -> None:
        """Prepare run ``number``, and others that follow, where their problems are there anyway."""
        place = HERE.get()
        place.begin(number)
        for i in range(number, min(number + _MOST_PREPARED, len(self._runs))):
            if i > number and not place.is_kept(self._runs[i]):
                break
            attempt = Attempt(self._runs[i], self._optimizers[i], self._draws[i])
            self._prepared.append(attempt)

    def _tell_closed(self) -> None:
        """Tell what came of the runs that were closed."""
        for attempt in self._closed:
            verdict = attempt.verdict()
            self._told.append(self._tell(attempt.observed, verdict.status, verdict.text))
        self._closed.clear()

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

    def _timed_out(self, attempt: Attempt) -> Ended:
        text = f"no end within {attempt.spec.rules.timeout_seconds:g} s"
        told: list[Ended] = []

        def finish(thread: Contained) -> None:
            observed = attempt.observed
            with suppress(ObservationError):
                observed.close()
                told.append(self._tell(observed, "timeout", text))

        ending = Contained(finish)
        ending.start()
        ending.bell.wait(_FINISH_SECONDS)
        if told:
            return told[0]
        return self._lose(attempt.spec, "timeout", f"{text}; an evaluation did not return")

    def _go_home(self) -> None:
        try:
            if os.getcwd() == self._folder:
                return
        except OSError:  # it was removed
            pass
        with suppress(OSError):
            os.chdir(self._folder)


def _words(run: RunSpec) -> Words:
    return run_words(run.rules.seed, run.problem_id, run.optimizer.name, run.repetition)


def _limit(run: RunSpec) -> float:
    seconds = run.rules.timeout_seconds
    return math.inf if seconds is None else seconds

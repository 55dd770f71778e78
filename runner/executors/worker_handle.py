"""A worker process as its coordinator sees it: how to talk to it, what it is at, when it died."""

from __future__ import annotations

import math
import mmap
import os
import tempfile
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from ...loggers.observation.flight import FLIGHT_BYTES, Flight
from .nursery import Nursery

_PREPARING_SECONDS = 30.0
"""A run's time begins when its problem and its optimizer are there; so long may that take."""


@dataclass(slots=True)
class Task:
    """A pickled function with its arguments, and the future of its result."""

    number: int
    payload: bytes
    future: Future[Any]


class WorkerHandle:
    """One worker.

    Attributes:
        pid: Its process id.
        connection: To send tasks and receive answers.
        task: What it is at; None while it is idle.
        started: When it received the task, by the monotonic clock.

    Raises:
        WorkerDied: The nursery is gone.
    """

    def __init__(self, nursery: Nursery) -> None:
        self.task: Task | None = None
        self.started = 0.0
        number = _shared_file()
        try:
            self._memory = mmap.mmap(number, FLIGHT_BYTES)
            self.pid, self.connection = nursery.fork(number)
        finally:
            os.close(number)
        try:
            self._death = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # not Linux: then its connection tells, mostly
            self._death = -1

    def signs(self) -> list[Any]:
        """What to wait for: an answer, or the end of the process."""
        return [self.connection, *([self._death] if self._death >= 0 else [])]

    def flight(self) -> Flight:
        """What the run at hand has reached."""
        return Flight.of(self._memory)

    def seconds_left(self, deadline_seconds: float) -> float:
        """Until it must be ended; each run of a task has the whole time."""
        if self.task is None:
            return math.inf
        is_at_a_run, seconds = Flight.clock(self._memory)
        if is_at_a_run and seconds:
            return deadline_seconds - seconds
        preparing = _PREPARING_SECONDS if is_at_a_run else 0.0
        return deadline_seconds + preparing - (time.monotonic() - self.started)

    def close(self) -> None:
        """Let go of what belongs to the process; it is gone, or another one ends it."""
        self.connection.close()
        self._memory.close()
        if self._death >= 0:
            os.close(self._death)
            self._death = -1


def _shared_file() -> int:
    """Descriptor of a file in memory, the size of a flight recorder's."""
    if hasattr(os, "memfd_create"):
        number = os.memfd_create("firsthit flight")
    else:
        with tempfile.TemporaryFile() as file:
            number = os.dup(file.fileno())
    os.ftruncate(number, FLIGHT_BYTES)
    return number

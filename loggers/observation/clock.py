"""The clock of one run: wall time, CPU time, and the time spent in the problem.

Reading a clock takes longer than a fast evaluation. Therefore `ObservedProblem` times only some of
the fast evaluations, and their mean duration stands for the others.
"""

from __future__ import annotations

from time import perf_counter, process_time
from typing import NamedTuple

SLOW_SECONDS = 20e-6
"""Duration from which every evaluation is timed, because reading the clock is cheap beside it."""


class RunTimes(NamedTuple):
    """Durations of a run, in seconds."""

    wall: float
    cpu: float
    problem: float  # wall time of all evaluations; an estimate if not all were timed


class RunClock:
    """Measures the durations of one run.

    Attributes:
        is_slow: Whether the last single evaluation was slow. The next one must then be timed, too.
    """

    __slots__ = ("_cpu", "_fast", "_fast_count", "_timed", "_timed_count", "_wall", "is_slow")

    def __init__(self) -> None:
        self._timed = self._fast = 0.0  # seconds of all timed evaluations, of the fast single ones
        self._timed_count = self._fast_count = 0
        self.is_slow = False
        self.start()

    def start(self) -> None:
        """Start the clock again, at 0 s. Call it before the first evaluation."""
        self._wall = perf_counter()
        self._cpu = process_time()

    def read_seconds(self) -> float:
        """Return the wall seconds since the start."""
        return perf_counter() - self._wall

    def add_point(self, seconds: float) -> None:
        """Add the duration of one single evaluation."""
        self._timed += seconds
        self._timed_count += 1
        self.is_slow = seconds > SLOW_SECONDS
        if not self.is_slow:
            self._fast += seconds
            self._fast_count += 1

    def add_batch(self, seconds: float, evaluations: int) -> None:
        """Add the duration of a batch of evaluations."""
        self._timed += seconds
        self._timed_count += evaluations

    def compute_times(self, wall_end: float, cpu_end: float, evaluations: int) -> RunTimes:
        """Compute the durations of the run.

        Args:
            wall_end: `perf_counter` at the end of the run.
            cpu_end: `process_time` at the end of the run.
            evaluations: All evaluations of the run. Evaluations that were not timed count as fast.
        """
        wall = wall_end - self._wall
        untimed = max(evaluations - self._timed_count, 0)
        estimate = untimed * self._fast / self._fast_count if self._fast_count else 0.0
        return RunTimes(wall, cpu_end - self._cpu, min(self._timed + estimate, wall))

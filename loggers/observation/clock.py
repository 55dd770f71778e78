"""Times one run: wall, CPU, and the part spent in the problem, sampled where that is fast."""

from __future__ import annotations

from time import perf_counter, process_time

SLOW_SECONDS = 20e-6
"""From this duration on, every evaluation is timed: a timer costs little beside it."""


class RunClock:
    """Measures a run from ``start`` on; ``slow`` says that the next evaluation is to be timed, too.

    Evaluations that nobody timed are taken to last as long as the fast ones that were.
    """

    __slots__ = ("_cpu", "_fast", "_fast_count", "_timed", "_timed_count", "_wall", "slow")

    def __init__(self) -> None:
        self._wall = self._cpu = self._timed = self._fast = 0.0
        self._timed_count = self._fast_count = 0
        self.slow = False

    def start(self) -> None:
        """Start, before anything is timed."""
        self._wall = perf_counter()
        self._cpu = process_time()

    def seconds(self) -> float:
        """Wall seconds since the start."""
        return perf_counter() - self._wall

    def add_single(self, seconds: float) -> None:
        """Take the duration of one evaluation."""
        self._timed += seconds
        self._timed_count += 1
        self.slow = seconds > SLOW_SECONDS
        if not self.slow:
            self._fast += seconds
            self._fast_count += 1

    def add_batch(self, seconds: float, evaluations: int) -> None:
        """Take the duration of a batch."""
        self._timed += seconds
        self._timed_count += evaluations

    def times(self, ended: tuple[float, float], evaluations: int) -> tuple[float, float, float]:
        """Wall, CPU and problem seconds; ``ended`` are the clocks, wall and CPU, at the end."""
        wall = ended[0] - self._wall
        untimed = max(evaluations - self._timed_count, 0)
        estimate = untimed * self._fast / self._fast_count if self._fast_count else 0.0
        return wall, ended[1] - self._cpu, min(self._timed + estimate, wall)

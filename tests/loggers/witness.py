"""An independent count of the evaluations of a run, made outside the package."""

import itertools
import math
import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import firsthit.loggers
from firsthit.loggers import observe_problem
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.run_record import RunRecord
from firsthit.suites import problem_from


@dataclass
class Attempt:
    """A requested evaluation.

    Attributes:
        value: Value of the function; all values of a run are different.
        begin: Number of the event at which it was requested.
        end: Number of the event at which the caller got the value or an exception; inf before.
        is_done: Whether the caller got the value.
    """

    value: float
    begin: int
    end: float = math.inf
    is_done: bool = False


class Witness:
    """A run on the sphere, whose function counts its calls.

    Args:
        function: The function; other values than those of the sphere must also be different.
        stop: When the run ends. None: only when the test ends it.
        **options: Options of `observe_problem`.

    Attributes:
        numbers: Number of the call of the function, by its value.
        attempts: All requested evaluations.
        run: The observed problem.
    """

    def __init__(
        self,
        function: Callable[[Any], float] = lambda x: float(x @ x),
        stop: StopConditions | None = None,
        **options: Any,
    ) -> None:
        self._function = function
        self._events = itertools.count()
        self.numbers: dict[float, int] = {}
        self.attempts: list[Attempt] = []
        problem = problem_from(self._call, 2, optimal_value=0.0)
        stop = StopConditions(final_target=False) if stop is None else stop
        self.run = observe_problem(problem, RunIdentity("a", problem.problem_id), stop, **options)

    def _call(self, x):
        value = self._function(x)
        self.numbers[value] = len(self.numbers) + 1
        return value

    def evaluate(self, x) -> None:
        """Evaluate a point, or points, shape ``(n, 2)``; pass on exceptions."""
        rows = [Attempt(self._function(row), next(self._events)) for row in np.atleast_2d(x)]
        self.attempts += rows
        try:
            self.run(x)
            for attempt in rows:
                attempt.is_done = True
        finally:
            end = next(self._events)
            for attempt in rows:
                attempt.end = end

    def check(self, record: RunRecord) -> None:
        """Compare the record with the independent count.

        - The run has as many evaluations as the function had calls. An exception may also come
          between the count and the call.
        - The number of a hit is at least that of its call, and at most that plus the evaluations
          that overlapped with it.
        - Every evaluation that returned to its caller is recorded.
        """
        uncalled = [a for a in self.attempts if a.value not in self.numbers]
        assert len(self.numbers) <= record.evaluations <= len(self.numbers) + len(uncalled)
        latest = dict(zip((a.value for a in self.attempts), self._latest_numbers(), strict=True))
        numbers, precisions = record.hits["evaluation"], record.hits["precision"].tolist()
        for number, precision in zip(numbers, precisions, strict=True):
            assert self.numbers[precision] <= number <= latest[precision]
        done = [attempt.value for attempt in self.attempts if attempt.is_done]
        for value in done:
            hits = int(np.searchsorted(numbers, latest[value], side="right"))
            assert hits
            assert find_level(precisions[hits - 1]) <= find_level(value)
        if done:
            best = record.best_precision
            assert best <= min(done)
            assert best in self.numbers
            assert precisions[-1] >= best
            assert find_level(precisions[-1]) == find_level(best)
            assert float(self._function(record.best_solution)) == best

    def _latest_numbers(self) -> list[int]:
        """Return the largest number at which each attempt may be recorded."""
        begins, ends = ([getattr(a, name) for a in self.attempts] for name in ("begin", "end"))
        uncalled = [a.begin for a in self.attempts if a.value not in self.numbers]
        sorted_begins, sorted_ends = sorted(begins), sorted(ends)
        return [
            self.numbers.get(attempt.value, 0)
            + bisect_left(sorted_begins, attempt.end)  # begun before its end,
            - bisect_right(sorted_ends, attempt.begin)  # but not ended before its begin:
            - 1  # overlapping evaluations, without itself
            + bisect_left(uncalled, attempt.end)
            for attempt in self.attempts
        ]


@cache
def is_ours(file: str) -> bool:
    """Return whether a source file belongs to `firsthit.loggers`."""
    return os.path.realpath(file).startswith(os.path.realpath(firsthit.loggers.__path__[0]))


def find_level(precision: float) -> int:
    """Return ``k`` of the hardest target ``10**(k / 20)`` that a precision hits."""
    return max(-160, math.ceil(round(20 * math.log10(precision), 9)))

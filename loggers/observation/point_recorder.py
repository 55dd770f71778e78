"""Record the points that a run evaluates, with their values, into the memory of the run.

Points are collected in a list and written in blocks, because writing each point takes longer than a
fast evaluation. Appending to a list cannot be interrupted by a signal handler or another thread, so
`append` needs no lock. The other methods belong to the critical section of the run.

A row of the memory is an evaluation with its point, and counts once it is written completely. If
the process is killed, the points that are still in the list are lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import Problem
from ..records.points import POINT_LIMIT_NOTE, PointChoice
from .memory import RunMemory

BLOCK_POINTS = 256
"""Number of points after which a block is written."""
_FLOAT64 = np.dtype(np.float64)


class PointRecorder:
    """Recorder of the evaluated points of one run.

    Args:
        problem: The problem of the run.
        choice: Points to record, of all or of the first evaluations.
        max_bytes: Maximum size of the points and their values in bytes. Later points are left out,
            and a note of the run names the last evaluation whose point is recorded.
        memory: Memory of the run.

    Attributes:
        append: Function that adds one evaluation to the list; call it after the evaluation. Its
            arguments are the number of the evaluation, the point, and the value that the algorithm
            receives; both are copied. It returns whether a block is complete and must be written.
        is_open: Whether later evaluations are recorded, too.
    """

    __slots__ = (
        "_dimension", "_last_number", "_max_bytes", "_max_rows", "_memory", "_pending", "_table",
        "append", "is_open",
    )  # fmt: skip

    def __init__(
        self, problem: Problem, choice: PointChoice, max_bytes: int, memory: RunMemory
    ) -> None:
        self.is_open = True
        self._pending: list[tuple[int, bytes, Any]] = []
        self.append = _make_append(problem, self._pending)
        self._dimension = problem.dimension
        self._last_number = choice.count_evaluations(problem.dimension)
        self._max_bytes = max_bytes
        self._table = memory.get_point_table(problem.dimension)
        self._max_rows = max_bytes // self._table.row_bytes
        self._memory = memory

    def write(self) -> None:
        """Write the points of the list into the memory."""
        block = self._pending[:]
        del self._pending[: len(block)]  # other threads may have appended more
        if block:
            numbers, contents, values = zip(*block, strict=True)
            points = np.frombuffer(b"".join(contents)).reshape(-1, self._dimension)
            self._extend(np.array(numbers), points, np.array(values))

    def write_batch(
        self, number: int, points: NDArray[np.float64], values: NDArray[np.float64]
    ) -> None:
        """Write the points of a batch into the memory, after those of the list.

        Args:
            number: Number of the evaluation of the last point.
            points: The points, shape ``(n, dimension)``.
            values: Values that the algorithm receives, shape ``(n,)`` or ``(n, 2)``.
        """
        self.write()
        if self.is_open:
            self._extend(np.arange(number - len(points) + 1, number + 1), points, values)

    def _extend(
        self, numbers: NDArray[np.int64], points: NDArray[np.float64], values: NDArray[np.float64]
    ) -> None:
        """Write evaluations up to the last one to record, or until the maximum size is reached."""
        n_rows = len(numbers)
        if self._last_number is not None and numbers[-1] >= self._last_number:
            n_rows = int(np.count_nonzero(numbers <= self._last_number))
            self.is_open = False
        n_left = self._max_rows - len(self._table)
        if n_left < n_rows:
            n_rows = n_left
            self.is_open = False
            last_number = int(numbers[n_rows - 1]) if n_rows else int(numbers[0]) - 1
            write_limit_note(self._memory, last_number, self._max_bytes)
        if n_rows:
            values = values[:n_rows]
            first, second = (values, np.nan) if values.ndim == 1 else values.T
            self._table.extend((numbers[:n_rows], first, second, points[:n_rows]))


def _make_append(
    problem: Problem, pending: list[tuple[int, bytes, Any]]
) -> Callable[[int, ArrayLike, Any], bool]:
    """Return the function `PointRecorder.append` of a list. A closure is faster than a method."""
    as_point = problem.as_point
    copy_value = float if problem.number_of_objectives == 1 else np.copy

    def append(number: int, x: ArrayLike, value: Any) -> bool:
        """Keep copies of an evaluation; return whether the list is a complete block."""
        if type(x) is np.ndarray and x.dtype is _FLOAT64:
            content = x.tobytes()
        else:
            content = as_point(x).tobytes()
        pending.append((number, content, copy_value(value)))
        return len(pending) >= BLOCK_POINTS

    return append


def write_limit_note(memory: RunMemory, number: int, max_bytes: int) -> None:
    """Log the note that the points of a run have reached their maximum size.

    Args:
        memory: Memory of the run.
        number: Number of the last evaluation whose point is recorded; 0: none is.
        max_bytes: The maximum size in bytes.
    """
    memory.get_table("notes").append(number, POINT_LIMIT_NOTE.encode(), float(max_bytes))

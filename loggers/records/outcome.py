"""A finished run as it leaves its recorder: plain numbers and lists, for packing many at once.

Bringing what one run recorded into arrays, and checking it, takes longer than a short run does.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .identity import RunIdentity
from .run_record import Hits, Recommendations, Record, Restarts, RunRecord, Status, Trajectory


@dataclass(slots=True, eq=False)
class Recorded:
    """What was recorded in the course of a run: columns as of ``RunRecord``, quickly made.

    Attributes:
        hits: target, evaluation, precision.
        trajectory: evaluation, precision.
        restarts: evaluation, seed, start hash, reason.
        recommendations: evaluation, precision, x of all, one after the other.
        best_solution: float64 (dimension,), or (0,).
    """

    hits: tuple[array[int], array[int], array[float]]
    trajectory: tuple[array[int], array[float]]
    restarts: tuple[list[int], list[int], list[bytes], list[bytes]]
    recommendations: tuple[list[int], list[float], list[float]]
    best_solution: NDArray[np.float64]

    def columns(self) -> tuple[Any, ...]:
        """All columns in the order of ``schema.RAGGED``; None where all is 0."""
        counts, precisions, solutions = self.recommendations
        return (
            *self.hits, None, *self.trajectory, None, *self.restarts,
            counts, precisions, solutions, self.best_solution,
        )  # fmt: skip

    def tables(self) -> dict[str, Any]:
        """The same as fields of ``RunRecord``."""
        counts, seeds, digests, reasons = self.restarts
        return {
            "hits": Hits(*map(np.array, self.hits)),
            "trajectory": Trajectory(*map(np.array, self.trajectory)),
            "restarts": Restarts(
                np.array(counts), np.array(seeds, "<u8"), np.array(digests), np.array(reasons)
            ),
            "recommendations": Recommendations(*map(np.array, self.recommendations)),
            "best_solution": self.best_solution,
        }


@dataclass(slots=True, eq=False)
class RunOutcome:
    """One finished run, unchecked; attributes as of ``RunRecord``."""

    identity: RunIdentity
    suite_version: str
    function_name: str
    group: str
    reference_value: float
    status: Status
    error: str
    seed: int
    budget: int | None
    record: Record
    evaluations: int
    evaluations_constraints: int
    best_precision: float
    wall_seconds: float
    cpu_seconds: float
    problem_seconds: float
    recorded: Recorded

    def checked(self) -> RunRecord:
        """The run as a record.

        Raises:
            ObservationError: See ``RunRecord``.
        """
        facts = {name: getattr(self, name) for name in _FACTS}
        return RunRecord(**facts, **self.recorded.tables())


_FACTS = tuple(name for name in RunOutcome.__slots__ if name != "recorded")

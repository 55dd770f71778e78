"""Count the cost of runs: evaluations of the objective, of the constraints, of both; or seconds.

A `Count` says what counts as an evaluation. All functions here take it as an argument; `axis_of`
returns the unit of budgets that fits it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from ..suites.errors import UnknownNameError
from .errors import AssessmentError
from .selection import Count as Count
from .selection import cells, suite_of
from .statistics.quantiles import Floats
from .targets.budgets import batch_size, check_axis

if TYPE_CHECKING:
    from ..loggers import Log

SECONDS: Final = "seconds"
"""Unit of budgets in seconds; seconds are not divided by the dimension."""
SIMULATED = "simulated time"


def is_seconds(count: Count) -> bool:
    """Return whether seconds are counted: of one machine, or of several (``"mixed-seconds"``)."""
    return count.endswith(SECONDS)


def unit_of_count(count: Count) -> str:
    """Return the unit of undivided runtimes: ``"evaluations"`` or ``"seconds"``."""
    return SECONDS if is_seconds(count) else "evaluations"


def in_whole(spent: Floats, count: Count) -> NDArray[Any]:
    """Convert sums of costs: evaluations to integers; seconds stay floats.

    Args:
        spent: Sums of evaluations, or of seconds.
        count: What counts as an evaluation.
    """
    return spent if is_seconds(count) else spent.astype(np.int64)


def check_count(log: Log, rows: NDArray[np.intp], count: Count) -> None:
    """Raise an error unless the runs can be counted as requested.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        count: What counts as an evaluation.

    Raises:
        UnknownNameError: ``count`` is no `Count`.
        AssessmentError: Runs have no seconds, or seconds of several machines with ``"seconds"``;
            or no run on a suite evaluated constraints with ``"g"``.
    """
    if count not in get_args(Count):
        raise UnknownNameError.of("count", count, get_args(Count))
    if is_seconds(count):
        _check_seconds(log, rows, count)
    if count == "g":
        for positions in cells(log, rows, ("suite",)):
            if not log.runs["evaluations_constraints"][rows[positions]].any():
                raise AssessmentError(
                    "count: g is asked for, but the runs evaluated no constraints on "
                    f"{suite_of(log, rows[positions[0]])}"
                )


def _check_seconds(log: Log, rows: NDArray[np.intp], count: Count) -> None:
    unknown = int(np.isnan(log.seconds(rows)).sum())
    if unknown:
        raise AssessmentError(
            f"count: seconds are asked for, but {unknown} of {len(rows)} runs have none; campaigns "
            "with 'parallel' simulate them, and 'clock: measured' takes them"
        )
    clocks = clocks_of(log, rows)
    if len(clocks) > 1 and count == SECONDS:
        raise AssessmentError(
            f"count: the seconds of these runs are of {' and of '.join(clocks)}, and must not be "
            "mixed; choose runs of one, or ask for mixed-seconds"
        )


def clocks_of(log: Log, rows: NDArray[np.intp]) -> tuple[str, ...]:
    """Return the clocks of the runs in words, without repetition; simulated time is one."""
    hosts = np.unique(log.hosts(rows)).tolist()
    return tuple(f"the clock of {host}" if host else SIMULATED for host in hosts)


def spent_of(log: Log, rows: NDArray[np.intp], count: Count) -> Floats:
    """Return the total cost of runs.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        count: What counts as an evaluation.

    Returns:
        Evaluations or seconds, shape ``(n_rows,)``; NaN for unknown seconds.
    """
    if is_seconds(count):
        return log.seconds(rows)
    evaluations, constraints = (
        log.runs[name][rows] for name in ("evaluations", "evaluations_constraints")
    )
    return counted(evaluations, constraints, count)


def counted(evaluations: NDArray[np.int64], constraints: NDArray[np.int64], count: Count) -> Floats:
    """Add up the evaluations that count.

    Args:
        evaluations: Evaluations of the objective.
        constraints: Evaluations of the constraints, in the same shape.
        count: ``"f"``, ``"g"`` or ``"f+g"``.

    Returns:
        Evaluations that count, in the shape of ``evaluations``.
    """
    total = evaluations * ("f" in count) + constraints * ("g" in count)
    return np.asarray(total, dtype=np.float64)


def at_entries(log: Log, row: int, count: Count) -> tuple[Floats, Floats]:
    """Return the cost of a run at its entries.

    Args:
        log: The log.
        row: Row of ``log.runs``.
        count: What counts as an evaluation.

    Returns:
        Evaluations or seconds at the hits of the run, and at the rows of its trajectory.
    """
    if is_seconds(count):
        return log.hit_seconds(row), log.trajectory_seconds(row)
    hits, trajectory = (
        counted(table["evaluation"], table["constraints"], count)
        for table in (log.hits(row), log.trajectory(row))
    )
    return hits, trajectory


def axis_of(axis: str, count: Count) -> str:
    """Return the unit of budgets: ``axis``, or seconds if seconds are counted.

    Args:
        axis: A unit of budgets, or ``"batches:P"``.
        count: What counts as an evaluation.

    Raises:
        UnknownNameError: There is no such unit.
        AssessmentError: Batches are combined with seconds.
    """
    in_batches = batch_size(axis) is not None
    if is_seconds(count):
        if in_batches:
            raise AssessmentError(f"axis: {axis} are of evaluations, and seconds are counted")
        return SECONDS
    if not in_batches:
        check_axis(axis)
    return axis

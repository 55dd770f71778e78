"""What a run spends: evaluations of the objective, of the constraints, of both; or seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from ..statistics.quantiles import Floats
from ..targets.budgets import batch_size, check_axis
from .selection import cells, suite_of

if TYPE_CHECKING:
    from ...loggers import Log

Count = Literal["f+g", "f", "g", "seconds", "mixed-seconds"]
SECONDS = "seconds"
"""The axis of all that counts seconds, which nothing divides."""
SIMULATED = "simulated time"


def is_seconds(count: str) -> bool:
    """Whether seconds are counted; ``"mixed-seconds"`` are those of any machines together."""
    return count.endswith(SECONDS)


def unit_of_count(count: str) -> str:
    """Of runtimes that nothing divides, in words: ``"evaluations"`` or ``"seconds"``."""
    return SECONDS if is_seconds(count) else "evaluations"


def in_whole(spent: Floats, count: str) -> NDArray[Any]:
    """Sums of what runs spent: evaluations as integers, seconds as they are."""
    return spent if is_seconds(count) else spent.astype(np.int64)


def check_count(log: Log, rows: NDArray[np.intp], count: str) -> None:
    """Refuse what is no way to count, or counts nothing in these runs."""
    if count not in get_args(Count):
        raise UnknownNameError.of("count", count, get_args(Count))
    if is_seconds(count):
        _check_seconds(log, rows, count)
    if count == "g":
        for places in cells(log, rows, ("suite",)):
            if not log.runs["evaluations_constraints"][rows[places]].any():
                raise AssessmentError(
                    "count: g is asked for, but the runs evaluated no constraints on "
                    f"{suite_of(log, rows[places[0]])}"
                )


def _check_seconds(log: Log, rows: NDArray[np.intp], count: str) -> None:
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
    """Whose seconds the runs have, in words, each once."""
    hosts = np.unique(log.hosts(rows)).tolist()
    return tuple(f"the clock of {host}" if host else SIMULATED for host in hosts)


def spent_of(log: Log, rows: NDArray[np.intp], count: str) -> Floats:
    """What runs spent in all, counted as asked, shape ``(n_rows,)``."""
    if is_seconds(count):
        return log.seconds(rows)
    evaluations, constraints = (
        log.runs[name][rows] for name in ("evaluations", "evaluations_constraints")
    )
    return counted(evaluations, constraints, count)


def counted(evaluations: NDArray[np.int64], constraints: NDArray[np.int64], count: str) -> Floats:
    """Evaluations of the objective and of the constraints, counted as asked; of their shape."""
    total = evaluations * ("f" in count) + constraints * ("g" in count)
    return np.asarray(total, dtype=np.float64)


def at_entries(log: Log, row: int, count: str) -> tuple[Floats, Floats]:
    """What a run had spent at its hits, and at the rows of its trajectory."""
    if is_seconds(count):
        return log.hit_seconds(row), log.trajectory_seconds(row)
    hits, path = (
        counted(table["evaluation"], table["constraints"], count)
        for table in (log.hits(row), log.trajectory(row))
    )
    return hits, path


def axis_of(axis: str, count: str) -> str:
    """The unit of budgets: as asked, or seconds where these are counted."""
    in_batches = batch_size(axis) is not None
    if is_seconds(count):
        if in_batches:
            raise AssessmentError(f"axis: {axis} are of evaluations, and seconds are counted")
        return SECONDS
    if not in_batches:
        check_axis(axis)
    return axis

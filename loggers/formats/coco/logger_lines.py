"""Which lines COCO's logger writes of a run, and how: after ``logger_bbob.c`` of COCO 2.8.2."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...log.log import Log
from ...records.rows import Rows
from ...targets.grid import FINAL_TARGET, TARGETS_PER_DECADE, TargetGrid
from ...targets.schedule import evaluation_schedule
from ..export import written_precisions

Array = NDArray[np.float64]
Point = tuple[int, int, float]
"""Evaluations, evaluations of the constraints, and best precision so far."""

_NO_VALUE = 3e21
_LINEAR_STEP = 1e5
_ZERO = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class RunToWrite:
    """What a log holds of one run.

    Attributes:
        dimension: Number of variables.
        reference: What precisions are measured from.
        evaluations: Evaluations spent, at least 1.
        constraints: Evaluations of the constraints spent.
        every_improvement: Whether all improvements are recorded.
        hits: First hits or improvements.
        precisions: Their precisions as they are written, see ``written_precisions``.
        trajectory: Best so far at regular counts.
    """

    dimension: int
    reference: float
    evaluations: int
    constraints: int
    every_improvement: bool
    hits: Rows
    precisions: Array
    trajectory: Rows


def run_to_write(log: Log, row: int, grid: TargetGrid) -> RunToWrite:
    """What is written of a run whose first hits are those of the targets of ``grid``."""
    runs, hits = log.runs, log.hits(row)
    return RunToWrite(
        dimension=int(runs["dimension"][row]),
        reference=float(runs["reference_value"][row]),
        evaluations=int(runs["evaluations"][row]),
        constraints=int(runs["evaluations_constraints"][row]),
        every_improvement=str(runs["record"][row]) == "improvements",
        hits=hits,
        precisions=written_precisions(hits, grid),
        trajectory=log.trajectory(row),
    )


def head(reference: float) -> str:
    """The line above the numbers of a run."""
    return (
        f"% f evaluations | g evaluations | best noise-free fitness - Fopt ({reference:13.12e}) "
        "+ sum g_i+ | measured fitness | best measured fitness or single-digit g-values "
        "| x1 | x2...\n"
    )


def line(point: Point, reference: float) -> str:
    """One line, without the solution. Where the measured value is not known, the best stands."""
    evaluation, constraints, precision = point
    value = precision + reference
    return f"{evaluation} {constraints} {precision:+10.9e} {value:+10.9e} {value:+10.9e}\n"


def data_points(run: RunToWrite) -> Iterator[Point]:
    """Points of ``.dat``: the first evaluation, what hits a new target, the last evaluation."""
    precisions = run.precisions.tolist()
    evaluations = run.hits["evaluation"].tolist()
    last = 1
    if not evaluations or evaluations[0] > 1:
        yield from best_at(run, [1])
    exponent, linear = math.inf, math.inf
    counts = zip(evaluations, run.hits["constraints"].tolist(), precisions, strict=True)
    for evaluation, constraints, precision in counts:
        if evaluation > 1:
            now, step = _exponent(precision), _linear(precision)
            if now >= exponent and step >= linear:
                continue
            exponent, linear = min(exponent, now), min(linear, step)
        yield evaluation, constraints, precision
        last = evaluation
    if last < run.evaluations:
        yield from best_at(run, [run.evaluations])


def regular_points(run: RunToWrite) -> Iterator[Point]:
    """Points of ``.tdat``: best so far at regular counts and at the last evaluation."""
    counts = {1, *run.trajectory["evaluation"].tolist(), run.evaluations}
    if run.every_improvement:
        schedule = evaluation_schedule(run.dimension)
        counts.update(schedule[: bisect_right(schedule, run.evaluations)])
    return best_at(run, sorted(counts))


def after_restarts(log: Log, row: int, run: RunToWrite) -> Iterator[Point]:
    """Points of ``.rdat``: best so far at the evaluation after each restart."""
    after = (log.restarts(row)["evaluation"] + 1).tolist()
    return best_at(run, [count for count in after if count <= run.evaluations])


def best_at(run: RunToWrite, counts: Sequence[int]) -> Iterator[Point]:
    """The best that the log knows of the first so many evaluations, for each of ``counts``."""
    hits, path = run.hits, run.trajectory
    hit, seen = (np.searchsorted(rows["evaluation"], counts, "right") for rows in (hits, path))
    written = np.append(_NO_VALUE, run.precisions)[hit]
    on_path = np.append(np.inf, path["precision"])[seen]
    is_better = on_path < np.append(np.inf, hits["precision"])[hit]
    best = np.where(is_better, np.minimum(written, on_path), written)
    constraints = np.maximum(
        np.append(0, hits["constraints"])[hit], np.append(0, path["constraints"])[seen]
    )
    constraints[np.equal(counts, run.evaluations)] = run.constraints
    return zip(counts, constraints.tolist(), best.tolist(), strict=True)


def _exponent(precision: float) -> int:
    """``k`` of the hardest target 10**(k/20) that is hit; one beyond the last for zero."""
    if precision <= 0:
        return FINAL_TARGET - TARGETS_PER_DECADE
    return math.ceil(TARGETS_PER_DECADE * math.log10(max(precision, 1e-8)))


def _linear(precision: float) -> float:
    return math.ceil(precision / _LINEAR_STEP) if precision >= _ZERO else 0

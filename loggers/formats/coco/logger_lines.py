"""Which lines COCO's logger writes of a run, and how: after ``logger_bbob.c`` of COCO 2.8.2."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator

from ...log.log import Log
from ...targets.grid import FINAL_TARGET, TARGETS_PER_DECADE
from ...targets.schedule import evaluation_schedule
from ..export import Point, RunToWrite, best_at

NO_VALUE = 3e21
"""What COCO writes of infinity."""
_LINEAR_STEP = 1e5
_ZERO = 1e-12


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


def _exponent(precision: float) -> int:
    """``k`` of the hardest target 10**(k/20) that is hit; one beyond the last for zero."""
    if precision <= 0:
        return FINAL_TARGET - TARGETS_PER_DECADE
    return math.ceil(TARGETS_PER_DECADE * math.log10(max(precision, 1e-8)))


def _linear(precision: float) -> float:
    return math.ceil(precision / _LINEAR_STEP) if precision >= _ZERO else 0

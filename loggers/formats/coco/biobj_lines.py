"""Which lines COCO's logger writes of two objectives: after ``logger_biobj.c`` of COCO 2.8.2."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...records.rows import Rows
from ...targets.grid import TARGETS_PER_DECADE
from ..export import Point, RunToWrite, best_at

_ZERO = -180
"""The rank of precision 0: that of 1e-9. Targets below 0 have lower ones."""
_LINEAR_STEP = 1e5


def head(index: int, name: str, instance: int, reference: float, has_target: bool) -> str:
    """The lines above the numbers of a run."""
    columns = "function evaluation | indicator value" + (" | target hit" if has_target else "")
    return (
        f"%\n% index = {index}, name = {name}\n"
        f"% instance = {instance}, reference value = {reference:.15e}\n% {columns}\n"
    )


def data_lines(run: RunToWrite) -> Iterator[str]:
    """Lines of ``.dat``: what hits a new target, and the last evaluation."""
    rank, linear, target, last = math.inf, math.inf, math.inf, 0
    points: Iterator[Point] = zip(
        run.hits["evaluation"].tolist(), run.hits["constraints"].tolist(),
        run.precisions.tolist(), strict=True,
    )  # fmt: skip
    for evaluation, _, precision in points:
        now, log_target = _log_target(precision)
        step = math.ceil(precision / _LINEAR_STEP)
        if now >= rank and step >= linear:
            continue
        if now < rank:
            rank, target = now, min(target, log_target)
        if step < linear:
            linear, target = step, min(target, step * _LINEAR_STEP)
        yield f"{evaluation}\t{precision:.15e}\t{target:.15e}\n"
        last = evaluation
    if last < run.evaluations:
        [(count, _, precision)] = best_at(run, [run.evaluations])
        target = target if math.isfinite(target) else precision
        yield f"{count}\t{precision:.15e}\t{target:.15e}\n"


def value_lines(points: Iterator[Point]) -> Iterator[str]:
    """Lines of ``.tdat`` and ``.rdat``."""
    return (f"{evaluation}\t{precision:.15e}\n" for evaluation, _, precision in points)


def archive_lines(archive: Rows, instance: int, name: str, evaluations: int) -> Iterator[str]:
    """The block of a run in its ``.adat`` file, without solutions, as COCO's of many variables."""
    yield f"% instance = {instance}, name = {name}\n% function evaluation | 2 objectives \n"
    for evaluation, y1, y2 in archive.tolist():
        yield f"{evaluation}\t{y1:.15e}\t{y2:.15e}\t\n"
    yield f"% evaluations = {evaluations}\n"


def _log_target(precision: float) -> tuple[int, float]:
    """Rank, and value, of the hardest target hit among 10**(k/20), 0 and -10**(k/20)."""
    if precision == 0:
        return _ZERO, 0.0
    size = TARGETS_PER_DECADE * math.log10(max(abs(precision), 1e-8))
    if precision > 0:
        rank = math.ceil(size)
        return rank, 10.0 ** (rank / TARGETS_PER_DECADE)
    rank = math.floor(size)
    return 2 * _ZERO - rank - 1, -(10.0 ** (rank / TARGETS_PER_DECADE))

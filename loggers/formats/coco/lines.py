"""Which lines COCO's loggers write of a run: after ``logger_bbob.c`` and ``logger_biobj.c``."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from ....suites import Problem
from ....suites.suite import definition
from ...targets.grid import TARGETS_PER_DECADE, evaluation_schedule
from ..export import Point, RunToWrite, best_at

_LINEAR_STEP = 1e5
_ZERO = 1e-12
_ZERO_RANK = -180
"""The rank of precision 0: that of 1e-9. Targets below 0 have lower ones."""


def texts_of(run: RunToWrite, regular: Sequence[Point]) -> dict[str, str]:
    """The block of a run on one objective in each of its files, by the ending of their names."""
    points = {
        "dat": _data_points(run, regular),
        "tdat": regular,
        "rdat": _after_restarts(run),
        "mdat": _recommended(run),
    }
    head = _head(run.reference_value)
    return {
        ending: head + "".join(_line(point, run.reference_value) for point in entries)
        for ending, entries in points.items()
    }


def pair_texts_of(run: RunToWrite, regular: Sequence[Point]) -> dict[str, str]:
    """The same of a run on two objectives."""
    place = run.problem
    problem = definition(place.suite).problem(place.function, place.dimension, place.instance)
    lines = {
        "dat": _pair_lines(run, regular[-1]),
        "tdat": _value_lines(regular),
        "rdat": _value_lines(_after_restarts(run)),
    }
    texts = {
        ending: _pair_head(problem, run.reference_value, ending == "dat") + "".join(entries)
        for ending, entries in lines.items()
    }
    texts["adat"] = "".join(_archive_lines(run, problem.title))
    return texts


def _head(reference: float) -> str:
    """The line above the numbers of a run."""
    return (
        f"% f evaluations | g evaluations | best noise-free fitness - Fopt ({reference:13.12e}) "
        "+ sum g_i+ | measured fitness | best measured fitness or single-digit g-values "
        "| x1 | x2...\n"
    )


def _line(point: Point, reference: float) -> str:
    """One line, without the solution. Where the measured value is not known, the best stands."""
    evaluation, constraints, precision = point
    value = f"{precision + reference:+10.9e}"
    return f"{evaluation} {constraints} {precision:+10.9e} {value} {value}\n"


def _data_points(run: RunToWrite, regular: Sequence[Point]) -> Iterator[Point]:
    """Points of ``.dat``: the first evaluation, what hits a new target, the last evaluation."""
    precisions = run.precisions.tolist()
    evaluations = run.hits["evaluation"].tolist()
    last = 1
    if not evaluations or evaluations[0] > 1:
        yield regular[0]
    exponent, linear = math.inf, math.inf
    counts = zip(evaluations, run.hits["constraints"].tolist(), precisions, strict=True)
    for evaluation, constraints, precision in counts:
        if evaluation > 1:
            now, step = _log_target(max(precision, 0.0))[0], _linear(precision)
            if now >= exponent and step >= linear:
                continue
            exponent, linear = min(exponent, now), min(linear, step)
        yield evaluation, constraints, precision
        last = evaluation
    if last < run.evaluations:
        yield regular[-1]


def regular_points(run: RunToWrite) -> list[Point]:
    """Points of ``.tdat``: best so far at the first, at regular and at the last evaluation."""
    counts = {1, *run.trajectory["evaluation"].tolist(), run.evaluations}
    if run.record == "improvements":
        schedule = evaluation_schedule(run.problem.dimension)
        counts.update(schedule[: bisect_right(schedule, run.evaluations)])
    return best_at(run, sorted(counts))


def _after_restarts(run: RunToWrite) -> list[Point]:
    """Points of ``.rdat``: best so far at the evaluation after each restart."""
    after = (run.restarts["evaluation"] + 1).tolist()
    return best_at(run, [count for count in after if count <= run.evaluations])


def _recommended(run: RunToWrite) -> Iterable[Point]:
    """Recommendations that are better than all before."""
    best = math.inf
    for count, precision in run.recommendations.tolist():
        if precision < best:
            best = precision
            yield count, 0, precision


def _linear(precision: float) -> float:
    return math.ceil(precision / _LINEAR_STEP) if precision >= _ZERO else 0


def _pair_head(problem: Problem, reference: float, has_target: bool) -> str:
    """The lines above the numbers of a run."""
    columns = "function evaluation | indicator value" + (" | target hit" if has_target else "")
    return (
        f"%\n% index = {_index(problem)}, name = {problem.title}\n"
        f"% instance = {problem.instance}, reference value = {reference:.15e}\n% {columns}\n"
    )


def _index(problem: Problem) -> int:
    """The problem's number in the whole suite, from 0; 0 of what is not in the suite as it is."""
    whole = definition(problem.suite)
    axes = (whole.dimensions, whole.functions, whole.instances)
    place = (problem.dimension, problem.function, problem.instance)
    number = 0
    for axis, coordinate in zip(axes, place, strict=True):
        if coordinate not in axis:
            return 0
        number = number * len(axis) + axis.index(coordinate)
    return number


def _pair_lines(run: RunToWrite, end: Point) -> Iterator[str]:
    """Lines of ``.dat``: what hits a new target, and the last evaluation."""
    rank, linear, target, last = math.inf, math.inf, math.inf, 0
    hits = zip(run.hits["evaluation"].tolist(), run.precisions.tolist(), strict=True)
    for evaluation, precision in hits:
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
        count, _, precision = end
        target = target if math.isfinite(target) else precision
        yield f"{count}\t{precision:.15e}\t{target:.15e}\n"


def _value_lines(points: Iterable[Point]) -> Iterator[str]:
    """Lines of ``.tdat`` and ``.rdat``."""
    return (f"{evaluation}\t{precision:.15e}\n" for evaluation, _, precision in points)


def _archive_lines(run: RunToWrite, name: str) -> Iterator[str]:
    """The block of a run in its ``.adat`` file, without solutions, as COCO's of many variables."""
    yield f"% instance = {run.problem.instance}, name = {name}\n"
    yield "% function evaluation | 2 objectives \n"
    for evaluation, y1, y2 in run.archive.tolist():
        yield f"{evaluation}\t{y1:.15e}\t{y2:.15e}\t\n"
    yield f"% evaluations = {run.evaluations}\n"


def _log_target(precision: float) -> tuple[int, float]:
    """Rank, and value, of the hardest target hit among 10**(k/20), 0 and -10**(k/20)."""
    if precision == 0:
        return _ZERO_RANK, 0.0
    size = TARGETS_PER_DECADE * math.log10(max(abs(precision), 1e-8))
    if precision > 0:
        rank = math.ceil(size)
        return rank, 10.0 ** (rank / TARGETS_PER_DECADE)
    rank = math.floor(size)
    return 2 * _ZERO_RANK - rank - 1, -(10.0 ** (rank / TARGETS_PER_DECADE))

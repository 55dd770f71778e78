"""Format the lines that COCO's loggers write of a run, and choose which ones they write.

The rules are those of COCO's ``logger_bbob.c`` for one objective and ``logger_biobj.c`` for two. A
run has a block in several files, which are named by the endings of their names:

    ``dat``: improvements that hit a new target, and the last evaluation
    ``tdat``: the best precision at regular counts of evaluations
    ``rdat``: the best precision after each restart
    ``mdat``: recommendations (one objective)
    ``adat``: the archive (two objectives)
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from ....suites import Problem
from ....suites.suite import definition
from ...targets.grid import TARGETS_PER_DECADE, evaluation_schedule
from ..export import Point, RunToWrite, compute_points

_LINEAR_STEP = 1e5
"""Step of COCO's linear targets, which are used besides the logarithmic ones."""
_ZERO = 1e-12
"""Precisions below this hit the linear target 0."""
_ZERO_RANK = -180
"""Rank of the target 0, equal to that of 1e-9. Targets below 0 have lower ranks."""


def format_blocks(run: RunToWrite, regular: Sequence[Point]) -> dict[str, str]:
    """Format the blocks of a run on one objective.

    Args:
        run: The run.
        regular: Its points at regular counts, as `choose_regular_points` returns them.

    Returns:
        Block of each file by the ending of its name.
    """
    points = {
        "dat": _choose_data_points(run, regular),
        "tdat": regular,
        "rdat": _choose_points_after_restarts(run),
        "mdat": _choose_recommended_points(run),
    }
    head = _format_head(run.reference_value)
    return {
        ending: head + "".join(_format_line(point, run.reference_value) for point in entries)
        for ending, entries in points.items()
    }


def format_pair_blocks(run: RunToWrite, regular: Sequence[Point]) -> dict[str, str]:
    """Format the blocks of a run on two objectives.

    Args:
        run: The run.
        regular: Its points at regular counts, as `choose_regular_points` returns them.

    Returns:
        Block of each file by the ending of its name.
    """
    problem_id = run.problem
    problem = definition(problem_id.suite).problem(
        problem_id.function, problem_id.dimension, problem_id.instance
    )
    lines = {
        "dat": _format_pair_lines(run, regular[-1]),
        "tdat": _format_value_lines(regular),
        "rdat": _format_value_lines(_choose_points_after_restarts(run)),
    }
    texts = {
        ending: _format_pair_head(problem, run.reference_value, ending == "dat") + "".join(entries)
        for ending, entries in lines.items()
    }
    texts["adat"] = "".join(_format_archive_lines(run, problem.title))
    return texts


def _format_head(reference: float) -> str:
    return (
        f"% f evaluations | g evaluations | best noise-free fitness - Fopt ({reference:13.12e}) "
        "+ sum g_i+ | measured fitness | best measured fitness or single-digit g-values "
        "| x1 | x2...\n"
    )


def _format_line(point: Point, reference: float) -> str:
    """Format one line without the solution, with the best value in place of the measured one."""
    evaluation, constraints, precision = point
    value = f"{precision + reference:+10.9e}"
    return f"{evaluation} {constraints} {precision:+10.9e} {value} {value}\n"


def _choose_data_points(run: RunToWrite, regular: Sequence[Point]) -> Iterator[Point]:
    """Yield the first evaluation, each improvement that hits a new target, and the last one."""
    precisions = run.precisions.tolist()
    evaluations = run.hits["evaluation"].tolist()
    last = 1
    if not evaluations or evaluations[0] > 1:
        yield regular[0]
    rank, step = math.inf, math.inf  # of the hardest targets hit so far
    counts = zip(evaluations, run.hits["constraints"].tolist(), precisions, strict=True)
    for evaluation, constraints, precision in counts:
        if evaluation > 1:
            new_rank = _find_hardest_log_target(max(precision, 0.0))[0]
            new_step = math.ceil(precision / _LINEAR_STEP) if precision >= _ZERO else 0
            if new_rank >= rank and new_step >= step:
                continue
            rank, step = min(rank, new_rank), min(step, new_step)
        yield evaluation, constraints, precision
        last = evaluation
    if last < run.evaluations:
        yield regular[-1]


def choose_regular_points(run: RunToWrite) -> list[Point]:
    """Return the best precision so far at the first, at scheduled and at the last evaluation.

    If the run recorded all improvements, the counts of COCO's schedule are added.
    """
    counts = {1, *run.trajectory["evaluation"].tolist(), run.evaluations}
    if run.record == "improvements":
        schedule = evaluation_schedule(run.problem.dimension)
        counts.update(schedule[: bisect_right(schedule, run.evaluations)])
    return compute_points(run, sorted(counts))


def _choose_points_after_restarts(run: RunToWrite) -> list[Point]:
    """Return the best precision so far at the evaluation after each restart."""
    counts = (run.restarts["evaluation"] + 1).tolist()
    return compute_points(run, [count for count in counts if count <= run.evaluations])


def _choose_recommended_points(run: RunToWrite) -> Iterable[Point]:
    """Yield the recommendations that are better than all before."""
    best = math.inf
    for count, precision in run.recommendations.tolist():
        if precision < best:
            best = precision
            yield count, 0, precision


def _format_pair_head(problem: Problem, reference: float, has_target: bool) -> str:
    columns = "function evaluation | indicator value" + (" | target hit" if has_target else "")
    return (
        f"%\n% index = {_problem_index(problem)}, name = {problem.title}\n"
        f"% instance = {problem.instance}, reference value = {reference:.15e}\n% {columns}\n"
    )


def _problem_index(problem: Problem) -> int:
    """Return the index of a problem in its suite's default selection; 0 if it is not in it."""
    suite = definition(problem.suite)
    axes = (suite.dimensions, suite.functions, suite.instances)
    coordinates = (problem.dimension, problem.function, problem.instance)
    index = 0
    for axis, coordinate in zip(axes, coordinates, strict=True):
        if coordinate not in axis:
            return 0
        index = index * len(axis) + axis.index(coordinate)
    return index


def _format_pair_lines(run: RunToWrite, end: Point) -> Iterator[str]:
    """Yield the lines of ``.dat``: each improvement that hits a new target, and ``end``."""
    rank, step, target, last = math.inf, math.inf, math.inf, 0
    hits = zip(run.hits["evaluation"].tolist(), run.precisions.tolist(), strict=True)
    for evaluation, precision in hits:
        new_rank, log_target = _find_hardest_log_target(precision)
        new_step = math.ceil(precision / _LINEAR_STEP)
        if new_rank >= rank and new_step >= step:
            continue
        if new_rank < rank:
            rank, target = new_rank, min(target, log_target)
        if new_step < step:
            step, target = new_step, min(target, new_step * _LINEAR_STEP)
        yield f"{evaluation}\t{precision:.15e}\t{target:.15e}\n"
        last = evaluation
    if last < run.evaluations:
        count, _, precision = end
        target = target if math.isfinite(target) else precision
        yield f"{count}\t{precision:.15e}\t{target:.15e}\n"


def _format_value_lines(points: Iterable[Point]) -> Iterator[str]:
    """Format the lines of ``.tdat`` and ``.rdat``."""
    return (f"{evaluation}\t{precision:.15e}\n" for evaluation, _, precision in points)


def _format_archive_lines(run: RunToWrite, name: str) -> Iterator[str]:
    """Yield the lines of ``.adat`` without solutions, as COCO writes them with many variables."""
    yield f"% instance = {run.problem.instance}, name = {name}\n"
    yield "% function evaluation | 2 objectives \n"
    for evaluation, y1, y2 in run.archive.tolist():
        yield f"{evaluation}\t{y1:.15e}\t{y2:.15e}\t\n"
    yield f"% evaluations = {run.evaluations}\n"


def _find_hardest_log_target(precision: float) -> tuple[int, float]:
    """Return rank and value of the hardest target hit among 10**(k/20), 0 and -10**(k/20)."""
    if precision == 0:
        return _ZERO_RANK, 0.0
    size = TARGETS_PER_DECADE * math.log10(max(abs(precision), 1e-8))
    if precision > 0:
        rank = math.ceil(size)
        return rank, 10.0 ** (rank / TARGETS_PER_DECADE)
    rank = math.floor(size)
    return 2 * _ZERO_RANK - rank - 1, -(10.0 ** (rank / TARGETS_PER_DECADE))

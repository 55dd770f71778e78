"""Writes the runs of a log as COCO's data: format bbob-new2, and that of two objectives.

Which lines COCO's logger writes of a run, and how: after ``logger_bbob.c`` and ``logger_biobj.c``.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from ....suites import Problem
from ....suites.biobj.pairs import PAIRS
from ....suites.suite import definition
from ...errors import LogWriteError
from ...log.log import Log
from ...records.dtypes import Rows
from ...records.log_header import version_of
from ...targets.grid import FINAL_TARGET, TARGETS_PER_DECADE
from ...targets.schedule import evaluation_schedule
from ..export import (
    Group,
    Point,
    RunToWrite,
    best_at,
    groups_by_folder,
    new_folder,
    run_to_write,
    runs_to_write,
)

_VERSION = "2.8.2"
"""The COCO whose format is written, and whose values those of the suites of its names are."""
_KNOWN_TO_COCOPP = (
    "bbob", "bbob-boxed", "bbob-constrained", "bbob-largescale", "bbob-mixint", "bbob-noisy",
)  # fmt: skip

_LIMITS = (
    "COCO's data hold ten digits of a precision, and for certain the first hits of five targets a "
    "decade, with two objectives of ten: hits of targets between them may become bounds. Best "
    "solutions are not written."
)
_NO_VALUE = 3e21
"""What COCO writes of infinity."""
_LINEAR_STEP = 1e5
_ZERO = 1e-12
_ZERO_RANK = -180
"""The rank of precision 0: that of 1e-9. Targets below 0 have lower ones."""
_TWO_OBJECTIVES = {
    "bbob-biobj": "bbob-biobj", "bbob-biobj-ext": "bbob-biobj", "bbob-biobj-mixint": "",
}  # fmt: skip
"""Suites of COCO with two objectives, and how their files begin, where not by the name."""

_GROUPS = (
    (5, "1-separable"), (9, "2-moderate"), (14, "3-ill-conditioned"), (19, "4-multi-modal"),
    (24, "5-weakly-structured"),
)  # fmt: skip
"""The last function of bbob of each group, and COCO's name of the group."""


def write_coco(log: Log, folder: Path) -> tuple[str, ...]:
    """Write all runs as COCO's data, as ``cocopp`` reads them.

    Of runs that recorded every improvement, evaluations and best precisions are those that
    ``cocoex`` writes, line by line. Solutions and the values of evaluations that did not improve
    are not in a log: solutions are left out, and the best value stands for the measured one. With
    two objectives the archives are written, without solutions.

    Args:
        log: The runs.
        folder: A new folder; with several algorithms or suites, one folder in it for each.

    Returns:
        Sentences on what could not be written.

    Raises:
        LogExistsError: The folder exists.
        LogWriteError: It cannot be written, runs have no reference value, or two objectives were
            measured by another indicator than the hypervolume.
    """
    runs = log.runs
    rows, notes = runs_to_write(log)
    unknown = rows[np.isnan(runs["reference_value"][rows])]
    if len(unknown):
        raise LogWriteError(
            f"runs on suite {str(runs['suite'][unknown[0]])!r}, function "
            f"{int(runs['function'][unknown[0]])} have no reference value, and COCO's data are "
            "precisions; export them as ioh"
        )
    for suite in np.unique(runs["suite"][rows]).tolist():
        indicator = log.suites[suite].measurement.indicator
        if (indicator == "hypervolume") != (suite in _TWO_OBJECTIVES):
            raise LogWriteError(
                f"runs on suite {suite!r} were measured by {indicator}; COCO's data hold the "
                f"hypervolume of {', '.join(_TWO_OBJECTIVES)}, and of no other suite. Export them "
                "as ioh"
            )
        if suite not in (*_KNOWN_TO_COCOPP, *_TWO_OBJECTIVES):
            notes += (f"cocopp knows no suite {suite!r}, and refuses its data.",)
    notes += (_LIMITS,)
    with new_folder(folder) as temporary:
        for part, groups in groups_by_folder(log, rows).items():
            write = _write_pairs if groups[0].suite in _TWO_OBJECTIVES else _write_part
            write(log, temporary / part, groups)
    return notes


def _write_part(log: Log, folder: Path, groups: Iterable[Group]) -> None:
    indices: dict[int, list[str]] = {}
    for group in groups:
        indices.setdefault(group.function, []).append(_write_group(log, folder, group))
    for function, blocks in indices.items():
        (folder / f"bbobexp_f{function}.info").write_text("\n".join(blocks), encoding="utf-8")


def _write_group(log: Log, folder: Path, group: Group) -> str:
    """Write the data files of one function and dimension; the entry of the index."""
    name = f"data_f{group.function}/bbobexp_f{group.function}_DIM{group.dimension}"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    texts: dict[str, list[str]] = {"dat": [], "tdat": [], "rdat": [], "mdat": []}
    items = []
    for row in group.rows:
        run = run_to_write(log, row, _NO_VALUE)
        points = {
            "dat": _data_points(run),
            "tdat": _regular_points(run),
            "rdat": _after_restarts(log, row, run),
            "mdat": _recommended(log, row),
        }
        for kind, text in texts.items():
            text.append(_head(run.reference))
            text.extend(_line(point, run.reference) for point in points[kind])
        [(_, _, best)] = best_at(run, [run.evaluations])
        items.append(f"{int(log.runs['instance'][row])}:{run.evaluations}|{best:.1e}")
    for kind, text in texts.items():
        (folder / f"{name}.{kind}").write_text("".join(text), encoding="ascii")
    return f"{_facts(group)}\n% written by firsthit {version_of('firsthit')}\n" + ", ".join(
        [f"{name}.dat", *items]
    )


def _facts(group: Group) -> str:
    return (
        f"suite = '{group.suite}', funcId = {group.function}, DIM = {group.dimension}, "
        f"Precision = 1.000e-08, algId = '{group.algorithm}', coco_version = '{_VERSION}', "
        f"logger = '{group.suite}', data_format = 'bbob-new2'"
    )


def _recommended(log: Log, row: int) -> Iterable[Point]:
    """Recommendations that are better than all before."""
    best = np.inf
    for count, precision in log.recommendations(row).tolist():
        if precision < best:
            best = precision
            yield count, 0, precision


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
    value = precision + reference
    return f"{evaluation} {constraints} {precision:+10.9e} {value:+10.9e} {value:+10.9e}\n"


def _data_points(run: RunToWrite) -> Iterator[Point]:
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


def _regular_points(run: RunToWrite) -> Iterator[Point]:
    """Points of ``.tdat``: best so far at regular counts and at the last evaluation."""
    counts = {1, *run.trajectory["evaluation"].tolist(), run.evaluations}
    if run.every_improvement:
        schedule = evaluation_schedule(run.dimension)
        counts.update(schedule[: bisect_right(schedule, run.evaluations)])
    return best_at(run, sorted(counts))


def _after_restarts(log: Log, row: int, run: RunToWrite) -> Iterator[Point]:
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


def _write_pairs(log: Log, folder: Path, groups: Iterable[Group]) -> None:
    """Write the runs of one algorithm on one suite of two objectives."""
    entries: dict[str, list[str]] = {}
    group = None
    for group in sorted(groups, key=lambda group: (group.dimension, group.function)):
        kind = _kind(group.function)
        entries.setdefault(kind, []).append(_write_pair_group(log, folder, group, kind))
    assert group is not None
    for kind, lines in entries.items():
        text = "\n".join(
            [_pair_facts(group, kind), f"% written by firsthit {version_of('firsthit')}", *lines]
        )
        (folder / f"{kind}_hyp.info").write_text(text, encoding="utf-8")


def _pair_facts(group: Group, kind: str) -> str:
    return (
        f"suite = '{group.suite}', algorithm = '{group.algorithm}', indicator = 'hyp', "
        f"folder = '{kind}', coco_version = '{_VERSION}'"
    )


def _kind(function: int) -> str:
    """The groups of both functions of bbob, as COCO names folders."""
    return "_".join(
        next(name for last, name in _GROUPS if one <= last) for one in PAIRS[function - 1]
    )


def _write_pair_group(log: Log, folder: Path, group: Group, kind: str) -> str:
    """Write the data files of one function and dimension; the line of the index."""
    begin = _TWO_OBJECTIVES[group.suite] or group.suite
    digits = 2 if _TWO_OBJECTIVES[group.suite] else 3
    function, dimension = f"_f{group.function:0{digits}d}", f"_d{group.dimension:0{digits}d}"
    name = f"{begin}{function}{dimension}_hyp"
    for place in (kind, "archive"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    texts: dict[str, list[str]] = {"dat": [], "tdat": [], "rdat": []}
    archives: dict[str, list[str]] = {}
    items = []
    for row in group.rows:
        run, instance = run_to_write(log, row, _NO_VALUE), int(log.runs["instance"][row])
        problem = definition(group.suite).problem(group.function, group.dimension, instance)
        points = {
            "dat": _pair_lines(run),
            "tdat": _value_lines(_regular_points(run)),
            "rdat": _value_lines(_after_restarts(log, row, run)),
        }
        for ending, text in texts.items():
            text.append(
                _pair_head(_index(problem), problem.title, instance, run.reference, ending == "dat")
            )
            text.extend(points[ending])
        [(_, _, best)] = best_at(run, [run.evaluations])
        items.append(f"{instance}:{run.evaluations}|{best:.1e}")
        archive, kept = log.archive(row), str(log.runs["archive_kept"][row])
        if kept != "none":
            file = f"{begin}{function}_i{instance:02d}{dimension}_nondom_{kept}.adat"
            archives.setdefault(file, []).extend(
                _archive_lines(archive, instance, problem.title, run.evaluations)
            )
    for ending, text in texts.items():
        (folder / kind / f"{name}.{ending}").write_text("".join(text), encoding="ascii")
    for file, text in archives.items():
        (folder / "archive" / file).write_text("".join(text), encoding="ascii")
    place = f"function = {group.function:2d}, dim = {group.dimension:2d}"
    return ", ".join([place, f"{name}.dat", *items])


def _index(problem: Problem) -> int:
    """The problem's number in the whole suite, from 0; 0 of what is not in the suite as it is."""
    whole = definition(problem.suite)
    axes = (whole.dimensions, whole.functions, whole.instances)
    place = (problem.dimension, problem.function, problem.instance)
    number = 0
    for axis, one in zip(axes, place, strict=True):
        if one not in axis:
            return 0
        number = number * len(axis) + axis.index(one)
    return number


def _pair_head(index: int, name: str, instance: int, reference: float, has_target: bool) -> str:
    """The lines above the numbers of a run."""
    columns = "function evaluation | indicator value" + (" | target hit" if has_target else "")
    return (
        f"%\n% index = {index}, name = {name}\n"
        f"% instance = {instance}, reference value = {reference:.15e}\n% {columns}\n"
    )


def _pair_lines(run: RunToWrite) -> Iterator[str]:
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
        [(count, _, precision)] = best_at(run, [run.evaluations])
        target = target if math.isfinite(target) else precision
        yield f"{count}\t{precision:.15e}\t{target:.15e}\n"


def _value_lines(points: Iterator[Point]) -> Iterator[str]:
    """Lines of ``.tdat`` and ``.rdat``."""
    return (f"{evaluation}\t{precision:.15e}\n" for evaluation, _, precision in points)


def _archive_lines(archive: Rows, instance: int, name: str, evaluations: int) -> Iterator[str]:
    """The block of a run in its ``.adat`` file, without solutions, as COCO's of many variables."""
    yield f"% instance = {instance}, name = {name}\n% function evaluation | 2 objectives \n"
    for evaluation, y1, y2 in archive.tolist():
        yield f"{evaluation}\t{y1:.15e}\t{y2:.15e}\t\n"
    yield f"% evaluations = {evaluations}\n"


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

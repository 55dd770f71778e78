"""Measure runs with two objectives relative to another hypervolume, by their recorded archives.

The precision of a run with two objectives is a reference hypervolume minus that of its archive.
If a log has all points that entered the archives, the hypervolume after each of these points can be
computed again. `best_archives` computes the hypervolume of all archives of a problem together,
which may serve as reference, and `measured_from` returns a log with precisions relative to other
references.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suites.arrays import Floats
from ...suites.facts import ProblemId
from ..hdf5.ragged import Ragged
from ..records.dtypes import (
    NUMBERS,
    RECOMMENDATIONS,
    SECONDS,
    TABLES,
    TRAJECTORY,
    Rows,
    as_rows,
    no_rows,
)
from ..records.run_record import RECORDS
from .log import Log
from .recommended import find_improvements

HYPERVOLUME = "hypervolume"
"""Name of the indicator whose reference values this module changes."""
_VOLUME_STEP = 1e-12
"""Hypervolumes of several archives are rounded down to a multiple of this number. Without rounding,
a run that found all points of the union could get a precision above 0 by rounding errors."""


class HypervolumeReference(NamedTuple):
    """Hypervolume that precisions on one problem are relative to."""

    name: str  # source of the value, for `Log.runs.reference_name`
    value: float  # from 0 to 1


class BestArchive(NamedTuple):
    """Result of taking all archives of one problem together."""

    hypervolume: float  # multiple of 1e-12; NaN: no archive, or ideal and nadir point unknown
    archives: int  # number of runs that have an archive


def best_archives(
    logs: Iterable[Log], rows: NDArray[np.int64] | None = None
) -> dict[ProblemId, BestArchive]:
    """Compute the hypervolume of all archives of a problem together, for many problems.

    The hypervolume of the union of the archives is at least that of the best run. It is larger if
    runs found different parts of the Pareto front.

    Args:
        logs: Logs whose archives are used.
        rows: Positions of runs in the first log, shape ``(n_rows,)``. The result contains the
            problems of these runs only. Default: all problems with runs that are measured by
            hypervolume.

    Returns:
        The result for each problem, sorted by problem.
    """
    logs = list(logs)
    problems = None if rows is None else {problem_of(logs[0], row) for row in rows.tolist()}
    archives_by_problem: dict[ProblemId, list[_ArchiveOfRun]] = {}
    for log in logs:
        for row in measured_by_hypervolume(log).tolist():
            problem = problem_of(log, row)
            if problems is not None and problem not in problems:
                continue
            archives = archives_by_problem.setdefault(problem, [])
            points = log.archive(row)
            if len(points):
                archives.append(_ArchiveOfRun(points, log.objectives(row)))
    return {
        problem: _measure_union(archives)
        for problem, archives in sorted(archives_by_problem.items())
    }


def measured_from(
    log: Log, rows: NDArray[np.int64], references: Mapping[ProblemId, HypervolumeReference]
) -> Log:
    """Return the log with some runs measured relative to other reference hypervolumes.

    The hits of these runs are replaced by all improvements, which are computed from their archives
    point by point. Trajectories, best precisions and the precisions of recommendations are computed
    again. Seconds and points of hits are removed, because the archive has none. Other runs are not
    changed.

    Args:
        log: The log; it is not changed.
        rows: Positions of the runs, shape ``(n_rows,)``. They must have recorded all points of
            their archives.
        references: Reference of each problem of these runs.
    """
    table = log._table
    names = ("hits", "hit_seconds", "hit_solutions", "trajectory", "recommendations")
    rows_of_runs: dict[str, list[Rows]] = {
        name: [table.ragged[name].of(run) for run in range(len(log))] for name in names
    }
    reference_names = tuple(
        dict.fromkeys([*table.references, *(reference.name for reference in references.values())])
    )
    runs = table.runs.copy()
    for row in rows.tolist():
        reference = references[problem_of(log, row)]
        shift = reference.value - runs["reference_value"][row]
        hits, trajectory = _measure_run(log, row, reference.value)
        rows_of_runs["hits"][row], rows_of_runs["trajectory"][row] = hits, trajectory
        rows_of_runs["hit_seconds"][row] = no_rows(SECONDS)
        rows_of_runs["hit_solutions"][row] = no_rows(NUMBERS)
        recommendations = rows_of_runs["recommendations"][row]
        rows_of_runs["recommendations"][row] = as_rows(
            RECOMMENDATIONS, recommendations["evaluation"], recommendations["precision"] + shift
        )
        runs["best_precision"][row] = hits["precision"][-1] if len(hits) else np.inf
        runs["reference_value"][row] = reference.value
        runs["reference"][row] = reference_names.index(reference.name)
        runs["record"][row] = RECORDS.index("improvements")
    ragged = {name: Ragged.concatenate(rows_of_runs[name], TABLES[name]) for name in names}
    changed = replace(
        table, references=reference_names, runs=runs, ragged={**table.ragged, **ragged}
    )
    return Log(changed, log.files, checksums=log.checksums, publications=log.publications)


def measured_by_hypervolume(log: Log) -> NDArray[np.int64]:
    """Return the positions of all runs on suites that are measured by hypervolume."""
    names, codes = log.runs.codes("suite")
    is_hypervolume = [log.suites[name].measurement.indicator == HYPERVOLUME for name in names]
    return np.flatnonzero(np.array([*is_hypervolume, False])[codes])


def problem_of(log: Log, row: int) -> ProblemId:
    """Return the problem of a run.

    Args:
        log: The log.
        row: Position of the run.
    """
    runs = log.runs
    names, codes = runs.codes("suite")
    numbers = (int(runs[name][row]) for name in ("function", "dimension", "instance"))
    return ProblemId(names[codes[row]], *numbers)


class _ArchiveOfRun(NamedTuple):
    """Points that entered the archive of one run."""

    points: Rows  # of the type ARCHIVE
    objectives: Rows  # of the type OBJECTIVES; no rows: unknown


def _measure_run(log: Log, row: int, reference: float) -> tuple[Rows, Rows]:
    """Return the improvements and the trajectory of a run, relative to another hypervolume."""
    points, trajectory = log.archive(row), log.trajectory(row)
    precision = reference + _indicator_values(points, log.objectives(row))
    hits = find_improvements(points["evaluation"], precision)
    n_hits = np.searchsorted(hits["evaluation"], trajectory["evaluation"], "right")
    best = np.append(np.inf, hits["precision"])[n_hits]
    return hits, as_rows(TRAJECTORY, trajectory["evaluation"], best, trajectory["constraints"])


def _measure_union(archives: list[_ArchiveOfRun]) -> BestArchive:
    """Compute the hypervolume of the union of archives of runs on one problem.

    It is NaN if there is no archive, and if ideal and nadir point are unknown or differ.
    """
    regions = {archive.objectives.tobytes() for archive in archives if len(archive.objectives)}
    if len(regions) != 1:
        return BestArchive(float("nan"), len(archives))
    union = np.concatenate([archive.points for archive in archives])
    # sorted, so that rounding errors do not depend on the order of the runs
    in_order = union[np.lexsort((union["y1"], union["y2"]))]
    values = _indicator_values(in_order, archives[0].objectives)
    volume = max(0.0, -float(values[-1]))
    return BestArchive(math.floor(volume / _VOLUME_STEP) * _VOLUME_STEP, len(archives))


def _indicator_values(points: Rows, objectives: Rows) -> Floats:
    """Compute the penalty minus the hypervolume after each point, shape ``(n_points,)``."""
    if not len(points):
        return np.empty(0)
    from ..indicators.archive import Archive  # numba is imported only if it is needed

    ideal, nadir = (np.array(objectives[name]) for name in ("ideal", "nadir"))
    values, _ = Archive(ideal, nadir).enter(np.column_stack([points["y1"], points["y2"]]))
    return values

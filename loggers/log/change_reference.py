"""Runs on two objectives measured from another reference, by the archives that a log keeps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suites.facts import ProblemId
from ..hdf5.ragged import Ragged
from ..records.dtypes import RECOMMENDATIONS, SECONDS, TABLES, TRAJECTORY, Rows, as_rows, no_rows
from ..records.run_record import RECORDS
from .log import Log
from .recommended import improvements

Array = NDArray[np.float64]
HYPERVOLUME = "hypervolume"
"""The indicator whose references these are."""


_ROUNDED = 1e-12


class HypervolumeReference(NamedTuple):
    """What precisions on one problem are measured from."""

    name: str  # where the value comes from
    value: float  # a hypervolume, from 0 to 1


class BestArchive(NamedTuple):
    """All archives of one problem taken together.

    The hypervolume is rounded down to a multiple of 1e-12, so that a run that found them all is at
    0; it is NaN where there is no archive, or ideal and nadir are not known.
    """

    hypervolume: float
    archives: int  # how many runs kept one


def best_archives(
    logs: Iterable[Log], rows: NDArray[np.int64] | None = None
) -> dict[ProblemId, BestArchive]:
    """The best that all runs together know of each problem measured by hypervolume.

    It is the hypervolume of the union of all archives: at least that of the best run, and more
    where runs found different parts of the front. Problems are those of ``rows`` of the first log.
    """
    logs = list(logs)
    problems = None if rows is None else {problem_of(logs[0], row) for row in rows.tolist()}
    found: dict[ProblemId, list[tuple[Rows, Rows]]] = {}
    for log in logs:
        for row in measured_by_hypervolume(log).tolist():
            problem = problem_of(log, row)
            if problems is not None and problem not in problems:
                continue
            archives = found.setdefault(problem, [])
            archive = log.archive(row)
            if len(archive):
                archives.append((archive, log.objectives(row)))
    return {problem: _best(archives) for problem, archives in sorted(found.items())}


def measured_from(
    log: Log, rows: NDArray[np.int64], references: Mapping[ProblemId, HypervolumeReference]
) -> Log:
    """The log with the runs ``rows``, which kept whole archives, measured from other references.

    First hits, best precisions at regular counts and the best one follow from the archive of each
    run, point by point, so every improvement is known. Other runs stay as they are.
    """
    table, every = log._table, np.arange(len(log))
    names = ("hits", "hit_seconds", "trajectory", "recommendations")
    parts: dict[str, list[Rows]] = {
        name: [table.ragged[name].of(run) for run in every.tolist()] for name in names
    }
    texts = tuple(dict.fromkeys([*table.references, *(new.name for new in references.values())]))
    runs = table.runs.copy()
    for row in rows.tolist():
        reference = references[problem_of(log, row)]
        shift = reference.value - runs["reference_value"][row]
        hits, path = _measured(log, row, reference.value)
        parts["hits"][row], parts["trajectory"][row] = hits, path
        parts["hit_seconds"][row] = no_rows(SECONDS)  # the archive does not tell them
        old = parts["recommendations"][row]
        parts["recommendations"][row] = as_rows(
            RECOMMENDATIONS, old["evaluation"], old["precision"] + shift
        )
        runs["best_precision"][row] = hits["precision"][-1] if len(hits) else np.inf
        runs["reference_value"][row] = reference.value
        runs["reference"][row] = texts.index(reference.name)
        runs["record"][row] = RECORDS.index("improvements")
    ragged = {name: Ragged.concatenate(parts[name], TABLES[name]) for name in names}
    changed = replace(table, references=texts, runs=runs, ragged={**table.ragged, **ragged})
    return Log(changed, log.files, checksums=log.checksums)


def measured_by_hypervolume(log: Log) -> NDArray[np.int64]:
    """Positions of all runs whose suites are measured by hypervolume."""
    names, codes = log.runs.codes("suite")
    is_so = [log.suites[name].measurement.indicator == HYPERVOLUME for name in names]
    return np.flatnonzero(np.array([*is_so, False])[codes])


def problem_of(log: Log, row: int) -> ProblemId:
    """What a run optimized."""
    runs = log.runs
    names, codes = runs.codes("suite")
    numbers = (int(runs[name][row]) for name in ("function", "dimension", "instance"))
    return ProblemId(names[codes[row]], *numbers)


def _measured(log: Log, row: int, reference: float) -> tuple[Rows, Rows]:
    """Every improvement of a run, and its best precisions at the counts of its trajectory."""
    archive, path = log.archive(row), log.trajectory(row)
    precision = reference + _values(archive, log.objectives(row))
    hits = improvements(archive["evaluation"], precision)
    seen = np.searchsorted(hits["evaluation"], path["evaluation"], "right")
    best = np.append(np.inf, hits["precision"])[seen]
    return hits, as_rows(TRAJECTORY, path["evaluation"], best, path["constraints"])


def _best(archives: list[tuple[Rows, Rows]]) -> BestArchive:
    regions = {objectives.tobytes() for _, objectives in archives if len(objectives)}
    if len(regions) != 1:
        return BestArchive(float("nan"), len(archives))
    union = np.concatenate([archive for archive, _ in archives])
    in_order = union[np.lexsort((union["y1"], union["y2"]))]  # whatever the order of the runs
    measured = _values(in_order, archives[0][1])
    volume = max(0.0, -float(measured[-1]))
    return BestArchive(math.floor(volume / _ROUNDED) * _ROUNDED, len(archives))


def _values(archive: Rows, objectives: Rows) -> Array:
    """Penalty minus hypervolume after each point of an archive."""
    if not len(archive):
        return np.empty(0)
    from ..indicators.archive import Archive  # numba

    points = np.column_stack([archive["y1"], archive["y2"]])
    ideal, nadir = (np.array(objectives[name]) for name in ("ideal", "nadir"))
    measured, _ = Archive(ideal, nadir).enter(points)
    return measured

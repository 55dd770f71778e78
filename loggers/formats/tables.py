"""Runs as the readers of other formats give them, and the tables of a log made of them.

All runs are turned at once, without a record for each: archives hold a hundred thousand.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import suite_names
from ...suites.facts import ProblemId
from ...suites.measurement import BIOBJECTIVE_TARGETS, STANDARD, Measurement
from ...suites.suite import definition
from ..hdf5.ragged import Ragged, nothing
from ..hdf5.schema import OFFSET, RUNS
from ..hdf5.table import FunctionRow, LogTable
from ..records.dtypes import (
    HITS,
    MAX_NOTE_NAME_BYTES,
    NOTES,
    SECONDS,
    TABLES,
    TRAJECTORY,
    Rows,
    as_rows,
    no_rows,
)
from ..records.identity import MAX_NAME_BYTES, RunIdentity, check_name, key_of
from ..records.log_header import LogHeader
from ..records.run_record import (
    ARCHIVES_KEPT,
    RECORDS,
    STATUSES,
    ArchiveKept,
    Record,
    SuiteFacts,
    clean_text,
)
from ..targets.grid import GRID_TOLERANCE, POSITIVE, SIGNED, grid_of
from .blocks import MAX_COUNT, Array

COCO_HYPERVOLUME = Measurement(
    indicator="hypervolume", targets=BIOBJECTIVE_TARGETS, final_target=None
)
"""How COCO's suites with two objectives are measured: 58 targets from 1 to -1e-4, no final one."""

_RUNS_AT_ONCE = 500
"""The rows of so many runs are sorted by one integer each: run * MAX_COUNT + count < 2**63."""


_NO_NUMBERS, _NO_PAIRS, _NO_ROWS = np.empty(0), np.empty((0, 2)), np.empty((0, 3))


class ImportedRun(NamedTuple):
    """One run as the data hold it."""

    problem: ProblemId
    record: Record
    reference: float  # what precisions are measured from; 0: unknown, NaN: values are no precisions
    evaluations: int
    constraints: int = 0  # evaluations of the constraints spent
    finished: bool = True  # whether the data hold the end of the run
    entries: Array = _NO_ROWS  # (n, 3): evaluation, evaluations of the constraints, best precision
    path: Array = _NO_ROWS  # likewise, at counts of evaluations that were chosen beforehand
    restarts: Array = _NO_NUMBERS  # (n,): evaluations before each restart
    recommendations: Array = _NO_PAIRS  # (n, 2): evaluations before, and precision
    best_solution: Array = _NO_NUMBERS  # (dimension,), or (0,)
    notes: Mapping[str, Array] = MappingProxyType({})  # parameters, at each of ``entries``
    number_of_objectives: int = 1  # with 2, precisions may be 0 and below
    reference_name: str = ""  # where the reference comes from
    archive: Array = _NO_ROWS  # (n, 3): evaluation and both values of points that entered
    archive_kept: ArchiveKept = "all"
    objectives: Array = _NO_PAIRS  # ideal and nadir of each objective, (2, 2), or (0, 2)
    target_unit: float = 1.0  # what the targets of the suite are multiplied by
    seconds: Array = _NO_NUMBERS  # at each of ``entries``, (n,); empty where nobody knows
    seconds_in_all: float = math.nan
    host: str = ""  # whose clock gave them; empty: simulated time


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """What was read from one folder or archive."""

    runs: Mapping[str, Sequence[ImportedRun]]  # by algorithm
    origin: Mapping[str, Any]  # plain facts of the data, for the log's header
    notes: tuple[str, ...] = ()  # sentences on what was guessed, or left out
    names: Mapping[tuple[str, int], str] = field(default_factory=dict)  # of functions


def table_of(data: DataSet, algorithm: str | None = None) -> LogTable:
    """The tables of a log, with all runs; ``algorithm`` is another name for the one in the data."""
    named = {algorithm or name: runs for name, runs in data.runs.items()}
    algorithms = tuple(sorted(named))
    names = [name for name in algorithms for _ in named[name]]
    runs = [run for name in algorithms for run in named[name]]
    header = LogHeader({name: {} for name in algorithms}).to_json(
        {"imported": {**data.origin, "notes": list(data.notes)}}
    )
    suites = _suites(runs)
    functions = sorted({(run.problem.suite, run.problem.function) for run in runs})
    signed = {n for n, suite in suites.items() if grid_of(suite.measurement.indicator) is SIGNED}
    recorded = _recorded(runs, [run.problem.suite in signed for run in runs])
    rows = _run_rows(names, runs, recorded.best, suites)
    place = {function: i for i, function in enumerate(functions)}
    rows["algorithm"] = np.searchsorted(algorithms, names) if runs else 0
    references = tuple(sorted({"", *(run.reference_name for run in runs)}))
    rows["reference"] = [references.index(run.reference_name) for run in runs]
    rows["function_row"] = [place[run.problem.suite, run.problem.function] for run in runs]
    return LogTable(
        (header,),
        algorithms,
        tuple(suites.values()),
        tuple(_function_row(*function, data.names) for function in functions),
        ("",),
        references,
        rows,
        _ragged(runs, recorded),
    )


def _suites(runs: Sequence[ImportedRun]) -> dict[str, SuiteFacts]:
    """Facts by name, in order; those of our suite of a name, since its values are COCO's."""
    facts = {}
    signed = {run.problem.suite for run in runs if run.number_of_objectives == 2}
    for name in sorted({run.problem.suite for run in runs}):
        check_name(name, "the suite's name")
        if name in suite_names():
            known = definition(name)
            facts[name] = SuiteFacts(name, known.version, known.measurement)
        else:
            facts[name] = SuiteFacts(name, "", COCO_HYPERVOLUME if name in signed else STANDARD)
    return facts


def _function_row(suite: str, function: int, names: Mapping[tuple[str, int], str]) -> FunctionRow:
    name = clean_text(" ".join(names.get((suite, function), "").split()), MAX_NAME_BYTES)
    group = ""
    if suite in suite_names() and function in definition(suite).functions:
        group = definition(suite).group_of(function)
    return FunctionRow(suite, function, name, group)


def _run_rows(
    names: Sequence[str], runs: Sequence[ImportedRun], best: Array, suites: Mapping[str, SuiteFacts]
) -> NDArray[np.void]:
    """Rows of ``runs``, without the positions of texts."""
    rows = np.zeros(len(runs), RUNS)
    problems = [run.problem for run in runs]
    for name in ("function", "dimension", "instance"):
        rows[name] = [getattr(problem, name) for problem in problems]
    rows["campaign_seed"] = seeds = [_seed(run) for run in runs]
    rows["repetition"] = repetitions = _repetitions(names, problems)
    for name in dict.fromkeys(names):
        RunIdentity(name, problems[0])  # raises where the name cannot stand in a log
    rows["key"] = [
        key_of(*each).encode() for each in zip(names, problems, repetitions, seeds, strict=True)
    ]
    rows["budget"] = -1
    rows["evaluations"] = [run.evaluations for run in runs]
    rows["evaluations_constraints"] = [run.constraints for run in runs]
    rows["reference_value"] = [run.reference for run in runs]
    rows["record"] = [RECORDS.index(run.record) for run in runs]
    rows["archive_kept"] = [ARCHIVES_KEPT.index(run.archive_kept) for run in runs]
    rows["best_precision"] = best
    targets = [suites[problem.suite].measurement.final_target for problem in problems]
    final = np.array([-np.inf if target is None else target for target in targets])
    is_hit = best <= final * (1 + GRID_TOLERANCE)
    is_hit &= ~np.isnan(rows["reference_value"])
    rows["status"] = np.where(is_hit, STATUSES.index("target"), STATUSES.index("terminated"))
    rows["status"][[not run.finished for run in runs]] = STATUSES.index("interrupted")
    return rows


def _seed(run: ImportedRun) -> int:
    """Made of what a run holds: the same data read twice are the same run, others are others."""
    content = hashlib.sha256(f"{run.evaluations} {run.constraints} ".encode())
    content.update(run.entries.tobytes())
    content.update(run.path.tobytes())
    content.update(run.archive.tobytes())
    return int.from_bytes(content.digest()[:8], "little")


def _repetitions(names: Sequence[str], problems: Sequence[ProblemId]) -> list[int]:
    """Counts the runs of an algorithm on a problem from 0."""
    counts: Counter[tuple[str, ProblemId]] = Counter()
    repetitions = []
    for key in zip(names, problems, strict=True):
        repetitions.append(counts[key])
        counts[key] += 1
    return repetitions


class _Recorded(NamedTuple):
    """Hits and best so far of some runs, one run after the other, and the best of each run."""

    hits: Rows
    hit_counts: NDArray[np.int64]  # how many rows each run has
    path: Rows
    path_counts: NDArray[np.int64]
    best: Array
    hit_seconds: Array  # of each row, NaN where nobody knows
    path_seconds: Array


def _recorded(runs: Sequence[ImportedRun], signed: Sequence[bool]) -> _Recorded:
    """Hits and best so far of all runs."""
    parts = [
        _recorded_part(runs[start : start + _RUNS_AT_ONCE], signed[start : start + _RUNS_AT_ONCE])
        for start in range(0, len(runs), _RUNS_AT_ONCE)
    ]
    no_counts = np.zeros(0, np.int64)
    nothing = _Recorded(
        np.empty(0, HITS), no_counts, np.empty(0, TRAJECTORY), no_counts, *np.empty((3, 0))
    )
    return _Recorded(*map(np.concatenate, zip(nothing, *parts, strict=True)))


def _recorded_part(runs: Sequence[ImportedRun], signed: Sequence[bool]) -> _Recorded:
    """Likewise, of not too many runs: all their rows in order, then the best of equal counts."""
    parts = [*(run.entries for run in runs), *(run.path for run in runs)]
    parts += [np.array([[run.evaluations, run.constraints, np.inf]]) for run in runs]
    lengths = [len(part) for part in parts]
    rows = np.concatenate(parts)
    run = np.repeat(np.tile(np.arange(len(runs)), 3), lengths)
    on_path = np.arange(len(rows)) >= sum(lengths[: len(runs)])
    precision = np.where(np.isfinite(rows[:, 2]), rows[:, 2], np.inf)

    place = run * MAX_COUNT + rows[:, 0].astype(np.int64)
    order = np.argsort(place, kind="stable")
    first = np.flatnonzero(np.diff(place[order], prepend=-1))  # of each run and count
    last = np.append(first[1:], len(order)) - 1
    on_path = np.logical_or.reduceat(on_path[order], first)
    best = np.minimum.reduceat(precision[order], first)
    run, count = run[order[first]], rows[order[first], 0]
    seconds, ends = (np.fmax.reduceat(column[order], first) for column in _seconds(runs, len(rows)))
    edges = np.searchsorted(run, np.arange(len(runs) + 1))
    for start, stop in pairwise(edges.tolist()):
        np.minimum.accumulate(best[start:stop], out=best[start:stop])

    before = np.append(np.inf, best[:-1])
    before[edges[:-1]] = np.inf
    improves = np.flatnonzero((best < before) & (count >= 1))
    scheduled = np.flatnonzero(on_path & (count >= 1))
    hits = as_rows(
        HITS,
        _targets(runs, np.array(signed)[run[improves]], run[improves], best[improves]),
        count[improves],
        best[improves],
        rows[order[first[improves]], 1],
    )
    path = as_rows(TRAJECTORY, count[scheduled], best[scheduled], rows[order[last[scheduled]], 1])
    hit_counts, path_counts = (
        np.bincount(run[i], minlength=len(runs)) for i in (improves, scheduled)
    )
    best_of_runs, times = (
        best[edges[1:] - 1],
        (seconds[improves], np.fmax(seconds, ends)[scheduled]),
    )
    return _Recorded(hits, hit_counts, path, path_counts, best_of_runs, *times)


def _seconds(runs: Sequence[ImportedRun], rows: int) -> Array:
    """Seconds of the entries of all runs, and of their ends, shape ``(2, rows)``; NaN elsewhere."""
    (seconds, ends), start = np.full((2, rows), np.nan), 0
    ends[rows - len(runs) :] = [run.seconds_in_all for run in runs]
    for run in runs:
        stop = start + len(run.entries)
        if len(run.seconds):
            seconds[start:stop] = run.seconds
        start = stop
    return np.array([seconds, ends])


def _targets(
    runs: Sequence[ImportedRun], signed: NDArray[np.bool_], run: NDArray[np.int64], best: Array
) -> Array:
    """The hardest target that each value hits; inf where there is none, or no reference."""
    grid = SIGNED.values
    hardest = np.searchsorted(grid + GRID_TOLERANCE * np.abs(grid), best)
    target = np.append(grid, np.inf)[hardest]
    has_none = np.isnan([run.reference for run in runs])
    target = np.where(signed, target, np.maximum(target, POSITIVE.values[0]))
    return np.where(has_none[run], np.inf, target)


def _ragged(runs: Sequence[ImportedRun], recorded: _Recorded) -> dict[str, Ragged]:
    """The tables of ``dtypes.TABLES``."""
    unknown = (len(run.recommendations) * run.problem.dimension for run in runs)
    parts: dict[str, list[Any]] = {
        "restarts": [run.restarts for run in runs],
        "recommendations": [run.recommendations for run in runs],
        "recommended_solutions": [np.full(numbers, np.nan) for numbers in unknown],
        "best_solutions": [run.best_solution for run in runs],
        "archive": [run.archive for run in runs],
        "objectives": [run.objectives for run in runs],
        "origin": [[run.host.encode()] if run.host else [] for run in runs],
        "target_unit": [[run.target_unit] if run.target_unit != 1 else [] for run in runs],
    }
    tables: dict[str, tuple[Rows, ArrayLike]] = {
        "hits": (recorded.hits, recorded.hit_counts),
        "trajectory": (recorded.path, recorded.path_counts),
        "notes": _notes(runs),
        "hit_seconds": _timed(recorded.hit_seconds, recorded.hit_counts),
        "trajectory_seconds": _timed(recorded.path_seconds, recorded.path_counts),
        **{name: _concatenate(TABLES[name], own) for name, own in parts.items()},
    }
    return {name: nothing(name, len(runs)) for name in TABLES} | {
        name: Ragged(np.append(0, np.cumsum(lengths, dtype=OFFSET)), rows)
        for name, (rows, lengths) in tables.items()
    }


def _timed(seconds: Array, counts: NDArray[np.int64]) -> tuple[Rows, ArrayLike]:
    """Seconds of the rows of runs that have them, and how many each run has."""
    known = np.isfinite(seconds)
    run = np.repeat(np.arange(len(counts)), counts)
    return as_rows(SECONDS, seconds[known]), np.bincount(run[known], minlength=len(counts))


def _notes(runs: Sequence[ImportedRun]) -> tuple[Rows, list[int]]:
    """What algorithms noted, by evaluation and name, and how many rows each run has."""
    parts = []
    for run in runs:
        if not run.notes:
            parts.append(no_rows(NOTES))
            continue
        names = [clean_text(name, MAX_NOTE_NAME_BYTES).encode() for name in run.notes]
        values = np.column_stack(list(run.notes.values()))
        row, column = np.nonzero(~np.isnan(values) & (run.entries[:, :1] >= 1))
        evaluation = run.entries[row, 0].astype(np.int64)
        parts.append(as_rows(NOTES, evaluation, np.array(names)[column], values[row, column]))
    return np.concatenate([no_rows(NOTES), *parts]), list(map(len, parts))


def _concatenate(dtype: np.dtype[Any], parts: Sequence[Any]) -> tuple[Rows, list[int]]:
    """Rows of this type from the columns of all parts, and how many each part has."""
    filled = [part for part in parts if len(part)]
    columns = np.atleast_2d(np.concatenate(filled).T) if filled else ()
    return as_rows(dtype, *columns), list(map(len, parts))

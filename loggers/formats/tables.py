"""Convert runs that were read from other formats to the tables of a log.

A reader returns a `DataSet` with an `ImportedRun` for each run, and `table_of` computes hits and
trajectories from the precisions in it. All runs are converted together with numpy and without a
record for each, because an archive may have a hundred thousand runs.
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
from ...suites.arrays import Floats
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
from .blocks import MAX_COUNT

COCO_HYPERVOLUME = Measurement(
    indicator="hypervolume", targets=BIOBJECTIVE_TARGETS, final_target=None
)
"""Measurement of COCO's suites with two objectives: 58 targets from 1 to -1e-4, no final target."""

_RUNS_PER_CHUNK = 500
"""Runs that are converted together. Their rows are sorted by ``run * MAX_COUNT + count``, which
must be below 2**63."""

_NO_NUMBERS, _NO_PAIRS, _NO_ROWS = np.empty(0), np.empty((0, 2)), np.empty((0, 3))


class ImportedRun(NamedTuple):
    """One run of another tool's data. Comments state the shapes of arrays."""

    problem: ProblemId
    record: Record
    reference: float  # value that precisions are relative to; 0: unknown, NaN: no precisions
    evaluations: int
    constraints: int = 0  # evaluations of the constraints in total
    finished: bool = True  # whether the data contain the end of the run
    entries: Floats = _NO_ROWS  # (n, 3): evaluation, evaluations of the constraints, best precision
    path: Floats = _NO_ROWS  # (n, 3), the same columns at scheduled counts of evaluations
    restarts: Floats = _NO_NUMBERS  # (n,): evaluations before each restart
    recommendations: Floats = _NO_PAIRS  # (n, 2): evaluations before, and precision
    best_solution: Floats = _NO_NUMBERS  # (dimension,), or (0,)
    notes: Mapping[str, Floats] = MappingProxyType({})  # logged parameters, (n,) as ``entries``
    number_of_objectives: int = 1  # with 2, precisions may be 0 and below
    reference_name: str = ""  # origin of the reference
    archive: Floats = _NO_ROWS  # (n, 3): evaluation and both values of nondominated points
    archive_kept: ArchiveKept = "all"
    objectives: Floats = _NO_PAIRS  # (2, 2): ideal and nadir value of each objective, or (0, 2)
    target_unit: float = 1.0  # factor of the suite's targets
    seconds: Floats = _NO_NUMBERS  # (n,) as ``entries``; empty: unknown
    seconds_in_all: float = math.nan  # at the end of the run; NaN: unknown
    host: str = ""  # machine whose clock measured the seconds; empty: simulated time


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """The content of one folder or archive."""

    runs: Mapping[str, Sequence[ImportedRun]]  # by algorithm
    origin: Mapping[str, Any]  # JSON-able provenance for the log's header
    notes: tuple[str, ...] = ()  # sentences on what was inferred or left out
    names: Mapping[tuple[str, int], str] = field(default_factory=dict)  # by suite and function


def table_of(data: DataSet, algorithm: str | None = None) -> LogTable:
    """Convert a data set to the tables of a log.

    Args:
        data: The data set.
        algorithm: New name of the one algorithm in the data. None: the names in the data.

    Returns:
        Tables with all runs, sorted by algorithm.

    Raises:
        ValueError: A name or number is not valid in a log.
        OverflowError: A number is too large for a log.
    """
    by_algorithm = {algorithm or name: runs for name, runs in data.runs.items()}
    algorithms = tuple(sorted(by_algorithm))
    names = [name for name in algorithms for _ in by_algorithm[name]]
    runs = [run for name in algorithms for run in by_algorithm[name]]
    header = LogHeader({name: {} for name in algorithms}).to_json(
        {"imported": {**data.origin, "notes": list(data.notes)}}
    )
    suites = _collect_suites(runs)
    functions = sorted({(run.problem.suite, run.problem.function) for run in runs})
    signed_suites = {
        name for name, suite in suites.items() if grid_of(suite.measurement.indicator) is SIGNED
    }
    histories = _compute_histories(runs, [run.problem.suite in signed_suites for run in runs])
    rows = _run_rows(names, runs, histories.best, suites)
    index_of_function = {function: i for i, function in enumerate(functions)}
    rows["algorithm"] = np.searchsorted(algorithms, names) if runs else 0
    references = tuple(sorted({"", *(run.reference_name for run in runs)}))
    rows["reference"] = [references.index(run.reference_name) for run in runs]
    rows["function_row"] = [
        index_of_function[run.problem.suite, run.problem.function] for run in runs
    ]
    return LogTable(
        (header,),
        algorithms,
        tuple(suites.values()),
        tuple(_function_row(*function, data.names) for function in functions),
        ("",),
        references,
        rows,
        _make_ragged_tables(runs, histories),
    )


def _collect_suites(runs: Sequence[ImportedRun]) -> dict[str, SuiteFacts]:
    """Return the facts of all suites by name, sorted.

    A suite of firsthit that has the name of a suite of COCO has the same values.
    """
    suites = {}
    biobjective = {run.problem.suite for run in runs if run.number_of_objectives == 2}
    for name in sorted({run.problem.suite for run in runs}):
        check_name(name, "the suite's name")
        if name in suite_names():
            suite = definition(name)
            suites[name] = SuiteFacts(name, suite.version, suite.measurement)
        else:
            measurement = COCO_HYPERVOLUME if name in biobjective else STANDARD
            suites[name] = SuiteFacts(name, "", measurement)
    return suites


def _function_row(suite: str, function: int, names: Mapping[tuple[str, int], str]) -> FunctionRow:
    name = clean_text(" ".join(names.get((suite, function), "").split()), MAX_NAME_BYTES)
    group = ""
    if suite in suite_names() and function in definition(suite).functions:
        group = definition(suite).group_of(function)
    return FunctionRow(suite, function, name, group)


def _run_rows(
    algorithm_of_run: Sequence[str],
    runs: Sequence[ImportedRun],
    best_precision_of_run: Floats,
    suites: Mapping[str, SuiteFacts],
) -> NDArray[np.void]:
    """Return the rows of the table ``runs``; the caller sets the row numbers of texts."""
    rows = np.zeros(len(runs), RUNS)
    problems = [run.problem for run in runs]
    for name in ("function", "dimension", "instance"):
        rows[name] = [getattr(problem, name) for problem in problems]
    rows["campaign_seed"] = seeds = [_hash_content(run) for run in runs]
    rows["repetition"] = repetitions = _number_repetitions(algorithm_of_run, problems)
    for name in dict.fromkeys(algorithm_of_run):
        RunIdentity(name, problems[0])  # raises ValueError if the name is not valid in a log
    identities = zip(algorithm_of_run, problems, repetitions, seeds, strict=True)
    rows["key"] = [key_of(*identity).encode() for identity in identities]
    rows["budget"] = -1
    rows["evaluations"] = [run.evaluations for run in runs]
    rows["evaluations_constraints"] = [run.constraints for run in runs]
    rows["reference_value"] = [run.reference for run in runs]
    rows["record"] = [RECORDS.index(run.record) for run in runs]
    rows["archive_kept"] = [ARCHIVES_KEPT.index(run.archive_kept) for run in runs]
    rows["best_precision"] = best_precision_of_run
    targets = [suites[problem.suite].measurement.final_target for problem in problems]
    final = np.array([-np.inf if target is None else target for target in targets])
    is_hit = best_precision_of_run <= final * (1 + GRID_TOLERANCE)
    is_hit &= ~np.isnan(rows["reference_value"])
    rows["status"] = np.where(is_hit, STATUSES.index("target"), STATUSES.index("terminated"))
    rows["status"][[not run.finished for run in runs]] = STATUSES.index("interrupted")
    return rows


def _hash_content(run: ImportedRun) -> int:
    """Return a hash of a run's content, so that only data that are read twice are equal runs."""
    content = hashlib.sha256(f"{run.evaluations} {run.constraints} ".encode())
    content.update(run.entries.tobytes())
    content.update(run.path.tobytes())
    content.update(run.archive.tobytes())
    return int.from_bytes(content.digest()[:8], "little")


def _number_repetitions(names: Sequence[str], problems: Sequence[ProblemId]) -> list[int]:
    """Count the runs of each algorithm on each problem from 0, and return the count of each run."""
    counts: Counter[tuple[str, ProblemId]] = Counter()
    repetitions = []
    for key in zip(names, problems, strict=True):
        repetitions.append(counts[key])
        counts[key] += 1
    return repetitions


class _Histories(NamedTuple):
    """Hits and trajectories of some runs, one run after the other, and the best of each run."""

    hits: Rows
    hit_counts: NDArray[np.int64]  # number of rows of each run
    path: Rows
    path_counts: NDArray[np.int64]  # number of rows of each run
    best: Floats  # best precision of each run
    hit_seconds: Floats  # seconds of each row; NaN: unknown
    path_seconds: Floats  # seconds of each row; NaN: unknown


def _compute_histories(runs: Sequence[ImportedRun], is_signed: Sequence[bool]) -> _Histories:
    """Compute hits and trajectories of all runs; ``is_signed``: whether targets may be negative."""
    chunks = [slice(i, i + _RUNS_PER_CHUNK) for i in range(0, len(runs), _RUNS_PER_CHUNK)]
    parts = [_compute_chunk(runs[chunk], is_signed[chunk]) for chunk in chunks]
    no_counts = np.zeros(0, np.int64)
    empty = _Histories(
        np.empty(0, HITS), no_counts, np.empty(0, TRAJECTORY), no_counts, *np.empty((3, 0))
    )
    return _Histories(*map(np.concatenate, zip(empty, *parts, strict=True)))


def _compute_chunk(runs: Sequence[ImportedRun], is_signed: Sequence[bool]) -> _Histories:
    """Compute hits and trajectories of at most `_RUNS_PER_CHUNK` runs.

    The rows of all runs (entries, trajectory and end) are sorted by run and count. Rows of the same
    run and count are merged into one, and the best precision is accumulated over these.
    """
    parts = [*(run.entries for run in runs), *(run.path for run in runs)]
    parts += [np.array([[run.evaluations, run.constraints, np.inf]]) for run in runs]
    lengths = [len(part) for part in parts]
    rows = np.concatenate(parts)
    run = np.repeat(np.tile(np.arange(len(runs)), 3), lengths)
    on_path = np.arange(len(rows)) >= sum(lengths[: len(runs)])
    precision = np.where(np.isfinite(rows[:, 2]), rows[:, 2], np.inf)

    sort_key = run * MAX_COUNT + rows[:, 0].astype(np.int64)
    order = np.argsort(sort_key, kind="stable")
    first = np.flatnonzero(np.diff(sort_key[order], prepend=-1))  # of each run and count
    last = np.append(first[1:], len(order)) - 1
    on_path = np.logical_or.reduceat(on_path[order], first)
    best = np.minimum.reduceat(precision[order], first)
    run, count = run[order[first]], rows[order[first], 0]
    seconds, total_seconds = (
        np.fmax.reduceat(column[order], first)
        for column in _entry_and_total_seconds(runs, len(rows))
    )
    edges = np.searchsorted(run, np.arange(len(runs) + 1))
    for start, stop in pairwise(edges.tolist()):
        np.minimum.accumulate(best[start:stop], out=best[start:stop])

    previous = np.append(np.inf, best[:-1])
    previous[edges[:-1]] = np.inf
    improves = np.flatnonzero((best < previous) & (count >= 1))
    scheduled = np.flatnonzero(on_path & (count >= 1))
    hits = as_rows(
        HITS,
        _hardest_targets(runs, np.array(is_signed)[run[improves]], run[improves], best[improves]),
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
        (seconds[improves], np.fmax(seconds, total_seconds)[scheduled]),
    )
    return _Histories(hits, hit_counts, path, path_counts, best_of_runs, *times)


def _entry_and_total_seconds(runs: Sequence[ImportedRun], n_rows: int) -> Floats:
    """Return seconds for the rows of `_compute_chunk` before they are sorted.

    Returns:
        Shape ``(2, n_rows)``. Row 0 has the seconds of the entries, which come first. Row 1 has the
        total seconds of the runs in its last ``len(runs)`` columns. NaN elsewhere and if unknown.
    """
    (seconds, total_seconds), start = np.full((2, n_rows), np.nan), 0
    total_seconds[n_rows - len(runs) :] = [run.seconds_in_all for run in runs]
    for run in runs:
        stop = start + len(run.entries)
        if len(run.seconds):
            seconds[start:stop] = run.seconds
        start = stop
    return np.array([seconds, total_seconds])


def _hardest_targets(
    runs: Sequence[ImportedRun], is_signed: NDArray[np.bool_], run: NDArray[np.int64], best: Floats
) -> Floats:
    """Return the hardest target that each precision hits; inf without one or without a reference.

    Args:
        runs: The runs of the chunk.
        is_signed: Whether targets may be negative, for each precision, shape ``(n,)``.
        run: Index of the run of each precision, shape ``(n,)``.
        best: Precisions, shape ``(n,)``.
    """
    grid = SIGNED.values
    hardest = np.searchsorted(grid + GRID_TOLERANCE * np.abs(grid), best)
    target = np.append(grid, np.inf)[hardest]
    lacks_reference = np.isnan([run.reference for run in runs])
    target = np.where(is_signed, target, np.maximum(target, POSITIVE.values[0]))
    return np.where(lacks_reference[run], np.inf, target)


def _make_ragged_tables(runs: Sequence[ImportedRun], histories: _Histories) -> dict[str, Ragged]:
    """Return the tables of ``dtypes.TABLES``. Recommended solutions are unknown, thus NaN."""
    n_coordinates = (len(run.recommendations) * run.problem.dimension for run in runs)
    parts: dict[str, list[Any]] = {
        "restarts": [run.restarts for run in runs],
        "recommendations": [run.recommendations for run in runs],
        "recommended_solutions": [np.full(n, np.nan) for n in n_coordinates],
        "best_solutions": [run.best_solution for run in runs],
        "archive": [run.archive for run in runs],
        "objectives": [run.objectives for run in runs],
        "origin": [[run.host.encode()] if run.host else [] for run in runs],
        "target_unit": [[run.target_unit] if run.target_unit != 1 else [] for run in runs],
    }
    tables: dict[str, tuple[Rows, ArrayLike]] = {
        "hits": (histories.hits, histories.hit_counts),
        "trajectory": (histories.path, histories.path_counts),
        "notes": _collect_notes(runs),
        "hit_seconds": _make_seconds_rows(histories.hit_seconds, histories.hit_counts),
        "trajectory_seconds": _make_seconds_rows(histories.path_seconds, histories.path_counts),
        **{name: _concatenate(TABLES[name], columns) for name, columns in parts.items()},
    }
    return {name: nothing(name, len(runs)) for name in TABLES} | {
        name: Ragged(np.append(0, np.cumsum(lengths, dtype=OFFSET)), rows)
        for name, (rows, lengths) in tables.items()
    }


def _make_seconds_rows(seconds: Floats, counts: NDArray[np.int64]) -> tuple[Rows, ArrayLike]:
    """Return a row for each finite number of seconds, and the number of rows of each run."""
    is_finite = np.isfinite(seconds)
    run = np.repeat(np.arange(len(counts)), counts)
    return as_rows(SECONDS, seconds[is_finite]), np.bincount(run[is_finite], minlength=len(counts))


def _collect_notes(runs: Sequence[ImportedRun]) -> tuple[Rows, list[int]]:
    """Return the logged parameters by evaluation and name, and the number of rows of each run."""
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
    """Return the rows of all parts as rows of a type, and the number of rows of each part."""
    filled = [part for part in parts if len(part)]
    columns = np.atleast_2d(np.concatenate(filled).T) if filled else ()
    return as_rows(dtype, *columns), list(map(len, parts))

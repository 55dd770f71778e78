"""Runs as the readers of other formats give them, and the tables of a log made of them."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suites import suite_names
from ...suites.facts import ProblemId
from ...suites.measurement import BIOBJECTIVE_TARGETS, STANDARD, Measurement
from ...suites.suite import definition
from ..hdf5.ragged import Ragged
from ..hdf5.schema import RUNS
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
from .blocks import Array

COCO_HYPERVOLUME = Measurement(
    indicator="hypervolume", targets=BIOBJECTIVE_TARGETS, final_target=None
)
"""How COCO's suites with two objectives are measured: 58 targets from 1 to -1e-4, no final one."""

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
    found = [_tables_of(run, run.problem.suite in signed) for run in runs]
    rows = _run_rows(names, runs, np.array([best for _, best in found]), suites)
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
        {
            name: Ragged.concatenate([own.get(name, no_rows(dtype)) for own, _ in found], dtype)
            for name, dtype in TABLES.items()
        },
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


def _tables_of(run: ImportedRun, is_signed: bool) -> tuple[dict[str, Rows], float]:
    """What a run has of the tables of a log, where it has rows, and its best precision."""
    tables, best = _recorded(run, is_signed)
    unknown = np.full(len(run.recommendations) * run.problem.dimension, np.nan)
    columns: dict[str, Any] = {
        "restarts": [run.restarts],
        "recommendations": run.recommendations.T,
        "recommended_solutions": [unknown],
        "best_solutions": [run.best_solution],
        "archive": run.archive.T,
        "objectives": run.objectives.T,
        "origin": [[run.host.encode()] if run.host else []],
        "target_unit": [[run.target_unit] if run.target_unit != 1 else []],
    }
    others = {name: as_rows(TABLES[name], *own) for name, own in columns.items() if len(own[0])}
    return {**tables, **others, "notes": _notes(run)}, best


def _recorded(run: ImportedRun, is_signed: bool) -> tuple[dict[str, Rows], float]:
    """Hits, best so far, and seconds of both, and the best at last; of equal counts, the best."""
    rows = np.concatenate([run.entries, run.path, [[run.evaluations, run.constraints, np.inf]]])
    precision = np.where(np.isfinite(rows[:, 2]), rows[:, 2], np.inf)
    seconds, ends = np.full((2, len(rows)), np.nan)
    seconds[: len(run.seconds)] = run.seconds
    ends[-1] = run.seconds_in_all

    order = np.argsort(rows[:, 0], kind="stable")
    first = np.flatnonzero(np.diff(rows[order, 0], prepend=-1))  # of each count
    last = np.append(first[1:], len(order)) - 1
    count = rows[order[first], 0]
    best = np.minimum.accumulate(np.minimum.reduceat(precision[order], first))
    seconds, ends = (np.fmax.reduceat(column[order], first) for column in (seconds, ends))
    hit = (best < np.append(np.inf, best[:-1])) & (count >= 1)
    on_path = np.logical_or.reduceat(order >= len(run.entries), first) & (count >= 1)

    target = np.full(int(hit.sum()), np.inf) if np.isnan(run.reference) else _targets(best[hit])
    if not is_signed:
        target = np.maximum(target, POSITIVE.values[0])
    constraints = rows[order, 1]
    return {
        "hits": as_rows(HITS, target, count[hit], best[hit], constraints[first[hit]]),
        "trajectory": as_rows(
            TRAJECTORY, count[on_path], best[on_path], constraints[last[on_path]]
        ),
        "hit_seconds": _known(seconds[hit]),
        "trajectory_seconds": _known(np.fmax(seconds, ends)[on_path]),
    }, float(best[-1])


def _targets(precisions: Array) -> Array:
    """The hardest target that each hits, be it off in the last digits printed; inf for none."""
    grid = SIGNED.values
    hardest = np.searchsorted(grid + GRID_TOLERANCE * np.abs(grid), precisions)
    return np.append(grid, np.inf)[hardest]


def _known(seconds: Array) -> Rows:
    return as_rows(SECONDS, seconds[np.isfinite(seconds)])


def _notes(run: ImportedRun) -> Rows:
    """What the algorithm noted, by evaluation and name."""
    if not run.notes:
        return no_rows(NOTES)
    names = [clean_text(name, MAX_NOTE_NAME_BYTES).encode() for name in run.notes]
    values = np.column_stack(list(run.notes.values()))
    row, column = np.nonzero(~np.isnan(values) & (run.entries[:, :1] >= 1))
    evaluation = run.entries[row, 0].astype(np.int64)
    return as_rows(NOTES, evaluation, np.array(names)[column], values[row, column])

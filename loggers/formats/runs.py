"""Runs read from data of others, and the table of a log that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suites import ProblemId, suite_names
from ...suites.suite import definition
from ..hdf5.ragged_columns import Ragged
from ..hdf5.schema import OFFSET, RAGGED, RUNS
from ..records.identity import MAX_NAME_BYTES, check_name
from ..records.log_header import LogHeader
from ..records.run_record import RECORDS, STATUSES, Record, Status, clean_text
from ..records.table import FunctionRow, LogTable
from ..targets.grid import GRID_TOLERANCE, NO_TARGET, grid, hardest_hit
from .identities import Identities, identities_of

Array = NDArray[np.float64]
NO_VALUE = 1e21
"""COCO writes 2e21 for NaN and 3e21 for infinity: from here on there is no value."""

_RUNS_AT_ONCE = 500
"""Of so many runs the entries are sorted in fast memory."""


_NOTHING, _NO_ROWS, _NO_PAIRS = np.empty(0), np.empty((0, 3)), np.empty((0, 2))


class ImportedRun(NamedTuple):
    """One run as the data of others tell it.

    Attributes:
        problem: What was optimized.
        record: What is recorded, one of ``RECORDS``.
        reference: What precisions are measured from; 0 where not told, NaN where they are values.
        evaluations: Evaluations spent.
        constraints: Evaluations of the constraints spent.
        finished: Whether the data tell the end of the run.
        entries: Shape ``(n, 3)``: evaluation, evaluations of the constraints, best precision so
            far; NaN and numbers >= 1e21 are no precisions.
        path: Likewise, at counts of evaluations that were chosen beforehand.
        restarts: Shape ``(n,)``: evaluations before each restart.
        recommendations: Shape ``(n, 2)``: evaluations before, and precision.
        best_solution: Shape ``(dimension,)``, or ``(0,)``.
    """

    problem: ProblemId
    record: Record
    reference: float
    evaluations: int
    constraints: int = 0
    finished: bool = True
    entries: Array = _NO_ROWS
    path: Array = _NO_ROWS
    restarts: Array = _NOTHING
    recommendations: Array = _NO_PAIRS
    best_solution: Array = _NOTHING


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """What was read from one source.

    Attributes:
        runs: Name of each algorithm to its runs.
        origin: Plain facts of the source, for the log's header.
        notes: Sentences on what was guessed, or left out.
        names: Function's suite and number to its name, where the data tell it.
    """

    runs: Mapping[str, Sequence[ImportedRun]]
    origin: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    names: Mapping[tuple[str, int], str] = field(default_factory=dict)


def table_of(data: DataSet, algorithm: str | None = None) -> LogTable:
    """The table of a log, with all runs.

    Args:
        data: What was read.
        algorithm: Another name for the one algorithm in it.
    """
    named = {algorithm or name: runs for name, runs in data.runs.items()}
    header = LogHeader({name: {} for name in named}).to_json(
        {"imported": {**data.origin, "notes": list(data.notes)}}
    )
    runs = [run for name in named for run in named[name]]
    places = {name: i for i, name in enumerate(sorted(named))}
    functions = _functions(data)
    rows = _row_columns(named, runs, places, functions)
    hits, path, best = _recorded(runs)
    rows["best_precision"] = best
    reached = best <= grid()[0] * (1 + GRID_TOLERANCE)
    interrupted = np.array([not run.finished for run in runs], dtype=bool)
    rows["status"] = np.where(interrupted, _code("interrupted"), np.where(
        reached & ~np.isnan(rows["reference_value"]), _code("target"), _code("terminated")
    ))  # fmt: skip
    ragged = {"hits": hits, "trajectory": path, **_sparse(runs)}
    table = LogTable((header,), tuple(sorted(named)), tuple(functions), ("",), rows, ragged)
    rows["crc32"] = table.checksums()
    return table


def _code(status: Status) -> int:
    return STATUSES.index(status)


def _functions(data: DataSet) -> dict[FunctionRow, int]:
    """Rows of all functions, numbered; what this firsthit knows of a suite stands in them."""
    problems = {(r.problem.suite, r.problem.function) for runs in data.runs.values() for r in runs}
    rows = sorted(_function_row(suite, f, data.names) for suite, f in problems)
    return {row: i for i, row in enumerate(rows)}


def _function_row(suite: str, function: int, names: Mapping[tuple[str, int], str]) -> FunctionRow:
    """Version and group are those of our suite of that name: its values are COCO's."""
    check_name(suite, "the suite's name")
    name = clean_text(" ".join(names.get((suite, function), "").split()), MAX_NAME_BYTES)
    if suite not in suite_names() or function not in definition(suite).functions:
        return FunctionRow(suite, "", function, name, "")
    known = definition(suite)
    return FunctionRow(suite, known.version, function, name, known.group_of(function))


def _row_columns(
    named: Mapping[str, Sequence[ImportedRun]],
    runs: Sequence[ImportedRun],
    places: Mapping[str, int],
    functions: Mapping[FunctionRow, int],
) -> NDArray[np.void]:
    identities = [_identities(name, named[name]) for name in named]
    of_problem = {(row.suite, row.function): i for row, i in functions.items()}
    problems = [run.problem for run in runs]
    columns: dict[str, list[Any]] = {
        "key": [key for each in identities for key in each.keys],
        "algorithm": [places[name] for name in named for _ in named[name]],
        "function_row": [of_problem[problem.suite, problem.function] for problem in problems],
        "function": [problem.function for problem in problems],
        "dimension": [problem.dimension for problem in problems],
        "instance": [problem.instance for problem in problems],
        "repetition": [number for each in identities for number in each.repetitions],
        "campaign_seed": [seed for each in identities for seed in each.seeds],
        "budget": [-1] * len(runs),
        "evaluations": [run.evaluations for run in runs],
        "evaluations_constraints": [run.constraints for run in runs],
        "reference_value": [run.reference for run in runs],
        "record": [RECORDS.index(run.record) for run in runs],
    }
    rows = np.zeros(len(runs), RUNS)
    for name, values in columns.items():
        rows[name] = np.array(values, dtype=RUNS[name])
    return rows


def _identities(algorithm: str, runs: Sequence[ImportedRun]) -> Identities:
    spent = np.array([(run.evaluations, run.constraints) for run in runs], dtype="<i8")
    contents = (
        (numbers, run.entries.ravel(), run.path.ravel())
        for numbers, run in zip(spent, runs, strict=True)
    )
    return identities_of(algorithm, [run.problem for run in runs], contents)


def _recorded(runs: Sequence[ImportedRun]) -> tuple[Ragged, Ragged, Array]:
    """Tables of hits and of best-so-far of all runs, and the best of each."""
    parts = [
        _recorded_part(runs[start : start + _RUNS_AT_ONCE])
        for start in range(0, len(runs) or 1, _RUNS_AT_ONCE)
    ]
    hits, path, best = zip(*parts, strict=True)
    return _stacked(hits), _stacked(path), np.concatenate(best)


def _stacked(parts: Sequence[Ragged]) -> Ragged:
    lengths = np.concatenate([part.lengths for part in parts])
    names = parts[0].columns
    columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in names}
    return Ragged(np.concatenate(([0], np.cumsum(lengths))).astype(OFFSET), columns)


def _recorded_part(runs: Sequence[ImportedRun]) -> tuple[Ragged, Ragged, Array]:
    n_entries = [len(run.entries) for run in runs]
    n_path = [len(run.path) for run in runs]
    ends = np.array([(r.evaluations, r.constraints, np.inf) for r in runs], dtype=np.float64)
    numbers = np.arange(len(runs))
    run = np.concatenate([np.repeat(numbers, n_entries), np.repeat(numbers, n_path), numbers])
    rows = np.concatenate(
        [*(r.entries for r in runs), *(r.path for r in runs), ends.reshape(-1, 3)]
    )
    value = np.where((rows[:, 2] > -np.inf) & (rows[:, 2] < NO_VALUE), rows[:, 2], np.inf)
    order = by_run_and_count(run, rows[:, 0], value)
    on_path = order >= sum(n_entries)
    run, count, value = run[order], rows[:, 0][order], value[order]
    best = _best_so_far(run, value)
    improves = np.flatnonzero(np.isfinite(best) & _is_new(run, best) & (count >= 1))
    last = np.append((run[1:] != run[:-1]) | (count[1:] != count[:-1]), True)
    # of several entries with one count the path takes the last, which holds the best of them
    groups = np.cumsum(np.append(0, last[:-1]))
    told = np.flatnonzero(last)[np.bincount(groups, on_path)[: last.sum()] > 0]
    told = told[count[told] >= 1]
    thresholds = grid() * (1 + GRID_TOLERANCE)
    no_target = np.isnan(np.array([r.reference for r in runs], dtype=np.float64))
    target = hardest_hit(best[improves], thresholds)
    target[no_target[run[improves]]] = NO_TARGET
    hits = _ragged(run[improves], len(runs), {
        "target": target.astype("<i2"),
        "evaluation": count[improves].astype("<i8"),
        "precision": best[improves],
        "constraints": rows[order[improves], 1].astype("<i8"),
    })  # fmt: skip
    path = _ragged(run[told], len(runs), {
        "evaluation": count[told].astype("<i8"),
        "precision": best[told],
        "constraints": rows[order[told], 1].astype("<i8"),
    })  # fmt: skip
    stops = np.searchsorted(run, numbers, side="right") - 1
    return hits, path, best[stops]


def by_run_and_count(run: NDArray[np.int64], count: Array, value: Array) -> NDArray[np.intp]:
    """The order by run, count of evaluations and value; parts that ascend already make it fast."""
    span = int(count.max(initial=0)) + 1
    if (int(run.max(initial=0)) + 1) * span >= 2**63:
        return np.lexsort((value, count, run))
    place = run * span + count.astype(np.int64)
    order = np.argsort(place, kind="stable")
    ordered, placed = value[order], place[order]
    alike = placed[1:] == placed[:-1]
    wrong = np.flatnonzero(alike & (ordered[1:] < ordered[:-1]))
    if len(wrong):
        group = np.cumsum(np.append(0, ~alike))
        is_wrong = np.zeros(len(group), dtype=bool)
        is_wrong[group[wrong]] = True
        tied = np.flatnonzero(is_wrong[group])
        order[tied] = order[tied][np.lexsort((ordered[tied], placed[tied]))]
    return order


def _best_so_far(run: NDArray[np.int64], value: Array) -> Array:
    """Running minimum of ``value`` within each run; runs ascend.

    Each round doubles how far back the minimum reaches; most data are running minima already.
    """
    best, step = value.copy(), 1
    same = run[1:] == run[:-1]
    while np.any(same & (best[1:] > best[:-1])):
        within = run[step:] == run[:-step]
        np.copyto(best[step:], np.minimum(best[step:], best[:-step]), where=within)
        step *= 2
    return best


def _is_new(run: NDArray[np.int64], best: Array) -> NDArray[np.bool_]:
    new = np.ones(len(run), dtype=bool)
    new[1:] = (run[1:] != run[:-1]) | (best[1:] < best[:-1])
    return new


def _ragged(run: NDArray[np.int64], n_runs: int, columns: dict[str, NDArray[Any]]) -> Ragged:
    offset = np.concatenate(([0], np.cumsum(np.bincount(run, minlength=n_runs))))
    return Ragged(offset.astype(OFFSET), columns)


def _sparse(runs: Sequence[ImportedRun]) -> dict[str, Ragged]:
    """What few runs have."""
    restarts, of_restarts = _flat([run.restarts for run in runs], (0,))
    told, of_told = _flat([run.recommendations for run in runs], (0, 2))
    best, of_best = _flat([run.best_solution for run in runs], (0,))
    dimensions = np.array([run.problem.dimension for run in runs], dtype=np.int64)
    of_unknown = np.repeat(of_told, dimensions[of_told])
    text = {name: np.zeros(len(restarts), dtype) for name, dtype in RAGGED["restarts"].items()}
    values = {
        "restarts": (of_restarts, {**text, "evaluation": restarts.astype("<i8")}),
        "recommendations": (
            of_told, {"evaluation": told[:, 0].astype("<i8"), "precision": told[:, 1]},
        ),
        "recommended_solutions": (of_unknown, {"x": np.full(len(of_unknown), np.nan)}),
        "best_solution": (of_best, {"x": best}),
    }  # fmt: skip
    return {name: _ragged(run, len(runs), columns) for name, (run, columns) in values.items()}


def _flat(parts: Sequence[Array], empty: tuple[int, ...]) -> tuple[Array, NDArray[np.intp]]:
    """Parts, one after the other, and the number of each entry's part."""
    filled = [part for part in parts if len(part)]
    return np.concatenate([np.empty(empty), *filled]), np.repeat(
        np.arange(len(parts)), [len(part) for part in parts]
    )

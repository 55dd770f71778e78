"""What the writers share: which runs are written, into which folder, with which precisions."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...suites.facts import ProblemId
from ..errors import LogExistsError, LogWriteError
from ..log.change_reference import problem_of
from ..log.log import Log
from ..records.dtypes import Rows
from ..records.run_record import RunRecord, SuiteFacts
from ..targets.grid import GRID_TOLERANCE, grid_of

Array = NDArray[np.float64]
Point = tuple[int, int, float]
"""Evaluations, evaluations of the constraints, and best precision so far."""

_RUN = ("algorithm", "suite", "function", "dimension", "instance", "repetition", "campaign_seed")


@dataclass(frozen=True, slots=True)
class Group:
    """Runs of one algorithm on one function in one dimension."""

    algorithm: str  # as it can stand in a file
    suite: str
    function: int
    name: str  # of the function; empty where no run has one
    dimension: int
    rows: tuple[int, ...]  # positions of its runs, by repetition and instance


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder that gets its name when everything is written, or is removed."""
    if os.path.lexists(folder):
        raise LogExistsError(
            f"the folder {str(folder)!r} exists and is never overwritten; choose another name"
        )
    temporary = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        temporary.mkdir(parents=True)
        yield temporary
        temporary.rename(folder)
    except OSError as error:
        raise LogWriteError(f"cannot write {str(folder)!r}: {error}") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def runs_to_write(log: Log) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Rows of the runs to be written, and sentences on the others; LogWriteError without any."""
    runs = log.runs
    by_stage = np.argsort(runs["stage"], kind="stable").tolist()
    columns = [runs[name].tolist() for name in _RUN]
    latest = {tuple(column[row] for column in columns): row for row in by_stage}
    rows = np.array(sorted(latest.values()), dtype=np.int64)
    began = runs["evaluations"][rows] > 0
    notes = []
    if len(rows) < len(runs):
        notes.append(
            f"{len(runs) - len(rows)} runs of earlier budget stages are replaced by later ones."
        )
    if not began.all():
        notes.append(f"{int((~began).sum())} runs without any evaluation are left out.")
    broken = np.isin(runs["status"][rows[began]], ("failed", "timeout", "interrupted"))
    if broken.any():
        notes.append(
            f"{int(broken.sum())} runs failed, timed out or were interrupted: they are written "
            "with the evaluations they spent, as others."
        )
    if any(len(log.notes_of(row)) for row in rows[began].tolist()):
        notes.append("parameters that algorithms noted are not written.")
    if not began.any():
        raise LogWriteError("there is no run with an evaluation to be exported")
    return rows[began], tuple(notes)


def groups_by_folder(log: Log, rows: NDArray[np.int64]) -> dict[str, list[Group]]:
    """Runs by algorithm and suite: the folder of each, ``""`` for the only one, to its groups."""
    runs = log.runs
    names = ("algorithm", "suite", "function", "dimension")
    cells: dict[tuple[str, str, int, int], list[int]] = {}
    titles: dict[tuple[str, int], str] = {}  # data of COCO hold none, those of others may
    order = np.lexsort((runs["instance"][rows], runs["repetition"][rows]))
    for row in rows[order].tolist():
        key = tuple(runs[name][row].item() for name in names)
        cells.setdefault(key, []).append(row)
        title = runs["function_name"][row].item()
        titles[key[1:3]] = titles.get(key[1:3]) or title
    parts = sorted({key[:2] for key in cells})
    suites = {suite for _, suite in parts}
    folders: dict[tuple[str, str], str] = {}
    for algorithm, suite in parts:
        folder_name = file_name(algorithm) + (f"-{file_name(suite)}" if len(suites) > 1 else "")
        taken = set(folders.values())
        tries = (folder_name, *(f"{folder_name}-{i}" for i in range(2, len(parts) + 2)))
        folders[algorithm, suite] = next(name for name in tries if name not in taken)
    groups: dict[str, list[Group]] = {}
    for key in sorted(cells):
        algorithm, suite, function, dimension = key
        folder = folders[algorithm, suite] if len(parts) > 1 else ""
        quoted_algorithm = quotable(algorithm)
        title = titles[suite, function]
        group = Group(quoted_algorithm, suite, function, title, dimension, tuple(cells[key]))
        groups.setdefault(folder, []).append(group)
    return groups


def file_name(text: str) -> str:
    """``text`` as the name of a file everywhere: letters, digits, ``.``, ``_``, ``+`` and ``-``."""
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", text).strip(".-")[:80] or "unnamed"


def quotable(text: str) -> str:
    """``text`` as it can stand between quotes in a file."""
    return text.replace("'", "’").replace('"', "”")


def _written_precisions(hits: Rows, suite: SuiteFacts) -> Array:
    """Precisions from which a reader finds the targets that the log says were hit, shape ``(n,)``.

    A log compares ``value <= reference + target``, a reader ``value - reference <= target``, and
    both round. Where they differ, the log's target decides.
    """
    targets = grid_of(suite.measurement.indicator)
    grid, target = targets.values, hits["target"]
    place = np.searchsorted(grid, target)
    is_harder = (place > 0) & (place < len(grid))
    harder = grid[np.where(is_harder, place - 1, 0)]
    harder = harder + 3 * GRID_TOLERANCE * np.abs(harder)
    precision: Array = np.minimum(hits["precision"], target)
    return np.where(is_harder, np.maximum(precision, harder), precision)


@dataclass(frozen=True, slots=True, eq=False)
class RunToWrite:
    """What is written of one run; attributes besides the first three are as of ``RunRecord``."""

    problem: ProblemId
    precisions: Array  # those of ``hits``, as they are written
    no_value: float  # what the format writes of the best before the first finite value
    reference_value: float
    evaluations: int
    evaluations_constraints: int
    record: str
    archive_kept: str
    hits: Rows
    trajectory: Rows
    restarts: Rows
    recommendations: Rows
    archive: Rows


_FACTS = ("reference_value", "evaluations", "evaluations_constraints", "record", "archive_kept")
_ROWS = ("hits", "trajectory", "restarts", "recommendations", "archive")


def run_to_write(log: Log, row: int, no_value: float) -> RunToWrite:
    """What is written of a run of a log."""
    problem = problem_of(log, row)
    facts: dict[str, Any] = {name: log.runs[name][row].item() for name in _FACTS}
    rows: dict[str, Any] = {name: getattr(log, name)(row) for name in _ROWS}
    precisions = _written_precisions(rows["hits"], log.suites[problem.suite])
    return RunToWrite(problem, precisions, no_value, **facts, **rows)


def record_to_write(record: RunRecord, no_value: float) -> RunToWrite:
    """What is written of one finished run."""
    known: dict[str, Any] = {name: getattr(record, name) for name in (*_FACTS, *_ROWS)}
    precisions = _written_precisions(record.hits, record.suite)
    return RunToWrite(record.identity.problem, precisions, no_value, **known)


def best_at(run: RunToWrite, counts: Sequence[int]) -> list[Point]:
    """The best that the log knows of the first so many evaluations, for each of ``counts``."""
    if not counts:
        return []
    hits, path = run.hits, run.trajectory
    hit, seen = (np.searchsorted(rows["evaluation"], counts, "right") for rows in (hits, path))
    written = _before(run.no_value, run.precisions)[hit]
    on_path = _before(np.inf, path["precision"])[seen]
    is_better = on_path < _before(np.inf, hits["precision"])[hit]
    best = np.where(is_better, np.minimum(written, on_path), written)
    constraints = np.maximum(
        _before(0, hits["constraints"])[hit], _before(0, path["constraints"])[seen]
    )
    constraints[np.equal(counts, run.evaluations)] = run.evaluations_constraints
    return list(zip(counts, constraints.tolist(), best.tolist(), strict=True))


def _before(first: float, values: Array) -> Array:
    """``first`` and ``values``, shape ``(n + 1,)``; `np.append` takes four times as long."""
    return np.concatenate(([first], values))

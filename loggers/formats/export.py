"""Choose and prepare the runs that are exported to the formats of COCO and IOHprofiler.

A writer selects the runs of a log (`select_runs`), groups them by folder and function
(`group_by_folder`), and writes into a temporary folder that is renamed at the end (`new_folder`).
`prepare_run` prepares one run, and `compute_points` returns its best precision at some counts of
evaluations.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...suites.arrays import Floats
from ...suites.facts import ProblemId
from ..errors import LogExistsError, LogWriteError
from ..log.change_reference import problem_of
from ..log.log import Log
from ..records.dtypes import Rows
from ..records.run_record import ArchiveKept, Record, RunRecord, SuiteFacts
from ..targets.grid import GRID_TOLERANCE, grid_of

Point = tuple[int, int, float]
"""Evaluations, evaluations of the constraints, and best precision so far."""

_RUN_COLUMNS = (
    "algorithm",
    "suite",
    "function",
    "dimension",
    "instance",
    "repetition",
    "campaign_seed",
)


@dataclass(frozen=True, slots=True)
class Group:
    """Runs of one algorithm on one function in one dimension."""

    algorithm: str  # without characters that quote text in a file
    suite: str
    function: int
    name: str  # of the function; empty if no run has one
    dimension: int
    rows: tuple[int, ...]  # positions of its runs in the log, by repetition and instance


@contextlib.contextmanager
def new_folder(
    folder: Path, overwrite: bool, find_other_entry: Callable[[Path], str | None]
) -> Iterator[Path]:
    """Create a temporary folder, and rename it to ``folder`` at the end; remove it after an error.

    Args:
        folder: Path of the folder. Missing parents are created.
        overwrite: Whether to replace an existing folder. After an error, it is unchanged.
        find_other_entry: See `check_folder_replaceable`.

    Yields:
        Path of the temporary folder.

    Raises:
        LogExistsError: `check_folder_replaceable` raised it.
        LogWriteError: An OSError occurs.
    """
    check_folder_replaceable(folder, overwrite, find_other_entry)
    temporary = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}.tmp")
    replaced = temporary.with_suffix(".old.tmp")
    try:
        temporary.mkdir(parents=True)
        yield temporary
        if folder.is_dir():
            folder.rename(replaced)
        try:
            temporary.rename(folder)
        except OSError:
            if replaced.is_dir():
                replaced.rename(folder)
            raise
    except OSError as error:
        raise LogWriteError(f"cannot write {str(folder)!r}: {error}") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    shutil.rmtree(replaced, ignore_errors=True)


def check_folder_replaceable(
    folder: Path, overwrite: bool, find_other_entry: Callable[[Path], str | None]
) -> None:
    """Check that a folder can be written: it does not exist, or it may be replaced.

    Args:
        folder: Path of the folder.
        overwrite: Whether it may be replaced if it is empty or was written by the same function.
        find_other_entry: Returns the name of an entry of a folder that the function did not write;
            None if it wrote all of them.

    Raises:
        LogExistsError: The folder exists, and ``overwrite`` is False; or it has another entry.
    """
    if not os.path.lexists(folder):
        return
    if not overwrite:
        raise LogExistsError(f"the folder {str(folder)!r} exists; overwrite=True replaces it")
    if folder.is_symlink() or not folder.is_dir():
        raise LogExistsError(f"{str(folder)!r} is no folder, and is not replaced")
    other_entry = find_other_entry(folder) if any(folder.iterdir()) else None
    if other_entry is not None:
        raise LogExistsError(
            f"the folder {str(folder)!r} is not replaced, because {other_entry!r} in it was not "
            "written by the same command; name another folder"
        )


def find_other_file(folder: Path, indices: str, patterns: Sequence[str]) -> str | None:
    """Return a file in a folder or its subfolders that no export of firsthit wrote, else None.

    Args:
        folder: The folder.
        indices: Pattern of the names of index files, which name firsthit if an export wrote them.
        patterns: Patterns of the names of all files that an export writes.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    has_index = any(path.match(indices) for path in files)
    for path in files:
        is_ours = has_index and not path.is_symlink() and any(map(path.match, patterns))
        if is_ours and path.match(indices):
            is_ours = b"firsthit" in path.read_bytes()
        if not is_ours:
            return path.relative_to(folder).as_posix()
    return None


def select_runs(log: Log) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Select the runs of a log that are exported: the last budget stage of each started run.

    Returns:
        Positions of the runs, ascending, and notes on what is not written as it is.

    Raises:
        LogWriteError: No run has an evaluation.
    """
    runs = log.runs
    by_stage = np.argsort(runs["stage"], kind="stable").tolist()
    columns = [runs[name].tolist() for name in _RUN_COLUMNS]
    latest = {tuple(column[row] for column in columns): row for row in by_stage}
    rows = np.array(sorted(latest.values()), dtype=np.int64)
    has_begun = runs["evaluations"][rows] > 0
    notes = []
    if len(rows) < len(runs):
        notes.append(
            f"{len(runs) - len(rows)} runs of earlier budget stages are replaced by later ones."
        )
    if not has_begun.all():
        notes.append(f"{int((~has_begun).sum())} runs without any evaluation are left out.")
    is_broken = np.isin(runs["status"][rows[has_begun]], ("failed", "timeout", "interrupted"))
    if is_broken.any():
        notes.append(
            f"{int(is_broken.sum())} runs failed, timed out or were interrupted: they are written "
            "with the evaluations they spent, as others."
        )
    if any(len(log.notes_of(row)) for row in rows[has_begun].tolist()):
        notes.append("parameters that algorithms noted are not written.")
    if not has_begun.any():
        raise LogWriteError("there is no run with an evaluation to be exported")
    return rows[has_begun], tuple(notes)


def group_by_folder(log: Log, rows: NDArray[np.int64]) -> dict[str, list[Group]]:
    """Group runs by algorithm and suite, each of which has a folder, and by function and dimension.

    Args:
        log: The log.
        rows: Positions of runs in the log.

    Returns:
        Groups of each folder, sorted by function and dimension. The folder's name is ``""`` if
        there is one algorithm on one suite.
    """
    runs = log.runs
    names = ("algorithm", "suite", "function", "dimension")
    cells: dict[tuple[str, str, int, int], list[int]] = {}
    titles: dict[tuple[str, int], str] = {}  # runs imported from COCO's data have no title
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
        used_names = set(folders.values())
        candidates = (folder_name, *(f"{folder_name}-{i}" for i in range(2, len(parts) + 2)))
        folders[algorithm, suite] = next(name for name in candidates if name not in used_names)
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
    """Convert a text to a file name that is valid on all systems.

    Characters other than letters, digits, ``.``, ``_``, ``+`` and ``-`` become ``-``; the name is
    cut after 80 characters.
    """
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", text).strip(".-")[:80] or "unnamed"


def quotable(text: str) -> str:
    """Replace straight quotes by curved ones, so that a text can be quoted in a file."""
    return text.replace("'", "’").replace('"', "”")


def _adjust_precisions(hits: Rows, suite: SuiteFacts) -> Floats:
    """Return precisions from which a reader computes the targets in the log, shape ``(n,)``.

    A log compares ``value <= reference + target`` and a reader ``value - reference <= target``.
    Both round. If they differ, the precision is changed so that the reader gets the log's target.
    """
    targets = grid_of(suite.measurement.indicator)
    grid, target = targets.values, hits["target"]
    index = np.searchsorted(grid, target)
    has_harder = (index > 0) & (index < len(grid))
    harder = grid[np.where(has_harder, index - 1, 0)]
    # A reader counts a target as hit within the tolerance: stay clear of the next harder one.
    lower_limit = harder + 3 * GRID_TOLERANCE * np.abs(harder)
    precision: Floats = np.minimum(hits["precision"], target)
    return np.where(has_harder, np.maximum(precision, lower_limit), precision)


@dataclass(frozen=True, slots=True, eq=False)
class RunToWrite:
    """The data of one run that are written. Attributes after the first three: see `RunRecord`."""

    problem: ProblemId
    precisions: Floats  # precisions of ``hits`` as they are written
    no_value: float  # number that the format writes before the first finite value
    reference_value: float
    evaluations: int
    evaluations_constraints: int
    record: Record
    archive_kept: ArchiveKept
    hits: Rows
    trajectory: Rows
    restarts: Rows
    recommendations: Rows
    archive: Rows


_NUMBERS = ("reference_value", "evaluations", "evaluations_constraints", "record", "archive_kept")
_ROWS = ("hits", "trajectory", "restarts", "recommendations", "archive")


def prepare_run(log: Log, row: int, no_value: float) -> RunToWrite:
    """Prepare one run of a log for writing.

    Args:
        log: The log.
        row: Position of the run in the log.
        no_value: Number that the format writes before the first finite value.
    """
    problem = problem_of(log, row)
    numbers: dict[str, Any] = {name: log.runs[name][row].item() for name in _NUMBERS}
    rows: dict[str, Any] = {name: getattr(log, name)(row) for name in _ROWS}
    precisions = _adjust_precisions(rows["hits"], log.suites[problem.suite])
    return RunToWrite(problem, precisions, no_value, **numbers, **rows)


def prepare_record(record: RunRecord, no_value: float) -> RunToWrite:
    """Prepare the record of a finished run for writing.

    Args:
        record: Record of the run.
        no_value: Number that the format writes before the first finite value.
    """
    fields: dict[str, Any] = {name: getattr(record, name) for name in (*_NUMBERS, *_ROWS)}
    precisions = _adjust_precisions(record.hits, record.suite)
    return RunToWrite(record.identity.problem, precisions, no_value, **fields)


def compute_points(run: RunToWrite, counts: Sequence[int]) -> list[Point]:
    """Return the best precision so far of a run at some counts of evaluations.

    Args:
        run: The run.
        counts: Counts of evaluations, >= 0, ascending.

    Returns:
        A point for each count, from the hits and the trajectory up to it.
    """
    if not counts:
        return []
    hits, trajectory = run.hits, run.trajectory
    n_hits, n_trajectory = (
        np.searchsorted(rows["evaluation"], counts, "right") for rows in (hits, trajectory)
    )
    of_hits = _prepend(run.no_value, run.precisions)[n_hits]
    of_trajectory = _prepend(np.inf, trajectory["precision"])[n_trajectory]
    is_better = of_trajectory < _prepend(np.inf, hits["precision"])[n_hits]
    best = np.where(is_better, np.minimum(of_hits, of_trajectory), of_hits)
    constraints = np.maximum(
        _prepend(0, hits["constraints"])[n_hits],
        _prepend(0, trajectory["constraints"])[n_trajectory],
    )
    constraints[np.equal(counts, run.evaluations)] = run.evaluations_constraints
    return list(zip(counts, constraints.tolist(), best.tolist(), strict=True))


def _prepend(first: float, values: Floats) -> Floats:
    # np.append takes four times as long
    return np.concatenate(([first], values))

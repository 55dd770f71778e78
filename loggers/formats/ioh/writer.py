"""Write the runs of a log as IOHprofiler's data.

Each function of a suite has an index file in JSON. Each dimension of a function, a scenario, has a
data file with a block of lines for each run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...log.log import Log
from ...records.writer_version import version_number
from ..export import (
    Group,
    Point,
    compute_points,
    file_name,
    find_other_file,
    group_by_folder,
    new_folder,
    prepare_run,
    select_runs,
)
from .index_files import CONSTRAINTS, SECONDS

_FORMAT_VERSION = "0.3.22"
"""Version of IOHexperimenter whose format is written. Readers recognize the format by it."""
_MAX_NUMBER = 2**16 - 1
"""Largest number of a function, dimension or instance that iohinspector reads."""
_RUN_COLUMNS = (
    "instance", "evaluations", "repetition", "seed", "status", "wall_seconds", "record",
    "evaluations_constraints", "reference_value",
)  # fmt: skip
_NOT_WRITTEN = ("restarts", "recommendations", "archive")
_find_other_file = partial(
    find_other_file, indices="IOHprofiler*.json", patterns=("IOHprofiler*.json", "*.dat")
)
"""Return a file in a folder that `write_ioh` did not write; None if there is none."""


def write_ioh(
    log: Log, folder: str | os.PathLike[str], *, overwrite: bool = False
) -> tuple[str, ...]:
    """Export all runs of a log as IOHprofiler's data, for IOHanalyzer and ``iohinspector``.

    The column ``raw_y`` has the best precision so far with all digits, or the best value if there
    is no reference value. On ``pbo`` it has raw values, which are maximized. Before the first
    finite value it has the largest float. There is a line for each hit or improvement in the log,
    for scheduled counts if not all improvements are recorded, and for the last evaluation. Further
    columns have the evaluations of the constraints if there are any, and seconds if all runs have
    them. If points were recorded, the columns ``x0``, ``x1``, … have the point of the evaluation of
    each line, or ``nan`` if it was not recorded. Other values that firsthit needs to read the runs
    back are attributes of the runs.

    Args:
        log: The log.
        folder: Path of the folder. With several algorithms or suites it has a folder for each.
        overwrite: Whether to replace an existing folder that is empty or contains only the files of
            such an export. Default: False.

    Returns:
        Notes on what could not be written, or is changed.

    Raises:
        LogExistsError: The folder exists and is not replaced.
        LogWriteError: The folder cannot be written, or no run has an evaluation.

    Example:
        >>> import os
        >>> import firsthit
        >>> from firsthit.loggers import write_ioh
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> notes = write_ioh(results.log, "as-ioh")
        >>> sorted(os.listdir("as-ioh"))
        ['IOHprofiler_f1_Sphere.json', 'data_f1_Sphere']
    """
    rows, notes = select_runs(log)
    columns = ("function", "dimension", "instance")
    if any(int(log.runs[name][rows].max()) > _MAX_NUMBER for name in columns):
        notes += (f"numbers above {_MAX_NUMBER} are written, but iohinspector does not read them.",)
    lost = [name for name in _NOT_WRITTEN if log.entries(name)[rows].any()]
    if lost:
        notes += (f"IOHprofiler's data have no place for {', '.join(lost)}: not written.",)
    if any(log.entries(name)[rows].any() for name in ("evaluations", "hit_solutions")):
        notes += (
            "the columns x0, x1, … are the points of the evaluations in the data files, nan if "
            "they were not recorded; other recorded points are not written.",
        )
    is_timed = np.isfinite(log.seconds(rows))
    if is_timed.any() and not is_timed.all():
        notes += ("seconds are written of the functions whose runs all have them.",)
    with new_folder(Path(folder), overwrite, _find_other_file) as temporary:
        for part, groups in group_by_folder(log, rows).items():
            _write_folder(log, temporary / part, groups)
    return notes


def _write_folder(log: Log, folder: Path, groups: list[Group]) -> None:
    """Write the index and data files of one algorithm on one suite."""
    functions: dict[tuple[int, str], list[Group]] = {}
    for group in groups:
        functions.setdefault((group.function, group.name), []).append(group)
    for (function, name), function_groups in functions.items():
        function_name = file_name(name) if name else f"f{function}"
        first = function_groups[0]
        has_reference = np.isfinite(log.runs["reference_value"][list(first.rows)]).all()
        version = version_number()
        columns = ["evaluations", "raw_y"]
        if any(
            log.runs["evaluations_constraints"][list(group.rows)].any() for group in function_groups
        ):
            columns.append(CONSTRAINTS)
        if all(np.isfinite(log.seconds(list(group.rows))).all() for group in function_groups):
            columns.append(SECONDS)
        is_maximized = first.suite == "pbo"
        index = {
            "version": _FORMAT_VERSION,
            "suite": "PBO" if is_maximized else first.suite,
            "function_id": function,
            "function_name": function_name,
            "maximization": is_maximized,
            "algorithm": {"name": first.algorithm, "info": f"exported by firsthit {version}"},
            "attributes": columns,
            "firsthit": {
                "version": version,
                "raw_y": "precision" if has_reference and not is_maximized else "value",
            },
            "scenarios": [
                _write_scenario(log, folder, group, function_name, columns)
                for group in function_groups
            ],
        }
        text = json.dumps(index, indent=1, allow_nan=False)
        (folder / f"IOHprofiler_f{function}_{function_name}.json").write_text(
            text, encoding="utf-8"
        )


def _write_scenario(
    log: Log, folder: Path, group: Group, name: str, columns: list[str]
) -> dict[str, Any]:
    """Write the data file of a group; return its scenario in the index."""
    path = f"data_f{group.function}_{name}/IOHprofiler_f{group.function}_DIM{group.dimension}.dat"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    blocks, runs = [], []
    has_points = any(len(log.points(row).X) for row in group.rows)
    position_names = [f"x{i}" for i in range(group.dimension)] if has_points else []
    for row in group.rows:
        points = list(_list_points(log, row, SECONDS in columns))
        if group.suite == "pbo":
            reference = float(log.runs["reference_value"][row])
            points = [
                (evaluation, constraints, _compute_raw_value(precision, reference))
                for evaluation, constraints, precision in points
            ]
        lines = [[repr(evaluation), repr(value)] for evaluation, _, value in points]
        if CONSTRAINTS in columns:
            lines = [[*line, repr(point[1])] for line, point in zip(lines, points, strict=True)]
        if SECONDS in columns:
            times = _find_seconds(log, row, [evaluation for evaluation, _, _ in points])
            lines = [[*line, repr(time)] for line, time in zip(lines, times, strict=True)]
        if has_points:
            positions = _find_positions(log, row, [evaluation for evaluation, _, _ in points])
            lines = [[*line, *map(repr, x)] for line, x in zip(lines, positions, strict=True)]
        header = [*columns, *position_names]
        blocks.append("\n".join(map(" ".join, [header, *lines])) + "\n")
        best = max if group.suite == "pbo" else min
        runs.append(_describe_run(log, row, best(points, key=lambda point: point[2])))
    (folder / path).write_text("".join(blocks), encoding="ascii")
    return {"dimension": group.dimension, "path": path, "runs": runs}


def _find_seconds(log: Log, row: int, counts: list[int]) -> list[float]:
    """Return the seconds of a run at some counts of evaluations: of hits, else of the trajectory.

    Seconds of the trajectory are limited by those of the neighbouring hits, so that seconds never
    decrease: a log may store them before or after those of hits at almost the same time.
    """
    hits, trajectory = log.hits(row)["evaluation"], log.trajectory(row)["evaluation"]
    hit_seconds = log.hit_seconds(row)
    trajectory_seconds = np.append(0.0, log.trajectory_seconds(row))
    n_hits, n_trajectory = (np.searchsorted(rows, counts, "right") for rows in (hits, trajectory))
    lower, upper = np.append(0.0, hit_seconds)[n_hits], np.append(hit_seconds, np.inf)[n_hits]
    between = np.clip(trajectory_seconds[n_trajectory], lower, upper)
    seconds: list[float] = np.where(np.isin(counts, hits), lower, between).tolist()
    return seconds


def _find_positions(log: Log, row: int, counts: list[int]) -> list[list[float]]:
    """Return the recorded points of a run at evaluations; NaN where no point was recorded."""
    points = log.points(row)
    numbers = np.asarray(counts)
    positions = np.full((len(numbers), int(log.runs["dimension"][row])), np.nan)
    if len(points.X):
        rows = np.searchsorted(points.evaluations, numbers, side="right") - 1
        is_recorded = (rows >= 0) & (points.evaluations[rows] == numbers)
        positions[is_recorded] = points.X[rows[is_recorded]]
    return positions.tolist()


def _list_points(log: Log, row: int, with_trajectory: bool) -> Iterator[Point]:
    """Yield the points of a run from the first evaluation to the last.

    Args:
        log: The log.
        row: Position of the run in the log.
        with_trajectory: Whether to include all scheduled counts, which have seconds. They are
            always included if not all improvements are recorded.
    """
    run = prepare_run(log, row, sys.float_info.max)
    counts = {1, *run.hits["evaluation"].tolist(), run.evaluations}
    if with_trajectory or run.record != "improvements":
        counts.update(run.trajectory["evaluation"].tolist())
    constraints_of_hit = dict(
        zip(run.hits["evaluation"].tolist(), run.hits["constraints"].tolist(), strict=True)
    )
    for count, constraints, best in compute_points(run, sorted(counts)):
        # `compute_points` counts all evaluations of the constraints at the run's last evaluation.
        yield count, constraints_of_hit.get(count, constraints), best


def _compute_raw_value(precision: float, reference: float) -> float:
    """Return the raw value of PBO from which a reader computes a precision, equal to the bit."""
    if np.isnan(reference) or precision == sys.float_info.max:
        return 0.0 - precision
    value = reference + precision
    candidates = (value, np.nextafter(value, np.inf), np.nextafter(value, -np.inf))
    return 0.0 - float(next((y for y in candidates if y - reference == precision), value))


def _describe_run(log: Log, row: int, first_best: Point) -> dict[str, Any]:
    """Return a run of the index; ``first_best``: first point with the best value."""
    numbers = {name: log.runs[name][row] for name in _RUN_COLUMNS}
    evaluation, _, best = first_best
    run = {
        "instance": int(numbers["instance"]),
        "evals": int(numbers["evaluations"]),
        "best": {"evals": evaluation, "y": best, "x": log.best_solution(row).tolist()},
        "repetition": int(numbers["repetition"]),
        "seed": int(numbers["seed"]),
        "status": str(numbers["status"]),
        "wall_seconds": float(numbers["wall_seconds"]),
        "record": str(numbers["record"]),
        CONSTRAINTS: int(numbers["evaluations_constraints"]),
    }
    seconds = float(log.seconds([row])[0])
    if np.isfinite(seconds):
        run[SECONDS] = seconds
    if host := str(log.hosts([row])[0]):
        run["host"] = host
    if np.isfinite(numbers["reference_value"]):
        run["reference_value"] = float(numbers["reference_value"])
    return run

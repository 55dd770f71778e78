"""Writes the runs of a log as IOHprofiler's data: an index in JSON and a .dat for each scenario."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...log.log import Log
from ...records.log_header import version_of
from ..export import (
    Group,
    Point,
    best_at,
    file_name,
    groups_by_folder,
    new_folder,
    run_to_write,
    runs_to_write,
)
from .index_files import CONSTRAINTS, SECONDS

_FORMAT_VERSION = "0.3.22"
"""The IOHexperimenter whose format is written; readers tell formats apart by it."""
_LARGEST = 2**16 - 1
_FACTS = (
    "instance", "evaluations", "repetition", "seed", "status", "wall_seconds", "record",
    "evaluations_constraints", "reference_value",
)  # fmt: skip
_NOT_WRITTEN = ("restarts", "recommendations", "archive")


def write_ioh(log: Log, folder: Path) -> tuple[str, ...]:
    """Write all runs as IOHprofiler's data, as IOHanalyzer and ``iohinspector`` read them.

    The column ``raw_y`` holds the best precision so far (the best value, where there is no
    reference value) in full, at every hit or improvement that the log holds, at scheduled counts
    where not all improvements are recorded, and at the last evaluation; the largest float stands
    before the first finite value. On ``pbo`` it holds raw values, to be maximised. Where
    constraints were evaluated, a column says how often; where all runs have seconds, another says
    when. What IOHprofiler has no place for but
    reading back needs (what was recorded, the reference value) are attributes of the run.

    Args:
        log: The runs.
        folder: A new folder; with several algorithms or suites, one folder in it for each.

    Returns:
        Sentences on what could not be written as it is.

    Raises:
        LogExistsError: The folder exists.
        LogWriteError: It cannot be written.
    """
    rows, notes = runs_to_write(log)
    columns = ("function", "dimension", "instance")
    if any(int(log.runs[name][rows].max()) > _LARGEST for name in columns):
        notes += (f"numbers above {_LARGEST} are written, but iohinspector does not read them.",)
    lost = [name for name in _NOT_WRITTEN if log.entries(name)[rows].any()]
    if lost:
        notes += (f"IOHprofiler's data have no place for {', '.join(lost)}: not written.",)
    timed = np.isfinite(log.seconds(rows))
    if timed.any() and not timed.all():
        notes += ("seconds are written of the functions whose runs all have them.",)
    with new_folder(folder) as temporary:
        for part, groups in groups_by_folder(log, rows).items():
            _write_part(log, temporary / part, groups)
    return notes


def _write_part(log: Log, folder: Path, groups: list[Group]) -> None:
    functions: dict[tuple[int, str], list[Group]] = {}
    for group in groups:
        functions.setdefault((group.function, group.name), []).append(group)
    for (function, name), function_groups in functions.items():
        function_name = file_name(name) if name else f"f{function}"
        first = function_groups[0]
        known = np.isfinite(log.runs["reference_value"][list(first.rows)]).all()
        version = version_of("firsthit")
        columns = ["evaluations", "raw_y"]
        if any(
            log.runs["evaluations_constraints"][list(group.rows)].any() for group in function_groups
        ):
            columns.append(CONSTRAINTS)
        if all(np.isfinite(log.seconds(list(group.rows))).all() for group in function_groups):
            columns.append(SECONDS)
        maximized = first.suite == "pbo"
        index = {
            "version": _FORMAT_VERSION,
            "suite": "PBO" if maximized else first.suite,
            "function_id": function,
            "function_name": function_name,
            "maximization": maximized,
            "algorithm": {"name": first.algorithm, "info": f"exported by firsthit {version}"},
            "attributes": columns,
            "firsthit": {
                "version": version,
                "raw_y": "precision" if known and not maximized else "value",
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
    path = f"data_f{group.function}_{name}/IOHprofiler_f{group.function}_DIM{group.dimension}.dat"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    blocks, runs = [], []
    for row in group.rows:
        points = list(_points(log, row, SECONDS in columns))
        if group.suite == "pbo":
            reference = float(log.runs["reference_value"][row])
            points = [(at, constraints, _raw(y, reference)) for at, constraints, y in points]
        lines = [[repr(at), repr(y)] for at, _, y in points]
        if CONSTRAINTS in columns:
            lines = [[*line, repr(point[1])] for line, point in zip(lines, points, strict=True)]
        if SECONDS in columns:
            times = _seconds_at(log, row, [at for at, _, _ in points])
            lines = [[*line, repr(time)] for line, time in zip(lines, times, strict=True)]
        blocks.append("\n".join(map(" ".join, [columns, *lines])) + "\n")
        best = max if group.suite == "pbo" else min
        runs.append(_run(log, row, points, best(points, key=lambda point: point[2])))
    (folder / path).write_text("".join(blocks), encoding="ascii")
    return {"dimension": group.dimension, "path": path, "runs": runs}


def _seconds_at(log: Log, row: int, counts: list[int]) -> list[float]:
    """Of a run that has them: those of its hits, and of its trajectory in between.

    A log takes the second of a scheduled count before or after that of the hits beside it. Here it
    lies between theirs, so that seconds never fall.
    """
    hits, path = log.hits(row)["evaluation"], log.trajectory(row)["evaluation"]
    at_hits, on_path = log.hit_seconds(row), np.append(0.0, log.trajectory_seconds(row))
    hit, seen = (np.searchsorted(rows, counts, "right") for rows in (hits, path))
    least, most = np.append(0.0, at_hits)[hit], np.append(at_hits, np.inf)[hit]
    is_hit = np.isin(counts, hits)
    found: list[float] = np.where(is_hit, least, np.clip(on_path[seen], least, most)).tolist()
    return found


def _points(log: Log, row: int, timed: bool) -> Iterator[Point]:
    """From the first evaluation to the last; the largest float before the first finite value.

    With ``timed`` at all counts that have seconds.
    """
    run = run_to_write(log, row, sys.float_info.max)
    counts = {1, *run.hits["evaluation"].tolist(), run.evaluations}
    if timed or run.record != "improvements":
        counts.update(run.trajectory["evaluation"].tolist())
    at_hits = dict(
        zip(run.hits["evaluation"].tolist(), run.hits["constraints"].tolist(), strict=True)
    )
    for count, constraints, best in best_at(run, sorted(counts)):
        yield count, at_hits.get(count, constraints), best  # the last one may count later ones


def _raw(precision: float, reference: float) -> float:
    """The raw value of PBO, of which a reader finds this precision, to the bit."""
    if np.isnan(reference) or precision == sys.float_info.max:
        return 0.0 - precision
    value = reference + precision
    near = (value, np.nextafter(value, np.inf), np.nextafter(value, -np.inf))
    return 0.0 - float(next((y for y in near if y - reference == precision), value))


def _run(log: Log, row: int, points: list[Point], first_best: Point) -> dict[str, Any]:
    facts = {name: log.runs[name][row] for name in _FACTS}
    at, _, best = first_best
    run = {
        "instance": int(facts["instance"]),
        "evals": int(facts["evaluations"]),
        "best": {"evals": at, "y": best, "x": log.best_solution(row).tolist()},
        "repetition": int(facts["repetition"]),
        "seed": int(facts["seed"]),
        "status": str(facts["status"]),
        "wall_seconds": float(facts["wall_seconds"]),
        "record": str(facts["record"]),
        CONSTRAINTS: int(facts["evaluations_constraints"]),
    }
    seconds = float(log.seconds([row])[0])
    if np.isfinite(seconds):
        run[SECONDS] = seconds
    if host := str(log.hosts([row])[0]):
        run["host"] = host
    if np.isfinite(facts["reference_value"]):
        run["reference_value"] = float(facts["reference_value"])
    return run

"""Writes the runs of a log as IOHprofiler's data: an index in JSON and a .dat for each scenario."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from ...log.log import Log
from ...records.log_header import version_of
from ..export import (
    Group,
    file_name,
    groups_by_folder,
    new_folder,
    runs_to_write,
    written_precisions,
)

_FORMAT_VERSION = "0.3.22"
"""The IOHexperimenter whose format is written; readers tell formats apart by it."""
_LARGEST = 2**16 - 1


def write_ioh(log: Log, folder: Path) -> tuple[str, ...]:
    """Write all runs as IOHprofiler's data, as IOHanalyzer and ``iohinspector`` read them.

    The column ``raw_y`` holds the best precision so far (the best value, where there is no
    reference value) in full, at every hit or improvement that the log holds and at the last
    evaluation.

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
    with new_folder(folder) as temporary:
        for part, groups in groups_by_folder(log, rows).items():
            _write_part(log, temporary / part, groups)
    return notes


def _write_part(log: Log, folder: Path, groups: list[Group]) -> None:
    functions: dict[tuple[int, str], list[Group]] = {}
    for group in groups:
        functions.setdefault((group.function, group.name), []).append(group)
    for (function, name), groups_of in functions.items():
        shown = file_name(name) if name else f"f{function}"
        first = groups_of[0]
        known = np.isfinite(log.runs["reference_value"][list(first.rows)]).all()
        version = version_of("firsthit")
        index = {
            "version": _FORMAT_VERSION,
            "suite": first.suite,
            "function_id": function,
            "function_name": shown,
            "maximization": False,
            "algorithm": {"name": first.algorithm, "info": f"exported by firsthit {version}"},
            "attributes": ["evaluations", "raw_y"],
            "firsthit": {"version": version, "raw_y": "precision" if known else "value"},
            "scenarios": [_write_scenario(log, folder, group, shown) for group in groups_of],
        }
        text = json.dumps(index, indent=1, allow_nan=False)
        (folder / f"IOHprofiler_f{function}_{shown}.json").write_text(text, encoding="utf-8")


def _write_scenario(log: Log, folder: Path, group: Group, name: str) -> dict[str, Any]:
    path = f"data_f{group.function}_{name}/IOHprofiler_f{group.function}_DIM{group.dimension}.dat"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    blocks, runs = [], []
    for row in group.rows:
        evaluations, values = _points(log, row)
        lines = (f"{at} {y!r}\n" for at, y in zip(evaluations, values, strict=True))
        blocks.append("evaluations raw_y\n" + "".join(lines))
        runs.append(_run(log, row, evaluations, values))
    (folder / path).write_text("".join(blocks), encoding="ascii")
    return {"dimension": group.dimension, "path": path, "runs": runs}


def _points(log: Log, row: int) -> tuple[list[int], list[float]]:
    """Evaluations from the first to the last, and the best so far; largest float for none."""
    hits = log.hits(row)
    evaluations, values = hits["evaluation"].tolist(), written_precisions(hits).tolist()
    if not evaluations or evaluations[0] > 1:
        evaluations, values = [1, *evaluations], [sys.float_info.max, *values]
    spent = int(log.runs["evaluations"][row])
    if evaluations[-1] < spent:
        best = float(log.runs["best_precision"][row])
        evaluations.append(spent)
        values.append(min(best, values[-1]) if np.isfinite(best) else values[-1])
    return evaluations, values


def _run(log: Log, row: int, evaluations: list[int], values: list[float]) -> dict[str, Any]:
    runs = log.runs
    best = values.index(min(values))
    return {
        "instance": int(runs["instance"][row]),
        "evals": int(runs["evaluations"][row]),
        "best": {
            "evals": evaluations[best],
            "y": values[best],
            "x": log.best_solution(row).tolist(),
        },
        "repetition": int(runs["repetition"][row]),
        "seed": int(runs["seed"][row]),
        "status": str(runs["status"][row]),
        "wall_seconds": float(runs["wall_seconds"][row]),
    }

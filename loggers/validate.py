"""Checks a table against itself: positions in range, evaluations ascending, checksums right."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .record import RECORDS, STATUSES
from .table import LogTable, Ragged

_EVALUATIONS = ("hits", "trajectory")


def check_table(table: LogTable) -> None:
    """Check everything that can be checked without the file.

    Raises:
        ValueError: Something is inconsistent; the text says what.
    """
    _check_runs(table)
    for name, ragged in table.ragged.items():
        _check_offsets(name, ragged, len(table))
    for name in _EVALUATIONS:
        _check_evaluations(name, table)
    _check_dimensions(table)
    wrong = np.flatnonzero(table.checksums() != table.runs["crc32"])
    if len(wrong):
        raise ValueError(f"checksum of run {wrong[0]} is wrong, {len(wrong)} in all")


def _check_runs(table: LogTable) -> None:
    runs = table.runs
    for column, bound in (
        ("header", len(table.headers)),
        ("algorithm", len(table.algorithms)),
        ("function_row", len(table.functions)),
        ("message", len(table.messages)),
        ("status", len(STATUSES)),
        ("record", len(RECORDS)),
    ):
        _require(np.all(runs[column] < bound), f"runs.{column} points beyond what there is")
    _require(np.all(runs["dimension"] > 0), "runs.dimension is 0")
    _require(np.all(runs["evaluations"] >= 0), "runs.evaluations is negative")
    _require(np.all(runs["budget"] >= -1), "runs.budget is negative")


def _check_offsets(name: str, ragged: Ragged, runs: int) -> None:
    offset = ragged.offset
    lengths = {len(column) for column in ragged.columns.values()}
    _require(len(offset) == runs + 1 and offset[0] == 0, f"{name}/offset does not fit the runs")
    _require(np.all(offset[1:] >= offset[:-1]), f"{name}/offset descends")
    _require(lengths == {int(offset[-1])}, f"columns of {name} have wrong lengths")


def _check_evaluations(name: str, table: LogTable) -> None:
    """Evaluations ascend within a run, from 1 to the evaluations spent."""
    ragged = table.ragged[name]
    run = np.repeat(np.arange(len(table)), ragged.lengths)
    evaluation: NDArray[Any] = ragged.columns["evaluation"]
    inside = (evaluation >= 1) & (evaluation <= table.runs["evaluations"][run])
    _require(np.all(inside), f"{name}/evaluation is out of range")
    same = run[1:] == run[:-1]
    _require(np.all(np.diff(evaluation)[same] > 0), f"{name}/evaluation does not ascend")
    if "target" in ragged.columns:
        target = ragged.columns["target"]
        _require(np.all((target[1:] <= target[:-1])[same]), f"{name}/target ascends")


def _check_dimensions(table: LogTable) -> None:
    """Solutions have as many numbers as there are variables."""
    dimension = table.runs["dimension"].astype(np.int64)
    best = table.ragged["best_solution"].lengths
    _require(
        np.all((best == 0) | (best == dimension)), "best_solution/x does not fit the dimension"
    )
    solutions = table.ragged["recommended_solutions"].lengths
    fits = solutions == table.ragged["recommendations"].lengths * dimension
    _require(np.all(fits), "recommended_solutions/x does not fit the dimension")


def _require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)

"""Convergence curves of runs, as far as a log tells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..statistics.quantiles import Floats
from ..targets.budgets import unit_of
from .counting import at_entries, axis_of, check_count
from .grouping import CellRuns, by_cell
from .notes import basis
from .selection import refuse_mixed

if TYPE_CHECKING:
    from ...loggers import Log


@dataclass(frozen=True, eq=False, kw_only=True)
class RunCurves(CellRuns):
    """The runs of one algorithm on one function in one dimension, with their convergence curves.

    Attributes (besides those of `CellRuns`):
        curves: Of each run: budgets, in the unit asked for, where the best precision that the log
            tells falls, and that precision from there on.
        has_all: Of how many runs the log tells every improvement.
        has_reference: Whether there are reference values; else precisions are indicator values.
    """

    curves: tuple[tuple[Floats, Floats], ...]
    has_all: int
    has_reference: bool


def run_curves(
    log: Log, rows: NDArray[np.intp], axis: str, count: str = "f+g"
) -> Iterator[RunCurves]:
    """Convergence curves of rows of the log, by algorithm, suite, dimension and function.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``.
        axis: Unit of budgets, ``"evaluations/dimension"`` or ``"evaluations"``.
        count: What an evaluation is; see `RunSet`.

    Raises:
        UnknownNameError: ``count`` is none of the three.
        AssessmentError: The runs belong to two versions of a suite.
    """
    axis = axis_of(axis, count)
    refuse_mixed(log, rows)
    check_count(log, rows, count)
    runs = log.runs
    unknown = np.isnan(runs["reference_value"])
    every = (runs["record"] == "improvements") | ((runs["record"] == "targets") & unknown)
    for places, facts in by_cell(log, rows, count):
        mine = rows[places]
        unit = unit_of(axis, int(runs["dimension"][mine[0]]))
        curves = (_curve(log, row, count) for row in mine.tolist())
        yield RunCurves(
            **facts,
            curves=tuple((evaluations / unit, precision) for evaluations, precision in curves),
            has_all=int(every[mine].sum()),
            has_reference=not unknown[mine].any(),
        )


def notes_on_curves(data: Sequence[RunCurves]) -> tuple[str, ...]:
    """Sentences on curves that may lie too high, on missing references, and on what runs weigh."""
    runs, complete = sum(len(cell.curves) for cell in data), sum(cell.has_all for cell in data)
    notes = []
    if complete < runs:
        notes.append(
            f"{runs - complete} of {runs} runs may have been better in between: their logs hold "
            "first hits of targets, not every improvement (record: improvements)."
        )
    if not all(cell.has_reference for cell in data):
        notes.append("without a reference value, precisions are indicator values.")
    return (*notes, *basis(data, "every run weighs the same, after its end with its last value"))


def _curve(log: Log, row: int, count: str) -> tuple[Floats, Floats]:
    """Evaluations at which the best known precision of a run falls, and the precision there."""
    tables = [log.hits(row), log.trajectory(row)]
    evaluation = np.concatenate(at_entries(log, row, count))
    precision = np.concatenate([table["precision"] for table in tables])
    order = np.lexsort((precision, evaluation))
    evaluation, precision = evaluation[order], precision[order]
    before = np.concatenate([[np.inf], np.minimum.accumulate(precision)[:-1]])
    falls = precision < before
    return evaluation[falls], precision[falls]

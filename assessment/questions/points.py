"""List the points that runs recorded, with their values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AssessmentError
from ..grouping import CellRuns
from ..samples.convention import Convention
from ..samples.sample import Answer, Sample
from ..tables.table import Table, Value, stacked
from ._framework.needs import runs_alone
from ._framework.question import question

_RUN_COLUMNS = ("algorithm", "suite", "function", "dimension", "instance", "repetition")
HOW_TO_RECORD = (
    "record_points in a campaign or of an Observer records them, and `firsthit rerun LOG -o FOLDER "
    "--record-points all` records those of finished runs"
)


@question(
    "Runs",
    60,
    needs=runs_alone,
    convention=Convention("every recorded point is a row"),
    counts=False,
    examples=(
        "points/1.h5 --functions 8 --dimensions 5",
        "points/1.h5 --functions 8 --dimensions 5 --format csv",
    ),
)
def points(sample: Sample[CellRuns]) -> Table:
    """List the points that runs recorded, with their values.

    A log contains points only if they were recorded. A campaign records them with the line
    'record_points: all', an Observer with the argument record_points="all". `firsthit rerun`
    repeats finished runs and records their points. All runs of the table must have the same
    dimension, because each variable is a column.

    Returns:
        One row for each point, ordered by run and evaluation. ``algorithm``, ``suite``,
        ``function``, ``dimension``, ``instance`` and ``repetition`` identify the run. ``start`` is
        the number of the start, 0 for the first. ``evaluation`` is the number of the evaluation.
        ``value`` is the value that the algorithm received; of points of hits it is the reference
        value plus the precision. With two objectives, ``value`` is that of the first, and
        ``second_value`` is that of the second; NaN if the archive lacks them. ``x1``, ``x2``, …
        are the variables.

    Raises:
        AssessmentError: The runs have several dimensions, or no points were recorded.
    """
    log, rows = sample.log, sample.rows
    dimensions = np.unique(log.runs["dimension"][rows]).tolist()
    if len(dimensions) > 1:
        raise AssessmentError(
            f"points: a table has one dimension; these runs have {', '.join(map(str, dimensions))}"
        )
    points_of_runs = [log.points(row) for row in rows.tolist()]
    n_without = sum(not len(run_points.X) for run_points in points_of_runs)
    if n_without == len(rows):
        raise AssessmentError(f"no points were recorded in these runs; {HOW_TO_RECORD}")
    has_second_values = any(run_points.y.ndim == 2 for run_points in points_of_runs)
    blocks: list[list[Value | NDArray[Any]]] = []
    for row, run_points in zip(rows.tolist(), points_of_runs, strict=True):
        n_points = len(run_points.X)
        if not n_points:
            continue
        values = run_points.y
        if values.ndim == 1:
            values = np.column_stack([values, np.full(n_points, np.nan)])
        # A restart is made after its number of evaluations.
        starts = np.searchsorted(log.restarts(row)["evaluation"], run_points.evaluations)
        run_key: list[Value] = [log.runs[column][row].item() for column in _RUN_COLUMNS]
        value_columns = values.T if has_second_values else values.T[:1]
        blocks.append([*run_key, starts, run_points.evaluations, *value_columns, *run_points.X.T])
    variables = [f"x{number}" for number in range(1, dimensions[0] + 1)]
    value_names = ("value", "second_value") if has_second_values else ("value",)
    names = (*_RUN_COLUMNS, "start", "evaluation", *value_names, *variables)
    notes = (f"{n_without} of {len(rows)} runs recorded no points.",) if n_without else ()
    return Table(stacked(names, blocks), notes)


@points.caveat()
def points_beyond_the_maximum_size(sample: Sample[CellRuns], answer: Answer) -> Iterable[str]:
    """Yield a note on the number of runs whose points reached ``max_point_bytes``."""
    last_evaluations = [
        last
        for row in sample.rows.tolist()
        if (last := sample.log.points(row).last_recorded) is not None
    ]
    if last_evaluations:
        yield (
            f"{len(last_evaluations)} of {len(sample.rows)} runs reached max_point_bytes and "
            f"recorded no points after an evaluation, the first after {min(last_evaluations)}."
        )

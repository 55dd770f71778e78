"""The recorded points of one run: all evaluated ones, or those of its hits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..records.dtypes import Rows
from ..records.points import POINT_LIMIT_NOTE

Floats = NDArray[np.float64]


class RunPoints(NamedTuple):
    """Recorded points of one run, in the order of their evaluations.

    Attributes:
        evaluations: Number of the evaluation of each point, from 1, shape ``(n,)``.
        X: The points, shape ``(n, dimension)``.
        y: Values that the algorithm received, shape ``(n,)``; with two objectives ``(n, 2)``. Of
            points of hits, the value of the indicator: reference value plus precision. With two
            objectives these are the values of the objectives, or NaN if the archive lacks them.
        last_recorded: Evaluation after which no further points were recorded, because they had
            reached the maximum size; None: they had not.
    """

    evaluations: NDArray[np.int64]
    X: Floats
    y: Floats
    last_recorded: int | None = None


def make_run_points(
    evaluated: Rows,
    evaluated_solutions: Floats,
    hits: Rows,
    hit_solutions: Floats,
    archive: Rows,
    notes: Rows,
    *,
    reference: float,
    has_ideal_point: bool,
) -> RunPoints:
    """Make the points of a run: of evaluations if it has them, else of hits.

    Args:
        evaluated: Rows of ``evaluations``.
        evaluated_solutions: Their points, shape ``(n, dimension)``.
        hits: Rows of ``hits``.
        hit_solutions: Points of the first of them, shape ``(n, dimension)``.
        archive: Rows of the archive of two objectives.
        notes: Rows of ``notes``.
        reference: Reference value of the precisions; NaN: there is none.
        has_ideal_point: Whether the log tells the ideal point, so that there are two objectives.
            Without it, archive and values tell the number of objectives.
    """
    has_two_objectives = (
        has_ideal_point or len(archive) > 0 or not np.isnan(evaluated["second_value"]).all()
    )
    limits = notes["evaluation"][notes["name"] == POINT_LIMIT_NOTE.encode()]
    last = int(limits[0]) if len(limits) else None
    if len(evaluated):
        values = np.array(evaluated["value"])
        if has_two_objectives:
            values = np.stack([values, evaluated["second_value"]], axis=1)
        return RunPoints(np.array(evaluated["evaluation"]), evaluated_solutions, values, last)
    numbers = np.array(hits["evaluation"][: len(hit_solutions)])
    if has_two_objectives:
        values = np.full((len(numbers), 2), np.nan)
        if len(archive):
            # Of several points of one evaluation, the last one is that of the hit.
            rows = np.searchsorted(archive["evaluation"], numbers, side="right") - 1
            is_in_archive = (rows >= 0) & (archive["evaluation"][rows] == numbers)
            columns = [archive[name][rows[is_in_archive]] for name in ("y1", "y2")]
            values[is_in_archive] = np.stack(columns, axis=1)
    else:
        origin = 0.0 if np.isnan(reference) else reference
        values = hits["precision"][: len(numbers)] + origin
    return RunPoints(numbers, hit_solutions, values, last)

"""Fronts of algorithms on single problems, as a table: what figures draw, and reference fronts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.fronts.archives import (
    Archives,
    Problem,
    RunArchive,
    at_budgets,
    end_budget,
    notes_on_archives,
)
from ...statistics.fronts.front import front_of
from ...tables.table import Table, Value, stacked

_NAMES = ("algorithm", "suite", "function", "dimension", "instance", "runs", "budget")
_COLUMNS = (*_NAMES, "y1", "y2", "scaled_1", "scaled_2")


def fronts_table(
    data: Sequence[Archives], budgets: tuple[float, ...] | None = None, axis: str = "evaluations"
) -> Table:
    """The nondominated points of all runs of an algorithm on a problem, together, within budgets.

    Columns: ``algorithm, suite, function, dimension, instance``; number of ``runs``; ``budget`` in
    the unit asked for; the values of the objectives ``y1`` and ``y2``; and ``scaled_1, scaled_2``,
    which are 0 at the ideal point and 1 at the nadir point.

    Args:
        data: Each algorithm, suite, dimension and function once.
        budgets: In the unit ``axis``; None: at the end of the longest run of each algorithm in each
            dimension.
        axis: ``"evaluations/dimension"`` or ``"evaluations"``.
    """
    blocks: list[list[Value | NDArray[Any]]] = []
    for one, wanted, evaluations in at_budgets(data, budgets, axis, end_budget):
        for problem, runs in _by_problem(one).items():
            head: list[Value] = [one.algorithm, *problem, len(runs)]
            of_runs = [run.fronts(evaluations) for run in runs]
            for place, budget in enumerate(wanted):
                front = front_of(np.concatenate([fronts[place] for fronts in of_runs]))
                scaled = runs[0].normalised(front)
                blocks.append([*head, float(budget), *front.T, *scaled.T])
    notes = notes_on_archives(data, "the points of all runs are taken together", budgets is None)
    return Table(stacked(_COLUMNS, blocks), notes)


def _by_problem(one: Archives) -> dict[Problem, list[RunArchive]]:
    found: dict[Problem, list[RunArchive]] = {}
    for place, run in enumerate(one.runs):
        found.setdefault(one.problem(place), []).append(run)
    return found

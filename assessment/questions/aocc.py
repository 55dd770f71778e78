"""Compute mean areas over convergence curves: one number for all budgets."""

from __future__ import annotations

import numpy as np

from ..caveats import Explanation
from ..errors import AssessmentError
from ..samples.areas import Areas
from ..samples.convention import Convention
from ..statistics.aocc import mean_over_problems
from ..tables.table import Table, Value, table_of
from ._framework.needs import areas
from ._framework.options import GroupBy, Level
from ._framework.question import question

_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "budget", "runs", "problems", "aocc", "most",
)  # fmt: skip
OF_PROBLEMS = Convention(
    "each problem (function, dimension, instance) counts once, with the mean of its runs"
)
"""The convention of tables over problems."""


@question(
    "Precision within budgets",
    50,
    needs=areas(),
    convention=OF_PROBLEMS,
    joins=True,
    examples=(
        "results/quickstart.h5 --budget 100*D",
        "results/quickstart.h5 --budget 100*D --interval 0.95",
    ),
    explains=[
        Explanation(
            "low, high",
            "low, high: 95 % interval for these functions; it covers other instances of them and "
            "other runs.",
            "The interval shows how much the mean area may vary with other instances and runs. It "
            "says nothing about other functions.",
            "Add instances for a shorter interval, because the variation between instances "
            "determines its length.",
            is_definition=True,
        ),
        Explanation(
            "low, high",
            "low, high: no interval; a function has a single run, so its variation is unknown.",
            "An interval needs at least two runs on each function, because one value shows no "
            "variation.",
            "Run at least two instances of each function, so that the variation can be estimated.",
        ),
    ],
)
def aocc(sample: Areas, *, group_by: GroupBy = "all", interval: Level | None = None) -> Table:
    """Compute the area over the convergence curve: one number for all budgets.

    The convergence curve is the best precision of a run so far, by evaluation. On a logarithmic
    scale, a precision of ``upper`` or more has the value 0, and a precision of ``lower`` or less
    has the value 1. AOCC is the mean of these values over the evaluations 1 … ``budget``. Larger is
    better. It is the number that firsthit.score returns, which counts evaluations of the objective
    alone. The area is exact if logs contain every improvement. Otherwise it lies between aocc and
    most.

    Args:
        group_by: Functions of one dimension that a row aggregates.
        interval: Confidence level between 0 and 1, e.g. 0.95: add the confidence interval of the
            area. None: no interval.

    Returns:
        One row for each ``algorithm``, ``suite``, ``dimension`` and ``group``. ``budget`` is in
        evaluations. ``runs`` and ``problems`` are numbers of these. ``aocc`` is the mean over
        problems of the mean over their runs. If an area lies between two bounds, the lower bound
        counts. ``most`` is the same mean of the upper bounds; it equals ``aocc`` if the logs
        contain every improvement. With ``interval``, ``low`` and ``high`` are the limits of the
        confidence interval of ``aocc``.

    Raises:
        AssessmentError: ``interval`` is no level, constraints were evaluated and ``count`` is not
            what the budgets of the runs count, or `run_areas` cannot compute the areas.
    """
    level = 0.95 if interval is None else interval
    if not 0 < level < 1:
        raise AssessmentError(f"interval level is {level}, must lie between 0 and 1")
    rows: list[list[Value]] = []
    notes: dict[str, None] = {}
    for group in sample.grouped(group_by):
        first = group[0]
        n_runs_of_cells = [len(cell.least) for cell in group]
        function_of_run = np.repeat(np.arange(len(group)), n_runs_of_cells)
        instance_of_run = np.concatenate([cell.instances for cell in group])
        _, problem_of_run = np.unique(
            np.stack([function_of_run, instance_of_run]), axis=1, return_inverse=True
        )
        lower_bounds = np.concatenate([cell.least for cell in group])
        upper_bounds = np.concatenate([cell.most for cell in group])
        (mean, low, high), note = mean_over_problems(
            lower_bounds, function_of_run, problem_of_run, level
        )
        n_runs = np.bincount(problem_of_run)  # of each problem
        upper_means = np.bincount(problem_of_run, weights=upper_bounds) / n_runs
        row: list[Value] = [
            *first.group_head(group_by),
            first.budget,
            len(problem_of_run),
            len(n_runs),
            float(mean),
            float(upper_means.mean()),
        ]
        if interval is not None:
            row += [low, high]
            notes[note] = None
        rows.append(row)
    names = _COLUMNS if interval is None else (*_COLUMNS, "low", "high")
    return Table(table_of(names, rows), tuple(notes))

"""Areas over convergence curves, as a table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...data.grouping import check_grouping, group_name, grouped
from ...data.run_areas import RunAreas, notes_on_areas
from ...statistics.anytime.aocc import PrecisionScale, mean_over_problems
from ...tables.table import Table, Value, table_of

_NAMES = ("algorithm", "suite", "dimension", "group", "budget", "runs", "problems", "aocc", "most")


def aocc_table(
    areas: Iterable[RunAreas], group_by: str, scale: PrecisionScale, level: float | None = None
) -> Table:
    """Mean area over the convergence curve (AOCC) of each algorithm, suite and dimension.

    Columns: ``algorithm, suite, dimension, group``; ``budget`` in evaluations; number of ``runs``
    and of ``problems``; ``aocc``, the mean over problems of the mean over their runs, as far as the
    log proves it; ``most``, what it can be at most: equal where the logs tell every improvement.
    With ``level``, ``low`` and ``high``, the confidence interval of ``aocc``.

    Args:
        areas: Each algorithm, suite, dimension and function once.
        group_by: ``"function"``, ``"group"`` or ``"all"``; never several dimensions.
        scale: By which the areas were made, for the note.
        level: Of the interval; None for none.

    Raises:
        AssessmentError: ``group_by`` is none of the three.
    """
    check_grouping(group_by)
    data = list(areas)
    rows: list[list[Value]] = []
    meanings: dict[str, None] = {}
    for group in grouped(data, group_by):
        one = group[0]
        function = np.repeat(np.arange(len(group)), [len(member.least) for member in group])
        instance = np.concatenate([member.instances for member in group])
        _, problem = np.unique(np.stack([function, instance]), axis=1, return_inverse=True)
        (aocc, *ends), meaning = mean_over_problems(
            np.concatenate([member.least for member in group]), function, problem, level or 0.95
        )
        most = np.bincount(problem, weights=np.concatenate([member.most for member in group]))
        size = np.bincount(problem)
        row: list[Value] = [one.algorithm, one.suite, one.dimension, group_name(one, group_by)]
        row += [one.budget, len(problem), len(size), float(aocc), float((most / size).mean())]
        rows.append([*row, *(ends if level is not None else ())])
        if level is not None:
            meanings[meaning] = None
    names = _NAMES if level is None else (*_NAMES, "low", "high")
    return Table(table_of(names, rows), (*notes_on_areas(data, scale), *meanings))

"""Areas over convergence curves: one number for all budgets."""

from __future__ import annotations

import numpy as np

from ..asking.declaration import question
from ..asking.options import Budget, GroupBy, Level, Precision
from ..data.grouping import check_grouping, grouped
from ..data.run_curves import notes_on_areas
from ..data.runs import Runs
from ..errors import AssessmentError
from ..statistics.aocc import PrecisionScale, mean_over_problems
from ..tables.table import Table, Value, table_of

_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "budget", "runs", "problems", "aocc", "most",
)  # fmt: skip


@question("Precision within budgets", 50, joins=True)
def aocc(
    runs: Runs,
    budget: Budget | None = None,
    *,
    lower: Precision = 1e-8,
    upper: Precision = 1e2,
    group_by: GroupBy = "all",
    interval: Level | None = None,
) -> Table:
    """Area over the convergence curve: one number for all budgets.

    AOCC: mean over evaluations 1 … ``budget`` of 1 - log10(best precision so far), clipped at
    ``lower`` and ``upper`` and scaled to 0 … 1, as firsthit.score gives it; larger is better. Exact
    where logs hold every improvement; elsewhere it lies between aocc and most. firsthit.score
    counts evaluations of the objective alone.

    Args:
        budget: Where the area ends. None: that of the runs, where all have the same.
        lower: Precision worth 1.
        upper: Precision worth 0.
        group_by: What a row spans; never several dimensions.
        interval: Add the confidence interval of the area, such as 0.95.

    Returns:
        Columns: ``algorithm, suite, dimension, group``; ``budget`` in evaluations; number of
        ``runs`` and of ``problems``; ``aocc``, the mean over problems of the mean over their runs,
        as far as the log proves it; ``most``, what it can be at most: equal where the logs tell
        every improvement. With ``interval``, ``low`` and ``high``, the confidence interval of
        ``aocc``.

    Raises:
        AssessmentError: ``interval`` is no level; or, where constraints were evaluated, ``count``
            is not what the budgets of the runs count; or as of `run_areas`.
    """
    check_grouping(group_by)
    level = 0.95 if interval is None else interval
    if not 0 < level < 1:
        raise AssessmentError(f"interval level is {level}, must lie between 0 and 1")
    scale, common = PrecisionScale(lower, upper), runs.common()
    areas = common.areas(budget, scale)
    rows: list[list[Value]] = []
    meanings: dict[str, None] = {}
    for group in grouped(areas, group_by):
        first = group[0]
        function = np.repeat(np.arange(len(group)), [len(member.least) for member in group])
        instance = np.concatenate([member.instances for member in group])
        _, problem = np.unique(np.stack([function, instance]), axis=1, return_inverse=True)
        least = np.concatenate([member.least for member in group])
        (mean, *ends), meaning = mean_over_problems(least, function, problem, level)
        size = np.bincount(problem)
        most = np.bincount(problem, weights=np.concatenate([member.most for member in group]))
        facts = [first.budget, len(problem), len(size), float(mean), float((most / size).mean())]
        own_ends = ends if interval is not None else ()
        rows.append([*first.group_head(group_by), *facts, *own_ends])
        if interval is not None:
            meanings[meaning] = None
    names = _COLUMNS if interval is None else (*_COLUMNS, "low", "high")
    notes = (*common.notes, *notes_on_areas(areas, scale), *meanings)
    return Table(table_of(names, rows), notes)

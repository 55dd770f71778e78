"""Areas over convergence curves, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...data.grouping import check_grouping, group_name, grouped
from ...data.run_areas import RunAreas
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
    return Table(table_of(names, rows), (*_notes(data, scale), *meanings))


def _notes(data: Sequence[RunAreas], scale: PrecisionScale) -> tuple[str, ...]:
    """Sentences on the scale, and on runs that are bounds, ended early, or broke off."""
    runs = sum(len(one.least) for one in data)
    notes = [
        f"precisions from {scale.upper:g} (0) to {scale.lower:g} (1) on a logarithmic scale; a run "
        "that ended before the budget keeps its last value."
    ]
    bounds = sum(int((one.least < one.most).sum()) for one in data)
    if bounds:
        notes.append(
            f"{bounds} of {runs} areas are known between two bounds, aocc and most: the logs hold "
            "first hits of targets, not every improvement (record: improvements)."
        )
    cut = sum(one.cut for one in data)
    if cut:
        notes.append(
            f"{cut} of {runs} runs were ended by a budget below this one: they might have improved."
        )
    broken = sum(one.broken for one in data)
    if broken:
        notes.append(f"{broken} of {runs} runs failed, timed out or were interrupted: they count.")
    return tuple(notes)

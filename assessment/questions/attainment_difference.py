"""Where two algorithms differ in the share of runs that attain a budget and a precision.

A question of its own beside `attainment`: rectangles with a share each, of two algorithms together,
come from another computation than the levels of one algorithm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..asking.declaration import question
from ..asking.options import Algorithm, Axis, GroupBy
from ..data.grouping import check_grouping, group_name, groups_of_two
from ..data.run_curves import notes_on_curves
from ..data.runs import Runs
from ..figures.axes import FigureOptions, add_differences, figure_and_axes
from ..figures.style import SMALLEST_PRECISION, is_signed, precision_axes, styled
from ..statistics.attainment import attainment_differences
from ..tables.table import Table, Value, stacked
from ..targets.budgets import axis_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

_COLUMNS = (
    "suite", "dimension", "group", "first", "second", "runs_first", "runs_second", "budget_from",
    "budget_to", "precision_from", "precision_to", "difference",
)  # fmt: skip


@question("Precision within budgets", 70, needs="moocore")
def attainment_difference(
    runs: Runs,
    first: Algorithm,
    second: Algorithm,
    *,
    axis: Axis = "evaluations/dimension",
    group_by: GroupBy = "function",
) -> Table:
    """Where two algorithms differ in attainment.

    The share of runs that had a precision within a budget, in rectangles of both; difference is
    above 0 where the first attains more, outside of the rectangles there is none. Functions that
    only one of them was run on are left out; all runs weigh the same. Needs the package moocore.

    Args:
        axis: Unit of budgets.
        group_by: Whose runs are taken together; never several dimensions.

    Returns:
        Columns: ``suite, dimension, group, first, second``, their numbers of runs; rectangles
        ``budget_from … budget_to`` × ``precision_from … precision_to`` (inf: without end);
        ``difference``, share of ``first`` minus share of ``second``.
    """
    check_grouping(group_by)
    curves = runs.of_two(first, second).curves(axis)
    pairs, notes = groups_of_two(curves, first, second, group_by)
    blocks: list[list[Value | NDArray[Any]]] = []
    for groups in pairs:
        member = groups[0][0]
        head: list[Value] = [
            member.suite,
            member.dimension,
            group_name(member, group_by),
            first,
            second,
        ]
        sides = [[curve for each in group for curve in each.curves] for group in groups]
        rectangles = attainment_differences(*sides)
        blocks.append([*head, *map(len, sides), *rectangles.T])
    kept = [member for groups in pairs for group in groups for member in group]
    return Table(stacked(_COLUMNS, blocks), (*notes, *notes_on_curves(kept)))


def _caption(cell: Cell) -> str:
    first, second = (cell.rows[name][0] for name in ("first", "second"))
    return (
        f"Share of the runs of {first} that have a precision within a budget, minus that of "
        f"{second}, on {cell.place}, all functions and instances taken together: blue where "
        f"{first} attains more."
    )


@attainment_difference.figure(
    "attainment-difference",
    cells="suite dimension",
    caption=_caption,
    options="count",
    unasked="where it applies",
    group_by="all",
)
@styled
def draw_attainment_difference(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw where one algorithm attains more often than another: blue the first, red the second.

    Args:
        table: The table.
        **options: ``suite``, ``group``, ``dimension``.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "group", "dimension"), options)
    figure.set_figheight(3.0)
    signed = is_signed(rows, "precision_from", "precision_to")
    corners = [rows[f"{name}_{end}"] for name in ("budget", "precision") for end in ("from", "to")]
    right, top = (2 * np.max(column[np.isfinite(column)], initial=1.0) for column in corners[::2])
    left, edge, low, high = (
        np.minimum(column, end)
        for column, end in zip(corners, (right, right, top, top), strict=True)
    )
    if not signed:
        low, high = (np.maximum(column, SMALLEST_PRECISION) for column in (low, high))
    axes.plot([left.min(), right], [low.min(), top], alpha=0)
    precision_axes(axes, signed)
    axes.set(xlim=(left.min(), right), ylim=(low.min(), top))
    axes.set(xlabel=axis_text(table.axis), ylabel="best precision so far")
    add_differences(axes, rows, (left, edge, low, high))
    return figure

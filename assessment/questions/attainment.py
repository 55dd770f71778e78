"""The empirical attainment function: which precision a share of the runs had, and when.

A level is a curve over all budgets of the runs of one algorithm; differences are rectangles with a
share each, of two algorithms together. What runs on two objectives attain is in `surfaces`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..asking.declaration import question
from ..asking.options import Algorithm, Axis, GroupBy, Percents
from ..data.grouping import check_grouping, grouped, groups_of_two
from ..data.run_curves import notes_on_curves
from ..data.runs import Runs
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, add_differences, figure_and_axes, split
from ..figures.style import (
    SMALLEST_PRECISION,
    add_legend,
    drawn,
    is_signed,
    precision_axes,
    style_of,
)
from ..statistics.attainment import attainment_differences, attainment_surfaces
from ..tables.table import Table, Value, stacked
from ..targets.budgets import axis_text
from ..targets.parse import items_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell


_USUAL = "10,25,50,75,90"
_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "runs", "level", "budget", "precision",
)  # fmt: skip


@question("Precision within budgets", 60, needs="moocore")
def attainment(
    runs: Runs,
    levels: Percents = _USUAL,
    *,
    axis: Axis = "evaluations/dimension",
    group_by: GroupBy = "function",
) -> Table:
    """Precision that a share of the runs had, by budget.

    Levels of the empirical attainment function, each a curve that its corners give: from budget on,
    that share of the runs had precision or better. A level that no budget attains has no rows. All
    runs weigh the same. Needs the package moocore.

    Args:
        levels: Percentages of runs, above 0 and at most 100.
        axis: Unit of budgets.
        group_by: Whose runs are taken together; never several dimensions.

    Returns:
        Columns: ``algorithm, suite, dimension, group``; number of ``runs``; ``level`` in percent;
        ``budget`` in the unit asked for and ``precision`` of each corner.
    """
    percents = _parsed(levels)
    check_grouping(group_by)
    data = list(runs.curves(axis))
    blocks: list[list[Value | NDArray[Any]]] = []
    for group in grouped(data, group_by):
        first, curves = group[0], [curve for each in group for curve in each.curves]
        head = [*first.group_head(group_by), len(curves)]
        surfaces = attainment_surfaces(curves, percents)
        for level, (budget, precision) in zip(percents, surfaces, strict=True):
            blocks.append([*head, float(level), budget, precision])
    return Table(stacked(_COLUMNS, blocks), notes_on_curves(data))


def _parsed(value: Percents) -> tuple[float, ...]:
    """Percentages from a number, several, or text such as ``"25,50"``, ascending, each once.

    >>> _parsed("50, 25")
    (25.0, 50.0)
    """
    try:
        levels = tuple(sorted({float(item) for item in items_of(value)}))
    except (TypeError, ValueError):
        raise AssessmentError(f"levels: {value!r} are no percentages such as 25,50") from None
    if not levels or not all(0 < level <= 100 for level in levels):
        raise AssessmentError(f"levels: {value!r} must be percentages above 0 and at most 100")
    return levels


def _caption(cell: Cell) -> str:
    *most, last = (f"{level:g}" for level in _parsed(cell.options.get("levels", _USUAL)))
    levels = f"{', '.join(most)} and {last}" if most else last
    return (
        f"Empirical attainment function of {cell.values['algorithm']} on {cell.place}: the "
        f"precision that {levels} % of the runs had within a budget, all functions and instances "
        "taken together."
    )


@attainment.figure(
    "attainment",
    cells="suite dimension algorithm",
    caption=_caption,
    options="count",
    group_by="all",
)
def draw_attainment(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the levels of an attainment function: from each curve on, so many runs are that good.

    Args:
        table: The table.
        **options: ``algorithm``, ``suite``, ``group``, ``dimension``.
    """
    figure, axes, rows = figure_and_axes(
        table, ("algorithm", "suite", "group", "dimension"), options
    )
    signed = is_signed(rows, "precision")
    last = rows["budget"].max()
    for place, (level, own) in enumerate(split(rows, "level").items()):
        x = np.append(own["budget"], last)
        y = drawn(np.append(own["precision"], own["precision"][-1]), signed)
        style = style_of(place, marked=False)
        axes.plot(x, y, drawstyle="steps-post", label=f"{level:g} %", **style)
    precision_axes(axes, signed)
    axes.set(xlabel=axis_text(table.axis), ylabel="best precision so far")
    add_legend(axes)
    return figure


_DIFFERENCE_COLUMNS = (
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
        head = [*groups[0][0].group_head(group_by)[1:], first, second]
        sides = [[curve for each in group for curve in each.curves] for group in groups]
        rectangles = attainment_differences(*sides)
        blocks.append([*head, *map(len, sides), *rectangles.T])
    kept = [member for groups in pairs for group in groups for member in group]
    return Table(stacked(_DIFFERENCE_COLUMNS, blocks), (*notes, *notes_on_curves(kept)))


def _difference_caption(cell: Cell) -> str:
    first, second = (cell.rows[name][0] for name in ("first", "second"))
    return (
        f"Share of the runs of {first} that have a precision within a budget, minus that of "
        f"{second}, on {cell.place}, all functions and instances taken together: blue where "
        f"{first} attains more."
    )


@attainment_difference.figure(
    "attainment-difference",
    cells="suite dimension",
    caption=_difference_caption,
    options="count",
    unasked="where it applies",
    group_by="all",
)
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

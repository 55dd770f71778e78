"""The empirical attainment function of runs: the share of runs with a precision within a budget.

`attainment` shows the levels of one algorithm's function as curves of precision by budget.
`attainment_difference` shows the difference of two algorithms in rectangles of budget and
precision. The module `surfaces` is about runs on two objectives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ...suites.selection import ranges
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
from ..grouping import groups_of_two
from ..hits.curves import RunCurves
from ..samples.convention import LAST_VALUE, Convention
from ..samples.curves import Curves
from ..statistics.attainment import Curve, attainment_differences, attainment_surfaces
from ..tables.table import Table, Value, stacked
from ..targets.parse import items_of
from ._framework.needs import curves, of_shared_functions
from ._framework.options import Algorithm, GroupBy, Percents
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._framework.cell import Cell


_DEFAULT_LEVELS = "10,25,50,75,90"
_CONVENTION = Convention(
    "each has the same weight, after its end with its last value",
    failed=LAST_VALUE.failed,
)
_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "runs", "level", "budget", "precision",
)  # fmt: skip


@question(
    "Precision within budgets",
    60,
    needs=curves(),
    convention=_CONVENTION,
    requires="moocore",
    examples=(
        "results/quickstart.h5 --plot eaf.pdf",
        "results/quickstart.h5 --levels 25,50,75",
    ),
)
def attainment(
    sample: Curves, levels: Percents = _DEFAULT_LEVELS, *, group_by: GroupBy = "function"
) -> Table:
    """Compute the precision that a share of the runs had, by budget.

    A level is a percentage of the runs. Its curve shows, for each budget, the precision that this
    percentage of the runs had reached. It is a level curve of the empirical attainment function.
    The table has the corners of the curve: from the budget of a row on, the given percentage of the
    runs had the precision of the row or a better one. A level that the runs do not attain at any
    budget has no rows.

    All runs have the same weight. A figure joins all functions of a dimension if ``group_by`` is
    all. The package moocore is required.

    Args:
        levels: Percentages of runs, above 0 and at most 100.
        group_by: Functions of one dimension whose runs are aggregated.

    Returns:
        One row for each corner; ``algorithm``, ``suite``, ``dimension``, ``group`` and ``level``
        (in percent) identify its curve. ``runs`` is the number of runs. ``budget``, in the
        requested unit, and ``precision`` are the coordinates of the corner.
    """
    percents = _parse_percents(levels)
    blocks: list[list[Value | NDArray[Any]]] = []
    for group in sample.grouped(group_by):
        all_curves = _join_curves(group)
        leading_values = [*group[0].group_head(group_by), len(all_curves)]
        surfaces = attainment_surfaces(all_curves, percents)
        for level, (budget, precision) in zip(percents, surfaces, strict=True):
            blocks.append([*leading_values, float(level), budget, precision])
    return Table(stacked(_COLUMNS, blocks))


def _join_curves(group: Sequence[RunCurves]) -> list[Curve]:
    """Return the curves of all runs on the functions of a group."""
    return [curve for cell in group for curve in cell.curves]


def _parse_percents(value: Percents) -> tuple[float, ...]:
    """Parse percentages from a number, an iterable, or text such as ``"25,50"``; sort them.

    Duplicates are removed.

    >>> _parse_percents("50, 25")
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
    *first_levels, last_level = (
        f"{level:g}" for level in _parse_percents(cell.options.get("levels", _DEFAULT_LEVELS))
    )
    levels = f"{', '.join(first_levels)} and {last_level}" if first_levels else last_level
    return (
        f"Empirical attainment function of {cell.values['algorithm']} on {_describe_runs(cell)}: "
        f"the precision that {levels} % of the runs had within a budget."
    )


def _describe_runs(cell: Cell) -> str:
    """Return the runs that a figure joins, for captions."""
    functions = "all functions"
    if cell.values.get("group", "all") != "all":
        functions = f"functions f{ranges(cell.functions)}"
        if len(cell.functions) == 1:
            functions = f"function f{cell.functions[0]}"
    return f"{cell.place} ({functions}, all instances)"


@attainment.figure(
    "attainment",
    cells="suite dimension algorithm",
    caption=_caption,
    group_by="all",
    has_styles=False,
)
def draw_attainment(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the levels of an attainment function: a curve of precision by budget for each level.

    Args:
        table: The table of `attainment`.
        **options: ``algorithm``, ``suite``, ``group`` and ``dimension`` select the curves.
    """
    figure, axes, rows = figure_and_axes(
        table, ("algorithm", "suite", "group", "dimension"), options
    )
    signed = is_signed(rows, "precision")
    end = rows["budget"].max()
    for i, (level, level_rows) in enumerate(split(rows, "level").items()):
        x = np.append(level_rows["budget"], end)
        y = drawn(np.append(level_rows["precision"], level_rows["precision"][-1]), signed)
        style = style_of(i, marked=False)
        axes.plot(x, y, drawstyle="steps-post", label=f"{level:g} %", **style)
    precision_axes(axes, signed, table.axis)
    add_legend(axes)
    return figure


_DIFFERENCE_COLUMNS = (
    "suite", "dimension", "group", "first", "second", "runs_first", "runs_second", "budget_from",
    "budget_to", "precision_from", "precision_to", "difference",
)  # fmt: skip


@question(
    "Precision within budgets",
    70,
    needs=of_shared_functions(curves()),
    convention=_CONVENTION,
    requires="moocore",
    examples=(
        "my.h5 --algorithms A,B --functions 15",
        "my.h5 --algorithms A,B --plot eaf.pdf",
    ),
)
def attainment_difference(
    sample: Curves, first: Algorithm, second: Algorithm, *, group_by: GroupBy = "function"
) -> Table:
    """Show where two algorithms differ in attainment.

    A run attains a precision within a budget if it had this precision, or a better one, after at
    most that many evaluations. The table consists of rectangles of budgets and precisions. In a
    rectangle, difference is the share of runs of the first algorithm that attain the precision,
    minus this share of the second algorithm. It is above 0 where the first algorithm is ahead.
    Outside of all rectangles, the shares are equal.

    Functions that only one of the algorithms was run on are left out. All runs have the same
    weight. A figure joins all functions of a dimension if ``group_by`` is all. The package moocore
    is required.

    Args:
        group_by: Functions of one dimension whose runs are aggregated.

    Returns:
        One row for each rectangle of a ``suite``, ``dimension`` and ``group``. ``first`` and
        ``second`` are the algorithms, and ``runs_first`` and ``runs_second`` are their numbers of
        runs. The rectangle goes from ``budget_from`` to ``budget_to``, in the requested unit, and
        from ``precision_from`` to ``precision_to``; inf: it has no end. ``difference`` is the share
        of runs of ``first`` that attain the precision, minus this share of ``second``.
    """
    blocks: list[list[Value | NDArray[Any]]] = []
    for groups in groups_of_two(sample, first, second, group_by):
        leading_values = [*groups[0][0].group_head(group_by)[1:], first, second]
        sides = [_join_curves(group) for group in groups]
        rectangles = attainment_differences(*sides)
        blocks.append([*leading_values, *map(len, sides), *rectangles.T])
    return Table(stacked(_DIFFERENCE_COLUMNS, blocks))


def _difference_caption(cell: Cell) -> str:
    first, second = (cell.rows[name][0] for name in ("first", "second"))
    return (
        f"Share of the runs of {first} that have a precision within a budget, minus this share of "
        f"{second}, on {_describe_runs(cell)}. Blue: {first} has the larger share; red: {second} "
        "has the larger share."
    )


@attainment_difference.figure(
    "attainment-difference",
    cells="suite dimension",
    caption=_difference_caption,
    group_by="all",
    has_styles=False,
)
def draw_attainment_difference(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw where one algorithm attains more often than another: blue the first, red the second.

    Args:
        table: The table of `attainment_difference`.
        **options: ``suite``, ``group`` and ``dimension`` select the rectangles.
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
    precision_axes(axes, signed, table.axis)
    axes.set(xlim=(left.min(), right), ylim=(low.min(), top))
    add_differences(axes, rows, (left, edge, low, high))
    return figure

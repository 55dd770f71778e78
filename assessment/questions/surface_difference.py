"""Where two algorithms differ in what their runs on two objectives attain.

A question of its own beside `surfaces`: rectangles with a share each, of two algorithms together,
come from another computation than the corners of one algorithm's surfaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..asking.declaration import question
from ..asking.options import Algorithm, Axis, Budgets
from ..data.archives import Archives, end_budget, notes_on_attained
from ..data.grouping import groups_of_two
from ..data.runs import Runs
from ..figures.axes import FigureOptions, add_differences, figure_and_axes, single_value
from ..figures.plane import SCALED, SMALLEST, scaled_plane
from ..figures.style import styled
from ..statistics.attainment import Curve, attainment_differences
from ..statistics.fronts import GRID, steps_of
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked
from ..targets.budgets import budgets_on, check_axis, counts_of, parse_budgets, unit_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

_COLUMNS = (
    "suite", "function", "dimension", "budget", "first", "second", "runs_first", "runs_second",
    "from_1", "to_1", "from_2", "to_2", "difference",
)  # fmt: skip


@question("Archives of two objectives", 40, counts=False, needs="moocore, two objectives")
def surface_difference(
    runs: Runs,
    first: Algorithm,
    second: Algorithm,
    budgets: Budgets | None = None,
    *,
    axis: Axis = "evaluations/dimension",
    exact: bool = False,
) -> Table:
    """Where two algorithms differ in what their runs attain.

    The share of runs that attain a point, in rectangles of the two objectives, scaled so that the
    ideal point is 0 and the nadir point 1; difference is above 0 where the first attains more
    often, outside of the rectangles there is none. Functions that only one of them was run on are
    left out. Needs the package moocore.

    Args:
        budgets: None: all that the runs evaluated.
        axis: Unit of budgets.
        exact: Every corner; else values are rounded up, finer than figures show.

    Returns:
        Columns: ``suite, function, dimension, budget, first, second``, their numbers of runs;
        rectangles ``from_1 … to_1`` × ``from_2 … to_2`` (inf: without end); ``difference``, share
        of ``first`` minus share of ``second``.
    """
    check_axis(axis)
    given = None if budgets is None else parse_budgets(budgets)
    pairs, notes = groups_of_two(runs.of_two(first, second).archives(), first, second, "function")
    blocks: list[list[Value | NDArray[Any]]] = []
    for [mine], [theirs] in pairs:
        unit = unit_of(axis, mine.dimension)
        own_budgets = end_budget([mine.spent, theirs.spent], unit)
        if given is not None:
            own_budgets = budgets_on(given, axis, mine.dimension)
        sides = [_curves(side, counts_of(own_budgets, unit), exact) for side in (mine, theirs)]
        head: list[Value] = [mine.suite, mine.function, mine.dimension]
        names: list[Value] = [first, second, len(mine.runs), len(theirs.runs)]
        for budget, *curves in zip(own_budgets, *sides, strict=True):
            boxes = attainment_differences(*curves)
            blocks.append([*head, float(budget), *names, *boxes.T])
    kept = [mine for sides in pairs for side in sides for mine in side]
    notes = (*notes, *notes_on_attained(kept, budgets is None, exact))
    return Table(stacked(_COLUMNS, blocks), notes)


def _curves(archives: Archives, evaluations: NDArray[np.int64], exact: bool) -> list[list[Curve]]:
    """Within each budget, the fronts of the runs as curves."""
    return [
        [_curve(front if exact else GRID[steps_of(front)]) for front in fronts]
        for fronts in archives.normalised_fronts(evaluations)
    ]


def _curve(front: Floats) -> Curve:
    return front[:, 0], front[:, 1]


def _caption(cell: Cell) -> str:
    first, second = (cell.rows[name][0] for name in ("first", "second"))
    return (
        f"Share of the runs of {first} that attain a point at their end, minus that of {second}, "
        f"on {cell.place}, instances taken together: blue where {first} attains more often. "
        f"{SCALED}"
    )


@surface_difference.figure(
    "surface-difference",
    cells="suite function dimension",
    caption=_caption,
    options="",
)
@styled
def draw_surface_difference(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw where one algorithm attains more often than another: blue the first, red the second.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``dimension``.

    Raises:
        AssessmentError: There are differences of several budgets.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    single_value("budget", rows["budget"].tolist(), None)
    figure.set_figheight(3.0)
    left, right, low, high = (
        np.clip(rows[name], SMALLEST / 2, 1e9) for name in ("from_1", "to_1", "from_2", "to_2")
    )
    scaled_plane(axes, [np.stack([left, low], axis=1)])
    add_differences(axes, rows, (left, right, low, high), rasterized=True)
    return figure

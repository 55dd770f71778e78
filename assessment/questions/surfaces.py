"""Attainment surfaces of runs on two objectives, their differences, their section of the report.

All runs of an algorithm on a function are taken together, whatever their instances, which scaling
by ideal and nadir point makes alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..asking.context import Context
from ..asking.declaration import question
from ..asking.options import Algorithm, Axis, Budgets, Option
from ..data.archives import (
    Archives,
    archives_of,
    at_budgets,
    end_budget,
    notes_on_attained,
    on_two_objectives,
)
from ..data.grouping import groups_of_two
from ..data.runs import Runs
from ..errors import AssessmentError
from ..figures.axes import (
    SCALED,
    SMALLEST_SCALED,
    FigureOptions,
    add_differences,
    by_algorithm,
    figure_and_axes,
    scaled_plane,
    single_value,
    split,
    staircase,
)
from ..figures.style import add_legend
from ..statistics.attainment import Curve, attainment_differences, attainment_surfaces
from ..statistics.fronts import GRID, Steps, steps_of, surface_steps
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked
from ..targets.budgets import (
    budgets_on,
    check_axis,
    counts_of,
    parse_budgets,
    unit_of,
    up_to_the_ends,
)
from ..targets.parse import items_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell


SurfaceNames = float | str | Iterable[float | str]
Surfaces = Annotated[SurfaceNames, Option("NAMES")]
_PERCENTS = {"best": 0.0, "median": 50.0, "worst": 100.0}
_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "runs", "budget", "surface", "scaled_1",
    "scaled_2",
)  # fmt: skip
_PER_DECADE = 3


@question("Archives of two objectives", 30, counts=False, needs="two objectives")
def surfaces(
    runs: Runs,
    surfaces: Surfaces = "best,median,worst",
    budgets: Budgets | None = None,
    *,
    axis: Axis = "evaluations/dimension",
    exact: bool = False,
) -> Table:
    """What one, half or all of the runs attain.

    The corners of attainment surfaces: so many of the runs on a function have a point that is no
    worse than a corner in both objectives, scaled so that the ideal point is 0 and the nadir point
    1. A surface that too few runs attain has no rows.

    Args:
        surfaces: Of one, half, all of the runs; or percentages, such as 25,75.
        budgets: None: all that the runs evaluated.
        axis: Unit of budgets.
        exact: Every corner, by the package moocore; else values are rounded up, finer than figures
            show.

    Returns:
        Columns: ``algorithm, suite, function, dimension``; number of ``runs``; ``budget`` in the
        unit asked for; ``surface``, one of ``best``, ``median``, ``worst``, ``25%``, …; its corners
        ``scaled_1, scaled_2``.
    """
    names = _parsed(surfaces)
    data = list(runs.archives())
    blocks: list[list[Value | NDArray[Any]]] = []
    for archives, own_budgets, evaluations in at_budgets(data, budgets, axis, end_budget):
        head = [*archives.head, len(archives.runs)]
        for budget, fronts in zip(
            own_budgets, archives.normalised_fronts(evaluations), strict=True
        ):
            counts = [_runs_of(name, len(fronts)) for name in names]
            found = _exact(fronts, counts) if exact else _rounded(fronts, counts)
            for name, surface in zip(names, found, strict=True):
                blocks.append([*head, float(budget), name, *surface.T])
    return Table(stacked(_COLUMNS, blocks), notes_on_attained(data, budgets is None, exact))


def _parsed(value: SurfaceNames) -> tuple[str, ...]:
    """Names of surfaces and percentages such as ``"25%"``, as given, each once.

    >>> _parsed("best, 25")
    ('best', '25%')
    """
    names = []
    for item in items_of(value):
        if item not in _PERCENTS:
            try:
                percent = float(str(item).removesuffix("%"))
            except ValueError:
                percent = math.nan
            if not 0 < percent <= 100:
                raise AssessmentError(
                    f"surfaces: {str(item)[:80]!r} is none of {', '.join(_PERCENTS)}, nor a "
                    "percentage of runs above 0 and at most 100"
                )
            item = f"{percent:g}%"
        names.append(str(item))
    if not names:
        raise AssessmentError(f"surfaces: none given; take {', '.join(_PERCENTS)} or percentages")
    return tuple(dict.fromkeys(names))


def _runs_of(name: str, runs: int) -> int:
    """How many of some runs attain a surface: one, half of them, all, or a percentage.

    >>> [_runs_of(name, 5) for name in ("best", "median", "worst", "50%")]
    [1, 3, 5, 3]
    """
    share = _PERCENTS[name] if name in _PERCENTS else float(name[:-1])
    return max(1, math.ceil(round(share * runs / 100, 9)))


def _rounded(fronts: Sequence[Floats], counts: Sequence[int]) -> list[Floats]:
    """Surfaces that so many of the runs attain, on the grid, each of shape ``(n, 2)``."""
    steps = [steps_of(front) for front in fronts]
    return [GRID[surface_steps(steps, count)] for count in counts]


def _exact(fronts: Sequence[Floats], counts: Sequence[int]) -> list[Floats]:
    """As `_rounded`, but not on the grid."""
    curves = [(front[:, 0], front[:, 1]) for front in fronts]
    percents = [100 * count / len(fronts) for count in counts]
    return [np.stack(surface, axis=1) for surface in attainment_surfaces(curves, percents)]


@surfaces.figure(
    "surfaces",
    cells="suite function dimension",
    caption="Attainment surfaces on {place} at the end of the runs: what half of the runs attain "
    f"(thick), what one and what all of them attain (thin), instances taken together. {SCALED}",
    options="",
    curated=True,
)
def draw_surfaces(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw attainment surfaces: thick the median, thin all others, one colour an algorithm.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``dimension``.

    Raises:
        AssessmentError: Of an algorithm there are surfaces of several budgets.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    figure.set_figheight(3.0)
    fronts = []
    for name, own, style in by_algorithm(rows, marked=False):
        single_value("budget", own["budget"].tolist(), None)
        named = split(own, "surface")
        main = "median" if "median" in named else next(iter(named))
        for surface, corners in named.items():
            front = np.stack([corners["scaled_1"], corners["scaled_2"]], axis=1)
            fronts.append(front)
            thick = {"linewidth": 1.6, "label": name} if surface == main else {"linewidth": 0.5}
            axes.plot(*staircase(front, SMALLEST_SCALED), **(style | thick))
    scaled_plane(axes, fronts)
    add_legend(axes)
    return figure


@surfaces.report(
    "fronts",
    "Fronts of two objectives",
    "What the runs attain within a budget. Half of them have a point on or below the thick line "
    "(the median attainment surface); one of them has one on or below the lower thin line, and all "
    "of them on or below the upper one. A run that ended keeps its archive. Objectives are scaled, "
    "the ideal point to 0 and the nadir point to 1, so that runs on all instances can be taken "
    "together. For a single instance, the axes can show unscaled objectives. Values are rounded "
    "up, by at most 4 % or 0.004 of the scale.",
    place=60,
    needs="fronts",
)
def section(context: Context) -> Mapping[str, Any]:
    """Attainment surfaces by budget, as steps on a grid; nothing without two objectives.

    Of all instances of a function together, and of each, with its ideal and nadir point.
    """
    log, rows = context.log, context.runs.rows
    rows = rows[on_two_objectives(log, rows)]
    if not len(rows):
        return {}
    longest = float((log.runs["evaluations"][rows] / log.runs["dimension"][rows]).max())
    budgets = up_to_the_ends([longest], 1.0, 0, _PER_DECADE)
    cells = []
    for archives in archives_of(log, rows):
        counts = counts_of(budgets, float(archives.dimension))
        steps = [
            [steps_of(run.normalised(front)) for front in run.fronts(counts)]
            for run in archives.runs
        ]
        cells.append(
            {
                **context.positions.of(archives.algorithm, archives.suite),
                "function": archives.function,
                "dimension": archives.dimension,
                **_surfaces(steps),
                "instances": [
                    _instance_surfaces(archives, steps, i)
                    for i in np.unique(archives.instances).tolist()
                ],
            }
        )
    return {
        "fronts": {
            "names": tuple(_PERCENTS),
            "grid": [float(f"{value:.4g}") for value in GRID.tolist()],
            "budgets": budgets,
            "cells": cells,
        }
    }


def _instance_surfaces(
    archives: Archives, steps: Sequence[Sequence[Steps]], instance: int
) -> dict[str, Any]:
    places = np.flatnonzero(archives.instances == instance).tolist()
    first = archives.runs[places[0]]
    return {
        "instance": instance,
        "ideal": first.ideal.tolist(),
        "nadir": first.nadir.tolist(),
        **_surfaces([steps[place] for place in places]),
    }


def _surfaces(steps: Sequence[Sequence[Steps]]) -> dict[str, Any]:
    """How many runs there are, and their surfaces; of one run the surface that they all are."""
    runs = len(steps)
    counts = [_runs_of(name, runs) for name in _PERCENTS] if runs > 1 else [1]
    by_budget = [list(fronts) for fronts in zip(*steps, strict=True)]
    return {"runs": runs, "surfaces": [_corners(by_budget, count) for count in counts]}


def _corners(by_budget: Sequence[Sequence[Steps]], count: int) -> list[list[int]]:
    """The corners of a surface, each once, in the order in which budgets bring them.

    A surface only ever comes nearer: within a budget it is what no other corner dominates of all
    that came until then. They come as steps of the first and of the second objective, differences
    from one corner to the next, which compress well; and how many corners each budget brings.
    """
    seen = np.empty(0, dtype=np.intp)
    found, brought = [np.zeros((1, 2), dtype=np.intp)], []
    for fronts in by_budget:
        surface = fronts[0] if len(fronts) == 1 else surface_steps(fronts, count)
        keys = surface[:, 0] * len(GRID) + surface[:, 1]
        new = ~np.isin(keys, seen)
        seen = np.concatenate([seen, keys[new]])
        found.append(surface[new])
        brought.append(int(new.sum()))
    return [*np.diff(np.concatenate(found), axis=0).T.tolist(), brought]


_DIFFERENCE_COLUMNS = (
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
    return Table(stacked(_DIFFERENCE_COLUMNS, blocks), notes)


def _curves(archives: Archives, evaluations: NDArray[np.int64], exact: bool) -> list[list[Curve]]:
    """Within each budget, the fronts of the runs as curves."""
    return [
        [_curve(front if exact else GRID[steps_of(front)]) for front in fronts]
        for fronts in archives.normalised_fronts(evaluations)
    ]


def _curve(front: Floats) -> Curve:
    return front[:, 0], front[:, 1]


def _difference_caption(cell: Cell) -> str:
    first, second = (cell.rows[name][0] for name in ("first", "second"))
    return (
        f"Share of the runs of {first} that attain a point at their end, minus that of {second}, "
        f"on {cell.place}, instances taken together: blue where {first} attains more often. "
        f"{SCALED}"
    )


@surface_difference.figure(
    "surface-difference",
    cells="suite function dimension",
    caption=_difference_caption,
    options="",
)
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
        np.clip(rows[name], SMALLEST_SCALED / 2, 1e9)
        for name in ("from_1", "to_1", "from_2", "to_2")
    )
    scaled_plane(axes, [np.stack([left, low], axis=1)])
    add_differences(axes, rows, (left, right, low, high), rasterized=True)
    return figure

"""Find the best points of each algorithm on single problems with two objectives, and draw them.

`fronts` lists the nondominated points of all runs of an algorithm on a problem. Its figure draws
the points of all algorithms on one problem, on scaled axes or in the units of the objectives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..figures.axes import (
    SCALED,
    SMALLEST_SCALED,
    FigureOptions,
    Rows,
    by_algorithm,
    figure_and_axes,
    scaled_plane,
    single_value,
    staircase,
)
from ..figures.style import add_legend
from ..hits.archives import Problem, RunArchive, end_budget
from ..samples.archives import Archives
from ..samples.convention import Convention
from ..statistics.fronts import front_of
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked
from ..targets.budgets import axis_text
from ._framework.needs import archives
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._framework.cell import Cell

Way = Literal["scaled", "raw"]
Objectives = Way
_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "runs", "budget", "y1", "y2",
    "scaled_1", "scaled_2",
)  # fmt: skip
_MARGIN = 0.05
"""Margin of an axis, as a share of the longest drawn length."""
_MAX_SCALED = 3.0
"""Largest scaled objective of a point that counts as near the region of ideal and nadir point."""
_MAX_MARKS = 12
"""Approximate number of marks on a curve that remain distinguishable."""


@question(
    "Archives of two objectives",
    20,
    needs=archives(end_budget),
    convention=Convention("the points of all runs are pooled"),
    counts=False,
    requires="two objectives",
    examples=(
        "results/bbob-biobj.h5 --functions 1 --plot fronts.pdf",
        "results/bbob-biobj.h5 --format csv",
    ),
)
def fronts(sample: Archives) -> Table:
    """Find the best points of each algorithm on each problem.

    The best points are the nondominated points of all runs of the algorithm on the problem, taken
    together: no other point is at least as good in both objectives and better in one. y1 and y2 are
    the objectives. scaled_1 and scaled_2 are the objectives scaled so that the ideal point is 0 and
    the nadir point is 1. As CSV, the table is a reference for `indicators`.

    Returns:
        One row for each point; ``algorithm``, ``suite``, ``function``, ``dimension``, ``instance``
        and ``budget``, in the requested unit, identify its front. ``runs`` is the number of runs.
        ``y1`` and ``y2`` are the values of the objectives, ``scaled_1`` and ``scaled_2`` the scaled
        values.
    """
    blocks: list[list[Value | NDArray[Any]]] = []
    for cell, budgets, evaluations in sample.at_budgets():
        archives_by_problem: dict[Problem, list[RunArchive]] = {}
        for run, archive in enumerate(cell.runs):
            archives_by_problem.setdefault(cell.problem(run), []).append(archive)
        for problem, run_archives in archives_by_problem.items():
            leading_values: list[Value] = [cell.algorithm, *problem, len(run_archives)]
            fronts_of_runs = [archive.fronts(evaluations) for archive in run_archives]
            for budget, *fronts_at_budget in zip(budgets, *fronts_of_runs, strict=True):
                front = front_of(np.concatenate(fronts_at_budget))
                scaled_front = run_archives[0].normalised(front)
                blocks.append([*leading_values, float(budget), *front.T, *scaled_front.T])
    return Table(stacked(_COLUMNS, blocks))


def _caption(cell: Cell) -> str:
    axes = {
        "scaled": SCALED,
        "raw": "Dotted: the region between the ideal and the nadir point; outside: fronts far "
        "from it.",
    }[cell.options.get("objectives", "scaled")]
    within = ""
    if cell.options.get("budgets") is not None:
        within = f" within {cell.rows['budget'][0]:g} {axis_text(cell.table.axis)}"
    return (
        f"The best points of all runs{within} on {cell.place}, instance "
        f"{cell.values['instance']}, and the boundary of the region that they dominate. {axes}"
    )


@fronts.figure(
    "fronts",
    cells="suite function dimension instance",
    caption=_caption,
)
def draw_fronts(
    table: Table, objectives: Objectives = "scaled", **options: Unpack[FigureOptions]
) -> Figure:
    """Draw the best points of each algorithm on a problem, and the region that they dominate.

    Args:
        table: The table of `fronts`.
        objectives: Axes of the figure. scaled: logarithmic axes on which 0 is the ideal point and 1
            the nadir point; raw: linear axes with the values of the objectives. A front far from
            the region between these points is not drawn, and its name says so.
        **options: ``suite``, ``function``, ``dimension`` and ``instance`` select the fronts.

    Raises:
        UnknownNameError: ``objectives`` is neither ``"scaled"`` nor ``"raw"``.
        AssessmentError: An algorithm has fronts of several budgets.
    """
    if objectives not in get_args(Way):
        raise UnknownNameError.of("way to draw objectives", objectives, get_args(Way))
    is_raw = objectives == "raw"
    figure, axes, rows = figure_and_axes(
        table, ("suite", "function", "dimension", "instance"), options
    )
    figure.set_figheight(3.0)
    scaled_fronts = []
    columns = ("y1", "y2") if is_raw else ("scaled_1", "scaled_2")
    for name, algorithm_rows, style in by_algorithm(rows):
        single_value("budget", algorithm_rows["budget"].tolist(), None)
        front = np.stack([algorithm_rows[column] for column in columns], axis=1)
        scaled_front = np.stack([algorithm_rows[f"scaled_{i}"] for i in (1, 2)], axis=1)
        scaled_fronts.append(scaled_front)
        x, y = staircase(front) if is_raw else staircase(front, SMALLEST_SCALED)
        # Every second vertex of a staircase is a point of the front.
        mark_step = 2 * max(1, len(front) // _MAX_MARKS)
        marks = {"markevery": (1, mark_step), "markersize": 3}
        if is_raw and not _is_near(scaled_front):
            name = f"{name} (outside)"
        axes.plot(x, y, label=name, **(style | marks | {"linewidth": 0.7}))
    if is_raw:
        _set_raw_plane(axes, rows, scaled_fronts)
    else:
        scaled_plane(axes, scaled_fronts)
    add_legend(axes)
    return figure


def _is_near(scaled_front: Floats) -> bool:
    """Return whether both scaled objectives of some point are at most `_MAX_SCALED`."""
    return bool(len(scaled_front)) and _distance_to_ideal(scaled_front) <= _MAX_SCALED


def _distance_to_ideal(scaled_front: Floats) -> float:
    """Return the smallest Chebyshev distance between a point and the ideal point."""
    return float(scaled_front.max(axis=1).min())


def _set_raw_plane(axes: Axes, rows: Rows, scaled_fronts: Sequence[Floats]) -> None:
    """Set linear axes of the objectives' values, and draw the boundary of the region of interest.

    The region lies between the ideal and the nadir point. The axes begin below the smallest values.
    They end beyond the nadir point, so far that a point of each near front is visible. The boundary
    is not drawn if all values of an objective are equal, because its scale is then unknown.

    Args:
        axes: The axes.
        rows: Rows of all fronts.
        scaled_fronts: The scaled fronts of all algorithms, each of shape ``(n_points, 2)``.
    """
    distances = [_distance_to_ideal(front) for front in scaled_fronts if _is_near(front)]
    farthest = max(1.0, max(distances, default=1.0))
    corners, is_scale_known = [], True
    for axis, i in zip("xy", (1, 2), strict=True):
        values, scaled_values = rows[f"y{i}"], rows[f"scaled_{i}"]
        low, high = np.argmin(scaled_values), np.argmax(scaled_values)
        span = scaled_values[high] - scaled_values[low]
        is_scale_known = is_scale_known and bool(span > 0)
        # The unit of the scaled objective is the distance between ideal and nadir point.
        unit = (values[high] - values[low]) / span if span > 0 else 1.0
        ideal = float(values[low] - unit * scaled_values[low])
        scaled_start = min(0.0, float(scaled_values[low])) - _MARGIN * farthest
        scaled_end = farthest * (1 + 2 * _MARGIN)
        limits = (ideal + unit * scaled_start, ideal + unit * scaled_end)
        axes.set(**{f"{axis}lim": limits, f"{axis}label": f"objective {i}"})
        corners.append((limits[0], ideal + unit))
    (left, nadir_1), (bottom, nadir_2) = corners
    if is_scale_known:
        axes.plot(
            [left, nadir_1, nadir_1],
            [nadir_2, nadir_2, bottom],
            color="0.5",
            linewidth=0.6,
            linestyle=":",
        )

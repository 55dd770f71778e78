"""Fronts of algorithms on single problems: what they reached, and reference fronts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..asking.declaration import question
from ..asking.options import Axis, Budgets, Option
from ..data.archives import Archives, Problem, RunArchive, at_budgets, end_budget, notes_on_archives
from ..data.runs import Runs
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
from ..statistics.fronts import front_of
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

Way = Literal["scaled", "raw"]
Objectives = Annotated[Way, Option(help="What its axes show: 0 ideal and 1 nadir, or the values")]
_NAMES = ("algorithm", "suite", "function", "dimension", "instance", "runs", "budget")
_COLUMNS = (*_NAMES, "y1", "y2", "scaled_1", "scaled_2")
_ROOM = 0.05
_FARTHEST = 3.0


@question("Archives of two objectives", 20, counts=False, needs="two objectives")
def fronts(
    runs: Runs, budgets: Budgets | None = None, *, axis: Axis = "evaluations/dimension"
) -> Table:
    """Best points of each algorithm on each problem.

    The nondominated points of all its runs on the problem, taken together. y1 and y2 are the
    objectives; scaled_1 and scaled_2 are 0 at the ideal and 1 at the nadir point. As CSV it is a
    reference for `indicators`.

    Args:
        budgets: None: all that the runs evaluated.
        axis: Unit of budgets.

    Returns:
        Columns: ``algorithm, suite, function, dimension, instance``; number of ``runs``; ``budget``
        in the unit asked for; the values of the objectives ``y1`` and ``y2``; ``scaled_1,
        scaled_2``.
    """
    data = list(runs.archives())
    blocks: list[list[Value | NDArray[Any]]] = []
    for cell, own_budgets, evaluations in at_budgets(data, budgets, axis, end_budget):
        for problem, archives in _by_problem(cell).items():
            head: list[Value] = [cell.algorithm, *problem, len(archives)]
            run_fronts = [archive.fronts(evaluations) for archive in archives]
            for place, budget in enumerate(own_budgets):
                front = front_of(np.concatenate([each[place] for each in run_fronts]))
                scaled = archives[0].normalised(front)
                blocks.append([*head, float(budget), *front.T, *scaled.T])
    convention = "the points of all runs are taken together"
    notes = notes_on_archives(data, convention, only_end=budgets is None)
    return Table(stacked(_COLUMNS, blocks), notes)


def _by_problem(archives: Archives) -> dict[Problem, list[RunArchive]]:
    found: dict[Problem, list[RunArchive]] = {}
    for place, archive in enumerate(archives.runs):
        found.setdefault(archives.problem(place), []).append(archive)
    return found


def _caption(cell: Cell) -> str:
    axes = {
        "scaled": SCALED,
        "raw": "Dotted: the region between the ideal and the nadir point; outside: fronts that do "
        "not come near it.",
    }[cell.options.get("objectives", "scaled")]
    return (
        f"The best points of all runs on {cell.place}, instance {cell.values['instance']}, and the "
        f"boundary of what they dominate. {axes}"
    )


@fronts.figure(
    "fronts",
    cells="suite function dimension instance",
    caption=_caption,
    options="",
    unasked="no",
)
def draw_fronts(
    table: Table, objectives: Objectives = "scaled", **options: Unpack[FigureOptions]
) -> Figure:
    """Draw the best points of each algorithm on a problem, and the boundary of what they dominate.

    Args:
        table: The table.
        objectives: ``"scaled"``: 0 is the ideal point and 1 the nadir point, on logarithmic axes;
            ``"raw"``: the values of the objectives, on linear ones; a front that does not come near
            the region between these points is outside, and its name says so.
        **options: ``suite``, ``function``, ``dimension``, ``instance``.

    Raises:
        UnknownNameError: ``objectives`` is neither.
        AssessmentError: Of an algorithm there are fronts of several budgets.
    """
    if objectives not in get_args(Way):
        raise UnknownNameError.of("way to draw objectives", objectives, get_args(Way))
    raw = objectives == "raw"
    figure, axes, rows = figure_and_axes(
        table, ("suite", "function", "dimension", "instance"), options
    )
    figure.set_figheight(3.0)
    scaled = []
    columns = ("y1", "y2") if raw else ("scaled_1", "scaled_2")
    for name, own, style in by_algorithm(rows):
        single_value("budget", own["budget"].tolist(), None)
        front = np.stack([own[column] for column in columns], axis=1)
        scaled.append(np.stack([own["scaled_1"], own["scaled_2"]], axis=1))
        x, y = staircase(front) if raw else staircase(front, SMALLEST_SCALED)
        marks = {"markevery": (1, 2 * max(1, len(front) // 12)), "markersize": 3}
        if raw and not _is_near(scaled[-1]):
            name = f"{name} (outside)"
        axes.plot(x, y, label=name, **(style | marks | {"linewidth": 0.7}))
    if raw:
        _raw_plane(axes, rows, scaled)
    else:
        scaled_plane(axes, scaled)
    add_legend(axes)
    return figure


def _is_near(front: Floats) -> bool:
    """Whether some point of a scaled front is at most three times as far as the nadir point."""
    return bool(len(front)) and bool(front.max(axis=1).min() <= _FARTHEST)


def _raw_plane(axes: Axes, rows: Rows, scaled_fronts: Sequence[Floats]) -> None:
    """Linear axes of the objectives' values, with the region between ideal and nadir point.

    They begin below the least values and end beyond the nadir point, where the fronts that come
    near have begun to be seen. Of a single point, nobody knows where the region is.
    """
    near = [float(front.max(axis=1).min()) for front in scaled_fronts if _is_near(front)]
    nearest = max(near, default=1.0)
    ends, known = [], True
    for i in (1, 2):
        values, scaled = rows[f"y{i}"], rows[f"scaled_{i}"]
        low, high = np.argmin(scaled), np.argmax(scaled)
        span = scaled[high] - scaled[low]
        known = known and bool(span > 0)
        width = (values[high] - values[low]) / span if span > 0 else 1.0
        ideal = float(values[low] - width * scaled[low])
        first = min(0.0, float(scaled[low])) - _ROOM * max(1.0, nearest)
        last = max(1.0, nearest) * (1 + 2 * _ROOM)
        limits = (ideal + width * first, ideal + width * last)
        axes.set(**{f"{'xy'[i - 1]}lim": limits, f"{'xy'[i - 1]}label": f"objective {i}"})
        ends.append((limits[0], ideal + width))
    (left, x), (bottom, y) = ends
    if known:
        axes.plot([left, x, x], [y, y, bottom], color="0.5", linewidth=0.6, linestyle=":")

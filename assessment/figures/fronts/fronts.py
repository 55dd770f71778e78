"""Fronts of algorithms on one problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ....suites.errors import UnknownNameError
from ...tables.table import Table
from ..frame import Shown, by_algorithm, frame
from ..style import add_legend, styled
from .plane import OBJECTIVES, SMALLEST, is_near, plane, raw_plane, staircase

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_fronts(table: Table, objectives: str = "scaled", **shown: Unpack[Shown]) -> Figure:
    """Draw the best points of each algorithm on a problem, and the boundary of what they dominate.

    Args:
        table: Of `Results.fronts`.
        objectives: ``"scaled"``: 0 is the ideal point and 1 the nadir point, on logarithmic axes;
            ``"raw"``: the values of the objectives, on linear ones; a front that does not come near
            the region between these points is outside, and its name says so.
        **shown: ``suite``, ``function``, ``dimension``, ``instance``.

    Raises:
        UnknownNameError: ``objectives`` is neither.
    """
    if objectives not in OBJECTIVES:
        raise UnknownNameError.of("way to draw objectives", objectives, OBJECTIVES)
    raw = objectives == "raw"
    figure, axes, rows = frame(table, ("suite", "function", "dimension", "instance"), shown)
    figure.set_figheight(3.0)
    fronts = []
    columns = ("y1", "y2") if raw else ("scaled_1", "scaled_2")
    for name, own, style in by_algorithm(rows):
        front = np.stack([own[column] for column in columns], axis=1)
        fronts.append(np.stack([own["scaled_1"], own["scaled_2"]], axis=1))
        x, y = staircase(front) if raw else staircase(front, SMALLEST)
        marks = {"markevery": (1, 2 * max(1, len(front) // 12)), "markersize": 3}
        if raw and not is_near(fronts[-1]):
            name = f"{name} (outside)"
        axes.plot(x, y, label=name, **(style | marks | {"linewidth": 0.7}))
    if raw:
        raw_plane(axes, rows, fronts)
    else:
        plane(axes, fronts)
    add_legend(axes)
    return figure

"""Fronts of algorithms on one problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...tables.table import Table
from ..frame import Shown, by_algorithm, frame
from ..style import add_legend, styled
from .plane import plane, staircase

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_fronts(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the best points of each algorithm on a problem, and the boundary of what they dominate.

    Args:
        table: Of `Results.fronts`.
        **shown: ``suite``, ``function``, ``dimension``, ``instance``.
    """
    figure, axes, rows = frame(table, ("suite", "function", "dimension", "instance"), shown)
    figure.set_figheight(3.0)
    fronts = []
    for name, own, style in by_algorithm(rows):
        front = np.stack([own["scaled_1"], own["scaled_2"]], axis=1)
        fronts.append(front)
        x, y = staircase(front)
        marks = {"markevery": (1, 2 * max(1, len(front) // 12)), "markersize": 3}
        axes.plot(x, y, label=name, **(style | marks | {"linewidth": 0.7}))
    plane(axes, fronts)
    add_legend(axes)
    return figure

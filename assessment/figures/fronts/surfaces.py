"""Attainment surfaces of algorithms on one function, and where two algorithms differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...tables.table import Table
from ..frame import Shown, add_differences, by_algorithm, frame, split
from ..plane import SMALLEST, scaled_plane, staircase
from ..style import add_legend, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_surfaces(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw attainment surfaces: thick the median, thin all others, one colour an algorithm.

    Args:
        table: Of `Results.surfaces`.
        **shown: ``suite``, ``function``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "function", "dimension"), shown)
    figure.set_figheight(3.0)
    drawn = []
    for name, own, style in by_algorithm(rows, marked=False):
        named = split(own, "surface")
        main = "median" if "median" in named else next(iter(named))
        for surface, corners in named.items():
            front = np.stack([corners["scaled_1"], corners["scaled_2"]], axis=1)
            drawn.append(front)
            thick = {"linewidth": 1.6, "label": name} if surface == main else {"linewidth": 0.5}
            axes.plot(*staircase(front, SMALLEST), **(style | thick))
    scaled_plane(axes, drawn)
    add_legend(axes)
    return figure


@styled
def draw_surface_difference(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw where one algorithm attains more often than another: blue the first, red the second.

    Args:
        table: Of `Results.surface_difference`.
        **shown: ``suite``, ``function``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "function", "dimension"), shown)
    figure.set_figheight(3.0)
    left, right, low, high = (
        np.clip(rows[name], SMALLEST / 2, 1e9) for name in ("from_1", "to_1", "from_2", "to_2")
    )
    scaled_plane(axes, [np.stack([left, low], axis=1)])
    add_differences(axes, rows, (left, right, low, high), rasterized=True)
    return figure

"""Restarts within runs, drawn as a rug: a line for each run, a tick for each restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..tables.table import Table
from .rows import Rows, chosen, split
from .style import add_legend, label, new_figure, places, style_of, styled, write_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCHES_RUN = 0.075


@styled
def draw_restarts(
    table: Table,
    function: int | None = None,
    dimension: int | None = None,
    suite: str | None = None,
) -> Figure:
    """Draw each run as a line to its last evaluation, with a tick where it was restarted.

    A filled mark at the end is a run that hit the final target.

    Args:
        table: Of `Results.restarts`.
        function: Which; None where the table holds one.
        dimension: Likewise.
        suite: Likewise.
    """
    rows = chosen(table, suite=suite, function=function, dimension=dimension)
    runs = list(zip(*(rows[key].tolist() for key in ("instance", "repetition")), strict=True))
    place = places(rows["algorithm"].tolist())
    heights = {
        key: height
        for height, key in enumerate(
            sorted({(n, *r) for n, r in zip(rows["algorithm"].tolist(), runs, strict=True)})
        )
    }
    figure, axes = new_figure(0.9 + _INCHES_RUN * len(heights))
    for name, own in split(rows, "algorithm").items():
        keys = zip(own["instance"].tolist(), own["repetition"].tolist(), strict=True)
        height = np.array([heights[(name, *key)] for key in keys])
        _draw_runs(axes, own, height, style_of(place[name])["color"], label(name))
    axes.set_xscale("log")
    axes.set_yticks([])
    axes.set_ylim(-1, len(heights))
    axes.set_xlabel("evaluations / dimension")
    axes.set_ylabel("runs")
    write_title(axes, f"{rows['suite'][0]} f{rows['function'][0]}, {rows['dimension'][0]}-D")
    add_legend(axes)
    return figure


def _draw_runs(axes: Axes, rows: Rows, height: NDArray[np.int64], color: str, name: str) -> None:
    """Draw the runs of one algorithm, each start's row at its run's height."""
    first, later = rows["start"] == 0, rows["start"] > 0
    per = 1.0 / rows["dimension"]
    ends = (rows["evaluations"] * per)[first]
    axes.hlines(height[first], per[0], ends, color=color, linewidth=0.6)
    restarts = (rows["evaluation"] * per)[later]
    axes.plot(restarts, height[later], "|", color=color, markersize=4, label=name)
    hit = rows["status"][first] == "target"
    axes.plot(ends[hit], height[first][hit], "o", color=color, markersize=2.5, label="_nolegend_")

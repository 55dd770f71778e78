"""Restarts within runs, drawn as a rug: a line for each run, a tick for each restart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from ..tables.table import Table
from .frame import Rows, Shown, by_algorithm, frame
from .style import Name, add_names, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCHES_RUN = 0.075


@styled
def draw_restarts(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw each run as a line to its last evaluation, with a tick where it was restarted.

    A filled mark at the end is a run that hit the final target.

    Args:
        table: Of `Results.restarts`.
        **shown: ``suite``, ``function``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "function", "dimension"), shown)
    runs = _runs(rows)
    heights = {run: height for height, run in enumerate(sorted(set(runs)))}
    names = []
    for name, own, style in by_algorithm(rows, marked=False):
        places = np.array([heights[run] for run in _runs(own)])
        _draw_runs(axes, own, places, style["color"], name)
        names.append(Name(name, (places.mean() + 1) / (len(heights) + 1), style))
    figure.set_figheight(max(figure.get_figheight(), 0.9 + _INCHES_RUN * len(heights)))
    axes.set_xscale("log")
    axes.set(yticks=[], ylim=(-1, len(heights)), xlabel="evaluations / dimension", ylabel="runs")
    add_names(axes, names)
    return figure


def _runs(rows: Rows) -> list[tuple[str, int, int]]:
    """The run of each row."""
    names = ("algorithm", "instance", "repetition")
    return list(zip(*(rows[name].tolist() for name in names), strict=True))


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

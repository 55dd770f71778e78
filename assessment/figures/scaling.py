"""How runtimes grow with the dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..tables.table import Table
from .frame import Rows, Shown, by_algorithm, frame
from .style import add_legend, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@styled
def draw_scaling(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw aRT / dimension against the dimension, one curve for each algorithm.

    Both axes are logarithmic, so that a horizontal line is a runtime proportional to the dimension
    and a slope of 1 a quadratic one. Bars: 25 and 75 % of single runtimes.
    Where not all runs succeeded, their successes stand at the mark, and a cross shows the median
    length of those that did not.

    Args:
        table: Of `Results.scaling`.
        **shown: ``suite``, ``function``, ``target``.
    """
    figure, axes, rows = frame(table, ("suite", "function", "target"), shown)
    for name, own, style in by_algorithm(rows):
        _draw_algorithm(axes, own, name, style)
    dimensions = sorted(set(rows["dimension"].tolist()))
    axes.set(xscale="log", yscale="log", xlabel="dimension", ylabel="aRT / dimension")
    axes.set_xticks(dimensions, [str(d) for d in dimensions])
    axes.set_xticks([], minor=True)
    axes.set_xlim(dimensions[0] / 1.2, dimensions[-1] * 1.2)
    add_legend(axes)
    return figure


def _draw_algorithm(axes: Axes, rows: Rows, name: str, style: dict[str, Any]) -> None:
    reached = np.isfinite(rows["art"])
    x, y = rows["dimension"][reached], rows["art"][reached]
    low, high = (rows[key][reached] for key in ("q25", "q75"))
    axes.plot(x, y, label=name, **style)
    axes.vlines(x, low, np.where(np.isfinite(high), high, y), color=style["color"], linewidth=0.7)
    missed = rows["successes"] < rows["runs"]
    axes.plot(
        rows["dimension"][missed],
        rows["unsuccessful"][missed],
        "x",
        color=style["color"],
        markersize=6,
        label="_nolegend_",
    )
    for i in np.flatnonzero(missed & reached):
        axes.annotate(
            str(rows["successes"][i]),
            (rows["dimension"][i], rows["art"][i]),
            xytext=(3, 3),
            textcoords="offset points",
            fontsize=6,
            color=style["color"],
        )

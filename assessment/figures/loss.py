"""The loss against a reference by budget: the geometric mean over functions, and each function."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table
from .rows import chosen, split
from .style import add_legend, label, logarithmic, new_figure, places, style_of, styled, write_title

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_loss(table: Table, dimension: int | None = None, suite: str | None = None) -> Figure:
    """Draw the loss against a reference by budget: the geometric mean over functions, and each.

    Args:
        table: Of `Results.loss`.
        dimension: Which; None where the table holds one.
        suite: Likewise.
    """
    rows = chosen(table, suite=suite, dimension=dimension)
    figure, axes = new_figure()
    place = places(rows["algorithm"].tolist())
    for name, own in split(rows, "algorithm").items():
        style = style_of(place[name])
        known = np.isfinite(own["loss"]) & (own["loss"] > 0)
        points = {key: column[known] for key, column in own.items()}
        curve = split(points, "evaluations_per_dimension")
        means = [float(geometric_mean(one["loss"])) for one in curve.values()]
        axes.plot(list(curve), means, label=label(name), **style)
        axes.plot(
            points["evaluations_per_dimension"],
            points["loss"],
            ".",
            color=style["color"],
            markersize=2.5,
            alpha=0.5,
            label="_nolegend_",
        )
    logarithmic(axes)
    axes.axhline(1.0, color="0.6", linewidth=0.7)
    axes.set_xlabel("evaluations / dimension")
    axes.set_ylabel("runtime / that of the reference")
    write_title(axes, f"{rows['suite'][0]}, {rows['dimension'][0]}-D")
    add_legend(axes)
    return figure

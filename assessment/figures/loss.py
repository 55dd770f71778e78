"""The loss against a reference by budget: the geometric mean over functions, and each function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table
from .frame import Shown, by_algorithm, frame, split
from .style import add_legend, logarithmic, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_loss(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the loss against a reference by budget: the geometric mean over functions, and each.

    Args:
        table: Of `Results.loss`.
        **shown: ``suite``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "dimension"), shown)
    for name, own, style in by_algorithm(rows):
        known = np.isfinite(own["loss"]) & (own["loss"] > 0)
        points = {key: column[known] for key, column in own.items()}
        budgets = points["evaluations_per_dimension"]
        curve = split(points, "evaluations_per_dimension")
        means = [float(geometric_mean(one["loss"])) for one in curve.values()]
        axes.plot(list(curve), means, label=name, **style)
        dots = {"color": style["color"], "markersize": 2.5, "alpha": 0.5}
        axes.plot(budgets, points["loss"], ".", label="_nolegend_", **dots)
    logarithmic(axes)
    axes.axhline(1.0, color="0.6", linewidth=0.7)
    axes.set(xlabel="evaluations / dimension", ylabel="runtime / that of the reference")
    add_legend(axes)
    return figure

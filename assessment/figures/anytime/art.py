"""Average runtime against the target: how long an algorithm takes to come so close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...tables.table import Table
from ..frame import Shown, by_algorithm, frame
from ..style import add_legend, is_signed, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_art(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw aRT against the target precision, easy targets left, one curve for each algorithm.

    A curve ends where no run reached the target.

    Args:
        table: Of `Results.art`.
        **shown: ``suite``, ``function``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "function", "dimension"), shown)
    for name, own, style in by_algorithm(rows):
        reached = np.isfinite(own["art"])
        axes.plot(own["target"][reached], own["art"][reached], label=name, **style)
    if is_signed(rows, "target"):
        smallest = np.abs(rows["target"][rows["target"] != 0]).min()
        axes.set_xscale("symlog", linthresh=smallest)
    else:
        axes.set_xscale("log")
    axes.invert_xaxis()
    axes.set(xlabel="target precision", ylabel="aRT (evaluations)", yscale="log")
    add_legend(axes)
    return figure

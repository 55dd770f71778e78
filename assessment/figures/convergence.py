"""Convergence: the median of the best precision so far against the budget, with a band."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from ..tables.table import Table
from .frame import Shown, by_algorithm, frame
from .style import add_legend, drawn, is_signed, precision_axes, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BANDS = 4


@styled
def draw_convergence(
    table: Table, band: tuple[str, str] = ("25%", "75%"), **shown: Unpack[Shown]
) -> Figure:
    """Draw the median of the best precision so far against the budget, with a band of quantiles.

    Bands hide each other: they are drawn of at most four algorithms.

    Args:
        table: Of `Results.fixed_budget`.
        band: Columns of the lower and the upper end of the band.
        **shown: ``suite``, ``function``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "function", "dimension"), shown)
    signed = is_signed(rows, "median")
    few = len(set(rows["algorithm"].tolist())) <= MOST_BANDS
    for name, own, style in by_algorithm(rows, marked=False):
        axes.plot(own["budget"], drawn(own["median"], signed), label=name, **style)
        low, high = (drawn(own[end], signed) for end in band)
        if few:
            colour = style["color"]
            axes.fill_between(own["budget"], low, high, color=colour, alpha=0.15, linewidth=0)
    precision_axes(axes, signed)
    axes.set(xlabel="evaluations / dimension", ylabel="best precision so far")
    add_legend(axes)
    return figure

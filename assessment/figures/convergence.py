"""Convergence: the median of the best precision so far against the budget, with a band."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tables.table import Table
from .rows import chosen, split
from .style import (
    add_legend,
    drawn,
    is_signed,
    label,
    new_figure,
    places,
    precision_axes,
    style_of,
    styled,
    write_title,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_convergence(
    table: Table,
    function: int | None = None,
    dimension: int | None = None,
    suite: str | None = None,
    band: tuple[str, str] = ("25%", "75%"),
) -> Figure:
    """Draw the median of the best precision so far against the budget, with a band of quantiles.

    Args:
        table: Of `Results.fixed_budget`.
        function: Which; None where the table holds one.
        dimension: Likewise.
        suite: Likewise.
        band: Columns of the lower and the upper end of the band.
    """
    rows = chosen(table, suite=suite, function=function, dimension=dimension)
    signed = is_signed(rows, "median")
    figure, axes = new_figure()
    place = places(rows["algorithm"].tolist())
    for name, own in split(rows, "algorithm").items():
        style = style_of(place[name], marked=False)
        x = own["budget"]
        axes.plot(x, drawn(own["median"], signed), label=label(name), **style)
        low, high = (drawn(own[end], signed) for end in band)
        axes.fill_between(x, low, high, color=style["color"], alpha=0.15, linewidth=0)
    precision_axes(axes, signed)
    axes.set_xlabel("evaluations / dimension")
    write_title(axes, f"{rows['suite'][0]} f{rows['function'][0]}, {rows['dimension'][0]}-D")
    add_legend(axes)
    axes.set_ylabel("best precision so far")
    return figure

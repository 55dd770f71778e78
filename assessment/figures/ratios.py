"""The distribution of the runtime ratios of two algorithms, a curve for each target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tables.table import Table
from ..targets.parse import target_text
from .rows import chosen, split
from .style import add_legend, label, logarithmic, new_figure, style_of, styled, write_title

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_ratios(table: Table, dimension: int | None = None, suite: str | None = None) -> Figure:
    """Draw the distribution of runtime ratios of two algorithms, a curve for each target.

    Left of 1 the first is faster: the height at 1 is the share of pairs of runs in which it is.

    Args:
        table: Of `Results.ratios`.
        dimension: Which; None where the table holds one.
        suite: Likewise.
    """
    rows = chosen(table, suite=suite, dimension=dimension)
    figure, axes = new_figure()
    by_target = split(rows, "target")
    for place, (target, own) in enumerate(reversed(by_target.items())):
        style = style_of(place, marked=False)
        axes.plot(
            own["ratio"],
            own["fraction"],
            drawstyle="steps-post",
            label=f"target {target_text(target)}",
            **style,
        )
    logarithmic(axes, y=False)
    axes.axvline(1.0, color="0.6", linewidth=0.7)
    axes.set_ylim(0, 1.01)
    axes.set_xlabel(
        f"runtime of {label(rows['first'][0])} / of {label(rows['second'][0])}", parse_math=False
    )
    axes.set_ylabel("share of pairs of runs")
    write_title(axes, f"{rows['suite'][0]}, {rows['dimension'][0]}-D")
    add_legend(axes)
    return figure

"""The distribution of the runtime ratios of two algorithms, a curve for each target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from ..tables.table import Table
from ..targets.parse import target_text
from .frame import Shown, frame, split
from .style import add_legend, label, logarithmic, style_of, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_ratios(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the distribution of runtime ratios of two algorithms, a curve for each target.

    Left of 1 the first is faster: the height at 1 is the share of pairs of runs in which it is.

    Args:
        table: Of `Results.ratios`.
        **shown: ``suite``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "dimension"), shown)
    for place, (target, own) in enumerate(reversed(split(rows, "target").items())):
        axes.plot(
            own["ratio"],
            own["fraction"],
            drawstyle="steps-post",
            label=f"target {target_text(target)}",
            **style_of(place, marked=False),
        )
    logarithmic(axes, y=False)
    axes.axvline(1.0, color="0.6", linewidth=0.7)
    axes.set(ylim=(0, 1.01), ylabel="share of pairs of runs")
    first, second = label(rows["first"][0]), label(rows["second"][0])
    axes.set_xlabel(f"runtime of {first} / of {second}", parse_math=False)
    add_legend(axes)
    return figure

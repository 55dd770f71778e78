"""Average runtimes of one algorithm against those of another, a point for each target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..tables.table import Table
from .rows import chosen, split
from .style import (
    COLUMN_INCHES,
    add_legend,
    label,
    logarithmic,
    new_figure,
    style_of,
    styled,
    write_title,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_scatter(table: Table, function: int | None = None, suite: str | None = None) -> Figure:
    """Draw aRT of one algorithm against that of another, a point for each target and dimension.

    A colour and marker stand for a dimension. On the diagonal both are equal; points at the upper
    or right edge are targets that one of them did not reach. Filled marks: both aRTs are at most
    the longest run; the others rest on the successes of few.

    Args:
        table: Of `Results.scatter`.
        function: Which; None for all at once.
        suite: Which; None where the table holds one.
    """
    wanted = {"suite": suite} if function is None else {"suite": suite, "function": function}
    rows = chosen(table, **wanted)
    figure, axes = new_figure(COLUMN_INCHES)
    x, y = rows["art_second"], rows["art_first"]
    finite = np.concatenate([v[np.isfinite(v)] for v in (x, y)])
    low, high = (finite.min(), finite.max()) if finite.size else (1.0, 10.0)
    edge = high * 3
    for place, (dimension, own) in enumerate(split(rows, "dimension").items()):
        across, up = (
            np.where(np.isfinite(own[side]), own[side], edge)
            for side in ("art_second", "art_first")
        )
        neither = ~np.isfinite(own["art_second"]) & ~np.isfinite(own["art_first"])
        beyond = (across > own["longest_second"]) | (up > own["longest_first"])
        style = {**style_of(place), "linestyle": "none"}
        full = {**style, "markerfacecolor": style["color"]}
        for there, kind in ((~beyond & ~neither, full), (beyond & ~neither, style)):
            name = f"{dimension}-D" if kind is full else "_nolegend_"
            axes.plot(across[there], up[there], label=name, **kind)
    logarithmic(axes)
    ends = (low / 1.5, edge * 1.2)
    axes.plot(ends, ends, "-", color="0.6", linewidth=0.7, label="_nolegend_")
    axes.set_xlim(*ends)
    axes.set_ylim(*ends)
    axes.set_xlabel(f"aRT of {label(rows['second'][0])}", parse_math=False)
    axes.set_ylabel(f"aRT of {label(rows['first'][0])}", parse_math=False)
    shown = "all functions" if function is None else f"f{function}"
    write_title(axes, f"{rows['suite'][0]}, {shown}")
    add_legend(axes)
    return figure

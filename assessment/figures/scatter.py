"""Average runtimes of one algorithm against those of another, a point for each target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..tables.table import Table
from .frame import Shown, frame, split
from .style import add_legend, label, logarithmic, style_of, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_scatter(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw aRT of one algorithm against that of another, a point for each target and dimension.

    A colour and marker stand for a dimension. On the diagonal both are equal; points at the upper
    or right edge are targets that one of them did not reach. Filled marks: both aRTs are at most
    the longest run; the others rest on the successes of few.

    Args:
        table: Of `Results.scatter`.
        **shown: ``suite``; ``function``, without which all are shown at once.
    """
    one = shown.get("function") is not None
    figure, axes, rows = frame(table, ("suite", "function") if one else ("suite",), shown)
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
    axes.set(xlim=ends, ylim=ends, aspect="equal")
    axes.set_xlabel(f"aRT of {label(rows['second'][0])}", parse_math=False)
    axes.set_ylabel(f"aRT of {label(rows['first'][0])}", parse_math=False)
    add_legend(axes)
    return figure

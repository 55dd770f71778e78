"""A map of functions and algorithms: average runtimes divided by the least."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..statistics.ratios import ratios_to_best
from ..tables.table import Table
from .frame import Shown, frame
from .style import COLUMN_INCHES, label, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DARKEST_RATIO = 1e3


@styled
def draw_heatmap(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw a map of functions × algorithms: aRT divided by the least of the algorithms shown.

    A cell is white where the algorithm is the best, darker the more it takes, with the ratio in it,
    and hatched where it never succeeded.

    Args:
        table: Of `Results.art`.
        **shown: ``suite``, ``dimension``, ``target``.
    """
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Rectangle

    figure, axes, rows = frame(table, ("suite", "dimension", "target"), shown)
    names = sorted(set(rows["algorithm"].tolist()))
    functions = sorted(set(rows["function"].tolist()))
    art = np.full((len(functions), len(names)), np.nan)
    for name, function, value in zip(
        rows["algorithm"].tolist(), rows["function"].tolist(), rows["art"].tolist(), strict=True
    ):
        art[functions.index(function), names.index(name)] = value
    ratio = ratios_to_best(art)
    width = max(COLUMN_INCHES, 0.9 + 0.42 * len(names))
    figure.set_size_inches(width, 1.2 + 0.17 * len(functions))
    axes.grid(visible=False)
    finite = np.ma.masked_invalid(ratio)
    image = axes.imshow(finite, cmap="YlOrRd", norm=LogNorm(1, _DARKEST_RATIO), aspect="auto")
    for (i, j), value in np.ndenumerate(ratio):
        if np.isposinf(value):
            box = Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, hatch="////", linewidth=0)
            axes.add_patch(box)
        elif np.isfinite(value):
            ink = "white" if value > 60 else "black"
            axes.text(j, i, _short(value), ha="center", va="center", fontsize=5.5, color=ink)
    axes.set_xticks(range(len(names)), [label(name) for name in names], rotation=40, ha="right")
    for tick in axes.get_xticklabels():
        tick.set_parse_math(False)
    axes.set_yticks(range(len(functions)), [f"f{number}" for number in functions])
    figure.colorbar(image, ax=axes, label="aRT / least aRT", shrink=0.8)
    return figure


def _short(ratio: float) -> str:
    """A ratio in few signs.

    >>> [_short(r) for r in (1.0, 3.14, 42.4, 12345.0)]
    ['1', '3.1', '42', '1e4']
    """
    if ratio >= 1000:
        return f"{ratio:.0e}".replace("e+0", "e").replace("e+", "e")
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"

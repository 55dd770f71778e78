"""The critical-difference diagram: average ranks on a line, bars over what does not differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...statistics.merit.friedman import undecided_groups
from ...views.merit.ranks import RanksTable
from ..frame import PLACE, Shown, chosen, frame
from ..style import label, style_of, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BAR = 0.35


@styled
def draw_critical_difference(table: RanksTable, **shown: Unpack[Shown]) -> Figure:
    """Draw average ranks with their intervals, best on the left, as Demšar (2006, figure 1) does.

    A bar joins algorithms of which no two differ at ``table.alpha``, by the corrected p-values of
    its pairs.

    Args:
        table: Of `Results.ranks`.
        **shown: ``suite``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "dimension"), shown)
    names, ranks = rows["algorithm"].tolist(), rows["rank"]
    k = len(names)
    p = _p_values(table, rows["suite"][0], rows["dimension"][0], names)
    groups = undecided_groups(ranks, p, table.alpha)
    depth = _BAR * (len(groups) + 1.5)
    figure.set_figheight(0.8 + 0.16 * (k + depth))
    axes.grid(visible=False)
    for place, name in enumerate(names):
        y, style = -depth - place, style_of(int(rows[PLACE][place]))
        axes.plot([ranks[place]] * 2, [0, y], color="0.75", linewidth=0.6)
        axes.plot([rows["low"][place], rows["high"][place]], [y, y], color=style["color"])
        axes.plot([ranks[place]], [y], label=label(name), **style)
        right = np.nanmax([ranks[place], rows["high"][place]])
        axes.annotate(
            f"{label(name)}  {ranks[place]:.2f}", (right, y), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize=6, parse_math=False,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip
    for number, group in enumerate(groups, 1):
        axes.plot(ranks[group][[0, -1]], [-_BAR * number] * 2, color="black", linewidth=2.5)
    axes.set_xlim(0.9, max(k, float(np.fmax(ranks, rows["high"]).max())) + 0.1 + 0.35 * k)
    axes.set_ylim(-depth - k + 0.4, 0)
    axes.set_yticks([])
    axes.set_xticks(np.arange(1, k + 1))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("average rank")
    for side in ("left", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.spines["top"].set_visible(True)
    return figure


def _p_values(
    table: RanksTable, suite: str, dimension: int, names: list[str]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    p = np.ones((len(names), len(names)))
    pairs = chosen(table.pairs, ("suite", "dimension"), {"suite": suite, "dimension": dimension})
    for first, second, value in zip(pairs["first"], pairs["second"], pairs["p"], strict=True):
        i, j = names.index(first), names.index(second)
        p[i, j] = p[j, i] = value
    return p

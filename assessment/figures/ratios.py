"""The distribution of the runtime ratios of two algorithms, a curve for each target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..tables.table import Table
from ..targets.parse import target_text
from .frame import Shown, frame, split
from .style import DASHES, add_legend, label, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEAST_REACH, _MOST_REACH = 10.0, 1e4
"""Ratios are drawn from 1 / reach to reach; the curves go on beyond."""


@styled
def draw_ratios(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the distribution of runtime ratios of two algorithms, a curve for each target.

    Left of 1 the first is faster: the height at 1, marked by a dot, is the share of pairs of runs
    in which it is. Harder targets are darker. A curve that ends below 1 lacks pairs in which the
    first was never done.

    Args:
        table: Of `Results.ratios`.
        **shown: ``suite``, ``dimension``.
    """
    from matplotlib import colormaps

    figure, axes, rows = frame(table, ("suite", "dimension"), shown)
    first, second = label(rows["first"][0]), label(rows["second"][0])
    targets = list(reversed(split(rows, "target").items()))
    darker = colormaps["viridis_r"](np.linspace(0.25, 1.0, len(targets)))
    finite = [r[np.isfinite(r) & (r > 0)] for r in (own["ratio"] for _, own in targets)]
    reach = max([_LEAST_REACH, *(float(np.max(np.maximum(r, 1 / r))) for r in finite if len(r))])
    reach = min(10.0 ** np.ceil(np.log10(reach)), _MOST_REACH)
    for place, ((target, own), colour) in enumerate(zip(targets, darker, strict=True)):
        style: dict[str, Any] = {"color": tuple(colour), "linestyle": DASHES[place % len(DASHES)]}
        name = f"target {target_text(target)}"
        axes.plot(own["ratio"], own["fraction"], drawstyle="steps-post", label=name, **style)
        at_one = own["fraction"][own["ratio"] <= 1.0]
        axes.plot(1.0, at_one[-1] if len(at_one) else 0.0, "o", color=style["color"], markersize=3)
    axes.set(xscale="log", xlim=(1 / reach, reach), ylim=(0, 1.01), ylabel="share of pairs of runs")
    axes.axvline(1.0, color="0.6", linewidth=0.7)
    said: dict[str, Any] = {"transform": axes.transAxes, "fontsize": 6.5, "color": "0.35"}
    said["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
    axes.text(0.02, 0.96, f"← {first} faster", va="top", parse_math=False, **said)
    axes.text(0.98, 0.03, f"{second} faster →", ha="right", parse_math=False, **said)
    axes.set_xlabel(f"runtime of {first} / of {second}", parse_math=False)
    add_legend(axes)
    return figure

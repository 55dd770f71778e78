"""The joint figure of COCO's 2010 papers: runtimes to targets left, precisions at budgets right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...tables.table import Table
from ...targets.parse import target_text
from ..ecdf import REFERENCE
from ..frame import Rows, Shown, chosen, split, title_of
from ..style import COLOURS, DASHES, SIZES, add_legend, both_signs_across, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = ("algorithm", "suite", "group", "dimension")


@styled
def draw_joint(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the distributions of one algorithm's runtimes and precisions, as two panels.

    Left a curve for each target, the share of runs that reached it within a budget; right one for
    each budget, the share of runs within a precision, from the hardest target on: there each begins
    where the left curve of that target is at that budget. Curves of a reference are in the
    background.

    Args:
        table: Of `Results.joint`.
        **shown: ``algorithm``, ``suite``, ``group``, ``dimension``.
    """
    from matplotlib.figure import Figure

    rows = dict(table.columns)
    own = chosen(
        Table({name: column[rows["of"] != "reference"] for name, column in rows.items()}),
        _NAMES,
        shown,
    )
    cell = {name: own[name][0] for name in ("suite", "group", "dimension")}
    behind = rows["of"] == "reference"
    for name, value in cell.items():
        behind &= rows[name] == value
    reference = {name: column[behind] for name, column in rows.items()}
    figure = Figure(figsize=SIZES["page"], layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    by = split(own, "of")
    if behind.any():
        left.plot([], [], color="0.35", label="thick: reference")
    for curve in split(reference, "at").values() if behind.any() else ():
        steps = {"drawstyle": "steps-post", "linewidth": 2.5, "zorder": 1, "gid": "reference"}
        left.plot(curve["value"], curve["fraction"], color=REFERENCE, **steps)
    _draw(left, by["runtime"], target_text, descending=True)
    _draw(right, by["precision"], "{:g} D".format)
    left.set(xscale="log", xlabel="evaluations / dimension", ylabel="share of runs", ylim=(0, 1.02))
    signed = bool((by["precision"]["value"] <= 0).any())
    both_signs_across(right) if signed else right.set_xscale("log")
    right.set_xlabel("precision")
    add_legend(left)
    add_legend(right)
    left.set_title(title_of(own, _NAMES, shown), parse_math=False)
    return figure


def _draw(axes: Axes, rows: Rows, named: Callable[[float], str], descending: bool = False) -> None:
    """A curve for each target or budget, in colours and dashes that differ for any eye."""
    curves = list(split(rows, "at").items())
    last = rows["value"].max()
    for place, (at, curve) in enumerate(curves[::-1] if descending else curves):
        axes.plot(
            np.append(curve["value"], last),
            np.append(curve["fraction"], curve["fraction"][-1:]),
            drawstyle="steps-post",
            color=COLOURS[place % len(COLOURS)],
            linestyle=DASHES[place % len(DASHES)],
            label=named(at),
        )

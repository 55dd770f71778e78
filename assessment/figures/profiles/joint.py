"""The joint figure of COCO's 2010 papers: runtimes to targets left, precisions at budgets right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ...tables.table import Table
from ...targets.parse import target_text
from ..frame import Rows, Shown, chosen, split, title_of
from ..style import COLOURS, DASHES, SIZES, add_legend, both_signs_across, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = ("algorithm", "suite", "group", "dimension")
_BEHIND = {"linewidth": 3.0, "linestyle": "-", "alpha": 0.3, "zorder": 1, "gid": "reference"}


@styled
def draw_joint(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the distributions of one algorithm's runtimes and precisions, as two panels.

    Left a curve for each target, the share of runs that reached it within a budget; right one for
    each budget, the share of runs within a precision, from the hardest target on: there each begins
    where the left curve of that target is at that budget. Curves of a reference are in the
    background, thick and pale, in the colours of their targets.

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
        _draw(left, reference, lambda _: "_nolegend_", True, _BEHIND, by["runtime"]["value"].max())
    _draw(left, by["runtime"], target_text, descending=True)
    _draw(right, by["precision"], "{:g} D".format)
    left.set(xscale="log", xlabel="evaluations / dimension", ylabel="share of runs", ylim=(0, 1.02))
    signed = bool((by["precision"]["value"] <= 0).any())
    if signed:
        both_signs_across(right)
    else:
        right.set_xscale("log")
    right.set_xlabel("precision")
    add_legend(left)
    add_legend(right)
    left.set_title(title_of(own, _NAMES, shown), parse_math=False)
    return figure


def _draw(
    axes: Axes,
    rows: Rows,
    named: Callable[[float], str],
    descending: bool = False,
    look: Mapping[str, Any] = MappingProxyType({}),
    last: float = 0.0,
) -> None:
    """A curve for each target or budget, in colours and dashes that differ for any eye.

    They go on to the largest value of ``rows``, or to ``last`` where that is more.
    """
    curves = list(split(rows, "at").items())
    end = max(float(rows["value"].max()), last)
    for place, (at, curve) in enumerate(curves[::-1] if descending else curves):
        how = {
            "color": COLOURS[place % len(COLOURS)],
            "linestyle": DASHES[place % len(DASHES)],
            "label": named(at),
            **look,
        }
        axes.plot(
            np.append(curve["value"], end),
            np.append(curve["fraction"], curve["fraction"][-1:]),
            drawstyle="steps-post",
            **how,
        )

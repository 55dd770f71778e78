"""Attainment: levels of one algorithm as steps, the difference of two as coloured areas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...tables.table import Table
from ..frame import Shown, add_differences, frame, split
from ..style import (
    SMALLEST_PRECISION,
    add_legend,
    drawn,
    is_signed,
    precision_axes,
    style_of,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_X_LABEL = "evaluations / dimension"
_Y_LABEL = "best precision so far"


@styled
def draw_attainment(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the levels of an attainment function: from each curve on, so many runs are that good.

    Args:
        table: Of `Results.attainment`.
        **shown: ``algorithm``, ``suite``, ``group``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("algorithm", "suite", "group", "dimension"), shown)
    signed = is_signed(rows, "precision")
    last = rows["budget"].max()
    for place, (level, own) in enumerate(split(rows, "level").items()):
        x = np.append(own["budget"], last)
        y = drawn(np.append(own["precision"], own["precision"][-1]), signed)
        style = style_of(place, marked=False)
        axes.plot(x, y, drawstyle="steps-post", label=f"{level:g} %", **style)
    precision_axes(axes, signed)
    axes.set(xlabel=_X_LABEL, ylabel=_Y_LABEL)
    add_legend(axes)
    return figure


@styled
def draw_attainment_difference(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw where one algorithm attains more often than another: blue the first, red the second.

    Args:
        table: Of `Results.attainment_difference`.
        **shown: ``suite``, ``group``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "group", "dimension"), shown)
    figure.set_figheight(3.0)
    signed = is_signed(rows, "precision_from", "precision_to")
    corners = [rows[f"{name}_{end}"] for name in ("budget", "precision") for end in ("from", "to")]
    right, top = (2 * np.max(column[np.isfinite(column)], initial=1.0) for column in corners[::2])
    left, edge, low, high = (
        np.minimum(column, end)
        for column, end in zip(corners, (right, right, top, top), strict=True)
    )
    if not signed:
        low, high = (np.maximum(column, SMALLEST_PRECISION) for column in (low, high))
    axes.plot([left.min(), right], [low.min(), top], alpha=0)
    precision_axes(axes, signed)
    axes.set(xlim=(left.min(), right), ylim=(low.min(), top), xlabel=_X_LABEL, ylabel=_Y_LABEL)
    add_differences(axes, rows, (left, edge, low, high))
    return figure

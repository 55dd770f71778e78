"""Attainment: levels of one algorithm as steps, the difference of two as coloured areas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...tables.table import Table
from ..rows import chosen, split
from ..style import (
    SMALLEST_PRECISION,
    add_legend,
    drawn,
    is_signed,
    label,
    new_figure,
    precision_axes,
    style_of,
    styled,
    write_title,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_X_LABEL = "evaluations / dimension"
_Y_LABEL = "best precision so far"


@styled
def draw_attainment(
    table: Table,
    algorithm: str | None = None,
    dimension: int | None = None,
    group: str | None = None,
    suite: str | None = None,
) -> Figure:
    """Draw the levels of an attainment function: from each curve on, so many runs are that good.

    Args:
        table: Of `Results.attainment`.
        algorithm: Which; None where the table holds one.
        dimension: Likewise.
        group: Likewise.
        suite: Likewise.
    """
    rows = chosen(table, suite=suite, dimension=dimension, group=group, algorithm=algorithm)
    signed = is_signed(rows, "precision")
    figure, axes = new_figure()
    last = rows["budget"].max()
    for place, (level, own) in enumerate(split(rows, "level").items()):
        x = np.append(own["budget"], last)
        y = drawn(np.append(own["precision"], own["precision"][-1]), signed)
        style = style_of(place, marked=False)
        axes.plot(x, y, drawstyle="steps-post", label=f"{level:g} %", **style)
    precision_axes(axes, signed)
    axes.set_xlabel(_X_LABEL)
    axes.set_ylabel(_Y_LABEL)
    first = {name: column[0] for name, column in rows.items()}
    name = label(first["algorithm"])
    write_title(axes, f"{name}: {first['suite']} {first['group']}, {first['dimension']}-D")
    add_legend(axes)
    return figure


@styled
def draw_attainment_difference(
    table: Table,
    dimension: int | None = None,
    group: str | None = None,
    suite: str | None = None,
) -> Figure:
    """Draw where one algorithm attains more often than another: blue the first, red the second.

    Args:
        table: Of `Results.attainment_difference`.
        dimension: Which; None where the table holds one.
        group: Likewise.
        suite: Likewise.
    """
    from matplotlib.collections import PolyCollection

    rows = chosen(table, suite=suite, dimension=dimension, group=group)
    signed = is_signed(rows, "precision_from", "precision_to")
    corners = [rows[f"{name}_{end}"] for name in ("budget", "precision") for end in ("from", "to")]
    right, top = (2 * np.max(column[np.isfinite(column)], initial=1.0) for column in corners[::2])
    left, edge = (
        np.minimum(column, end) for column, end in zip(corners[:2], (right,) * 2, strict=True)
    )
    low, high = (np.minimum(column, top) for column in corners[2:])
    if not signed:
        low, high = (np.maximum(column, SMALLEST_PRECISION) for column in (low, high))
    boxes = np.stack([[left, low], [edge, low], [edge, high], [left, high]], axis=1).T
    figure, axes = new_figure(3.0)
    axes.plot([left.min(), right], [low.min(), top], alpha=0)
    precision_axes(axes, signed)
    areas = PolyCollection(
        list(boxes), array=rows["difference"], cmap="RdBu", edgecolor="face", linewidth=0.1
    )
    areas.set_clim(-1, 1)
    axes.add_collection(areas)
    axes.set_xlim(left.min(), right)
    axes.set_ylim(low.min(), top)
    first = {name: column[0] for name, column in rows.items()}
    bar = figure.colorbar(areas, ax=axes)
    bar.set_label(
        f"share of {label(first['first'])} - share of {label(first['second'])}", parse_math=False
    )
    axes.set_xlabel(_X_LABEL)
    axes.set_ylabel(_Y_LABEL)
    write_title(axes, f"{first['suite']} {first['group']}, {first['dimension']}-D")
    return figure

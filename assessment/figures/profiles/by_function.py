"""The profiles of all functions of a group in one figure, the group's own beside them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...views.ecdf import EcdfTable, Profile
from ..ecdf import REFERENCE, How, profiles_of
from ..frame import places_of
from ..style import label, style_of, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 3
_MOST_IN_THREE = 8
"""More panels than this stand in five columns."""
_PANEL_INCHES = 1.45


@styled
def draw_by_function(
    table: EcdfTable,
    dimension: int | None = None,
    group: str | None = None,
    suite: str | None = None,
    **how: Unpack[How],
) -> Figure:
    """Draw a panel for each function of a group, and at last one for the group.

    Args:
        table: Of `Results.ecdf`, with ``group_by=("function", "group")``, or ``"all"`` in place of
            ``"group"``.
        dimension: Which dimension; None where the table holds one only.
        group: Which group; likewise.
        suite: Which suite; likewise.
        **how: ``algorithms``, as in `frame.Shown`; the width follows from the number of panels.
    """
    from matplotlib.figure import Figure

    mine = profiles_of(table.profiles, suite=suite, dimension=dimension)
    single = {p.group for p in mine if p.group == f"f{p.functions[0]:03d}"}
    whole = profiles_of([p for p in mine if p.group not in single], group=group)
    functions = sorted({f for p in whole for f in p.functions})
    panels = [[p for p in mine if p.group == f"f{function:03d}"] for function in functions]
    panels.append(whole)
    places = places_of([p.algorithm for p in mine], how.get("algorithms"))
    columns = _COLUMNS if len(panels) <= _MOST_IN_THREE else 5
    rows = math.ceil(len(panels) / columns)
    size = (0.3 + _PANEL_INCHES * columns, 0.6 + _PANEL_INCHES * rows)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    limit = max(10.0, *(float(p.budgets[-1]) for own in panels for p in own))
    titles = [*(f"f{function}" for function in functions), whole[0].group]
    for axes, own, title in zip(grid, panels, titles, strict=False):
        _draw_panel(axes, own, places, limit)
        axes.set_title(title, fontweight="bold" if own is whole else None, parse_math=False)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    one = whole[0]
    title = f"{one.suite}, {one.dimension}-D, {one.targets_text}"
    figure.suptitle(title, x=0.01, ha="left", size=8.0)
    figure.supxlabel(one.axis.replace("/", " / "), size=8.0)
    figure.supylabel("fraction of function-target pairs", size=8.0)
    handles, shown = grid[len(panels) - 1].get_legend_handles_labels()
    legend = figure.legend(handles, shown, loc="outside right upper")
    for entry in legend.get_texts():
        entry.set_parse_math(False)
    return figure


def _draw_panel(axes: Axes, profiles: list[Profile], places: dict[str, int], limit: float) -> None:
    for profile in profiles:
        style = style_of(places[profile.algorithm], marked=False)
        if profile.reference:
            style = {"color": REFERENCE, "linewidth": 3.0, "zorder": 1}
        x = np.append(profile.budgets, limit)
        y = np.append(profile.fraction, profile.at(limit))
        name = label(profile.algorithm) + (" *" if profile.partial else "")
        axes.plot(x, y, drawstyle="steps-post", label=name, **style)
        for point, marker in ((profile.marker, "x"), (profile.dot, "o")):
            if point:
                axes.plot(*point, marker, color=style["color"], markersize=3.5, zorder=4)
    axes.set(xscale="log", xlim=(1, limit), ylim=(0, 1.02))

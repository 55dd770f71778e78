"""Convergence curves with a vertical and a horizontal cut, and the distributions at these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...statistics.quantiles import Floats
from ...targets.parse import target_text
from ...views.profiles.cuts import CutsTable
from ..frame import Shown, chosen, places_of, size_of, split
from ..style import drawn, label, precision_axes, style_of, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT = 3.2
_WIDTHS = (2, 1)
_CORNER_POINTS = 40.0
"""Room for the names of algorithms, in the corner between both distributions."""


@styled
def draw_cuts(table: CutsTable, **shown: Unpack[Shown]) -> Figure:
    """Draw the convergence curves of runs, cut at a budget and at a target.

    The vertical line is the budget: where curves cross it are the precisions of the fixed-budget
    view, whose distribution is in the panel at the right. The horizontal line is the target: where
    curves cross it are the runtimes of the fixed-target view, whose distribution is in the panel
    above.

    Args:
        table: Of `Results.cuts`.
        **shown: ``suite``, ``function``, ``dimension``.
    """
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    rows = chosen(table, ("suite", "function", "dimension"), shown)
    cell = tuple(rows[name][0] for name in ("suite", "function", "dimension"))
    curves = [c for c in table.curves if (c.suite, c.function, c.dimension) == cell]
    signed = any(p.min(initial=0.0) < 0 for one in curves for _, p in one.curves)
    budget, target = float(rows["budget"][0]), float(rows["target"][0])
    figure = Figure(figsize=(size_of(shown)[0], _HEIGHT), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=_WIDTHS, height_ratios=(1, 3))
    main = figure.add_subplot(grid[1, 0])
    above = figure.add_subplot(grid[0, 0], sharex=main)
    right = figure.add_subplot(grid[1, 1], sharey=main)
    last = max([budget, *(float(b[-1]) for one in curves for b, _ in one.curves if b.size)])
    by = split(rows, "algorithm")
    places = places_of([one.algorithm for one in curves], shown.get("algorithms"))
    for one in sorted(curves, key=lambda curve: curve.algorithm):
        style = style_of(places[one.algorithm], marked=False)
        for i, (budgets, precision) in enumerate(one.curves):
            x, y = np.append(budgets, last), np.append(precision, precision[-1:])
            if y.size:
                name = label(one.algorithm) if not i else "_nolegend_"
                x = x[: len(y)] if len(y) == len(x) else x
                thin = {**style, "linewidth": 0.6, "alpha": 0.7}
                main.plot(x, drawn(y, signed), drawstyle="steps-post", label=name, **thin)
        own = by[one.algorithm]
        steps = style | {"drawstyle": "steps-post"}
        above.plot(*_distribution(own["runtime"]), **steps)
        precisions, share = _distribution(own["precision"])
        right.plot(share, drawn(precisions, signed), drawstyle="steps-pre", **style)
    precision_axes(main, signed)
    for axes in (main, above):
        axes.axvline(budget, color="0.3", linewidth=0.8, linestyle=":", gid="budget")
    for axes in (main, right):
        axes.axhline(max(target, 0.0) or target, color="0.3", linewidth=0.8, linestyle=":")
    above.set(ylim=(0, 1.02), ylabel="share")
    right.set(xlim=(0, 1.02), xlabel="share")
    above.tick_params(labelbottom=False)
    right.tick_params(labelleft=False)
    main.set(xlabel="evaluations / dimension", ylabel="best precision so far")
    suite, function, dimension = cell
    above.set_title(
        f"{suite} f{function}, {dimension}-D: budget {budget:g}, target {target_text(target)}",
        parse_math=False,
    )
    corner = figure.add_subplot(grid[0, 1])
    corner.set_axis_off()
    names = sorted({one.algorithm for one in curves}, key=places.__getitem__)
    room = {"borderaxespad": 0.0, "handlelength": 1.5, "labelspacing": 0.2}
    corner.legend(
        [Line2D([], [], **style_of(places[name], marked=False)) for name in names],
        [label(name) for name in names],
        loc="upper left",
        fontsize=min(6.5, _CORNER_POINTS / len(names)),
        **room,
    )
    return figure


def _distribution(values: Floats) -> tuple[Floats, Floats]:
    """The finite values, ascending, and the share of all that are at most each; from 0 on."""
    finite = np.sort(values[np.isfinite(values)])
    if not finite.size:
        return finite, finite
    return np.append(finite[0], finite), np.arange(finite.size + 1) / values.size

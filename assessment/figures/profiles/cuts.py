"""Convergence curves with a vertical and a horizontal cut, and the distributions at these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ...statistics.quantiles import Floats
from ...targets.parse import target_text
from ...views.profiles.cuts import CutsTable
from ..frame import PLACE, Shown, by_algorithm, chosen, size_of
from ..style import drawn, precision_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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

    rows = chosen(table, ("suite", "function", "dimension"), shown)
    suite, function, dimension = (rows[name][0] for name in ("suite", "function", "dimension"))
    curves = {
        one.algorithm: one.curves
        for one in table.curves
        if (one.suite, one.function, one.dimension) == (suite, function, dimension)
    }
    every = [curve for of_algorithm in curves.values() for curve in of_algorithm]
    signed = any(precision.min(initial=0.0) < 0 for _, precision in every)
    budget, target = float(rows["budget"][0]), float(rows["target"][0])
    last = max([budget, *(float(budgets[-1]) for budgets, _ in every if budgets.size)])
    figure = Figure(figsize=(size_of(shown)[0], _HEIGHT), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=_WIDTHS, height_ratios=(1, 3))
    main = figure.add_subplot(grid[1, 0])
    above = figure.add_subplot(grid[0, 0], sharex=main)
    right = figure.add_subplot(grid[1, 1], sharey=main)
    algorithms = list(by_algorithm(rows, marked=False))
    for _, own, style in algorithms:
        thin = {**style, "linewidth": 0.6, "alpha": 0.7, "drawstyle": "steps-post"}
        for budgets, precision in curves[own["algorithm"][0]]:
            if budgets.size:
                y = drawn(np.append(precision, precision[-1]), signed)
                main.plot(np.append(budgets, last), y, **thin)
        above.plot(*_distribution(own["runtime"]), drawstyle="steps-post", **style)
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
    above.set_title(
        f"{suite} f{function}, {dimension}-D: budget {budget:g}, target {target_text(target)}",
        parse_math=False,
    )
    algorithms.sort(key=lambda one: int(one[1][PLACE][0]))
    styles = [style for _, _, style in algorithms]
    _draw_names(figure.add_subplot(grid[0, 1]), [name for name, _, _ in algorithms], styles)
    return figure


def _draw_names(corner: Axes, names: list[str], styles: list[dict[str, Any]]) -> None:
    """The names of algorithms alone, each with its line."""
    from matplotlib.lines import Line2D

    corner.set_axis_off()
    corner.legend(
        [Line2D([], [], **style) for style in styles],
        names,
        loc="upper left",
        fontsize=min(6.5, _CORNER_POINTS / len(names)),
        borderaxespad=0.0,
        handlelength=1.5,
        labelspacing=0.2,
    )


def _distribution(values: Floats) -> tuple[Floats, Floats]:
    """The finite values, ascending, and the share of all that are at most each; from 0 on."""
    finite = np.sort(values[np.isfinite(values)])
    if not finite.size:
        return finite, finite
    return np.append(finite[0], finite), np.arange(finite.size + 1) / values.size

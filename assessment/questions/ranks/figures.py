"""Draw average ranks: as a critical-difference diagram, and as curves over budgets.

In the diagram, a bar joins algorithms whose ranks do not differ significantly. Over budgets, a
vertical line marks each change of the order of the algorithms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...errors import AssessmentError
from ...figures.axes import (
    LABEL,
    PLACE,
    FigureOptions,
    Rows,
    by_algorithm,
    chosen,
    figure_and_axes,
    has_few_algorithms,
)
from ...figures.style import add_legend, style_of
from ...statistics.friedman import undecided_groups
from ...statistics.quantiles import Floats
from ...targets.budgets import axis_text
from .table import RanksTable, ranks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .._framework.cell import Cell

_BAR_DISTANCE = 0.35
"""Vertical distance of two bars; the names of two algorithms are 1 apart."""
_MARGIN_POINTS = 8.0
"""Width that is kept free right of the names."""
_MIN_TICK_POINTS = 11.0
"""Minimum distance of two ticks, at which their numbers do not touch."""


def _caption(cell: Cell) -> str:
    table = cell.table
    assert isinstance(table, RanksTable)
    options, target = table.options, table.targets.text(cell.values["suite"])
    beginning = f"Average ranks over functions on {cell.place}, 1 is best"
    intervals = f", with {100 * options.resampling.level:g} % intervals over instances"
    if table.is_over_budgets:
        if not has_few_algorithms(table.ranks):
            intervals = ""
        return (
            f"{beginning}, within budgets up to the longest run{intervals}; {target}: runs that "
            f"hit it within the budget are ordered by {table.runtime_unit}, all others by "
            "precision. Lines: the order of the algorithms changes between these budgets."
        )
    return (
        f"{beginning}{intervals}; {target}, runs that missed it ordered by precision. Bars join "
        f"algorithms whose ranks do not differ at {options.alpha:g} (Friedman, "
        f"{options.correction.capitalize()})."
    )


@ranks.figure(
    "critical-difference",
    cells="suite dimension",
    caption=_caption,
)
def draw_critical_difference(table: RanksTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw average ranks with their intervals, best on the left, as Demšar (2006, figure 1) does.

    A bar joins algorithms if no two of them differ by the corrected p-values of the pairs.
    `draw_ranks_over_budgets` draws ranks over budgets.

    Args:
        table: The table of `ranks`.
        **options: ``suite`` and ``dimension`` select the rows of the table.
    """
    if table.is_over_budgets:
        return draw_ranks_over_budgets(table, **options)
    figure, axes, rows = figure_and_axes(table.ranks, ("suite", "dimension"), options)
    names, average = rows["algorithm"].tolist(), rows["rank"]
    n_algorithms = len(names)
    p = _p_value_matrix(chosen(table.pairs, ("suite", "dimension"), options), names)
    groups = undecided_groups(average, p, table.options.alpha)
    depth = _BAR_DISTANCE * (len(groups) + 1.5)
    figure.set_figheight(0.8 + 0.16 * (n_algorithms + depth))
    axes.grid(visible=False)
    for i, name in enumerate(rows[LABEL].tolist()):
        y, style = -depth - i, style_of(int(rows[PLACE][i]))
        axes.plot([average[i]] * 2, [0, y], color="0.75", linewidth=0.6)
        axes.plot(
            [rows["low"][i], rows["high"][i]],
            [y, y],
            color=style["color"],
            linestyle=style["linestyle"],
        )
        axes.plot([average[i]], [y], label=name, **style)
        right = np.nanmax([average[i], rows["high"][i]])
        axes.annotate(
            f"{name}  {average[i]:.2f}", (right, y), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize=6, parse_math=False,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip
    for number, group in enumerate(groups, 1):
        axes.plot(
            average[group][[0, -1]], [-_BAR_DISTANCE * number] * 2, color="black", linewidth=2.5
        )
    left = 1 - max(0.1, 0.03 * n_algorithms)  # room for the marker of rank 1
    axes.set_xlim(left, max(n_algorithms, float(np.fmax(average, rows["high"]).max())) + 0.1)
    axes.set_ylim(-depth - n_algorithms + 0.4, 0)
    axes.set_yticks([])
    axes.set_xticks(np.arange(1, n_algorithms + 1))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("average rank")
    for side in ("left", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.spines["top"].set_visible(True)
    _fit_names(figure, axes)
    return figure


def _p_value_matrix(pairs: Rows, names: Sequence[str]) -> Floats:
    """Return the symmetric matrix of the p-values of all pairs, in the order of ``names``.

    Its diagonal is 1.
    """
    p = np.ones((len(names), len(names)))
    for first, second, value in zip(pairs["first"], pairs["second"], pairs["p"], strict=True):
        i, j = names.index(first), names.index(second)
        p[i, j] = p[j, i] = value
    return p


def _fit_names(figure: Figure, axes: Axes) -> None:
    """Widen the x axis until the names right of the points are inside, and thin out its ticks."""
    from matplotlib.text import Annotation

    figure.draw_without_rendering()  # texts have an extent only after the figure was drawn
    box, (low, high) = axes.get_window_extent(), axes.get_xlim()
    for text in axes.texts:
        if isinstance(text, Annotation):
            free = box.width - text.get_window_extent().width - _MARGIN_POINTS * figure.dpi / 72
            # 0.1: a name wider than the axes must not widen the axis without limit
            high = max(high, low + (text.xy[0] - low) * box.width / max(free, 0.1 * box.width))
    axes.set_xlim(low, high)
    step = math.ceil(_MIN_TICK_POINTS * (high - low) * figure.dpi / 72 / box.width)
    axes.set_xticks(axes.get_xticks()[::step])


@ranks.figure(
    "ranks-over-budgets",
    cells="suite dimension",
    caption=_caption,
    over="budgets",
)
def draw_ranks_over_budgets(table: RanksTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw average ranks within budgets, best on top, with a line where their order changes.

    Bands show the intervals of ranks if there are at most four algorithms.

    Args:
        table: The table of `ranks` over budgets.
        **options: ``suite`` and ``dimension`` select the curves.

    Raises:
        AssessmentError: The table has ranks at a target, not over budgets.
    """
    if not table.is_over_budgets:
        raise AssessmentError(
            "figure: ranks-over-budgets shows ranks within several budgets; ask for them (--over "
            "budgets)"
        )
    figure, axes, rows = figure_and_axes(table.ranks, ("suite", "dimension"), options)
    curves = list(by_algorithm(rows))
    for name, curve, style in curves:  # rows ascend by budget, as `ranks` makes them
        budgets = curve["budget"]
        axes.plot(budgets, curve["rank"], label=name, **style)
        if has_few_algorithms(table.ranks):
            axes.fill_between(
                budgets, curve["low"], curve["high"], color=style["color"], alpha=0.12, linewidth=0
            )
    average = np.array([curve["rank"] for _, curve, _ in curves])
    for change in _find_order_changes(np.unique(rows["budget"]), average):
        axes.axvline(change, color="0.5", linewidth=0.7, linestyle=":", gid="change")
    axes.set_xscale("log")
    axes.set(xlabel=axis_text(table.axis), ylabel="average rank")
    axes.set_ylim(len(curves) + 0.1, 0.9)
    axes.set_yticks(np.arange(1, len(curves) + 1))
    add_legend(axes)
    return figure


def _find_order_changes(budgets: Floats, ranks: Floats) -> list[float]:
    """Return the budgets at which the order of two algorithms changes, ascending.

    Args:
        budgets: Budgets, ascending, shape ``(n_budgets,)``.
        ranks: Average ranks, shape ``(n_algorithms, n_budgets)``.

    Returns:
        The geometric mean of the last budget with the old order and the first with the new one.
    """
    changes = set()
    for first, second in combinations(ranks, 2):
        signs = np.sign(first - second)
        # Budgets at which the two algorithms tie have no order and are skipped.
        untied = np.flatnonzero(signs)
        for previous, following in pairwise(untied.tolist()):
            if signs[previous] != signs[following]:
                changes.add(float(np.sqrt(budgets[previous] * budgets[following])))
    return sorted(changes)

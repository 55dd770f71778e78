"""Average ranks: the critical-difference diagram with bars over what does not differ; budgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...figures.axes import PLACE, FigureOptions, Rows, by_algorithm, chosen, figure_and_axes
from ...figures.style import add_legend, label, style_of
from ...statistics.friedman import undecided_groups
from ...statistics.quantiles import Floats
from ...targets.budgets import axis_text
from .table import RanksTable, ranks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...asking.cell import Cell

_BAR = 0.35
_MARGIN_POINTS = 8.0
_TICK_POINTS = 11.0


def _caption(cell: Cell) -> str:
    assert isinstance(cell.table, RanksTable)
    options, target = cell.table.options, cell.table.targets.text(cell.values["suite"])
    return (
        f"Average ranks over functions on {cell.place}, 1 is best, with "
        f"{100 * options.resampling.level:g} % intervals over instances; {target}, runs that "
        "missed it ordered by precision. Bars join algorithms whose ranks do not differ at "
        f"{options.alpha:g} (Friedman, {options.correction.capitalize()})."
    )


@ranks.figure(
    "critical-difference",
    cells="suite dimension",
    caption=_caption,
    options="targets unequal count",
    curated=True,
    unasked="where it applies",
)
def draw_critical_difference(table: RanksTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw average ranks with their intervals, best on the left, as Demšar (2006, figure 1) does.

    A bar joins algorithms of which no two differ, by the corrected p-values of the pairs. Ranks
    over budgets are drawn by `draw_ranks_over_budgets`.

    Args:
        table: The table.
        **options: ``suite``, ``dimension``.
    """
    if "budget" in table.ranks.names:
        return draw_ranks_over_budgets(table, **options)
    figure, axes, rows = figure_and_axes(table.ranks, ("suite", "dimension"), options)
    names, average = rows["algorithm"].tolist(), rows["rank"]
    k = len(names)
    p = _p_values(chosen(table.pairs, ("suite", "dimension"), options), names)
    groups = undecided_groups(average, p, table.options.alpha)
    depth = _BAR * (len(groups) + 1.5)
    figure.set_figheight(0.8 + 0.16 * (k + depth))
    axes.grid(visible=False)
    for place, name in enumerate(names):
        y, style = -depth - place, style_of(int(rows[PLACE][place]))
        axes.plot([average[place]] * 2, [0, y], color="0.75", linewidth=0.6)
        axes.plot([rows["low"][place], rows["high"][place]], [y, y], color=style["color"])
        axes.plot([average[place]], [y], label=label(name), **style)
        right = np.nanmax([average[place], rows["high"][place]])
        axes.annotate(
            f"{label(name)}  {average[place]:.2f}", (right, y), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize=6, parse_math=False,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip
    for number, group in enumerate(groups, 1):
        axes.plot(average[group][[0, -1]], [-_BAR * number] * 2, color="black", linewidth=2.5)
    axes.set_xlim(0.9, max(k, float(np.fmax(average, rows["high"]).max())) + 0.1)
    axes.set_ylim(-depth - k + 0.4, 0)
    axes.set_yticks([])
    axes.set_xticks(np.arange(1, k + 1))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("average rank")
    for side in ("left", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.spines["top"].set_visible(True)
    _make_room(figure, axes)
    return figure


def _caption_over_budgets(cell: Cell) -> str:
    assert isinstance(cell.table, RanksTable)
    level = 100 * cell.table.options.resampling.level
    target = cell.table.targets.text(cell.values["suite"])
    return (
        f"Average ranks over functions on {cell.place}, 1 is best, within budgets up to the "
        f"longest run, with {level:g} % intervals over instances; {target}: runs that hit it "
        f"within the budget are ordered by {cell.table.runtime_unit}, all others by "
        "precision. Lines: the order of the algorithms changes between these budgets."
    )


@ranks.figure(
    "ranks-over-budgets",
    cells="suite dimension",
    caption=_caption_over_budgets,
    options="targets unequal count",
    unasked="where it applies",
    over="budgets",
)
def draw_ranks_over_budgets(table: RanksTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw average ranks within budgets, best on top, with a line where their order changes.

    Args:
        table: The table, over budgets.
        **options: ``suite``, ``dimension``.
    """
    figure, axes, rows = figure_and_axes(table.ranks, ("suite", "dimension"), options)
    curves = list(by_algorithm(rows))
    for name, own, style in curves:
        place = np.argsort(own["budget"])
        at, low, high = (own[column][place] for column in ("budget", "low", "high"))
        axes.plot(at, own["rank"][place], label=name, **style)
        axes.fill_between(at, low, high, color=style["color"], alpha=0.12, linewidth=0)
    budgets = np.unique(rows["budget"])
    average = np.array([own["rank"][np.argsort(own["budget"])] for _, own, _ in curves])
    for change in _changes(budgets, average):
        axes.axvline(change, color="0.5", linewidth=0.7, linestyle=":", gid="change")
    axes.set_xscale("log")
    axes.set(xlabel=axis_text(table.axis), ylabel="average rank")
    axes.set_ylim(len(curves) + 0.1, 0.9)
    axes.set_yticks(np.arange(1, len(curves) + 1))
    add_legend(axes)
    return figure


def _changes(budgets: Floats, ranks: Floats) -> list[float]:
    """Between which budgets the order of two algorithms changes; in the middle where they tie."""
    found = set()
    for first, second in combinations(ranks, 2):
        signs = np.sign(first - second)
        apart = np.flatnonzero(signs)
        for before, after in pairwise(apart.tolist()):
            if signs[before] != signs[after]:
                found.add(float(np.sqrt(budgets[before] * budgets[after])))
    return sorted(found)


def _make_room(figure: Figure, axes: Axes) -> None:
    """Widen the axis until the names right of the points are inside; ticks stay apart."""
    from matplotlib.text import Annotation

    figure.draw_without_rendering()
    box, low = axes.get_window_extent(), axes.get_xlim()[0]
    last = axes.get_xlim()[1]
    for text in axes.texts:
        if isinstance(text, Annotation):
            free = box.width - text.get_window_extent().width - _MARGIN_POINTS * figure.dpi / 72
            last = max(last, low + (text.xy[0] - low) * box.width / max(free, 0.1 * box.width))
    axes.set_xlim(low, last)
    step = math.ceil(_TICK_POINTS * (last - low) * figure.dpi / 72 / box.width)
    axes.set_xticks(axes.get_xticks()[::step])


def _p_values(pairs: Rows, names: Sequence[str]) -> Floats:
    """Of all pairs of algorithms, in the order of their names, 1 on the diagonal."""
    p = np.ones((len(names), len(names)))
    for first, second, value in zip(pairs["first"], pairs["second"], pairs["p"], strict=True):
        i, j = names.index(first), names.index(second)
        p[i, j] = p[j, i] = value
    return p

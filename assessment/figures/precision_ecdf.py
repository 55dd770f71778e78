"""The share of runs within each precision, a panel for each budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..tables.table import Table
from .frame import Rows, Shown, by_algorithm, chosen, size_of, split, title_of
from .style import add_legend, both_signs_across, is_signed, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_PANELS = {"column": 3, "page": 5}
_NAMES = ("suite", "group", "dimension")


@styled
def draw_precision_ecdf(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the share of runs within each precision, a panel for each budget.

    Precision falls to the right, so that a curve goes on where the profile of runtimes to the
    hardest target ends at that budget. Of more budgets than have room, three in a column and five
    on a page, the largest are shown. Where budgets are joined, there is one panel.

    Args:
        table: Of `Results.precision_ecdf`.
        **shown: ``suite``, ``group``, ``dimension``.
    """
    from matplotlib.figure import Figure

    rows = chosen(table, _NAMES, shown)
    column = "budgets" if "budgets" in rows else "budget"
    panels = list(split(rows, column).items())[-_MOST_PANELS[shown.get("width", "column")] :]
    figure = Figure(figsize=size_of(shown), layout="constrained")
    every = np.atleast_1d(figure.subplots(1, len(panels), sharex=True, sharey=True))
    for axes, (budget, own) in zip(every, panels, strict=True):
        _draw_panel(axes, own, f"{budget:g} · D" if column == "budget" else str(budget))
    _scale(every[0], rows)
    figure.suptitle(title_of(rows, _NAMES, shown), x=0.01, ha="left", fontsize=8, parse_math=False)
    every[0].set_ylabel("share of runs")
    figure.supxlabel("precision", fontsize=8)
    add_legend(every[-1])
    return figure


def _draw_panel(axes: Axes, rows: Rows, title: str) -> None:
    for name, own, style in by_algorithm(rows, marked=False):
        axes.plot(own["precision"], own["fraction"], drawstyle="steps-post", label=name, **style)
    axes.set_title(title, fontsize=7)


def _scale(axes: Axes, rows: Rows) -> None:
    """The axes of all panels: logarithmic, with both signs symmetrically so around 0."""
    positive = rows["precision"][rows["precision"] > 0]
    if is_signed(rows, "precision"):
        both_signs_across(axes)
    elif len(positive):
        axes.set_xscale("log")
        low, high = (np.log10(end(positive)) for end in (np.min, np.max))
        step = max(int(np.ceil((high - low) / 2)), 1)
        axes.set_xticks(10.0 ** np.arange(np.ceil(low), np.floor(high) + 1e-9, step))
        axes.set_xticks([], minor=True)
    axes.invert_xaxis()
    axes.set_ylim(0, 1.01)

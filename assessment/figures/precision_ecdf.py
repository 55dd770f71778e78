"""The share of runs within each precision at budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from ..tables.table import Table
from .frame import Shown, by_algorithm, frame, split
from .style import SMALLEST_TARGET, add_legend, is_signed, logarithmic, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_precision_ecdf(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw the share of runs within each precision, one curve for each algorithm and budget.

    Precision falls to the right, so that a curve goes on where the profile of runtimes to
    the hardest target ends at that budget. Larger budgets are drawn darker; the legend names the
    largest. Where budgets are joined, there is one curve for each algorithm.

    Args:
        table: Of `Results.precision_ecdf`.
        **shown: ``suite``, ``group``, ``dimension``.
    """
    figure, axes, rows = frame(table, ("suite", "group", "dimension"), shown)
    column = "budgets" if "budgets" in rows else "budget"
    budgets = sorted(set(rows[column].tolist()))
    for name, own, style in by_algorithm(rows, marked=False):
        for budget, curve in split(own, column).items():
            axes.plot(
                curve["precision"],
                curve["fraction"],
                drawstyle="steps-post",
                alpha=0.3 + 0.7 * (budgets.index(budget) + 1) / len(budgets),
                label=name if budget == budgets[-1] else "_nolegend_",
                **style,
            )
    logarithmic(axes, y=False)
    if is_signed(rows, "precision"):
        axes.set_xscale("symlog", linthresh=SMALLEST_TARGET)
    axes.invert_xaxis()
    axes.set(ylim=(0, 1.01), xlabel="precision", ylabel="share of runs")
    add_legend(axes)
    return figure

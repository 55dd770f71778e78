"""The share of runs within each precision at budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tables.table import Table
from .rows import chosen, split
from .style import (
    SMALLEST_TARGET,
    add_legend,
    is_signed,
    label,
    logarithmic,
    new_figure,
    places,
    style_of,
    styled,
    write_title,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_precision_ecdf(
    table: Table,
    dimension: int | None = None,
    group: str | None = None,
    suite: str | None = None,
) -> Figure:
    """Draw the share of runs within each precision, one curve for each algorithm and budget.

    Precision falls to the right, so that a curve goes on where the profile of runtimes to
    the hardest target ends at that budget. Larger budgets are drawn darker; the legend names the
    largest.

    Args:
        table: Of `Results.precision_ecdf`.
        dimension: Which; None where the table holds one.
        group: Likewise.
        suite: Likewise.
    """
    rows = chosen(table, suite=suite, dimension=dimension, group=group)
    figure, axes = new_figure()
    place = places(rows["algorithm"].tolist())
    budgets = sorted(set(rows["budget"].tolist()))
    for name, own in split(rows, "algorithm").items():
        for budget, curve in split(own, "budget").items():
            style = style_of(place[name], marked=False)
            strength = 0.3 + 0.7 * (budgets.index(budget) + 1) / len(budgets)
            axes.plot(
                curve["precision"],
                curve["fraction"],
                drawstyle="steps-post",
                alpha=strength,
                label=label(name) if budget == budgets[-1] else "_nolegend_",
                **style,
            )
    logarithmic(axes, y=False)
    if is_signed(rows, "precision"):
        axes.set_xscale("symlog", linthresh=SMALLEST_TARGET)
    axes.invert_xaxis()
    axes.set_ylim(0, 1.01)
    axes.set_xlabel("precision")
    axes.set_ylabel("share of runs")
    write_title(axes, f"{rows['suite'][0]}, {rows['group'][0]}, {rows['dimension'][0]}-D")
    add_legend(axes)
    return figure

"""What is reached within a budget: convergence, statistics, distributions of precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..tables.table import Table
from .choosing import chosen, split
from .style import add_legend, label, logarithmic, new_figure, places, style_of, styled, write_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SMALLEST_PRECISION = 1e-12
"""Precisions below are drawn here: a logarithmic axis has no zero."""

STATISTICS = {
    "mean": "mean",
    "median": "median",
    "geometric_mean": "geometric mean",
}


@styled
def draw_convergence(
    table: Table,
    function: int | None = None,
    dimension: int | None = None,
    suite: str | None = None,
    band: tuple[str, str] = ("25%", "75%"),
) -> Figure:
    """Draw the median of the best precision so far against the budget, with a band of quantiles.

    Args:
        table: Of `Results.fixed_budget`.
        function: Which; None where the table holds one.
        dimension: Likewise.
        suite: Likewise.
        band: Columns of the lower and the upper end of the band.

    Raises:
        AssessmentError: The table holds no such rows, or several would fit.
        MissingPackageError: matplotlib is not installed.
    """
    rows = chosen(table, suite=suite, function=function, dimension=dimension)
    figure, axes = new_figure()
    place = places(rows["algorithm"].tolist())
    for name, own in split(rows, "algorithm").items():
        style = style_of(place[name], marked=False)
        x = own["budget"]
        axes.plot(x, _drawn(own["median"]), label=label(name), **style)
        low, high = (_drawn(own[end]) for end in band)
        axes.fill_between(x, low, high, color=style["color"], alpha=0.15, linewidth=0)
    _dress(axes, f"{rows['suite'][0]} f{rows['function'][0]}, {rows['dimension'][0]}-D")
    axes.set_ylabel("best precision so far")
    return figure


@styled
def draw_fixed_budget(
    table: Table,
    statistic: str = "geometric_mean",
    function: int | None = None,
    dimension: int | None = None,
    suite: str | None = None,
) -> Figure:
    """Draw one statistic of the best precision at budgets, one curve for each algorithm.

    Args:
        table: Of `Results.fixed_budget`.
        statistic: A column: ``"mean"``, ``"median"``, ``"geometric_mean"``, ``"10%"``, ….
        function: Which; None where the table holds one.
        dimension: Likewise.
        suite: Likewise.

    Raises:
        UnknownNameError: There is no such column.
        AssessmentError: The table holds no such rows, or several would fit.
        MissingPackageError: matplotlib is not installed.
    """
    table[statistic]
    rows = chosen(table, suite=suite, function=function, dimension=dimension)
    figure, axes = new_figure()
    place = places(rows["algorithm"].tolist())
    for name, own in split(rows, "algorithm").items():
        marks = {"markevery": max(1, len(own["budget"]) // 8), **style_of(place[name])}
        axes.plot(own["budget"], _drawn(own[statistic]), label=label(name), **marks)
    _dress(axes, f"{rows['suite'][0]} f{rows['function'][0]}, {rows['dimension'][0]}-D")
    axes.set_ylabel(f"precision, {STATISTICS.get(statistic, statistic)} of the runs")
    return figure


@styled
def draw_precision_ecdf(
    table: Table,
    dimension: int | None = None,
    group: str | None = None,
    suite: str | None = None,
) -> Figure:
    """Draw the share of runs within each precision, one curve for each algorithm and budget.

    Precision falls to the right, so that a curve goes on where the profile of runtimes to 1e-8
    ends at that budget. Larger budgets are drawn darker; the legend names the largest.

    Args:
        table: Of `Results.precision_ecdf`.
        dimension: Which; None where the table holds one.
        group: Likewise.
        suite: Likewise.

    Raises:
        AssessmentError: The table holds no such rows, or several would fit.
        MissingPackageError: matplotlib is not installed.
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
    axes.invert_xaxis()
    axes.set_ylim(0, 1.01)
    axes.set_xlabel("precision")
    axes.set_ylabel("share of runs")
    write_title(axes, f"{rows['suite'][0]}, {rows['group'][0]}, {rows['dimension'][0]}-D")
    add_legend(axes)
    return figure


def _drawn(precision: NDArray[np.float64]) -> NDArray[np.float64]:
    """Precisions as they are drawn: NaN where there is none, not below the smallest."""
    values = np.where(np.isfinite(precision), precision, np.nan)
    return np.asarray(np.maximum(values, SMALLEST_PRECISION))


def _dress(axes: Axes, title: str) -> None:
    logarithmic(axes)
    axes.set_xlabel("evaluations / dimension")
    write_title(axes, title)
    add_legend(axes)

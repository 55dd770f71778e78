"""One statistic of the best precision within budgets, a curve for each algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tables.table import Table
from .rows import chosen, split
from .style import (
    add_legend,
    drawn,
    is_signed,
    label,
    new_figure,
    places,
    precision_axes,
    style_of,
    styled,
    write_title,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STATISTICS = {"geometric_mean": "geometric mean"}
"""Names for people, where they differ from the column's."""


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
    signed = is_signed(rows, statistic)
    figure, axes = new_figure()
    place = places(rows["algorithm"].tolist())
    for name, own in split(rows, "algorithm").items():
        marks = {"markevery": max(1, len(own["budget"]) // 8), **style_of(place[name])}
        axes.plot(own["budget"], drawn(own[statistic], signed), label=label(name), **marks)
    precision_axes(axes, signed)
    axes.set_xlabel("evaluations / dimension")
    write_title(axes, f"{rows['suite'][0]} f{rows['function'][0]}, {rows['dimension'][0]}-D")
    add_legend(axes)
    axes.set_ylabel(f"precision, {STATISTICS.get(statistic, statistic)} of the runs")
    return figure

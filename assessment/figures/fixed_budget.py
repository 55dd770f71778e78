"""One statistic of the best precision within budgets, a curve for each algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from ..tables.table import Table
from .frame import Shown, by_algorithm, frame
from .style import add_legend, drawn, is_signed, precision_axes, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STATISTICS = {"geometric_mean": "geometric mean"}
"""Names for people, where they differ from the column's."""


@styled
def draw_fixed_budget(
    table: Table, statistic: str = "geometric_mean", **shown: Unpack[Shown]
) -> Figure:
    """Draw one statistic of the best precision at budgets, one curve for each algorithm.

    Args:
        table: Of `Results.fixed_budget`.
        statistic: A column: ``"mean"``, ``"median"``, ``"geometric_mean"``, ``"10%"``, ….
        **shown: ``suite``, ``function``, ``dimension``.

    Raises:
        UnknownNameError: There is no such column.
    """
    table[statistic]
    figure, axes, rows = frame(table, ("suite", "function", "dimension"), shown)
    signed = is_signed(rows, statistic)
    for name, own, style in by_algorithm(rows):
        every = max(1, len(own["budget"]) // 8)
        axes.plot(
            own["budget"], drawn(own[statistic], signed), label=name, markevery=every, **style
        )
    precision_axes(axes, signed)
    said = STATISTICS.get(statistic, statistic)
    axes.set(xlabel="evaluations / dimension", ylabel=f"precision, {said} of the runs")
    add_legend(axes)
    return figure

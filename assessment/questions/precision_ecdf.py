"""The question `precision_ecdf`: how many runs are within each precision when a budget is spent.

The table has a curve for each algorithm and budget: the share of runs whose best precision within
the budget is at most a given precision. The figure has a panel for each budget. With ``pooled``,
all budgets share one curve and one panel. The help of the option ``budgets`` comes from the need
`at_budgets`, which opens the sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..errors import AssessmentError
from ..figures.axes import (
    FigureOptions,
    Rows,
    add_title_above,
    by_algorithm,
    chosen,
    size_of,
    split,
)
from ..figures.style import add_names_below, blank_figure, both_signs_across, is_signed
from ..hits.within_budgets import PROFILE_COLUMNS, precision_profiles
from ..samples.at_budgets import AtBudgets
from ..samples.convention import LAST_VALUE, Convention
from ..tables.table import Table, stacked
from ..targets.budgets import axis_text, budget_title, distinct_budgets, titles_text
from ._framework.needs import at_budgets
from ._framework.options import Budgets, GroupBy
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._framework.cell import Cell

_CONVENTION = Convention(
    "single runs without restarts, after their end with their last value; each function has the "
    "same weight",
    failed=LAST_VALUE.failed,
)
_MAX_PANELS = {"column": 3, "page": 5}
"""Maximum number of panels that remain legible, by the width of the figure."""
_TOP_OF_SHARES = 1.01
"""Upper end of the axis of shares. It leaves room for the line of a curve at 1."""
_TICKS_OF_ONE_PANEL = 7
"""Maximum number of labelled ticks if there is one panel, such as with ``pooled``."""
_FIGURE_COLUMNS = ("suite", "group", "dimension")
"""Columns whose values identify a figure."""


def _convention(sample: AtBudgets, options: Mapping[str, Any]) -> Convention:
    """Return how runs and, if they are pooled, budgets count."""
    if options["pooled"]:
        return _CONVENTION.with_more("each budget has the same weight")
    return _CONVENTION


@question(
    "Precision within budgets",
    20,
    needs=at_budgets(),
    convention=_convention,
    joins=True,
    examples=(
        "my.h5",
        "my.h5 --budgets 10*D,100*D --plot precision.pdf",
        "my.h5 --budgets 10*D,100*D,1000*D --pooled",
    ),
)
def precision_ecdf(
    sample: AtBudgets,
    budgets: Budgets | None = None,
    *,
    group_by: GroupBy = "all",
    pooled: bool = False,
) -> Table:
    """Compute the share of runs within each precision, at budgets.

    A precision is the best value so far minus the reference value, which is the optimum if it is
    known. For each budget, a curve shows the share of runs whose precision is at most a given one.
    At a precision, this is the share of runs that hit the target of this precision within the
    budget. Restarts are not simulated. With ``pooled``, all budgets share one curve, the mean of
    their curves. It compares algorithms at several budgets at once.

    Args:
        group_by: Functions of one dimension that a curve aggregates.
        pooled: Compute one curve, the mean over all budgets, instead of one for each budget; needs
            ``budgets``.

    Returns:
        One row for each point of a curve. The columns ``algorithm``, ``suite``, ``dimension``,
        ``group`` and ``budget`` identify the curve. ``budget`` is in the requested unit. With
        ``pooled``, the text column ``budgets`` replaces it and lists all budgets. ``precision``
        takes the values ``10**(k/5)`` from 1e-8 up to the first that all runs are within. If the
        suite has targets at or below 0, it also takes 0 and the values ``-10**(k/5)``.
        ``fraction`` is the share of runs with this precision or a better one, where every function
        weighs the same (`precision_profiles`).

    Raises:
        AssessmentError: ``pooled`` is set without ``budgets``.
    """
    if pooled and (budgets is None or callable(budgets)):
        raise AssessmentError("budgets: pooled needs a list of budgets, none are given")
    names = ["budgets" if name == "budget" and pooled else name for name in PROFILE_COLUMNS]
    return Table(stacked(names, list(precision_profiles(sample, group_by, pooled))))


def _caption(cell: Cell) -> str:
    """Return the caption of the figure of one suite, dimension and group."""
    if cell.options.get("pooled"):
        budgets = f"the budgets above the panel ({axis_text(cell.table.axis)}), mean over these"
        weighted = "Functions and budgets"
    else:
        budgets = f"the budget above each panel ({titles_text(cell.table.axis)})"
        weighted = "Functions"
    return (
        f"Share of runs on {cell.place} that reach each precision within {budgets}. {weighted} "
        "have equal weights. Restarts are not simulated."
    )


@precision_ecdf.figure(
    "precision",
    cells="suite dimension group",
    caption=_caption,
    budgets=distinct_budgets,
)
def draw_precision_ecdf(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the share of runs within each precision, a panel for each budget.

    The axis of precisions is inverted: better precisions are further right. A figure of the width
    of a column has at most three panels, a figure of the width of a page at most five. If there are
    more budgets, the largest are shown. If budgets are pooled, there is one panel.

    Args:
        table: The table of `precision_ecdf`.
        **options: ``suite``, ``group`` and ``dimension`` select the curves; ``width`` is the width
            of the figure.
    """
    rows = chosen(table, _FIGURE_COLUMNS, options)
    column = "budgets" if "budgets" in rows else "budget"
    n_panels = _MAX_PANELS[options.get("width", "column")]
    rows_by_budget = list(split(rows, column).items())[-n_panels:]
    figure = blank_figure(size_of(options))
    panels = np.atleast_1d(figure.subplots(1, len(rows_by_budget), sharex=True, sharey=True))
    for axes, (budget, budget_rows) in zip(panels, rows_by_budget, strict=True):
        for name, curve, style in by_algorithm(budget_rows, marked=False):
            x, y = curve["precision"], curve["fraction"]
            axes.plot(x, y, drawstyle="steps-post", label=name, **style)
        title = budget_title(budget, table.axis) if column == "budget" else str(budget)
        axes.set_title(title, fontsize=7)
    max_ticks = _TICKS_OF_ONE_PANEL if len(panels) == 1 else 3
    _set_scales(panels[0], rows, max_ticks)  # of one panel, because all panels share their axes
    add_title_above(figure, rows, _FIGURE_COLUMNS, options)
    panels[0].set_ylabel("share of runs")
    panels[len(panels) // 2].set_xlabel("precision")
    add_names_below(figure, panels[-1])  # the curves have the same names in all panels
    return figure


def _set_scales(axes: Axes, rows: Rows, max_ticks: int) -> None:
    """Set the scales that all panels share. The scale of precisions is logarithmic and inverted.

    If there are precisions of both signs, the scale is logarithmic on both sides of 0.

    Args:
        axes: One of the panels.
        rows: Rows of all panels.
        max_ticks: Maximum number of labelled ticks.
    """
    positive = rows["precision"][rows["precision"] > 0]
    if is_signed(rows, "precision"):
        both_signs_across(axes)
    elif len(positive):
        axes.set_xscale("log")
        low, high = np.log10([positive.min(), positive.max()])
        decades_between_ticks = max(int(np.ceil((high - low) / (max_ticks - 1))), 1)
        first_tick, last_tick = int(np.ceil(low)), int(np.floor(high))
        ticks = np.arange(first_tick, last_tick + 1, decades_between_ticks)
        axes.set_xticks(10.0**ticks)
        axes.set_xticks([], minor=True)
    axes.invert_xaxis()
    axes.set_ylim(0, _TOP_OF_SHARES)

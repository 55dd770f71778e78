"""The share of runs within each precision, at budgets; a panel for each budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..asking.declaration import question
from ..asking.options import Axis, Budgets, GroupBy
from ..data.fixed_budget_data import PROFILE_COLUMNS, notes_on_precisions, precision_profiles
from ..data.runs import Runs
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
from ..tables.table import Table, stacked
from ..targets.budgets import axis_text, budget_title, titles_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

_CONVENTION = (
    "of single runs, without restarts, after their end with their last value; every function "
    "weighs the same"
)
_MOST_PANELS = {"column": 3, "page": 5}
_NAMES = ("suite", "group", "dimension")


@question("Precision within budgets", 20, joins=True)
def precision_ecdf(
    runs: Runs,
    budgets: Budgets | None = None,
    *,
    axis: Axis = "evaluations/dimension",
    group_by: GroupBy = "all",
    pooled: bool = False,
) -> Table:
    """Share of runs within each precision, at budgets.

    It goes on where a runtime profile to 1e-8 ends at the budget (the right-hand panels of COCO's
    older documents); it is of single runs, without restarts. ``pooled`` takes all pairs of run and
    budget together: how good an algorithm is at any of these times.

    Args:
        budgets: None: powers of ten below the longest run, and the longest of each algorithm.
        axis: Unit of budgets.
        group_by: What a curve spans; never several dimensions.
        pooled: One curve over all ``budgets``, which must be given, not one for each.

    Returns:
        Columns: ``algorithm, suite, dimension, group``; ``budget`` in the unit asked for, with
        ``pooled`` ``budgets``, all of them as text; ``precision``, ``10**(k/5)`` from 1e-8 to the
        first that all runs are below, and 0 and ``-10**(k/5)`` where the suite has such targets;
        ``fraction``, the share of runs at or below it, each function weighing the same
        (`precision_profiles`).

    Raises:
        AssessmentError: ``pooled`` without ``budgets``.
    """
    if pooled and budgets is None:
        raise AssessmentError("budgets: name those that are pooled")
    runs = runs.common()
    data = list(runs.at_budgets(budgets, axis))
    names = ["budgets" if name == "budget" and pooled else name for name in PROFILE_COLUMNS]
    columns = stacked(names, list(precision_profiles(data, group_by, pooled)))
    convention = _CONVENTION + "; every budget weighs the same" * pooled
    return Table(columns, (*runs.notes, *notes_on_precisions(data, convention)))


def _caption(cell: Cell) -> str:
    budget = "budget"
    panels = f"each panel ({titles_text(cell.table.axis)}), each function weighing the same"
    if cell.options.get("pooled"):
        budget = "budgets"
        panels = (
            f"the panel ({axis_text(cell.table.axis)}), all pairs of run and budget taken "
            "together, each function and each budget weighing the same"
        )
    return (
        f"Share of runs on {cell.place} that are within a precision after the {budget} above "
        f"{panels}. No restarts are simulated."
    )


@precision_ecdf.figure(
    "precision",
    cells="suite dimension group",
    caption=_caption,
    options="budgets pooled unequal count",
    curated=True,
)
def draw_precision_ecdf(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the share of runs within each precision, a panel for each budget.

    Precision falls to the right, so that a curve goes on where the profile of runtimes to the
    hardest target ends at that budget. Of more budgets than have room, three in a column and five
    on a page, the largest are shown. Where budgets are pooled, there is one panel.

    Args:
        table: The table.
        **options: ``suite``, ``group``, ``dimension``.
    """
    rows = chosen(table, _NAMES, options)
    column = "budgets" if "budgets" in rows else "budget"
    panels = list(split(rows, column).items())[-_MOST_PANELS[options.get("width", "column")] :]
    width, height = size_of(options)
    figure = blank_figure((width, height))
    every = np.atleast_1d(figure.subplots(1, len(panels), sharex=True, sharey=True))
    for axes, (budget, own) in zip(every, panels, strict=True):
        for name, curve, style in by_algorithm(own, marked=False):
            x, y = curve["precision"], curve["fraction"]
            axes.plot(x, y, drawstyle="steps-post", label=name, **style)
        title = budget_title(budget, table.axis) if column == "budget" else str(budget)
        axes.set_title(title, fontsize=7)
    _scale(every[0], rows)
    add_title_above(figure, rows, _NAMES, options)
    every[0].set_ylabel("share of runs")
    every[len(every) // 2].set_xlabel("precision")
    add_names_below(figure, every[-1])
    return figure


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

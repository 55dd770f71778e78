"""Statistics of the precision reached within budgets (fixed-budget view), and convergence.

Names and conventions are IOHanalyzer's (Wang et al. (2022), ACM TELO 2(1), ``get_FV_summary``):
the last best-so-far up to the budget, ended runs carried forward, quantiles of type 7.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..asking.context import Context, finite, rounded
from ..asking.declaration import question
from ..asking.options import Axis, Budgets, Option
from ..data.fixed_budget_data import fixed_budget_data, notes_on_precisions
from ..data.notes import LAST_VALUE
from ..data.runs import AXIS, Runs
from ..data.selection import cells, measurement_of
from ..figures.axes import FigureOptions, by_algorithm, figure_and_axes
from ..figures.style import (
    SMALLEST_PRECISION,
    SMALLEST_TARGET,
    add_legend,
    drawn,
    is_signed,
    precision_axes,
)
from ..statistics.hits import reached_within
from ..statistics.quantiles import PERCENTS, Floats, deviation, precision_or_inf, quantiles
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, stacked
from ..targets.budgets import axis_text, up_to_the_ends
from ..targets.parse import Targets, parse_targets, target_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

Successes = Annotated[Targets, Option("NUMBERS")]
Statistic = Annotated[str, Option("COLUMN")]
_NAMES = ("algorithm", "suite", "function", "dimension", "budget", "evaluations", "runs", "ended")
_CONVENTION = f"{LAST_VALUE}; quantiles are of type 7, as in IOHanalyzer"
_STATISTICS = {"geometric_mean": "geometric mean"}
"""Names for people, where they differ from the column's."""
_MOST_BANDS = 4
_PER_DECADE = 10


def precision_statistics(precision: ArrayLike) -> dict[str, Floats]:
    """Mean, median, standard deviation, quantiles and geometric mean of precisions, by budget.

    Precisions, ``(n_runs, n_budgets)``, are inf where a run saw no finite value. ``sd`` (n - 1)
    is NaN for one run and where a value is inf; ``geometric_mean`` is NaN where a value is
    negative, 0 where one is 0; quantiles are of type 7.

    >>> float(precision_statistics([[0.01], [0.25], [0.04], [4.0]])["median"][0])
    0.145
    """
    values = precision_or_inf(precision)
    shares = quantiles(values, np.array(PERCENTS) / 100, "type-7")
    return {
        "mean": values.mean(axis=0),
        "sd": _deviation(values),
        "median": shares[PERCENTS.index(50)],
        **{f"{percent}%": shares[i] for i, percent in enumerate(PERCENTS)},
        "geometric_mean": geometric_mean(values),
    }


def _deviation(values: Floats) -> Floats:
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    finite = np.isfinite(values).all(axis=0)
    return np.where(finite, deviation(np.where(finite, values, 0.0)), np.nan)


@dataclass(frozen=True, eq=False, repr=False)
class FixedBudgetTable(Table):
    """Statistics of precisions.

    Attributes:
        signed: Suites with targets at or below 0, where precisions have no geometric mean.
    """

    signed: frozenset[str] = frozenset()


@question("To begin with", 50)
def fixed_budget(
    runs: Runs,
    budgets: Budgets | None = None,
    *,
    axis: Axis = "evaluations/dimension",
    targets: Successes | None = None,
) -> FixedBudgetTable:
    """Statistics of the precision reached within budgets.

    Precisions rank algorithms, no more: nobody knows how much harder half of one is to reach. A run
    that ended before the budget keeps its last value. mean, sd (n - 1), quantiles (type 7:
    numpy's and R's default) and geometric mean as in IOHanalyzer. Of runs observed by
    firsthit, values are exact at 1, 2, 5, 10, 20, 50, … evaluations / dimension, and everywhere if
    every improvement was recorded; elsewhere they may be upper bounds, and a note says so.

    Args:
        budgets: None: powers of ten below the longest run, and the longest of each algorithm.
        axis: Unit of budgets.
        targets: Precisions; adds the share of runs that reached each within the budget.

    Returns:
        Columns: ``algorithm, suite, function, dimension``; ``budget`` in the unit asked for and in
        ``evaluations``; number of ``runs`` and how many had ``ended`` before it; those of
        `precision_statistics`; ``success_T``, the share of runs with precision <= T, for each
        target.
    """
    successes = () if targets is None else parse_targets(targets)
    data = list(runs.at_budgets(budgets, axis))
    blocks: list[list[Value | NDArray[Any]]] = []
    names: list[str] = list(_NAMES)
    for own in data:
        columns = precision_statistics(own.precision)
        for target in successes:
            columns[f"success_{target_text(target)}"] = reached_within(own.precision, target).mean(
                axis=0
            )
        names = [*_NAMES, *columns]
        facts = (own.budgets, own.evaluations, len(own.precision), own.ended)
        blocks.append([*own.head, *facts, *columns.values()])
    signed = frozenset(own.suite for own in data if own.signed)
    return FixedBudgetTable(stacked(names, blocks), notes_on_precisions(data, _CONVENTION), signed)


def curve_budgets(
    ends: Iterable[float], unit: float, least: float | None = None
) -> tuple[float, ...]:
    """Budgets for curves, as `own_budgets`, with 10 per decade from one evaluation on."""
    first = math.floor(math.log10(1 / unit if least is None else least))
    return up_to_the_ends(ends, unit, first, _PER_DECADE)


@fixed_budget.figure(
    "convergence",
    cells="suite function dimension",
    caption="Best precision so far on {place}: median of the runs, with a band from 25 to 75 % "
    "where at most four algorithms are shown; a run that ended keeps its last value; precisions "
    "below 1e-12 are drawn there.",
    options="count",
    curated=True,
    budgets=curve_budgets,
)
def draw_convergence(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the median of the best precision so far against the budget, with a band of quantiles.

    Bands hide each other: they are drawn of at most four algorithms.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``dimension``.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    signed = is_signed(rows, "median")
    few = len(set(rows["algorithm"].tolist())) <= _MOST_BANDS
    for name, own, style in by_algorithm(rows, marked=False):
        axes.plot(own["budget"], drawn(own["median"], signed), label=name, **style)
        low, high = (drawn(own[end], signed) for end in ("25%", "75%"))
        if few:
            colour = style["color"]
            axes.fill_between(own["budget"], low, high, color=colour, alpha=0.15, linewidth=0)
    precision_axes(axes, signed)
    axes.set(xlabel=axis_text(table.axis), ylabel="best precision so far")
    add_legend(axes)
    return figure


def _usual(table: Table, suite: str | None) -> str:
    """The statistic that is drawn unless one is named."""
    signed = table.signed if isinstance(table, FixedBudgetTable) else frozenset()
    there = {suite} if suite else set(table["suite"].tolist())
    return "median" if there & signed else "geometric_mean"


def _caption(cell: Cell) -> str:
    statistic = cell.options.get("statistic") or _usual(cell.table, cell.values["suite"])
    statistic_text = _STATISTICS.get(statistic, statistic)
    return (
        f"{statistic_text.capitalize()} over the runs of the best precision within a budget on "
        f"{cell.place}; a run that ended keeps its last value."
    )


@fixed_budget.figure(
    "fixed-budget",
    cells="suite function dimension",
    caption=_caption,
    options="count",
    budgets=curve_budgets,
)
def draw_fixed_budget(
    table: Table, statistic: Statistic | None = None, **options: Unpack[FigureOptions]
) -> Figure:
    """Draw one statistic of the best precision at budgets, one curve for each algorithm.

    Args:
        table: The table.
        statistic: A column: mean, median, geometric_mean, 10%, …. None: geometric_mean; median
            where the suite has targets at or below 0.
        **options: ``suite``, ``function``, ``dimension``.

    Raises:
        UnknownNameError: There is no such column.
    """
    statistic = statistic or _usual(table, options.get("suite"))
    table[statistic]
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    signed = is_signed(rows, statistic)
    for name, own, style in by_algorithm(rows):
        every = max(1, len(own["budget"]) // 8)
        axes.plot(
            own["budget"], drawn(own[statistic], signed), label=name, markevery=every, **style
        )
    precision_axes(axes, signed)
    statistic_text = _STATISTICS.get(statistic, statistic)
    axes.set(xlabel=axis_text(table.axis), ylabel=f"precision, {statistic_text} of the runs")
    add_legend(axes)
    return figure


@fixed_budget.report(
    "convergence",
    "Convergence",
    "Median over the runs of the best precision so far; lower is better. The band reaches "
    "from the first to the third quartile of the runs. On logarithmic axes, precisions below 1e-12 "
    "are drawn at 1e-12; where some are below 0, the axis is linear from -1e-8 to 1e-8.",
    place=50,
)
def section(context: Context) -> Mapping[str, Any]:
    """Median and quartiles of the best precision of the runs, by budget, for each function."""
    log, rows, curves = context.log, context.runs.rows, []
    for places in cells(log, rows, ("suite", "dimension")):  # those of all would take much memory
        count = context.runs.count
        for own in fixed_budget_data(log, rows[places], curve_budgets, AXIS, count):
            low, median, high = quantiles(own.precision, [0.25, 0.5, 0.75], "type-7")
            numbers = {"median": median, "low": low, "high": high}
            curves.append(
                {
                    **context.positions.of(own.algorithm, own.suite),
                    "function": own.function,
                    "dimension": own.dimension,
                    "budget": finite(rounded(own.budgets)),
                    **{name: finite(rounded(column)) for name, column in numbers.items()},
                }
            )
    return {
        "convergence": curves,
        "smallest_precision": SMALLEST_PRECISION,
        "smallest_target": SMALLEST_TARGET,
        "signed": [
            measurement_of(log, suite).targets[-1] <= 0 for suite in context.positions.suites
        ],
    }

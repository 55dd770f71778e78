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

from ..figures.axes import FigureOptions, by_algorithm, figure_and_axes, has_few_algorithms
from ..figures.style import (
    SMALLEST_PRECISION,
    SMALLEST_TARGET,
    add_legend,
    drawn,
    is_signed,
    precision_axes,
)
from ..hits.within_budgets import fixed_budget_data
from ..samples.at_budgets import AtBudgets
from ..samples.convention import LAST_VALUE
from ..selection import cells, measurement_of
from ..statistics.hits import reached_within
from ..statistics.quantiles import PERCENTS, Floats, deviation, precision_or_inf, quantiles
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, stacked
from ..targets.budgets import AXIS, up_to_the_ends
from ..targets.parse import Targets, parse_targets, target_text
from ._framework.context import Context, finite, rounded
from ._framework.needs import at_budgets
from ._framework.options import Option
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._framework.cell import Cell

Successes = Annotated[Targets, Option("NUMBERS")]
Statistic = Annotated[str, Option("COLUMN")]
_NAMES = ("algorithm", "suite", "function", "dimension", "budget", "evaluations", "runs", "ended")
_CONVENTION = LAST_VALUE.with_more("quantiles are of type 7, as in IOHanalyzer")
_STATISTICS = {"geometric_mean": "geometric mean"}
"""Labels of statistics that differ from the names of their columns."""
_BUDGETS_PER_DECADE = 10


def precision_statistics(precision: ArrayLike) -> dict[str, Floats]:
    """Compute statistics of precisions over runs, by budget.

    Args:
        precision: Best precisions, shape ``(n_runs, n_budgets)``; inf where a run saw no finite
            value.

    Returns:
        Columns of shape ``(n_budgets,)``: ``mean``; ``sd`` (n - 1), NaN for one run and where a
        value is inf; ``median`` and quantiles of type 7; ``geometric_mean``, NaN where a value is
        negative, 0 where one is 0.

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


@question(
    "To begin with",
    50,
    needs=at_budgets(),
    convention=_CONVENTION,
    examples=(
        "results/quickstart.h5 --budgets 10*D,100*D",
        "results/quickstart.h5 --functions 8 --plot f8.pdf",
    ),
)
def fixed_budget(sample: AtBudgets, *, targets: Successes | None = None) -> FixedBudgetTable:
    """Compute statistics of the precision reached within budgets.

    Precisions rank algorithms, but do not tell how much faster one of them is: to halve a precision
    may take a few evaluations or many times the budget. A run that ended before the budget keeps
    its last value. mean, sd (n - 1), quantiles (type 7: the default of numpy and R) and geometric
    mean are those of IOHanalyzer. For runs observed by firsthit, values are exact at 1, 2, 5, 10,
    20, 50, … evaluations / dimension, and everywhere if every improvement was recorded. Elsewhere
    they may be upper bounds, and a note says so.

    Args:
        targets: Precisions, e.g. 1e1,1e-8: add the share of runs that reached each of them within
            the budget. None: no shares.

    Returns:
        One row for each ``algorithm``, ``suite``, ``function``, ``dimension`` and ``budget``.
        ``budget`` is in the requested unit, and ``evaluations`` is the budget in evaluations.
        ``runs`` is the number of runs, and ``ended`` is the number of runs that ended before the
        budget. The columns of `precision_statistics` follow. ``success_T`` is the share of runs
        with precision <= T, for each target.
    """
    success_targets = () if targets is None else parse_targets(targets)
    blocks: list[list[Value | NDArray[Any]]] = []
    names: list[str] = list(_NAMES)
    for precisions in sample:
        columns = precision_statistics(precisions.precision)
        for target in success_targets:
            columns[f"success_{target_text(target)}"] = reached_within(
                precisions.precision, target
            ).mean(axis=0)
        names = [*_NAMES, *columns]
        leading_values = (
            precisions.budgets,
            precisions.evaluations,
            len(precisions.precision),
            precisions.ended,
        )
        blocks.append([*precisions.identity, *leading_values, *columns.values()])
    signed = frozenset(precisions.suite for precisions in sample if precisions.signed)
    return FixedBudgetTable(stacked(names, blocks), signed=signed)


def curve_budgets(
    ends: Iterable[float], unit: float, least: float | None = None
) -> tuple[float, ...]:
    """Return budgets for curves, 10 per decade.

    Args:
        ends: Run lengths in evaluations or seconds; they are budgets, too.
        unit: Evaluations or seconds per unit of the axis, by which run lengths are divided.
        least: The smallest budget, in units of the axis; it is rounded down to a power of ten.
            None: one evaluation.
    """
    first_exponent = math.floor(math.log10(1 / unit if least is None else least))
    return up_to_the_ends(ends, unit, first_exponent, _BUDGETS_PER_DECADE)


@fixed_budget.figure(
    "convergence",
    cells="suite function dimension",
    caption="Best precision so far on {place}. Line: median over the runs. Band: from the lower to "
    "the upper quartile, if at most four algorithms are shown. A run that ended keeps its last "
    "value. Precisions below 1e-12 are drawn at 1e-12.",
    budgets=curve_budgets,
)
def draw_convergence(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the median of the best precision so far against the budget, with a band of quantiles.

    Bands are drawn only if there are at most four algorithms, because they hide each other.

    Args:
        table: The table of `fixed_budget`.
        **options: ``suite``, ``function`` and ``dimension`` select the curves.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    signed = is_signed(rows, "median")
    has_bands = has_few_algorithms(rows)
    for name, algorithm_rows, style in by_algorithm(rows, marked=False):
        axes.plot(
            algorithm_rows["budget"], drawn(algorithm_rows["median"], signed), label=name, **style
        )
        low, high = (drawn(algorithm_rows[quartile], signed) for quartile in ("25%", "75%"))
        if has_bands:
            colour = style["color"]
            axes.fill_between(
                algorithm_rows["budget"], low, high, color=colour, alpha=0.15, linewidth=0
            )
    precision_axes(axes, signed, table.axis)
    add_legend(axes)
    return figure


def _default_statistic(table: Table, suite: str | None) -> str:
    """Return the default statistic: the median where precisions may be below 0."""
    signed = table.signed if isinstance(table, FixedBudgetTable) else frozenset()
    suites = {suite} if suite else set(table["suite"].tolist())
    return "median" if suites & signed else "geometric_mean"


def _caption(cell: Cell) -> str:
    statistic = cell.options.get("statistic") or _default_statistic(
        cell.table, cell.values["suite"]
    )
    statistic_text = _STATISTICS.get(statistic, statistic)
    return (
        f"{statistic_text.capitalize()} over the runs of the best precision within a budget on "
        f"{cell.place}; a run that ended keeps its last value."
    )


@fixed_budget.figure(
    "fixed-budget",
    cells="suite function dimension",
    caption=_caption,
    budgets=curve_budgets,
)
def draw_fixed_budget(
    table: Table, statistic: Statistic | None = None, **options: Unpack[FigureOptions]
) -> Figure:
    """Draw one statistic of the best precision at budgets, one curve for each algorithm.

    Args:
        table: The table of `fixed_budget`.
        statistic: Column of the table to draw, e.g. mean, median, geometric_mean or 10%. None:
            geometric_mean, or median if the suite has targets at or below 0.
        **options: ``suite``, ``function`` and ``dimension`` select the curves.

    Raises:
        UnknownNameError: There is no such column.
    """
    statistic = statistic or _default_statistic(table, options.get("suite"))
    table[statistic]
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    signed = is_signed(rows, statistic)
    for name, algorithm_rows, style in by_algorithm(rows):
        marker_interval = max(1, len(algorithm_rows["budget"]) // 8)
        axes.plot(
            algorithm_rows["budget"],
            drawn(algorithm_rows[statistic], signed),
            label=name,
            markevery=marker_interval,
            **style,
        )
    precision_axes(axes, signed, table.axis)
    statistic_text = _STATISTICS.get(statistic, statistic)
    axes.set_ylabel(f"precision, {statistic_text} of the runs")
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
    """Return median and quartiles of the best precision, by function and budget, for the report."""
    log, rows, curves = context.log, context.runs.rows, []
    # One dimension at a time, because the data of all together would need much memory
    for indices in cells(log, rows, ("suite", "dimension")):
        count = context.runs.count
        for precisions in fixed_budget_data(log, rows[indices], curve_budgets, AXIS, count):
            low, median, high = quantiles(precisions.precision, [0.25, 0.5, 0.75], "type-7")
            columns = {"median": median, "low": low, "high": high}
            curves.append(
                {
                    **context.positions.of(precisions.algorithm, precisions.suite),
                    "function": precisions.function,
                    "dimension": precisions.dimension,
                    "budget": finite(rounded(precisions.budgets)),
                    **{name: finite(rounded(column)) for name, column in columns.items()},
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

"""Convergence curves of single runs, and their intersections with budgets and with targets.

A cut at a budget gives the precision of a run (fixed budget). A cut at a target gives its runtime
(fixed target).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..caveats import Explanation, curves_may_lie_too_high
from ..cost import is_seconds, spent_of
from ..figures.axes import PLACE, FigureOptions, by_algorithm, chosen, size_of
from ..figures.style import add_names_below, blank_figure, drawn, precision_axes
from ..hits.curves import RunCurves
from ..hits.within_budgets import longest_runs
from ..samples.convention import LAST_VALUE, Convention
from ..samples.curves import Curves
from ..samples.sample import Answer
from ..selection import cells, measurement_of, suite_of
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, table_of
from ..targets import target_sets
from ..targets.budgets import axis_text, budget_title, budgets_on, parse_budgets, unit_of
from ..targets.parse import Targets, parse_targets, target_text
from ..targets.target_sets import pair_targets
from ._framework.needs import curves
from ._framework.options import Budgets, Option
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._framework.cell import Cell

Precisions = Annotated[Targets, Option("NUMBERS", "{}, e.g. 1e1,1e-8.")]
_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "budget", "precision", "target",
    "runtime",
)  # fmt: skip
_CONVENTION = Convention(
    "each has a row for each budget and target, and keeps its last value after its end",
    failed=LAST_VALUE.failed,
)
_FIGURE_HEIGHT = 3.2
"""Height in inches."""
_PANEL_HEIGHT = 0.9
"""Height in inches of each further panel above the curves."""
_WIDTH_RATIOS = (2, 1)
"""Widths of the panel of curves and of each panel of precisions."""


@dataclass(frozen=True, eq=False, repr=False)
class CutsTable(Table):
    """Precisions and runtimes at the cuts, one row for each run, budget and target; see `cuts`.

    Attributes:
        curves: The curves that were cut.
    """

    curves: tuple[RunCurves, ...] = ()


@question(
    "Precision within budgets",
    40,
    needs=curves(),
    convention=_CONVENTION,
    examples=(
        "results/quickstart.h5 --budget 1000*D --target 1e1",
        "results/quickstart.h5 --functions 15 --plot cuts.pdf",
    ),
)
def cuts(
    sample: Curves, budget: Budgets | None = None, target: Precisions | None = None
) -> CutsTable:
    """Cut the convergence of each run at budgets and at targets.

    The convergence curve of a run is its best precision so far by budget. A vertical cut of the
    curve gives the precision at a budget (fixed budget). A horizontal cut gives the runtime to a
    target (fixed target); inf if the run did not hit the target. The table has a row for each run
    and each pair of a budget and a target.

    Args:
        budget: Vertical cuts are made at them. None: the common budget of all algorithms in the
            dimension, at most the longest run on the function.
        target: Precisions at which horizontal cuts are made. None: 1e-1, or the second of four
            targets of the suite.

    Returns:
        One row for each run, ``budget`` and ``target``. ``algorithm``, ``suite``, ``function``,
        ``dimension`` and ``instance`` identify the run. ``precision`` is the best precision within
        ``budget``; inf before the first value. ``runtime`` is the budget at which the run hit
        ``target``; inf if it did not. Budgets and runtimes are in the requested unit.
    """
    common_budgets = None if budget is None else parse_budgets(budget)
    targets = None if target is None else parse_targets(target)
    default_budgets = _find_default_budgets(sample)
    rows: list[list[Value]] = []
    for run_curves in sample:
        vertical = (
            budgets_on(common_budgets, sample.axis, run_curves.dimension)
            if common_budgets
            else (default_budgets[run_curves.problem_class],)
        )
        horizontal = targets or (pair_targets(measurement_of(sample.log, run_curves.suite))[1],)
        for instance, curve in zip(run_curves.instances.tolist(), run_curves.curves, strict=True):
            for budget_value, target_value in product(vertical, horizontal):
                precision, runtime = _cut_curve(*curve, budget_value, target_value)
                rows.append(
                    [*run_curves.identity, instance, budget_value, precision, target_value, runtime]
                )
    return CutsTable(table_of(_COLUMNS, rows), curves=sample.cells)


@cuts.caveat(
    explains=[
        Explanation(
            "upper bounds",
            "upper bounds: 15 curves between recorded values; their logs lack some improvements "
            "(record: improvements).",
            "The log records first hits of targets, not every improvement. A cut between two of "
            "them shows the last recorded value.",
            "Set record: improvements in the campaign, because then cuts are exact.",
        )
    ],
    instead_of=[curves_may_lie_too_high],
)
def curves_are_bounds(sample: Curves, answer: Answer) -> Iterable[str]:
    """Say how many curves are upper bounds between what the log tells."""
    n_bounds = sum(len(run_curves.curves) - run_curves.has_all for run_curves in sample)
    if n_bounds:
        yield (
            f"upper bounds: {n_bounds} curves between recorded values; their logs lack some "
            "improvements (record: improvements)."
        )


def _find_default_budgets(sample: Curves) -> dict[target_sets.Cell, float]:
    """Return the default budget on each function and dimension, in the unit of the sample's axis.

    It is the longest run of the algorithm whose longest run in the dimension is the shortest, but
    at most the longest run on the function.
    """
    log, rows, budgets = sample.log, sample.rows, {}
    table = log.runs
    spent = spent_of(log, rows, sample.count)
    for indices in cells(log, rows, ("suite", "dimension")):
        cell_rows = rows[indices]
        suite, dimension = suite_of(log, cell_rows[0]), int(table["dimension"][cell_rows[0]])
        shortest = min(longest_runs(log, cell_rows, spent[indices]).values())
        for function_indices in cells(log, cell_rows, ("function",)):
            end = min(shortest, float(spent[indices][function_indices].max()))
            end = end if is_seconds(sample.count) else max(end, 1.0)
            function = int(table["function"][cell_rows[function_indices[0]]])
            budgets[suite, function, dimension] = end / unit_of(sample.axis, dimension)
    return budgets


def _cut_curve(
    budgets: Floats, precision: Floats, budget: float, target: float
) -> tuple[float, float]:
    """Return the precision at a budget, and the budget at which the target is reached.

    Both are inf if there is no such point of the curve.

    Args:
        budgets: Budgets at which the precision improves, ascending.
        precision: Best-so-far precision at these budgets.
        budget: The vertical cut.
        target: The horizontal cut.
    """
    precision_within = precision[budgets <= budget * (1 + 1e-12)]  # tolerates rounding
    hits = budgets[precision <= target]
    last_precision = float(precision_within[-1]) if precision_within.size else np.inf
    return last_precision, float(hits[0]) if hits.size else np.inf


def _caption(cell: Cell) -> str:
    budgets, targets = _list_cuts(cell.rows)
    budget_plural, target_plural = ("s" * (len(values) > 1) for values in (budgets, targets))
    budget_panels = ", a panel for each budget" * (len(budgets) > 1)
    target_panels = ", a panel for each target" * (len(targets) > 1)
    return (
        f"Best precision so far of each run on {cell.place}. Vertical line{budget_plural}: "
        f"budget{budget_plural} {', '.join(f'{budget:g}' for budget in budgets)} "
        f"{axis_text(cell.table.axis)}; at the right the distribution of the precisions there "
        f"(fixed budget){budget_panels}. "
        f"Horizontal line{target_plural}: target{target_plural} "
        f"{', '.join(map(target_text, targets))}; above, the distribution of the runtimes to it "
        f"(fixed target){target_panels}. Stars: intersections of curves and lines."
    )


def _list_cuts(rows: Mapping[str, NDArray[Any]]) -> tuple[list[float], list[float]]:
    """Return the distinct budgets and the distinct targets of rows."""
    budgets, targets = (list(dict.fromkeys(rows[name].tolist())) for name in ("budget", "target"))
    return budgets, targets


@cuts.figure("cuts", cells="suite function dimension", caption=_caption)
def draw_cuts(table: CutsTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the convergence curves of runs, cut at budgets and at targets.

    A vertical line is a budget. It crosses the curves at stars, which are the precisions of the
    fixed-budget view. A panel at the right shows their distribution, one for each budget. A
    horizontal line is a target. It crosses the curves at the runtimes of the fixed-target view. A
    panel above shows their distribution, one for each target.

    Args:
        table: The table of `cuts`.
        **options: ``suite``, ``function`` and ``dimension`` select the curves.
    """
    rows = chosen(table, ("suite", "function", "dimension"), options)
    suite, function, dimension = (rows[name][0] for name in ("suite", "function", "dimension"))
    curves = {
        run_curves.algorithm: run_curves.curves
        for run_curves in table.curves
        if run_curves.problem_class == (suite, function, dimension)
    }
    all_curves = [curve for algorithm_curves in curves.values() for curve in algorithm_curves]
    signed = any(precision.min(initial=0.0) < 0 for _, precision in all_curves)
    budgets, targets = _list_cuts(rows)
    ends_of_curves = [
        float(improvements[-1]) for improvements, _ in all_curves if improvements.size
    ]
    end = max([*budgets, *ends_of_curves])
    height = _FIGURE_HEIGHT + _PANEL_HEIGHT * (len(targets) - 1)
    figure = blank_figure((size_of(options)[0], height))
    grid = figure.add_gridspec(
        len(targets) + 1,
        len(budgets) + 1,
        width_ratios=(_WIDTH_RATIOS[0], *[_WIDTH_RATIOS[1]] * len(budgets)),
        height_ratios=(*[1] * len(targets), 3),
    )
    main = figure.add_subplot(grid[-1, 0])
    panels_above = [figure.add_subplot(grid[i, 0], sharex=main) for i in range(len(targets))]
    panels_right = [figure.add_subplot(grid[-1, i + 1], sharey=main) for i in range(len(budgets))]
    algorithms = by_algorithm(rows, marked=False)
    for name, algorithm_rows, style in sorted(
        algorithms, key=lambda algorithm: int(algorithm[1][PLACE][0])
    ):
        thin_style = {**style, "linewidth": 0.6, "alpha": 0.7, "drawstyle": "steps-post"}
        for budgets_of_curve, precision in curves[algorithm_rows["algorithm"][0]]:
            if budgets_of_curve.size:
                y = drawn(np.append(precision, precision[-1]), signed)
                main.plot(np.append(budgets_of_curve, end), y, **thin_style)
        for above, target in zip(panels_above, targets, strict=True):
            cut_values = algorithm_rows["runtime"][
                (algorithm_rows["target"] == target) & (algorithm_rows["budget"] == budgets[0])
            ]
            above.plot(*_make_ecdf(cut_values), drawstyle="steps-post", label=name, **style)
            _add_stars(main, cut_values, np.full(len(cut_values), target), signed, style["color"])
        for right, budget in zip(panels_right, budgets, strict=True):
            cut_values = algorithm_rows["precision"][
                (algorithm_rows["budget"] == budget) & (algorithm_rows["target"] == targets[0])
            ]
            precisions, share = _make_ecdf(cut_values)
            right.plot(share, drawn(precisions, signed), drawstyle="steps-pre", **style)
            _add_stars(main, np.full(len(cut_values), budget), cut_values, signed, style["color"])
    precision_axes(main, signed, table.axis)
    for axes, budget in product((main, *panels_above), budgets):
        axes.axvline(budget, color="0.3", linewidth=0.8, linestyle=":", gid="budget")
    for axes, target in product((main, *panels_right), targets):
        axes.axhline(target, color="0.3", linewidth=0.8, linestyle=":", gid="target")
    for above, target in zip(panels_above, targets, strict=True):
        above.set(ylim=(0, 1.02), ylabel="share")
        above.tick_params(labelbottom=False)
        if len(targets) > 1:
            above.set_title(target_text(target), fontsize=7)
    for right, budget in zip(panels_right, budgets, strict=True):
        right.set(xlim=(0, 1.02))
        right.tick_params(labelleft=False)
        if len(budgets) > 1:
            right.set_title(budget_title(budget, table.axis), fontsize=7)
            right.set_xticks([0, 1])
    panels_right[len(panels_right) // 2].set_xlabel("share")
    within = ", ".join(budget_title(budget, table.axis) for budget in budgets)
    figure.suptitle(
        f"{suite} f{function}, {dimension}-D: budget {within}, "
        f"target {', '.join(map(target_text, targets))}",
        x=0.01,
        ha="left",
        fontsize=8,
        parse_math=False,
    )
    add_names_below(figure, panels_above[0])
    return figure


def _add_stars(axes: Axes, x: Floats, y: Floats, signed: bool, colour: str) -> None:
    """Draw a star for each run at the intersection of its curve and a line, if there is one."""
    is_finite = np.isfinite(x) & np.isfinite(y)
    style: dict[str, Any] = {"marker": "*", "s": 14, "color": colour, "linewidths": 0, "zorder": 5}
    axes.scatter(x[is_finite], drawn(y[is_finite], signed), gid="stars", **style)


def _make_ecdf(values: Floats) -> tuple[Floats, Floats]:
    """Return the steps of an ECDF: finite values in ascending order, and shares of all values.

    The first value occurs twice, so that the curve begins at the share 0.
    """
    finite = np.sort(values[np.isfinite(values)])
    if not finite.size:
        return finite, finite
    return np.append(finite[0], finite), np.arange(finite.size + 1) / values.size

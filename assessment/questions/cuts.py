"""Convergence curves of single runs, cut at budgets and at targets, and what lies there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..asking.declaration import question
from ..asking.options import Axis, Budgets, Option
from ..data.counting import axis_of, is_seconds, spent_of
from ..data.fixed_budget_data import longest_runs
from ..data.notes import basis
from ..data.run_curves import RunCurves
from ..data.runs import Runs
from ..data.selection import cells, measurement_of, suite_of
from ..figures.axes import PLACE, FigureOptions, by_algorithm, chosen, size_of
from ..figures.style import add_names_below, blank_figure, drawn, precision_axes
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, table_of
from ..targets import target_sets
from ..targets.budgets import axis_text, budget_title, budgets_on, parse_budgets, unit_of
from ..targets.parse import Targets, parse_targets, target_text
from ..targets.target_sets import pair_targets

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

Precisions = Annotated[Targets, Option("NUMBERS", "{}, such as 1e1,1e-8.")]
_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "budget", "precision", "target",
    "runtime",
)  # fmt: skip
_HEIGHT = 3.2
_WIDTHS = (2, 1)


@dataclass(frozen=True, eq=False, repr=False)
class CutsTable(Table):
    """Precisions and runtimes at the cuts, a row for each run, budget and target; see `cuts`.

    Attributes:
        curves: The curves that were cut.
    """

    curves: tuple[RunCurves, ...] = ()


@question("Precision within budgets", 40)
def cuts(
    runs: Runs,
    budget: Budgets | None = None,
    target: Precisions | None = None,
    *,
    axis: Axis = "evaluations/dimension",
) -> CutsTable:
    """Convergence of each run, cut at budgets and at targets.

    A vertical cut gives its precision at a budget (fixed budget), a horizontal one its runtime to a
    target (fixed target), inf where it was not hit. Each run has a row for each pair of both.

    Args:
        budget: One or several, of the vertical cuts. None: that which all algorithms were run with
            in the dimension, at most the longest run on the function.
        target: One or several precisions, of the horizontal cuts. None: 1e-1, or the second of four
            of the suite's.
        axis: Unit of budgets.

    Returns:
        Columns: ``algorithm, suite, function, dimension, instance``; ``precision``, the best at
        ``budget``, inf before the first value; ``runtime``, the budget at which ``target`` was hit,
        inf where it was not. Budgets are in the unit that was asked for.
    """
    common = None if budget is None else parse_budgets(budget)
    aims = None if target is None else parse_targets(target)
    data = tuple(runs.curves(axis))
    unit = axis_of(axis, runs.count)
    budgets = _usual_budgets(runs, axis)
    rows: list[list[Value]] = []
    for own in data:
        vertical = budgets_on(common, unit, own.dimension) if common else (budgets[own.cell],)
        horizontal = aims or (pair_targets(measurement_of(runs.log, own.suite))[1],)
        for instance, curve in zip(own.instances.tolist(), own.curves, strict=True):
            for at, aim in product(vertical, horizontal):
                precision, runtime = _cut(*curve, at, aim)
                rows.append([*own.head, instance, at, precision, aim, runtime])
    return CutsTable(table_of(_COLUMNS, rows), _notes(data), data)


def _usual_budgets(runs: Runs, axis: str) -> dict[target_sets.Cell, float]:
    """The shortest of the algorithms' longest runs, at most the longest on each function."""
    log, rows, found = runs.log, runs.rows, {}
    table = log.runs
    spent = spent_of(log, rows, runs.count)
    axis = axis_of(axis, runs.count)
    for places in cells(log, rows, ("suite", "dimension")):
        mine = rows[places]
        suite, dimension = suite_of(log, mine[0]), int(table["dimension"][mine[0]])
        least = min(longest_runs(log, mine, spent[places]).values())
        for own in cells(log, mine, ("function",)):
            end = min(least, float(spent[places][own].max()))
            end = end if is_seconds(runs.count) else max(end, 1.0)
            function = int(table["function"][mine[own[0]]])
            found[suite, function, dimension] = end / unit_of(axis, dimension)
    return found


def _cut(budgets: Floats, precision: Floats, budget: float, target: float) -> tuple[float, float]:
    """Precision of one curve at a budget, and the budget at which it reaches a target; else inf."""
    by_then = precision[budgets <= budget * (1 + 1e-12)]
    hit = budgets[precision <= target]
    reached = float(by_then[-1]) if by_then.size else np.inf
    return reached, float(hit[0]) if hit.size else np.inf


def _notes(data: Sequence[RunCurves]) -> tuple[str, ...]:
    notes: tuple[str, ...] = ()
    bounds = sum(len(own.curves) - own.has_all for own in data)
    if bounds:
        notes += (
            f"of {bounds} runs the log tells first hits of its targets and the best at scheduled "
            "counts, not every improvement: between these, curves are upper bounds.",
        )
    if not all(own.has_reference for own in data):
        notes += ("without a reference value, precisions are indicator values.",)
    return (
        *notes,
        *basis(
            data,
            "every run has a row for each budget and target; after its end it keeps its last value",
        ),
    )


def _caption(cell: Cell) -> str:
    budgets, targets = _cuts_of(cell.rows)
    budget_s, target_s = ("s" * (len(cuts_here) > 1) for cuts_here in (budgets, targets))
    return (
        f"Best precision so far of each run on {cell.place}. Vertical line{budget_s}: "
        f"budget{budget_s} {', '.join(f'{budget:g}' for budget in budgets)} "
        f"{axis_text(cell.table.axis)}; at the right the distribution of the precisions there "
        "(fixed budget). "
        f"Horizontal line{target_s}: target{target_s} {', '.join(map(target_text, targets))}; "
        "above, the distribution of the runtimes to it (fixed target). Stars: where curves and "
        "lines meet."
    )


def _cuts_of(rows: Mapping[str, NDArray[Any]]) -> tuple[list[float], list[float]]:
    """The budgets and the targets of rows, each once."""
    budgets, targets = (list(dict.fromkeys(rows[name].tolist())) for name in ("budget", "target"))
    return budgets, targets


@cuts.figure(
    "cuts", cells="suite function dimension", caption=_caption, options="budget target count"
)
def draw_cuts(table: CutsTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the convergence curves of runs, cut at budgets and at targets.

    A vertical line is a budget: where curves cross it, at stars, are the precisions of the
    fixed-budget view, whose distribution is in the panel at the right. A horizontal line is a
    target: where curves cross it are the runtimes of the fixed-target view, whose distribution is
    in the panel above.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``dimension``.
    """
    rows = chosen(table, ("suite", "function", "dimension"), options)
    suite, function, dimension = (rows[name][0] for name in ("suite", "function", "dimension"))
    curves = {
        own.algorithm: own.curves
        for own in table.curves
        if (own.suite, own.function, own.dimension) == (suite, function, dimension)
    }
    every = [curve for own_curves in curves.values() for curve in own_curves]
    signed = any(precision.min(initial=0.0) < 0 for _, precision in every)
    budgets, targets = _cuts_of(rows)
    last = max([*budgets, *(float(at[-1]) for at, _ in every if at.size)])
    figure = blank_figure((size_of(options)[0], _HEIGHT))
    grid = figure.add_gridspec(2, 2, width_ratios=_WIDTHS, height_ratios=(1, 3))
    main = figure.add_subplot(grid[1, 0])
    above = figure.add_subplot(grid[0, 0], sharex=main)
    right = figure.add_subplot(grid[1, 1], sharey=main)
    algorithms = by_algorithm(rows, marked=False)
    for name, own, style in sorted(algorithms, key=lambda algorithm: int(algorithm[1][PLACE][0])):
        thin = {**style, "linewidth": 0.6, "alpha": 0.7, "drawstyle": "steps-post"}
        for at, precision in curves[own["algorithm"][0]]:
            if at.size:
                y = drawn(np.append(precision, precision[-1]), signed)
                main.plot(np.append(at, last), y, **thin)
        for target in targets:
            mine = own["runtime"][(own["target"] == target) & (own["budget"] == budgets[0])]
            once = name if target == targets[0] else "_nolegend_"
            above.plot(*_distribution(mine), drawstyle="steps-post", label=once, **style)
            _add_stars(main, mine, np.full(len(mine), target), signed, style["color"])
        for budget in budgets:
            mine = own["precision"][(own["budget"] == budget) & (own["target"] == targets[0])]
            precisions, share = _distribution(mine)
            right.plot(share, drawn(precisions, signed), drawstyle="steps-pre", **style)
            _add_stars(main, np.full(len(mine), budget), mine, signed, style["color"])
    precision_axes(main, signed)
    for axes, budget in product((main, above), budgets):
        axes.axvline(budget, color="0.3", linewidth=0.8, linestyle=":", gid="budget")
    for axes, target in product((main, right), targets):
        axes.axhline(target, color="0.3", linewidth=0.8, linestyle=":", gid="target")
    above.set(ylim=(0, 1.02), ylabel="share")
    right.set(xlim=(0, 1.02), xlabel="share")
    above.tick_params(labelbottom=False)
    right.tick_params(labelleft=False)
    main.set(xlabel=axis_text(table.axis), ylabel="best precision so far")
    within = ", ".join(budget_title(budget, table.axis) for budget in budgets)
    above.set_title(
        f"{suite} f{function}, {dimension}-D: budget {within}, "
        f"target {', '.join(map(target_text, targets))}",
        parse_math=False,
    )
    add_names_below(figure, above)
    return figure


def _add_stars(axes: Axes, x: Floats, y: Floats, signed: bool, colour: str) -> None:
    """A star for each run, where its curve meets a line."""
    met = np.isfinite(x) & np.isfinite(y)
    axes.scatter(x[met], drawn(y[met], signed), marker="*", s=14, color=colour, linewidths=0,
                 zorder=5, gid="stars")  # fmt: skip


def _distribution(values: Floats) -> tuple[Floats, Floats]:
    """The finite values, ascending, and the share of all that are at most each; from 0 on."""
    finite = np.sort(values[np.isfinite(values)])
    if not finite.size:
        return finite, finite
    return np.append(finite[0], finite), np.arange(finite.size + 1) / values.size

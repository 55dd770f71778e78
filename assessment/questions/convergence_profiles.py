"""Data profiles of Moré and Wild, performance profiles of Dolan and Moré: problems solved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..asking.declaration import question
from ..asking.options import Budget, Tolerances
from ..data.convergence_test import Best, Passed, passed, profile_rows
from ..data.counting import is_seconds
from ..data.runs import Runs
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, add_title_above, by_algorithm, chosen, size_of, split
from ..figures.style import add_legend, blank_figure
from ..tables.table import Table, Value, stacked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell
    from ..statistics.quantiles import Floats

_CELL = ("suite", "dimension")
_MOST_PANELS = {"column": 3, "page": 5}
_COLUMNS = ("algorithm", "suite", "dimension", "tau", "simplex_gradients", "fraction")
_PERFORMANCE_COLUMNS = ("algorithm", "suite", "dimension", "tau", "ratio", "fraction")


@question("Algorithms over all functions of a dimension", 60, joins=True)
def data_profile(
    runs: Runs,
    tau: Tolerances = "1e-1,1e-3,1e-5",
    *,
    budget: Budget | None = None,
    reference: Best = "best",
) -> Table:
    """Data profiles (Moré and Wild): share of problems solved within simplex gradients.

    A simplex gradient is dimension + 1 evaluations. A run solves its problem at its first
    evaluation with f(x0) - f >= (1 - tau) (f(x0) - f_L). x0 is the initial solution of the suite,
    whose value is computed; where the suite is not to be had, f(x0) is the worst first value of all
    runs on the problem. A problem is a function, an instance, and which of the runs on it. Source:
    Moré and Wild (2009), SIAM J. Optim. 20(1), equations 2.2 and 2.8.

    Args:
        tau: Tolerances of the test, between 0 and 1.
        budget: What comes later counts neither as solved nor for f_L. None: all counts.
        reference: f_L is the best value of all algorithms within the budget, so that another
            algorithm may change the numbers of all; or the known optimum.

    Returns:
        Columns: ``algorithm, suite, dimension, tau``; ``simplex_gradients``, evaluations divided by
        dimension + 1, a row for each at which the share grows, and one where the longest curve
        ends; ``fraction``, the share of problems solved within so many.

    Raises:
        AssessmentError: A suite has two objectives, a tau is not between 0 and 1, the optimum is
            asked for and unknown, or seconds are counted.
    """
    if is_seconds(runs.count):
        raise AssessmentError(
            "count: data profiles count simplex gradients, which are dimension + 1 evaluations, "
            "and not seconds; performance-profile does"
        )
    found, notes = passed(runs, tau, budget, reference)
    rows: list[list[Value | Floats]] = []
    for passed_here in found:
        times = {name: own / (passed_here.dimension + 1) for name, own in passed_here.times.items()}
        rows += profile_rows(passed_here, times, 1.0)
    return Table(stacked(_COLUMNS, rows), notes)


@data_profile.figure(
    "data-profile",
    cells="suite dimension",
    caption="Data profiles on {place} (Moré and Wild 2009): share of problems solved within "
    "simplex gradients, evaluations / (dimension + 1), a panel for each tolerance tau.",
    options="tau budget unequal count",
    unasked="where it applies",
)
def draw_data_profile(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw data profiles, a panel for each tolerance.

    Args:
        table: The table.
        **options: ``suite``, ``dimension``.
    """
    name = "evaluations / (dimension + 1)"
    return _draw(table, "simplex_gradients", name, 10, options)


@question("Algorithms over all functions of a dimension", 70, joins=True)
def performance_profile(
    runs: Runs,
    tau: Tolerances = "1e-1,1e-3,1e-5",
    *,
    budget: Budget | None = None,
    reference: Best = "best",
) -> Table:
    """Performance profiles (Dolan and Moré): share of problems solved within a ratio to the best.

    The ratio is that of a run's evaluations to those of the fastest algorithm on the same problem;
    at 1 stands the share on which an algorithm is the fastest. When a run solves its problem, what
    a problem is, and tau, f(x0) and f_L are those of data-profile. Ratios depend on all algorithms:
    of three, the order of the last two may change with the first (Gould and Scott 2016). Source:
    Dolan and Moré (2002), Math. Program. 91.

    Args:
        tau: Tolerances of the test, between 0 and 1.
        budget: What comes later counts neither as solved nor for f_L. None: all counts.
        reference: f_L is the best value of all algorithms within the budget, or the known optimum.

    Returns:
        Columns: ``algorithm, suite, dimension, tau``; ``ratio``, at least 1, a row for each at
        which the share grows, and one where the longest curve ends; ``fraction``, the share of
        problems solved within so many times the evaluations of the fastest.

    Raises:
        AssessmentError: As of `data_profile`.
    """
    found, notes = passed(runs, tau, budget, reference)
    rows: list[list[Value | Floats]] = []
    for passed_here in found:
        rows += profile_rows(passed_here, _ratios(passed_here), 1.0)
    note = "ratio: to the fastest of all algorithms here on the same problem."
    return Table(stacked(_PERFORMANCE_COLUMNS, rows), (note, *notes))


def _ratios(found: Passed) -> dict[str, Floats]:
    """Times divided by the least of all algorithms; inf where a problem was not solved."""
    times = np.array([*found.times.values()])
    least = np.fmin.reduce(times, axis=0)
    ratios = {}
    for name, own in found.times.items():
        nobody = np.where(np.isnan(own), np.nan, np.inf)
        ratios[name] = np.divide(own, least, out=nobody, where=np.isfinite(own))
    return ratios


def _caption(cell: Cell) -> str:
    return (
        f"Performance profiles on {cell.place} (Dolan and Moré 2002): share of problems solved "
        f"within a ratio to the {cell.table.runtime_unit} of the fastest algorithm on each, a "
        "panel for each tolerance tau."
    )


@performance_profile.figure(
    "performance-profile",
    cells="suite dimension",
    caption=_caption,
    options="tau budget unequal count",
    unasked="where it applies",
)
def draw_performance_profile(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw performance profiles, a panel for each tolerance.

    Args:
        table: The table.
        **options: ``suite``, ``dimension``.
    """
    return _draw(table, "ratio", f"{table.runtime_unit} / those of the fastest", 2, options)


def _draw(table: Table, column: str, name: str, base: int, options: FigureOptions) -> Figure:
    """Draw the share of problems solved, a panel for each tolerance, the largest first."""
    rows = chosen(table, _CELL, options)
    panels = list(reversed(split(rows, "tau").items()))
    size, most = size_of(options), _MOST_PANELS[options.get("width", "column")]
    if len(panels) > most:
        raise AssessmentError(
            f"figure: there is room for {most} tolerances at this width, {len(panels)} are asked "
            "for (--tau)"
        )
    figure = blank_figure(size)
    every = np.atleast_1d(figure.subplots(1, len(panels), sharex=True, sharey=True))
    left = min(1.0, float(rows[column].min()))
    right = max(float(rows[column].max()), 2 * left)
    for axes, (tau, own) in zip(every, panels, strict=True):
        for label, curve, style in by_algorithm(own, marked=False):
            x, y = np.append(left, curve[column]), np.append(0.0, curve["fraction"])
            axes.plot(x, y, drawstyle="steps-post", label=label, **style)
        axes.set_title(f"tau {tau:g}", fontsize=7)
    every[0].set_xscale("log", base=base)
    every[0].set_xlim(left, right)
    every[0].set_ylim(0, 1.01)
    every[0].set_ylabel("share of problems")
    figure.supxlabel(name, fontsize=8)
    add_title_above(figure, rows, _CELL, options)
    add_legend(every[-1])
    return figure

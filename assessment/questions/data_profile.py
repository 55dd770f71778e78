"""Data profiles of Moré and Wild: the share of problems solved within simplex gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from ..asking.declaration import question
from ..asking.options import Budget, Tolerances
from ..data.convergence_test import Best, passed, profile_rows
from ..data.counting import is_seconds
from ..data.runs import Runs
from ..errors import AssessmentError
from ..figures.axes import FigureOptions
from ..figures.style import styled
from ..figures.tolerances import draw_profiles
from ..tables.table import Table, Value, stacked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell
    from ..statistics.quantiles import Floats

_COLUMNS = ("algorithm", "suite", "dimension", "tau", "simplex_gradients", "fraction")


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


def _caption(cell: Cell) -> str:
    return (
        f"Data profiles on {cell.place} (Moré and Wild 2009): share of problems solved within "
        "simplex gradients, evaluations / (dimension + 1), a panel for each tolerance tau."
    )


@data_profile.figure(
    "data-profile",
    cells="suite dimension",
    caption=_caption,
    options="tau budget unequal count",
    unasked="where it applies",
)
@styled
def draw_data_profile(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw data profiles, a panel for each tolerance.

    Args:
        table: The table.
        **options: ``suite``, ``dimension``.
    """
    name = "evaluations / (dimension + 1)"
    return draw_profiles(table, "simplex_gradients", name, 10, options)

"""Performance profiles of Dolan and Moré: problems solved within a ratio to the fastest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..asking.declaration import question
from ..asking.options import Budget, Tolerances
from ..data.convergence_test import Best, Passed, passed, profile_rows
from ..data.runs import Runs
from ..figures.axes import FigureOptions
from ..figures.style import styled
from ..figures.tolerances import draw_profiles
from ..tables.table import Table, Value, stacked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell
    from ..statistics.quantiles import Floats

_COLUMNS = ("algorithm", "suite", "dimension", "tau", "ratio", "fraction")


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
    return Table(stacked(_COLUMNS, rows), (note, *notes))


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
@styled
def draw_performance_profile(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw performance profiles, a panel for each tolerance.

    Args:
        table: The table.
        **options: ``suite``, ``dimension``.
    """
    return draw_profiles(table, "ratio", f"{table.runtime_unit} / those of the fastest", 2, options)

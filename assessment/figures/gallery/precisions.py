"""Figures of precisions within budgets, and of both at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...data.choice import choose
from ...data.fixed_budget_data import fixed_budget_data
from ...data.run_curves import run_curves
from ...errors import AssessmentError
from ...views.anytime.attainment import attainment_difference_table, attainment_table
from ...views.precision_ecdf import precision_profile_table
from ..anytime.attainment import draw_attainment, draw_attainment_difference
from ..files import Drawing
from ..precision_ecdf import draw_precision_ecdf
from .wanted import (
    AXIS,
    Wanted,
    cells_of,
    drawing,
    only,
    pairs_of,
    place,
    rows_joined,
)

if TYPE_CHECKING:
    from ....loggers import Log


def precision(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Distributions of the precision at some budgets."""
    if wanted.joined and wanted.budgets is None:
        raise AssessmentError("budgets: name those that are joined")
    rows, _ = rows_joined(log, wanted)
    data = fixed_budget_data(log, rows, wanted.budgets, AXIS, wanted.count)
    table = precision_profile_table(data, "all", wanted.joined)
    when = "each panel (evaluations; D is the dimension), each function weighing the same"
    if wanted.joined:
        when = (
            "the panel (evaluations / dimension), all pairs of run and budget taken together, each "
            "function and each budget weighing the same"
        )
    for cell in cells_of(table, "suite", "dimension", "group"):
        caption = (
            f"Share of runs on {place(cell)} that are within a precision after the "
            f"{'budgets' if wanted.joined else 'budget'} above {when}. No restarts are simulated."
        )
        yield drawing(log, wanted, cell, caption, draw_precision_ecdf, table, joins=True)


def attainment(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Empirical attainment functions."""
    table = attainment_table(
        run_curves(log, choose(log, **wanted.selectors), AXIS, wanted.count), "all"
    )
    for cell in cells_of(table, "suite", "dimension", "algorithm"):
        caption = (
            f"Empirical attainment function of {cell['algorithm']} on {place(cell)}: the "
            "precision that 10, 25, 50, 75 and 90 % of the runs had within a budget, all functions "
            "and instances taken together."
        )
        yield drawing(log, wanted, cell, caption, draw_attainment, table)


def attainment_difference(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Differences of attainment functions, for each two algorithms."""
    for first, second in pairs_of(log, wanted):
        rows = choose(log, **only(wanted, first, second).selectors)
        curves = run_curves(log, rows, AXIS, wanted.count)
        table = attainment_difference_table(curves, "all", first, second)
        for cell in cells_of(table, "suite", "dimension"):
            caption = (
                f"Share of the runs of {first} that have a precision within a budget, minus that "
                f"of {second}, on {place(cell)}, all functions and instances taken together: blue "
                f"where {first} attains more."
            )
            yield drawing(
                log,
                wanted,
                cell,
                caption,
                draw_attainment_difference,
                table,
                algorithms=(first, second),
            )

"""Figures of precisions within budgets, and of both at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...data.fixed_budget_data import fixed_budget_data
from ...errors import AssessmentError
from ...views.precision_ecdf import precision_profile_table
from ..files import Drawing
from ..precision_ecdf import draw_precision_ecdf
from .wanted import (
    AXIS,
    Wanted,
    cells_of,
    drawing,
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

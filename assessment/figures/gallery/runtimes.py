"""Figures of runtimes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...data.fixed_budget_data import fixed_budget_data
from ...data.target_choice import BEST, reference_at
from ...tables.table import Table
from ...targets.defaults import pair_targets
from ...views.profiles.joint import joint_table
from ..files import Drawing
from ..profiles.joint import draw_joint
from .wanted import (
    AXIS,
    Wanted,
    cells_of,
    drawing,
    place,
    rows_joined,
    runs_joined,
)

if TYPE_CHECKING:
    from ....loggers import Log


def joint(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Runtimes to some targets beside precisions within some budgets."""
    run_sets, targets = runs_joined(log, wanted, pair_targets)
    rows, _ = rows_joined(log, wanted)
    data = fixed_budget_data(log, rows, wanted.budgets, AXIS, wanted.count)
    known = reference_at(log, rows, wanted.reference or BEST, targets, wanted.count)
    table = joint_table(run_sets, targets, data, "all", known)
    own = Table(
        {name: column[table["of"] != "reference"] for name, column in table.columns.items()}
    )
    for cell in cells_of(own, "suite", "dimension", "group", "algorithm"):
        caption = (
            f"Left: share of the runs of {cell['algorithm']} on {place(cell)} that reached a "
            "target within a budget. Right: share within a precision after "
            f"{'1, 10, 100, …' if wanted.budgets is None else 'some'} evaluations / dimension. "
            "Every function weighs the same; no restarts are simulated. "
            f"Behind: average runtimes of {known[1]} to the same targets."
        )
        yield drawing(log, wanted, cell, caption, draw_joint, table, joins=True)

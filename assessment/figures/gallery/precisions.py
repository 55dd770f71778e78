"""Figures of precisions within budgets, and of both at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...data.choice import choose, measurement_of
from ...data.fixed_budget_data import fixed_budget_data
from ...data.run_curves import run_curves
from ...errors import AssessmentError
from ...targets.budgets import one_budget, own_budgets
from ...targets.defaults import pair_targets
from ...targets.parse import target_text
from ...views.precision_ecdf import precision_profile_table
from ...views.profiles.cuts import cuts_table
from ..files import Drawing
from ..precision_ecdf import draw_precision_ecdf
from ..profiles.cuts import draw_cuts
from .wanted import (
    AXIS,
    Cell,
    Wanted,
    cells_of,
    drawing,
    place,
    rows_joined,
)

if TYPE_CHECKING:
    from ....loggers import Log


def cuts(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Best precision so far, cut at a budget and at a target."""
    curves = list(run_curves(log, choose(log, **wanted.selectors), AXIS, wanted.count))
    for suite, function, dimension in sorted({(c.suite, c.function, c.dimension) for c in curves}):
        cell: Cell = {"suite": suite, "function": function, "dimension": dimension}
        own = [c for c in curves if (c.suite, c.function, c.dimension) == tuple(cell.values())]
        longest = max(float(b.max(initial=1.0)) for one in own for b, _ in one.curves)
        budget = own_budgets(longest, 1.0)[-2:][0]
        if wanted.budget is not None:
            budget = one_budget(wanted.budget, AXIS)
        target = wanted.target
        if target is None:
            target = pair_targets(measurement_of(log, suite))[1]
        caption = (
            f"Best precision so far of each run on {place(cell)}. Vertical line: budget "
            f"{budget:g} evaluations / dimension; at the right the distribution of the precisions "
            f"there (fixed budget). Horizontal line: target {target_text(target)}; above, the "
            "distribution of the runtimes to it (fixed target)."
        )
        table = cuts_table(own, budget, target)
        yield drawing(log, wanted, cell, caption, draw_cuts, table)


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

"""Figures of precisions within budgets, and of both at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...data.choice import choose, measurement_of
from ...data.run_curves import run_curves
from ...targets.budgets import one_budget, own_budgets
from ...targets.defaults import pair_targets
from ...targets.parse import target_text
from ...views.anytime.attainment import attainment_difference_table, attainment_table
from ...views.profiles.cuts import cuts_table
from ..anytime.attainment import draw_attainment, draw_attainment_difference
from ..files import Drawing
from ..profiles.cuts import draw_cuts
from .wanted import (
    AXIS,
    Cell,
    Wanted,
    cells_of,
    drawing,
    only,
    pairs_of,
    place,
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

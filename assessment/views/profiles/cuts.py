"""Convergence curves of single runs, cut at a budget and at a target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...data.notes import basis
from ...data.run_curves import RunCurves
from ...tables.table import Table, Value, table_of

CUT_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "budget", "precision", "target",
    "runtime",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class CutsTable(Table):
    """What the cuts of convergence curves give, a row for each run.

    Columns: ``algorithm, suite, function, dimension, instance``; ``precision``, the best at
    ``budget`` (the vertical cut, the fixed-budget view), inf before the first value; ``runtime``,
    the budget at which ``target`` was hit (the horizontal cut, the fixed-target view), inf where it
    was not. Budgets are in the unit that was asked for.

    Attributes:
        curves: The curves that were cut.
    """

    curves: tuple[RunCurves, ...] = ()


def cuts_table(curves: Iterable[RunCurves], budget: float, target: float) -> CutsTable:
    """Cut convergence curves at a budget and at a target; see `CutsTable`.

    Args:
        curves: With budgets in one unit.
        budget: In this unit.
        target: A precision.
    """
    data = tuple(curves)
    rows: list[list[Value]] = []
    for one in data:
        cell: list[Value] = [one.algorithm, one.suite, one.function, one.dimension]
        for instance, (budgets, precision) in zip(one.instances.tolist(), one.curves, strict=True):
            by_then = precision[budgets <= budget * (1 + 1e-12)]
            hit = budgets[precision <= target]
            reached = float(by_then[-1]) if by_then.size else np.inf
            runtime = float(hit[0]) if hit.size else np.inf
            rows.append([*cell, instance, budget, reached, target, runtime])
    notes: tuple[str, ...] = ()
    bounds = sum(len(one.curves) - one.has_all for one in data)
    if bounds:
        notes += (
            f"of {bounds} runs the log tells first hits of its targets and the best at scheduled "
            "counts, not every improvement: between these, curves are upper bounds.",
        )
    if not all(one.has_reference for one in data):
        notes += ("without a reference value, precisions are indicator values.",)
    convention = "every run is a row; after its end it keeps its last value"
    return CutsTable(table_of(CUT_COLUMNS, rows), (*notes, *basis(data, convention)), data)

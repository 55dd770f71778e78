"""The best precision of the runs within budgets: median and quartiles."""

from __future__ import annotations

from typing import Any

from ....data.choice import choose, measurement_of
from ....data.fixed_budget_data import fixed_budget_data
from ....figures.gallery import curve_budgets
from ....figures.style import SMALLEST_PRECISION
from ....views.fixed_budget import fixed_budget_table
from ...context import Context, finite, rounded
from ..section import Section


def fixed_budget(context: Context) -> dict[str, Any]:
    """Median and quartiles of the best precision of the runs, by budget, for each function."""
    log, budgets = context.log, curve_budgets(context.log)
    rows = choose(log)
    table = fixed_budget_table(fixed_budget_data(log, rows, budgets, "evaluations/dimension"))
    cells: dict[tuple[Any, ...], dict[str, Any]] = {}
    shown = {"budget": "budget", "median": "median", "25%": "low", "75%": "high"}
    columns = {name: finite(rounded(table[name])) for name in shown}
    keys = (table[name].tolist() for name in ("algorithm", "suite", "function", "dimension"))
    for i, (algorithm, suite, function, dimension) in enumerate(zip(*keys, strict=True)):
        key = (algorithm, suite, function, dimension)
        if key not in cells:
            cells[key] = {
                **context.positions.of(algorithm, suite),
                "function": function,
                "dimension": dimension,
                **{name: [] for name in shown.values()},
            }
        for name, short in shown.items():
            cells[key][short].append(columns[name][i])
    return {
        "fixed_budget": list(cells.values()),
        "curve_budgets": budgets,
        "smallest_precision": SMALLEST_PRECISION,
        "signed": [
            measurement_of(log, suite).targets[-1] <= 0 for suite in context.positions.suites
        ],
    }


SECTION = Section(
    "fixed-budget",
    "fixed_budget",
    "Precision at a budget",
    "Median over the runs of the best precision so far, and the quartiles as a band. On "
    "logarithmic axes, precisions below 1e-12 are drawn at 1e-12.",
    data=fixed_budget,
)

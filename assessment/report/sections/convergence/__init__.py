"""Convergence: the best precision of the runs within budgets, median and quartiles."""

from __future__ import annotations

from typing import Any

from ....data.choice import choose, measurement_of
from ....data.fixed_budget_data import fixed_budget_data
from ....figures.gallery.wanted import curve_budgets
from ....figures.style import SMALLEST_PRECISION
from ....views.fixed_budget import precision_statistics
from ...context import Context, finite, rounded
from ..section import Section


def convergence(context: Context) -> dict[str, Any]:
    """Median and quartiles of the best precision of the runs, by budget, for each function."""
    log, budgets = context.log, curve_budgets(context.log)
    curves = []
    for one in fixed_budget_data(log, choose(log), budgets, "evaluations/dimension"):
        found = precision_statistics(one.precision)
        numbers = {"median": found["median"], "low": found["25%"], "high": found["75%"]}
        curves.append(
            {
                **context.positions.of(one.algorithm, one.suite),
                "function": one.function,
                "dimension": one.dimension,
                "budget": finite(rounded(one.budgets)),
                **{name: finite(rounded(column)) for name, column in numbers.items()},
            }
        )
    return {
        "convergence": curves,
        "curve_budgets": budgets,
        "smallest_precision": SMALLEST_PRECISION,
        "signed": [
            measurement_of(log, suite).targets[-1] <= 0 for suite in context.positions.suites
        ],
    }


SECTION = Section(
    "convergence",
    "Convergence",
    "Median over the runs of the best precision so far, the lower the better. The band reaches "
    "from the first to the third quartile of the runs. On logarithmic axes, precisions below 1e-12 "
    "are drawn at 1e-12.",
    data=convergence,
)

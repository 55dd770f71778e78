"""Convergence: the best precision of the runs within budgets, median and quartiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....data.choice import cells, choose, measurement_of
from ....data.fixed_budget_data import fixed_budget_data
from ....figures.gallery.wanted import curve_budgets
from ....figures.style import SMALLEST_PRECISION, SMALLEST_TARGET
from ....statistics.quantiles import quantiles
from ....targets.budgets import parse_budgets
from ...context import Context, finite, rounded
from ..section import Section

_AXIS = "evaluations/dimension"


def convergence(context: Context) -> dict[str, Any]:
    """Median and quartiles of the best precision of the runs, by budget, for each function."""
    log, budgets = context.log, curve_budgets(context.log)
    rows, curves = choose(log), []
    shown = finite(rounded(np.array(parse_budgets(budgets, _AXIS))))
    for places in cells(log, rows, ("suite", "dimension")):  # those of all would take much memory
        count = context.choices.count or "f+g"
        for one in fixed_budget_data(log, rows[places], budgets, _AXIS, count):
            low, median, high = quantiles(one.precision, [0.25, 0.5, 0.75], "type-7")
            numbers = {"median": median, "low": low, "high": high}
            curves.append(
                {
                    **context.positions.of(one.algorithm, one.suite),
                    "function": one.function,
                    "dimension": one.dimension,
                    "budget": shown,
                    **{name: finite(rounded(column)) for name, column in numbers.items()},
                }
            )
    return {
        "convergence": curves,
        "curve_budgets": budgets,
        "smallest_precision": SMALLEST_PRECISION,
        "smallest_target": SMALLEST_TARGET,
        "signed": [
            measurement_of(log, suite).targets[-1] <= 0 for suite in context.positions.suites
        ],
    }


SECTION = Section(
    "convergence",
    "Convergence",
    "Median over the runs of the best precision so far, the lower the better. The band reaches "
    "from the first to the third quartile of the runs. On logarithmic axes, precisions below 1e-12 "
    "are drawn at 1e-12; where some are below 0, the axis is linear from -1e-8 to 1e-8.",
    data=convergence,
)

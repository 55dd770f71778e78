"""Two objectives: what one, half and all of the runs attain, after more and more evaluations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....data.choice import choose
from ....data.fronts.archives import archives_of, on_two_objectives
from ....statistics.fronts.surfaces import GRID, Steps, steps_of, surface_steps
from ....targets.budgets import counts_of, parse_budgets
from ....views.fronts.surfaces import SURFACES, runs_of_surface
from ...context import Context
from ..section import Section

_PER_DECADE = 3


def fronts(context: Context) -> dict[str, Any]:
    """Attainment surfaces by budget, as steps on a grid; nothing without two objectives."""
    log = context.log
    rows = choose(log)
    rows = rows[on_two_objectives(log, rows)]
    if not len(rows):
        return {}
    longest = float((log.runs["evaluations"][rows] / log.runs["dimension"][rows]).max())
    text = f"1..1e{max(1, math.ceil(math.log10(max(longest, 1.0)) - 1e-9))}/{_PER_DECADE}"
    budgets = parse_budgets(text)
    cells = []
    for one in archives_of(log, rows):
        by_budget = []
        for normalised in one.normalised_fronts(counts_of(budgets, float(one.dimension))):
            steps = [steps_of(front) for front in normalised]
            counts = [runs_of_surface(name, len(steps)) for name in SURFACES]
            by_budget.append([_differences(surface_steps(steps, count)) for count in counts])
        cells.append(
            {
                **context.positions.of(one.algorithm, one.suite),
                "function": one.function,
                "dimension": one.dimension,
                "runs": len(one.runs),
                "surfaces": by_budget,
            }
        )
    return {
        "fronts": {
            "names": SURFACES,
            "grid": [float(f"{value:.4g}") for value in GRID.tolist()],
            "budgets": budgets,
            "cells": cells,
        }
    }


def _differences(steps: Steps) -> list[list[int]]:
    """Of each column, from one step to the next: small numbers, which compress well."""
    return [np.diff(column, prepend=0).tolist() for column in steps.T]


SECTION = Section(
    "fronts",
    "Fronts of two objectives",
    "What the runs attain within a budget: half of them have a point on or below the thick line "
    "(median attainment surface), one of them the lower thin line, all of them the upper one; all "
    "instances are taken together, and a run that ended keeps its archive. Objectives are scaled: "
    "the ideal point is 0, the nadir point 1. Values are rounded up, by at most 4 % or 0.004.",
    data=fronts,
    needs="fronts",
)

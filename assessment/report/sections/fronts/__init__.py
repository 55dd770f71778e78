"""Two objectives: what one, half and all of the runs attain, after more and more evaluations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....asking.context import Context
from ....asking.declaration import Section
from ....data.choice import choose
from ....data.fronts.archives import Archives, archives_of, on_two_objectives
from ....statistics.fronts.surfaces import GRID, Steps, steps_of, surface_steps
from ....targets.budgets import counts_of, parse_budgets
from ....views.fronts.surfaces import SURFACES, runs_of_surface

_PER_DECADE = 3


def fronts(context: Context) -> dict[str, Any]:
    """Attainment surfaces by budget, as steps on a grid; nothing without two objectives.

    Of all instances of a function together, and of each, with its ideal and nadir point.
    """
    log = context.log
    rows = choose(log)
    rows = rows[on_two_objectives(log, rows)]
    if not len(rows):
        return {}
    longest = float((log.runs["evaluations"][rows] / log.runs["dimension"][rows]).max())
    text = f"1..1e{max(1, math.ceil(math.log10(max(longest, 1.0)) - 1e-9))}/{_PER_DECADE}"
    budgets = (*(budget for budget in parse_budgets(text) if budget < longest), longest)
    cells = []
    for one in archives_of(log, rows):
        counts = counts_of(budgets, float(one.dimension))
        steps = [
            [steps_of(run.normalised(front)) for front in run.fronts(counts)] for run in one.runs
        ]
        cells.append(
            {
                **context.positions.of(one.algorithm, one.suite),
                "function": one.function,
                "dimension": one.dimension,
                **_surfaces(steps),
                "instances": [
                    _of_instance(one, steps, i) for i in np.unique(one.instances).tolist()
                ],
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


def _of_instance(one: Archives, steps: Sequence[Sequence[Steps]], instance: int) -> dict[str, Any]:
    places = np.flatnonzero(one.instances == instance).tolist()
    first = one.runs[places[0]]
    return {
        "instance": instance,
        "ideal": first.ideal.tolist(),
        "nadir": first.nadir.tolist(),
        **_surfaces([steps[place] for place in places]),
    }


def _surfaces(steps: Sequence[Sequence[Steps]]) -> dict[str, Any]:
    """How many runs there are, and their surfaces; of one run the surface that they all are.

    Args:
        steps: Of each run its front within each budget.
    """
    runs = len(steps)
    counts = [runs_of_surface(name, runs) for name in SURFACES] if runs > 1 else [1]
    by_budget = [list(fronts) for fronts in zip(*steps, strict=True)]
    return {"runs": runs, "surfaces": [_corners(by_budget, count) for count in counts]}


def _corners(by_budget: Sequence[Sequence[Steps]], count: int) -> list[list[int]]:
    """The corners of a surface, each once, in the order in which budgets bring them.

    A surface only ever comes nearer: within a budget it is what no other corner dominates of all
    that came until then.

    Returns:
        Steps of the first and of the second objective, as differences from one corner to the next,
        which compress well; and how many corners each budget brings.
    """
    seen = np.empty(0, dtype=np.intp)
    found, brought = [np.zeros((1, 2), dtype=np.intp)], []
    for fronts in by_budget:
        surface = fronts[0] if len(fronts) == 1 else surface_steps(fronts, count)
        keys = surface[:, 0] * len(GRID) + surface[:, 1]
        new = ~np.isin(keys, seen)
        seen = np.concatenate([seen, keys[new]])
        found.append(surface[new])
        brought.append(int(new.sum()))
    return [*np.diff(np.concatenate(found), axis=0).T.tolist(), brought]


SECTION = Section(
    "fronts",
    "Fronts of two objectives",
    "What the runs attain within a budget: half of them have a point on or below the thick line "
    "(median attainment surface), one of them the lower thin line, all of them the upper one; a "
    "run that ended keeps its archive. Objectives are scaled: the ideal point is 0, the nadir "
    "point 1; so the runs on all instances can be taken together. Of one instance, axes may also "
    "show the objectives as they are. Values are rounded up, by at most 4 % or 0.004 of the scale.",
    data=fronts,
    needs="fronts",
    place=60,
)

"""Targets that a reference algorithm just misses within given budgets (run-length based targets).

Hansen et al., "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 3: "To each budget,
starting with the smallest, we associate the easiest (largest) target for which (i) the average
runtime of the reference algorithm exceeds the budget and (ii, optionally) that had not been chosen
for a smaller budget before. If such target does not exist, we take the final (smallest) target."
The targets to choose from are COCO's, five per decade.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from ...loggers.targets.grid import FINAL_TARGET as FINAL_K
from ...loggers.targets.grid import GRID_TOLERANCE, TARGETS_PER_DECADE, grid
from ..statistics.quantiles import Floats
from .budgets import parse_budgets
from .parse import FINAL_TARGET

TABLE_BUDGETS = parse_budgets("0.5*D, 1.2*D, 3*D, 10*D, 50*D")
"""The paper's five budgets."""
PROFILE_BUDGETS = "0.5..50/15*D"
"""The 31 of cocopp's runtime profiles."""
STEP = 10.0**0.2
"""Ratio of neighbouring targets of COCO."""
_ROUNDING = 1e-12


def runlength_targets(
    targets: ArrayLike,
    average_runtimes: ArrayLike,
    budgets: Iterable[float],
    distinct: bool = False,
) -> Floats:
    """The paper's rule: for each budget the easiest target that the reference needs longer for.

    Targets are descending, the reference's aRT is inf where one was not reached; budgets are
    evaluations, ascending. ``distinct`` is the paper's optional constraint (ii).

    >>> runlength_targets([10.0, 1.0, 0.1], [5.0, 8.0, np.inf], [4.0, 5.0, 8.0, 9.0])
    array([10. ,  1. ,  0.1,  0.1])
    >>> runlength_targets([10.0, 1.0, 0.1], [5.0, 8.0, 9.0], [1.0, 2.0, 50.0], distinct=True)
    array([10. ,  1. ,  0.1])
    """
    known, runtimes = np.asarray(targets, float), np.asarray(average_runtimes, float)
    chosen: list[int] = []
    for budget in budgets:
        exceeds = np.flatnonzero(runtimes > budget)
        position = int(exceeds[0]) if exceeds.size else len(known) - 1
        if distinct and chosen and position <= chosen[-1]:
            position = chosen[-1] + 1
        chosen.append(min(position, len(known) - 1))
    return np.asarray(known[chosen])


def cocopp_runlength_targets(
    targets: ArrayLike,
    average_runtimes: ArrayLike,
    budgets: Iterable[float],
    factor: float = STEP,
    unique: bool = False,
) -> Floats:
    """The rule of cocopp 2.9.1 (``pproc.RunlengthBasedTargetValues``), to compare with its numbers.

    The hardest target reached within ``max(1, budget)``, divided by ``10**0.2`` and times ``1 +
    1e-9``; the easiest one where none is. A target not harder than the one before becomes that one
    divided by ``factor`` (1: it stays), and none is below 1e-8. Unlike the paper's, such targets
    leave the recorded ones, and those of large budgets depend on the budgets before. Targets that
    differ by rounding alone are equal here; cocopp, which compares them without tolerance, then
    sometimes keeps both (11 of the 144 sets of best2009-bbob with factor 10**0.2). ``factor`` is
    10**0.2 for cocopp's tables, 1 for its ECDFs, 10**0.04 for its scatter plots; ``unique`` drops
    repeated targets, as its ECDFs do.
    """
    known, runtimes = np.asarray(targets, float), np.asarray(average_runtimes, float)
    known, runtimes = known[known >= FINAL_TARGET], runtimes[known >= FINAL_TARGET]
    chosen: list[float] = []
    for budget in budgets:
        reached = np.flatnonzero(runtimes <= max(1.0, budget))
        target = (1 + 1e-9) * known[reached[-1]] / STEP if reached.size else known[0]
        if chosen and target >= chosen[-1] * (1 - _ROUNDING) and factor > 1:
            target = chosen[-1] / factor
        chosen.append(float(target))
    floored = np.maximum(chosen, FINAL_TARGET)
    return np.unique(floored)[::-1] if unique else floored


def on_coco_grid(targets: ArrayLike, average_runtimes: ArrayLike) -> tuple[Floats, Floats]:
    """A reference's aRT on all targets ``10**(k/5)`` from its easiest to the final one, 1e-8.

    >>> targets, runtimes = on_coco_grid([10.0, 10**0.6], [3.0, 7.0])
    >>> runtimes[:4]
    array([ 3.,  7.,  7., inf])
    """
    easiest = float(np.max(targets))
    step = TARGETS_PER_DECADE // 5
    precisions = grid()[::step][::-1]
    assert (TARGETS_PER_DECADE, FINAL_K % step) == (20, 0)
    precisions = precisions[precisions <= easiest * (1 + GRID_TOLERANCE)]
    return precisions, runtimes_at(targets, average_runtimes, precisions)


def runtimes_at(targets: ArrayLike, average_runtimes: ArrayLike, precisions: ArrayLike) -> Floats:
    """A reference's aRT to ``precisions``: that of its easiest target that is at most each.

    Files of COCO's reference algorithms leave out targets that cost as much as a harder one. inf
    beyond the hardest.
    """
    aims = np.asarray(precisions, float)
    place = np.searchsorted(-np.asarray(targets, float), -(aims + GRID_TOLERANCE * np.abs(aims)))
    return np.asarray(np.append(average_runtimes, np.inf)[place], float)

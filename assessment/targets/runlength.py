"""Compute run-length based targets, which a reference algorithm just misses within budgets.

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
"""The 31 budgets of cocopp's runtime profiles."""
STEP = 10.0**0.2
"""Ratio of neighbouring targets of COCO."""
_ROUNDING = 1e-12
"""Relative tolerance: targets that differ by rounding alone are equal."""


def runlength_targets(
    targets: ArrayLike,
    average_runtimes: ArrayLike,
    budgets: Iterable[float],
    distinct: bool = False,
) -> Floats:
    """Return, for each budget, the easiest target whose aRT exceeds the budget (the paper's rule).

    Args:
        targets: Targets of the reference, descending, shape ``(n_targets,)``.
        average_runtimes: Its aRT to each target in evaluations; inf if not reached.
        budgets: Evaluations, ascending.
        distinct: Whether to apply the paper's constraint (ii): choose no target twice, except the
            last.

    >>> runlength_targets([10.0, 1.0, 0.1], [5.0, 8.0, np.inf], [4.0, 5.0, 8.0, 9.0])
    array([10. ,  1. ,  0.1,  0.1])
    >>> runlength_targets([10.0, 1.0, 0.1], [5.0, 8.0, 9.0], [1.0, 2.0, 50.0], distinct=True)
    array([10. ,  1. ,  0.1])
    """
    precisions, runtimes = np.asarray(targets, float), np.asarray(average_runtimes, float)
    chosen: list[int] = []
    for budget in budgets:
        exceeds = np.flatnonzero(runtimes > budget)
        position = int(exceeds[0]) if exceeds.size else len(precisions) - 1
        if distinct and chosen and position <= chosen[-1]:
            position = chosen[-1] + 1
        chosen.append(min(position, len(precisions) - 1))
    return np.asarray(precisions[chosen])


def cocopp_runlength_targets(
    targets: ArrayLike,
    average_runtimes: ArrayLike,
    budgets: Iterable[float],
    factor: float = STEP,
    unique: bool = False,
) -> Floats:
    """Return targets by the rule of cocopp 2.9.1, ``pproc.RunlengthBasedTargetValues``.

    The target of a budget is the hardest target reached within ``max(1, budget)``, divided by
    ``10**0.2`` and times ``1 + 1e-9``; the easiest target if none is reached. A target that is not
    harder than the previous one is replaced by the previous one divided by ``factor``. No target is
    below 1e-8. Unlike the paper's targets, these are no recorded targets, and they depend on
    smaller budgets. Targets that differ by rounding alone are equal here. cocopp compares without
    tolerance and sometimes keeps both (11 of the 144 sets of best2009-bbob with factor 10**0.2).

    Args:
        targets: Targets of the reference, descending, shape ``(n_targets,)``.
        average_runtimes: Its aRT to each target in evaluations; inf if not reached.
        budgets: Evaluations, ascending.
        factor: 10**0.2 for cocopp's tables, 10**0.04 for its scatter plots; 1 for its ECDFs, which
            keeps equal targets.
        unique: Whether to drop repeated targets, as cocopp's ECDFs do.
    """
    precisions, runtimes = np.asarray(targets, float), np.asarray(average_runtimes, float)
    is_available = precisions >= FINAL_TARGET
    precisions, runtimes = precisions[is_available], runtimes[is_available]
    chosen: list[float] = []
    for budget in budgets:
        reached = np.flatnonzero(runtimes <= max(1.0, budget))
        target = (1 + 1e-9) * precisions[reached[-1]] / STEP if reached.size else precisions[0]
        if chosen and target >= chosen[-1] * (1 - _ROUNDING) and factor > 1:
            target = chosen[-1] / factor
        chosen.append(float(target))
    floored = np.maximum(chosen, FINAL_TARGET)
    return np.unique(floored)[::-1] if unique else floored


def on_coco_grid(targets: ArrayLike, average_runtimes: ArrayLike) -> tuple[Floats, Floats]:
    """Return a reference's aRT on COCO's targets ``10**(k/5)``, from its easiest target to 1e-8.

    Args:
        targets: Targets of the reference, descending.
        average_runtimes: Its aRT to each target; inf if not reached.

    Returns:
        The targets, descending, and the aRT to each.

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
    """Return a reference's aRT to other precisions.

    The aRT to a precision is that of the easiest target at or below it, because files of COCO's
    reference algorithms leave out targets whose aRT equals that of a harder target.

    Args:
        targets: Targets of the reference, descending.
        average_runtimes: Its aRT to each target; inf if not reached.
        precisions: The precisions, in any shape.

    Returns:
        The aRT in the shape of ``precisions``; inf beyond the hardest target.
    """
    requested = np.asarray(precisions, float)
    limits = requested + GRID_TOLERANCE * np.abs(requested)
    indices = np.searchsorted(-np.asarray(targets, float), -limits)
    return np.asarray(np.append(average_runtimes, np.inf)[indices], float)

"""The empirical attainment function (EAF): the share of runs that reach a precision by a budget.

A run attains ``(budget, precision)`` if its best precision within the budget is at most that.
Source: Grunert da Fonseca, Fonseca and Hall, "Inferential Performance Assessment of Stochastic
Optimisers and the Attainment Function" (EMO 2001), with two minimised objectives: evaluations and
precision (López-Ibáñez, Vermetten, Dreo and Doerr, "Using the Empirical Attainment Function for
Analyzing Single-objective Black-box Optimization Algorithms", 2024, arXiv:2404.02031). The package
moocore (extra ``attainment``) computes it exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ..errors import AssessmentError, MissingPackageError
from .quantiles import Floats

# Points of one run: budgets, ascending, and the best precision from each on; both ``(n,)``.
Curve = tuple[Floats, Floats]

_MAX_POINTS = (
    20_000_000  # of an exact comparison, whose time grows faster than the number of points
)


def attainment_surfaces(curves: Sequence[Curve], percents: Sequence[float]) -> list[Curve]:
    """Compute, for each percentage, the surface that this percentage of the runs attains.

    ``k`` percent of ``n`` runs are ``ceil(k n / 100)`` runs. Runs without a point count, too.

    Args:
        curves: Points of each run.
        percents: Percentages of the runs, above 0 and up to 100.

    Returns:
        Corner points of each surface; empty if too few runs attain it.

    Raises:
        MissingPackageError: moocore is not installed.
    """
    counts = [math.ceil(round(percent * len(curves) / 100, 9)) for percent in percents]
    # Halfway between two counts, so that rounding does not change the count.
    levels = [100 * (count - 0.5) / len(curves) for count in counts]
    points = _join_curves(curves)
    rows = _import_moocore().eaf(points[:, :2], points[:, 2], percentiles=sorted(set(levels)))
    rows = rows[np.isfinite(rows[:, 0])]
    surfaces: list[Curve] = []
    for level in levels:
        surface = rows[np.abs(rows[:, 2] - level) < 1e-9]
        order = np.argsort(surface[:, 0])
        surfaces.append((surface[order, 0], surface[order, 1]))
    return surfaces


def attainment_differences(first: Sequence[Curve], second: Sequence[Curve]) -> Floats:
    """Compute the regions in which the share of runs that attain a point differs.

    Args:
        first: Points of each run of one algorithm.
        second: Points of each run of the other algorithm.

    Returns:
        Rectangles that do not overlap, shape ``(n, 5)``: lower and upper budget, lower and upper
        precision (inf if there is no limit), share of ``first`` minus share of ``second``. The
        shares are equal outside the rectangles.

    Raises:
        AssessmentError: There are too many points for an exact comparison.
        MissingPackageError: moocore is not installed.
    """
    sizes = len(first), len(second)
    n_runs = math.lcm(*sizes)  # moocore compares equal numbers of runs, so runs are repeated
    sides = [_join_curves([*curves] * (n_runs // len(curves))) for curves in (first, second)]
    if sum(map(len, sides)) > _MAX_POINTS:
        raise AssessmentError(
            f"attainment: {sizes[0]} and {sizes[1]} runs are too many to be compared exactly; "
            "choose equal numbers of them"
        )
    moocore = _import_moocore()
    surfaces = [moocore.eaf(points[:, :2], points[:, 2]) for points in sides]
    if np.array_equal(*surfaces):  # eafdiff of moocore 0.3.2 raises if there is no difference
        return np.empty((0, 5))
    rows = moocore.eafdiff(*sides, rectangles=True)
    rows = rows[(rows[:, 4] != 0) & np.isfinite(rows[:, :2]).all(axis=1)]
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    return np.asarray(rows[order][:, [0, 2, 1, 3, 4]] / [1, 1, 1, 1, n_runs])


def _join_curves(curves: Sequence[Curve]) -> Floats:
    """Return rows of budget, precision and number of the run, counted from 1.

    A run without points has the row (inf, inf), so that it counts.
    """
    blocks = []
    for number, (budgets, precisions) in enumerate(curves, 1):
        columns = [budgets, precisions] if len(budgets) else [[np.inf], [np.inf]]
        blocks.append(np.column_stack([*columns, np.full(len(columns[0]), number)]))
    return np.concatenate(blocks)


def _import_moocore() -> Any:
    try:
        return import_module("moocore")
    except ImportError as error:
        raise MissingPackageError.of("moocore", "attainment", "attainment") from error

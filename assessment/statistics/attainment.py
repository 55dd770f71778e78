"""The empirical attainment function (EAF): which share of runs got how far, how soon.

A run attains (budget, precision) if its best precision within the budget is at most that. Source:
Grunert da Fonseca, Fonseca and Hall, "Inferential Performance Assessment of Stochastic Optimisers
and the Attainment Function" (EMO 2001), with two minimised objectives: evaluations and precision
(López-Ibáñez, Vermetten, Dreo and Doerr, "Using the Empirical Attainment Function for Analyzing
Single-objective Black-box Optimization Algorithms", 2024, arXiv:2404.02031). The package moocore
(extra ``attainment``) computes it exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ..errors import AssessmentError, MissingPackageError
from .quantiles import Floats

Curve = tuple[Floats, Floats]
"""Of one run: budgets, ascending, and the best precision from each on; both ``(n,)``."""

_MOST_POINTS = 20_000_000


def attainment_surfaces(curves: Sequence[Curve], percents: Sequence[float]) -> list[Curve]:
    """For each percentage, the points from which on so many of the runs have attained them.

    ``k`` percent of ``n`` runs are ``ceil(k n / 100)``; runs without a point count, too. A
    surface that too few runs attain is empty.
    """
    counts = [math.ceil(round(percent * len(curves) / 100, 9)) for percent in percents]
    shares = [100 * (count - 0.5) / len(curves) for count in counts]  # halfway: safe from rounding
    points = _points(curves)
    found = _moocore().eaf(points[:, :2], points[:, 2], percentiles=sorted(set(shares)))
    found = found[np.isfinite(found[:, 0])]
    surfaces: list[Curve] = []
    for share in shares:
        mine = found[np.abs(found[:, 2] - share) < 1e-9]
        order = np.argsort(mine[:, 0])
        surfaces.append((mine[order, 0], mine[order, 1]))
    return surfaces


def attainment_differences(first: Sequence[Curve], second: Sequence[Curve]) -> Floats:
    """Where one algorithm's share of runs that attain a point differs from another's.

    Rectangles that do not overlap, shape ``(n, 5)``: lower and upper budget, lower and upper
    precision (inf where they have no end), share of ``first`` minus that of ``second``.
    Elsewhere the shares are equal.
    """
    sizes = len(first), len(second)
    runs = math.lcm(*sizes)
    sides = [_points([*curves] * (runs // len(curves))) for curves in (first, second)]
    if sum(map(len, sides)) > _MOST_POINTS:
        raise AssessmentError(
            f"attainment: {sizes[0]} and {sizes[1]} runs are too many to be compared exactly; "
            "choose equal numbers of them"
        )
    moocore = _moocore()
    levels = [moocore.eaf(points[:, :2], points[:, 2]) for points in sides]
    if np.array_equal(*levels):  # eafdiff of moocore 0.3.2 raises where there is no difference
        return np.empty((0, 5))
    found = moocore.eafdiff(*sides, rectangles=True)
    found = found[(found[:, 4] != 0) & np.isfinite(found[:, :2]).all(axis=1)]
    order = np.lexsort((found[:, 1], found[:, 0]))
    return np.asarray(found[order][:, [0, 2, 1, 3, 4]] / [1, 1, 1, 1, runs])


def _points(curves: Sequence[Curve]) -> Floats:
    """Budget, precision and number of the run, from 1; infinity where a run has no point."""
    points = []
    for number, (budgets, precisions) in enumerate(curves, 1):
        pairs = [budgets, precisions] if len(budgets) else [[np.inf], [np.inf]]
        points.append(np.column_stack([*pairs, np.full(len(pairs[0]), number)]))
    return np.concatenate(points)


def _moocore() -> Any:
    try:
        return import_module("moocore")
    except ImportError as error:
        raise MissingPackageError.of("moocore", "attainment", "attainment") from error

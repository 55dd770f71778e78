"""Two objectives between ideal and nadir point, as COCO's archive compares them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..errors import ObservationError
from .indicator import check_takes

Array = NDArray[np.float64]

RESOLUTION = 5e-13
"""Normalised objectives are multiples of it."""
TOLERANCE = 1e-13
"""What is below it counts as 0."""


def normalised(values: Array, ideal: Array, nadir: Array) -> Array:
    """Objectives on a scale from the ideal point, 0, to the nadir point, 1; shape ``(n, 2)``.

    A point at the minimum of one objective that is better than the nadir point in the other gets
    the nadir point's value there.
    """
    scaled: Array = np.floor((values - ideal) / (nadir - ideal) / RESOLUTION + 0.5) * RESOLUTION
    scaled = np.maximum(scaled, 0.0)
    for axis, other in ((0, 1), (1, 0)):
        scaled[(scaled[:, axis] < TOLERANCE) & (scaled[:, other] < 1.0), other] = 1.0
    return scaled


def region_of(problem: Problem, indicator: str) -> tuple[Array, Array]:
    """Ideal and nadir point of a problem; ObservationError where not known, or not apart."""
    check_takes(problem, indicator, objectives=2, constraints=False)
    ideal, nadir = problem.ideal_point, problem.nadir_point
    if ideal is None or nadir is None or not np.all(np.isfinite(nadir - ideal) & (nadir > ideal)):
        raise ObservationError(
            f"{problem.id}: indicator {indicator!r} needs an ideal point and a nadir point above "
            f"it in both objectives; they are {_point_text(ideal)} and {_point_text(nadir)}"
        )
    return ideal, nadir


def _point_text(point: Array | None) -> str:
    return "unknown" if point is None else str(point.tolist())

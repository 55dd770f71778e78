"""The hypervolume of the archive: the indicator of problems with two objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..errors import ObservationError
from ..records.dtypes import Rows
from ..targets.grid import SIGNED
from .indicator import Indicator, check_takes

if TYPE_CHECKING:
    from .archive import Archive

Array = NDArray[np.float64]


class Hypervolume(Indicator):
    """Minus the hypervolume of the archive of non-dominated points.

    Objectives are normalised: the ideal point is (0, 0), the nadir point is (1, 1). The hypervolume
    is the area between these two points that the archive dominates. While the hypervolume is below
    1e-13, the smallest distance between this square and a point that entered is added.

    Precisions are ``reference - hypervolume + distance``, where the reference is the problem's
    reference value. They are negative if the archive is better than the reference. NaN and infinite
    objectives never enter.

    Source: COCO's ``logger_biobj``, whose numbers these are (D. Brockhoff, A. Auger, N. Hansen,
    T. Tušar: Using Well-Understood Single-Objective Functions in Multiobjective Black-Box
    Optimization Test Suites, Evolutionary Computation 30(2), 2022).
    """

    name = "hypervolume"
    grid = SIGNED

    def __init__(self, problem: Problem) -> None:
        self._archive = _make_archive(problem)
        self.reference = -problem.reference_value
        self.entered = np.empty(0, np.int64)
        self.may_improve = self._archive.would_enter

    def measure_point(self, x: Array, value: Array) -> float:
        """Implement `Indicator`."""
        return float(self.measure(x, value.reshape(1, 2))[0])

    def measure(self, points: Array, values: Array) -> Array:
        """Implement `Indicator`."""
        measured, self.entered = self._archive.enter(values)
        return measured


def find_final_members(rows: Rows, problem: Problem) -> Rows:
    """Return the rows of an archive whose points are non-dominated at the end of the run.

    Args:
        rows: All points that entered the archive, in this order.
        problem: The problem of the run.
    """
    if not len(rows):
        return rows
    # A point is left at the end if it enters an archive after all points that entered later.
    latest_first = rows[::-1]
    values = np.column_stack([latest_first["y1"], latest_first["y2"]])
    _, positions = _make_archive(problem).enter(values)
    members: Rows = latest_first[positions][::-1]
    return members


def _make_archive(problem: Problem) -> Archive:
    """Return an empty archive; raise ObservationError if ideal or nadir point are missing."""
    check_takes(problem, Hypervolume.name, objectives=2, constraints=False)
    ideal, nadir = problem.ideal_point, problem.nadir_point
    if ideal is None or nadir is None or not np.all(np.isfinite(nadir - ideal) & (nadir > ideal)):
        raise ObservationError(
            f"{problem.id}: indicator {Hypervolume.name!r} needs an ideal point and a nadir point "
            f"above it in both objectives; they are {_point_text(ideal)} and {_point_text(nadir)}"
        )
    from .archive import Archive  # numba

    return Archive(ideal, nadir)


def _point_text(point: Array | None) -> str:
    return "unknown" if point is None else str(point.tolist())

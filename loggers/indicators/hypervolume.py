"""The hypervolume of the archive: the indicator of problems with two objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..errors import ObservationError
from ..records.dtypes import Rows
from ..targets.grid import SIGNED
from .indicator import check_takes

if TYPE_CHECKING:
    from .archive import Archive

Array = NDArray[np.float64]


class Hypervolume:
    """Minus the hypervolume of the archive; while that is 0, its distance to where it would count.

    The archive holds the points that no other is as good as in both objectives. Objectives are
    normalised: the ideal point is (0, 0), the nadir point (1, 1). The hypervolume is the area that
    the archive dominates between them. While it is below 1e-13, the least distance of a point that
    entered to that square is added.

    Precisions are ``reference - hypervolume + distance``, where the reference is the problem's
    reference value. They are negative where the archive is better than the reference. NaN and
    infinite objectives never enter.

    Source: COCO's ``logger_biobj``, whose numbers these are (D. Brockhoff, A. Auger, N. Hansen,
    T. Tušar: Using Well-Understood Single-Objective Functions in Multiobjective Black-Box
    Optimization Test Suites, Evolutionary Computation 30(2), 2022).
    """

    name: Final = "hypervolume"
    grid: Final = SIGNED
    is_the_value: Final = False
    is_at_least_the_value: Final = False
    takes_measured_values: Final = False

    def __init__(self, problem: Problem) -> None:
        self._archive = _empty_archive(problem)
        self.reference = -problem.reference_value
        self.entered = np.empty(0, np.int64)
        self._begun: Array | None = None
        self.may_improve = self._archive.would_enter

    def measure_point(self, x: Array, value: Array) -> float:
        """See ``Indicator``."""
        return float(self.measure(x, value.reshape(1, 2))[0])

    def measure(self, points: Array, values: Array) -> Array:
        """See ``Indicator``."""
        if self._begun is not points:
            self._archive.begin(values)
            self._begun = points
        measured, self.entered = self._archive.finish()
        return measured


def final_members(rows: Rows, problem: Problem) -> Rows:
    """Those of an archive's rows, in the order they entered, whose points are left at the end."""
    if not len(rows):
        return rows
    # a point is left if it enters after all that entered later
    latest_first = rows[::-1]
    values = np.column_stack([latest_first["y1"], latest_first["y2"]])
    _, left = _empty_archive(problem).enter(values)
    members: Rows = latest_first[left][::-1]
    return members


def _empty_archive(problem: Problem) -> Archive:
    """ObservationError where ideal and nadir point of a problem are not known, or not apart."""
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

"""The hypervolume of the archive: the indicator of problems with two objectives."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..records.dtypes import Rows
from ..targets.grid import SIGNED
from .normalisation import normalised, region_of

Array = NDArray[np.float64]


class Hypervolume:
    """Minus the hypervolume of the archive; while that is 0, its distance to where it would count.

    The archive holds the points that no other is as good as in both objectives. Objectives are
    normalised, see ``normalised``. The hypervolume is the area that the archive dominates between
    the ideal point (0, 0) and the nadir point (1, 1). While it is below 1e-13, the least distance
    of a point that entered to that square is added.

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
        ideal, nadir = region_of(problem, self.name)
        from .archive import Archive  # numba

        self.reference = -problem.reference_value
        self.entered = np.empty(0, np.int64)
        self._begun: Array | None = None
        self._archive = Archive(ideal, nadir)
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
    values = np.column_stack([rows["y1"], rows["y2"]])
    n1, n2 = normalised(values, *region_of(problem, Hypervolume.name)).T
    order = np.lexsort((n1, n2))
    best = np.minimum.accumulate(np.concatenate([[np.inf], n1[order]]))[:-1]
    members: Rows = rows[np.sort(order[n1[order] < best])]
    return members

"""Attainment surfaces as figures need them: on a grid that is finer than the eye.

A surface bounds what at least so many runs attain, which is to have a point that is no worse in
both objectives. Source: Fonseca and Fleming, "On the Performance Assessment and Comparison of
Stochastic Multiobjective Optimizers" (PPSN 1996); as levels of the attainment function, Grunert da
Fonseca, Fonseca and Hall (EMO 2001). `..anytime.attainment` gives them exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..quantiles import Floats
from .front import nondominated

GRID: Floats = np.concatenate(
    [
        np.geomspace(1e-6, 0.1, 301)[:-1],
        np.linspace(0.1, 1.3, 301)[:-1],
        np.geomspace(1.3, 1.3e12, 721),
    ]
)
"""Values of normalised objectives: steps of 0.004 around 1, else 60 a decade."""

Steps = NDArray[np.intp]
"""A front by positions in `GRID`, shape ``(n, 2)``; the first rises, the second falls."""


def steps_of(front: ArrayLike) -> Steps:
    """A front with its values rounded up to `GRID`.

    Args:
        front: Shape ``(n, 2)``, the first objective rising; values beyond the grid's end are left
            out, those below its start lie on it.

    >>> GRID[steps_of([[0.0, 0.5011], [0.0003, 0.5009], [2e12, 0.0]])].round(6).tolist()
    [[1e-06, 0.504]]
    """
    values = np.asarray(front, dtype=np.float64).reshape(-1, 2)
    places = np.searchsorted(GRID, values * (1 - 1e-12))
    places = places[(places < len(GRID)).all(axis=1)]
    return np.asarray(places[nondominated(places)])


def surface_steps(fronts: Sequence[Steps], count: int) -> Steps:
    """The surface that ``count`` of the runs attain.

    Args:
        fronts: Of the runs, as `steps_of` gives them; those of runs without a point are empty.
        count: From 1, the best of the runs, to all of them, the worst.
    """
    columns = np.unique(np.concatenate([front[:, 0] for front in fronts]))
    lowest = np.stack(
        [
            np.append(len(GRID), front[:, 1])[front[:, 0].searchsorted(columns, side="right")]
            for front in fronts
        ]
    )
    rows = np.partition(lowest, count - 1, axis=0)[count - 1]
    steps = np.stack([columns, rows], axis=1)[rows < len(GRID)]
    return np.asarray(steps[nondominated(steps)])

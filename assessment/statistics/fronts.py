"""Points of two objectives, both minimised: fronts, indicators of them, attainment surfaces.

A front holds the nondominated points of a set (`front_of`): the first objective rises, the second
falls. Indicators say how good it is: hypervolume, IGD+ and the additive epsilon indicator. An empty
front has hypervolume 0 and is infinitely far from any other.

A surface bounds what at least so many runs attain, which is to have a point that is no worse in
both objectives. It stands on a grid that is finer than the eye; `attainment` gives it exactly.
Source: Fonseca and Fleming, "On the Performance Assessment and Comparison of Stochastic
Multiobjective Optimizers" (PPSN 1996); as levels of the attainment function, Grunert da Fonseca,
Fonseca and Hall (EMO 2001).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import Floats


def nondominated(points: ArrayLike) -> NDArray[np.intp]:
    """Positions of the points that no other dominates, in the order of the first objective.

    A point dominates another if it is no worse in both objectives and better in one. Of equal
    points the first counts: the first objective rises and the second falls, both strictly.

    >>> nondominated([[2.0, 1.0], [1.0, 2.0], [2.0, 2.0], [1.0, 2.0]]).tolist()
    [1, 0]
    """
    first, second = np.asarray(points, dtype=np.float64).reshape(-1, 2).T
    order = np.lexsort((second, first))
    best_before = np.concatenate([[np.inf], np.minimum.accumulate(second[order])[:-1]])
    return np.asarray(order[second[order] < best_before[: len(order)]])


def front_of(points: ArrayLike) -> Floats:
    """The points at the positions of `nondominated`, shape ``(m, 2)``.

    >>> front_of([[2.0, 1.0], [1.0, 2.0], [2.0, 2.0]]).tolist()
    [[1.0, 2.0], [2.0, 1.0]]
    """
    values = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    return np.asarray(values[nondominated(values)])


def hypervolume(front: ArrayLike) -> float:
    """Area that a normalised front dominates, up to the nadir point (1, 1); larger is better.

    Source: Zitzler and Thiele, "Multiobjective Optimization Using Evolutionary Algorithms: A
    Comparative Case Study" (PPSN 1998). Points that are not below the nadir point add nothing.

    >>> hypervolume([[0.25, 0.5], [0.5, 0.25]])
    0.5
    """
    first, second = _columns(front)
    inside = (first < 1) & (second < 1)
    first, second = first[inside], second[inside]
    ends = np.append(first[1:], 1.0)[: len(first)]
    return float(((ends - first) * (1 - second)).sum())


def igd_plus(front: ArrayLike, reference: ArrayLike) -> float:
    """Mean distance from the points of a reference front to what a front dominates (IGD+).

    ``mean over r in reference of min over a in front of |max(a - r, 0)|``, with the Euclidean
    length. Source: Ishibuchi, Masuda, Tanigaki and Nojima, "Modified Distance Calculation in
    Generational Distance and Inverted Generational Distance" (EMO 2015), eq. 18 in eq. 13. 0 where
    the front is nowhere worse than the reference; inf for an empty front.

    >>> igd_plus([[0.5, 0.5]], [[0.0, 1.0], [0.5, 0.25]])
    0.375
    """
    from scipy.spatial import KDTree

    points, aims = np.asarray(front, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    if not len(points):
        return np.inf
    first, second = points.T
    # of the points left of r the last is the lowest, of those below r the first is the leftmost;
    # any other lies above and right of r, where the length is the distance between the points
    last_left = np.searchsorted(first, aims[:, 0], side="right")
    first_below = len(second) - np.searchsorted(second[::-1], aims[:, 1], side="right")
    up = np.append(np.inf, second)[last_left] - aims[:, 1]
    across = np.append(first, np.inf)[first_below] - aims[:, 0]
    nearest, _ = KDTree(points).query(aims)
    return float(np.minimum(nearest, np.minimum(up, across).clip(min=0.0)).mean())


def epsilon(front: ArrayLike, reference: ArrayLike) -> float:
    """How far a front must be moved, equally in both objectives, to dominate a reference front.

    The additive epsilon indicator, ``max over r in reference of min over a in front of max(a - r)``
    (over both objectives). Source: Zitzler, Thiele, Laumanns, Fonseca and Grunert da Fonseca,
    "Performance Assessment of Multiobjective Optimizers: An Analysis and Review" (IEEE Transactions
    on Evolutionary Computation 7(2), 2003). Below 0 where the front is better than the reference
    everywhere; inf for an empty front.

    >>> epsilon([[0.5, 0.5]], [[0.0, 1.0], [0.5, 0.25]])
    0.5
    """
    first, second = _columns(front)
    aims = np.asarray(reference, dtype=np.float64)
    if not len(first):
        return np.inf
    # a1 - r1 rises along the front and a2 - r2 falls: their maximum is least where they cross
    crossing = np.searchsorted(first - second, aims[:, 0] - aims[:, 1])
    after = np.append(first, np.inf)[crossing] - aims[:, 0]
    before = np.append(np.inf, second)[crossing] - aims[:, 1]
    return float(np.minimum(after, before).max())


def _columns(front: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(front, dtype=np.float64).reshape(-1, 2).T
    return first, second


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

    Values beyond the grid's end are left out, those below its start lie on it.

    >>> GRID[steps_of([[0.0, 0.5011], [0.0003, 0.5009], [2e12, 0.0]])].round(6).tolist()
    [[1e-06, 0.504]]
    """
    values = np.asarray(front, dtype=np.float64).reshape(-1, 2)
    places = np.searchsorted(GRID, values * (1 - 1e-12))
    places = places[(places < len(GRID)).all(axis=1)]
    return np.asarray(places[nondominated(places)])


def surface_steps(fronts: Sequence[Steps], count: int) -> Steps:
    """The surface that ``count`` of the runs attain.

    ``count`` goes from 1, the best of the runs, to all of them, the worst.
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

"""Fronts of two minimised objectives, quality indicators of fronts, and attainment surfaces.

A front holds the nondominated points of a set (`front_of`): the first objective ascends, and the
second descends. Indicators measure its quality: hypervolume, IGD+ and the additive epsilon
indicator. An empty front has hypervolume 0 and is infinitely far from any other.

A surface bounds the region that a number of runs attain. A run attains a point if it has a point
that is no worse in both objectives. Surfaces are computed on a grid whose steps are not visible in
a figure; `attainment` computes them exactly. Source: Fonseca and Fleming, "On the Performance
Assessment and Comparison of Stochastic Multiobjective Optimizers" (PPSN 1996); as levels of the
attainment function, Grunert da Fonseca, Fonseca and Hall (EMO 2001).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import Floats

# Values of normalised objectives: steps of 0.004 around 1, otherwise 60 per decade.
GRID: Floats = np.concatenate(
    [
        np.geomspace(1e-6, 0.1, 301)[:-1],
        np.linspace(0.1, 1.3, 301)[:-1],
        np.geomspace(1.3, 1.3e12, 721),
    ]
)

# A front as indices into `GRID`, shape ``(n, 2)``; the first column ascends, the second descends.
Steps = NDArray[np.intp]


def nondominated(points: ArrayLike) -> NDArray[np.intp]:
    """Return the indices of the points that no other point dominates, by the first objective.

    A point dominates another if it is no worse in both objectives and better in one. Of equal
    points only the first is returned: the first objective ascends and the second descends strictly.

    >>> nondominated([[2.0, 1.0], [1.0, 2.0], [2.0, 2.0], [1.0, 2.0]]).tolist()
    [1, 0]
    """
    first, second = np.asarray(points, dtype=np.float64).reshape(-1, 2).T
    order = np.lexsort((second, first))
    best_before = np.concatenate([[np.inf], np.minimum.accumulate(second[order])[:-1]])
    return np.asarray(order[second[order] < best_before[: len(order)]])


def front_of(points: ArrayLike) -> Floats:
    """Return the nondominated points of a set, sorted by the first objective, shape ``(m, 2)``.

    >>> front_of([[2.0, 1.0], [1.0, 2.0], [2.0, 2.0]]).tolist()
    [[1.0, 2.0], [2.0, 1.0]]
    """
    values = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    return np.asarray(values[nondominated(values)])


def hypervolume(front: ArrayLike) -> float:
    """Compute the area that a normalised front dominates, up to the nadir point (1, 1).

    Larger is better. Points that are not below the nadir point add nothing. Source: Zitzler and
    Thiele, "Multiobjective Optimization Using Evolutionary Algorithms: A Comparative Case Study"
    (PPSN 1998).

    Args:
        front: Result of `front_of`, shape ``(n, 2)``.

    Raises:
        ValueError: The front is not sorted as `front_of` sorts it.

    >>> hypervolume([[0.25, 0.5], [0.5, 0.25]])
    0.5
    """
    first, second = _split_front(front)
    is_inside = (first < 1) & (second < 1)
    first, second = first[is_inside], second[is_inside]
    ends = np.append(first[1:], 1.0)[: len(first)]
    return float(((ends - first) * (1 - second)).sum())


def igd_plus(front: ArrayLike, reference: ArrayLike) -> float:
    """Compute IGD+: the mean distance from reference points to the region that a front dominates.

    ``mean over r in reference of min over a in front of |max(a - r, 0)|``, with the Euclidean
    length. It is 0 if the front is nowhere worse than the reference. Source: Ishibuchi, Masuda,
    Tanigaki and Nojima, "Modified Distance Calculation in Generational Distance and Inverted
    Generational Distance" (EMO 2015), eq. 18 in eq. 13.

    Args:
        front: Result of `front_of`, shape ``(n, 2)``.
        reference: Points of a reference front, shape ``(m, 2)``, in any order.

    Returns:
        Distance; inf for an empty front.

    Raises:
        ValueError: The front is not sorted as `front_of` sorts it.

    >>> igd_plus([[0.5, 0.5]], [[0.0, 1.0], [0.5, 0.25]])
    0.375
    """
    from scipy.spatial import KDTree

    first, second = _split_front(front)
    reference_points = np.asarray(reference, dtype=np.float64)
    if not len(first):
        return np.inf
    # Let r be a reference point. Of the points to the left of r the last is the lowest, and of the
    # points below r the first is the leftmost. All other points lie above and to the right of r,
    # where the length is the distance between the points.
    last_left = np.searchsorted(first, reference_points[:, 0], side="right")
    first_below = len(second) - np.searchsorted(second[::-1], reference_points[:, 1], side="right")
    up = np.append(np.inf, second)[last_left] - reference_points[:, 1]
    across = np.append(first, np.inf)[first_below] - reference_points[:, 0]
    distances, _ = KDTree(np.column_stack([first, second])).query(reference_points)
    return float(np.minimum(distances, np.minimum(up, across).clip(min=0.0)).mean())


def epsilon(front: ArrayLike, reference: ArrayLike) -> float:
    """Compute the additive epsilon indicator of a front relative to a reference front.

    It is the distance by which the front must be moved, equally in both objectives, to dominate the
    reference: ``max over r in reference of min over a in front of max(a - r)`` (over both
    objectives). It is negative if the front is better than the reference everywhere. Source:
    Zitzler, Thiele, Laumanns, Fonseca and Grunert da Fonseca, "Performance Assessment of
    Multiobjective Optimizers: An Analysis and Review" (IEEE Transactions on Evolutionary
    Computation 7(2), 2003).

    Args:
        front: Result of `front_of`, shape ``(n, 2)``.
        reference: Points of a reference front, shape ``(m, 2)``, in any order.

    Returns:
        Distance; inf for an empty front.

    Raises:
        ValueError: The front is not sorted as `front_of` sorts it.

    >>> epsilon([[0.5, 0.5]], [[0.0, 1.0], [0.5, 0.25]])
    0.5
    """
    first, second = _split_front(front)
    reference_points = np.asarray(reference, dtype=np.float64)
    if not len(first):
        return np.inf
    # a1 - r1 ascends along the front, a2 - r2 descends: the maximum is smallest where they cross.
    crossing = np.searchsorted(first - second, reference_points[:, 0] - reference_points[:, 1])
    after = np.append(first, np.inf)[crossing] - reference_points[:, 0]
    before = np.append(np.inf, second)[crossing] - reference_points[:, 1]
    return float(np.minimum(after, before).max())


def _split_front(front: ArrayLike) -> tuple[Floats, Floats]:
    """Return both objectives of a front; raise ValueError if its points are not in order."""
    first, second = np.asarray(front, dtype=np.float64).reshape(-1, 2).T
    # Equal neighbours are allowed, because normalisation may round different values to equal ones.
    if (first[1:] < first[:-1]).any() or (second[1:] > second[:-1]).any():
        raise ValueError("the points are not a front: sort them by front_of")
    return first, second


def steps_of(front: ArrayLike) -> Steps:
    """Round the values of a front up to `GRID`, and return their indices.

    Values below the start of the grid become its start. Points with a value beyond the end of the
    grid are left out.

    >>> GRID[steps_of([[0.0, 0.5011], [0.0003, 0.5009], [2e12, 0.0]])].round(6).tolist()
    [[1e-06, 0.504]]
    """
    values = np.asarray(front, dtype=np.float64).reshape(-1, 2)
    indices = np.searchsorted(GRID, values * (1 - 1e-12))
    indices = indices[(indices < len(GRID)).all(axis=1)]
    return np.asarray(indices[nondominated(indices)])


def surface_steps(fronts: Sequence[Steps], count: int) -> Steps:
    """Compute the surface that at least ``count`` of the runs attain.

    Args:
        fronts: Front of each run.
        count: Number of runs, from 1 (the best of the runs) to all of them (the worst).
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

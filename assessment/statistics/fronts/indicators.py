"""How good a front is: hypervolume, IGD+ and the additive epsilon indicator, of two objectives.

All take fronts as `front_of` gives them: the first objective rises, the second falls. An empty
front has hypervolume 0 and is infinitely far from any other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..quantiles import Floats


def hypervolume(front: ArrayLike) -> float:
    """Area that a normalised front dominates, up to the nadir point (1, 1); larger is better.

    Source: Zitzler and Thiele, "Multiobjective Optimization Using Evolutionary Algorithms: A
    Comparative Case Study" (PPSN 1998).

    Args:
        front: Shape ``(n, 2)``; points that are not below the nadir point add nothing.

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
    Generational Distance and Inverted Generational Distance" (EMO 2015), eq. 18 in eq. 13.

    Args:
        front: Shape ``(n, 2)``.
        reference: A front of shape ``(m, 2)``, m >= 1.

    Returns:
        0 where the front is nowhere worse than the reference; inf for an empty front.

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
    "Performance Assessment of Multiobjective Optimizers: An Analysis and Review" (IEEE
    Transactions on Evolutionary Computation 7(2), 2003).

    Args:
        front: Shape ``(n, 2)``.
        reference: A front of shape ``(m, 2)``, m >= 1.

    Returns:
        Below 0 where the front is better than the reference everywhere; inf for an empty front.

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

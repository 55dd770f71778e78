"""The nondominated points of a set, as a front that the indicators take."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..quantiles import Floats


def nondominated(points: ArrayLike) -> NDArray[np.intp]:
    """Positions of the points that no other dominates, in the order of the first objective.

    A point dominates another if it is no worse in both objectives and better in one.

    Args:
        points: Shape ``(n, 2)``, no NaN. Of equal points the first counts.

    Returns:
        Shape ``(m,)``: along them the first objective rises and the second falls, both strictly.

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

"""What each algorithm adds to a portfolio: Shapley values of the virtual best.

Source: Fréchette, Kotthoff, Michalak, Rahwan, Hoos and Leyton-Brown, "Using the Shapley Value to
Analyze Algorithm Portfolios" (AAAI 2016). A portfolio is worth, on each problem, what its best
member reaches there. That game has a closed form (Littlechild and Owen 1973), so values are exact
for any number of algorithms, and none of the ``2^k`` portfolios is formed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..quantiles import Floats


def shapley_values(merits: ArrayLike) -> Floats:
    """Mean over all orders of joining of what an algorithm adds to those before it.

    With the merits on a problem in ascending order ``m_1 <= … <= m_k`` (and ``m_0 = 0``), the
    algorithm in place ``i`` gets ``sum over j = 1 … i of (m_j - m_(j-1)) / (k - j + 1)``.

    Args:
        merits: Shape ``(n_problems, k)``, >= 0, larger is better; an empty portfolio is worth 0.

    Returns:
        Shape ``(k,)``, means over the problems; their sum is the virtual best's merit.

    Raises:
        ValueError: A merit is negative or not finite.

    >>> shapley_values([[1.0, 3.0]])
    array([0.5, 2.5])
    """
    values = _checked(merits)
    k = values.shape[1]
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    steps = np.diff(ascending, axis=1, prepend=0.0) / np.arange(k, 0, -1)
    shares = np.empty_like(values)
    np.put_along_axis(shares, order, np.cumsum(steps, axis=1), axis=1)
    return np.asarray(shares.mean(axis=0))


def marginal_values(merits: ArrayLike) -> Floats:
    """What the portfolio of all loses without each algorithm, shape ``(k,)``.

    Args:
        merits: As of `shapley_values`.

    >>> marginal_values([[1.0, 3.0]])
    array([0., 2.])
    """
    values = _checked(merits)
    if values.shape[1] == 1:
        return np.asarray(values.mean(axis=0))
    best = values.max(axis=1, keepdims=True)
    is_best = np.arange(values.shape[1]) == values.argmax(axis=1)[:, np.newaxis]
    second = np.where(is_best, -np.inf, values).max(axis=1, keepdims=True)
    return np.asarray(np.where(is_best, best - second, 0.0).mean(axis=0))


def _checked(merits: ArrayLike) -> Floats:
    values = np.asarray(merits, dtype=np.float64)
    if not ((values >= 0) & (values < np.inf)).all():
        raise ValueError("merits must be finite and not negative")
    return values

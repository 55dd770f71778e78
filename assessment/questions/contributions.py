"""What each algorithm adds to the portfolio of all.

Source: Fréchette, Kotthoff, Michalak, Rahwan, Hoos and Leyton-Brown, "Using the Shapley Value to
Analyze Algorithm Portfolios" (AAAI 2016). A portfolio is worth, on each problem, what its best
member reaches there. That game has a closed form (Littlechild and Owen 1973), so values are exact
for any number of algorithms, and none of the ``2^k`` portfolios is formed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..asking.declaration import question
from ..asking.options import Budget
from ..data.problem_matrix import area_matrices, notes_on_problems
from ..data.runs import Runs
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, table_of

_NAMES = ("suite", "dimension", "algorithm", "problems", "alone", "marginal", "shapley", "share")


@question("Algorithms over all functions of a dimension", 50)
def contributions(runs: Runs, budget: Budget | None = None) -> Table:
    """What each algorithm adds to a portfolio: Shapley values.

    In each dimension, a portfolio is worth the mean over problems of the best area over the
    convergence curve (see `aocc`) of its members. alone: of the algorithm by itself; marginal: what
    the portfolio of all loses without it; shapley: its Shapley value, exact for any number of
    algorithms.

    Args:
        budget: Where areas end. None: that of the runs, where all have the same.

    Returns:
        Columns: ``suite, dimension, algorithm``, number of ``problems``; ``alone``, the score of
        the algorithm by itself; ``marginal``, what the portfolio of all loses without it;
        ``shapley``, its Shapley value (`shapley_values`), and its ``share`` of their sum, which is
        the virtual best's score.
    """
    matrices, notes = area_matrices(runs, budget)
    rows: list[list[Value]] = []
    for matrix in matrices:
        shapley, marginal = shapley_values(matrix.values), marginal_values(matrix.values)
        alone, total = matrix.values.mean(axis=0), float(shapley.sum())
        for i, name in enumerate(matrix.algorithms):
            worth = float(shapley[i])
            head: list[Value] = [matrix.suite, matrix.dimension, name, len(matrix.values)]
            share = worth / total if total else 0.0
            rows.append([*head, float(alone[i]), float(marginal[i]), worth, share])
    return Table(table_of(_NAMES, rows), (*notes, *notes_on_problems(matrices)))


def shapley_values(scores: ArrayLike) -> Floats:
    """Mean over all orders of joining of what an algorithm adds to those before it.

    With the scores on a problem in ascending order ``m_1 <= … <= m_k`` (and ``m_0 = 0``), the
    algorithm in place ``i`` gets ``sum over j = 1 … i of (m_j - m_(j-1)) / (k - j + 1)``.

    Args:
        scores: Shape ``(n_problems, k)``, >= 0, larger is better; an empty portfolio is worth 0.

    Returns:
        Shape ``(k,)``, means over the problems; their sum is the virtual best's score.

    Raises:
        ValueError: A score is negative or not finite.

    >>> shapley_values([[1.0, 3.0]])
    array([0.5, 2.5])
    """
    values = _checked(scores)
    k = values.shape[1]
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    steps = np.diff(ascending, axis=1, prepend=0.0) / np.arange(k, 0, -1)
    shares = np.empty_like(values)
    np.put_along_axis(shares, order, np.cumsum(steps, axis=1), axis=1)
    return np.asarray(shares.mean(axis=0))


def marginal_values(scores: ArrayLike) -> Floats:
    """What the portfolio of all loses without each algorithm, shape ``(k,)``.

    Args:
        scores: As of `shapley_values`.

    >>> marginal_values([[1.0, 3.0]])
    array([0., 2.])
    """
    values = _checked(scores)
    if values.shape[1] == 1:
        return np.asarray(values.mean(axis=0))
    best = values.max(axis=1, keepdims=True)
    is_best = np.arange(values.shape[1]) == values.argmax(axis=1)[:, np.newaxis]
    second = np.where(is_best, -np.inf, values).max(axis=1, keepdims=True)
    return np.asarray(np.where(is_best, best - second, 0.0).mean(axis=0))


def _checked(scores: ArrayLike) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    if not ((values >= 0) & (values < np.inf)).all():
        raise ValueError("scores must be finite and not negative")
    return values

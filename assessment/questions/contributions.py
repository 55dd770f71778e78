"""What each algorithm adds to the portfolio of all."""

from __future__ import annotations

from ..asking.declaration import question
from ..asking.options import Budget
from ..data.problem_matrix import area_matrices, notes_on_problems
from ..data.runs import Runs
from ..statistics.ranking import marginal_values, shapley_values
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

"""What each algorithm adds to the portfolio of all, as a table."""

from __future__ import annotations

from collections.abc import Iterable

from ...data.problem_matrix import ProblemMatrix, notes_on_problems
from ...statistics.merit.shapley import marginal_values, shapley_values
from ...tables.table import Table, Value, table_of

_NAMES = ("suite", "dimension", "algorithm", "problems", "alone", "marginal", "shapley", "share")


def contributions_table(matrices: Iterable[ProblemMatrix], notes: tuple[str, ...]) -> Table:
    """Contributions to the portfolio of all algorithms of a suite and dimension.

    A portfolio is worth the mean over problems of the best merit of its members. Columns: ``suite,
    dimension, algorithm``, number of ``problems``; ``alone``, the merit of the algorithm by itself;
    ``marginal``, what the portfolio of all loses without it; ``shapley``, its Shapley value
    (`shapley_values`), and its ``share`` of their sum, which is the virtual best's merit.

    Args:
        matrices: Of merits, one for each suite and dimension.
        notes: On what merits are.
    """
    data = list(matrices)
    rows: list[list[Value]] = []
    for one in data:
        shapley, marginal = shapley_values(one.values), marginal_values(one.values)
        alone, total = one.values.mean(axis=0), float(shapley.sum())
        for i, name in enumerate(one.algorithms):
            worth = float(shapley[i])
            head: list[Value] = [one.suite, one.dimension, name, len(one.values)]
            shared = worth / total if total else 0.0
            rows.append([*head, float(alone[i]), float(marginal[i]), worth, shared])
    return Table(table_of(_NAMES, rows), (*notes, *notes_on_problems(data)))

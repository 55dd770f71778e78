"""Problems × algorithms, with the virtual best and the single best: the data of selection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ....suites.names import natural_order
from ...data.problem_matrix import ProblemMatrix, notes_on_problems
from ...tables.table import Table, Value, table_of, text

_GAP_COLUMNS = (
    "suite", "dimension", "problems", "single_best", "single_best_mean", "virtual_best_mean",
    "gap",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class MatrixTable(Table):
    """One row for each problem, one column for each algorithm.

    Columns: ``suite, dimension, function, instance``; for each algorithm ``value:NAME`` (inf: never
    succeeded; NaN: not run in this dimension); ``virtual_best``, the best of the row, and ``best``,
    whose it is.

    Attributes:
        gaps: For each suite and dimension the ``single_best`` algorithm, its mean and that of the
            virtual best, and the ``gap`` between them: what perfect selection could gain.
    """

    gaps: Table = field(default_factory=lambda: Table(table_of(_GAP_COLUMNS, [])))


def matrix_table(matrices: Iterable[ProblemMatrix], notes: tuple[str, ...]) -> MatrixTable:
    """The matrix of all suites and dimensions, see `MatrixTable`.

    Args:
        matrices: One for each suite and dimension.
        notes: On what the values are.
    """
    data = list(matrices)
    names = natural_order(name for one in data for name in one.algorithms)
    rows: list[list[Value]] = []
    gaps: list[list[Value]] = []
    for one in data:
        best = one.values.argmax(axis=1) if one.is_merit else one.values.argmin(axis=1)
        virtual = one.virtual_best
        for i, (function, instance) in enumerate(
            zip(one.functions.tolist(), one.instances.tolist(), strict=True)
        ):
            known = dict(zip(one.algorithms, one.values[i].tolist(), strict=True))
            values: list[Value] = [known.get(name, float("nan")) for name in names]
            winner = one.algorithms[best[i]] if np.isfinite(virtual[i]) else ""
            head: list[Value] = [one.suite, one.dimension, function, instance]
            rows.append([*head, *values, float(virtual[i]), winner])
        gaps.append(_gap(one))
    columns = ("suite", "dimension", "function", "instance", *(f"value:{name}" for name in names))
    said = tuple(
        f"{row[0]} in {row[1]}-D, {row[2]} problems: {text(row[3])} is the single best with a mean "
        f"of {text(row[4])}, the virtual best has {text(row[5])}."
        for row in gaps
    )
    left_out = notes_on_problems(data)
    return MatrixTable(
        table_of((*columns, "virtual_best", "best"), rows),
        (*notes, *said, *left_out),
        Table(table_of(_GAP_COLUMNS, gaps), (*notes, *left_out)),
    )


def _gap(one: ProblemMatrix) -> list[Value]:
    place = one.single_best
    single = float(one.values[:, place].mean())
    virtual = float(one.virtual_best.mean())
    gap = abs(single - virtual) if np.isfinite(single) and np.isfinite(virtual) else float("inf")
    name = one.algorithms[place]
    return [one.suite, one.dimension, len(one.values), name, single, virtual, gap]

"""Problems × algorithms, the data of selection; and what each algorithm adds to a portfolio."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ...suites.texts import natural_order
from ..asking.declaration import question
from ..asking.options import Budget, FeatureFile, Reference, Targets
from ..data.problem_matrix import (
    ProblemMatrix,
    area_matrices,
    notes_on_problems,
    read_features,
    runtime_matrices,
)
from ..data.runs import Runs
from ..errors import AssessmentError
from ..statistics.ranking import marginal_values, shapley_values
from ..tables.table import Table, Value, table_of, text

Measure = Literal["art", "par10", "aocc"]
_GAP_COLUMNS = (
    "suite", "dimension", "problems", "single_best", "single_best_mean", "virtual_best_mean",
    "gap",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class MatrixTable(Table):
    """A number for each problem and algorithm, a row for each problem; or the gaps.

    Attributes:
        gaps: ``suite, dimension``, number of ``problems``; the ``single_best`` algorithm, its mean
            and that of the virtual best, and the ``gap`` between them.
    """

    gaps: Table = field(default_factory=lambda: Table(table_of(_GAP_COLUMNS, [])))


@question("Algorithms over all functions of a dimension", 30)
def matrix(
    runs: Runs,
    measure: Measure = "art",
    targets: Targets | None = None,
    *,
    gaps: bool = False,
    budget: Budget | None = None,
    reference: Reference | None = None,
    features: FeatureFile | None = None,
) -> MatrixTable:
    """Problems x algorithms with the virtual best, to choose among them; the gap to it.

    A number for each problem (function, dimension, instance) and algorithm. virtual_best is the
    best of each row.

    With ``gaps``, in each dimension: the single best has the best mean over the problems, the
    virtual best takes the best algorithm on each, and the gap between them is what choosing
    perfectly could gain.

    Args:
        measure: What the numbers are: average runtime, PAR-10, or area over the convergence curve.
        targets: Of art and par10, one. None: the final one, or the suite's hardest.
        gaps: Instead the single best, the virtual best and the gap between, in each dimension.
        budget: Of aocc: where areas end. None: that of the runs, where all have the same.
        reference: None: none; run-length targets need one.
        features: None: none.

    Returns:
        A `MatrixTable`. Columns: ``suite, dimension, function, instance``; for each algorithm
        ``value:NAME`` (inf: never succeeded; NaN: not run in this dimension); ``virtual_best``, the
        best of the row, and ``best``, whose it is; ``feature:NAME`` for each feature (NaN: the file
        does not have the problem). With ``gaps`` the columns of its ``gaps``, which
        are there.

    Raises:
        UnknownNameError: There is no such measure.
        AssessmentError: There are several targets, a target or budget that the measure does not
            take, or no common problem.
    """
    if measure not in get_args(Measure):
        raise UnknownNameError.of("measure", measure, get_args(Measure))
    if measure == "aocc":
        if targets is not None or reference is not None:
            raise AssessmentError("measure aocc takes a budget, no targets")
        matrices, notes = area_matrices(runs, budget)
    else:
        if budget is not None:
            raise AssessmentError(f"measure {measure} takes a target, no budget")
        matrices, notes = runtime_matrices(runs, targets, reference, measure == "par10")
    if features is not None and gaps:
        raise AssessmentError("features: they stand beside single problems, gaps have none")
    known = None if features is None else read_features(features)
    names = natural_order(name for own in matrices for name in own.algorithms)
    columns = ("suite", "dimension", "function", "instance", *(f"value:{name}" for name in names))
    rows = [row for own in matrices for row in _rows(own, names)]
    gap_rows = [_gap(own) for own in matrices]
    left_out = notes_on_problems(matrices)
    gap_table = Table(table_of(_GAP_COLUMNS, gap_rows), (*notes, *left_out))
    best = tuple(
        f"{row[0]} in {row[1]}-D, {row[2]} problems: {text(row[3])} is the single best with a mean "
        f"of {text(row[4])}, the virtual best has {text(row[5])}."
        for row in gap_rows
    )
    columns = (*columns, "virtual_best", "best")
    if known is not None:
        columns = (*columns, *(f"feature:{name}" for name in known.names))
        problems = [(str(r[0]), int(r[1]), int(r[2]), int(r[3])) for r in rows]
        rows = [[*row, *known.of(problem)] for row, problem in zip(rows, problems, strict=True)]
        left_out = (*left_out, *known.notes(problems))
    table = MatrixTable(table_of(columns, rows), (*notes, *best, *left_out), gap_table)
    return replace(table, columns=gap_table.columns, notes=gap_table.notes) if gaps else table


def _rows(matrix: ProblemMatrix, names: list[str]) -> list[list[Value]]:
    """A row for each problem, with a value for each of ``names``."""
    best = matrix.values.argmax(axis=1) if matrix.larger_is_better else matrix.values.argmin(axis=1)
    virtual = matrix.virtual_best.tolist()
    problems = zip(matrix.functions.tolist(), matrix.instances.tolist(), strict=True)
    rows: list[list[Value]] = []
    for i, (function, instance) in enumerate(problems):
        known = dict(zip(matrix.algorithms, matrix.values[i].tolist(), strict=True))
        values: list[Value] = [known.get(name, float("nan")) for name in names]
        winner = matrix.algorithms[best[i]] if np.isfinite(virtual[i]) else ""
        rows.append(
            [matrix.suite, matrix.dimension, function, instance, *values, virtual[i], winner]
        )
    return rows


def _gap(matrix: ProblemMatrix) -> list[Value]:
    place = matrix.single_best
    single = float(matrix.values[:, place].mean())
    virtual = float(matrix.virtual_best.mean())
    gap = abs(single - virtual) if np.isfinite(single) and np.isfinite(virtual) else float("inf")
    name = matrix.algorithms[place]
    return [matrix.suite, matrix.dimension, len(matrix.values), name, single, virtual, gap]


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

"""Values of problems × algorithms, for algorithm selection, and contributions to portfolios.

`matrix` shows the values of single problems, and the gap between the single best algorithm and the
virtual best. `contributions` shows what each algorithm adds to a portfolio.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ...suites.texts import natural_order
from ..caveats import Explanation
from ..cost import unit_of_count
from ..errors import AssessmentError
from ..samples.areas import Areas
from ..samples.at_targets import AtTargets, open_at_targets
from ..samples.convention import Convention
from ..samples.sample import Answer
from ..selection import Selection
from ..statistics.ranking import marginal_values, shapley_values
from ..tables.table import Table, Value, table_of, text
from ..targets.target_sets import hardest
from ._framework.needs import Need, areas
from ._framework.options import Budget, FeatureFile, Reference, Targets
from ._framework.question import question
from .aocc import OF_PROBLEMS
from .problem_features import Problem, read_features
from .problem_matrix import (
    ProblemMatrix,
    build_area_matrices,
    build_runtime_matrices,
    make_notes_on_problems,
)

Measure = Literal["art", "par10", "aocc"]
_GAP_COLUMNS = (
    "suite", "dimension", "problems", "single_best", "single_best_mean", "virtual_best_mean",
    "gap",
)  # fmt: skip
_CONTRIBUTION_COLUMNS = (
    "suite", "dimension", "algorithm", "problems", "alone", "marginal", "shapley", "share",
)  # fmt: skip
_AREAS = areas(takes_scale=False)
_CONVENTION = Convention(
    "a value is that of one problem (function, dimension, instance), over its runs"
)


@dataclass(frozen=True, eq=False, repr=False)
class MatrixTable(Table):
    """A table with one row for each problem, or, with the option ``gaps``, a copy of `gaps`.

    Attributes:
        gaps: One row for each suite and dimension. ``problems`` is the number of problems.
            ``single_best`` is the algorithm with the best mean over the problems.
            ``single_best_mean`` is this mean, and ``virtual_best_mean`` is the mean of the best
            value on each problem. ``gap`` is the difference of the two means; inf if one of them
            is infinite.
    """

    gaps: Table = field(default_factory=lambda: Table(table_of(_GAP_COLUMNS, [])))


def _open_sample(
    selection: Selection,
    measure: Measure = "art",
    targets: Targets | None = None,
    *,
    budget: Budget | None = None,
    reference: Reference | None = None,
) -> AtTargets | Areas:
    """Open the sample that the measure is computed from: areas for ``aocc``, else first hits.

    Args:
        selection: The selected runs.
        measure: The measure that the question computes.
        targets: The target, for ``art`` and ``par10`` only. None: the suite's hardest.
        budget: The budget at which areas end, for ``aocc`` only. None: the budget of the runs.
        reference: The reference of run-length targets, for ``art`` and ``par10`` only.

    Raises:
        UnknownNameError: There is no such measure.
        AssessmentError: The measure does not take a target, a reference or a budget.
    """
    if measure not in get_args(Measure):
        raise UnknownNameError.of("measure", measure, get_args(Measure))
    if measure == "aocc":
        if targets is not None or reference is not None:
            raise AssessmentError("measure aocc takes a budget, no targets")
        sample = _AREAS.open(selection, budget)
        assert isinstance(sample, Areas)
        return sample
    if budget is not None:
        raise AssessmentError(f"measure {measure} takes a target, no budget")
    return open_at_targets(selection, targets, hardest, reference=reference)


def _convention(sample: AtTargets | Areas, options: Mapping[str, Any]) -> Convention:
    if isinstance(sample, Areas):
        return OF_PROBLEMS
    if options["measure"] == "par10":
        return replace(_CONVENTION, failed="they count as runs")
    return _CONVENTION


@question(
    "Algorithms over all functions of a dimension",
    30,
    needs=Need(_open_sample, {"reference": "None: no reference; run-length targets need one."}),
    convention=_convention,
    examples=(
        "results/quickstart.h5 --targets 1e-1",
        "results/quickstart.h5 --measure aocc --gaps",
    ),
    explains=[
        Explanation(
            "single best",
            "single best: A on 24 problems of bbob in 2-D; mean 120.5, virtual best 98.2.",
            "The virtual best takes the best algorithm on each problem. The gap to the single "
            "best is the largest gain of choosing an algorithm per problem.",
            "Give --gaps for one row per dimension, because gaps may differ between dimensions.",
            is_definition=True,
        ),
        Explanation(
            "problems without all algorithms",
            "problems without all algorithms: 5; left out, because each row compares all "
            "algorithms.",
            "The matrix has a value of each algorithm in each row. Some algorithms were not run "
            "on these problems.",
            "Run all algorithms on the same problems, because means cover only rows that all have.",
        ),
        Explanation(
            "features",
            "features: 2 of 24 problems are not in the file; their features are NaN.",
            "The file of --features lacks problems of the matrix. A model trained on the table "
            "cannot use these rows.",
            "Add these problems to the file, so that no feature is NaN.",
        ),
    ],
)
def matrix(
    sample: AtTargets | Areas,
    measure: Measure = "art",
    *,
    gaps: bool = False,
    features: FeatureFile | None = None,
) -> MatrixTable:
    """Tabulate problems x algorithms with the virtual best, and the gap to it.

    Each row is a problem (function, dimension, instance) with the value of each algorithm.
    virtual_best is the best value of the row.

    With ``gaps``, each row is a dimension. The single best is the algorithm with the best mean over
    the problems. The virtual best takes the best algorithm on each problem. The gap is the
    difference of their means: what a perfect choice of the algorithm for each problem would gain.

    Args:
        measure: Value in the matrix: art (average runtime), par10 (PAR-10), or aocc (area over the
            convergence curve).
        targets: Only one target is allowed, with art and par10. None: the final target, or the
            suite's hardest target.
        gaps: Show the single best, the virtual best and their gap in each dimension instead.
        budget: Budget at which areas end, with aocc only. None: the budget of the runs, if all have
            the same.
        features: None: no features.

    Returns:
        One row for each problem. The columns ``suite``, ``dimension``, ``function`` and
        ``instance`` identify the problem. ``value:NAME`` is the value of the algorithm NAME; it is
        inf if no run succeeded, NaN if the algorithm was not run in this dimension.
        ``virtual_best`` is the best value, and ``best`` is the algorithm that has it, empty if
        there is no finite value. ``feature:NAME`` is a feature from the file; it is NaN if the file
        does not have the problem.

        With ``gaps``, one row for each dimension: the ``single_best`` algorithm, its mean, the mean
        of the virtual best, and their ``gap``.

    Raises:
        UnknownNameError: There is no such measure.
        AssessmentError: There are several targets, the measure does not take the target or the
            budget, or no problem is common to all algorithms of a dimension.
    """
    if isinstance(sample, Areas):
        matrices = build_area_matrices(sample)
    else:
        matrices = build_runtime_matrices(sample, penalized=measure == "par10")
    if features is not None and gaps:
        raise AssessmentError(
            "features: they are columns of the rows of problems; --gaps has no such rows"
        )
    problem_features = None if features is None else read_features(features)
    names = natural_order(name for problem_matrix in matrices for name in problem_matrix.algorithms)
    columns = ("suite", "dimension", "function", "instance", *(f"value:{name}" for name in names))
    rows = [row for problem_matrix in matrices for row in _tabulate_problems(problem_matrix, names)]
    gap_rows = [_compute_gap(problem_matrix) for problem_matrix in matrices]
    notes = make_notes_on_problems(matrices)
    gap_table = Table(table_of(_GAP_COLUMNS, gap_rows))
    gap_sentences = tuple(
        f"single best: {text(row[3])} on {row[2]} problems of {row[0]} in {row[1]}-D; mean "
        f"{text(row[4])}, virtual best {text(row[5])}."
        for row in gap_rows
    )
    columns = (*columns, "virtual_best", "best")
    if problem_features is not None:
        columns = (*columns, *(f"feature:{name}" for name in problem_features.names))
        problems = [Problem(str(row[0]), int(row[1]), int(row[2]), int(row[3])) for row in rows]
        rows = [
            [*row, *problem_features.get_features(problem)]
            for row, problem in zip(rows, problems, strict=True)
        ]
        notes = (*notes, *problem_features.make_notes(problems))
    if gaps:
        return MatrixTable(gap_table.columns, notes, gap_table)
    return MatrixTable(table_of(columns, rows), (*gap_sentences, *notes), gap_table)


@matrix.caveat(
    explains=[
        Explanation(
            "value",
            "value: average runtime to 1e-8 (inf: no run succeeded); smaller is better.",
            "A selector chooses the algorithm with the best value on a problem. Measures can "
            "prefer different algorithms.",
            "Report the measure with the table, because values of different measures are not "
            "comparable.",
            is_definition=True,
        )
    ]
)
def values_of_problems(sample: AtTargets | Areas, answer: Answer) -> Iterable[str]:
    """Say what the values are, and whether larger is better."""
    if isinstance(sample, Areas):
        yield _make_note_on_areas(sample)
        return
    targets = ", ".join(dict.fromkeys(sample.targets.text(run_set.suite) for run_set in sample))
    if answer.options["measure"] == "art":
        yield f"value: average runtime to {targets} (inf: no run succeeded); smaller is better."
        return
    yield (
        f"value: PAR-10 to {targets}; an unsuccessful run counts as ten times the "
        f"{unit_of_count(sample.count)} of the longest run of all algorithms; smaller is better."
    )


def _make_note_on_areas(sample: Areas) -> str:
    budgets = {cell_areas.dimension: cell_areas.budget for cell_areas in sample}
    until = ", ".join(f"{budget} in {dimension}-D" for dimension, budget in budgets.items())
    return (
        "value: mean area over the convergence curve up to the budget "
        f"({unit_of_count(sample.count)}: {until}); larger is better."
    )


def _tabulate_problems(matrix: ProblemMatrix, names: list[str]) -> list[list[Value]]:
    """Return the rows of `matrix` for one suite and dimension, without features.

    Args:
        matrix: The values of the suite and dimension.
        names: Names of the algorithms that have a column. The value is NaN for an algorithm that
            is not in ``matrix``.
    """
    best = matrix.values.argmax(axis=1) if matrix.larger_is_better else matrix.values.argmin(axis=1)
    virtual = matrix.virtual_best.tolist()
    problems = zip(matrix.functions.tolist(), matrix.instances.tolist(), strict=True)
    rows: list[list[Value]] = []
    for i, (function, instance) in enumerate(problems):
        value_of_algorithm = dict(zip(matrix.algorithms, matrix.values[i].tolist(), strict=True))
        values: list[Value] = [value_of_algorithm.get(name, float("nan")) for name in names]
        winner = matrix.algorithms[best[i]] if np.isfinite(virtual[i]) else ""
        rows.append(
            [matrix.suite, matrix.dimension, function, instance, *values, virtual[i], winner]
        )
    return rows


def _compute_gap(matrix: ProblemMatrix) -> list[Value]:
    """Return the row of `MatrixTable.gaps` for one suite and dimension."""
    index = matrix.single_best
    single = float(matrix.values[:, index].mean())
    virtual = float(matrix.virtual_best.mean())
    gap = abs(single - virtual) if np.isfinite(single) and np.isfinite(virtual) else float("inf")
    name = matrix.algorithms[index]
    return [matrix.suite, matrix.dimension, len(matrix.values), name, single, virtual, gap]


@question(
    "Algorithms over all functions of a dimension",
    50,
    needs=_AREAS,
    convention=OF_PROBLEMS,
    examples=(
        "results/quickstart.h5",
        "results/quickstart.h5 --budget 100*D",
    ),
    explains=[
        Explanation(
            "problems without all algorithms",
            "problems without all algorithms: 5; left out, because each row compares all "
            "algorithms.",
            "The matrix has a value of each algorithm in each row. Some algorithms were not run "
            "on these problems.",
            "Run all algorithms on the same problems, because means cover only rows that all have.",
        )
    ],
)
def contributions(sample: Areas) -> Table:
    """Compute what each algorithm adds to a portfolio: Shapley values.

    A portfolio is a set of algorithms of which the best one is used on each problem. Its score is
    the mean, over the problems of a dimension, of the largest area over the convergence curve
    (AOCC, see `aocc`) of its members. alone is the score of the algorithm by itself. marginal is
    what the portfolio of all algorithms loses without the algorithm. shapley is the Shapley value
    of the algorithm: its mean gain over all orders of adding algorithms. It is exact for any number
    of algorithms.

    Args:
        budget: Budget at which areas end. None: the budget of the runs, if all have the same.

    Returns:
        One row for each suite, dimension and algorithm. ``problems`` is the number of problems.
        ``alone`` is the score of the algorithm by itself, ``marginal`` the score that the portfolio
        loses without it, and ``shapley`` its Shapley value. ``share`` is the Shapley value divided
        by the sum of all, which is the score of the virtual best.
    """
    matrices = build_area_matrices(sample)
    rows: list[list[Value]] = []
    for matrix in matrices:
        shapley, marginal = shapley_values(matrix.values), marginal_values(matrix.values)
        scores_alone, total = matrix.values.mean(axis=0), float(shapley.sum())
        for i, name in enumerate(matrix.algorithms):
            value = float(shapley[i])
            head: list[Value] = [matrix.suite, matrix.dimension, name, len(matrix.values)]
            share = value / total if total else 0.0
            rows.append([*head, float(scores_alone[i]), float(marginal[i]), value, share])
    return Table(table_of(_CONTRIBUTION_COLUMNS, rows), make_notes_on_problems(matrices))


@contributions.caveat(
    explains=[
        Explanation(
            "value",
            "value: mean area over the convergence curve up to the budget (evaluations: 200 in "
            "2-D); larger is better.",
            "A portfolio is as good as its best member on each problem. Contributions depend on "
            "the budget up to which areas count.",
            "Report the budget with the table, because another budget can change the order of "
            "algorithms.",
            is_definition=True,
        )
    ]
)
def values_of_portfolios(sample: Areas, answer: Answer) -> Iterable[str]:
    """Say what the value of a portfolio is computed from."""
    yield _make_note_on_areas(sample)

"""Matrices with one value for each problem and algorithm.

A problem is an instance of a function in a dimension. A matrix has one row for each problem of a
suite and dimension on which all algorithms were run, and one column for each algorithm. Values are
average runtimes, PAR-10 or mean areas over the convergence curves of the runs on the problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...suites.texts import natural_order
from ..errors import AssessmentError
from ..grouping import CellRuns
from ..hits.run_sets import RunSet
from ..samples.areas import Areas
from ..samples.at_targets import AtTargets
from ..statistics.average_runtime import average_runtime
from ..statistics.quantiles import Floats
from ..statistics.runtime_statistics import penalized_runtime

PENALTY = 10.0
"""Factor of PAR-10: a run that misses the target counts as ten times the budget."""
_CellRunsT = TypeVar("_CellRunsT", bound=CellRuns)


@dataclass(frozen=True, eq=False)
class ProblemMatrix:
    """Values of all algorithms on the problems of one suite in one dimension.

    Attributes:
        suite: Name of the suite.
        dimension: Number of variables of the problems.
        algorithms: Names of the columns of ``values``.
        functions: Number of the function of each row, shape ``(n_problems,)``.
        instances: Number of the instance of each row, shape ``(n_problems,)``.
        values: One number for each problem and algorithm, shape ``(n_problems, n_algorithms)``.
        larger_is_better: Whether larger values are better.
        left_out: Number of problems without a row, because an algorithm was not run on them.
    """

    suite: str
    dimension: int
    algorithms: tuple[str, ...]
    functions: NDArray[np.int64]
    instances: NDArray[np.int64]
    values: Floats
    larger_is_better: bool
    left_out: int

    @property
    def virtual_best(self) -> Floats:
        """The best value on each problem, shape ``(n_problems,)``."""
        return np.asarray(
            self.values.max(axis=1) if self.larger_is_better else self.values.min(axis=1)
        )

    @property
    def single_best(self) -> int:
        """Index of the best single algorithm in ``algorithms``.

        It is the algorithm with the fewest infinite values. If several algorithms have the fewest,
        it is the one of these whose finite values have the best mean.
        """
        is_finite = np.isfinite(self.values)
        n_finite = np.maximum(is_finite.sum(axis=0), 1)
        mean = np.where(is_finite, self.values, 0.0).sum(axis=0) / n_finite
        n_infinite = (~is_finite).sum(axis=0)
        return int(np.lexsort((-mean if self.larger_is_better else mean, n_infinite))[0])


def build_area_matrices(sample: Areas) -> list[ProblemMatrix]:
    """Build matrices of mean areas over the convergence curves of the runs on each problem.

    If a log determines an area only up to two bounds, the lower bound counts.

    Args:
        sample: Areas of all runs.

    Returns:
        The matrices, by suite and dimension. Larger values are better.

    Raises:
        AssessmentError: In a suite and dimension, the algorithms have no problem in common.
    """
    problem_values = _evaluate_instances(
        sample, lambda areas, is_on_instance: float(areas.least[is_on_instance].mean())
    )
    return _build_matrices(problem_values, larger_is_better=True)


def build_runtime_matrices(sample: AtTargets, penalized: bool) -> list[ProblemMatrix]:
    """Build matrices of average runtimes to a target, or of PAR-10 with ``penalized``.

    Args:
        sample: First hits of the target by all runs.
        penalized: Whether to compute PAR-10. Its budget is the length of the longest run in the
            suite and dimension, over all algorithms.

    Returns:
        The matrices, by suite and dimension, in the unit of ``sample.count``. Smaller values are
        better. An average runtime is inf if no run hit the target.

    Raises:
        AssessmentError: The sample has several targets, or the algorithms have no problem in
            common in a suite and dimension.
    """
    sample.check_single_target()
    if penalized:
        return _build_matrices(_compute_penalized_runtimes(sample.cells), larger_is_better=False)
    problem_values = _evaluate_instances(
        sample,
        lambda run_set, is_on_instance: float(
            average_runtime(run_set.hits[is_on_instance], run_set.spent[is_on_instance])[0]
        ),
    )
    return _build_matrices(problem_values, larger_is_better=False)


def make_notes_on_problems(matrices: Iterable[ProblemMatrix]) -> tuple[str, ...]:
    """Return a note on the number of problems without a row; no note if there are none."""
    n_left_out = sum(matrix.left_out for matrix in matrices)
    if not n_left_out:
        return ()
    return (
        f"problems without all algorithms: {n_left_out}; left out, because each row compares all "
        "algorithms.",
    )


class _ProblemValue(NamedTuple):
    """The value of one algorithm on one problem."""

    algorithm: str
    suite: str
    dimension: int
    function: int
    instance: int
    value: float


def _build_matrices(
    problem_values: Iterable[_ProblemValue], *, larger_is_better: bool
) -> list[ProblemMatrix]:
    """Build the matrices of all suites and dimensions, from the problems common to all algorithms.

    Args:
        problem_values: The values, at most one for each algorithm and problem.
        larger_is_better: Whether larger values are better.

    Returns:
        The matrices, by suite and dimension.

    Raises:
        AssessmentError: In a suite and dimension, no problem has values of all algorithms.
    """
    values_by_dimension: dict[tuple[str, int], dict[str, dict[tuple[int, int], float]]] = {}
    for item in problem_values:
        values_by_algorithm = values_by_dimension.setdefault((item.suite, item.dimension), {})
        values = values_by_algorithm.setdefault(item.algorithm, {})
        values[item.function, item.instance] = item.value
    return [
        _build_matrix(suite, dimension, values_by_algorithm, larger_is_better=larger_is_better)
        for (suite, dimension), values_by_algorithm in sorted(values_by_dimension.items())
    ]


def _build_matrix(
    suite: str,
    dimension: int,
    values_by_algorithm: Mapping[str, Mapping[tuple[int, int], float]],
    *,
    larger_is_better: bool,
) -> ProblemMatrix:
    """Build the matrix of one suite and dimension.

    Args:
        suite: Name of the suite.
        dimension: Number of variables of the problems.
        values_by_algorithm: For each algorithm, its values by function and instance.
        larger_is_better: Whether larger values are better.
    """
    names = tuple(natural_order(values_by_algorithm))
    problem_sets = [set(values_by_algorithm[name]) for name in names]
    common = sorted(set.intersection(*problem_sets))
    if not common:
        raise AssessmentError(
            f"{suite} in {dimension}-D: {', '.join(names)} have no problem in common"
        )
    problems = np.array(common, dtype=np.int64)
    return ProblemMatrix(
        suite,
        dimension,
        names,
        functions=problems[:, 0],
        instances=problems[:, 1],
        values=np.array(
            [[values_by_algorithm[name][problem] for name in names] for problem in common]
        ),
        larger_is_better=larger_is_better,
        left_out=len(set.union(*problem_sets)) - len(common),
    )


def _compute_penalized_runtimes(run_sets: Sequence[RunSet]) -> Iterator[_ProblemValue]:
    """Compute PAR-10 of each algorithm on each problem, for run sets with one target.

    The budget of PAR-10 is the length of the longest run in the suite and dimension, over all
    algorithms.
    """
    budgets: dict[tuple[str, int], float] = {}
    for run_set in run_sets:
        suite_and_dimension = run_set.suite, run_set.dimension
        budgets[suite_and_dimension] = max(
            budgets.get(suite_and_dimension, 1.0), float(run_set.spent.max())
        )

    def compute_value(run_set: RunSet, is_on_instance: NDArray[np.bool_]) -> float:
        budget = budgets[run_set.suite, run_set.dimension]
        return float(penalized_runtime(run_set.hits[is_on_instance], budget, PENALTY)[0])

    return _evaluate_instances(run_sets, compute_value)


def _evaluate_instances(
    cells: Iterable[_CellRunsT], compute_value: Callable[[_CellRunsT, NDArray[np.bool_]], float]
) -> Iterator[_ProblemValue]:
    """Yield the value of each algorithm on each problem.

    Args:
        cells: Each cell holds the runs of one algorithm on all instances of one function in one
            dimension.
        compute_value: Return the value on one instance. Its arguments are a cell and a mask of the
            runs on the instance, shape ``(n_runs,)``.
    """
    for cell in cells:
        for instance in np.unique(cell.instances).tolist():
            value = compute_value(cell, cell.instances == instance)
            yield _ProblemValue(
                cell.algorithm, cell.suite, cell.dimension, cell.function, instance, value
            )

"""One number for each problem and algorithm, for those who choose among algorithms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...suites.texts import natural_order
from ..errors import AssessmentError
from ..statistics.anytime.aocc import PrecisionScale
from ..statistics.average_runtime import average_runtime
from ..statistics.quantiles import Floats
from ..statistics.runtime_statistics import penalized_runtime
from ..targets.defaults import hardest
from .counting import is_seconds
from .notes import notes_on_targets
from .run_areas import RunAreas, notes_on_areas
from .run_sets import RunSet
from .runs import Runs
from .target_choice import Asked, Reference

_OF_PROBLEMS = (
    "values are those of single problems (function, dimension, instance), over their runs"
)
PENALTY = 10.0
Measured = Iterable[tuple[str, tuple[str, int], tuple[int, int], float]]
"""Algorithm; suite and dimension; function and instance; value."""


@dataclass(frozen=True, eq=False)
class ProblemMatrix:
    """Problems × algorithms of one suite in one dimension.

    Attributes:
        suite: Name of the suite.
        dimension: Number of variables.
        algorithms: Names, sorted.
        functions: Of each problem, shape ``(n,)``.
        instances: Likewise.
        values: Shape ``(n, k)``.
        is_merit: Whether larger is better.
        left_out: How many problems some of the algorithms were not run on; they are not here.
    """

    suite: str
    dimension: int
    algorithms: tuple[str, ...]
    functions: NDArray[np.int64]
    instances: NDArray[np.int64]
    values: Floats
    is_merit: bool
    left_out: int

    @property
    def virtual_best(self) -> Floats:
        """The best value on each problem, shape ``(n,)``."""
        return np.asarray(self.values.max(axis=1) if self.is_merit else self.values.min(axis=1))

    @property
    def single_best(self) -> int:
        """Place of the algorithm that is best on the mean.

        Where means are infinite, the one with the fewest infinite values, and of those the one with
        the best mean of the others.
        """
        finite = np.isfinite(self.values)
        counts = np.maximum(finite.sum(axis=0), 1)
        mean = np.where(finite, self.values, 0.0).sum(axis=0) / counts
        missed = (~finite).sum(axis=0)
        return int(np.lexsort((-mean if self.is_merit else mean, missed))[0])


def matrices(measured: Measured, is_merit: bool) -> list[ProblemMatrix]:
    """Matrices of all suites and dimensions, of the problems that all algorithms there share.

    Raises:
        AssessmentError: In some suite and dimension there is no such problem.
    """
    cells: dict[tuple[str, int], dict[str, dict[tuple[int, int], float]]] = {}
    for algorithm, cell, problem, value in measured:
        cells.setdefault(cell, {}).setdefault(algorithm, {})[problem] = value
    found = []
    for (suite, dimension), there in sorted(cells.items()):
        names = tuple(natural_order(there))
        common = sorted(set.intersection(*(set(there[name]) for name in names)))
        if not common:
            raise AssessmentError(
                f"{suite} in {dimension}-D: {', '.join(names)} have no problem in common"
            )
        problems = np.array(common, dtype=np.int64)
        values = np.array([[there[name][problem] for name in names] for problem in common])
        every = set.union(*(set(there[name]) for name in names))
        left_out = len(every) - len(common)
        found.append(
            ProblemMatrix(
                suite, dimension, names, problems[:, 0], problems[:, 1], values, is_merit, left_out
            )
        )
    return found


def of_areas(areas: Iterable[RunAreas]) -> Measured:
    """The mean area over the convergence curve on each problem."""
    for one in areas:
        for instance in np.unique(one.instances).tolist():
            value = float(one.least[one.instances == instance].mean())
            yield one.algorithm, (one.suite, one.dimension), (one.function, instance), value


def of_runtimes(run_sets: Iterable[RunSet]) -> Measured:
    """The average runtime to the one target on each problem; inf where no run hit it."""
    return _by_instance(run_sets, lambda one, hits, spent: float(average_runtime(hits, spent)[0]))


def of_penalized_runtimes(run_sets: Iterable[RunSet]) -> Measured:
    """PAR-10 to the one target on each problem.

    The budget of all is the largest that any run of the same suite and dimension spent.
    """
    data = list(run_sets)
    budgets: dict[tuple[str, int], float] = {}
    for one in data:
        cell = one.suite, one.dimension
        budgets[cell] = max(budgets.get(cell, 1.0), float(one.spent.max()))
    return _by_instance(
        data,
        lambda one, hits, spent: float(
            penalized_runtime(hits, budgets[one.suite, one.dimension], PENALTY)[0]
        ),
    )


def _by_instance(
    run_sets: Iterable[RunSet], value: Callable[[RunSet, Floats, Floats], float]
) -> Iterator[tuple[str, tuple[str, int], tuple[int, int], float]]:
    for one in run_sets:
        if one.hits.shape[1] != 1:
            raise AssessmentError(f"one target is needed, {one.hits.shape[1]} are given")
        for instance in np.unique(one.instances).tolist():
            mine = one.instances == instance
            number = value(one, one.hits[mine], one.spent[mine])
            yield one.algorithm, (one.suite, one.dimension), (one.function, instance), number


def area_matrices(
    runs: Runs, budget: float | str | None
) -> tuple[list[ProblemMatrix], tuple[str, ...]]:
    """Matrices of areas over the convergence curves, and sentences on what they hold.

    Args:
        runs: Of which they are.
        budget: Where areas end, see `run_areas`.

    Raises:
        AssessmentError: As of `run_areas` and `matrices`.
    """
    scale = PrecisionScale()
    areas = runs.areas(budget, scale)
    budgets = {one.dimension: one.budget for one in areas}
    until = ", ".join(f"{count} in {dimension}-D" for dimension, count in budgets.items())
    counted = "seconds" if is_seconds(runs.count) else "evaluations"
    value = (
        f"value: mean area over the convergence curve up to the budget ({counted}: {until}); "
        "larger is better."
    )
    return matrices(of_areas(areas), is_merit=True), (value, *notes_on_areas(areas, scale))


def runtime_matrices(
    runs: Runs, targets: Asked, reference: Reference | None, penalized: bool
) -> tuple[list[ProblemMatrix], tuple[str, ...]]:
    """Matrices of average runtimes, or of PAR-10, and sentences on what they hold.

    Args:
        runs: Of which they are.
        targets: One; None for the hardest of each suite.
        reference: What run-length targets are made from.
        penalized: Whether failed runs are penalized: PAR-10.

    Raises:
        AssessmentError: There are several targets, or as of `Runs.at_targets` and `matrices`.
    """
    run_sets, aims = runs.at_targets(targets, hardest, reference)
    notes = notes_on_targets(run_sets, aims, _OF_PROBLEMS)
    hardness = ", ".join(dict.fromkeys(aims.text(one.suite) for one in run_sets))
    if not penalized:
        value = f"value: average runtime to {hardness}, inf where no run hit; smaller is better."
        return matrices(of_runtimes(run_sets), is_merit=False), (value, *notes)
    value = (
        f"value: PAR-10 to {hardness}, a failed run counting ten times the largest number of "
        "evaluations of any run here; smaller is better. Other algorithms may change that number."
    )
    return matrices(of_penalized_runtimes(run_sets), is_merit=False), (value, *notes)


def notes_on_problems(data: Iterable[ProblemMatrix]) -> tuple[str, ...]:
    """A sentence on problems that are left out; none where there are none."""
    left_out = sum(one.left_out for one in data)
    if not left_out:
        return ()
    return (f"{left_out} problems that some of the algorithms were not run on are left out.",)

"""One number for each problem and algorithm, and features of problems from a file beside them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...suites.texts import natural_order
from ..errors import AssessmentError
from ..statistics.aocc import PrecisionScale
from ..statistics.average_runtime import average_runtime
from ..statistics.quantiles import Floats
from ..statistics.runtime_statistics import penalized_runtime
from ..tables.csv_text import read_csv
from ..targets.target_sets import hardest
from .counting import unit_of_count
from .grouping import CellRuns
from .notes import notes_on_targets
from .run_curves import notes_on_areas
from .run_sets import RunSet
from .runs import Runs
from .target_choice import Reference, RequestedTargets

_CONVENTION = "values are those of single problems (function, dimension, instance), over their runs"
PENALTY = 10.0
_C = TypeVar("_C", bound=CellRuns)
Measured = Iterable[tuple[str, tuple[str, int], tuple[int, int], float]]
"""Algorithm; suite and dimension; function and instance; value."""


@dataclass(frozen=True, eq=False)
class ProblemMatrix:
    """Problems × algorithms of one suite in one dimension: ``values``, shape ``(n, k)``.

    ``left_out`` is how many problems some of the algorithms were not run on; they are not here.
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
        """The best value on each problem, shape ``(n,)``."""
        return np.asarray(
            self.values.max(axis=1) if self.larger_is_better else self.values.min(axis=1)
        )

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
        return int(np.lexsort((-mean if self.larger_is_better else mean, missed))[0])


def matrices(measured: Measured, larger_is_better: bool) -> list[ProblemMatrix]:
    """Matrices of all suites and dimensions, of the problems that all algorithms there share."""
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
                suite,
                dimension,
                names,
                problems[:, 0],
                problems[:, 1],
                values,
                larger_is_better,
                left_out,
            )
        )
    return found


def _penalized_runtimes(run_sets: Sequence[RunSet]) -> Measured:
    """PAR-10 to the one target on each problem.

    The budget of all is the largest that any run of the same suite and dimension spent.
    """
    budgets: dict[tuple[str, int], float] = {}
    for run_set in run_sets:
        cell = run_set.suite, run_set.dimension
        budgets[cell] = max(budgets.get(cell, 1.0), float(run_set.spent.max()))

    def value(run_set: RunSet, mine: NDArray[np.bool_]) -> float:
        budget = budgets[run_set.suite, run_set.dimension]
        return float(penalized_runtime(run_set.hits[mine], budget, PENALTY)[0])

    return _by_instance(run_sets, value)


def _by_instance(
    cells: Iterable[_C], value: Callable[[_C, NDArray[np.bool_]], float]
) -> Iterator[tuple[str, tuple[str, int], tuple[int, int], float]]:
    """A number for each problem, from the runs of an algorithm and which of them are on it."""
    for own in cells:
        for instance in np.unique(own.instances).tolist():
            number = value(own, own.instances == instance)
            yield own.algorithm, (own.suite, own.dimension), (own.function, instance), number


def area_matrices(
    runs: Runs, budget: float | str | None
) -> tuple[list[ProblemMatrix], tuple[str, ...]]:
    """Matrices of areas over the convergence curves, and sentences on what they hold."""
    scale = PrecisionScale()
    areas = runs.areas(budget, scale)
    budgets = {cell_areas.dimension: cell_areas.budget for cell_areas in areas}
    until = ", ".join(f"{count} in {dimension}-D" for dimension, count in budgets.items())
    value = (
        "value: mean area over the convergence curve up to the budget "
        f"({unit_of_count(runs.count)}: {until}); larger is better."
    )
    measured = _by_instance(areas, lambda own, mine: float(own.least[mine].mean()))
    return matrices(measured, larger_is_better=True), (
        value,
        *notes_on_areas(areas, scale),
    )


def runtime_matrices(
    runs: Runs, targets: RequestedTargets, reference: Reference | None, penalized: bool
) -> tuple[list[ProblemMatrix], tuple[str, ...]]:
    """Matrices of average runtimes, or of PAR-10, and sentences on what they hold."""
    run_sets, aims = runs.at_targets(targets, hardest, reference)
    for run_set in run_sets:
        if run_set.hits.shape[1] != 1:
            raise AssessmentError(f"one target is needed, {run_set.hits.shape[1]} are given")
    notes = notes_on_targets(run_sets, aims, _CONVENTION)
    hardness = ", ".join(dict.fromkeys(aims.text(run_set.suite) for run_set in run_sets))
    if not penalized:
        value = f"value: average runtime to {hardness}, inf where no run hit; smaller is better."
        measured = _by_instance(
            run_sets,
            lambda own, mine: float(average_runtime(own.hits[mine], own.spent[mine])[0]),
        )
        return matrices(measured, larger_is_better=False), (
            value,
            *notes,
        )
    value = (
        f"value: PAR-10 to {hardness}, a failed run counting ten times the most "
        f"{unit_of_count(runs.count)} of any run here; smaller is better. Other algorithms may "
        "change that number."
    )
    return matrices(_penalized_runtimes(run_sets), larger_is_better=False), (value, *notes)


def notes_on_problems(data: Iterable[ProblemMatrix]) -> tuple[str, ...]:
    """A sentence on problems that are left out; none where there are none."""
    left_out = sum(matrix.left_out for matrix in data)
    if not left_out:
        return ()
    return (f"{left_out} problems that some of the algorithms were not run on are left out.",)


Problem = tuple[str, int, int, int]
"""Suite, dimension, function, instance."""

_KEYS = ("suite", "dimension", "function", "instance")


@dataclass(frozen=True, eq=False)
class ProblemFeatures:
    """Features by problem; ``keys`` are the columns that rows are told apart by."""

    names: tuple[str, ...]
    keys: tuple[str, ...]
    values: dict[tuple[str, ...], list[float]]

    def of(self, problem: Problem) -> list[float]:
        """The features of a problem; NaN where the file does not have it."""
        texts = dict(zip(_KEYS, map(str, problem), strict=True))
        missing = [float("nan")] * len(self.names)
        return self.values.get(tuple(texts[key] for key in self.keys), missing)

    def lacks(self, problem: Problem) -> bool:
        """Whether the file does not have a problem."""
        texts = dict(zip(_KEYS, map(str, problem), strict=True))
        return tuple(texts[key] for key in self.keys) not in self.values

    def notes(self, problems: Iterable[Problem]) -> tuple[str, ...]:
        """A sentence on problems that the file does not have."""
        listed = list(problems)
        lacking = sum(map(self.lacks, listed))
        if not lacking:
            return ()
        return (f"features: {lacking} of {len(listed)} problems are not in the file; NaN there.",)


def read_features(path: str | os.PathLike[str]) -> ProblemFeatures:
    """Read a CSV file with a row for each problem."""
    where = f"features {str(path)!r}"
    try:
        names, rows = read_csv(Path(path))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AssessmentError(f"{where}: cannot be read as CSV: {reason}") from error
    keys = tuple(key for key in _KEYS if key in names)
    features = tuple(name for name in names if name not in _KEYS)
    if lacking := {"dimension", "function"} - {*keys}:
        raise AssessmentError(f"{where}: there is no column {', '.join(sorted(lacking))}")
    if not features or len(set(names)) < len(names):
        raise AssessmentError(f"{where}: there must be columns of features, each with its own name")
    values: dict[tuple[str, ...], list[float]] = {}
    for number, row in enumerate(rows, start=2):
        key = tuple(_key_text(row[name], name, where, number) for name in keys)
        if key in values:
            raise AssessmentError(f"{where}, line {number}: the problem was there before")
        values[key] = _numbers([row[name] for name in features], features, where, number)
    return ProblemFeatures(features, keys, values)


def _key_text(value: str | None, name: str, where: str, line: int) -> str:
    if name == "suite":
        return value or ""
    try:
        number = float(value or "")
    except ValueError:
        number = 0.5
    if not number.is_integer():
        raise AssessmentError(f"{where}, line {line}: {name} is {value!r}, no whole number")
    return str(int(number))


def _numbers(
    texts: Sequence[str | None], names: Sequence[str], where: str, line: int
) -> list[float]:
    found = []
    for name, value in zip(names, texts, strict=True):
        try:
            found.append(float(value) if value else float("nan"))
        except ValueError:
            raise AssessmentError(
                f"{where}, line {line}: {name} is {str(value)[:40]!r}, no number"
            ) from None
    return found

"""The artificial best algorithm of a set of logs: on every target the one with the smallest aRT.

Hansen, Auger, Brockhoff, Tušar, "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 5:
"for each function and target the algorithm with the smallest aRT is taken".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...loggers.formats.coco.reference_data import ReferenceEntry
from ..errors import AssessmentError
from ..statistics.average_runtime import average_runtime, simulated_runtimes
from ..statistics.quantiles import Floats
from ..targets.target_sets import Cell, TargetSet
from .run_sets import RunSet


@dataclass(frozen=True, eq=False)
class BestOf:
    """The best of several algorithms on one function in one dimension.

    Attributes:
        suite: Name of the suite.
        function: Number of the function.
        dimension: Number of variables.
        targets: Precisions, descending, shape ``(n_targets,)``.
        average_runtimes: Smallest aRT, evaluations, shape ``(n_targets,)``; inf where none reached
            the target.
        algorithms: Whose it is, for each target; of equal ones the first by name, empty where there
            is none.
        winners: The winner's position in ``run_sets`` for each target; -1 where there is none.
        run_sets: The runs of all algorithms.
    """

    suite: str
    function: int
    dimension: int
    targets: Floats
    average_runtimes: Floats
    algorithms: tuple[str, ...]
    winners: NDArray[np.int64]
    run_sets: tuple[RunSet, ...]

    def runs_of(self, target: int) -> tuple[Floats, Floats]:
        """The winner's runs to a target: hits and spent evaluations, both ``(n_runs,)``.

        Where nobody reached it: the runs of the first algorithm.
        """
        run_set = self.run_sets[max(int(self.winners[target]), 0)]
        return run_set.hits[:, target], run_set.spent

    def simulated_runtimes(self, samples: int, rng: np.random.Generator) -> Floats:
        """Simulated runtimes of each target's winner, shape ``(samples, n_targets)``."""
        columns = []
        for j in range(len(self.targets)):
            hits, spent = self.runs_of(j)
            columns.append(simulated_runtimes(hits[:, None], spent, samples, rng))
        return np.hstack(columns)


ReferenceRuntimes = ReferenceEntry | BestOf
"""Average runtimes on one function in one dimension, from COCO's files or from logs."""
Entries = Mapping[Cell, ReferenceRuntimes]
"""Of a reference, by suite, function and dimension."""


def best_of_algorithms(run_sets: Iterable[RunSet], targets: TargetSet) -> tuple[BestOf, ...]:
    """The best of all algorithms for each suite, function, dimension and target.

    A selection: the smallest of several averages is smaller than any of them in expectation, the
    more so the fewer the runs. It is an artificial algorithm, and what is compared with it must not
    be tested against it on the same runs.

    Args:
        run_sets: Each algorithm, function and dimension once.
        targets: Precisions of their hits.
    """
    cells: dict[Cell, list[RunSet]] = {}
    for run_set in sorted(run_sets, key=lambda run_set: run_set.algorithm):
        cells.setdefault(run_set.cell, []).append(run_set)
    return tuple(_best_of(cell, tuple(cells[cell]), targets.of(*cell)) for cell in sorted(cells))


def by_cell(entries: Iterable[ReferenceRuntimes]) -> dict[Cell, ReferenceRuntimes]:
    """Entries by suite, function and dimension.

    Raises:
        AssessmentError: One is there twice.
    """
    found: dict[Cell, ReferenceRuntimes] = {}
    for entry in entries:
        cell = entry.suite, entry.function, entry.dimension
        if cell in found:
            raise AssessmentError(
                f"the reference has f{cell[1]} of {cell[0]!r} in {cell[2]}-D twice"
            )
        found[cell] = entry
    return found


def _best_of(cell: Cell, run_sets: tuple[RunSet, ...], targets: Sequence[float]) -> BestOf:
    art = np.array([average_runtime(run_set.hits, run_set.spent) for run_set in run_sets])
    best, place = art.min(axis=0), art.argmin(axis=0)
    winners = np.where(np.isfinite(best), place, -1)
    names = tuple(run_sets[i].algorithm if i >= 0 else "" for i in winners.tolist())
    return BestOf(*cell, np.array(targets, dtype=np.float64), best, names, winners, run_sets)

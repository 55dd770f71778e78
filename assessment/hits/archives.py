"""Read the archives of runs on two objectives, by algorithm, function and dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import AssessmentError
from ..grouping import CellRuns, by_cell
from ..selection import refuse_two_versions, suite_of
from ..statistics.fronts import front_of
from ..statistics.quantiles import Floats

if TYPE_CHECKING:
    from ...loggers import Log

FromEnds = Callable[[Sequence[float], float], tuple[float, ...]]
"""Budgets from the lengths of the longest runs, in evaluations, and the unit of budgets."""
Problem = tuple[str, int, int, int]
"""Suite, function, dimension, instance."""


@dataclass(frozen=True, eq=False)
class RunArchive:
    """The archive of one run, with the points that bound its Pareto front.

    Attributes:
        evaluations: Evaluation at which each point entered, ascending, shape ``(n_points,)``.
        points: The two objectives of each point, shape ``(n_points, 2)``.
        ideal: The minimum of each objective, shape ``(2,)``.
        nadir: The maximum of each objective on the Pareto front, shape ``(2,)``.
        spent: Evaluations of the run.
    """

    evaluations: NDArray[np.int64]
    points: Floats
    ideal: Floats
    nadir: Floats
    spent: int

    def normalised(self, points: Floats) -> Floats:
        """Scale points so that the ideal point is (0, 0) and the nadir point is (1, 1)."""
        return np.asarray((points - self.ideal) / (self.nadir - self.ideal))

    def fronts(self, budgets: NDArray[np.int64]) -> list[Floats]:
        """Return the front at each budget, in the scale of ``points``.

        Args:
            budgets: Evaluations, ascending.
        """
        fronts, start, front = [], 0, np.empty((0, 2))
        for end in np.searchsorted(self.evaluations, budgets, side="right").tolist():
            if end > start:
                front = front_of(np.concatenate([front, self.points[start:end]]))
            start = end
            fronts.append(front)
        return fronts


@dataclass(frozen=True, eq=False, kw_only=True)
class CellArchives(CellRuns):
    """The archives of the runs of a cell.

    Attributes (besides those of `CellRuns`):
        runs: The archive of each run.
        final: Number of runs that kept only the points that were nondominated at their end.
    """

    runs: tuple[RunArchive, ...]
    final: int = 0

    @property
    def spent(self) -> int:
        """Evaluations of the longest run."""
        return max(run.spent for run in self.runs)

    def problem(self, run: int) -> Problem:
        """Return the problem of the run with this index."""
        return self.suite, self.function, self.dimension, int(self.instances[run])

    def normalised_fronts(self, budgets: NDArray[np.int64]) -> list[list[Floats]]:
        """Return the normalised fronts of all runs at each budget.

        Args:
            budgets: Evaluations, ascending.
        """
        run_fronts = [[run.normalised(f) for f in run.fronts(budgets)] for run in self.runs]
        return [list(fronts) for fronts in zip(*run_fronts, strict=True)]


def archives_of(log: Log, rows: NDArray[np.intp]) -> Iterator[CellArchives]:
    """Yield the archives of runs, by algorithm, suite, dimension and function.

    Args:
        log: The log.
        rows: Rows of ``log.runs``; runs on one objective are left out.

    Raises:
        AssessmentError: No run has two objectives, a run kept no archive or has no ideal and nadir
            point, or the runs are on two versions of a suite.
    """
    refuse_two_versions(log, rows)
    rows = rows[on_two_objectives(log, rows)]
    if not len(rows):
        raise AssessmentError("no run in the logs has an archive; runs on two objectives have one")
    runs = log.runs
    for positions, attributes in by_cell(log, rows, "f"):
        cell_rows = rows[positions]
        yield CellArchives(
            # archives do not depend on references of the hypervolume or on recommendations
            **{**attributes, "references": {}, "silent": None},
            runs=tuple(_read_archive(log, row) for row in cell_rows.tolist()),
            final=int((runs["archive_kept"][cell_rows] == "final").sum()),
        )


def on_two_objectives(log: Log, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return a mask of the runs on two objectives, shape ``(n_rows,)``.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
    """
    return np.asarray((log.entries("objectives") + log.entries("archive"))[rows] > 0)


def end_budget(ends: Sequence[float], unit: float) -> tuple[float, ...]:
    """Return the length of the longest run as the only budget.

    Args:
        ends: Evaluations of the longest runs.
        unit: Evaluations of one unit of budgets.
    """
    return (max(ends) / unit,)


def _read_archive(log: Log, row: int) -> RunArchive:
    entries, objectives = log.archive(row), log.objectives(row)
    problem = f"{suite_of(log, row)} f{log.runs['function'][row]} i{log.runs['instance'][row]}"
    if not len(objectives):
        raise AssessmentError(
            f"{problem}: its ideal and nadir points are not known, by which objectives are scaled"
        )
    if log.runs["archive_kept"][row] == "none":
        raise AssessmentError(
            f"{problem}: a run of {log.runs['algorithm'][row]} kept no archive (archive: none)"
        )
    return RunArchive(
        evaluations=np.array(entries["evaluation"]),
        points=np.column_stack([entries["y1"], entries["y2"]]),
        ideal=np.array(objectives["ideal"]),
        nadir=np.array(objectives["nadir"]),
        spent=int(log.runs["evaluations"][row]),
    )

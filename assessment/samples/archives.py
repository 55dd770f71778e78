"""The sample of questions on two objectives: the archives of all runs, and budgets.

`open_archives` reads an `Archives`. Its method `Archives.at_budgets` yields the archives of one
algorithm on one function and dimension, with the budgets within which a question evaluates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..hits.archives import CellArchives as CellArchives
from ..hits.archives import FromEnds, archives_of, end_budget
from ..selection import Selection
from ..targets.budgets import (
    AXIS,
    Axis,
    Budget,
    Budgets,
    budgets_on,
    check_axis,
    counts_of,
    parse_budgets,
    unit_of,
)
from .sample import Kind, Sample


class ArchivesAtBudgets(NamedTuple):
    """Archives of one algorithm on one function and dimension, and the budgets to evaluate them at.

    Attributes:
        archives: The archives.
        budgets: Budgets in the unit of the sample, ascending.
        evaluations: The budgets in evaluations, shape ``(n_budgets,)``.
    """

    archives: CellArchives
    budgets: tuple[float, ...]
    evaluations: NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Archives(Sample[CellArchives]):
    """The selected runs on two objectives with their archives.

    Besides the attributes that `Sample` lists, a cell has ``runs``, the archive of each run. An
    archive has

    - ``evaluations``, the evaluation at which each point entered, ascending, shape ``(n_points,)``
    - ``points``, the two objectives of each point, shape ``(n_points, 2)``
    - ``ideal`` and ``nadir``, the ideal and the nadir point, shape ``(2,)``
    - ``spent``, the evaluations of the run.

    Attributes:
        budgets: Requested budgets. None: the budgets that ``default`` returns.
        default: Return budgets from the lengths of the longest runs, in evaluations, and the unit.

    Example:
        >>> import firsthit
        >>> from firsthit.assessment import Archives, Table, archives, question, table_of
        >>> @question("My own", needs=archives())
        ... def archive_sizes(sample: Archives) -> Table:
        ...     '''Count the points that entered the largest archive.'''
        ...     rows = [
        ...         [cell.algorithm, max(len(run.points) for run in cell.runs)] for cell in sample
        ...     ]
        ...     return Table(table_of(("algorithm", "points"), rows))
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob-biobj", functions=1, dimensions=2, budget=20
        ... )
        >>> print(results.archive_sizes())
        algorithm      points
        random-search       7
    """

    kind: ClassVar[Kind] = "archives"
    remark: ClassVar[str] = "objectives are scaled: the ideal point is 0, the nadir 1"
    budgets: tuple[Budget, ...] | None
    default: FromEnds

    @property
    def is_at_end(self) -> bool:
        """Whether archives are evaluated at the end of the runs only."""
        return self.budgets is None and self.default is end_budget

    def budgets_of(
        self, cells: Sequence[CellArchives]
    ) -> tuple[tuple[float, ...], NDArray[np.int64]]:
        """Return the budgets of cells of one dimension.

        Args:
            cells: At least one cell; all cells have the same dimension.

        Returns:
            Budgets in the unit of the sample, and in evaluations.
        """
        dimension = cells[0].dimension
        unit = unit_of(self.axis, dimension)
        if self.budgets is not None:
            budgets = budgets_on(self.budgets, self.axis, dimension)
        else:
            budgets = self.default([max(archives.spent for archives in cells)], unit)
        return budgets, counts_of(budgets, unit)

    def at_budgets(self) -> Iterator[ArchivesAtBudgets]:
        """Yield the archives of each cell with their budgets.

        If no budgets were requested, they depend on the longest run of the algorithm on all
        functions of the suite in the dimension.
        """
        for group in self.grouped("all"):
            budgets, evaluations = self.budgets_of(group)
            for archives in group:
                yield ArchivesAtBudgets(archives, budgets, evaluations)


def open_archives(
    selection: Selection, budgets: Budgets | None, default: FromEnds, axis: Axis = AXIS
) -> Archives:
    """Read the archives of the selected runs on two objectives.

    Args:
        selection: The selected runs; runs on one objective are left out.
        budgets: Requested budgets, in a form that `parse_budgets` accepts. None: the budgets that
            ``default`` returns.
        default: Return budgets from the lengths of the longest runs, in evaluations, and the unit.
        axis: Unit of budgets.

    Raises:
        UnknownNameError: There is no such unit.
        AssessmentError: Budgets are malformed, or no run has an archive.
    """
    check_axis(axis)
    parsed = None if budgets is None else parse_budgets(budgets)
    cells = tuple(archives_of(selection.log, selection.rows))
    return Archives(selection=selection, cells=cells, axis=axis, budgets=parsed, default=default)

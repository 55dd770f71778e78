"""The sample of questions on areas: areas over the convergence curves of all runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..cost import axis_of
from ..hits.curves import RunAreas as RunAreas
from ..hits.curves import run_areas
from ..selection import Selection
from ..statistics.aocc import PrecisionScale
from ..targets.budgets import AXIS
from .sample import Kind, Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class Areas(Sample[RunAreas]):
    """The selected runs with the areas over their convergence curves.

    Besides the attributes that `Sample` lists, a cell has

    - ``budget``, the end of the areas in evaluations or seconds
    - ``least`` and ``most``, bounds of the area of each run between 0 and 1, shape ``(n_runs,)``;
      they differ if the log may lack improvements
    - ``spent``, evaluations or seconds of each run, shape ``(n_runs,)``.

    Attributes:
        scale: The precisions that are scaled to 0 and to 1.

    Example:
        >>> import firsthit
        >>> from firsthit.assessment import Areas, Table, areas, question, table_of
        >>> @question("My own", needs=areas())
        ... def mean_areas(sample: Areas) -> Table:
        ...     '''Compute the mean area of the runs.'''
        ...     rows = [[cell.algorithm, float(cell.least.mean())] for cell in sample]
        ...     return Table(table_of(("algorithm", "area"), rows))
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> print(results.mean_areas())
        algorithm        area
        random-search  0.1829
    """

    kind: ClassVar[Kind] = "areas"
    scale: PrecisionScale


def open_areas(selection: Selection, budget: float | str | None, scale: PrecisionScale) -> Areas:
    """Compute the areas over the convergence curves of the selected runs.

    Args:
        selection: The selected runs.
        budget: Budget at which areas end. None: the budget of the runs, if all have the same.
        scale: The precisions that are scaled to 0 and to 1.

    Raises:
        AssessmentError: `run_areas` cannot compute the areas.
    """
    cells = run_areas(selection.log, selection.rows, budget, scale, selection.count)
    axis = axis_of(AXIS, selection.count)
    return Areas(selection=selection, cells=tuple(cells), axis=axis, scale=scale)

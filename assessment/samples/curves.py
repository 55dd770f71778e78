"""The sample of questions on curves: convergence curves of all runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..cost import axis_of
from ..hits.curves import RunCurves as RunCurves
from ..hits.curves import run_curves
from ..selection import Selection
from ..targets.budgets import AXIS, Axis
from .sample import Kind, Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class Curves(Sample[RunCurves]):
    """The selected runs with their convergence curves.

    Besides the attributes that `Sample` lists, a cell has

    - ``curves``, for each run a pair of arrays of shape ``(n,)``: the budgets at which the recorded
      best precision improves, in the unit ``axis``, and the best precision from each of them on
    - ``has_all``, the number of runs whose every improvement was recorded
    - ``has_reference``, False if precisions are indicator values, because there is no reference
      value.

    Example:
        >>> import firsthit
        >>> from firsthit.assessment import Curves, Table, curves, question, table_of
        >>> @question("My own", needs=curves(takes_axis=False))
        ... def last_improvements(sample: Curves) -> Table:
        ...     '''Return the latest improvement of each algorithm and function, in evaluations.'''
        ...     rows = [
        ...         [cell.algorithm, max(float(budgets[-1]) for budgets, _ in cell.curves)]
        ...         for cell in sample
        ...     ]
        ...     return Table(table_of(("algorithm", "latest"), rows))
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> print(results.last_improvements())
        algorithm      latest
        random-search      18
    """

    kind: ClassVar[Kind] = "curves"


def open_curves(selection: Selection, axis: Axis = AXIS) -> Curves:
    """Read the convergence curves of the selected runs.

    Args:
        selection: The selected runs.
        axis: Unit of budgets. It is seconds if the selection counts seconds.

    Raises:
        UnknownNameError: There is no such unit.
        AssessmentError: The runs must not be mixed, or cannot be counted as requested.
    """
    cells = run_curves(selection.log, selection.rows, axis, selection.count)
    return Curves(selection=selection, cells=tuple(cells), axis=axis_of(axis, selection.count))

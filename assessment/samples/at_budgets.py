"""The sample of questions at budgets: best precisions of all runs within budgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..cost import axis_of
from ..hits.within_budgets import FixedBudgetData as FixedBudgetData
from ..hits.within_budgets import FromEnds, fixed_budget_data
from ..selection import Selection
from ..targets.budgets import AXIS, Axis, Budgets
from .sample import Kind, Sample


@dataclass(frozen=True, eq=False, kw_only=True)
class AtBudgets(Sample[FixedBudgetData]):
    """The selected runs with their best precisions within budgets.

    Besides the attributes that `Sample` lists, a cell has

    - ``budgets``, in the unit ``axis``, and ``evaluations``, the same budgets in evaluations, both
      of shape ``(n_budgets,)``
    - ``precision``, the best precision of each run within each budget, shape
      ``(n_runs, n_budgets)``; inf before the first finite value; without a reference value, the
      best indicator value
    - ``exact``, False where the precision is an upper bound, in the shape of ``precision``
    - ``ended``, the number of runs that ended before each budget, shape ``(n_budgets,)``.

    Example:
        >>> import firsthit, numpy as np
        >>> from firsthit.assessment import AtBudgets, Table, at_budgets, question, table_of
        >>> @question("My own", needs=at_budgets())
        ... def median_precisions(sample: AtBudgets) -> Table:
        ...     '''Compute the median precision within each budget.'''
        ...     rows = [
        ...         [cell.algorithm, float(budget), float(np.median(precisions))]
        ...         for cell in sample
        ...         for budget, precisions in zip(cell.budgets, cell.precision.T)
        ...     ]
        ...     return Table(table_of(("algorithm", "budget", "precision"), rows))
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> print(results.median_precisions("1*D,10*D"))
        algorithm      budget  precision
        random-search       1      8.874
        random-search      10     0.7455
    """

    kind: ClassVar[Kind] = "budgets"


def open_at_budgets(
    selection: Selection, budgets: Budgets | FromEnds | None, axis: Axis = AXIS
) -> AtBudgets:
    """Read the best precisions of the selected runs within budgets.

    Args:
        selection: The selected runs.
        budgets: Requested budgets, or a function that computes them; see `fixed_budget_data`.
        axis: Unit of budgets. It is seconds if the selection counts seconds.

    Raises:
        UnknownNameError: There is no such unit.
        AssessmentError: Budgets are malformed, or the runs must not be mixed.
    """
    cells = fixed_budget_data(selection.log, selection.rows, budgets, axis, selection.count)
    return AtBudgets(selection=selection, cells=tuple(cells), axis=axis_of(axis, selection.count))

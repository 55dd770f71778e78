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
    """The selected runs with their best precisions within budgets."""

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

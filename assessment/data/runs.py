"""The runs that a question is about: selected once, read in the way that the question needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AssessmentError
from ..targets.budgets import Budgets
from ..targets.target_sets import Cell, Default, TargetSet, read_targets
from .references import by_cell
from .run_sets import RunSet, run_sets_of
from .selection import common_runs, select_runs
from .target_choice import (
    RUNLENGTH,
    Reference,
    RequestedTargets,
    chosen_targets,
    is_runlength,
    reference_entries,
    resolve_targets,
)

if TYPE_CHECKING:
    from ...loggers import Log
    from ..statistics.aocc import PrecisionScale
    from .archives import Archives
    from .fixed_budget_data import FixedBudgetData, FromEnds
    from .references import ReferenceRuntimes
    from .run_curves import RunAreas, RunCurves

AXIS = "evaluations/dimension"


@dataclass(frozen=True, eq=False)
class Runs:
    """A selection of the runs of a log. Nothing is read before a method asks for it.

    Attributes:
        log: Where the runs are.
        selectors: ``algorithms``, ``suites``, ``functions``, ``dimensions``, ``instances``, as for
            `Selectors`; what is left out, or None, stands for all there are.
        count: What an evaluation is; see `RunSet`.
        unequal: Whether `common` leaves all runs in.
        notes: Sentences on what was left out; `at_targets` hands them on with the targets, other
            tables put them before their own.
    """

    log: Log
    selectors: Mapping[str, Any] = field(default_factory=dict)
    count: str = "f+g"
    unequal: bool = False
    notes: tuple[str, ...] = ()
    _kept: NDArray[np.intp] | None = None

    @cached_property
    def chosen(self) -> NDArray[np.intp]:
        """Rows of ``log.runs`` that the selectors take, ascending; errors as of `select_runs`."""
        return select_runs(self.log, **self.selectors)

    @property
    def rows(self) -> NDArray[np.intp]:
        """As ``chosen``; of `common` runs without what was left out."""
        return self.chosen if self._kept is None else self._kept

    def common(self) -> Runs:
        """Those on what all algorithms were run on, for answers that join functions.

        All runs where ``unequal``. Errors as of `common_runs`.
        """
        if self.unequal:
            return self
        kept, notes = common_runs(self.log, self.chosen)
        return replace(self, notes=(*self.notes, *notes), _kept=kept)

    def of_two(self, first: str, second: str) -> Runs:
        """Those of two algorithms."""
        return self.of(algorithms=(first, second))

    def of(self, **selectors: Any) -> Runs:
        """Those that other selectors take; what is not named stays as it is."""
        return replace(self, selectors={**self.selectors, **selectors}, _kept=None)

    def at_targets(
        self,
        targets: RequestedTargets | Default,
        default: Default,
        reference: Reference | None = None,
        budgets: Budgets | None = None,
    ) -> tuple[list[RunSet], TargetSet]:
        """First hits of targets, by algorithm, function and dimension; and the targets.

        Args:
            targets: What was asked for, see `Results`; or another default.
            default: Where that is None.
            reference: What run-length targets are made from.
            budgets: Of run-length targets that come without.

        Raises:
            AssessmentError: There is a reference, and the targets are not made from it; or as of
                `resolve_targets` and `run_sets_of`.
        """
        given = None if callable(targets) else targets
        if reference is not None and not is_runlength(given):
            raise AssessmentError(
                "reference: it is what --targets runlength are made from; give both or none"
            )
        usual = targets if callable(targets) else default
        loaded = self.load_targets(given, reference, budgets)
        found = resolve_targets(self.log, self.rows, loaded, usual)
        run_sets = run_sets_of(self.log, self.rows, found, self.count)
        return run_sets, replace(found, notes=(*found.notes, *self.notes))

    def load_targets(
        self, targets: RequestedTargets, reference: Reference | None, budgets: Budgets | None = None
    ) -> RequestedTargets:
        """Targets, read if they are a file, made if they are run-length targets of a reference.

        ``budgets`` are those of run-length targets that come without.
        """
        if isinstance(targets, str) and targets.endswith(".csv"):
            return read_targets(targets)
        if not is_runlength(targets):
            return targets
        own = str(targets).partition(":")[2] or budgets
        return chosen_targets(self.log, self.chosen, RUNLENGTH, reference, own)

    def reference_at(
        self, reference: Reference, targets: TargetSet
    ) -> tuple[dict[Cell, ReferenceRuntimes], str]:
        """Entries of a reference at targets, by cell, and its name."""
        entries, name = reference_entries(self.log, self.rows, reference, self.count, targets)
        return by_cell(entries), name

    def reference(self, reference: Reference) -> tuple[list[ReferenceRuntimes], str]:
        """Entries of a reference at its own targets, and its name."""
        return reference_entries(self.log, self.rows, reference, self.count)

    def at_budgets(
        self, budgets: Budgets | FromEnds | None, axis: str = AXIS
    ) -> Iterator[FixedBudgetData]:
        """Best precisions within budgets, by algorithm, dimension and function.

        For ``budgets`` see `fixed_budget_data`.
        """
        from .fixed_budget_data import fixed_budget_data

        return fixed_budget_data(self.log, self.rows, budgets, axis, self.count)

    def curves(self, axis: str = AXIS) -> Iterator[RunCurves]:
        """Convergence curves, by algorithm, dimension and function."""
        from .run_curves import run_curves

        return run_curves(self.log, self.rows, axis, self.count)

    def areas(self, budget: float | str | None, scale: PrecisionScale) -> list[RunAreas]:
        """Areas over the convergence curves, by algorithm, dimension and function."""
        from .run_curves import run_areas

        return run_areas(self.log, self.rows, budget, scale, self.count)

    def archives(self) -> Iterator[Archives]:
        """Archives of two objectives, by algorithm, dimension and function."""
        from .archives import archives_of

        return archives_of(self.log, self.rows)

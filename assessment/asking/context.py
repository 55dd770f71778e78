"""What all sections of a report are made from, and how numbers become the page's data.

In the page's data, algorithms and suites are named by their positions, and a number that does not
exist (a runtime where nothing succeeded) is None.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..data.background import Background, background_of
from ..data.counting import axis_of
from ..data.references import Entries
from ..data.run_sets import RunSet
from ..data.runs import AXIS, Runs
from ..data.selection import measurement_of
from ..data.target_choice import BEST, Reference, RequestedTargets
from ..errors import AssessmentError
from ..tables.table import Table
from ..targets.budgets import Budgets
from ..targets.runlength import PROFILE_BUDGETS
from ..targets.target_sets import Default, TargetSet, all_targets, report_targets

if TYPE_CHECKING:
    from ...loggers import Log

LEVEL = 0.95


class Positions:
    """Positions of the names of algorithms and suites, each sorted, in the page's lists."""

    def __init__(self, log: Log) -> None:
        self.algorithms = log.runs.codes("algorithm")[0]
        self.suites = log.runs.codes("suite")[0]
        self._algorithm = {name: i for i, name in enumerate(self.algorithms)}
        self._suite = {name: i for i, name in enumerate(self.suites)}

    def of(self, algorithm: str, suite: str) -> dict[str, int]:
        """The positions as fields of a row."""
        return {"algorithm": self._algorithm[algorithm], "suite": self._suite[suite]}

    def columns(self, table: Table) -> dict[str, list[Any]]:
        """The columns of a table with positions for names and None for what is not finite."""
        found = {name: finite(column) for name, column in table.columns.items()}
        found["algorithm"] = [self._algorithm[str(name)] for name in table["algorithm"]]
        found["suite"] = [self._suite[str(name)] for name in table["suite"]]
        return found


@dataclass(frozen=True)
class Choices:
    """What is chosen when a report is made; see `report`.

    ``order`` are all algorithms of the logs, where the report is about some of them: the place here
    gives an algorithm its colour. None: the report is about all.
    """

    seed: int = 1
    targets: RequestedTargets = None
    unequal: bool = False
    count: str | None = None
    reference: Reference | None = None
    background: str | None = None
    order: Sequence[str] | None = None


@dataclass(frozen=True, eq=False)
class Context:
    """What a section may use: the log, the names of its files for commands, and what was chosen."""

    log: Log
    files: Sequence[str]
    choices: Choices

    @property
    def seed(self) -> int:
        """Of all that is random."""
        return self.choices.seed

    @cached_property
    def runs(self) -> Runs:
        """All runs."""
        return Runs(self.log, count=self.choices.count or "f+g", unequal=self.choices.unequal)

    @property
    def axis(self) -> str:
        """Unit of budgets."""
        return axis_of(AXIS, self.runs.count)

    @cached_property
    def positions(self) -> Positions:
        """Positions of algorithms and suites."""
        return Positions(self.log)

    @cached_property
    def all_runs(self) -> tuple[list[RunSet], TargetSet]:
        """The runs with their hits of each suite's targets."""
        return self._at_targets(self.runs, all_targets, PROFILE_BUDGETS)

    @cached_property
    def averaged(self) -> tuple[list[RunSet], TargetSet]:
        """The runs with their hits of the few targets whose average runtimes are shown."""
        return self._at_targets(self.runs, report_targets)

    @cached_property
    def common_runs(self) -> tuple[list[RunSet], TargetSet]:
        """As `all_runs`, of what all algorithms were run on; of all, where they share nothing."""
        try:
            shared = self.runs.common()
            if not shared.notes:
                return self.all_runs  # the same, and not looked up again
            return self._at_targets(shared, all_targets, PROFILE_BUDGETS)
        except AssessmentError:
            run_sets, targets = self.all_runs
            note = "algorithms share no function and dimension: profiles show each on its own."
            return run_sets, replace(targets, notes=(*targets.notes, note))

    def _at_targets(
        self, runs: Runs, default: Default, budgets: Budgets | None = None
    ) -> tuple[list[RunSet], TargetSet]:
        """Runs with their hits of the chosen targets, of ``default`` where none were chosen."""
        targets = runs.load_targets(self.choices.targets, self.choices.reference, budgets)
        return runs.at_targets(targets, default)

    @cached_property
    def reference(self) -> tuple[Entries, str] | None:
        """The reference at the targets of profiles, by cell, and its name; None without one."""
        return self._reference_at(self.all_runs[1])

    @cached_property
    def background(self) -> Background | None:
        """Runs of others at the targets of profiles; None without any."""
        if self.choices.background is None:
            return None
        run_sets, targets = self.common_runs
        return background_of(self.choices.background, run_sets, targets, self.runs.count)

    @cached_property
    def averaged_reference(self) -> tuple[Entries, str] | None:
        """As `reference`, at the targets of average runtimes."""
        return self._reference_at(self.averaged[1])

    def _reference_at(self, targets: TargetSet) -> tuple[Entries, str] | None:
        own = self.choices
        if own.reference is None:
            return None
        every = Runs(self.log, count=own.count or "f+g")
        entries, name = every.reference_at(own.reference, targets)
        names = self.positions.algorithms
        is_best = own.reference == BEST and BEST not in names
        return entries, f"the best of all {len(names)} algorithms" if is_best else name

    @cached_property
    def partial(self) -> list[dict[str, int]]:
        """Algorithms that lack functions or instances that another was run on, by dimension."""
        had: dict[tuple[str, int], dict[str, set[tuple[int, int]]]] = {}
        for run_set in self.all_runs[0]:
            by_algorithm = had.setdefault((run_set.suite, run_set.dimension), {})
            problems = by_algorithm.setdefault(run_set.algorithm, set())
            problems.update((run_set.function, number) for number in run_set.instances.tolist())
        return [
            {**self.positions.of(algorithm, suite), "dimension": dimension}
            for (suite, dimension), by_algorithm in had.items()
            for algorithm, problems in by_algorithm.items()
            if problems < set().union(*by_algorithm.values())
        ]

    @property
    def targets_text(self) -> str:
        """What the targets are, for people."""
        _, targets = self.all_runs
        if not targets.by_suite:
            return targets.label
        return "; ".join(f"{suite}: {targets.text(suite)}" for suite in targets.by_suite)

    @property
    def open_ended(self) -> tuple[str, ...]:
        """Suites without a final target: nothing counts as solved there."""
        names = self.positions.suites
        return tuple(s for s in names if measurement_of(self.log, s).final_target is None)

    @property
    def by_hypervolume(self) -> tuple[str, ...]:
        """Suites whose targets are precisions of the hypervolume."""
        names = self.positions.suites
        return tuple(s for s in names if measurement_of(self.log, s).indicator == "hypervolume")


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns."""
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}


def rounded(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Five significant digits, enough for the eye: files stay small."""
    return np.array([float(f"{value:.5g}") for value in column.tolist()])


def finite(column: NDArray[Any]) -> list[Any]:
    """The values of a column, None for numbers that are not finite."""
    values: list[Any] = column.tolist()
    if column.dtype.kind != "f":
        return values
    return [value if math.isfinite(value) else None for value in values]

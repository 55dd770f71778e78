"""The data that all sections of a report share, and the conversion of tables to the page's data.

`read_context` reads all runs, references and background runs of a report once, into the plain
fields of a `Context`. The page's data refer to algorithms and suites by position. A number that
does not exist, such as a runtime without success, is None in them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import AssessmentError
from ...profiles.background import Background, background_of
from ...samples.at_targets import AtTargets, ReferenceAt, open_at_targets, open_reference
from ...selection import Selection
from ...statistics.quantiles import Floats
from ...tables.table import Table
from ...target_choice import Reference, RequestedTargets
from ...targets.budgets import Budgets
from ...targets.runlength import PROFILE_BUDGETS
from ...targets.target_sets import Default, all_targets, report_targets

if TYPE_CHECKING:
    from ....loggers import Log
    from ...cost import Count

LEVEL = 0.95
"""Confidence level of all intervals of a report."""


class Positions:
    """Positions of the names of algorithms and suites, each sorted, in the page's lists."""

    def __init__(self, log: Log) -> None:
        self.algorithms = log.runs.codes("algorithm")[0]
        self.suites = log.runs.codes("suite")[0]
        self._algorithm = {name: i for i, name in enumerate(self.algorithms)}
        self._suite = {name: i for i, name in enumerate(self.suites)}

    def of(self, algorithm: str, suite: str) -> dict[str, int]:
        """Return the positions of an algorithm and a suite as fields of a row.

        Args:
            algorithm: Name of the algorithm.
            suite: Name of the suite.

        Returns:
            ``{"algorithm": position, "suite": position}``.
        """
        return {"algorithm": self._algorithm[algorithm], "suite": self._suite[suite]}

    def columns(self, table: Table) -> dict[str, list[Any]]:
        """Return the columns of a table, with positions for names and None for NaN and inf."""
        columns = {name: finite(column) for name, column in table.columns.items()}
        columns["algorithm"] = [self._algorithm[str(name)] for name in table["algorithm"]]
        columns["suite"] = [self._suite[str(name)] for name in table["suite"]]
        return columns


@dataclass(frozen=True)
class Choices:
    """The options of a report.

    Attributes:
        seed: Seed of simulated restarts and of bootstraps.
        targets: Targets that the user chose. None: the defaults of each section.
        unequal: Whether sections that join functions use all runs, and not only those on the
            problems that all algorithms were run on.
        count: What counts as an evaluation. None: ``"f+g"``; if all runs have seconds, the page
            also shows seconds.
        reference: Reference algorithm. None: no reference.
        background: Names of logs or published data whose curves are shown in the background.
            None: no background.
        order: All algorithms of the logs, if the report is about some of them. The position of an
            algorithm in this list determines its colour. None: the report is about all.
    """

    seed: int = 1
    targets: RequestedTargets = None
    unequal: bool = False
    count: Count | None = None
    reference: Reference | None = None
    background: str | None = None
    order: Sequence[str] | None = None


@dataclass(frozen=True, eq=False)
class Context:
    """The data that all sections of a report share; `read_context` reads them.

    Attributes:
        log: The runs.
        files: Names of the files of the log, for commands.
        choices: The options of the report.
        positions: Positions of algorithms and suites in the page's lists.
        runs: All runs.
        all_runs: All runs with their hits of all targets of each suite, and the reference at these
            targets.
        averaged: All runs with their hits of the few targets whose average runtimes are shown, and
            the reference at these targets.
        common_runs: The runs on the problems that all algorithms were run on, with the targets and
            the reference of `all_runs`. All runs if the algorithms share no function and dimension.
        background: Runs of other algorithms at the targets of profiles. None: no background.
    """

    log: Log
    files: Sequence[str]
    choices: Choices
    positions: Positions
    runs: Selection
    all_runs: AtTargets
    averaged: AtTargets
    common_runs: AtTargets
    background: Background | None

    @property
    def seed(self) -> int:
        """Seed of simulated restarts and of bootstraps."""
        return self.choices.seed

    @property
    def axis(self) -> str:
        """Unit of budgets, such as ``"evaluations/dimension"`` or ``"seconds"``."""
        return self.all_runs.axis

    @property
    def reference(self) -> ReferenceAt | None:
        """The reference at the targets of profiles. None: the report has no reference."""
        return self.all_runs.reference

    @property
    def targets_text(self) -> str:
        """The targets in words."""
        targets = self.all_runs.targets
        if not targets.by_suite:
            return targets.label
        return "; ".join(f"{suite}: {targets.text(suite)}" for suite in targets.by_suite)


def read_context(log: Log, files: Sequence[str], choices: Choices) -> Context:
    """Read all hits, references and background runs that a report needs.

    Nothing is read lazily: afterwards, `Log.forget` may free the memory of the hits that the log
    has read from its files.

    Args:
        log: The runs.
        files: Names of the files of the log, for commands.
        choices: The options of the report.

    Raises:
        FirsthitError: An option does not apply to the runs, or the reference or background cannot
            be read.
    """
    selection = Selection.of(log, count=choices.count or "f+g", unequal=choices.unequal)
    all_runs = _read_reference(_open(selection, choices, all_targets, PROFILE_BUDGETS), choices)
    common_runs = _open_common_runs(all_runs, choices)
    averaged = _read_reference(_open(selection, choices, report_targets), choices)
    background = None
    if choices.background is not None:
        background = background_of(
            choices.background, common_runs.cells, common_runs.targets, common_runs.count
        )
    return Context(
        log=log,
        files=files,
        choices=choices,
        positions=Positions(log),
        runs=selection,
        all_runs=all_runs,
        averaged=averaged,
        common_runs=common_runs,
        background=background,
    )


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows as columns; no row gives no column."""
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}


def rounded(column: Floats) -> Floats:
    """Round to five significant digits, which are enough for a picture and keep files small."""
    return np.array([float(f"{value:.5g}") for value in column.tolist()])


def finite(column: NDArray[Any]) -> list[Any]:
    """Return the values of a column, with None for numbers that are not finite."""
    values: list[Any] = column.tolist()
    if column.dtype.kind != "f":
        return values
    return [value if math.isfinite(value) else None for value in values]


def _open(
    selection: Selection, choices: Choices, default: Default, budgets: Budgets | None = None
) -> AtTargets:
    """Read hits of the chosen targets, or of the targets of ``default`` if none were chosen."""
    return open_at_targets(
        selection,
        choices.targets,
        default,
        reference=choices.reference,
        shows_reference=True,
        budgets=budgets,
    )


def _read_reference(sample: AtTargets, choices: Choices) -> AtTargets:
    """Return the sample with the reference at its targets, computed from all runs of the log."""
    requested = choices.reference
    if requested is None:
        return sample
    all_selected = Selection.of(sample.log, count=sample.count)
    reference = open_reference(all_selected, requested, sample.targets)
    reference.read()  # because hits may be forgotten later
    return replace(sample, reference=reference)


def _open_common_runs(all_runs: AtTargets, choices: Choices) -> AtTargets:
    """Read hits of the runs on the problems that all algorithms were run on."""
    selection = all_runs.selection
    try:
        common = selection.common()
        if not common.notes:
            return all_runs  # both have the same runs; reading them twice would take time
        sample = _open(common, choices, all_targets, PROFILE_BUDGETS)
    except AssessmentError:
        note = "algorithms share no function and dimension: profiles show each on its own."
        notes = (*all_runs.selection.notes, note)
        return replace(all_runs, selection=replace(selection, notes=notes))
    return replace(sample, reference=all_runs.reference)

"""Define sets of targets, common to all functions or different for each, and the default targets.

A `TargetSet` has the targets of a question by function. Users see target sets as a `TargetTable`,
which they may write to a CSV file and read by `read_targets`. The second half of the file has the
defaults: each takes the `Measurement` of a suite, as the suite's log contains it, and returns
precisions, easiest first. A default is a list that is usual in the field if the suite has all these
targets. Otherwise it is a selection of the suite's targets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ...loggers.targets.grid import FINAL_TARGET, GRID_TOLERANCE, TARGETS_PER_DECADE, grid_value
from ...suites.measurement import Measurement
from ..errors import AssessmentError
from ..tables.csv_text import parse_count, parse_number, parsed_lines
from ..tables.table import Table, Value, table_of
from .parse import parse_targets, target_text

Cell = tuple[str, int, int]
"""Suite, function and dimension."""
BudgetAndTarget = tuple[float, float]
"""Budget (evaluations / dimension) that chose a target, NaN for none; and the target."""


@dataclass(frozen=True)
class TargetSet:
    """Targets of functions.

    One of ``common``, ``by_suite`` and ``own`` contains the targets; the others are empty.

    Attributes:
        label: Description of the targets, for people.
        common: Precisions for all functions, easiest first.
        by_suite: Precisions for all functions of each suite, easiest first.
        own: Precisions of each (suite, function, dimension), easiest first. Equal precisions may
            follow each other; each of them counts.
        notes: Sentences on the origin of the targets.
        budgets: Evaluations / dimension that each precision of ``own`` was chosen by, ascending,
            the same for all functions; empty for targets that no budget chose.
        rests_on: The runs (`CellRuns`) that they were computed from; empty for a reference without
            runs. None: they were not computed from runs or a reference.
    """

    label: str
    common: tuple[float, ...] = ()
    by_suite: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    own: Mapping[Cell, tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    budgets: tuple[float, ...] = ()
    rests_on: tuple[object, ...] | None = None

    def of(self, suite: str, function: int, dimension: int) -> tuple[float, ...]:
        """Return the targets of one function in one dimension, easiest first.

        Args:
            suite: Name of the suite.
            function: Number of the function.
            dimension: The dimension.

        Raises:
            AssessmentError: The set has no targets for this function and dimension.
        """
        targets = self.shared(suite) or self.own.get((suite, function, dimension), ())
        if not targets:
            raise AssessmentError(
                f"targets: there are none for f{function} of {suite} in {dimension}-D; choose "
                "other functions and dimensions, or other targets"
            )
        return targets

    def shared(self, suite: str) -> tuple[float, ...]:
        """Return the targets that all functions of a suite share; empty if they differ."""
        return self.common or self.by_suite.get(suite, ())

    def text(self, suite: str) -> str:
        """Describe the targets of a suite, for people."""
        return common_set(self.by_suite[suite]).label if suite in self.by_suite else self.label

    def keys(self, suite: str, function: int, dimension: int) -> list[tuple[float, ...]]:
        """Return the values that identify each target of a function in a table.

        Args:
            suite: Name of the suite.
            function: Number of the function.
            dimension: The dimension.

        Returns:
            For each target, easiest first, ``(budget, precision)``; without budgets
            ``(precision,)``.

        Raises:
            AssessmentError: The set has no targets for this function and dimension.
        """
        precisions = self.of(suite, function, dimension)
        return list(zip(self.budgets, precisions, strict=True) if self.budgets else zip(precisions))

    def named(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of a table with the names of `keys` instead of ``target``."""
        names = ("budget", "target") if self.budgets else ("target",)
        position = list(columns).index("target")
        return (*columns[:position], *names, *columns[position + 1 :])


@dataclass(frozen=True, eq=False, repr=False)
class TargetTable(Table):
    """Targets by function, as a table and as the ``targets`` of a question.

    Columns: ``suite, function, dimension, target``, easiest first; for run-length based targets
    also ``budget`` (evaluations / dimension).

    Attributes:
        label: Description of the targets, for people.
        rests_on: See `TargetSet`.

    Example:
        >>> import firsthit
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=50
        ... )
        >>> targets = results.targets("dynamic")
        >>> targets.names, len(targets)
        (('suite', 'function', 'dimension', 'target'), 51)
        >>> bool((results.art(targets)["target"] == targets["target"]).all())
        True
    """

    label: str = ""
    rests_on: tuple[object, ...] | None = None

    @property
    def target_set(self) -> TargetSet:
        """The targets by function.

        Raises:
            AssessmentError: Budgets differ between functions, or a larger one has an easier target.
        """
        pairs_of_cell: dict[Cell, list[BudgetAndTarget]] = {}
        budgets = self["budget"] if "budget" in self.names else np.full(len(self), np.nan)
        names = ("suite", "function", "dimension", "target")
        for suite, function, dimension, target, budget in zip(
            *(self[name].tolist() for name in names), budgets.tolist(), strict=True
        ):
            pairs_of_cell.setdefault((suite, function, dimension), []).append((budget, target))
        if np.isnan(budgets).any():
            targets_of_cell = {
                cell: tuple(sorted((target for _, target in pairs), reverse=True))
                for cell, pairs in pairs_of_cell.items()
            }
            return TargetSet(
                self.label, own=targets_of_cell, notes=self.notes, rests_on=self.rests_on
            )
        target_set = _match_budgets(pairs_of_cell, self.label, self.notes)
        return replace(target_set, rests_on=self.rests_on)


def _match_budgets(
    pairs_of_cell: Mapping[Cell, Sequence[BudgetAndTarget]], label: str, notes: tuple[str, ...]
) -> TargetSet:
    """Return a set in which each function has one target for each budget.

    Raises:
        AssessmentError: Budgets differ between functions, or a larger one has an easier target.
    """
    targets_of_cell: dict[Cell, tuple[float, ...]] = {}
    common_budgets: tuple[float, ...] = ()
    for (suite, function, dimension), pairs in pairs_of_cell.items():
        where = f"targets: f{function} of {suite} in {dimension}-D"
        budgets, targets = zip(*sorted(pairs), strict=True)
        if tuple(sorted(targets, reverse=True)) != targets or len(set(budgets)) < len(budgets):
            raise AssessmentError(
                f"{where} must have one target for each budget, a larger one no easier target"
            )
        common_budgets = common_budgets or budgets
        if budgets != common_budgets:
            raise AssessmentError(
                f"{where} has budgets {', '.join(f'{b:g}' for b in budgets)}, others have "
                f"{', '.join(f'{b:g}' for b in common_budgets)}; give all the same, or leave the "
                "column out"
            )
        targets_of_cell[suite, function, dimension] = targets
    return TargetSet(label, own=targets_of_cell, notes=notes, budgets=common_budgets)


def common_set(targets: Sequence[float]) -> TargetSet:
    """Return a set with equal targets for all functions.

    Args:
        targets: Precisions, easiest first; at least one.

    >>> common_set([100.0, 1.0, 1e-8]).label
    '3 targets 1e2 … 1e-8'
    """
    texts = [target_text(target) for target in targets]
    label = f"{len(texts)} targets {texts[0]} … {texts[-1]}"
    return TargetSet(label if len(texts) > 1 else f"target {texts[0]}", tuple(targets))


def suites_set(by_suite: Mapping[str, tuple[float, ...]]) -> TargetSet:
    """Return a set with the targets of each suite; a common set if they are all equal.

    Args:
        by_suite: Precisions of each suite, easiest first.
    """
    different = set(by_suite.values())
    if len(different) == 1:
        return common_set(next(iter(different)))
    return TargetSet("targets of each suite", by_suite=dict(by_suite))


def target_table(
    pairs_of_cell: Mapping[Cell, Sequence[BudgetAndTarget]],
    label: str,
    notes: tuple[str, ...] = (),
) -> TargetTable:
    """Return the table of targets that differ between functions.

    Args:
        pairs_of_cell: Pairs of budget and target of each function, in the order of the rows. If all
            budgets are NaN, the table has no column ``budget``.
        label: Description of the targets, for people.
        notes: Notes of the table.
    """
    rows: list[list[Value]] = [
        [*cell, budget, target]
        for cell in sorted(pairs_of_cell)
        for budget, target in pairs_of_cell[cell]
    ]
    columns = table_of(("suite", "function", "dimension", "budget", "target"), rows)
    if np.isnan(np.asarray(columns["budget"], dtype=np.float64)).all():
        del columns["budget"]
    return TargetTable(columns, notes, label)


def read_targets(path: str | Path) -> TargetTable:
    """Read targets from a CSV file, such as ``assess targets`` writes.

    Args:
        path: File with the columns suite, function, dimension and target; for run-length based
            targets also budget.

    Raises:
        AssessmentError: The file cannot be read, lacks a column, or has no rows; or a target is not
            allowed.
    """
    names = ("suite", "function", "dimension", "target")

    def parse_row(line: dict[str, str]) -> list[Value]:
        numbers = [parse_count(line[name]) for name in ("function", "dimension")]
        budget = [parse_number(line["budget"])] if "budget" in line else []
        return [line["suite"], *numbers, *parse_targets([parse_number(line["target"])]), *budget]

    rows = list(parsed_lines(path, "targets", parse_row, ", ".join(names)))
    if not rows:
        raise AssessmentError(f"targets: {path} holds none; needed are {', '.join(names)}")
    columns = (*names, "budget")[: len(rows[0])]
    return TargetTable(table_of(columns, rows), (), f"targets of {Path(path).name}")


def key_of(columns: Container[str]) -> str:
    """Return the column that identifies a target of a function, ``"budget"`` or ``"target"``.

    Targets that budgets chose may be equal, so that only their budgets identify them.
    """
    return "budget" if "budget" in columns else "target"


def key_text(key: str, value: float) -> str:
    """Format a value of the column `key_of`, for people.

    Args:
        key: Name of the column, ``"budget"`` or ``"target"``.
        value: Evaluations / dimension, or a precision.

    >>> key_text("budget", 0.5), key_text("target", 1e-8)
    ('0.5D', '1e-8')
    """
    return f"{value:g}D" if key == "budget" else target_text(value)


Default = Callable[[Measurement], tuple[float, ...]]
"""A function that returns the default targets of a suite, easiest first."""

OF_TWO_OBJECTIVES = ("hypervolume", "igd+", "epsilon")
"""Indicators of suites with two objectives."""

_REPORT_TARGETS = (1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-8)
_COCO_TABLE_TARGETS = (1e1, 1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7)
_PAIR_TARGETS = (1e1, 1e-1, 1e-4, 1e-8)
_SUMMARY_TARGETS = (1e-1, 1e-8)
_EASIEST_DECADE = 10.0
_EASIEST_LOSS_INDEX = 10 * TARGETS_PER_DECADE
"""Index of 1e10 in the log's grid, where the targets of COCO's runtime loss begin."""
_LOSS_STEP = TARGETS_PER_DECADE // 5
"""Grid indices between targets of the runtime loss, of which there are five per decade."""


def allows_restarts(measurement: Measurement) -> bool:
    """Return whether runs on several instances count as repetitions of one experiment.

    With two objectives they do not, as in cocopp: reference values of instances are of unequal
    quality. That a target is easy on one instance says nothing about a restart on another.
    """
    return measurement.indicator not in OF_TWO_OBJECTIVES


def all_targets(measurement: Measurement) -> tuple[float, ...]:
    """Return all targets of the suite; on bbob the 51 targets of COCO's runtime profiles.

    Example:
        >>> from firsthit import Suite
        >>> from firsthit.assessment import all_targets
        >>> measurement = Suite("bbob", functions=1, dimensions=2, instances=1)[0].measurement
        >>> all_targets(measurement)[:3]
        (100.0, 63.09573444801932, 39.81071705534973)
    """
    return measurement.targets


def decades(measurement: Measurement) -> tuple[float, ...]:
    """Return the suite's targets up to 10 that are 0 or plus or minus a power of ten; else all.

    Example:
        >>> from firsthit import Suite
        >>> from firsthit.assessment import decades
        >>> measurement = Suite("bbob", functions=1, dimensions=2, instances=1)[0].measurement
        >>> decades(measurement)[:3]
        (10.0, 1.0, 0.1)
    """
    powers = [t for t in measurement.targets if t <= _EASIEST_DECADE and _is_decade(t)]
    return tuple(powers) if any(powers) else measurement.targets


def hardest(measurement: Measurement) -> tuple[float, ...]:
    """Return the final target; without a final target, the hardest of the suite's targets.

    Example:
        >>> from firsthit import Suite
        >>> from firsthit.assessment import hardest
        >>> measurement = Suite("bbob", functions=1, dimensions=2, instances=1)[0].measurement
        >>> hardest(measurement)
        (1e-08,)
    """
    final = measurement.final_target
    return measurement.targets[-1:] if final is None else (final,)


def report_targets(measurement: Measurement) -> tuple[float, ...]:
    """Return the targets of the report's table, 1e1, 1 … 1e-3, 1e-5, 1e-7, 1e-8; else `decades`."""
    return _keep_if_complete(_REPORT_TARGETS, measurement) or decades(measurement)


def coco_table_targets(measurement: Measurement) -> tuple[float, ...]:
    """Return the targets of COCO's table, 1e1, 1 … 1e-3, 1e-5, 1e-7; else `decades`."""
    return _keep_if_complete(_COCO_TABLE_TARGETS, measurement) or decades(measurement)


def pair_targets(measurement: Measurement) -> tuple[float, ...]:
    """Return the targets of ratios and scaling, 1e1, 1e-1, 1e-4, 1e-8; else four of the suite's."""
    return _keep_if_complete(_PAIR_TARGETS, measurement) or _spread_over_targets(4, measurement)


def summary_targets(measurement: Measurement) -> tuple[float, ...]:
    """Return the targets of the summary of a campaign, 1e-1 and 1e-8; else two of the suite's."""
    return _keep_if_complete(_SUMMARY_TARGETS, measurement) or _spread_over_targets(2, measurement)


def loss_targets(measurement: Measurement) -> tuple[float, ...]:
    """Return COCO's targets of runtime losses, five per decade from 1e10 to the hardest target.

    If a target of the suite is not positive, all targets of the suite are returned instead.

    >>> len(loss_targets(Measurement())), loss_targets(Measurement(targets=(1.0, 0.0)))
    (91, (1.0, 0.0))
    """
    hardest_target = hardest(measurement)[0]
    if hardest_target <= 0 or measurement.targets[-1] <= 0:
        return measurement.targets
    grid = (grid_value(k) for k in range(_EASIEST_LOSS_INDEX, FINAL_TARGET - 1, -_LOSS_STEP))
    return tuple(target for target in grid if target >= hardest_target * (1 - GRID_TOLERANCE))


def _keep_if_complete(targets: tuple[float, ...], measurement: Measurement) -> tuple[float, ...]:
    """Return the targets if the suite has all of them; else an empty tuple."""
    return targets if set(targets) <= set(measurement.targets) else ()


def _spread_over_targets(n: int, measurement: Measurement) -> tuple[float, ...]:
    """Return up to n of the suite's targets, evenly spaced by index; the last is the hardest."""
    targets = measurement.targets
    return tuple(dict.fromkeys(targets[len(targets) * i // n - 1] for i in range(1, n + 1)))


def _is_decade(target: float) -> bool:
    """Return whether a target is 0 or plus or minus a power of ten."""
    if target == 0:
        return True
    exponent = math.log10(abs(target))
    return abs(exponent - round(exponent)) < GRID_TOLERANCE

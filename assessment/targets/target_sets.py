"""The targets of a question: the same for all functions, or each function's own; and the defaults.

Each default takes the suite's `Measurement`, as its log has it, and returns precisions, easiest
first. They are the field's usual ones where the suite has these, and the suite's own elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...loggers.targets.grid import FINAL_TARGET, GRID_TOLERANCE, grid_value
from ...suites.measurement import Measurement
from ..errors import AssessmentError
from ..tables.csv_text import parsed_lines
from ..tables.table import Table, Value, table_of
from .parse import parse_targets, target_text

Cell = tuple[str, int, int]
"""Suite, function, dimension."""


@dataclass(frozen=True)
class TargetSet:
    """Targets of functions.

    Attributes:
        label: What they are, for people.
        common: Precisions for all functions, easiest first; empty where they differ.
        by_suite: Precisions for all functions of each suite, where suites differ.
        own: Precisions of each (suite, function, dimension), easiest first, where these differ;
            equal ones may follow each other and count each.
        notes: Sentences on where they come from.
        budgets: Evaluations / dimension that each of ``own`` was chosen by, ascending, the same for
            all functions; empty for targets that no budget chose.
    """

    label: str
    common: tuple[float, ...] = ()
    by_suite: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    own: Mapping[Cell, tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    budgets: tuple[float, ...] = ()

    def of(self, suite: str, function: int, dimension: int) -> tuple[float, ...]:
        """Targets of one function in one dimension."""
        found = self.shared(suite) or self.own.get((suite, function, dimension), ())
        if not found:
            raise AssessmentError(
                f"targets: there are none for f{function} of {suite} in {dimension}-D; choose "
                "other functions and dimensions, or other targets"
            )
        return found

    def shared(self, suite: str) -> tuple[float, ...]:
        """The targets that all functions of a suite share; empty where each has its own."""
        return self.common or self.by_suite.get(suite, ())

    def text(self, suite: str) -> str:
        """What the targets of a suite are, for people."""
        return common_set(self.by_suite[suite]).label if suite in self.by_suite else self.label

    def keys(self, suite: str, function: int, dimension: int) -> list[tuple[float, ...]]:
        """Of each target of a function what a table says of it: its budget, if any, precision."""
        precisions = self.of(suite, function, dimension)
        return list(zip(self.budgets, precisions, strict=True) if self.budgets else zip(precisions))

    def named(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Columns of a table with the names of `keys` in place of ``target``."""
        names = ("budget", "target") if self.budgets else ("target",)
        place = list(columns).index("target")
        return (*columns[:place], *names, *columns[place + 1 :])


def key_of(columns: Container[str]) -> str:
    """Which column tells the targets of one function apart; equal precisions may have budgets."""
    return "budget" if "budget" in columns else "target"


def key_text(key: str, value: float) -> str:
    """A value of the column `key_of`, for people.

    >>> key_text("budget", 0.5), key_text("target", 1e-8)
    ('0.5D', '1e-8')
    """
    return f"{value:g}D" if key == "budget" else target_text(value)


@dataclass(frozen=True, eq=False, repr=False)
class TargetTable(Table):
    """Targets by function, to look at and to hand to a question as its ``targets``.

    Columns: ``suite, function, dimension, target``, easiest first; run-length based ones have their
    ``budget`` (evaluations / dimension) as well.

    Attributes:
        label: What the targets are, for people.
    """

    label: str = ""

    @property
    def target_set(self) -> TargetSet:
        """The targets by function.

        Raises:
            AssessmentError: Budgets differ between functions, or a larger one has an easier target.
        """
        own: dict[Cell, list[tuple[float, float]]] = {}
        budgets = self["budget"] if "budget" in self.names else np.full(len(self), np.nan)
        names = ("suite", "function", "dimension", "target")
        for suite, function, dimension, target, budget in zip(
            *(self[name].tolist() for name in names), budgets.tolist(), strict=True
        ):
            own.setdefault((suite, function, dimension), []).append((budget, target))
        if np.isnan(budgets).any():
            fixed = {
                c: tuple(sorted((t for _, t in each), reverse=True)) for c, each in own.items()
            }
            return TargetSet(self.label, own=fixed, notes=self.notes)
        return _by_budget(own, self.label, self.notes)


def _by_budget(
    own: Mapping[Cell, Sequence[tuple[float, float]]], label: str, notes: tuple[str, ...]
) -> TargetSet:
    """Targets that each function has one of for each budget; see `TargetTable.target_set`."""
    fixed: dict[Cell, tuple[float, ...]] = {}
    common: tuple[float, ...] = ()
    for (suite, function, dimension), pairs in own.items():
        where = f"targets: f{function} of {suite} in {dimension}-D"
        budgets, targets = zip(*sorted(pairs), strict=True)
        if tuple(sorted(targets, reverse=True)) != targets or len(set(budgets)) < len(budgets):
            raise AssessmentError(
                f"{where} must have one target for each budget, a larger one no easier target"
            )
        common = common or budgets
        if budgets != common:
            raise AssessmentError(
                f"{where} has budgets {', '.join(f'{b:g}' for b in budgets)}, others have "
                f"{', '.join(f'{b:g}' for b in common)}; give all the same, or leave the column out"
            )
        fixed[suite, function, dimension] = targets
    return TargetSet(label, own=fixed, notes=notes, budgets=common)


def common_set(targets: Sequence[float]) -> TargetSet:
    """The same targets, easiest first, for all functions.

    >>> common_set([100.0, 1.0, 1e-8]).label
    '3 targets 1e2 … 1e-8'
    """
    names = [target_text(t) for t in targets]
    several = f"{len(names)} targets {names[0]} … {names[-1]}"
    return TargetSet(several if len(names) > 1 else f"target {names[0]}", tuple(targets))


def suites_set(by_suite: Mapping[str, tuple[float, ...]]) -> TargetSet:
    """Targets of each suite; one common set where they are all the same."""
    different = set(by_suite.values())
    if len(different) == 1:
        return common_set(next(iter(different)))
    return TargetSet("targets of each suite", by_suite=dict(by_suite))


def target_table(
    own: Mapping[Cell, Sequence[tuple[float, float]]],
    label: str,
    notes: tuple[str, ...] = (),
) -> TargetTable:
    """A table of each cell's (budget, target) pairs; the budgets are left out where all are NaN."""
    rows: list[list[Value]] = [
        [*cell, budget, target] for cell in sorted(own) for budget, target in own[cell]
    ]
    columns = table_of(("suite", "function", "dimension", "budget", "target"), rows)
    if np.isnan(np.asarray(columns["budget"], dtype=np.float64)).all():
        del columns["budget"]
    return TargetTable(columns, notes, label)


def read_targets(path: str | Path) -> TargetTable:
    """Targets from a CSV file with the columns suite, function, dimension and target.

    And, of run-length targets, ``budget``.
    """
    names = ("suite", "function", "dimension", "target")

    def row(line: dict[str, str]) -> list[Value]:
        cell: list[Value] = [line["suite"], int(line["function"]), int(line["dimension"])]
        budget = [float(line["budget"])] if "budget" in line else []
        return [*cell, *parse_targets([float(line["target"])]), *budget]

    rows = list(parsed_lines(path, "targets", row, ", ".join(names)))
    if not rows:
        raise AssessmentError(f"targets: {path} holds none; needed are {', '.join(names)}")
    columns = (*names, "budget")[: len(rows[0])]
    return TargetTable(table_of(columns, rows), (), f"targets of {Path(path).name}")


Default = Callable[[Measurement], tuple[float, ...]]

REPORT_TARGETS = (1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-8)
COCO_TARGETS = (1e1, 1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7)
PAIR_TARGETS = (1e1, 1e-1, 1e-4, 1e-8)
SUMMARY_TARGETS = (1e-1, 1e-8)
_EASIEST_DECADE = 10.0
_EASIEST_LOSS = 200


OF_TWO_OBJECTIVES = ("hypervolume", "igd+", "epsilon")
"""Indicators of suites with two objectives."""


def allows_restarts(measurement: Measurement) -> bool:
    """Whether runs on several instances stand for repetitions of one experiment.

    Not with two objectives, as in cocopp: references of instances are of unequal quality, so an
    instance on which a target is easy says nothing of a restart on another.
    """
    return measurement.indicator not in OF_TWO_OBJECTIVES


def all_targets(measurement: Measurement) -> tuple[float, ...]:
    """All targets of the suite, as profiles take them: COCO's 51 of bbob."""
    return measurement.targets


def decades(measurement: Measurement) -> tuple[float, ...]:
    """The suite's targets that are 0 or plus or minus a power of ten, from 10 on; else all.

    >>> decades(Measurement())[:3], decades(Measurement(targets=(0.3, 0.2)))
    ((10.0, 1.0, 0.1), (0.3, 0.2))
    """
    whole = [t for t in measurement.targets if t <= _EASIEST_DECADE and _is_decade(t)]
    return tuple(whole) if any(whole) else measurement.targets


def hardest(measurement: Measurement) -> tuple[float, ...]:
    """The final target; without one, the hardest of the suite's targets."""
    final = measurement.final_target
    return measurement.targets[-1:] if final is None else (final,)


def report_targets(measurement: Measurement) -> tuple[float, ...]:
    """Of the report's table: 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-8, else the `decades`."""
    return _usual(REPORT_TARGETS, measurement) or decades(measurement)


def coco_table_targets(measurement: Measurement) -> tuple[float, ...]:
    """Of COCO's table: 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, else the `decades`."""
    return _usual(COCO_TARGETS, measurement) or decades(measurement)


def pair_targets(measurement: Measurement) -> tuple[float, ...]:
    """Of ratios and scaling: 1e1, 1e-1, 1e-4, 1e-8; else four spread over the suite's targets."""
    return _usual(PAIR_TARGETS, measurement) or _spread(4, measurement)


def summary_targets(measurement: Measurement) -> tuple[float, ...]:
    """Of the short table after a campaign: 1e-1 and 1e-8; else one in the middle, and the last."""
    return _usual(SUMMARY_TARGETS, measurement) or _spread(2, measurement)


def loss_targets(measurement: Measurement) -> tuple[float, ...]:
    """COCO's five per decade from 1e10 to the hardest; the suite's own where one is not positive.

    >>> len(loss_targets(Measurement())), loss_targets(Measurement(targets=(1.0, 0.0)))
    (91, (1.0, 0.0))
    """
    last = hardest(measurement)[0]
    if last <= 0 or measurement.targets[-1] <= 0:
        return measurement.targets
    grid = (grid_value(k) for k in range(_EASIEST_LOSS, FINAL_TARGET - 1, -4))
    return tuple(target for target in grid if target >= last * (1 - GRID_TOLERANCE))


def _usual(targets: tuple[float, ...], measurement: Measurement) -> tuple[float, ...]:
    """The targets if the suite has them all; else none."""
    return targets if set(targets) <= set(measurement.targets) else ()


def _spread(n: int, measurement: Measurement) -> tuple[float, ...]:
    """So many of the suite's targets, evenly spaced in their order, the last being the hardest."""
    own = measurement.targets
    return tuple(dict.fromkeys(own[len(own) * i // n - 1] for i in range(1, n + 1)))


def _is_decade(target: float) -> bool:
    if target == 0:
        return True
    exponent = math.log10(abs(target))
    return abs(exponent - round(exponent)) < GRID_TOLERANCE

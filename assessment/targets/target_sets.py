"""The targets of a question: the same for all functions, or each function's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import AssessmentError
from ..tables.csv_text import read_csv
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
        of_suites: Precisions for all functions of each suite, where suites differ.
        own: Precisions of each (suite, function, dimension), easiest first, where these differ;
            equal ones may follow each other and count each.
        notes: Sentences on where they come from.
    """

    label: str
    common: tuple[float, ...] = ()
    of_suites: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    own: Mapping[Cell, tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def of(self, suite: str, function: int, dimension: int) -> tuple[float, ...]:
        """Targets of one function in one dimension.

        Raises:
            AssessmentError: There are none.
        """
        found = self.shared(suite) or self.own.get((suite, function, dimension), ())
        if not found:
            raise AssessmentError(
                f"targets: there are none for f{function} of {suite} in {dimension}-D; choose "
                "other functions and dimensions, or other targets"
            )
        return found

    def shared(self, suite: str) -> tuple[float, ...]:
        """The targets that all functions of a suite share; empty where each has its own."""
        return self.common or self.of_suites.get(suite, ())

    def text(self, suite: str) -> str:
        """What the targets of a suite are, for people."""
        return common_set(self.of_suites[suite]).label if suite in self.of_suites else self.label


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
        """The targets by function."""
        own: dict[Cell, list[float]] = {}
        names = ("suite", "function", "dimension", "target")
        for suite, function, dimension, target in zip(
            *(self[name].tolist() for name in names), strict=True
        ):
            own.setdefault((suite, function, dimension), []).append(target)
        fixed = {cell: tuple(sorted(each, reverse=True)) for cell, each in own.items()}
        return TargetSet(self.label, own=fixed, notes=self.notes)


def common_set(targets: Sequence[float]) -> TargetSet:
    """The same targets, easiest first, for all functions.

    >>> common_set([100.0, 1.0, 1e-8]).label
    '3 targets 1e2 … 1e-8'
    """
    names = [target_text(t) for t in targets]
    several = f"{len(names)} targets {names[0]} … {names[-1]}"
    return TargetSet(several if len(names) > 1 else f"target {names[0]}", tuple(targets))


def suites_set(of_suites: Mapping[str, tuple[float, ...]]) -> TargetSet:
    """Targets of each suite; one common set where they are all the same."""
    different = set(of_suites.values())
    if len(different) == 1:
        return common_set(next(iter(different)))
    return TargetSet("targets of each suite", of_suites=dict(of_suites))


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

    Raises:
        AssessmentError: The file cannot be read, lacks a column, or holds what is no target.
    """
    try:
        _, lines = read_csv(path)
    except (OSError, ValueError) as error:
        raise AssessmentError(f"targets: cannot read {path}: {error}") from error
    names = ("suite", "function", "dimension", "target")
    rows: list[list[Value]] = []
    for number, line in enumerate(lines, 2):
        try:
            cell = [line["suite"], int(line["function"]), int(line["dimension"])]
            rows.append([*cell, *parse_targets([float(line["target"])])])
        except (KeyError, TypeError, ValueError) as error:
            raise AssessmentError(
                f"targets: {path}, line {number}: {error}; needed are {', '.join(names)}"
            ) from error
    if not rows:
        raise AssessmentError(f"targets: {path} holds none; needed are {', '.join(names)}")
    return TargetTable(table_of(names, rows), (), f"targets of {Path(path).name}")

"""The archives of a log's runs on two objectives, by algorithm, function and dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import AssessmentError
from ..statistics.fronts import front_of
from ..statistics.quantiles import Floats
from ..targets.budgets import Budgets, budgets_on, check_axis, counts_of, parse_budgets, unit_of
from .grouping import CellRuns, by_cell, grouped
from .notes import basis
from .selection import refuse_two_versions, suite_of

if TYPE_CHECKING:
    from ...loggers import Log

Problem = tuple[str, int, int, int]
"""Suite, function, dimension, instance."""


@dataclass(frozen=True, eq=False)
class RunArchive:
    """The archive of one run: when each point entered, ascending, and the two objectives there.

    ``ideal`` holds the least value of each objective, ``nadir`` the worst on the Pareto front.
    """

    evaluations: NDArray[np.int64]
    points: Floats
    ideal: Floats
    nadir: Floats
    spent: int

    def normalised(self, points: Floats) -> Floats:
        """Points in the plane where the ideal point is (0, 0) and the nadir point is (1, 1)."""
        return np.asarray((points - self.ideal) / (self.nadir - self.ideal))

    def fronts(self, budgets: NDArray[np.int64]) -> list[Floats]:
        """The front after each of some numbers of evaluations, ascending; not normalised."""
        found, start, front = [], 0, np.empty((0, 2))
        for end in np.searchsorted(self.evaluations, budgets, side="right").tolist():
            if end > start:
                front = front_of(np.concatenate([front, self.points[start:end]]))
            start = end
            found.append(front)
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class Archives(CellRuns):
    """The archives of the runs of a cell; ``final`` of them kept only what was left at the end."""

    runs: tuple[RunArchive, ...]
    final: int = 0

    @property
    def spent(self) -> int:
        """Evaluations of the longest run."""
        return max(run.spent for run in self.runs)

    def problem(self, run: int) -> Problem:
        """The problem of a run."""
        return self.suite, self.function, self.dimension, int(self.instances[run])

    def normalised_fronts(self, budgets: NDArray[np.int64]) -> list[list[Floats]]:
        """For each budget in evaluations, ascending, the normalised fronts of the runs."""
        run_fronts = [[run.normalised(f) for f in run.fronts(budgets)] for run in self.runs]
        return [list(fronts) for fronts in zip(*run_fronts, strict=True)]


def archives_of(log: Log, rows: NDArray[np.intp]) -> Iterator[Archives]:
    """Archives of rows of the log, by algorithm, suite, dimension and function.

    Runs on one objective are left out.
    """
    refuse_two_versions(log, rows)
    rows = rows[on_two_objectives(log, rows)]
    if not len(rows):
        raise AssessmentError("no run in the logs has an archive; runs on two objectives have one")
    runs = log.runs
    for places, facts in by_cell(log, rows, "f"):
        mine = rows[places]
        yield Archives(
            # archives themselves are looked at: neither references nor recommendations matter
            **{**facts, "references": {}, "silent": None},
            runs=tuple(_archive(log, row) for row in mine.tolist()),
            final=int((runs["archive_kept"][mine] == "final").sum()),
        )


def on_two_objectives(log: Log, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which rows of the log are runs on two objectives, shape ``(n_rows,)``."""
    return np.asarray((log.entries("objectives") + log.entries("archive"))[rows] > 0)


class AtBudgets(NamedTuple):
    """Archives, and the budgets at which they are looked at: in their unit, and in evaluations."""

    archives: Archives
    budgets: tuple[float, ...]
    evaluations: NDArray[np.int64]


def at_budgets(
    data: Sequence[Archives],
    budgets: Budgets | None,
    axis: str,
    default: Callable[[Sequence[float], float], tuple[float, ...]],
) -> Iterator[AtBudgets]:
    """Archives at budgets in the unit ``axis``.

    None: at those that ``default`` gives for the longest run of each algorithm on a suite in a
    dimension, and for the unit.
    """
    check_axis(axis)
    given = None if budgets is None else parse_budgets(budgets)
    for group in grouped(data, "all"):
        unit = unit_of(axis, group[0].dimension)
        own = default([max(archives.spent for archives in group)], unit)
        if given is not None:
            own = budgets_on(given, axis, group[0].dimension)
        for archives in group:
            yield AtBudgets(archives, own, counts_of(own, unit))


def end_budget(ends: Sequence[float], unit: float) -> tuple[float, ...]:
    """The budget that the longest run had."""
    return (max(ends) / unit,)


def notes_on_archives(
    data: Sequence[Archives], convention: str, only_end: bool = False
) -> tuple[str, ...]:
    """Sentences on archives of which the log holds the end alone, and on what a table rests on."""
    final, runs = (
        sum(archives.final for archives in data),
        sum(len(archives.runs) for archives in data),
    )
    rests = basis(data, f"{convention}; objectives are scaled: the ideal point is 0, the nadir 1")
    if not final or only_end:
        return rests
    return (
        f"{final} of {runs} runs kept only what was left of their archive (archive: final): before "
        "their end they were at least as good as it says here.",
        *rests,
    )


def notes_on_attained(data: Sequence[Archives], only_end: bool, exact: bool) -> tuple[str, ...]:
    """As `notes_on_archives`, of what runs attain: rounded up unless ``exact``."""
    convention = "every run weighs the same, after its end with its archive"
    rests = notes_on_archives(data, convention, only_end)
    if exact:
        return rests
    text = (
        "values are rounded up, by at most 4 % or 0.004; --exact (exact=True) gives every corner."
    )
    return (text, *rests)


def _archive(log: Log, row: int) -> RunArchive:
    entries, objectives = log.archive(row), log.objectives(row)
    place = f"{suite_of(log, row)} f{log.runs['function'][row]} i{log.runs['instance'][row]}"
    if not len(objectives):
        raise AssessmentError(
            f"{place}: its ideal and nadir points are not known, by which objectives are scaled"
        )
    if log.runs["archive_kept"][row] == "none":
        raise AssessmentError(
            f"{place}: a run of {log.runs['algorithm'][row]} kept no archive (archive: none)"
        )
    return RunArchive(
        evaluations=np.array(entries["evaluation"]),
        points=np.column_stack([entries["y1"], entries["y2"]]),
        ideal=np.array(objectives["ideal"]),
        nadir=np.array(objectives["nadir"]),
        spent=int(log.runs["evaluations"][row]),
    )

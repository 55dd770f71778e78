"""The runs of an algorithm on a function in a dimension, and the groups of functions of a curve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.texts import natural
from ..errors import AssessmentError
from ..targets.budgets import unit_of
from ..targets.target_sets import Cell
from .counting import axis_of, clocks_of, is_seconds
from .selection import references_of, sorted_cells

if TYPE_CHECKING:
    from ...loggers import Log
    from ..tables.table import Value

CELL_COLUMNS = ("algorithm", "suite", "dimension", "function")
GroupBy = Literal["function", "group", "all"]


@dataclass(frozen=True, eq=False, kw_only=True)
class CellRuns:
    """The runs of one algorithm on one function in one dimension: names, instances, what counts.

    Attributes:
        group: Name of the function's group in its suite.
        instances: Instance of each run, shape ``(n_runs,)``.
        count: What an evaluation is: of the objective ``"f"``, of the constraints ``"g"``, or of
            either, ``"f+g"``; or ``"seconds"``, where runtimes are seconds.
        clocks: Whose seconds these are, in words; none where evaluations count.
        constraints: Evaluations of the constraints that the runs made.
        silent: How many runs recommended no solution, where recommended ones are measured; None
            where all evaluated ones are.
        references: Name of each reference of the hypervolume to how many of the runs are measured
            from it; empty with one objective.
    """

    algorithm: str
    suite: str
    function: int
    dimension: int
    group: str
    instances: NDArray[np.int64]
    count: str = "f+g"
    constraints: int = 0
    silent: int | None = None
    references: Mapping[str, int] = field(default_factory=dict)
    clocks: tuple[str, ...] = ()

    @property
    def cell(self) -> Cell:
        """Suite, function, dimension."""
        return self.suite, self.function, self.dimension

    @property
    def head(self) -> list[Value]:
        """Algorithm, suite, function, dimension: how rows of a table begin."""
        return [self.algorithm, self.suite, self.function, self.dimension]

    def group_head(self, group_by: str) -> list[Value]:
        """Algorithm, suite, dimension, and the group: how rows over functions begin."""
        return [self.algorithm, self.suite, self.dimension, group_name(self, group_by)]

    def unit(self, axis: str = "evaluations/dimension") -> float:
        """What runtimes are divided by to be budgets in the unit ``axis``; seconds by nothing."""
        return unit_of(axis_of(axis, self.count), self.dimension)


def by_cell(
    log: Log, rows: NDArray[np.intp], count: str, names: Sequence[str] = CELL_COLUMNS
) -> Iterator[tuple[NDArray[np.intp], dict[str, Any]]]:
    """The one way in which runs are split: places in ``rows`` of each cell, and what it is."""
    if not len(rows):
        return
    runs = log.runs
    order, starts = sorted_cells(log, rows, names)
    ordered, ends = rows[order], [*starts[1:].tolist(), len(rows)]
    first = ordered[starts]
    texts = {}
    for name in ("algorithm", "suite", "group"):
        known, codes = runs.codes(name)
        texts[name] = [known[code] for code in codes[first].tolist()]
    functions, dimensions = (runs[name][first].tolist() for name in ("function", "dimension"))
    instances = runs["instance"][ordered].astype(np.int64)
    constraint_evaluations = runs["evaluations_constraints"][ordered]
    constraints = np.add.reduceat(constraint_evaluations, starts, dtype=np.int64).tolist()
    quiet: list[int | None] = [None] * len(starts)
    if log.recommended:
        quiet = np.add.reduceat(silent(log)[ordered], starts, dtype=np.int64).tolist()
    for i, part in enumerate(map(slice, starts.tolist(), ends)):
        facts = {
            **{name: column[i] for name, column in texts.items()},
            "function": functions[i],
            "dimension": dimensions[i],
            "instances": instances[part],
            "count": count,
            "constraints": constraints[i],
            "references": references_of(log, ordered[part]),
            "silent": quiet[i],
            "clocks": clocks_of(log, ordered[part]) if is_seconds(count) else (),
        }
        yield order[part], facts


def silent(log: Log) -> NDArray[np.bool_]:
    """Which runs recommended nothing, in a log that is measured by recommended solutions."""
    nothing: NDArray[np.bool_] = np.isinf(log.runs["best_precision"])
    return nothing


_M = TypeVar("_M", bound=CellRuns)


def check_grouping(group_by: str) -> None:
    """Refuse what is no way of grouping."""
    if group_by not in get_args(GroupBy):
        raise AssessmentError(f"group-by is {group_by!r}, must be one of function, group, all")


def check_groupings(group_by: str | Sequence[str]) -> tuple[str, ...]:
    """One or several ways of grouping, each once."""
    ways = (group_by,) if isinstance(group_by, str) else tuple(dict.fromkeys(group_by))
    for way in ways:
        check_grouping(way)
    if not ways:
        raise AssessmentError("group-by: none given, must be of function, group, all")
    return ways


def group_name(member: CellRuns, group_by: str) -> str:
    """Name of the group that a function belongs to, such as ``f003``, ``separ`` or ``all``."""
    return {"function": f"f{member.function:03d}", "group": member.group, "all": "all"}[group_by]


def grouped(members: Iterable[_M], group_by: str) -> list[list[_M]]:
    """Members by algorithm, suite, dimension and group; functions ascending in each.

    Groups follow each other in the order of their first functions.
    """
    groups: dict[tuple[object, str, int, int], list[_M]] = {}
    first: dict[tuple[str, str], int] = {}
    for cell in sorted(members, key=lambda member: member.function):
        rank = first.setdefault((cell.suite, group_name(cell, group_by)), cell.function)
        groups.setdefault((natural(cell.algorithm), cell.suite, cell.dimension, rank), []).append(
            cell
        )
    return [groups[key] for key in sorted(groups)]


def by_dimension(members: Iterable[_M]) -> dict[tuple[str, int], list[_M]]:
    """Members by suite and dimension."""
    found: dict[tuple[str, int], list[_M]] = {}
    for member in members:
        found.setdefault((member.suite, member.dimension), []).append(member)
    return found


def groups_of_two(
    members: Iterable[_M], first: str, second: str, group_by: str
) -> tuple[list[tuple[list[_M], list[_M]]], tuple[str, ...]]:
    """As `grouped`, of two algorithms side by side, as far as both were run on the functions.

    Besides, a sentence on what is left out.
    """
    every = list(members)
    sides = [[member for member in every if member.algorithm == name] for name in (first, second)]
    cells = [{member.cell for member in side} for side in sides]
    common = cells[0] & cells[1]
    if not common or first == second:
        raise AssessmentError(f"{first} and {second} share no function to compare on")
    groups = [
        grouped([member for member in side if member.cell in common], group_by) for side in sides
    ]
    left = len(cells[0] ^ cells[1])
    note = f"{left} functions that only one of the two was run on are left out."
    return list(zip(*groups, strict=True)), (note,) * bool(left)

"""Group runs by algorithm, function and dimension, and group functions for curves.

`by_cell` divides rows of a log into cells: the runs of one algorithm on one function in one
dimension. `CellRuns` describes a cell; samples subclass it. `grouped` combines cells by
``group_by``: each function alone, the groups of the suite, or all functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from ..suites.texts import natural
from .cost import Count, axis_of, clocks_of, is_seconds
from .errors import AssessmentError
from .selection import references_of, sorted_cells
from .targets.budgets import unit_of
from .targets.target_sets import Cell

if TYPE_CHECKING:
    from ..loggers import Log
    from .tables.table import Value

CELL_COLUMNS = ("algorithm", "suite", "dimension", "function")
GroupBy = Literal["function", "group", "all"]
BROKEN = ("failed", "timeout", "interrupted")
"""Statuses of runs that did not end regularly."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CellRuns:
    """The runs of one algorithm on one function in one dimension: names, instances and counts.

    Attributes:
        group: Name of the function's group in its suite.
        instances: Instance of each run, shape ``(n_runs,)``.
        count: What counts as an evaluation: of the objective ``"f"``, of the constraints ``"g"``,
            or of either, ``"f+g"``; or ``"seconds"`` if runtimes are seconds.
        clocks: The clocks that measured the seconds, in words; empty if evaluations count.
        constraints: Evaluations of the constraints, summed over the runs.
        broken: Number of runs that failed, timed out or were interrupted.
        silent: Number of runs without a recommended solution, in a log of recommended solutions;
            None in other logs.
        references: Number of runs for the name of each reference of the hypervolume; empty with
            one objective.
    """

    algorithm: str
    suite: str
    function: int
    dimension: int
    group: str
    instances: NDArray[np.int64]
    count: Count = "f+g"
    constraints: int = 0
    broken: int = 0
    silent: int | None = None
    references: Mapping[str, int] = field(default_factory=dict)
    clocks: tuple[str, ...] = ()

    @property
    def problem_class(self) -> Cell:
        """Suite, function, dimension."""
        return self.suite, self.function, self.dimension

    @property
    def identity(self) -> list[Value]:
        """Algorithm, suite, function and dimension, the first values of a table's row."""
        return [self.algorithm, self.suite, self.function, self.dimension]

    def group_head(self, group_by: str) -> list[Value]:
        """Return algorithm, suite, dimension and group, as a row over functions begins."""
        return [self.algorithm, self.suite, self.dimension, group_name(self, group_by)]

    def runs_alone(self) -> CellRuns:
        """Return a plain `CellRuns` without the attributes of subclasses."""
        return CellRuns(**{name: getattr(self, name) for name in CellRuns.__dataclass_fields__})

    def unit(self, axis: str = "evaluations/dimension") -> float:
        """Return the divisor that turns runtimes into budgets in the unit ``axis``; seconds: 1."""
        return unit_of(axis_of(axis, self.count), self.dimension)


def by_cell(
    log: Log, rows: NDArray[np.intp], count: Count, names: Sequence[str] = CELL_COLUMNS
) -> Iterator[tuple[NDArray[np.intp], dict[str, Any]]]:
    """Divide rows into cells, and compute the attributes of `CellRuns` for each cell.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        count: What counts as an evaluation.
        names: Columns that identify a cell; the first one sorts first.

    Yields:
        The positions of the cell's runs in ``rows``, and the arguments of `CellRuns`.
    """
    if not len(rows):
        return
    runs = log.runs
    order, starts = sorted_cells(log, rows, names)
    ordered, ends = rows[order], [*starts[1:].tolist(), len(rows)]
    first = ordered[starts]
    texts = {}
    for name in ("algorithm", "suite", "group"):
        values, codes = runs.codes(name)
        texts[name] = [values[code] for code in codes[first].tolist()]
    functions, dimensions = (runs[name][first].tolist() for name in ("function", "dimension"))
    instances = runs["instance"][ordered].astype(np.int64)
    constraint_evaluations = runs["evaluations_constraints"][ordered]
    constraints = np.add.reduceat(constraint_evaluations, starts, dtype=np.int64).tolist()
    statuses, status = runs.codes("status")
    is_broken = np.array([name in BROKEN for name in statuses], dtype=np.bool_)[status[ordered]]
    broken = np.add.reduceat(is_broken, starts, dtype=np.int64).tolist()
    n_silent: list[int | None] = [None] * len(starts)
    if log.recommended:
        n_silent = np.add.reduceat(silent(log)[ordered], starts, dtype=np.int64).tolist()
    for i, part in enumerate(map(slice, starts.tolist(), ends)):
        facts = {
            **{name: column[i] for name, column in texts.items()},
            "function": functions[i],
            "dimension": dimensions[i],
            "instances": instances[part],
            "count": count,
            "constraints": constraints[i],
            "broken": broken[i],
            "references": references_of(log, ordered[part]),
            "silent": n_silent[i],
            "clocks": clocks_of(log, ordered[part]) if is_seconds(count) else (),
        }
        yield order[part], facts


def silent(log: Log) -> NDArray[np.bool_]:
    """Return a mask of the runs of a log of recommended solutions that recommended none."""
    is_silent: NDArray[np.bool_] = np.isinf(log.runs["best_precision"])
    return is_silent


_M = TypeVar("_M", bound=CellRuns)


def check_grouping(group_by: str) -> None:
    """Raise an AssessmentError unless ``group_by`` is a `GroupBy`."""
    if group_by not in get_args(GroupBy):
        raise AssessmentError(f"group-by is {group_by!r}, must be one of function, group, all")


def check_groupings(group_by: str | Sequence[str]) -> tuple[str, ...]:
    """Check ways of grouping, and return them without repetition.

    Args:
        group_by: Ways of grouping; as a text, separated by commas.

    Raises:
        AssessmentError: There is none, or one is unknown.
    """
    requested = group_by.split(",") if isinstance(group_by, str) else group_by
    ways = tuple(dict.fromkeys(way.strip() for way in requested))
    for way in ways:
        check_grouping(way)
    if not ways:
        raise AssessmentError("group-by: none given, must be of function, group, all")
    return ways


def group_name(member: CellRuns, group_by: str) -> str:
    """Return the name of the group of a function, such as ``f003``, ``separ`` or ``all``.

    Args:
        member: The runs of an algorithm on the function.
        group_by: A `GroupBy`.
    """
    return {"function": f"f{member.function:03d}", "group": member.group, "all": "all"}[group_by]


def grouped(members: Iterable[_M], group_by: str) -> list[list[_M]]:
    """Group cells by algorithm, suite, dimension and group of functions.

    Args:
        members: Cells.
        group_by: A `GroupBy`.

    Returns:
        Groups, ordered by algorithm, suite, dimension and first function; functions ascend in each
        group.
    """
    groups: dict[tuple[object, str, int, int], list[_M]] = {}
    first: dict[tuple[str, str], int] = {}
    for member in sorted(members, key=lambda member: member.function):
        rank = first.setdefault((member.suite, group_name(member, group_by)), member.function)
        key = natural(member.algorithm), member.suite, member.dimension, rank
        groups.setdefault(key, []).append(member)
    return [groups[key] for key in sorted(groups)]


def by_dimension(members: Iterable[_M]) -> dict[tuple[str, int], list[_M]]:
    """Group cells by suite and dimension, in the order of their first members."""
    groups: dict[tuple[str, int], list[_M]] = {}
    for member in members:
        groups.setdefault((member.suite, member.dimension), []).append(member)
    return groups


def groups_of_two(
    members: Iterable[_M], first: str, second: str, group_by: str
) -> list[tuple[list[_M], list[_M]]]:
    """Group the cells of two algorithms on the functions that both were run on.

    Args:
        members: Cells of these and possibly other algorithms.
        first: Name of the first algorithm.
        second: Name of the second algorithm.
        group_by: A `GroupBy`.

    Returns:
        For each group, the cells of the first and of the second algorithm.

    Raises:
        AssessmentError: The algorithms have no function in common, or are the same.
    """
    cells_of_all = list(members)
    sides = [
        [member for member in cells_of_all if member.algorithm == name] for name in (first, second)
    ]
    first_classes, second_classes = ({member.problem_class for member in side} for side in sides)
    common = first_classes & second_classes
    if not common or first == second:
        raise AssessmentError(f"{first} and {second} share no function to compare on")
    groups = [
        grouped([member for member in side if member.problem_class in common], group_by)
        for side in sides
    ]
    return list(zip(*groups, strict=True))

"""Indicators of the archives of two objectives within budgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..asking.declaration import question
from ..asking.options import Axis, Budgets, Names, Option
from ..data.archives import Archives, Problem, archives_of, at_budgets, notes_on_archives
from ..data.notes import LAST_VALUE
from ..data.runs import Runs
from ..data.selection import select_runs
from ..errors import AssessmentError
from ..statistics.fronts import epsilon, front_of, hypervolume, igd_plus
from ..statistics.quantiles import Floats, quantiles
from ..tables.csv_text import parsed_lines
from ..tables.table import Table, Value, stacked
from ..targets.budgets import own_budgets
from ..targets.parse import items_of

if TYPE_CHECKING:
    from ...loggers import Log


FrontsName = Annotated[str | Path, Option("NAME")]
Fronts = dict[Problem, Floats]
"""The front of each problem, not normalised."""
UNION = "archive"
"""The reference that is made of all archives in the data."""
COLUMNS = ("suite", "function", "dimension", "instance", "y1", "y2")
"""Of a file with reference fronts; it may have others."""
_FUNCTIONS: dict[str, Callable[[Floats, Floats], float]] = {
    "hypervolume": lambda front, reference: hypervolume(front),
    "igd+": igd_plus,
    "epsilon": epsilon,
}
"""From a normalised front and a normalised reference front to a number."""
_NAMES = ("algorithm", "suite", "function", "dimension", "indicator", "runs", "budget", "25%")
_SHARES = (0.25, 0.5, 0.75)
_CONVENTION = f"{LAST_VALUE}; hypervolume is up to the nadir point"


@question("Archives of two objectives", 10, counts=False, needs="two objectives")
def indicators(
    runs: Runs,
    indicators: Names = "hypervolume,igd+,epsilon",
    budgets: Budgets | None = None,
    *,
    axis: Axis = "evaluations/dimension",
    reference_fronts: FrontsName = UNION,
) -> Table:
    """Hypervolume, IGD+ and epsilon of archives within budgets.

    Median and quartiles over the runs of hypervolume (larger is better), igd+ and epsilon (smaller
    is better; inf before the first point), in the plane where the ideal point is 0 and the nadir
    point 1. A run that ended before the budget keeps its archive.

    Args:
        indicators: Some of hypervolume, igd+, epsilon.
        budgets: None: powers of ten below the longest run, and that run's own.
        axis: Unit of budgets.
        reference_fronts: What igd+ and epsilon measure against: archive, the best of all archives
            in the logs, or a file NAME.csv with a table of `fronts`.

    Returns:
        Columns: ``algorithm, suite, function, dimension, indicator``; number of ``runs``;
        ``budget`` in the unit asked for; ``25%``, ``median``, ``75%`` (type 7).
    """
    names = _parsed(indicators)
    against = any(name != "hypervolume" for name in names)
    reference, note = _reference_fronts(runs.log, reference_fronts) if against else ({}, "")
    data = list(runs.archives())
    blocks: list[list[Value | NDArray[Any]]] = []
    for archives, own_budget, evaluations in at_budgets(data, budgets, axis, own_budgets):
        if against:
            _check_problems(archives, reference, reference_fronts)
        values = _values(archives, reference, names, evaluations)
        for name, run_values in zip(names, values, strict=True):
            found = quantiles(run_values, np.array(_SHARES), "type-7")
            facts = (name, len(archives.runs), np.array(own_budget))
            blocks.append([*archives.head, *facts, *found])
    notes = (*filter(None, [note]), *notes_on_archives(data, _CONVENTION))
    return Table(stacked((*_NAMES, "median", "75%"), blocks), notes)


def _parsed(value: Names) -> tuple[str, ...]:
    """Names of indicators, each once."""
    names = tuple(dict.fromkeys(item.strip() for item in items_of(value)))
    for name in names:
        if name not in _FUNCTIONS:
            raise UnknownNameError.of("indicator of archives", name, _FUNCTIONS)
    if not names:
        raise AssessmentError(f"indicators: none given; there are {', '.join(_FUNCTIONS)}")
    return names


def _values(
    archives: Archives, reference: Fronts, names: Sequence[str], evaluations: NDArray[np.int64]
) -> Floats:
    """Of each indicator, run and budget, shape ``(n_indicators, n_runs, n_budgets)``."""
    found = np.empty((len(names), len(archives.runs), len(evaluations)))
    for place, run in enumerate(archives.runs):
        scaled = run.normalised(reference.get(archives.problem(place), np.empty((0, 2))))
        for budget, front in enumerate(run.fronts(evaluations)):
            points = run.normalised(front)
            for i, name in enumerate(names):
                found[i, place, budget] = _FUNCTIONS[name](points, scaled)
    return found


def _reference_fronts(log: Log, name: str | Path) -> tuple[Fronts, str]:
    """Reference fronts, of ``"archive"`` or of a file, and a sentence on where they come from.

    The first are the nondominated points of all archives that the log holds of a problem, whichever
    algorithms are asked for.
    """
    if str(name) != UNION:
        return read_fronts(name), f"igd+ and epsilon are to the fronts of {Path(name).name}."
    points: dict[Problem, list[Floats]] = {}
    algorithms: set[str] = set()
    for archives in archives_of(log, select_runs(log)):
        algorithms.add(archives.algorithm)
        for place, run in enumerate(archives.runs):
            points.setdefault(archives.problem(place), []).append(run.points)
    note = (
        "igd+ and epsilon are to the nondominated points of all archives in the logs "
        f"({', '.join(sorted(algorithms))}): other logs change them."
    )
    return {problem: front_of(np.concatenate(own)) for problem, own in points.items()}, note


def _check_problems(archives: Archives, fronts: Fronts, name: str | Path) -> None:
    """Refuse a file that lacks a problem of the runs."""
    for place in range(len(archives.runs)):
        problem = archives.problem(place)
        if problem not in fronts:
            suite, function, dimension, instance = problem
            raise AssessmentError(
                f"reference fronts: {Path(name).name} has no points of {suite} f{function} in "
                f"{dimension}-D, instance {instance}"
            )


def read_fronts(path: str | Path) -> Fronts:
    """Reference fronts from a CSV file with the columns of `COLUMNS`, such as `fronts` makes.

    Of the points of a problem those count that no other dominates.
    """
    points: dict[Problem, list[Sequence[float]]] = {}
    lines = parsed_lines(path, "reference fronts", _problem_and_point, ", ".join(COLUMNS))
    for number, (problem, point) in enumerate(lines, 2):
        if not np.isfinite(point).all():
            raise AssessmentError(f"reference fronts: {path}, line {number}: {point} is no point")
        points.setdefault(problem, []).append(point)
    return {problem: front_of(each) for problem, each in points.items()}


def _problem_and_point(line: dict[str, str]) -> tuple[Problem, tuple[float, float]]:
    function, dimension, instance = (int(line[key]) for key in COLUMNS[1:4])
    return (line["suite"], function, dimension, instance), (float(line["y1"]), float(line["y2"]))

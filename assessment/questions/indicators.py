"""Compute indicators of the archives of two objectives within budgets.

The question `indicators` shows quartiles over runs. Reference fronts of IGD+ and epsilon are made
from all archives of the log, or read from a CSV file by `read_fronts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..caveats import Explanation
from ..errors import AssessmentError
from ..hits.archives import CellArchives, Problem, archives_of, on_two_objectives
from ..samples.archives import Archives
from ..samples.convention import LAST_VALUE
from ..samples.sample import Answer
from ..selection import select_runs
from ..statistics.fronts import epsilon, front_of, hypervolume, igd_plus
from ..statistics.quantiles import Floats, quantiles
from ..tables.csv_text import parse_count, parse_number, parsed_lines
from ..tables.table import Table, Value, stacked
from ..targets.parse import items_of
from ._framework.needs import archives
from ._framework.options import Names, Option
from ._framework.question import question

if TYPE_CHECKING:
    from ...loggers import Log


FrontsName = Annotated[str | Path, Option("NAME")]
Fronts = dict[Problem, Floats]
"""Nondominated points of each problem, not normalised, shape ``(n_points, 2)``."""
UNION = "archive"
"""Name of the reference fronts that are made from all archives in the data."""
COLUMNS = ("suite", "function", "dimension", "instance", "y1", "y2")
"""Columns of a file with reference fronts; it may have further columns."""
_FUNCTIONS: dict[str, Callable[[Floats, Floats], float]] = {
    "hypervolume": lambda front, reference: hypervolume(front),
    "igd+": igd_plus,
    "epsilon": epsilon,
}
"""Functions of a normalised front and a normalised reference front that return the indicator."""
_NAMES = ("algorithm", "suite", "function", "dimension", "indicator", "runs", "budget", "25%")
_SHARES = (0.25, 0.5, 0.75)
_CONVENTION = LAST_VALUE.with_more("hypervolume is bounded by the nadir point")


@question(
    "Archives of two objectives",
    10,
    needs=archives(),
    convention=_CONVENTION,
    counts=False,
    requires="two objectives",
    examples=(
        "results/bbob-biobj.h5",
        "results/bbob-biobj.h5 --budgets 10*D,100*D",
    ),
)
def indicators(
    sample: Archives,
    indicators: Names = "hypervolume,igd+,epsilon",
    *,
    reference_fronts: FrontsName = UNION,
) -> Table:
    """Compute hypervolume, IGD+ and epsilon of archives within budgets.

    The archive of a run is the set of nondominated points that it has found so far. The table has
    the median and the quartiles, over the runs, of hypervolume (larger is better), igd+ and epsilon
    (smaller is better; inf before the first point). Objectives are scaled so that the ideal point
    is 0 and the nadir point is 1. A run that ended before the budget keeps its archive.

    Args:
        indicators: Quality indicators, one or several of hypervolume, igd+, epsilon, separated by
            commas.
        reference_fronts: Reference fronts of igd+ and epsilon: archive, the best points of all
            archives in the logs, or a file NAME.csv written by `assess fronts`.

    Returns:
        One row for each ``algorithm``, ``suite``, ``function``, ``dimension``, ``indicator`` and
        ``budget``. ``runs`` is the number of runs, and ``budget`` is in the requested unit.
        ``25%``, ``median`` and ``75%`` are quantiles of type 7.
    """
    names = _parse_names(indicators)
    against = any(name != "hypervolume" for name in names)
    reference = _reference_fronts(sample.log, reference_fronts) if against else {}
    blocks: list[list[Value | NDArray[Any]]] = []
    for cell, budgets, evaluations in sample.at_budgets():
        if against:
            _check_problems(cell, reference, reference_fronts)
        values = _values(cell, reference, names, evaluations)
        for name, run_values in zip(names, values, strict=True):
            quartiles = quantiles(run_values, np.array(_SHARES), "type-7")
            keys = (name, len(cell.runs), np.array(budgets))
            blocks.append([*cell.identity, *keys, *quartiles])
    return Table(stacked((*_NAMES, "median", "75%"), blocks))


@indicators.caveat(
    explains=[
        Explanation(
            "igd+, epsilon",
            "igd+, epsilon: distances to the nondominated points of all archives in the logs (A, "
            "B); further logs change them.",
            "These indicators measure distances to a reference front. Without a given front, it "
            "consists of the best points in the logs.",
            "Give --reference-fronts FILE.csv, so that other logs do not change the values.",
            is_definition=True,
        )
    ]
)
def fronts_measured_against(sample: Archives, answer: Answer) -> Iterable[str]:
    """Say what igd+ and epsilon are measured against, if they are shown."""
    if set(_parse_names(answer.options["indicators"])) == {"hypervolume"}:
        return
    name = answer.options["reference_fronts"]
    if str(name) != UNION:
        yield f"igd+, epsilon: distances to the fronts in {Path(name).name}."
        return
    rows = select_runs(sample.log)
    rows = rows[on_two_objectives(sample.log, rows)]
    algorithms = sorted(set(sample.log.runs["algorithm"][rows].tolist()))
    yield (
        "igd+, epsilon: distances to the nondominated points of all archives in the logs "
        f"({', '.join(algorithms)}); further logs change them."
    )


def _parse_names(value: Names) -> tuple[str, ...]:
    """Return names of indicators, each once; raise an error if one is unknown or none is given."""
    names = tuple(dict.fromkeys(item.strip() for item in items_of(value)))
    for name in names:
        if name not in _FUNCTIONS:
            raise UnknownNameError.of("indicator of archives", name, _FUNCTIONS)
    if not names:
        raise AssessmentError(f"indicators: none given; there are {', '.join(_FUNCTIONS)}")
    return names


def _values(
    archives: CellArchives, reference: Fronts, names: Sequence[str], evaluations: NDArray[np.int64]
) -> Floats:
    """Compute the indicators ``names``, shape ``(n_indicators, n_runs, n_budgets)``."""
    values = np.empty((len(names), len(archives.runs), len(evaluations)))
    for j, run in enumerate(archives.runs):
        reference_front = run.normalised(reference.get(archives.problem(j), np.empty((0, 2))))
        for k, front in enumerate(run.fronts(evaluations)):
            points = run.normalised(front)
            for i, name in enumerate(names):
                values[i, j, k] = _FUNCTIONS[name](points, reference_front)
    return values


def _reference_fronts(log: Log, name: str | Path) -> Fronts:
    """Return reference fronts from the log for the name ``"archive"``, else from a file.

    Fronts from the log are the nondominated points of all archives of a problem, including those
    of algorithms that are not selected.
    """
    if str(name) != UNION:
        return read_fronts(name)
    points: dict[Problem, list[Floats]] = {}
    for cell in archives_of(log, select_runs(log)):
        for i, run in enumerate(cell.runs):
            points.setdefault(cell.problem(i), []).append(run.points)
    return {problem: front_of(np.concatenate(arrays)) for problem, arrays in points.items()}


def _check_problems(archives: CellArchives, fronts: Fronts, name: str | Path) -> None:
    """Raise an error if the reference fronts lack a problem of the runs."""
    for i in range(len(archives.runs)):
        problem = archives.problem(i)
        if problem not in fronts:
            suite, function, dimension, instance = problem
            raise AssessmentError(
                f"reference fronts: {Path(name).name} has no points of {suite} f{function} in "
                f"{dimension}-D, instance {instance}"
            )


def read_fronts(path: str | Path) -> Fronts:
    """Read reference fronts from a CSV file, such as a table of `fronts`.

    The file has the columns `COLUMNS`. Dominated points are left out.

    Raises:
        AssessmentError: The file cannot be read, or a point is not finite.
    """
    points: dict[Problem, list[Sequence[float]]] = {}
    lines = parsed_lines(path, "reference fronts", _problem_and_point, ", ".join(COLUMNS))
    for number, (problem, point) in enumerate(lines, 2):
        if not np.isfinite(point).all():
            raise AssessmentError(f"reference fronts: {path}, line {number}: {point} is no point")
        points.setdefault(problem, []).append(point)
    return {problem: front_of(front_points) for problem, front_points in points.items()}


def _problem_and_point(line: dict[str, str]) -> tuple[Problem, tuple[float, float]]:
    function, dimension, instance = (parse_count(line[key]) for key in COLUMNS[1:4])
    point = parse_number(line["y1"]), parse_number(line["y2"])
    return (line["suite"], function, dimension, instance), point

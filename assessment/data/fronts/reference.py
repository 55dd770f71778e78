"""Reference fronts: the best union of the archives in the data, or those of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import AssessmentError
from ...statistics.fronts.front import front_of
from ...statistics.quantiles import Floats
from ...tables.csv_text import read_csv
from ..selection import select_runs
from .archives import Archives, Problem, archives_of

if TYPE_CHECKING:
    from ....loggers import Log

UNION = "archive"
"""The reference that is made of all archives in the data."""
COLUMNS = ("suite", "function", "dimension", "instance", "y1", "y2")
"""Of a file with reference fronts; it may have others."""


@dataclass(frozen=True, eq=False)
class ReferenceFronts:
    """The fronts that indicators measure against.

    Attributes:
        front: From a problem to its front, not normalised, shape ``(n, 2)``.
        note: A sentence on where they come from.
    """

    front: Callable[[Problem], Floats]
    note: str


def fronts_by_name(log: Log, name: str | Path) -> ReferenceFronts:
    """Reference fronts by name: ``"archive"`` or a file ``NAME.csv``.

    The first are the nondominated points of all archives that the log holds of a problem, whichever
    algorithms are asked for.

    Raises:
        AssessmentError: The file cannot be read.
    """
    if str(name) != UNION:
        return read_fronts(name)
    fronts: dict[Problem, Floats] = {}
    algorithms: set[str] = set()
    for archives in archives_of(log, select_runs(log)):
        algorithms.add(archives.algorithm)
        for problem, front in union_fronts(archives).items():
            both = [fronts[problem], front] if problem in fronts else [front]
            fronts[problem] = front_of(np.concatenate(both))
    note = (
        "igd+ and epsilon are to the nondominated points of all archives in the logs "
        f"({', '.join(sorted(algorithms))}): other logs change them."
    )
    return ReferenceFronts(fronts.__getitem__, note)


def union_fronts(archives: Archives) -> dict[Problem, Floats]:
    """For each problem, the nondominated points of the runs' whole archives, not normalised."""
    parts: dict[Problem, list[Floats]] = {}
    for place, run in enumerate(archives.runs):
        parts.setdefault(archives.problem(place), []).append(run.points)
    return {problem: front_of(np.concatenate(points)) for problem, points in parts.items()}


def read_fronts(path: str | Path) -> ReferenceFronts:
    """Reference fronts from a CSV file with the columns of `COLUMNS`, such as `fronts_table` makes.

    Of the points of a problem those count that no other dominates.

    Raises:
        AssessmentError: The file cannot be read, lacks a column, or holds what is no point; when
            asked: it has none of a problem.
    """
    name = Path(path).name
    try:
        _, lines = read_csv(path)
    except (OSError, ValueError) as error:
        raise AssessmentError(f"reference fronts: cannot read {path}: {error}") from error
    points: dict[Problem, list[Sequence[float]]] = {}
    for number, line in enumerate(lines, 2):
        try:
            function, dimension, instance = (int(line[key]) for key in COLUMNS[1:4])
            point = float(line["y1"]), float(line["y2"])
        except (KeyError, TypeError, ValueError) as error:
            raise AssessmentError(
                f"reference fronts: {path}, line {number}: {error}; needed are {', '.join(COLUMNS)}"
            ) from error
        if not np.isfinite(point).all():
            raise AssessmentError(f"reference fronts: {path}, line {number}: {point} is no point")
        points.setdefault((line["suite"], function, dimension, instance), []).append(point)
    fronts = {problem: front_of(each) for problem, each in points.items()}

    def front(problem: Problem) -> Floats:
        if problem not in fronts:
            suite, function, dimension, instance = problem
            raise AssessmentError(
                f"reference fronts: {name} has no points of {suite} f{function} in {dimension}-D, "
                f"instance {instance}"
            )
        return fronts[problem]

    return ReferenceFronts(front, f"igd+ and epsilon are to the fronts of {name}.")

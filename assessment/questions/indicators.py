"""Indicators of the archives of two objectives within budgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..asking.declaration import question
from ..asking.options import Axis, Budgets, Names, Option
from ..data.fronts.archives import Archives, at_budgets, notes_on_archives
from ..data.fronts.reference import UNION, ReferenceFronts, fronts_by_name
from ..data.notes import LAST_VALUE
from ..data.runs import Runs
from ..errors import AssessmentError
from ..statistics.fronts.indicators import epsilon, hypervolume, igd_plus
from ..statistics.quantiles import Floats, quantiles
from ..tables.table import Table, Value, stacked
from ..targets.budgets import own_budgets
from ..targets.parse import items_of

Indicators = Annotated[Names, Option("NAMES")]
FrontsName = Annotated[str | Path, Option("NAME")]
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
    indicators: Indicators = "hypervolume,igd+,epsilon",
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
    reference = fronts_by_name(runs.log, reference_fronts) if against else None
    data = list(runs.archives())
    blocks: list[list[Value | NDArray[Any]]] = []
    for archives, own_budget, evaluations in at_budgets(data, budgets, axis, own_budgets):
        values = _values(archives, reference, names, evaluations)
        head: list[Value] = [
            archives.algorithm,
            archives.suite,
            archives.function,
            archives.dimension,
        ]
        for name, run_values in zip(names, values, strict=True):
            found = quantiles(run_values, np.array(_SHARES), "type-7")
            blocks.append([*head, name, len(archives.runs), np.array(own_budget), *found])
    notes = () if reference is None else (reference.note,)
    rests = notes_on_archives(data, _CONVENTION)
    return Table(stacked((*_NAMES, "median", "75%"), blocks), (*notes, *rests))


def _parsed(value: Names) -> tuple[str, ...]:
    """Names of indicators, each once.

    Raises:
        UnknownNameError: There is no such indicator.
        AssessmentError: None is given.
    """
    names = tuple(dict.fromkeys(item.strip() for item in items_of(value)))
    for name in names:
        if name not in _FUNCTIONS:
            raise UnknownNameError.of("indicator of archives", name, _FUNCTIONS)
    if not names:
        raise AssessmentError(f"indicators: none given; there are {', '.join(_FUNCTIONS)}")
    return names


def _values(
    archives: Archives,
    reference: ReferenceFronts | None,
    names: Sequence[str],
    evaluations: NDArray[np.int64],
) -> Floats:
    """Of each indicator, run and budget, shape ``(n_indicators, n_runs, n_budgets)``."""
    found = np.empty((len(names), len(archives.runs), len(evaluations)))
    for place, run in enumerate(archives.runs):
        aims = np.empty((0, 2)) if reference is None else reference.front(archives.problem(place))
        scaled = run.normalised(aims)
        for budget, front in enumerate(run.fronts(evaluations)):
            points = run.normalised(front)
            for i, name in enumerate(names):
                found[i, place, budget] = _FUNCTIONS[name](points, scaled)
    return found

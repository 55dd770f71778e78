"""Indicators of archives at budgets, as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....suites.errors import UnknownNameError
from ...data.fronts.archives import Archives, notes_on_archives
from ...data.fronts.reference import ReferenceFronts
from ...data.notes import LAST_VALUE
from ...errors import AssessmentError
from ...statistics.fronts.indicators import epsilon, hypervolume, igd_plus
from ...statistics.quantiles import Floats, quantiles
from ...tables.table import Table, Value, stacked
from ...targets.budgets import own_budgets
from ...targets.parse import items_of
from .budgets import at_budgets

INDICATORS: dict[str, Callable[[Floats, Floats], float]] = {
    "hypervolume": lambda front, reference: hypervolume(front),
    "igd+": igd_plus,
    "epsilon": epsilon,
}
"""From a normalised front and a normalised reference front to a number."""
_NAMES = ("algorithm", "suite", "function", "dimension", "indicator", "runs", "budget", "25%")
_SHARES = (0.25, 0.5, 0.75)
_CONVENTION = f"{LAST_VALUE}; hypervolume is up to the nadir point"


def parse_indicators(value: str | Iterable[str]) -> tuple[str, ...]:
    """Names of `INDICATORS` from several, or from text such as ``"igd+, epsilon"``.

    Raises:
        UnknownNameError: There is no such indicator.
        AssessmentError: None is given.
    """
    names = tuple(dict.fromkeys(item.strip() for item in items_of(value)))
    for name in names:
        if name not in INDICATORS:
            raise UnknownNameError.of("indicator of archives", name, INDICATORS)
    if not names:
        raise AssessmentError(f"indicators: none given; there are {', '.join(INDICATORS)}")
    return names


def needs_reference(names: Sequence[str]) -> bool:
    """Whether some of the indicators measure against a reference front."""
    return any(name != "hypervolume" for name in names)


def indicators_table(
    data: Sequence[Archives],
    reference: ReferenceFronts | None,
    names: Sequence[str],
    budgets: tuple[float, ...] | None,
    axis: str,
) -> Table:
    """Median and quartiles over the runs of indicators of the archives within budgets.

    Columns: ``algorithm, suite, function, dimension, indicator``; number of ``runs``; ``budget`` in
    the unit asked for; ``25%``, ``median``, ``75%`` (type 7). A run that ended before the budget
    keeps its archive. ``hypervolume`` is larger for better archives, ``igd+`` and ``epsilon`` are
    smaller, and inf before the first point.

    Args:
        data: Each algorithm, suite, dimension and function once.
        reference: Fronts for ``igd+`` and ``epsilon``; None where these are not asked for.
        names: Of `INDICATORS`.
        budgets: In the unit ``axis``; None: decades up to the longest run of each algorithm in each
            dimension.
        axis: ``"evaluations/dimension"`` or ``"evaluations"``.

    Raises:
        AssessmentError: The reference has no front of a problem.
    """
    blocks: list[list[Value | NDArray[Any]]] = []
    for one, wanted, evaluations in at_budgets(data, budgets, axis, own_budgets):
        values = _values(one, reference, names, evaluations)
        head: list[Value] = [one.algorithm, one.suite, one.function, one.dimension]
        for name, of_runs in zip(names, values, strict=True):
            found = quantiles(of_runs, np.array(_SHARES), "type-7")
            blocks.append([*head, name, len(one.runs), np.array(wanted), *found])
    notes = () if reference is None else (reference.note,)
    rests = notes_on_archives(data, _CONVENTION, budgets or ())
    return Table(stacked((*_NAMES, "median", "75%"), blocks), (*notes, *rests))


def _values(
    one: Archives,
    reference: ReferenceFronts | None,
    names: Sequence[str],
    evaluations: NDArray[np.int64],
) -> Floats:
    """Of each indicator, run and budget, shape ``(n_indicators, n_runs, n_budgets)``."""
    found = np.empty((len(names), len(one.runs), len(evaluations)))
    for place, run in enumerate(one.runs):
        aims = np.empty((0, 2)) if reference is None else reference.of(one.problem(place))
        scaled = run.normalised(aims)
        for budget, front in enumerate(run.fronts(evaluations)):
            points = run.normalised(front)
            for i, name in enumerate(names):
                found[i, place, budget] = INDICATORS[name](points, scaled)
    return found

"""Runs of algorithms put in one order: by runtime, and the unsuccessful by precision."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..statistics.hits import reached_within, shortest_failure
from ..statistics.quantiles import Floats, precision_or_inf
from ..targets.target_sets import Cell
from .counting import is_seconds
from .fixed_budget_data import best_within
from .run_sets import RunSet

if TYPE_CHECKING:
    from ...loggers import Log


Precisions = Callable[[Sequence[tuple[RunSet, float]]], Sequence[Floats]]


@dataclass(frozen=True, eq=False)
class RankedRuns:
    """A run set, with the best precision of its runs at any evaluation count.

    Attributes:
        run_set: The runs and their hits of the targets asked for.
        precisions: Takes run sets, each with a number of evaluations; gives for each the best
            precision of its runs, ``(n_runs,)``, after so many. The same for all run sets of a log,
            so that those of many are looked up at once.
    """

    run_set: RunSet
    precisions: Precisions

    @property
    def cell(self) -> Cell:
        """Suite, function, dimension."""
        return self.run_set.cell

    @cached_property
    def horizon(self) -> Floats:
        """Evaluations of the shortest run that missed each target, ``(n_targets,)``; else inf."""
        return shortest_failure(self.run_set.hits, self.run_set.spent)


def ranked_runs(log: Log, run_sets: Iterable[RunSet]) -> list[RankedRuns]:
    """Run sets of the log with their best precision at any evaluation count."""

    def precisions(requests: Sequence[tuple[RunSet, float]]) -> list[Floats]:
        if not requests:
            return []
        rows = [run_set.rows for run_set, _ in requests]
        sizes = [len(run_set) for run_set in rows]
        count = requests[0][0].count
        whole = [budget if is_seconds(count) else math.floor(budget) for _, budget in requests]
        budgets = np.repeat(whole, sizes)
        found = best_within(log, np.concatenate(rows), budgets[:, np.newaxis], count)
        return np.split(found.precision[:, 0], np.cumsum(sizes)[:-1])

    return [RankedRuns(run_set, precisions) for run_set in run_sets]


def order_of_pair(first: RankedRuns, second: RankedRuns, target: int) -> tuple[Floats, Floats]:
    """The runs of two algorithms on one function in one order (`ranks_of_runs`).

    Args:
        first: Runs of one algorithm.
        second: Of the other.
        target: Position of the target.

    Returns:
        A number for each run, smaller is better; shapes ``(n,)`` and ``(m,)``.
    """
    until = float(min(first.horizon[target], second.horizon[target]))
    sides = first.run_set, second.run_set
    precision = [np.zeros(len(run_set.spent)) for run_set in sides]
    if np.isfinite(until):
        precision = list(first.precisions([(run_set, until) for run_set in sides]))
    hits = np.concatenate([run_set.hits[:, target] for run_set in sides])
    order = ranks_of_runs(hits, np.concatenate(precision), until)
    n = len(first.run_set.spent)
    return order[:n], order[n:]


def ranks_of_runs(hits: ArrayLike, precision: ArrayLike, until: ArrayLike) -> Floats:
    """A number for each run, smaller is better, for tests that compare ranks.

    Runs that hit the target within ``until`` come first, by their evaluations at the hit; all
    others after them, by the precision they had at ``until``; equal ones get equal numbers. This is
    the field's order: cocopp's ``toolsstats.significancetest`` with its ``FE_umin`` for ``until``.
    It looks at each run up to ``until`` only, so that the longer of two budgets is no advantage;
    its price is that a success after ``until`` counts as a failure.

    Args:
        hits: Of all runs to be compared, shape ``(..., n_runs)``; NaN where not reached.
        precision: Best at ``until``, in the shape of ``hits``.
        until: Evaluations up to which all runs can be compared, shape ``(...)``: those of the
            shortest run that missed the target; inf where none did.

    Returns:
        In the shape of ``hits``, each row for itself.

    >>> ranks_of_runs([5.0, 80.0, np.nan, 7.0], [1e-9, 0.5, 0.1, 1e-9], 60.0)
    array([0., 3., 2., 1.])
    """
    runtimes = np.asarray(hits, dtype=np.float64)
    reached = reached_within(runtimes, np.asarray(until)[..., np.newaxis])
    value = np.where(reached, runtimes, precision_or_inf(precision))
    order = np.lexsort((value, ~reached))
    value, reached = (np.take_along_axis(column, order, axis=-1) for column in (value, reached))
    steps = np.zeros(order.shape)
    steps[..., 1:] = (value[..., 1:] != value[..., :-1]) | (reached[..., 1:] != reached[..., :-1])
    place = np.empty(order.shape)
    np.put_along_axis(place, order, np.cumsum(steps, axis=-1), axis=-1)
    return place

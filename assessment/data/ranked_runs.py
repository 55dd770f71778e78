"""Runs of algorithms in one order, by runtime, the unsuccessful by precision; and tests of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..statistics.hits import reached_within, repeats, shortest_failure
from ..statistics.quantiles import Floats, precision_or_inf
from ..statistics.rank_tests import EXACT_UP_TO, rank_sum_of_runs
from ..statistics.significance import Difference, rank_sum
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

    ``precisions`` takes run sets, each with a number of evaluations, and gives for each the best
    precision of its runs after so many. It is the same for all run sets of a log, so that those of
    many are looked up at once.
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


Match = tuple[RankedRuns, RankedRuns, int]
"""Runs of one algorithm, of another on the same function and dimension, position of a target."""


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


def orders_of_pairs(matches: Sequence[Match]) -> list[tuple[Floats, Floats]]:
    """The runs of two algorithms on one function in one order (`ranks_of_runs`), for each match.

    They can be compared up to the end of the shortest run that missed the target; precisions are
    looked up there, those of all matches at once. A number for each run, smaller is better.
    """
    until = [float(min(first.horizon[j], second.horizon[j])) for first, second, j in matches]
    orders = []
    for (*sides, target), end, reached in zip(
        matches, until, _precisions(matches, until), strict=True
    ):
        hits = np.concatenate([ranked.run_set.hits[:, target] for ranked in sides])
        order = ranks_of_runs(hits, np.concatenate(reached), end)
        first = len(sides[0].run_set.spent)
        orders.append((order[:first], order[first:]))
    return orders


def _precisions(matches: Sequence[Match], until: Sequence[float]) -> list[list[Floats]]:
    """Best precision of the runs of each match at its end, each looked up once; 0 at inf."""
    needed: dict[tuple[int, float], RankedRuns] = {}
    for match, end in zip(matches, until, strict=True):
        if np.isfinite(end):
            needed.update({(id(ranked), end): ranked for ranked in match[:2]})
    known: dict[tuple[int, float], Floats] = {}
    sources = {id(ranked.precisions): ranked.precisions for ranked in needed.values()}
    for source in sources.values():
        keys = [key for key, ranked in needed.items() if ranked.precisions is source]
        found = source([(needed[key].run_set, key[1]) for key in keys])
        known.update(zip(keys, found, strict=True))
    return [
        [known.get((id(ranked), end), np.zeros(len(ranked.run_set.spent))) for ranked in match[:2]]
        for match, end in zip(matches, until, strict=True)
    ]


def ranks_of_runs(hits: ArrayLike, precision: ArrayLike, until: ArrayLike) -> Floats:
    """A number for each run, smaller is better, for tests that compare ranks.

    Runs that hit the target within ``until`` come first, by their evaluations at the hit; all
    others after them, by the precision they had at ``until``; equal ones get equal numbers. This is
    the field's order: cocopp's ``toolsstats.significancetest`` with its ``FE_umin`` for ``until``.
    It looks at each run up to ``until`` only, so that the longer of two budgets is no advantage;
    its price is that a success after ``until`` counts as a failure. ``hits`` (NaN where not
    reached) and ``precision`` have the shape ``(..., n_runs)``, ``until`` the shape ``(...)``: the
    end of the shortest run that missed the target, inf where none did.

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


def run_tests(matches: Sequence[Match]) -> list[Difference]:
    """Rank-sum tests between the runs of two algorithms, by `ranks_of_runs`, for each match.

    Where instances have several runs, by instance (`rank_sum_of_runs`).
    """
    return [
        _tested(order, first.run_set, second.run_set)
        for order, (first, second, _) in zip(orders_of_pairs(matches), matches, strict=True)
    ]


def _tested(order: tuple[Floats, Floats], first: RunSet, second: RunSet) -> Difference:
    instances = first.instances, second.instances
    if not any(map(repeats, instances)):
        return rank_sum(*order)
    place = rank_sum_of_runs(*order, instances)
    p = min(2 * min(place.below, place.above), 1.0)
    return Difference(p, place.superiority, sum(place.sizes) <= EXACT_UP_TO, place.sizes)

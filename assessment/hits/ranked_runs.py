"""Rank runs of two algorithms by runtime, unsuccessful ones by precision, and test the ranks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..cost import is_seconds
from ..statistics.hits import reached_within, repeats, shortest_failure
from ..statistics.quantiles import Floats, precision_or_inf
from ..statistics.rank_tests import EXACT_UP_TO, rank_sum_of_runs
from ..statistics.significance import Difference, rank_sum
from ..targets.target_sets import Cell
from .run_sets import RunSet
from .within_budgets import best_within

if TYPE_CHECKING:
    from ...loggers import Log


Precisions = Callable[[Sequence[tuple[RunSet, float]]], Sequence[Floats]]
"""Return the best precisions of runs, for several pairs of a run set and a number of evaluations.

All run sets of a log have the same function, so that one call can read many of them.
"""


@dataclass(frozen=True, eq=False)
class RankedRuns:
    """A run set, with a function that reads the best precisions of its runs.

    Attributes:
        run_set: The run set.
        precisions: Return the best precisions of run sets after given numbers of evaluations.
    """

    run_set: RunSet
    precisions: Precisions

    @property
    def problem_class(self) -> Cell:
        """Suite, function, dimension."""
        return self.run_set.problem_class

    @cached_property
    def horizon(self) -> Floats:
        """Evaluations of the shortest run that missed each target, ``(n_targets,)``, or inf."""
        return shortest_failure(self.run_set.hits, self.run_set.spent)


Match = tuple[RankedRuns, RankedRuns, int]
"""Runs of one algorithm, of another on the same function and dimension, position of a target."""


def ranked_runs(log: Log, run_sets: Iterable[RunSet]) -> list[RankedRuns]:
    """Combine run sets with a function that reads their best precisions from the log.

    Args:
        log: The log.
        run_sets: Run sets of the log, all with the same count.
    """

    def precisions(requests: Sequence[tuple[RunSet, float]]) -> list[Floats]:
        if not requests:
            return []
        rows = [run_set.rows for run_set, _ in requests]
        sizes = [len(run_set) for run_set in rows]
        count = requests[0][0].count
        limits = [budget if is_seconds(count) else math.floor(budget) for _, budget in requests]
        budgets = np.repeat(limits, sizes)
        best = best_within(log, np.concatenate(rows), budgets[:, np.newaxis], count)
        return np.split(best.precision[:, 0], np.cumsum(sizes)[:-1])

    return [RankedRuns(run_set, precisions) for run_set in run_sets]


def orders_of_pairs(matches: Sequence[Match]) -> list[tuple[Floats, Floats]]:
    """Rank the runs of two algorithms on one function by `ranks_of_runs`, for each match.

    Runs are compared up to the end of the shortest run that missed the target. The precisions at
    these ends are read for all matches at once.

    Returns:
        For each match, the ranks of the runs of the first and of the second algorithm; smaller is
        better.
    """
    until = [float(min(first.horizon[j], second.horizon[j])) for first, second, j in matches]
    orders = []
    for (*sides, target), end, reached in zip(
        matches, until, _read_precisions(matches, until), strict=True
    ):
        hits = np.concatenate([ranked.run_set.hits[:, target] for ranked in sides])
        order = ranks_of_runs(hits, np.concatenate(reached), end)
        first = len(sides[0].run_set.spent)
        orders.append((order[:first], order[first:]))
    return orders


def _read_precisions(matches: Sequence[Match], until: Sequence[float]) -> list[list[Floats]]:
    """Return the best precisions of both sides of each match at its end; 0 if the end is inf."""
    needed: dict[tuple[int, float], RankedRuns] = {}
    for match, end in zip(matches, until, strict=True):
        if np.isfinite(end):
            needed.update({(id(ranked), end): ranked for ranked in match[:2]})
    precisions: dict[tuple[int, float], Floats] = {}
    sources = {id(ranked.precisions): ranked.precisions for ranked in needed.values()}
    for source in sources.values():
        keys = [key for key, ranked in needed.items() if ranked.precisions is source]
        values = source([(needed[key].run_set, key[1]) for key in keys])
        precisions.update(zip(keys, values, strict=True))
    return [
        [
            precisions.get((id(ranked), end), np.zeros(len(ranked.run_set.spent)))
            for ranked in match[:2]
        ]
        for match, end in zip(matches, until, strict=True)
    ]


def ranks_of_runs(hits: ArrayLike, precision: ArrayLike, until: ArrayLike) -> Floats:
    """Rank runs for rank tests; smaller is better, and equal runs have equal ranks.

    Runs that hit the target within ``until`` come first, ordered by their evaluations at the hit.
    All other runs follow, ordered by their precision at ``until``. This is the usual order, that of
    cocopp's ``toolsstats.significancetest`` with its ``FE_umin`` for ``until``. A longer budget is
    no advantage, because each run is compared up to ``until`` only. A success after ``until``
    therefore counts as a failure.

    Args:
        hits: Evaluations at the hit, shape ``(..., n_runs)``; NaN if not reached.
        precision: Best precision at ``until``, shape ``(..., n_runs)``.
        until: Evaluations of the shortest run that missed the target, shape ``(...)``; inf if none
            did.

    Returns:
        Ranks from 0 on, shape ``(..., n_runs)``.

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
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, np.cumsum(steps, axis=-1), axis=-1)
    return ranks


def run_tests(matches: Sequence[Match]) -> list[Difference]:
    """Run the rank-sum test of each match, between the ranks of its two algorithms' runs.

    If instances have several runs, the test is by instance (`rank_sum_of_runs`).
    """
    return [
        _test_ranks(order, first.run_set, second.run_set)
        for order, (first, second, _) in zip(orders_of_pairs(matches), matches, strict=True)
    ]


def _test_ranks(ranks: tuple[Floats, Floats], first: RunSet, second: RunSet) -> Difference:
    instances = first.instances, second.instances
    if not any(map(repeats, instances)):
        return rank_sum(*ranks)
    result = rank_sum_of_runs(*ranks, instances)
    p = min(2 * min(result.below, result.above), 1.0)
    return Difference(p, result.superiority, sum(result.sizes) <= EXACT_UP_TO, result.sizes)

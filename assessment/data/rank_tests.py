"""Rank-sum tests between the runs of two algorithms on the same function and dimension."""

from __future__ import annotations

from collections.abc import Sequence

from ..statistics.quantiles import Floats
from ..statistics.rank_distributions import EXACT_UP_TO
from ..statistics.rank_tests import rank_sum_of_runs
from ..statistics.repetitions import repeats
from ..statistics.significance import Difference, rank_sum
from .ranked_runs import Match, orders_of_pairs
from .run_sets import RunSet


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

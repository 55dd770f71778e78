"""Rank-sum tests between the runs of two algorithms on the same function and dimension."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..statistics.quantiles import Floats
from ..statistics.rank_distributions import EXACT_UP_TO
from ..statistics.rank_tests import rank_sum_of_runs
from ..statistics.repetitions import repeats
from ..statistics.significance import Difference, rank_sum
from .ranked_runs import RankedRuns, ranks_of_runs
from .run_sets import RunSet

Match = tuple[RankedRuns, RankedRuns, int]
"""Runs of one algorithm, of another on the same function and dimension, position of a target."""


def run_tests(matches: Sequence[Match]) -> list[Difference]:
    """Rank-sum tests between the runs of two algorithms, by `ranks_of_runs`, for each match.

    Where instances have several runs, by instance (`rank_sum_of_runs`).
    """
    # up to there all runs can be compared: the shortest unsuccessful one, or inf
    until = [float(min(first.horizon[j], second.horizon[j])) for first, second, j in matches]
    reached = _precisions(matches, until)
    return [
        _tested((first.run_set, second.run_set), j, precision, end)
        for (first, second, j), precision, end in zip(matches, reached, until, strict=True)
    ]


def _tested(
    sides: tuple[RunSet, RunSet], target: int, precision: Sequence[Floats], until: float
) -> Difference:
    """The test of one match; ``precision``: of the runs of both sides at ``until``."""
    hits = np.concatenate([run_set.hits[:, target] for run_set in sides])
    order = ranks_of_runs(hits, np.concatenate(precision), until)
    first, second = np.split(order, [len(sides[0].spent)])
    instances = sides[0].instances, sides[1].instances
    if not any(map(repeats, instances)):
        return rank_sum(first, second)
    place = rank_sum_of_runs(first, second, instances)
    p = min(2 * min(place.below, place.above), 1.0)
    return Difference(p, place.superiority, sum(place.sizes) <= EXACT_UP_TO, place.sizes)


def _precisions(matches: Sequence[Match], until: Sequence[float]) -> list[list[Floats]]:
    """Best precision of the runs of each match at its horizon, each looked up once; 0 at inf."""
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

"""The probability that a run of one algorithm beats one of another, over many problems.

Source: Agarwal, Schwarzer, Castro, Courville and Bellemare, "Deep Reinforcement Learning at the
Edge of the Statistical Precipice" (NeurIPS 2021), arXiv:2108.13264, section 4.3 (rliable's
probability of improvement): the mean over problems of ``P(X < Y) + P(X = Y) / 2``, its interval by
the bootstrap, stratified by problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .intervals import Resampling
from .quantiles import Floats
from .rank_distributions import mid_ranks
from .repetitions import groups_of


def wins(first: ArrayLike, second: ArrayLike) -> Floats:
    """Whether each run of one beats each of the other: 1, 1/2 where they are equal, else 0.

    Args:
        first: Smaller is better, shape ``(n,)``.
        second: Shape ``(m,)``.

    Returns:
        Shape ``(n, m)``.
    """
    x = np.asarray(first, dtype=np.float64)[:, np.newaxis]
    y = np.asarray(second, dtype=np.float64)
    return np.asarray((x < y) + 0.5 * (x == y))


def resampled_counts(
    instances: NDArray[np.int64], samples: int, rng: np.random.Generator
) -> Floats:
    """How often each run is drawn in each resample, shape ``(samples, n_runs)``.

    Instances that have several runs are drawn with replacement, each with all its runs, as these
    are no independent draws of the function. Where there are fewer than three such instances, runs
    are drawn, which tells of these instances alone (`groups_of`).

    Args:
        instances: Of each run, shape ``(n_runs,)``.
        samples: Number of resamples.
        rng: Draws them.
    """
    groups = groups_of(instances, len(instances))
    place = np.arange(len(instances)) if groups is None else groups
    n = int(place.max()) + 1
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=samples)
    return drawn[:, place].astype(np.float64)


def resampled_wins(won: Floats, first: Floats, second: Floats) -> Floats:
    """The share of wins in each resample, shape ``(samples,)``.

    Args:
        won: Of `wins`, shape ``(n, m)``.
        first: Of `resampled_counts`, shape ``(samples, n)``.
        second: Likewise, shape ``(samples, m)``.
    """
    total = first.sum(axis=1) * second.sum(axis=1)
    return np.asarray(((first @ won) * second).sum(axis=1) / total)


class Superiority(NamedTuple):
    """How often runs of each algorithm beat those of each other.

    Attributes:
        shares: Of each problem, shape ``(N, k, k)``: how often the row's beats the column's.
        draws: Resampled means over the problems, shape ``(samples, k, k)``.
        rank_draws: Resampled average ranks, shape ``(samples, k)``.
    """

    shares: Floats
    draws: Floats
    rank_draws: Floats


def superiority(
    won: Sequence[Mapping[tuple[int, int], Floats]],
    instances: Sequence[Sequence[NDArray[np.int64]]],
    resampling: Resampling,
) -> Superiority:
    """Shares of wins of all pairs of algorithms on all problems, and their resamples.

    The rank of an algorithm on a problem is that of its mean share of wins over all others.

    Args:
        won: For each problem, `wins` of each pair ``(i, j)`` with i < j.
        instances: For each problem, those of the runs of each algorithm.
        resampling: Seed and number of resamples.
    """
    rng = np.random.default_rng(resampling.seed)
    k, samples = len(instances[0]), resampling.samples
    shares = np.full((len(won), k, k), 0.5)
    draws, rank_draws = np.zeros((samples, k, k)), np.zeros((samples, k))
    for place, (pairs, runs) in enumerate(zip(won, instances, strict=True)):
        counts = [resampled_counts(counts_of_runs, samples, rng) for counts_of_runs in runs]
        drawn = np.full((samples, k, k), 0.5)
        for (i, j), counts_of_runs in pairs.items():
            shares[place, i, j], shares[place, j, i] = (
                counts_of_runs.mean(),
                1 - counts_of_runs.mean(),
            )
            drawn[:, i, j] = resampled_wins(counts_of_runs, counts[i], counts[j])
            drawn[:, j, i] = 1 - drawn[:, i, j]
        draws += drawn / len(won)
        rank_draws += mid_ranks(-rounded(drawn.sum(axis=2))) / len(won)
    return Superiority(shares, draws, rank_draws)


def rounded(wins: Floats) -> Floats:
    """Sums of shares without what rounding left, so that equal ones are equal."""
    return np.asarray(np.round(wins, 9))

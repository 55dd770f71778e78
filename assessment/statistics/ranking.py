"""How algorithms stand to each other over many problems: wins, ratings, shares in a portfolio.

Superiority, the probability that a run of one algorithm beats one of another: Agarwal, Schwarzer,
Castro, Courville and Bellemare, "Deep Reinforcement Learning at the Edge of the Statistical
Precipice" (NeurIPS 2021), arXiv:2108.13264, section 4.3 (rliable's probability of improvement): the
mean over problems of ``P(X < Y) + P(X = Y) / 2``, its interval by the bootstrap, stratified by
problem.

Glicko-2 ratings, algorithms as players whose runs play against each other: Glickman, "Example of
the Glicko-2 system" (2013); the games and the settings are those of IOHanalyzer's
``glicko2_ranking`` (Wang et al. 2022), which calls R's PlayerRatings.

Shapley values of the virtual best: Fréchette, Kotthoff, Michalak, Rahwan, Hoos and Leyton-Brown,
"Using the Shapley Value to Analyze Algorithm Portfolios" (AAAI 2016). A portfolio is worth, on each
problem, what its best member reaches there. That game has a closed form (Littlechild and Owen
1973), so values are exact for any number of algorithms, and none of the ``2^k`` portfolios is
formed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import groups_of
from .intervals import Resampling
from .quantiles import Floats
from .rank_tests import mid_ranks


def wins(first: ArrayLike, second: ArrayLike) -> Floats:
    """Whether each run of one beats each of the other: 1, 1/2 where they are equal, else 0.

    Smaller is better; shape ``(n, m)``.
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
    """
    groups = groups_of(instances, len(instances))
    place = np.arange(len(instances)) if groups is None else groups
    n = int(place.max()) + 1
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=samples)
    return drawn[:, place].astype(np.float64)


def resampled_wins(won: Floats, first: Floats, second: Floats) -> Floats:
    """The share of wins in each resample, shape ``(samples,)``."""
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

    The rank of an algorithm on a problem is that of its mean share of wins over all others. ``won``
    are for each problem the `wins` of each pair ``(i, j)`` with i < j.
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


_SCALE = 173.7178
_EPSILON = 1e-6
START = (1500.0, 350.0, 0.06)
"""Rating, its deviation, and volatility before the first game, as in IOHanalyzer."""
TAU = 1.2
"""How much volatility may change; PlayerRatings' default."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of players; all of shape ``(k,)``.

    Attributes:
        rating: Larger is better.
        deviation: Standard deviation of the rating.
        volatility: How erratic the player is.
    """

    rating: Floats
    deviation: Floats
    volatility: Floats

    @classmethod
    def start(cls, players: int) -> Ratings:
        """Those of players nobody knows."""
        return cls(*(np.full(players, value) for value in START))


def rated(
    before: Ratings,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    score: Floats,
    tau: float = TAU,
) -> Ratings:
    """Ratings after one rating period.

    ``score`` is 1 where ``first`` won a game, 1/2 for a draw, else 0.
    """
    mine, other = np.concatenate([first, second]), np.concatenate([second, first])
    result = np.concatenate([score, 1 - score])
    mu, phi = (before.rating - START[0]) / _SCALE, before.deviation / _SCALE
    g = 1 / np.sqrt(1 + 3 * phi[other] ** 2 / np.pi**2)
    expected = 1 / (1 + np.exp(-g * (mu[mine] - mu[other])))
    k = len(mu)
    information = np.bincount(mine, weights=g**2 * expected * (1 - expected), minlength=k)
    gain = np.bincount(mine, weights=g * (result - expected), minlength=k)
    plays = information > 0
    v = 1 / np.where(plays, information, 1.0)
    volatility = np.array(
        [
            _volatility(sigma, p, vi, vi * d, tau) if there else sigma
            for sigma, p, vi, d, there in zip(before.volatility, phi, v, gain, plays, strict=True)
        ]
    )
    wide = np.sqrt(phi**2 + volatility**2)
    narrow = 1 / np.sqrt(1 / wide**2 + np.where(plays, information, 0.0))
    return Ratings(START[0] + _SCALE * (mu + narrow**2 * gain), _SCALE * narrow, volatility)


def _volatility(sigma: float, phi: float, v: float, delta: float, tau: float) -> float:
    """Step 5: the root of f by the Illinois method, as far as the source and R take it."""
    a = np.log(sigma**2)

    def f(x: float) -> float:
        e = np.exp(x)
        rest = phi**2 + v + e
        return float(e * (delta**2 - rest) / (2 * rest**2) - (x - a) / tau**2)

    low = a
    if delta**2 > phi**2 + v:
        high = float(np.log(delta**2 - phi**2 - v))
    else:
        steps = 1
        while f(a - steps * tau) < 0:
            steps += 1
        high = a - steps * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _EPSILON:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return float(np.exp(low / 2))


def ratings_of_runs(
    runtimes: Sequence[Sequence[Floats]], rounds: int, rng: np.random.Generator
) -> Ratings:
    """Ratings of algorithms whose runs play against each other.

    In each round, a rating period, a random run of each of two algorithms plays on each problem,
    for all pairs; the smaller runtime wins. A run that missed the target loses; two such draw.
    Runtimes, by problem and algorithm, are NaN where missed. IOHanalyzer takes 100 rounds.
    """
    k = len(runtimes[0])
    pairs = list(combinations(range(k), 2))
    first, second = np.tile(np.array(pairs).T, len(runtimes))
    scores = np.empty((rounds, len(runtimes), len(pairs)))
    for place, runs in enumerate(runtimes):
        known = [np.nan_to_num(own, nan=np.inf) for own in runs]
        for number, (i, j) in enumerate(pairs):
            x, y = (known[p][rng.integers(len(known[p]), size=rounds)] for p in (i, j))
            scores[:, place, number] = (x < y) + 0.5 * (x == y)
    now = Ratings.start(k)
    for score in scores.reshape(rounds, -1):
        now = rated(now, first, second, score)
    return now


def shapley_values(scores: ArrayLike) -> Floats:
    """Mean over all orders of joining of what an algorithm adds to those before it.

    With the scores on a problem in ascending order ``m_1 <= … <= m_k`` (and ``m_0 = 0``), the
    algorithm in place ``i`` gets ``sum over j = 1 … i of (m_j - m_(j-1)) / (k - j + 1)``. Scores,
    ``(n_problems, k)``, are >= 0, larger is better; an empty portfolio is worth 0. The values sum
    to the virtual best's score.

    >>> shapley_values([[1.0, 3.0]])
    array([0.5, 2.5])
    """
    values = _checked_scores(scores)
    k = values.shape[1]
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    steps = np.diff(ascending, axis=1, prepend=0.0) / np.arange(k, 0, -1)
    shares = np.empty_like(values)
    np.put_along_axis(shares, order, np.cumsum(steps, axis=1), axis=1)
    return np.asarray(shares.mean(axis=0))


def marginal_values(scores: ArrayLike) -> Floats:
    """What the portfolio of all loses without each algorithm, shape ``(k,)``.

    >>> marginal_values([[1.0, 3.0]])
    array([0., 2.])
    """
    values = _checked_scores(scores)
    if values.shape[1] == 1:
        return np.asarray(values.mean(axis=0))
    best = values.max(axis=1, keepdims=True)
    is_best = np.arange(values.shape[1]) == values.argmax(axis=1)[:, np.newaxis]
    second = np.where(is_best, -np.inf, values).max(axis=1, keepdims=True)
    return np.asarray(np.where(is_best, best - second, 0.0).mean(axis=0))


def _checked_scores(scores: ArrayLike) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    if not ((values >= 0) & (values < np.inf)).all():
        raise ValueError("scores must be finite and not negative")
    return values

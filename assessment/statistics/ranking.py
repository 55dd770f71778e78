"""Comparisons of algorithms over many problems: shares of wins, ratings, shares in a portfolio.

Superiority is the probability that a run of one algorithm is better than a run of another: Agarwal,
Schwarzer, Castro, Courville and Bellemare, "Deep Reinforcement Learning at the Edge of the
Statistical Precipice" (NeurIPS 2021), arXiv:2108.13264, section 4.3 (rliable's probability of
improvement). It is the mean over problems of ``P(X < Y) + P(X = Y) / 2``. Its interval is computed
by the bootstrap, stratified by problem.

In Glicko-2 ratings algorithms are players whose runs play against each other: Glickman, "Example of
the Glicko-2 system" (2013). Games and settings are those of IOHanalyzer's ``glicko2_ranking`` (Wang
et al. 2022), which calls R's PlayerRatings.

Shapley values of the virtual best: Fréchette, Kotthoff, Michalak, Rahwan, Hoos and Leyton-Brown,
"Using the Shapley Value to Analyze Algorithm Portfolios" (AAAI 2016). The value of a portfolio on a
problem is the score of its best member. This game has a closed form (Littlechild and Owen 1973), so
values are exact for any number of algorithms, without forming the ``2^k`` portfolios.
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

# Glicko-2: points of the public scale per unit of the internal one, and precision of a volatility.
_SCALE = 173.7178
_EPSILON = 1e-6
START = (1500.0, 350.0, 0.06)  # rating, deviation, volatility before the first game (IOHanalyzer)
TAU = 1.2  # how much volatility may change; PlayerRatings' default


def wins(first: ArrayLike, second: ArrayLike) -> Floats:
    """Compare each run of one algorithm with each run of another: 1 if better, 1/2 if equal, or 0.

    Args:
        first: Values of the runs of one algorithm, shape ``(n,)``; smaller is better.
        second: Values of the runs of the other algorithm, shape ``(m,)``.

    Returns:
        Shape ``(n, m)``.
    """
    x = np.asarray(first, dtype=np.float64)[:, np.newaxis]
    y = np.asarray(second, dtype=np.float64)
    return np.asarray((x < y) + 0.5 * (x == y))


def resampled_counts(
    instances: NDArray[np.int64], samples: int, rng: np.random.Generator
) -> Floats:
    """Draw runs with replacement, and count how often each run is drawn in each resample.

    Instances with several runs are drawn with all their runs, because these are not independent
    samples of the function. If there are fewer than three such instances, runs are drawn, and the
    result is about these instances alone (`groups_of`).

    Args:
        instances: Instance of each run, shape ``(n_runs,)``.
        samples: Number of resamples.
        rng: Source of random numbers.

    Returns:
        Shape ``(samples, n_runs)``.
    """
    groups = groups_of(instances, len(instances))
    unit_of_run = np.arange(len(instances)) if groups is None else groups
    n_units = int(unit_of_run.max()) + 1
    counts = rng.multinomial(n_units, np.full(n_units, 1 / n_units), size=samples)
    return counts[:, unit_of_run].astype(np.float64)


def resampled_wins(won: Floats, first: Floats, second: Floats) -> Floats:
    """Compute the share of wins in each resample.

    Args:
        won: `wins` of the runs, shape ``(n, m)``.
        first: Counts of the runs of one algorithm in each resample, shape ``(samples, n)``.
        second: Counts of the runs of the other algorithm in each resample, shape ``(samples, m)``.

    Returns:
        Shape ``(samples,)``.
    """
    total = first.sum(axis=1) * second.sum(axis=1)
    return np.asarray(((first @ won) * second).sum(axis=1) / total)


class Superiority(NamedTuple):
    """Shares of the comparisons that the runs of each algorithm win, for all pairs of algorithms.

    Attributes:
        shares: Share of wins of the row's algorithm against the column's on each problem, shape
            ``(N, k, k)``.
        draws: Resampled means of the shares over the problems, shape ``(samples, k, k)``.
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
    """Compute the shares of wins of all pairs of algorithms on all problems, and resample them.

    The rank of an algorithm on a problem is that of its mean share of wins over all others.

    Args:
        won: For each problem, the `wins` of each pair ``(i, j)`` of algorithms with i < j.
        instances: For each problem and algorithm, the instance of each run.
        resampling: Seed and number of resamples.
    """
    rng = np.random.default_rng(resampling.seed)
    k, samples = len(instances[0]), resampling.samples
    shares = np.full((len(won), k, k), 0.5)
    draws, rank_draws = np.zeros((samples, k, k)), np.zeros((samples, k))
    for problem, (wins_of_pairs, instances_of_algorithms) in enumerate(
        zip(won, instances, strict=True)
    ):
        counts = [resampled_counts(runs, samples, rng) for runs in instances_of_algorithms]
        problem_draws = np.full((samples, k, k), 0.5)
        for (i, j), wins_of_pair in wins_of_pairs.items():
            share = wins_of_pair.mean()
            shares[problem, i, j], shares[problem, j, i] = share, 1 - share
            problem_draws[:, i, j] = resampled_wins(wins_of_pair, counts[i], counts[j])
            problem_draws[:, j, i] = 1 - problem_draws[:, i, j]
        draws += problem_draws / len(won)
        rank_draws += mid_ranks(-rounded(problem_draws.sum(axis=2))) / len(won)
    return Superiority(shares, draws, rank_draws)


def rounded(sums: Floats) -> Floats:
    """Round sums of shares, so that sums that differ by rounding errors only are equal."""
    return np.asarray(np.round(sums, 9))


@dataclass(frozen=True, eq=False)
class Ratings:
    """Glicko-2 ratings of ``k`` players; all arrays have the shape ``(k,)``.

    Attributes:
        rating: Larger is better.
        deviation: Standard deviation of the rating.
        volatility: Expected fluctuation of the rating.
    """

    rating: Floats
    deviation: Floats
    volatility: Floats

    @classmethod
    def start(cls, players: int) -> Ratings:
        """Return the ratings of players before their first game."""
        return cls(*(np.full(players, value) for value in START))


def rated(
    before: Ratings,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    score: Floats,
    tau: float = TAU,
) -> Ratings:
    """Compute the ratings after one rating period.

    Args:
        before: Ratings before the period.
        first: Index of one player of each game, shape ``(n_games,)``.
        second: Index of the other player of each game.
        score: 1 if ``first`` won the game, 1/2 for a draw, otherwise 0; shape ``(n_games,)``.
        tau: Limit of changes of the volatility.
    """
    # Each game counts for both of its players.
    players, opponents = np.concatenate([first, second]), np.concatenate([second, first])
    results = np.concatenate([score, 1 - score])
    mu, phi = (before.rating - START[0]) / _SCALE, before.deviation / _SCALE
    g = 1 / np.sqrt(1 + 3 * phi[opponents] ** 2 / np.pi**2)
    expected = 1 / (1 + np.exp(-g * (mu[players] - mu[opponents])))
    k = len(mu)
    information = np.bincount(players, weights=g**2 * expected * (1 - expected), minlength=k)
    gain = np.bincount(players, weights=g * (results - expected), minlength=k)
    has_played = information > 0
    v = 1 / np.where(has_played, information, 1.0)
    volatility = before.volatility.copy()
    for player in np.flatnonzero(has_played).tolist():
        volatility[player] = _update_volatility(
            before.volatility[player], phi[player], v[player], v[player] * gain[player], tau
        )
    phi_before_games = np.sqrt(phi**2 + volatility**2)
    phi_after = 1 / np.sqrt(1 / phi_before_games**2 + np.where(has_played, information, 0.0))
    return Ratings(START[0] + _SCALE * (mu + phi_after**2 * gain), _SCALE * phi_after, volatility)


def _update_volatility(sigma: float, phi: float, v: float, delta: float, tau: float) -> float:
    """Return the new volatility: step 5, the root of f by the Illinois method.

    Letters, iteration and precision are those of the source and of R.
    """
    a = np.log(sigma**2)

    def f(x: float) -> float:
        e = np.exp(x)
        d = phi**2 + v + e
        return float(e * (delta**2 - d) / (2 * d**2) - (x - a) / tau**2)

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
    """Compute ratings of algorithms whose runs play against each other.

    In each round, which is a rating period, each pair of algorithms plays on each problem with a
    random run of either. The smaller runtime wins. A run that missed the target loses, and two of
    them draw. IOHanalyzer uses 100 rounds.

    Args:
        runtimes: For each problem and algorithm, the runtimes of the runs; NaN if a run missed.
        rounds: Number of rounds.
        rng: Source of random numbers.
    """
    k = len(runtimes[0])
    pairs = list(combinations(range(k), 2))
    first, second = np.tile(np.array(pairs).T, len(runtimes))
    scores = np.empty((rounds, len(runtimes), len(pairs)))
    for problem, runtimes_of_algorithms in enumerate(runtimes):
        values = [np.nan_to_num(runs, nan=np.inf) for runs in runtimes_of_algorithms]
        for pair_index, pair in enumerate(pairs):
            x, y = (values[i][rng.integers(len(values[i]), size=rounds)] for i in pair)
            scores[:, problem, pair_index] = (x < y) + 0.5 * (x == y)
    ratings = Ratings.start(k)
    for score in scores.reshape(rounds, -1):
        ratings = rated(ratings, first, second, score)
    return ratings


def shapley_values(scores: ArrayLike) -> Floats:
    """Compute the Shapley value of each algorithm in a portfolio of all.

    It is the mean, over all orders of joining, of the increase of the portfolio's score when the
    algorithm joins. With the scores on a problem in ascending order ``m_1 <= … <= m_k`` and
    ``m_0 = 0``, the algorithm at position ``i`` gets
    ``sum over j = 1 … i of (m_j - m_(j-1)) / (k - j + 1)``. The values sum to the score of the
    virtual best.

    Args:
        scores: Shape ``(n_problems, k)``, >= 0, larger is better. An empty portfolio has score 0.

    Returns:
        Mean over the problems, shape ``(k,)``.

    Raises:
        ValueError: A score is negative or not finite.

    >>> shapley_values([[1.0, 3.0]])
    array([0.5, 2.5])
    """
    values = _check_scores(scores)
    k = values.shape[1]
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    steps = np.diff(ascending, axis=1, prepend=0.0) / np.arange(k, 0, -1)
    shares = np.empty_like(values)
    np.put_along_axis(shares, order, np.cumsum(steps, axis=1), axis=1)
    return np.asarray(shares.mean(axis=0))


def marginal_values(scores: ArrayLike) -> Floats:
    """Compute the score that a portfolio of all algorithms loses without each one, shape ``(k,)``.

    Args:
        scores: Shape ``(n_problems, k)``, >= 0, larger is better.

    Raises:
        ValueError: A score is negative or not finite.

    >>> marginal_values([[1.0, 3.0]])
    array([0., 2.])
    """
    values = _check_scores(scores)
    if values.shape[1] == 1:
        return np.asarray(values.mean(axis=0))
    best = values.max(axis=1, keepdims=True)
    is_best = np.arange(values.shape[1]) == values.argmax(axis=1)[:, np.newaxis]
    second = np.where(is_best, -np.inf, values).max(axis=1, keepdims=True)
    return np.asarray(np.where(is_best, best - second, 0.0).mean(axis=0))


def _check_scores(scores: ArrayLike) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    if not ((values >= 0) & (values < np.inf)).all():
        raise ValueError("scores must be finite and not negative")
    return values

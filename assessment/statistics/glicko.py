"""Glicko-2 ratings: algorithms as players whose runs play against each other.

Source: Glickman, "Example of the Glicko-2 system" (2013); the games and the settings are those of
IOHanalyzer's ``glicko2_ranking`` (Wang et al. 2022), which calls R's PlayerRatings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .quantiles import Floats

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

    Args:
        before: Of all players.
        first: A player of each game, shape ``(n,)``.
        second: The other, shape ``(n,)``.
        score: 1 where ``first`` won, 1/2 for a draw, else 0; shape ``(n,)``.
        tau: See `TAU`.
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

    Args:
        runtimes: For each problem and algorithm those of its runs, ``(n,)``; NaN where missed.
        rounds: IOHanalyzer takes 100.
        rng: Draws the runs.
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

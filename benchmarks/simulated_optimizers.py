"""Simulate optimizers whose runtimes have known distributions, to test statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from firsthit.assessment.statistics.slowdown import Versions

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]

FAILURE = 1000.0
"""Evaluations of an unsuccessful run in `success_runs`."""
TARGETS = (1e1, 1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)


@dataclass(frozen=True)
class Success:
    """Distribution of the runtimes of successful runs.

    Attributes:
        draw: Function of a generator and a shape; returns runtimes.
        mean: Mean of the distribution.
        kind: ``"one mode"``, ``"leans left"``, ``"two modes"`` or ``"heavy tail"``.
    """

    draw: Draw
    mean: float
    kind: str = "one mode"


def _lognormal(sigma: float, kind: str = "one mode") -> Success:
    return Success(
        lambda rng, n: 200 * np.exp(sigma * rng.normal(size=n) - sigma**2 / 2), 200.0, kind
    )


def _gamma(shape: float) -> Success:
    return Success(lambda rng, n: rng.gamma(shape, 200 / shape, n), 200.0)


def _pareto(exponent: float) -> Success:
    return Success(
        lambda rng, n: 100 * rng.random(n) ** (-1 / exponent),
        100 * exponent / (exponent - 1),
        "heavy tail",
    )


def _two_modes(share: float, factor: float, kind: str = "two modes") -> Success:
    """Return runtimes near 100; with the probability ``share``, near 100 times ``factor``."""
    return Success(
        lambda rng, n: (
            np.where(rng.random(n) < share, factor, 1.0)
            * 100
            * np.exp(0.2 * rng.normal(size=n) - 0.02)
        ),
        100 * (1 - share + share * factor),
        kind,
    )


SUCCESSES = {
    "gamma 4": _gamma(4.0),
    "exponential": _gamma(1.0),
    "geometric": Success(lambda rng, n: rng.geometric(1 / 200, n).astype(float), 200.0),
    "geometric 0.6": Success(lambda rng, n: rng.geometric(0.6, n).astype(float), 1 / 0.6),
    "negative binomial": Success(lambda rng, n: 2.0 + rng.negative_binomial(2, 1 / 11, n), 22.0),
    "lognormal 0.25": _lognormal(0.25),
    "lognormal 0.5": _lognormal(0.5),
    "lognormal 0.75": _lognormal(0.75),
    "lognormal 1.0": _lognormal(1.0),
    "uniform": Success(lambda rng, n: np.ceil(1000 * rng.random(n)), 500.5),
    "late": Success(lambda rng, n: np.ceil(900 + 100 * rng.random(n)), 950.5),
    "late exponential": Success(lambda rng, n: 100 + rng.exponential(100.0, n), 200.0),
    "few values": Success(lambda rng, n: 12.0 + rng.poisson(1.0, n), 13.0),
    "Weibull 2": Success(lambda rng, n: 100 * rng.weibull(2.0, n), 50 * np.sqrt(np.pi)),
    "1000 - exponential": Success(
        lambda rng, n: np.maximum(1000 - rng.exponential(150.0, n), 1.0),
        850 + 150 * np.exp(-999 / 150),
        "leans left",
    ),
    "beta 5, 1": Success(lambda rng, n: 1000 * rng.beta(5, 1, n), 1000 * 5 / 6, "leans left"),
    "triangular": Success(lambda rng, n: rng.triangular(0, 1000, 1000, n), 2000 / 3, "leans left"),
    "normal": Success(lambda rng, n: rng.normal(1000, 200, n), 1000.0),
    "inverse gaussian": Success(lambda rng, n: rng.wald(200, 400, n), 200.0),
    "80 and 20 %": _two_modes(0.2, 10.0),
    "70 and 30 %": _two_modes(0.3, 5.0),
    "lognormal 1.5": _lognormal(1.5, "heavy tail"),
    "Pareto 2.5": _pareto(2.5),
    "Pareto 1.5": _pareto(1.5),
    "5 % far": _two_modes(0.05, 30.0, "heavy tail"),
}
"""Distributions of runtimes: 19 with one mode and without a heavy tail, three of which lean to the
left, and six that are difficult for confidence intervals."""


def success_runs(
    rng: np.random.Generator, success: Success, rate: float, shape: tuple[int, ...], varied: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Simulate runs with one target.

    Args:
        rng: Source of randomness.
        success: Distribution of the runtimes of successful runs.
        rate: Success probability.
        shape: Shape of the results.
        varied: Whether failures end at random (lognormal 0.5) instead of after 1000 evaluations;
            their mean is 1000 in both cases.

    Returns:
        Hits, NaN for unsuccessful runs; and spent evaluations.
    """
    reached = rng.random(shape) < rate
    hits = np.where(reached, np.maximum(success.draw(rng, shape), 1.0), np.nan)
    ends = np.full(shape, FAILURE)
    if varied:
        ends = FAILURE * np.exp(0.5 * rng.normal(size=shape) - 0.125)
    return hits, np.where(reached, np.nan_to_num(hits), ends)


def true_runtime(success: Success, rate: float) -> float:
    """Return the average runtime of infinitely many runs."""
    return success.mean + (1 - rate) / rate * FAILURE


def stalling_runs(
    rng: np.random.Generator, rate: float, runs: int, step: float
) -> tuple[np.ndarray, np.ndarray]:
    """Simulate runs with ten targets; unsuccessful runs stall at one of the last five.

    Args:
        rng: Source of randomness.
        rate: Probability that a run does not stall.
        runs: Number of runs.
        step: Mean evaluations from one target to the next, exponentially distributed.

    Returns:
        Hits, shape ``(runs, 10)``, NaN for targets not hit; and spent evaluations.
    """
    n_targets = len(TARGETS)
    hits = np.ceil(np.cumsum(rng.exponential(step, (runs, n_targets)), axis=1))
    stalled = rng.random(runs) >= rate
    last = rng.integers(n_targets // 2, n_targets, runs)
    hits[stalled[:, None] & (np.arange(n_targets) >= last[:, None])] = np.nan
    hits[hits > FAILURE] = np.nan
    return hits, np.where(np.isnan(hits[:, -1]), FAILURE, hits[:, -1])


@dataclass(frozen=True)
class SimulatedFunction:
    """Distribution of an optimizer's runtimes to ten targets of one function.

    Attributes:
        start: Mean evaluations to the first target.
        step: Mean evaluations from one target to the next.
        spread: Standard deviation of the log-speed of a run.
        restart: Probability that a restart passes ``stall``; 1 without local optima.
        stall: Position of the first target that needs the global basin.
    """

    start: float
    step: float
    spread: float
    restart: float
    stall: int

    def runs(
        self, rng: np.random.Generator, difficulty: np.ndarray, budget: float, slower: float = 1.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Simulate runs, one for each instance.

        Args:
            rng: Source of randomness.
            difficulty: Log-difficulty of the instances, in units of ``spread``.
            budget: Evaluations of an unsuccessful run.
            slower: Factor of all runtimes.

        Returns:
            Hits, shape ``(n_runs, 10)``, NaN for targets not hit; and spent evaluations.
        """
        n = len(difficulty)
        speed = np.exp(self.spread * (rng.normal(size=n) + 0.3 * difficulty))
        steps = self.step * rng.gamma(20, 1 / 20, size=(n, len(TARGETS)))
        steps[:, 0] += self.start * rng.gamma(1.0, 1.0, n)
        hits = np.cumsum(steps, axis=1) * speed[:, None]
        failures = rng.geometric(self.restart, n) - 1
        hits[:, self.stall :] += (failures * hits[:, min(self.stall + 2, 9)])[:, None]
        hits = np.ceil(hits * slower)
        hits = np.where(hits <= budget, hits, np.nan)
        return hits, np.where(np.isnan(hits[:, -1]), budget, hits[:, -1])


def simulated_suite(rng: np.random.Generator) -> list[SimulatedFunction]:
    """Draw 24 functions: 12 easy ones, 7 that need restarts, and 5 that are hardly solved.

    They resemble the functions of bbob for CMA-ES in 5-D. The spread of runtimes, 5 to 40 % on the
    easy functions, is about that of the data of CMA-ES.
    """
    easy = [
        SimulatedFunction(
            rng.uniform(10, 300), rng.uniform(50, 150), rng.choice([0.05, 0.1, 0.2, 0.4]), 1.0, 9
        )
        for _ in range(12)
    ]
    restarted = [
        SimulatedFunction(
            rng.uniform(10, 300),
            rng.uniform(50, 150),
            0.4,
            rng.uniform(0.1, 0.7),
            int(rng.integers(1, 4)),
        )
        for _ in range(7)
    ]
    hard = [
        SimulatedFunction(
            rng.uniform(10, 300), rng.uniform(100, 600), 0.8, 0.01, int(rng.integers(1, 4))
        )
        for _ in range(5)
    ]
    return [*easy, *restarted, *hard]


def two_versions(
    rng: np.random.Generator,
    slowed: frozenset[int] = frozenset(),
    by: float = 2.0,
    same_seeds: bool = False,
    instances: int = 15,
    budget: float = 5000.0,
) -> list[Versions]:
    """Simulate runs of an optimizer and of its next version on 24 functions, paired by instance.

    Args:
        rng: Source of randomness.
        slowed: Functions (from 0) on which the new version is slower.
        by: Factor of the runtimes of the slower version.
        same_seeds: Whether runs of a pair are equal except for the slowdown.
        instances: Number of runs on each function.
        budget: Evaluations of an unsuccessful run.
    """
    versions = []
    pairs = np.column_stack([np.arange(instances)] * 2)
    for number, function in enumerate(simulated_suite(rng)):
        difficulty, seed = rng.normal(size=instances), int(rng.integers(2**31))
        base = function.runs(np.random.default_rng(seed), difficulty, budget)
        again = np.random.default_rng(seed if same_seeds else int(rng.integers(2**31)))
        new = function.runs(again, difficulty, budget, by if number in slowed else 1.0)
        versions.append(Versions(*base, *new, pairs))
    return versions

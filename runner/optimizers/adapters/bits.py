"""Textbook optimizers of bits, implemented in firsthit.

Each function starts at a random point and minimizes until the budget is spent. The problem then
raises an exception, which leaves the function. In the docstrings, ``n`` is the number of bits. A
new point replaces the current point also if both values are equal, so that searches move across
plateaus.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....suites.arrays import Floats
from ...errors import OptimizerError
from .built_in import BuiltIn, Solver

_MIN_TEMPERATURE = 1e-300
"""Lower bound of the temperature of simulated annealing, which is a divisor."""


def rls(problem: Any, rng: np.random.Generator) -> None:
    """Run randomized local search: flip one random bit, and undo the flip if the value increases.

    Source: F. Neumann, I. Wegener: Randomized local search, evolutionary algorithms, and the
    minimum spanning tree problem, TCS 378, 2007.
    """
    x = _random_point(problem, rng)
    best = problem(x)
    while True:
        i = rng.integers(len(x))
        x[i] = 1 - x[i]
        value = problem(x)
        if value <= best:
            best = value
        else:
            x[i] = 1 - x[i]


def one_plus_one(problem: Any, rng: np.random.Generator, *, rate: float | None = None) -> None:
    """Run the (1+1)-EA: flip each bit with probability ``rate``; keep the better point.

    At least one bit is flipped, so that no evaluation repeats the parent.
    Source: S. Droste, T. Jansen, I. Wegener: On the analysis of the (1+1) evolutionary algorithm,
    TCS 276, 2002; E. Carvalho Pinto, C. Doerr, arXiv:1812.00493, for at least one flip.

    Args:
        problem: The observed problem, of bits.
        rng: Generator of this start.
        rate: Probability in (0, 1] that a bit is flipped. None: 1/n.
    """
    x = _random_point(problem, rng)
    probability = _checked_probability("rate", 1 / len(x) if rate is None else rate)
    best = problem(x)
    while True:
        y = _mutate(x, probability, rng)
        value = problem(y)
        if value <= best:
            x, best = y, value


def self_adjusting(
    problem: Any, rng: np.random.Generator, *, success: float = 2.0, failure: float = 0.5
) -> None:
    """Run the (1+1)-EA with a mutation rate that adapts after each offspring.

    The rate is the probability that a bit is flipped. It starts at 1/n and stays in [1/n**2, 1/2].
    Source: C. Doerr, M. Wagner: Simple on-the-fly parameter selection mechanisms for two classical
    discrete black-box optimization benchmark problems, GECCO 2018.

    Args:
        problem: The observed problem, of bits.
        rng: Generator of this start.
        success: Factor of the rate after an offspring that replaces its parent.
        failure: Factor of the rate after any other offspring.
    """
    x = _random_point(problem, rng)
    n = len(x)
    rate, best = 1 / n, problem(x)
    while True:
        y = _mutate(x, rate, rng)
        value = problem(y)
        factor = success if value <= best else failure
        if value <= best:
            x, best = y, value
        rate = min(max(rate * factor, 1 / n**2), 0.5)


def one_plus_lambda(
    problem: Any, rng: np.random.Generator, *, offspring: int = 10, rate: float | None = None
) -> None:
    """Run the (1+λ)-EA: evaluate λ offspring as a batch; keep the best one or the parent.

    At least one bit of each offspring is flipped, see `one_plus_one`.
    Source: T. Jansen, K. A. De Jong, I. Wegener: On the choice of the offspring population size in
    evolutionary algorithms, Evolutionary Computation 13, 2005.

    Args:
        problem: The observed problem, of bits.
        rng: Generator of this start.
        offspring: Number of offspring, λ.
        rate: Probability in (0, 1] that a bit is flipped. None: 1/n.
    """
    _check_count("offspring", offspring)
    x = _random_point(problem, rng)
    probability = _checked_probability("rate", 1 / len(x) if rate is None else rate)
    best = problem(x)
    while True:
        points = np.array([_mutate(x, probability, rng) for _ in range(offspring)])
        values = problem(points)
        k = int(values.argmin())
        if values[k] <= best:
            x, best = points[k], values[k]


def simulated_annealing(
    problem: Any, rng: np.random.Generator, budget: int | None = None, *, last: float = 1e-3
) -> None:
    """Run simulated annealing: flip one bit, keep an increase by d with probability exp(-d/T).

    The temperature T starts at the mean absolute difference that the first n flips make, and
    decreases geometrically.
    Source: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi: Optimization by simulated annealing,
    Science 220, 1983.

    Args:
        problem: The observed problem, of bits.
        rng: Generator of this start.
        budget: Evaluations during which the temperature decreases. None: 100 n.
        last: Ratio of the last temperature to the first.
    """
    x = _random_point(problem, rng)
    n = len(x)
    value = problem(x)
    differences = []
    for i in rng.permutation(n):
        x[i] = 1 - x[i]
        previous, value = value, problem(x)
        differences.append(abs(value - previous))
    temperature = float(np.mean(differences)) or 1.0
    cooling = last ** (1 / (budget or 100 * n))
    while True:
        i = rng.integers(n)
        x[i] = 1 - x[i]
        new = problem(x)
        if new <= value or rng.random() < math.exp((value - new) / temperature):
            value = new
        else:
            x[i] = 1 - x[i]
        temperature = max(temperature * cooling, _MIN_TEMPERATURE)


def genetic(
    problem: Any,
    rng: np.random.Generator,
    *,
    population: int = 50,
    crossover: float = 0.9,
    rate: float | None = None,
) -> None:
    """Run a genetic algorithm with tournaments of two, uniform crossover and mutation.

    The best point of the previous generation replaces the worst child if it is better.
    Source: A. E. Eiben, J. E. Smith: Introduction to Evolutionary Computing, 2003, chapter 3;
    uniform crossover: G. Syswerda, ICGA 1989.

    Args:
        problem: The observed problem, of bits.
        rng: Generator of this start.
        population: Number of points in a generation, at least 2; evaluated as a batch.
        crossover: Probability that a child has two parents.
        rate: Probability in (0, 1] that a bit is flipped. None: 1/n.
    """
    _check_count("population", population, minimum=2)
    n = len(_random_point(problem, rng))
    probability = _checked_probability("rate", 1 / n if rate is None else rate)
    points = rng.integers(0, 2, (population, n)).astype(np.float64)
    values = problem(points)
    while True:
        pairs = rng.integers(0, population, (2, population, 2))
        first, second = (_select_winners(points, values, group) for group in pairs)
        from_second = rng.random((population, n)) < 0.5
        from_second &= rng.random((population, 1)) < crossover
        children = np.where(from_second, second, first)
        children = np.abs(children - (rng.random((population, n)) < probability))
        best, best_value = points[values.argmin()].copy(), values.min()
        points, values = children, problem(children)
        worst = values.argmax()
        if best_value < values[worst]:
            points[worst], values[worst] = best, best_value


def umda(
    problem: Any, rng: np.random.Generator, *, population: int = 100, parents: int = 50
) -> None:
    """Run UMDA: sample each bit with its frequency among the best points of the last generation.

    Frequencies stay in [1/n, 1 - 1/n].
    Source: H. Mühlenbein, G. Paaß: From recombination of genes to the estimation of distributions,
    PPSN 1996.

    Args:
        problem: The observed problem, of bits.
        rng: Generator of this start.
        population: Number of points in a generation, at least 2; evaluated as a batch.
        parents: Number of best points that determine the frequencies, less than `population`.
    """
    _check_count("population", population, minimum=2)
    if not 1 <= parents < population:
        raise OptimizerError(
            f"bits:UMDA: parents must be from 1 to population - 1, {population - 1}; got {parents}"
        )
    n = len(_random_point(problem, rng))
    frequencies = np.full(n, 0.5)
    while True:
        points = (rng.random((population, n)) < frequencies).astype(np.float64)
        values = problem(points)
        best = points[np.argsort(values, kind="stable")[:parents]]
        frequencies = np.clip(best.mean(axis=0), 1 / n, 1 - 1 / n)


def compact(problem: Any, rng: np.random.Generator, *, size: int = 50) -> None:
    """Run the compact genetic algorithm, which keeps a frequency for each bit.

    Each step samples two points, and moves the frequencies by 1/``size`` towards the better point.
    Frequencies stay in [1/n, 1 - 1/n].
    Source: G. R. Harik, F. G. Lobo, D. E. Goldberg: The compact genetic algorithm, IEEE TEVC 3,
    1999.

    Args:
        problem: The observed problem, of bits.
        rng: Generator of this start.
        size: Size of the population that the frequencies stand for, at least 1.
    """
    _check_count("size", size)
    n = len(_random_point(problem, rng))
    frequencies = np.full(n, 0.5)
    while True:
        points = (rng.random((2, n)) < frequencies).astype(np.float64)
        values = problem(points)
        winner = int(values[1] < values[0])
        frequencies += (points[winner] - points[1 - winner]) / size
        frequencies = np.clip(frequencies, 1 / n, 1 - 1 / n)


def _random_point(problem: Any, rng: np.random.Generator) -> Floats:
    """Draw a random point; raise OptimizerError if the variables are not bits."""
    if not problem.is_binary:
        raise OptimizerError("it takes bits, but the variables of this problem are not bits")
    bits: Floats = rng.integers(0, 2, problem.dimension).astype(np.float64)
    return bits


def _mutate(x: Floats, rate: float, rng: np.random.Generator) -> Floats:
    """Return a copy of a point in which random bits are flipped, at least one of them.

    Each bit is flipped with probability ``rate``, under the condition that at least one is flipped.
    First the index of the first flip is drawn from its distribution under this condition, and then
    the flips after it. To draw all bits until one is flipped would be slower: with a rate of
    1/n**2 it takes n attempts on average.
    """
    n = len(x)
    first = 0
    if rate < 1:
        # inverse transform sampling of a geometric distribution that is truncated at n
        quantile = rng.random() * -math.expm1(n * math.log1p(-rate))
        first = min(int(math.log1p(-quantile) / math.log1p(-rate)), n - 1)
    y: Floats = x.copy()
    y[first] = 1 - y[first]
    y[first + 1 :] = np.abs(y[first + 1 :] - (rng.random(n - first - 1) < rate))
    return y


def _select_winners(points: Floats, values: Floats, pairs: NDArray[np.int64]) -> Floats:
    """Return the better point of each pair of rows, shape ``(k, n)``; the first one of a tie."""
    first, second = pairs.T
    better = np.where(values[second] < values[first], second, first)
    return np.asarray(points[better])


def _checked_probability(name: str, value: float) -> float:
    """Return a probability; raise OptimizerError if it is not in (0, 1]."""
    if not 0 < value <= 1:
        raise OptimizerError(f"{name} must be a probability in (0, 1]; got {value}")
    return value


def _check_count(name: str, value: int, minimum: int = 1) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
        raise OptimizerError(f"{name} must be an integer >= {minimum}; got {value!r}")


def _declare(solve: Solver, about: str, batch: str = "no") -> BuiltIn:
    return BuiltIn(solve, about, needs_budget=True, batch=batch, integers=True, bits="only")


OPTIMIZERS = {
    "bits:RLS": _declare(rls, "randomized local search, one bit at a time"),
    "bits:OnePlusOneEA": _declare(one_plus_one, "(1+1)-EA, standard mutation"),
    "bits:SelfAdjustingEA": _declare(self_adjusting, "(1+1)-EA with a self-adjusting rate"),
    "bits:OnePlusLambdaEA": _declare(one_plus_lambda, "(1+λ)-EA", "yes"),
    "bits:SimulatedAnnealing": _declare(simulated_annealing, "annealing over single flips"),
    "bits:GA": _declare(genetic, "genetic algorithm, uniform crossover", "yes"),
    "bits:UMDA": _declare(umda, "univariate marginal distributions", "yes"),
    "bits:cGA": _declare(compact, "compact genetic algorithm", "yes"),
}

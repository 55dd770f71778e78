"""Optimizers of bits, firsthit's own: textbook ones. They start at random, and never end.

Values are minimised; "as good" means ``<=``. ``n`` is the number of bits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import OptimizerError
from .built_in import BuiltIn, Solver

Bits = NDArray[np.float64]


def rls(problem: Any, rng: np.random.Generator) -> None:
    """Randomized local search: flip one random bit, keep what is as good.

    Source: F. Neumann, I. Wegener: Randomized local search, evolutionary algorithms, and the
    minimum spanning tree problem, TCS 378, 2007.
    """
    x = _start(problem, rng)
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
    """(1+1)-EA: flip each bit with probability ``rate``, by default 1/n, keep what is as good.

    Offspring without any flip are drawn again, so that no evaluation is wasted.
    Source: S. Droste, T. Jansen, I. Wegener: On the analysis of the (1+1) evolutionary algorithm,
    TCS 276, 2002; E. Carvalho Pinto, C. Doerr, arXiv:1812.00493, for the drawing again.
    """
    x = _start(problem, rng)
    chance = _chance("rate", 1 / len(x) if rate is None else rate)
    best = problem(x)
    while True:
        y = _mutated(x, chance, rng)
        value = problem(y)
        if value <= best:
            x, best = y, value


def self_adjusting(
    problem: Any, rng: np.random.Generator, *, success: float = 2.0, failure: float = 0.5
) -> None:
    """(1+1)-EA whose rate is multiplied by ``success`` or ``failure``, within [1/n**2, 1/2].

    Source: C. Doerr, M. Wagner: Simple on-the-fly parameter selection mechanisms for two classical
    discrete black-box optimization benchmark problems, GECCO 2018.
    """
    x = _start(problem, rng)
    n = len(x)
    rate, best = 1 / n, problem(x)
    while True:
        y = _mutated(x, rate, rng)
        value = problem(y)
        factor = success if value <= best else failure
        if value <= best:
            x, best = y, value
        rate = min(max(rate * factor, 1 / n**2), 0.5)


def one_plus_lambda(
    problem: Any, rng: np.random.Generator, *, offspring: int = 10, rate: float | None = None
) -> None:
    """(1+λ)-EA: the best of so many offspring, evaluated as a batch, if it is as good.

    Source: T. Jansen, K. A. De Jong, I. Wegener: On the choice of the offspring population size in
    evolutionary algorithms, Evolutionary Computation 13, 2005; drawing again as `one_plus_one`.
    """
    _check_count("offspring", offspring)
    x = _start(problem, rng)
    chance = _chance("rate", 1 / len(x) if rate is None else rate)
    best = problem(x)
    while True:
        points = np.array([_mutated(x, chance, rng) for _ in range(offspring)])
        values = problem(points)
        k = int(values.argmin())
        if values[k] <= best:
            x, best = points[k], values[k]


def simulated_annealing(
    problem: Any, rng: np.random.Generator, budget: int | None = None, *, last: float = 1e-3
) -> None:
    """Simulated annealing over single flips; what is worse by d is kept with chance exp(-d/T).

    T falls geometrically over the budget, from the mean difference that the first n flips make to
    ``last`` of that; without a budget over 100 n evaluations.
    Source: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi: Optimization by simulated annealing,
    Science 220, 1983.
    """
    x = _start(problem, rng)
    n = len(x)
    value = problem(x)
    differences = []
    for i in rng.permutation(n):
        x[i] = 1 - x[i]
        before, value = value, problem(x)
        differences.append(abs(value - before))
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
        temperature = max(temperature * cooling, 1e-300)


def genetic(
    problem: Any,
    rng: np.random.Generator,
    *,
    population: int = 50,
    crossover: float = 0.9,
    rate: float | None = None,
) -> None:
    """Generations of tournaments of two, uniform crossover and mutation; the best one stays.

    Source: A. E. Eiben, J. E. Smith: Introduction to Evolutionary Computing, 2003, chapter 3;
    uniform crossover: G. Syswerda, ICGA 1989.
    """
    _check_count("population", population, least=2)
    n = len(_start(problem, rng))
    chance = _chance("rate", 1 / n if rate is None else rate)
    points = rng.integers(0, 2, (population, n)).astype(np.float64)
    values = problem(points)
    while True:
        pairs = rng.integers(0, population, (2, population, 2))
        first, second = (_winners(points, values, each) for each in pairs)
        mixed = (rng.random((population, n)) < 0.5) & (rng.random((population, 1)) < crossover)
        children = np.where(mixed, second, first)
        children = np.abs(children - (rng.random((population, n)) < chance))
        best, best_value = points[values.argmin()].copy(), values.min()
        points, values = children, problem(children)
        worst = values.argmax()
        if best_value < values[worst]:
            points[worst], values[worst] = best, best_value


def umda(
    problem: Any, rng: np.random.Generator, *, population: int = 100, parents: int = 50
) -> None:
    """UMDA: sample from the marginal frequencies of the best ``parents``, within [1/n, 1 - 1/n].

    Source: H. Mühlenbein, G. Paaß: From recombination of genes to the estimation of distributions,
    PPSN 1996.
    """
    _check_count("population", population, least=2)
    if not 1 <= parents < population:
        raise OptimizerError(
            f"bits:UMDA: parents must be from 1 to population - 1, {population - 1}; got {parents}"
        )
    n = len(_start(problem, rng))
    frequencies = np.full(n, 0.5)
    while True:
        points = (rng.random((population, n)) < frequencies).astype(np.float64)
        values = problem(points)
        chosen = points[np.argsort(values, kind="stable")[:parents]]
        frequencies = np.clip(chosen.mean(axis=0), 1 / n, 1 - 1 / n)


def compact(problem: Any, rng: np.random.Generator, *, size: int = 50) -> None:
    """cGA: of two samples, the better one moves frequencies by 1/``size``, within [1/n, 1 - 1/n].

    Source: G. R. Harik, F. G. Lobo, D. E. Goldberg: The compact genetic algorithm, IEEE TEVC 3,
    1999.
    """
    _check_count("size", size)
    n = len(_start(problem, rng))
    frequencies = np.full(n, 0.5)
    while True:
        points = (rng.random((2, n)) < frequencies).astype(np.float64)
        values = problem(points)
        winner = int(values[1] < values[0])
        frequencies += (points[winner] - points[1 - winner]) / size
        frequencies = np.clip(frequencies, 1 / n, 1 - 1 / n)


def _start(problem: Any, rng: np.random.Generator) -> Bits:
    """A random point; raises OptimizerError where variables are no bits."""
    if not problem.is_binary:
        raise OptimizerError("it takes bits, and the variables of this problem are none")
    bits: Bits = rng.integers(0, 2, problem.dimension).astype(np.float64)
    return bits


def _mutated(x: Bits, rate: float, rng: np.random.Generator) -> Bits:
    """A copy with each bit flipped with that chance, one at least.

    The place of the first flip is drawn, then those behind it: to draw all again until there is one
    would take n times where the rate is 1/n**2.
    """
    n = len(x)
    first = 0
    if rate < 1:
        share = rng.random() * -math.expm1(n * math.log1p(-rate))
        first = min(int(math.log1p(-share) / math.log1p(-rate)), n - 1)
    y: Bits = x.copy()
    y[first] = 1 - y[first]
    y[first + 1 :] = np.abs(y[first + 1 :] - (rng.random(n - first - 1) < rate))
    return y


def _winners(points: Bits, values: Bits, pairs: NDArray[np.int64]) -> Bits:
    """The better point of each pair of rows, shape ``(k, n)``."""
    first, second = pairs.T
    better = np.where(values[second] < values[first], second, first)
    return np.asarray(points[better])


def _chance(name: str, value: float) -> float:
    if not 0 < value <= 1:
        raise OptimizerError(f"{name} must be a probability in (0, 1]; got {value}")
    return value


def _check_count(name: str, value: int, least: int = 1) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptimizerError(f"{name} must be an integer >= {least}; got {value!r}")


def _built_in(solve: Solver, about: str, batch: str = "no") -> BuiltIn:
    return BuiltIn(solve, about, needs_budget=True, batch=batch, integers=True, bits="only")


OPTIMIZERS = {
    "bits:RLS": _built_in(rls, "randomized local search, one bit at a time"),
    "bits:OnePlusOneEA": _built_in(one_plus_one, "(1+1)-EA, standard mutation"),
    "bits:SelfAdjustingEA": _built_in(self_adjusting, "(1+1)-EA with a self-adjusting rate"),
    "bits:OnePlusLambdaEA": _built_in(one_plus_lambda, "(1+λ)-EA", "yes"),
    "bits:SimulatedAnnealing": _built_in(simulated_annealing, "annealing over single flips"),
    "bits:GA": _built_in(genetic, "genetic algorithm, uniform crossover", "yes"),
    "bits:UMDA": _built_in(umda, "univariate marginal distributions", "yes"),
    "bits:cGA": _built_in(compact, "compact genetic algorithm", "yes"),
}

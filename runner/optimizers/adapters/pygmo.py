"""pygmo: its heuristics on one population, with the start point in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .built_in import UNLIMITED, BuiltIn, Ended, Method, Package, Vector, finite_bounds

PYGMO = Package("pygmo", "pygmo", "MPL-2.0")
_IN_BATCHES = ("cmaes", "gaco", "pso_gen", "nsga2", "moead_gen", "maco", "nspso")
_WITHOUT_GENERATIONS = ("compass_search", "simulated_annealing")
_MOST_EVALUATIONS = 2**32 - 1


class Observed:
    """pygmo's form of a problem. Copies of it are counted together."""

    def __init__(self, problem: Any, low: Vector, high: Vector) -> None:
        self._problem = problem
        self._bounds = (low, high)

    def fitness(self, x: Vector) -> list[float]:
        """The values of one point."""
        value = self._problem(x)
        return [value] if self.get_nobj() == 1 else value.tolist()

    def get_nobj(self) -> int:
        """How many objectives there are."""
        number: int = self._problem.number_of_objectives
        return number

    def batch_fitness(self, points: Vector) -> Vector:
        """The values of points that are given, and returned, one after the other in one row."""
        values: Vector = self._problem(points.reshape(-1, self._problem.dimension))
        return values.ravel()

    def get_bounds(self) -> tuple[Vector, Vector]:
        """Lower and upper bounds."""
        return self._bounds


def solve(
    name: str, problem: Any, x0: Vector, seed: int, *, popsize: int = 20, **options: Any
) -> Ended:
    """Algorithm ``name`` on a population of ``popsize``, the first of them ``x0``.

    Some algorithms ask for a least ``popsize``.
    """
    import pygmo

    low, high = finite_bounds(f"pygmo:{name}", problem)
    if name not in _WITHOUT_GENERATIONS:
        options.setdefault("gen", UNLIMITED)
    if name == "compass_search":
        options.setdefault("max_fevals", _MOST_EVALUATIONS)
    else:
        options["seed"] = seed
    heuristic = getattr(pygmo, name)(**options)
    if name in _IN_BATCHES:
        heuristic.set_bfe(pygmo.bfe(pygmo.member_bfe()))
    population = pygmo.population(pygmo.problem(Observed(problem, low, high)), seed=seed)
    population.push_back(np.clip(x0, low, high))
    for _ in range(popsize - 1):
        population.push_back(population.random_decision_vector())
    population = pygmo.algorithm(heuristic).evolve(population)
    return Ended("evolved", int(population.problem.get_fevals()))


def _heuristic(
    name: str, about: str, ends: bool = True, objectives: tuple[int, ...] = (1,), **options: Any
) -> tuple[str, BuiltIn]:
    batch = "yes" if name in _IN_BATCHES else "no"
    method = Method(solve, name, {"popsize": None, **options})
    return f"pygmo:{name}", BuiltIn(
        method, about, (PYGMO,), needs_budget=not ends, batch=batch, objectives=objectives
    )


_TOLERANCES: dict[str, Any] = {"ftol": 1e-13, "xtol": 1e-9}
_TWO_OBJECTIVES: dict[str, Any] = {"ends": False, "objectives": (2,), "popsize": 100}
_DECOMPOSITION: dict[str, Any] = {
    **_TWO_OBJECTIVES, "weight_generation": None, "decomposition": None, "neighbours": None,
    "CR": None, "F": None, "eta_m": None, "realb": None, "limit": None,
    "preserve_diversity": None,
}  # fmt: skip
OPTIMIZERS = dict((
    _heuristic("bee_colony", "artificial bees", ends=False, limit=None, gen=None),
    _heuristic("cmaes", "CMA-ES", sigma0=None, force_bounds=None, gen=None, **_TOLERANCES),
    _heuristic(
        "compass_search", "steps along the axes", popsize=1, start_range=None, stop_range=1e-9,
        reduction_coeff=None,
    ),
    _heuristic(
        "de", "differential evolution", F=None, CR=None, variant=None, gen=None, **_TOLERANCES,
    ),
    _heuristic(
        "de1220", "self-adaptive differential evolution", variant_adptv=None, gen=None,
        **_TOLERANCES,
    ),
    _heuristic(
        "gaco", "ant colony", ends=False, popsize=100, ker=None, q=None, focus=None, gen=None,
    ),
    _heuristic("gwo", "grey wolves", ends=False, gen=None),
    _heuristic(
        "pso", "particle swarm", ends=False, omega=None, eta1=None, eta2=None, variant=None,
        gen=None,
    ),
    _heuristic(
        "pso_gen", "particle swarm, a batch each generation", ends=False, omega=None, eta1=None,
        eta2=None, variant=None, gen=None,
    ),
    _heuristic(
        "sade", "self-adaptive differential evolution", variant=None, variant_adptv=None, gen=None,
        **_TOLERANCES,
    ),
    _heuristic("sga", "genetic algorithm", ends=False, cr=None, m=None, gen=None),
    _heuristic(
        "simulated_annealing", "annealing by Corana's schedule", popsize=1, Ts=None, Tf=None,
        n_T_adj=None, n_range_adj=None, bin_size=None, start_range=None,
    ),
    _heuristic(
        "xnes", "exponential natural evolution strategy", sigma0=None, force_bounds=None, gen=None,
        **_TOLERANCES,
    ),
    _heuristic(
        "nsga2", "sorting by dominance and crowding", **_TWO_OBJECTIVES, cr=None, eta_c=None,
        m=None, eta_m=None,
    ),
    _heuristic("moead", "decomposition, point by point", **_DECOMPOSITION),
    _heuristic("moead_gen", "decomposition, a batch each generation", **_DECOMPOSITION),
    _heuristic("maco", "ant colony", **_TWO_OBJECTIVES, ker=None, q=None, focus=None),
    _heuristic(
        "nspso", "particle swarm", **_TWO_OBJECTIVES, omega=None, c1=None, c2=None, chi=None,
        v_coeff=None, leader_selection_range=None, diversity_mechanism=None,
    ),
))  # fmt: skip

"""Declare the heuristics of the package pygmo as optimizers, and run them on observed problems.

`solve` evolves one population with a heuristic of pygmo; the start point is one of the population's
points. `OPTIMIZERS` lists the heuristics, with the options that a campaign may set.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....suites.arrays import Floats
from .built_in import UNLIMITED, BuiltIn, Method, Package, StartResult, finite_bounds

PYGMO = Package("pygmo", "pygmo", "MPL-2.0")
_IN_BATCHES = ("cmaes", "gaco", "pso_gen", "nsga2", "moead_gen", "maco", "nspso")
"""Heuristics that evaluate all points of a generation with one call of the problem."""
_WITHOUT_GENERATIONS = ("compass_search", "simulated_annealing")
"""Heuristics that have no parameter ``gen``, the maximum number of generations."""
_MAX_EVALUATIONS = 2**32 - 1
"""Largest value that ``compass_search`` accepts as its maximum number of evaluations."""


class PygmoProblem:
    """Adapter that gives an observed problem the methods that pygmo calls.

    pygmo deep-copies this adapter. An observed problem returns itself when it is copied. So all
    copies of the adapter count their evaluations in the same run.

    Args:
        problem: The observed problem.
        low: Lower bounds, shape ``(dimension,)``, finite.
        high: Upper bounds, shape ``(dimension,)``, finite.
    """

    def __init__(self, problem: Any, low: Floats, high: Floats) -> None:
        self._problem = problem
        self._bounds = (low, high)

    def fitness(self, x: Floats) -> list[float]:
        """Evaluate one point, and return a list with the value of each objective."""
        value = self._problem(x)
        return [value] if self.get_nobj() == 1 else value.tolist()

    def get_nobj(self) -> int:
        """Return the number of objectives."""
        number: int = self._problem.number_of_objectives
        return number

    def batch_fitness(self, points: Floats) -> Floats:
        """Evaluate several points with one call of the problem.

        Args:
            points: Coordinates of all points, one point after the other, shape
                ``(n_points * dimension,)``.

        Returns:
            Values of all objectives, one point after the other, shape
            ``(n_points * n_objectives,)``.
        """
        values: Floats = self._problem(points.reshape(-1, self._problem.dimension))
        return values.ravel()

    def get_bounds(self) -> tuple[Floats, Floats]:
        """Return the lower and the upper bounds, each of shape ``(dimension,)``."""
        return self._bounds


def solve(
    name: str, problem: Any, x0: Floats, seed: int, *, popsize: int = 20, **options: Any
) -> StartResult:
    """Evolve a population of points with a heuristic of pygmo until the heuristic ends.

    The run's budget ends a heuristic that never ends by itself: the observed problem raises an
    exception, which leaves this function.

    Args:
        name: Name of the heuristic's class in pygmo, such as ``"cmaes"``.
        problem: The observed problem, with finite bounds.
        x0: Start point, shape ``(dimension,)``. It is moved into the bounds, and is the first point
            of the population. The other points are random.
        seed: Seed of the random points and of the heuristic. ``compass_search`` uses no random
            numbers.
        popsize: Number of points. Some heuristics require a minimum. Default: 20.
        **options: Further arguments of the class.

    Returns:
        The stop reason, and the number of evaluations that pygmo counted.

    Raises:
        OptimizerError: A bound of the problem is infinite.
        ValueError: pygmo refuses an option or the number of points.
    """
    import pygmo

    low, high = finite_bounds(f"pygmo:{name}", problem)
    if name not in _WITHOUT_GENERATIONS:
        options.setdefault("gen", UNLIMITED)
    if name == "compass_search":
        options.setdefault("max_fevals", _MAX_EVALUATIONS)
    else:
        options["seed"] = seed
    heuristic = getattr(pygmo, name)(**options)
    if name in _IN_BATCHES:
        heuristic.set_bfe(pygmo.bfe(pygmo.member_bfe()))
    population = pygmo.population(pygmo.problem(PygmoProblem(problem, low, high)), seed=seed)
    population.push_back(np.clip(x0, low, high))
    for _ in range(popsize - 1):
        population.push_back(population.random_decision_vector())
    population = pygmo.algorithm(heuristic).evolve(population)
    return StartResult("evolved", int(population.problem.get_fevals()))


def _declare(
    name: str,
    about: str,
    ends_by_itself: bool = True,
    objectives: tuple[int, ...] = (1,),
    **options: Any,
) -> tuple[str, BuiltIn]:
    """Declare a heuristic, and return the name of the optimizer with its description.

    Args:
        name: Name of the heuristic's class in pygmo.
        about: The method in a few words.
        ends_by_itself: Whether the heuristic ends without a budget.
        objectives: Numbers of objectives that the heuristic accepts.
        **options: Parameters that a campaign may set, and their defaults. None as a default means
            that the parameter is not passed, so that the default of pygmo or of `solve` applies.
    """
    batch = "yes" if name in _IN_BATCHES else "no"
    method = Method(solve, name, {"popsize": None, **options})
    return f"pygmo:{name}", BuiltIn(
        method, about, (PYGMO,), needs_budget=not ends_by_itself, batch=batch, objectives=objectives
    )


# Parameters that several heuristics have. As in `_declare`, None means pygmo's default.
_TOLERANCES: dict[str, Any] = {"ftol": 1e-13, "xtol": 1e-9}
_TWO_OBJECTIVES: dict[str, Any] = {"ends_by_itself": False, "objectives": (2,), "popsize": 100}
_DECOMPOSITION: dict[str, Any] = {
    **_TWO_OBJECTIVES, "weight_generation": None, "decomposition": None, "neighbours": None,
    "CR": None, "F": None, "eta_m": None, "realb": None, "limit": None,
    "preserve_diversity": None,
}  # fmt: skip
OPTIMIZERS = dict((
    _declare("bee_colony", "artificial bees", ends_by_itself=False, limit=None, gen=None),
    _declare("cmaes", "CMA-ES", sigma0=None, force_bounds=None, gen=None, **_TOLERANCES),
    _declare(
        "compass_search", "steps along the axes", popsize=1, start_range=None, stop_range=1e-9,
        reduction_coeff=None,
    ),
    _declare(
        "de", "differential evolution", F=None, CR=None, variant=None, gen=None, **_TOLERANCES,
    ),
    _declare(
        "de1220", "self-adaptive differential evolution", variant_adptv=None, gen=None,
        **_TOLERANCES,
    ),
    _declare(
        "gaco", "ant colony", ends_by_itself=False, popsize=100, ker=None, q=None, focus=None,
        gen=None,
    ),
    _declare("gwo", "grey wolves", ends_by_itself=False, gen=None),
    _declare(
        "pso", "particle swarm", ends_by_itself=False, omega=None, eta1=None, eta2=None,
        variant=None, gen=None,
    ),
    _declare(
        "pso_gen", "particle swarm, a batch each generation", ends_by_itself=False, omega=None,
        eta1=None, eta2=None, variant=None, gen=None,
    ),
    _declare(
        "sade", "self-adaptive differential evolution", variant=None, variant_adptv=None, gen=None,
        **_TOLERANCES,
    ),
    _declare("sga", "genetic algorithm", ends_by_itself=False, cr=None, m=None, gen=None),
    _declare(
        "simulated_annealing", "annealing by Corana's schedule", popsize=1, Ts=None, Tf=None,
        n_T_adj=None, n_range_adj=None, bin_size=None, start_range=None,
    ),
    _declare(
        "xnes", "exponential natural evolution strategy", sigma0=None, force_bounds=None, gen=None,
        **_TOLERANCES,
    ),
    _declare(
        "nsga2", "sorting by dominance and crowding", **_TWO_OBJECTIVES, cr=None, eta_c=None,
        m=None, eta_m=None,
    ),
    _declare("moead", "decomposition, point by point", **_DECOMPOSITION),
    _declare("moead_gen", "decomposition, a batch each generation", **_DECOMPOSITION),
    _declare("maco", "ant colony", **_TWO_OBJECTIVES, ker=None, q=None, focus=None),
    _declare(
        "nspso", "particle swarm", **_TWO_OBJECTIVES, omega=None, c1=None, c2=None, chi=None,
        v_coeff=None, leader_selection_range=None, diversity_mechanism=None,
    ),
))  # fmt: skip

"""pymoo: its algorithms for one and for two objectives; generations are evaluated as batches.

Not among them: ``PatternSearch``, which draws from a generator that no seed reaches.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from .built_in import (
    UNLIMITED,
    BuiltIn,
    Ended,
    Method,
    Package,
    Vector,
    finite_bounds,
    with_integers,
)
from .cma import CMA

PYMOO = Package("pymoo", "pymoo", "Apache-2.0")
_MODULES = {
    "DE": "soo.nonconvex.de", "GA": "soo.nonconvex.ga", "PSO": "soo.nonconvex.pso",
    "CMAES": "soo.nonconvex.cmaes", "ES": "soo.nonconvex.es", "NelderMead": "soo.nonconvex.nelder",
    "NSGA2": "moo.nsga2", "NSGA3": "moo.nsga3", "MOEAD": "moo.moead", "SMSEMOA": "moo.sms",
    "SPEA2": "moo.spea2", "CMOPSO": "moo.cmopso",
}  # fmt: skip
_WITH_START = ("CMAES", "NelderMead")
_WITH_DIRECTIONS = ("NSGA3", "MOEAD")


def solve(
    name: str,
    problem: Any,
    x0: Vector,
    seed: int,
    *,
    xtol: float = 1e-9,
    ftol: float = 1e-13,
    period: int = 30,
    **options: Any,
) -> Ended:
    """Algorithm ``name`` until pymoo's default termination.

    That looks at ``xtol``, relative to the region's width, and ``ftol``, of values, over ``period``
    generations. Only ``CMAES`` and ``NelderMead`` take the start point; only the others take
    constraints, and have the integer variables of their points rounded before the evaluation.
    ``GA`` has crossover and mutation of its own for bits.
    """
    from pymoo.termination.default import DefaultSingleObjectiveTermination

    start: dict[str, Any] = {"x0": x0} if name in _WITH_START else {}
    if problem.is_binary and name == "GA":
        start = _bit_operators()
    module = import_module(f"pymoo.algorithms.{_MODULES[name]}")
    algorithm = getattr(module, name)(**{**start, **options})
    algorithm.setup(
        as_pymoo(problem, name), seed=seed, verbose=False,
        termination=DefaultSingleObjectiveTermination(
            xtol=xtol, ftol=ftol, period=period, n_max_gen=UNLIMITED, n_max_evals=UNLIMITED
        ),
    )  # fmt: skip
    return driven(algorithm, problem, rounded=name not in _WITH_START)


def solve_two(name: str, problem: Any, seed: int, *, pop_size: int = 100, **options: Any) -> Ended:
    """Algorithm ``name`` for two objectives, for ever, from a random population of ``pop_size``.

    NSGA3 and MOEAD take as many reference directions, evenly spread (Das and Dennis 1998).
    """
    from pymoo.util.ref_dirs import get_reference_directions

    module = import_module(f"pymoo.algorithms.{_MODULES[name]}")
    if name in _WITH_DIRECTIONS:
        options["ref_dirs"] = get_reference_directions("das-dennis", 2, n_partitions=pop_size - 1)
    if name != "MOEAD":
        options["pop_size"] = pop_size
    algorithm = getattr(module, name)(**options)
    algorithm.setup(
        as_pymoo(problem, name), seed=seed, verbose=False, termination=("n_gen", UNLIMITED)
    )
    return driven(algorithm, problem)


def _bit_operators() -> dict[str, Any]:
    """What pymoo's manual gives a genetic algorithm for bits."""
    from pymoo.operators.crossover.pntx import TwoPointCrossover
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.operators.sampling.rnd import BinaryRandomSampling

    return {
        "sampling": BinaryRandomSampling(),
        "crossover": TwoPointCrossover(),
        "mutation": BitflipMutation(),
    }


def driven(algorithm: Any, problem: Any, rounded: bool = True) -> Ended:
    """Have an algorithm that was set up run, integer variables ``rounded`` before evaluations."""
    if not rounded or not problem.number_of_integer_variables:
        while algorithm.has_next():
            algorithm.next()
    while algorithm.has_next():
        points = algorithm.infill()
        points.set("X", with_integers(problem, points.get("X")))
        algorithm.evaluator.eval(algorithm.problem, points, algorithm=algorithm)
        algorithm.advance(infills=points)
    return Ended("termination", int(algorithm.evaluator.n_eval))


def as_pymoo(problem: Any, name: str, **facts: Any) -> Any:
    """Pymoo's form of a problem for its algorithm ``name``, with more of pymoo's ``facts``."""
    from pymoo.core.problem import Problem

    class Observed(Problem):  # type: ignore[misc]
        """pymoo's form of the problem: a row for each point."""

        def _evaluate(self, x: Vector, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            points = np.atleast_2d(x)
            out["F"] = problem(points).reshape(len(points), objectives)
            if constraints:
                out["G"] = problem.constraint(points)

    objectives = problem.number_of_objectives
    constraints = 0 if name in _WITH_START else problem.number_of_constraints
    low, high = finite_bounds(f"pymoo:{name}", problem)
    return Observed(
        n_var=problem.dimension, n_obj=objectives, n_ieq_constr=constraints, xl=low, xu=high,
        **facts,
    )  # fmt: skip


def _single(name: str, about: str, *needs: Package, **options: Any) -> tuple[str, BuiltIn]:
    shared = {"xtol": None, "ftol": None, "period": None}
    method, knows = Method(solve, name, {**shared, **options}), name not in _WITH_START
    built_in = BuiltIn(
        method, about, (PYMOO, *needs), batch="yes", integers=knows, constraints=knows,
        bits="yes" if knows else "no",
    )  # fmt: skip
    return f"pymoo:{name}", built_in


def _multi(name: str, about: str, batch: str = "yes", **options: Any) -> tuple[str, BuiltIn]:
    method = Method(solve_two, name, {"pop_size": None, **options})
    return f"pymoo:{name}", BuiltIn(
        method, about, (PYMOO,), needs_budget=True, batch=batch, integers=True, objectives=(2,)
    )


OPTIMIZERS = dict((
    _single("DE", "differential evolution", pop_size=None, variant=None),
    _single("GA", "genetic algorithm", pop_size=None, n_offsprings=None),
    _single("ES", "evolution strategy", n_offsprings=None, pop_size=None),
    _single("PSO", "particle swarm", pop_size=None, w=None, c1=None, c2=None, adaptive=None),
    _single("CMAES", "CMA-ES, by pycma", CMA, sigma=None, pop_size=None, restarts=None, bipop=None),
    _single("NelderMead", "simplex search", init_simplex_scale=None),
    _multi("NSGA2", "sorting by dominance and crowding", n_offsprings=None),
    _multi("NSGA3", "sorting by dominance and reference directions", n_offsprings=None),
    _multi(
        "MOEAD", "decomposition, point by point", "no", n_neighbors=None, prob_neighbor_mating=None,
    ),
    _multi("SMSEMOA", "selection by hypervolume", n_offsprings=None),
    _multi("SPEA2", "strength and density", n_offsprings=None),
    _multi(
        "CMOPSO", "particle swarm with competitions", max_velocity_rate=None, elite_size=None,
        mutation_rate=None,
    ),
))  # fmt: skip

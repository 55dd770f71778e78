"""Declare algorithms of the package pymoo, for one and for two objectives.

Each generation is evaluated as one batch. ``PatternSearch`` is not declared, because it uses a
random generator whose seed cannot be set.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from ....suites.arrays import Floats
from .built_in import (
    UNLIMITED,
    BuiltIn,
    Method,
    Package,
    StartResult,
    finite_bounds,
    round_integers,
)
from .cma import CMA

PYMOO = Package("pymoo", "pymoo", "Apache-2.0")
_MODULES = {
    "DE": "soo.nonconvex.de", "GA": "soo.nonconvex.ga", "PSO": "soo.nonconvex.pso",
    "CMAES": "soo.nonconvex.cmaes", "ES": "soo.nonconvex.es", "NelderMead": "soo.nonconvex.nelder",
    "NSGA2": "moo.nsga2", "NSGA3": "moo.nsga3", "MOEAD": "moo.moead", "SMSEMOA": "moo.sms",
    "SPEA2": "moo.spea2", "CMOPSO": "moo.cmopso",
}  # fmt: skip
"""Module of each algorithm in ``pymoo.algorithms``."""
_WITH_START = ("CMAES", "NelderMead")
"""Algorithms that use a start point. They handle neither constraints nor integer variables."""
_WITH_DIRECTIONS = ("NSGA3", "MOEAD")
"""Algorithms that need reference directions."""


def solve(
    name: str,
    problem: Any,
    x0: Floats,
    seed: int,
    *,
    xtol: float = 1e-9,
    ftol: float = 1e-13,
    period: int = 30,
    **options: Any,
) -> StartResult:
    """Run an algorithm for one objective until pymoo's default termination.

    On bits, ``GA`` uses binary crossover and mutation.

    Args:
        name: Name of the algorithm's class. ``CMAES`` and ``NelderMead`` use the start point; the
            others handle constraints, and their integer variables are rounded.
        problem: The observed problem, with finite bounds.
        x0: Start point, shape ``(dimension,)``.
        seed: Seed of this start.
        xtol: Change of points, relative to the bounds' width, below which the start ends.
        ftol: Change of values below which the start ends.
        period: Number of generations over which changes are measured.
        **options: Further arguments of the class.

    Returns:
        The stop reason, and the number of evaluations.
    """
    from pymoo.termination.default import DefaultSingleObjectiveTermination

    start: dict[str, Any] = {"x0": x0} if name in _WITH_START else {}
    if problem.is_binary and name == "GA":
        start = _binary_operators()
    module = import_module(f"pymoo.algorithms.{_MODULES[name]}")
    algorithm = getattr(module, name)(**{**start, **options})
    algorithm.setup(
        as_pymoo(problem, name), seed=seed, verbose=False,
        termination=DefaultSingleObjectiveTermination(
            xtol=xtol, ftol=ftol, period=period, n_max_gen=UNLIMITED, n_max_evals=UNLIMITED
        ),
    )  # fmt: skip
    return _run_generations(algorithm, problem, rounds_integers=name not in _WITH_START)


def solve_two(
    name: str, problem: Any, seed: int, *, pop_size: int = 100, **options: Any
) -> StartResult:
    """Run an algorithm for two objectives from a random population until the budget is spent.

    Args:
        name: Name of the algorithm's class.
        problem: The observed problem, with finite bounds.
        seed: Seed of this start.
        pop_size: Number of points, and of the evenly spread reference directions of ``NSGA3`` and
            ``MOEAD`` (Das and Dennis 1998).
        **options: Further arguments of the class.
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
    return _run_generations(algorithm, problem)


def _binary_operators() -> dict[str, Any]:
    """Return the operators that pymoo's manual recommends for a genetic algorithm on bits."""
    from pymoo.operators.crossover.pntx import TwoPointCrossover
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.operators.sampling.rnd import BinaryRandomSampling

    return {
        "sampling": BinaryRandomSampling(),
        "crossover": TwoPointCrossover(),
        "mutation": BitflipMutation(),
    }


def _run_generations(algorithm: Any, problem: Any, rounds_integers: bool = True) -> StartResult:
    """Run an algorithm until it terminates.

    Args:
        algorithm: Algorithm of pymoo after its method ``setup``.
        problem: The observed problem.
        rounds_integers: Whether integer variables are rounded before each evaluation, so that the
            algorithm learns the evaluated points.
    """
    if not rounds_integers or not problem.number_of_integer_variables:
        while algorithm.has_next():
            algorithm.next()
    while algorithm.has_next():
        points = algorithm.infill()
        points.set("X", round_integers(problem, points.get("X")))
        algorithm.evaluator.eval(algorithm.problem, points, algorithm=algorithm)
        algorithm.advance(infills=points)
    return StartResult("termination", int(algorithm.evaluator.n_eval))


def as_pymoo(problem: Any, name: str, **attributes: Any) -> Any:
    """Return an observed problem as a ``pymoo.core.problem.Problem``.

    Args:
        problem: The observed problem.
        name: Name of the algorithm, for messages. Algorithms that do not handle constraints get a
            problem without constraints.
        **attributes: Further arguments of pymoo's class.

    Raises:
        OptimizerError: A bound is infinite.
    """
    from pymoo.core.problem import Problem

    class PymooProblem(Problem):  # type: ignore[misc]
        """A problem of pymoo that evaluates a whole batch, one point in each row."""

        def _evaluate(self, x: Floats, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            """Write the values of a batch of points, and of their constraints, into ``out``."""
            if np.asarray(x).dtype == object:  # mixed variables: a dictionary for each point
                x = np.array([[point[name] for name in self.vars] for point in x], np.float64)
            points = np.atleast_2d(x)
            out["F"] = problem(points).reshape(len(points), objectives)
            if constraints:
                out["G"] = problem.constraint(points)

    objectives = problem.number_of_objectives
    constraints = 0 if name in _WITH_START else problem.number_of_constraints
    low, high = finite_bounds(f"pymoo:{name}", problem)
    return PymooProblem(
        n_var=problem.dimension, n_obj=objectives, n_ieq_constr=constraints, xl=low, xu=high,
        **attributes,
    )  # fmt: skip


def declare_variables(problem: Any) -> dict[str, Any]:
    """Return pymoo's variables by name, ``x0``, ``x1``, …: first the integers, then the reals."""
    from pymoo.core.variable import Integer, Real

    low, high = finite_bounds("bridges.pymoo", problem)
    n_integers = problem.number_of_integer_variables
    return {
        f"x{i}": Integer(bounds=(int(low[i]), int(high[i])))
        if i < n_integers
        else Real(bounds=(low[i], high[i]))
        for i in range(problem.dimension)
    }


def _declare(name: str, about: str, *packages: Package, **options: Any) -> tuple[str, BuiltIn]:
    """Declare an algorithm for one objective, and return the optimizer's name and description.

    Args:
        name: Name of the algorithm's class.
        about: The method in a few words.
        *packages: Packages that the algorithm needs besides pymoo.
        **options: Parameters that a campaign may set. None as a default: pymoo's default.
    """
    tolerances = {"xtol": None, "ftol": None, "period": None}
    is_general = name not in _WITH_START
    built_in = BuiltIn(
        Method(solve, name, {**tolerances, **options}), about, (PYMOO, *packages), batch="yes",
        integers=is_general, constraints=is_general, bits="yes" if is_general else "no",
    )  # fmt: skip
    return f"pymoo:{name}", built_in


def _declare_two(name: str, about: str, batch: str = "yes", **options: Any) -> tuple[str, BuiltIn]:
    """Declare an algorithm for two objectives, like `_declare`.

    ``batch`` is ``"yes"`` if a generation is one batch, and ``"no"`` if it is evaluated point by
    point.
    """
    method = Method(solve_two, name, {"pop_size": None, **options})
    return f"pymoo:{name}", BuiltIn(
        method, about, (PYMOO,), needs_budget=True, batch=batch, integers=True, objectives=(2,)
    )


OPTIMIZERS = dict((
    _declare("DE", "differential evolution", pop_size=None, variant=None),
    _declare("GA", "genetic algorithm", pop_size=None, n_offsprings=None),
    _declare("ES", "evolution strategy", n_offsprings=None, pop_size=None),
    _declare("PSO", "particle swarm", pop_size=None, w=None, c1=None, c2=None, adaptive=None),
    _declare(
        "CMAES", "CMA-ES, by pycma", CMA, sigma=None, pop_size=None, restarts=None, bipop=None,
    ),
    _declare("NelderMead", "simplex search", init_simplex_scale=None),
    _declare_two("NSGA2", "sorting by dominance and crowding", n_offsprings=None),
    _declare_two("NSGA3", "sorting by dominance and reference directions", n_offsprings=None),
    _declare_two(
        "MOEAD", "decomposition, point by point", "no", n_neighbors=None, prob_neighbor_mating=None,
    ),
    _declare_two("SMSEMOA", "selection by hypervolume", n_offsprings=None),
    _declare_two("SPEA2", "strength and density", n_offsprings=None),
    _declare_two(
        "CMOPSO", "particle swarm with competitions", max_velocity_rate=None, elite_size=None,
        mutation_rate=None,
    ),
))  # fmt: skip

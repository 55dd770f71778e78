"""Declare CMA-ES of the package pycma, in two forms.

`fmin2` calls the function ``cma.fmin2``, which may restart CMA-ES. `run_generations` asks
``cma.CMAEvolutionStrategy`` for each generation, and evaluates it as one batch. Both handle
constraints with pycma's augmented Lagrangian, whose coefficients are updated after each generation.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ....suites.arrays import Floats
from .built_in import BuiltIn, Method, Package, StartResult, first_sigma

CMA = Package("cma", "cma", "BSD-3-Clause")
# Parameters that a campaign may set. A value of None means the default of pycma.
_OPTIONS = dict.fromkeys((
    "popsize", "popsize_factor", "AdaptSigma", "BoundaryHandler", "CMA_active", "CMA_cmean",
    "CMA_diagonal", "CMA_diagonal_decoding", "CMA_elitist", "CMA_mirrormethod", "CMA_mirrors",
    "CMA_mu", "CMA_on", "CMA_rankmu", "CMA_rankone", "CMA_recombination_weights", "CMA_stds",
    "CSA_dampfac", "CSA_squared", "integer_variables", "maxiter", "maxstd", "mindx", "minstd",
    "tolconditioncov", "tolfacupx", "tolflatfitness", "tolfun", "tolfunhist", "tolfunrel",
    "tolstagnation", "tolupsigma", "tolx", "tolxstagnation", "updatecovwait",
))  # fmt: skip
_RESTARTS = {"restarts": 9, "incpopsize": None, **_OPTIONS}


def fmin2(
    problem: Any,
    x0: Floats,
    seed: int,
    *,
    sigma0: float | None = None,
    restarts: int = 0,
    bipop: bool = False,
    incpopsize: int = 2,
    in_bounds: bool = False,
    **options: Any,
) -> StartResult:
    """Call ``cma.fmin2``, and record each of its restarts in the observed problem.

    A restart begins at a new start point, with a larger population. The augmented Lagrangian is
    reset at each restart.

    Args:
        problem: The observed problem.
        x0: First start point, shape ``(dimension,)``.
        seed: Seed of this start, >= 1.
        sigma0: First step size. None: a fifth of the mean width of the bounds.
        restarts: Maximum number of restarts by pycma.
        bipop: Whether restarts alternate between large and small populations.
        incpopsize: Factor of the population at each restart.
        in_bounds: Whether points stay in the problem's bounds.
        **options: Options of ``cma.CMAOptions``.

    Returns:
        The reasons why the last start ended, and the number of evaluations of all starts.
    """
    import cma

    # The strategy of the previous start; empty at the first start. It is a list, so that the nested
    # functions can replace its content.
    previous: list[Any] = []
    lagrangian = _make_lagrangian(problem)

    def choose_start() -> Floats:
        if not previous:
            return x0
        if lagrangian is not None:
            lagrangian.reset()
        point: Floats = problem.initial_solution_proposal(1)
        problem.restart(_stop_reasons(previous[0]), start=point)
        return point

    def remember(strategy: Any) -> None:
        previous[:] = [strategy]

    _, strategy = cma.fmin2(
        problem if lagrangian is None else lagrangian, choose_start, first_sigma(problem, sigma0),
        _settings(problem, seed, in_bounds, options), restarts=restarts, bipop=bipop,
        incpopsize=incpopsize, init_callback=remember,
        callback=None if lagrangian is None else partial(_update, lagrangian),
    )  # fmt: skip
    return StartResult(_stop_reasons(strategy), int(strategy.result.evaluations))


def run_generations(
    problem: Any,
    x0: Floats,
    seed: int,
    *,
    sigma0: float | None = None,
    in_bounds: bool = False,
    **options: Any,
) -> StartResult:
    """Run ``cma.CMAEvolutionStrategy`` until it stops, and evaluate each generation as one batch.

    With constraints, an augmented Lagrangian is minimized. The arguments are those of `fmin2`.

    Returns:
        The reasons why the strategy stopped, and the number of evaluations.
    """
    import cma

    settings = _settings(problem, seed, in_bounds, options)
    strategy = cma.CMAEvolutionStrategy(x0, first_sigma(problem, sigma0), settings)
    lagrangian = _make_lagrangian(problem)
    while not strategy.stop():
        points = strategy.ask()
        values = problem(np.asarray(points))
        if lagrangian is None:
            strategy.tell(points, values)
            continue
        # The Lagrangian calls two functions for each point of the batch, in order. The batch has
        # been evaluated already, so that these functions only return the next values.
        objective_values = iter(values.tolist())
        constraint_values = iter(problem.constraint(np.asarray(points)).tolist())
        lagrangian.fun = lambda _, remaining=objective_values: next(remaining)
        lagrangian.constraints = lambda _, remaining=constraint_values: next(remaining)
        strategy.tell(points, [lagrangian(x) for x in points])
        _update(lagrangian, strategy)
    return StartResult(_stop_reasons(strategy), int(strategy.countevals))


def _make_lagrangian(problem: Any) -> Any:
    """Make the augmented Lagrangian of a constrained problem; return None without constraints."""
    import cma

    if not problem.number_of_constraints:
        return None
    return cma.ConstrainedFitnessAL(problem, problem.constraint, logging=0, archives=False)


def _update(lagrangian: Any, strategy: Any) -> None:
    """Update the coefficients of the augmented Lagrangian after a generation."""
    with warnings.catch_warnings():
        # pycma warns of an interquartile range of 0 if a constraint is always satisfied.
        warnings.filterwarnings("ignore", message="iqr")
        lagrangian.update(strategy)


def _settings(
    problem: Any, seed: int, in_bounds: bool, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options of pycma: no output, those for the problem, and ``options``."""
    quiet = {"verbose": -9, "verb_log": 0, "verb_disp": 0, "seed": seed}
    special: dict[str, Any] = {}
    if in_bounds:
        special["bounds"] = [problem.lower_bounds, problem.upper_bounds]
    if integers := problem.number_of_integer_variables:
        special["integer_variables"] = list(range(integers))
    if problem.number_of_constraints:
        # The penalized values change with the coefficients, so that stagnation of these values does
        # not mean convergence. cma.fmin_con2 disables this criterion, too.
        special["tolstagnation"] = 0
    return {**quiet, **special, **options}


def _stop_reasons(strategy: Any) -> str:
    """Return the names of the stop criteria that a strategy has met, separated by commas."""
    return ", ".join(str(name) for name in strategy.stop())


_declare = partial(BuiltIn, packages=(CMA,), integers=True, constraints=True)
OPTIMIZERS = {
    "cma:fmin2": _declare(
        Method(fmin2, None, {"sigma0": None, "restarts": None, "bipop": None, "incpopsize": None,
                             "in_bounds": None, **_OPTIONS}),
        "CMA-ES; with restarts > 0, its own", restarts=True,
    ),
    "cma:CMA-ES": _declare(
        Method(run_generations, None, {"sigma0": None, "in_bounds": None, **_OPTIONS}),
        "CMA-ES, a batch each generation", batch="yes",
    ),
    "cma:IPOP": _declare(
        Method(fmin2, None, {"sigma0": None, "in_bounds": None, **_RESTARTS}),
        "CMA-ES restarted with doubled populations", restarts=True,
    ),
    "cma:BIPOP": _declare(
        Method(partial(fmin2, bipop=True), None, {"sigma0": None, "in_bounds": None, **_RESTARTS}),
        "CMA-ES restarted with large and small populations", restarts=True,
    ),
}  # fmt: skip

"""pycma: CMA-ES as a function, as an object driven in batches, and with its own restarts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from .built_in import BuiltIn, Ended, Method, Package, Vector, first_sigma

CMA = Package("cma", "cma", "BSD-3-Clause")
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
    kind: str,
    problem: Any,
    x0: Vector,
    seed: int,
    *,
    sigma0: float | None = None,
    restarts: int = 0,
    bipop: bool = False,
    incpopsize: int = 2,
    in_bounds: bool = False,
    **options: Any,
) -> Ended:
    """``cma.fmin2``; its own restarts are announced, with the reason why the last start ended.

    These come from new start points, with populations ``incpopsize`` times as large each; with
    ``bipop``, or of kind ``"BIPOP"``, large and small populations alternate. ``sigma0``, the first
    step size, is by default a fifth of the region's mean width; the problem's bounds are obeyed
    with ``in_bounds``. Other options are those of ``cma.CMAOptions``. Constraints are handled by an
    augmented Lagrangian, which begins anew with each start.
    """
    import cma

    last: list[Any] = []
    lagrangian = _lagrangian(problem)

    def start() -> Vector:
        if not last:
            return x0
        if lagrangian is not None:
            lagrangian.reset()
        point: Vector = problem.initial_solution_proposal(1)
        problem.restart(_why(last[0]), start=point)
        return point

    def remember(strategy: Any) -> None:
        last[:] = [strategy]

    _, strategy = cma.fmin2(
        problem if lagrangian is None else lagrangian, start, first_sigma(problem, sigma0),
        _settings(problem, seed, in_bounds, options), restarts=restarts,
        bipop=bipop or kind == "BIPOP", incpopsize=incpopsize, init_callback=remember,
        callback=None if lagrangian is None else partial(_update, lagrangian),
    )  # fmt: skip
    return Ended(_why(strategy), int(strategy.result.evaluations))


def ask_tell(
    kind: str,
    problem: Any,
    x0: Vector,
    seed: int,
    *,
    sigma0: float | None = None,
    in_bounds: bool = False,
    **options: Any,
) -> Ended:
    """``cma.CMAEvolutionStrategy``, each generation evaluated as one batch."""
    import cma

    settings = _settings(problem, seed, in_bounds, options)
    strategy = cma.CMAEvolutionStrategy(x0, first_sigma(problem, sigma0), settings)
    lagrangian = _lagrangian(problem)
    while not strategy.stop():
        points = strategy.ask()
        values = problem(np.asarray(points))
        if lagrangian is None:
            strategy.tell(points, values)
            continue
        objective_values = iter(values.tolist())
        constraint_values = iter(problem.constraint(np.asarray(points)).tolist())
        lagrangian.fun = lambda _, each=objective_values: next(each)
        lagrangian.constraints = lambda _, each=constraint_values: next(each)
        strategy.tell(points, [lagrangian(x) for x in points])
        _update(lagrangian, strategy)
    return Ended(_why(strategy), int(strategy.countevals))


def _lagrangian(problem: Any) -> Any:
    """What pycma minimises where there are constraints; None without any."""
    import cma

    if not problem.number_of_constraints:
        return None
    return cma.ConstrainedFitnessAL(problem, problem.constraint, logging=0, archives=False)


def _update(lagrangian: Any, strategy: Any) -> None:
    """Adapt the coefficients after a generation."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="iqr")  # where a constraint is always satisfied
        lagrangian.update(strategy)


def _settings(
    problem: Any, seed: int, in_bounds: bool, options: Mapping[str, Any]
) -> dict[str, Any]:
    quiet = {"verbose": -9, "verb_log": 0, "verb_disp": 0, "seed": seed}
    special: dict[str, Any] = {}
    if in_bounds:
        special["bounds"] = [problem.lower_bounds, problem.upper_bounds]
    if integers := problem.number_of_integer_variables:
        special["integer_variables"] = list(range(integers))
    if problem.number_of_constraints:
        special["tolstagnation"] = 0  # as cma.fmin_con2 does: the values change over time
    return {**quiet, **special, **options}


def _why(strategy: Any) -> str:
    return ", ".join(str(name) for name in strategy.stop())


_fmin2 = partial(Method, fmin2)
_built_in = partial(BuiltIn, packages=(CMA,), integers=True, constraints=True)
OPTIMIZERS = {
    "cma:fmin2": _built_in(
        _fmin2("", {"sigma0": None, "restarts": None, "bipop": None, "incpopsize": None,
                    "in_bounds": None, **_OPTIONS}),
        "CMA-ES; with restarts > 0, its own", restarts=True,
    ),
    "cma:CMA-ES": _built_in(
        Method(ask_tell, "", {"sigma0": None, "in_bounds": None, **_OPTIONS}),
        "CMA-ES, a batch each generation", batch="yes",
    ),
    "cma:IPOP": _built_in(
        _fmin2("IPOP", {"sigma0": None, "in_bounds": None, **_RESTARTS}),
        "CMA-ES restarted with doubled populations", restarts=True,
    ),
    "cma:BIPOP": _built_in(
        _fmin2("BIPOP", {"sigma0": None, "in_bounds": None, **_RESTARTS}),
        "CMA-ES restarted with large and small populations", restarts=True,
    ),
}  # fmt: skip

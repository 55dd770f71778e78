"""Declare samplers of the package optuna as optimizers.

`solve` runs a sampler until the budget is spent, because a sampler never ends by itself. `Study` is
the interface with ``ask`` and ``tell`` for single points.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from ....suites.arrays import Floats
from .built_in import BuiltIn, Method, Package, finite_bounds
from .cmaes import CMAES

OPTUNA = Package("optuna", "optuna", "MIT")
TORCH = Package("torch", "torch", "BSD-3-Clause", "torch")


def solve(name: str, problem: Any, seed: int, **options: Any) -> None:
    """Run a study until the budget is spent, at which the problem raises an exception.

    No start point is used, because the sampler chooses its first points itself.

    Args:
        name: Name of the sampler's class.
        problem: The observed problem, with finite bounds.
        seed: Seed of this start.
        **options: Further arguments of the class.
    """
    study = Study(name, problem, seed, **options)
    while True:
        point = study.ask()
        study.tell(point, problem(point))


class Study:
    """A study of optuna with ``ask`` and ``tell`` for single points.

    Values may be told in any order. The arguments are those of `solve`.
    """

    def __init__(self, name: str, problem: Any, seed: int, **options: Any) -> None:
        import optuna

        self._problem = problem
        self._space = space_of(problem, f"optuna:{name}")
        self._trials: dict[int, Any] = {}  # pending trials by the ``id()`` of their points
        self._hide_info = partial(_hide_info, optuna.logging)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = getattr(optuna.samplers, name)(seed=seed, **options)
        directions: Any = ["minimize"] * problem.number_of_objectives
        with self._hide_info():
            self._study = optuna.create_study(sampler=sampler, directions=directions)

    def ask(self) -> Floats:
        """Begin a trial and return its point, shape ``(dimension,)``."""
        with self._hide_info():
            trial = self._study.ask(self._space)
        point = np.array([trial.params[axis] for axis in self._space], dtype=np.float64)
        self._trials[id(point)] = trial
        return point

    def tell(self, point: Floats, value: Any) -> None:
        """End the trial of a point.

        Args:
            point: The object that `ask` returned, not a copy of it.
            value: Objective value, or values of two objectives.
        """
        trial = self._trials.pop(id(point))
        tell_constraints(self._problem, trial, point)
        with self._hide_info():
            self._study.tell(trial, np.ravel(value).tolist())


def space_of(problem: Any, label: str) -> dict[str, Any]:
    """Return optuna's distributions of the variables of a problem.

    Args:
        problem: The observed problem.
        label: Name of the optimizer or function that needs finite bounds, for the message.

    Returns:
        Distribution of each variable by its name: ``x0``, ``x1``, … Integer variables have an
        integer distribution, and all others a float distribution.

    Raises:
        OptimizerError: A bound is infinite.
    """
    import optuna

    low, high = finite_bounds(label, problem)
    integers = problem.number_of_integer_variables
    return {
        f"x{i}": optuna.distributions.IntDistribution(int(a), int(b))
        if i < integers
        else optuna.distributions.FloatDistribution(a, b)
        for i, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True))
    }


def tell_constraints(problem: Any, trial: Any, point: Floats) -> None:
    """Store the values of the constraints in a trial, if the problem has constraints.

    Args:
        problem: The observed problem.
        trial: Trial of optuna, which is changed.
        point: Point of the trial, shape ``(dimension,)``. It must be the point of the last
            evaluation.
    """
    if problem.number_of_constraints:
        for number, violation in enumerate(problem.constraint(point).tolist()):
            trial.set_constraint(f"g{number}", violation)


@contextmanager
def _hide_info(logging: Any) -> Iterator[None]:
    """Suppress the line that optuna logs for each study and trial."""
    verbosity = logging.get_verbosity()
    logging.set_verbosity(logging.WARNING)
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)


def _declare(
    name: str,
    about: str,
    *packages: Package,
    constraints: bool = True,
    objectives: tuple[int, ...] = (1, 2),
    **options: Any,
) -> BuiltIn:
    """Declare a sampler.

    Args:
        name: Name of the sampler's class.
        about: The method in a few words.
        *packages: Packages that the sampler needs besides optuna.
        constraints: Whether the sampler uses the values of constraints.
        objectives: Numbers of objectives that the sampler accepts.
        **options: Parameters that a campaign may set. None as a default: optuna's default.
    """
    return BuiltIn(
        Method(solve, name, options), about, (OPTUNA, *packages), needs_budget=True, integers=True,
        bits="yes", constraints=constraints, objectives=objectives,
        ask_tell=Method(Study, name, options),
    )  # fmt: skip


_GENETIC: dict[str, Any] = {
    "constraints": False, "objectives": (2,), "population_size": None, "mutation_prob": None,
    "crossover_prob": None, "swapping_prob": None,
}  # fmt: skip
OPTIMIZERS = {
    "optuna:TPE": _declare(
        "TPESampler", "tree-structured Parzen estimators", multivariate=None, group=None,
        n_startup_trials=None, n_ei_candidates=None, constant_liar=None,
    ),
    "optuna:CMA-ES": _declare(
        "CmaEsSampler", "CMA-ES", CMAES, constraints=False, objectives=(1,), popsize=None,
        n_startup_trials=None, use_separable_cma=None, with_margin=None, lr_adapt=None,
    ),
    "optuna:GP": _declare(
        "GPSampler", "Gaussian process", TORCH, n_startup_trials=None,
        deterministic_objective=None,
    ),
    "optuna:Random": _declare("RandomSampler", "uniform points"),
    "optuna:NSGA-II": _declare(
        "NSGAIISampler", "sorting by dominance and crowding", **_GENETIC,
    ),
    "optuna:NSGA-III": _declare(
        "NSGAIIISampler", "sorting by dominance and reference directions", **_GENETIC,
        dividing_parameter=None,
    ),
}  # fmt: skip

"""optuna: its samplers, asked and told point by point. They never end."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from .built_in import BuiltIn, Method, Package, Vector, finite_bounds
from .cmaes import CMAES

OPTUNA = Package("optuna", "optuna", "MIT")
TORCH = Package("torch", "torch", "BSD-3-Clause", "torch")


def solve(name: str, problem: Any, seed: int, **options: Any) -> None:
    """A study with the sampler ``name``, for ever; the samplers choose their first points."""
    study = Study(name, problem, seed, **options)
    while True:
        point = study.ask()
        study.tell(point, problem(point))


class Study:
    """The same, asked and told point by point, in any order."""

    def __init__(self, name: str, problem: Any, seed: int, **options: Any) -> None:
        import optuna

        self._problem = problem
        self._space = space_of(problem, f"optuna:{name}")
        self._trials: dict[int, Any] = {}
        self._silent = partial(_silent, optuna.logging)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = getattr(optuna.samplers, name)(seed=seed, **options)
        directions: Any = ["minimize"] * problem.number_of_objectives
        with self._silent():
            self._study = optuna.create_study(sampler=sampler, directions=directions)

    def ask(self) -> Vector:
        """The point of a new trial."""
        with self._silent():
            trial = self._study.ask(self._space)
        point = np.array([trial.params[axis] for axis in self._space], dtype=np.float64)
        self._trials[id(point)] = trial
        return point

    def tell(self, point: Vector, value: Any) -> None:
        """The value of a point that was asked for; that very object."""
        trial = self._trials.pop(id(point))
        tell_constraints(self._problem, trial, point)
        with self._silent():
            self._study.tell(trial, np.ravel(value).tolist())


def space_of(problem: Any, who: str) -> dict[str, Any]:
    """Optuna's distributions of the variables ``x0``, ``x1``, …; ``who`` needs finite bounds."""
    import optuna

    low, high = finite_bounds(who, problem)
    integers = problem.number_of_integer_variables
    return {
        f"x{i}": optuna.distributions.IntDistribution(int(a), int(b))
        if i < integers
        else optuna.distributions.FloatDistribution(a, b)
        for i, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True))
    }


def tell_constraints(problem: Any, trial: Any, point: Vector) -> None:
    """Tell a trial the values of the constraints at its point, where there are any."""
    if problem.number_of_constraints:
        for number, violation in enumerate(problem.constraint(point).tolist()):
            trial.set_constraint(f"g{number}", violation)


@contextmanager
def _silent(logging: Any) -> Iterator[None]:
    """Without a line of log for each study and trial."""
    before = logging.get_verbosity()
    logging.set_verbosity(logging.WARNING)
    try:
        yield
    finally:
        logging.set_verbosity(before)


def _sampler(
    name: str,
    about: str,
    *needs: Package,
    constraints: bool = True,
    objectives: tuple[int, ...] = (1, 2),
    **options: Any,
) -> BuiltIn:
    return BuiltIn(
        Method(solve, name, options), about, (OPTUNA, *needs), needs_budget=True, integers=True,
        bits="yes", constraints=constraints, objectives=objectives,
        ask_tell=Method(Study, name, options),
    )  # fmt: skip


_GENETIC: dict[str, Any] = {
    "constraints": False, "objectives": (2,), "population_size": None, "mutation_prob": None,
    "crossover_prob": None, "swapping_prob": None,
}  # fmt: skip
OPTIMIZERS = {
    "optuna:TPE": _sampler(
        "TPESampler", "tree-structured Parzen estimators", multivariate=None, group=None,
        n_startup_trials=None, n_ei_candidates=None, constant_liar=None,
    ),
    "optuna:CMA-ES": _sampler(
        "CmaEsSampler", "CMA-ES", CMAES, constraints=False, objectives=(1,), popsize=None,
        n_startup_trials=None, use_separable_cma=None, with_margin=None, lr_adapt=None,
    ),
    "optuna:GP": _sampler(
        "GPSampler", "Gaussian process", TORCH, n_startup_trials=None,
        deterministic_objective=None,
    ),
    "optuna:Random": _sampler("RandomSampler", "uniform points"),
    "optuna:NSGA-II": _sampler(
        "NSGAIISampler", "sorting by dominance and crowding", **_GENETIC,
    ),
    "optuna:NSGA-III": _sampler(
        "NSGAIIISampler", "sorting by dominance and reference directions", **_GENETIC,
        dividing_parameter=None,
    ),
}  # fmt: skip

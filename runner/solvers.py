"""Built-in optimizers: random search, scipy's methods, cma. Each is one small function.

scipy's methods keep scipy's settings but for the limits: they run until they converge (their own
limits on iterations are lifted: the run's budget is the limit) and to tolerances that the final
target 1e-8 needs. Every option is a parameter that a campaign can set.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import OptimizerError

Solver = Callable[..., Any]
_UNLIMITED = 10**9


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """One built-in optimizer.

    Attributes:
        solve: The callable.
        about: What it is, in a few words.
        needs_budget: It never ends by itself.
        package: The optional package it needs, ``""`` for none.
    """

    solve: Solver
    about: str
    needs_budget: bool = False
    package: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether the package it needs is there."""
        return not self.package or importlib.util.find_spec(self.package) is not None


def random_search(problem: Any, rng: np.random.Generator, *, batch_size: int = 1000) -> None:
    """Uniform points in the bounds, evaluated in batches, for ever."""
    if batch_size < 1:
        raise OptimizerError(f"random-search: batch_size must be >= 1, got {batch_size}")
    low, high = _finite_bounds("random-search", problem.lower_bounds, problem.upper_bounds)
    while True:
        problem(rng.uniform(low, high, (batch_size, len(low))))


@dataclass(frozen=True)
class ScipyMinimize:
    """``scipy.optimize.minimize`` with one method; its options are keyword arguments.

    Attributes:
        method: scipy's name.
        options: Names of the options it takes, with firsthit's default; None leaves scipy's.
        takes_bounds: Whether the method obeys bounds.
    """

    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    takes_bounds: bool = True

    def __call__(self, problem: Any, x0: NDArray[np.float64], bounds: Any, **options: Any) -> Any:
        """One convergence from ``x0``."""
        from scipy.optimize import minimize

        given = {k: v for k, v in {**self.options, **options}.items() if v is not None}
        limits = bounds if self.takes_bounds else None
        return minimize(problem, x0, method=self.method, bounds=limits, options=given)

    @property
    def __signature__(self) -> inspect.Signature:
        """What it takes: problem, x0, bounds, and each option by name."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        first = [inspect.Parameter(name, kind) for name in ("problem", "x0", "bounds")]
        rest = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
            for name, value in self.options.items()
        ]
        return inspect.Signature([*first, *rest])


def differential_evolution(
    problem: Any,
    x0: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    strategy: str = "best1bin",
    popsize: int = 15,
    mutation: Any = (0.5, 1.0),
    recombination: float = 0.7,
    tol: float = 0.0,
    atol: float = 1e-9,
    maxiter: int = _UNLIMITED,
    init: str = "latinhypercube",
    polish: bool = False,
) -> Any:
    """``scipy.optimize.differential_evolution``; tolerances are absolute, no polishing."""
    from scipy.optimize import differential_evolution as solve

    low, high = _finite_bounds(
        "scipy:differential_evolution", problem.lower_bounds, problem.upper_bounds
    )
    return solve(
        problem, list(zip(low, high, strict=True)), strategy=strategy, popsize=popsize,
        mutation=tuple(mutation) if isinstance(mutation, list) else mutation,
        recombination=recombination, tol=tol, atol=atol, maxiter=maxiter, init=init,
        polish=polish, x0=x0, seed=rng,
    )  # fmt: skip


def dual_annealing(
    problem: Any,
    x0: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    maxiter: int = 1000,
    initial_temp: float = 5230.0,
    visit: float = 2.62,
    accept: float = -5.0,
    no_local_search: bool = False,
) -> Any:
    """``scipy.optimize.dual_annealing``."""
    from scipy.optimize import dual_annealing as solve

    low, high = _finite_bounds("scipy:dual_annealing", problem.lower_bounds, problem.upper_bounds)
    return solve(
        problem, list(zip(low, high, strict=True)), maxiter=maxiter, initial_temp=initial_temp,
        visit=visit, accept=accept, no_local_search=no_local_search, maxfun=_UNLIMITED,
        x0=x0, seed=rng,
    )  # fmt: skip


def cma_fmin2(
    problem: Any,
    x0: NDArray[np.float64],
    seed: int,
    *,
    sigma0: float | None = None,
    restarts: int = 0,
    bipop: bool = False,
    **options: Any,
) -> Any:
    """``cma.fmin2``: CMA-ES without bounds; ``options`` are those of ``cma.CMAOptions``.

    Args:
        problem: The observed problem.
        x0: Start point.
        seed: For cma.
        sigma0: Initial step size; by default a fifth of the region's mean width.
        restarts: Restarts inside cma with growing population, from new start points.
        bipop: Whether these alternate between large and small populations.
        options: ``popsize``, ``CMA_active``, ``tolfun``, …
    """
    import cma

    width = float(np.mean(problem.upper_bounds - problem.lower_bounds))
    quiet = {"verbose": -9, "verb_log": 0, "verb_disp": 0, "seed": seed}
    start = (lambda: problem.initial_solution_proposal()) if restarts else x0
    return cma.fmin2(
        problem, start, width / 5 if sigma0 is None else sigma0, {**quiet, **options},
        restarts=restarts, bipop=bipop,
    )  # fmt: skip


def _finite_bounds(
    who: str, lower: NDArray[np.float64], upper: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        raise OptimizerError(f"{who} needs finite bounds; the problem has {lower} and {upper}")
    return lower, upper


def _minimize(about: str, method: str, takes_bounds: bool = True, **options: Any) -> BuiltIn:
    return BuiltIn(ScipyMinimize(method, options, takes_bounds), about)


BUILT_IN: Mapping[str, BuiltIn] = {
    "random-search": BuiltIn(
        random_search, "uniform points in the bounds, in batches", needs_budget=True
    ),
    "scipy:Nelder-Mead": _minimize(
        "simplex search", "Nelder-Mead", maxiter=_UNLIMITED, maxfev=None, xatol=1e-9, fatol=1e-9,
        adaptive=None, initial_simplex=None,
    ),
    "scipy:Powell": _minimize(
        "conjugate directions, line searches", "Powell", maxiter=_UNLIMITED, maxfev=_UNLIMITED,
        xtol=1e-9, ftol=1e-12,
    ),
    "scipy:L-BFGS-B": _minimize(
        "quasi-Newton with finite differences", "L-BFGS-B", maxiter=_UNLIMITED,
        maxfun=_UNLIMITED, ftol=1e-14, gtol=1e-9, maxcor=None, maxls=None, eps=None,
        finite_diff_rel_step=None,
    ),
    "scipy:BFGS": _minimize(
        "quasi-Newton with finite differences, without bounds", "BFGS", takes_bounds=False,
        maxiter=_UNLIMITED, gtol=1e-9, eps=None, xrtol=None, c1=None, c2=None,
        finite_diff_rel_step=None,
    ),
    "scipy:SLSQP": _minimize(
        "sequential quadratic programming with finite differences", "SLSQP", maxiter=_UNLIMITED,
        ftol=1e-13, eps=None, finite_diff_rel_step=None,
    ),
    "scipy:COBYLA": _minimize(
        "linear models in a trust region", "COBYLA", maxiter=_UNLIMITED, rhobeg=None, tol=1e-9,
    ),
    "scipy:COBYQA": _minimize(
        "quadratic models in a trust region", "COBYQA", maxfev=_UNLIMITED, maxiter=_UNLIMITED,
        initial_tr_radius=None, final_tr_radius=1e-9, scale=None,
    ),
    "scipy:differential_evolution": BuiltIn(differential_evolution, "differential evolution"),
    "scipy:dual_annealing": BuiltIn(dual_annealing, "annealing with local searches"),
    "cma:fmin2": BuiltIn(cma_fmin2, "CMA-ES (optionally BIPOP)", package="cma"),
}  # fmt: skip

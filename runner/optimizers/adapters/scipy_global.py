"""The global optimizers of ``scipy.optimize``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import OptimizerError
from .built_in import UNLIMITED, BuiltIn, Vector, finite_bounds
from .scipy_minimize import SCIPY

_MOST_OF_DIRECT = 100_000
"""Evaluations and iterations; its memory and time grow with these limits."""


def differential_evolution(
    problem: Any,
    x0: Vector,
    rng: np.random.Generator,
    *,
    strategy: str = "best1bin",
    popsize: int = 15,
    mutation: Any = (0.5, 1.0),
    recombination: float = 0.7,
    tol: float = 0.0,
    atol: float = 1e-9,
    maxiter: int = UNLIMITED,
    init: str = "latinhypercube",
    polish: bool = False,
    vectorized: bool = False,
    workers: int = 1,
) -> Any:
    """``scipy.optimize.differential_evolution``; tolerances are absolute, no polishing.

    ``vectorized`` evaluates each generation as one batch; the population is then updated once a
    generation (scipy's ``updating="deferred"``), not after each point.

    Raises:
        OptimizerError: ``workers`` is not 1.
    """
    from scipy.optimize import differential_evolution as solve

    if workers != 1:
        raise OptimizerError(
            f"scipy:differential_evolution: workers={workers} would evaluate in other processes, "
            "where evaluations cannot be observed; use vectorized: true for batches, or the "
            "campaign's workers for runs side by side"
        )
    low, high = finite_bounds("scipy:differential_evolution", problem)

    def by_columns(points: Vector) -> Any:
        return problem(points.T) if points.ndim == 2 else problem(points)

    return solve(
        by_columns if vectorized else problem, list(zip(low, high, strict=True)),
        strategy=strategy, popsize=popsize,
        mutation=tuple(mutation) if isinstance(mutation, list) else mutation,
        recombination=recombination, tol=tol, atol=atol, maxiter=maxiter, init=init,
        polish=polish, x0=x0, seed=rng, vectorized=vectorized,
        updating="deferred" if vectorized else "immediate",
    )  # fmt: skip


def dual_annealing(
    problem: Any,
    x0: Vector,
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

    low, high = finite_bounds("scipy:dual_annealing", problem)
    return solve(
        problem, list(zip(low, high, strict=True)), maxiter=maxiter, initial_temp=initial_temp,
        visit=visit, accept=accept, no_local_search=no_local_search, maxfun=UNLIMITED,
        x0=x0, seed=rng,
    )  # fmt: skip


def direct(
    problem: Any,
    budget: int | None = None,
    *,
    eps: float = 1e-4,
    maxfun: int | None = None,
    maxiter: int = _MOST_OF_DIRECT,
    locally_biased: bool = True,
    vol_tol: float = 0.0,
    len_tol: float = 1e-9,
) -> Any:
    """``scipy.optimize.direct``: no start point, no random numbers; a restart repeats itself.

    Its memory grows with ``maxfun``, which is therefore at most the run's budget, and 100 000.
    """
    from scipy.optimize import direct as solve

    low, high = finite_bounds("scipy:direct", problem)
    most = min(_MOST_OF_DIRECT, UNLIMITED if budget is None else budget + 1)
    return solve(
        problem, list(zip(low, high, strict=True)), eps=eps, maxfun=maxfun or most,
        maxiter=maxiter, locally_biased=locally_biased, vol_tol=vol_tol, len_tol=len_tol,
    )  # fmt: skip


def shgo(problem: Any, *, n: int = 100, iters: int = 1, sampling_method: str = "simplicial") -> Any:
    """``scipy.optimize.shgo``: no start point, no random numbers; a restart repeats itself."""
    from scipy.optimize import shgo as solve

    low, high = finite_bounds("scipy:shgo", problem)
    return solve(
        problem, list(zip(low, high, strict=True)), n=n, iters=iters,
        sampling_method=sampling_method,
    )  # fmt: skip


def basinhopping(
    problem: Any,
    x0: Vector,
    bounds: Any,
    rng: np.random.Generator,
    *,
    niter: int = 100,
    T: float = 1.0,
    stepsize: float = 0.5,
    method: str = "L-BFGS-B",
    interval: int = 50,
    niter_success: int | None = None,
) -> Any:
    """``scipy.optimize.basinhopping``; the local searches, not the hops, stay in the bounds."""
    from scipy.optimize import basinhopping as solve

    return solve(
        problem, x0, niter=niter, T=T, stepsize=stepsize, interval=interval,
        niter_success=niter_success, minimizer_kwargs={"method": method, "bounds": bounds},
        seed=rng,
    )  # fmt: skip


OPTIMIZERS: Mapping[str, BuiltIn] = {
    "scipy:differential_evolution": BuiltIn(
        differential_evolution, "differential evolution", (SCIPY,), batch="vectorized"
    ),
    "scipy:dual_annealing": BuiltIn(dual_annealing, "annealing with local searches", (SCIPY,)),
    "scipy:direct": BuiltIn(direct, "dividing rectangles", (SCIPY,)),
    "scipy:shgo": BuiltIn(shgo, "simplicial homology, local searches", (SCIPY,)),
    "scipy:basinhopping": BuiltIn(basinhopping, "hops and local searches", (SCIPY,)),
}

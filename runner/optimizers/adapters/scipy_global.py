"""The global optimizers of ``scipy.optimize``.

``direct`` and ``shgo`` use no start point and no random numbers: a restart repeats itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import OptimizerError
from .built_in import BOTH, UNLIMITED, VALUES, BuiltIn, Ended, Method, Solver, Vector, finite_bounds
from .scipy_minimize import SCIPY, constraints_of

_MOST_IDLE = 100
_MOST_OF_DIRECT = 100_000
"""Evaluations and iterations; its memory and time grow with these limits."""


def solve(
    name: str,
    problem: Any,
    x0: Vector,
    rng: np.random.Generator,
    budget: int | None = None,
    **options: Any,
) -> Any:
    """Function ``name`` in the problem's bounds."""
    from scipy import optimize

    if name == "dual_annealing":
        options |= {"maxfun": UNLIMITED, "x0": x0, "seed": rng}
    elif name == "direct":
        most = UNLIMITED if budget is None else budget + 1
        options.setdefault("maxfun", min(_MOST_OF_DIRECT, most))
    return getattr(optimize, name)(problem, _limits(name, problem), **options)


def _limits(name: str, problem: Any) -> list[tuple[float, float]]:
    return list(zip(*finite_bounds(f"scipy:{name}", problem), strict=True))


def differential_evolution(
    name: str,
    problem: Any,
    x0: Vector,
    rng: np.random.Generator,
    *,
    mutation: Any,
    vectorized: bool,
    workers: int,
    **options: Any,
) -> Ended:
    """``scipy.optimize.differential_evolution``; tolerances are absolute, no polishing.

    ``vectorized`` evaluates each generation as one batch; the population is then updated once a
    generation (scipy's ``updating="deferred"``), not after each point. Only feasible points are
    evaluated, by scipy's design; 100 generations in a row without any end the start.

    Raises:
        OptimizerError: ``workers`` is not 1.
    """
    from scipy import optimize

    if workers != 1:
        raise OptimizerError(
            f"scipy:{name}: workers={workers} would evaluate in other processes, "
            "where evaluations cannot be observed; use vectorized: true for batches, or the "
            "campaign's workers for runs side by side"
        )

    def by_columns(points: Vector) -> Any:
        return problem(points.T)

    idle, seen = 0, 0

    def is_idle(*_: Any, **__: Any) -> bool:
        nonlocal idle, seen
        idle = idle + 1 if problem.evaluations == seen else 0
        seen = problem.evaluations
        return idle >= _MOST_IDLE

    special: dict[str, Any] = {}
    if problem.number_of_integer_variables:
        special["integrality"] = np.arange(problem.dimension) < problem.number_of_integer_variables
    if problem.number_of_constraints:
        special |= {"constraints": constraints_of(problem), "callback": is_idle}
    result = optimize.differential_evolution(
        by_columns if vectorized else problem,
        _limits(name, problem),
        mutation=tuple(mutation) if isinstance(mutation, list) else mutation,
        vectorized=vectorized,
        updating="deferred" if vectorized else "immediate",
        x0=x0,
        seed=rng,
        **special,
        **options,
    )
    # with vectorized, scipy counts calls, even of no point at all
    return Ended(str(result.message), None if vectorized else int(result.nfev))


def basinhopping(
    name: str,
    problem: Any,
    x0: Vector,
    bounds: Any,
    rng: np.random.Generator,
    *,
    method: str,
    **options: Any,
) -> Any:
    """``scipy.optimize.basinhopping``; the local searches, not the hops, stay in the bounds."""
    from scipy import optimize

    local = {"method": method, "bounds": bounds}
    return optimize.basinhopping(problem, x0, minimizer_kwargs=local, seed=rng, **options)


def _function(
    name: str, about: str, function: Solver = solve, batch: str = "no", **options: Any
) -> BuiltIn:
    knows = BOTH if function is differential_evolution else VALUES
    return BuiltIn(Method(function, name, options), about, (SCIPY,), batch=batch, knows=knows)


OPTIMIZERS: Mapping[str, BuiltIn] = {
    "scipy:differential_evolution": _function(
        "differential_evolution", "differential evolution", differential_evolution, "vectorized",
        strategy="best1bin", popsize=15, mutation=(0.5, 1.0), recombination=0.7, tol=0.0,
        atol=1e-9, maxiter=UNLIMITED, init="latinhypercube", polish=False, vectorized=False,
        workers=1,
    ),
    "scipy:dual_annealing": _function(
        "dual_annealing", "annealing with local searches", maxiter=1000, initial_temp=5230.0,
        visit=2.62, accept=-5.0, no_local_search=False,
    ),
    "scipy:direct": _function(
        "direct", "dividing rectangles", eps=1e-4, maxfun=None, maxiter=_MOST_OF_DIRECT,
        locally_biased=True, vol_tol=0.0, len_tol=1e-9,
    ),
    "scipy:shgo": _function(
        "shgo", "simplicial homology, local searches", n=100, iters=1,
        sampling_method="simplicial",
    ),
    "scipy:basinhopping": _function(
        "basinhopping", "hops and local searches", basinhopping, niter=100, T=1.0, stepsize=0.5,
        method="L-BFGS-B", interval=50, niter_success=None,
    ),
}  # fmt: skip

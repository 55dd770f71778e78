"""The methods of ``scipy.optimize.minimize``, and the global optimizers of ``scipy.optimize``.

The methods make one convergence from a start point. They keep scipy's settings but for the limits:
they run until they converge (their own limits on iterations are lifted) and to tolerances that the
final target 1e-8 needs. ``direct`` and ``shgo`` use no start point and no random numbers: a restart
repeats itself.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any

import numpy as np

from ...errors import OptimizerError
from .built_in import (
    UNLIMITED,
    BuiltIn,
    Ended,
    Method,
    Package,
    Solver,
    Vector,
    finite_bounds,
    first_steps,
)

SCIPY = Package("scipy", "scipy", "BSD-3-Clause", "scipy")
_UNBOUNDED = ("BFGS", "CG")
_MOST_REMEMBERED = 1000
_CONSTRAINED = ("COBYLA", "COBYQA", "SLSQP", "trust-constr")
_RADIUS = {"COBYLA": "rhobeg", "COBYQA": "initial_tr_radius"}
_MOST_IDLE = 100
_DIRECT_LIMIT = 100_000
"""Evaluations and iterations; its memory and time grow with these limits."""


def minimize(
    name: str,
    problem: Any,
    x0: Vector,
    bounds: Any,
    *,
    first_step: float | None = None,
    **options: Any,
) -> Any:
    """One convergence of method ``name`` from ``x0``; some are given the constraints.

    ``first_step`` is a share of the bounds' width: the edges of the first simplex of Nelder-Mead,
    the first radius of COBYLA and COBYQA; None leaves scipy's, which does not look at the bounds.
    """
    from scipy.optimize import minimize as solve

    if first_step is not None:
        steps = first_steps(problem, first_step)
        if name == "Nelder-Mead":
            options.setdefault("initial_simplex", simplex(problem, x0, steps))
        else:
            options.setdefault(_RADIUS[name], float(np.mean(steps)))
    limits = None if name in _UNBOUNDED else bounds
    given = constraints_of(problem) if name in _CONSTRAINED else ()
    with warnings.catch_warnings():
        # trust-constr's, about functions that look linear for a step
        warnings.filterwarnings("ignore", message="delta_grad == 0.0")
        return solve(problem, x0, method=name, bounds=limits, constraints=given, options=options)


def simplex(problem: Any, x0: Vector, steps: Vector) -> Vector:
    """``x0`` and, for each variable, the point a step away from it, inwards at a bound.

    Shape ``(dimension + 1, dimension)``.
    """
    start = np.clip(x0, problem.lower_bounds, problem.upper_bounds)
    inwards = np.where(start + steps > problem.upper_bounds, -steps, steps)
    return np.vstack([start, start + np.diag(inwards)])


def constraints_of(problem: Any) -> Any:
    """The constraints as scipy takes them, of one point or of points as columns.

    A point at which scipy asks again is not evaluated again: COBYQA asks about five times.
    """
    if not problem.number_of_constraints:
        return ()
    from scipy.optimize import NonlinearConstraint

    @lru_cache(_MOST_REMEMBERED)
    def at(point: bytes) -> Vector:
        values: Vector = problem.constraint(np.frombuffer(point))
        return values

    def values(x: Vector) -> Vector:
        if x.ndim == 1:
            return at(x.tobytes()).copy()
        columns: Vector = problem.constraint(x.T).T
        return columns

    return NonlinearConstraint(values, -np.inf, 0.0)


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
        options.setdefault("maxfun", min(_DIRECT_LIMIT, most))
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


def _method(name: str, about: str, **options: Any) -> tuple[str, BuiltIn]:
    method = Method(minimize, name, options)
    built_in = BuiltIn(method, about, (SCIPY,), constraints=name in _CONSTRAINED)
    return f"scipy:{name}", built_in


def _function(
    name: str, about: str, function: Solver = solve, batch: str = "no", **options: Any
) -> tuple[str, BuiltIn]:
    method, knows = Method(function, name, options), function is differential_evolution
    built_in = BuiltIn(
        method, about, (SCIPY,), batch=batch, integers=knows, constraints=knows,
        bits="yes" if knows else "no",
    )  # fmt: skip
    return f"scipy:{name}", built_in


OPTIMIZERS = dict((
    _method(
        "Nelder-Mead", "simplex search", maxiter=UNLIMITED, maxfev=None, xatol=1e-9, fatol=1e-9,
        adaptive=None, initial_simplex=None, first_step=0.1,
    ),
    _method(
        "Powell", "conjugate directions, line searches", maxiter=UNLIMITED, maxfev=UNLIMITED,
        xtol=1e-9, ftol=1e-12,
    ),
    _method(
        "CG", "conjugate gradients with finite differences, without bounds", maxiter=UNLIMITED,
        gtol=1e-9, eps=None, c1=None, c2=None, finite_diff_rel_step=None,
    ),
    _method(
        "BFGS", "quasi-Newton with finite differences, without bounds", maxiter=UNLIMITED,
        gtol=1e-9, eps=None, xrtol=None, c1=None, c2=None, finite_diff_rel_step=None,
    ),
    _method(
        "L-BFGS-B", "quasi-Newton with finite differences", maxiter=UNLIMITED, maxfun=UNLIMITED,
        ftol=1e-14, gtol=1e-9, maxcor=None, maxls=None, eps=None, finite_diff_rel_step=None,
    ),
    _method(
        "TNC", "truncated Newton with finite differences", maxfun=UNLIMITED, ftol=1e-14, gtol=1e-9,
        xtol=0.0, eps=None, eta=None, stepmx=None, rescale=None, finite_diff_rel_step=None,
    ),
    _method(
        "COBYLA", "linear models in a trust region", maxiter=UNLIMITED, rhobeg=None, tol=1e-9,
        first_step=0.1,
    ),
    _method(
        "COBYQA", "quadratic models in a trust region", maxfev=UNLIMITED, maxiter=UNLIMITED,
        initial_tr_radius=None, final_tr_radius=1e-9, scale=None, first_step=0.1,
    ),
    _method(
        "SLSQP", "sequential quadratic programming with finite differences", maxiter=UNLIMITED,
        ftol=1e-13, eps=None, finite_diff_rel_step=None,
    ),
    _method(
        "trust-constr", "trust region, interior point, finite differences", maxiter=UNLIMITED,
        gtol=1e-9, xtol=1e-9, barrier_tol=1e-9, initial_tr_radius=None,
        initial_barrier_parameter=None, finite_diff_rel_step=None,
    ),
    _function(
        "differential_evolution", "differential evolution", differential_evolution, "vectorized",
        strategy="best1bin", popsize=15, mutation=(0.5, 1.0), recombination=0.7, tol=0.0, atol=1e-9,
        maxiter=UNLIMITED, init="latinhypercube", polish=False, vectorized=False, workers=1,
    ),
    _function(
        "dual_annealing", "annealing with local searches", maxiter=1000, initial_temp=5230.0,
        visit=2.62, accept=-5.0, no_local_search=False,
    ),
    _function(
        "direct", "dividing rectangles", eps=1e-4, maxfun=None, maxiter=_DIRECT_LIMIT,
        locally_biased=True, vol_tol=0.0, len_tol=1e-9,
    ),
    _function(
        "shgo", "simplicial homology, local searches", n=100, iters=1, sampling_method="simplicial",
    ),
    _function(
        "basinhopping", "hops and local searches", basinhopping, niter=100, T=1.0, stepsize=0.5,
        method="L-BFGS-B", interval=50, niter_success=None,
    ),
))  # fmt: skip

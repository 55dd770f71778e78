"""The methods of ``scipy.optimize.minimize``: one convergence from a start point.

They keep scipy's settings but for the limits: they run until they converge (their own limits on
iterations are lifted) and to tolerances that the final target 1e-8 needs.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from .built_in import (
    CONSTRAINTS,
    UNLIMITED,
    VALUES,
    BuiltIn,
    Method,
    Package,
    Vector,
    first_steps,
)

SCIPY = Package("scipy", "scipy", "BSD-3-Clause", "scipy")
_UNBOUNDED = ("BFGS", "CG")
_MOST_REMEMBERED = 1000
_CONSTRAINED = ("COBYLA", "COBYQA", "SLSQP", "trust-constr")
_RADIUS = {"COBYLA": "rhobeg", "COBYQA": "initial_tr_radius"}


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


def _method(name: str, about: str, **options: Any) -> BuiltIn:
    knows = CONSTRAINTS if name in _CONSTRAINED else VALUES
    return BuiltIn(Method(minimize, name, options), about, (SCIPY,), knows=knows)


OPTIMIZERS: Mapping[str, BuiltIn] = {
    "scipy:Nelder-Mead": _method(
        "Nelder-Mead", "simplex search", maxiter=UNLIMITED, maxfev=None, xatol=1e-9, fatol=1e-9,
        adaptive=None, initial_simplex=None, first_step=0.1,
    ),
    "scipy:Powell": _method(
        "Powell", "conjugate directions, line searches", maxiter=UNLIMITED, maxfev=UNLIMITED,
        xtol=1e-9, ftol=1e-12,
    ),
    "scipy:CG": _method(
        "CG", "conjugate gradients with finite differences, without bounds", maxiter=UNLIMITED,
        gtol=1e-9, eps=None, c1=None, c2=None, finite_diff_rel_step=None,
    ),
    "scipy:BFGS": _method(
        "BFGS", "quasi-Newton with finite differences, without bounds", maxiter=UNLIMITED,
        gtol=1e-9, eps=None, xrtol=None, c1=None, c2=None, finite_diff_rel_step=None,
    ),
    "scipy:L-BFGS-B": _method(
        "L-BFGS-B", "quasi-Newton with finite differences", maxiter=UNLIMITED, maxfun=UNLIMITED,
        ftol=1e-14, gtol=1e-9, maxcor=None, maxls=None, eps=None, finite_diff_rel_step=None,
    ),
    "scipy:TNC": _method(
        "TNC", "truncated Newton with finite differences", maxfun=UNLIMITED, ftol=1e-14, gtol=1e-9,
        xtol=0.0, eps=None, eta=None, stepmx=None, rescale=None, finite_diff_rel_step=None,
    ),
    "scipy:COBYLA": _method(
        "COBYLA", "linear models in a trust region", maxiter=UNLIMITED, rhobeg=None, tol=1e-9,
        first_step=0.1,
    ),
    "scipy:COBYQA": _method(
        "COBYQA", "quadratic models in a trust region", maxfev=UNLIMITED, maxiter=UNLIMITED,
        initial_tr_radius=None, final_tr_radius=1e-9, scale=None, first_step=0.1,
    ),
    "scipy:SLSQP": _method(
        "SLSQP", "sequential quadratic programming with finite differences", maxiter=UNLIMITED,
        ftol=1e-13, eps=None, finite_diff_rel_step=None,
    ),
    "scipy:trust-constr": _method(
        "trust-constr", "trust region, interior point, finite differences", maxiter=UNLIMITED,
        gtol=1e-9, xtol=1e-9, barrier_tol=1e-9, initial_tr_radius=None,
        initial_barrier_parameter=None, finite_diff_rel_step=None,
    ),
}  # fmt: skip

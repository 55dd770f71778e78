"""NLopt: its derivative-free algorithms, by its own names (L: local, G: global).

Not among them: ``LN_NEWUOA_BOUND``, which goes on for minutes after its evaluations were refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .built_in import BuiltIn, Ended, Method, Package, Vector, finite_bounds

NLOPT = Package("nlopt", "nlopt", "LGPL-2.1-or-later")
_RESULTS = ("SUCCESS", "STOPVAL_REACHED", "FTOL_REACHED", "XTOL_REACHED", "MAXEVAL_REACHED",
            "MAXTIME_REACHED")  # fmt: skip
_CONSTRAINED = ("LN_COBYLA", "GN_ISRES")


class _Objective:
    """What NLopt calls. It never raises: some algorithms call on with the exception pending.

    Python must not be called so; locks taken then are never released. NLopt is asked to stop
    instead, and the exception is raised when it has.
    """

    def __init__(self, problem: Any, optimizer: Any) -> None:
        self._problem = problem
        self._optimizer = optimizer
        self._error: BaseException | None = None

    def __call__(self, x: Vector, gradient: Vector) -> float:
        try:
            return float(self._problem(x))
        except BaseException as error:
            self._error = self._error or error
            self._optimizer.force_stop()
            return float("inf")

    def constraints(self, values: Vector, x: Vector, gradient: Vector) -> None:
        """Write the values of the constraints at ``x`` into ``values``, as NLopt wants it."""
        try:
            values[:] = self._problem.constraint(x)
        except BaseException as error:
            self._error = self._error or error
            self._optimizer.force_stop()
            values[:] = np.inf

    def end(self) -> None:
        """Let go of the optimizer, which holds this; raise what stopped it, if anything did."""
        self._optimizer = None
        if self._error is not None:
            raise self._error


def solve(name: str, problem: Any, x0: Vector, seed: int, **options: Any) -> Ended:
    """Algorithm ``name`` from ``x0`` in the problem's bounds, until a tolerance is reached.

    ``RoundoffLimited``, which NLopt raises when rounding stops its progress, is a natural end.
    Options are those that NLopt sets by ``set_…``. Global algorithms may not use ``x0``.
    """
    import nlopt

    nlopt.srand(seed)
    low, high = finite_bounds(f"nlopt:{name}", problem)
    optimizer = nlopt.opt(getattr(nlopt, name), problem.dimension)
    objective = _Objective(problem, optimizer)
    optimizer.set_min_objective(objective)
    if name in _CONSTRAINED and problem.number_of_constraints:
        tolerances = np.zeros(problem.number_of_constraints)
        optimizer.add_inequality_mconstraint(objective.constraints, tolerances)
    optimizer.set_lower_bounds(low)
    optimizer.set_upper_bounds(high)
    for option, value in options.items():
        getattr(optimizer, f"set_{option}")(value)
    try:
        optimizer.optimize(np.clip(x0, low, high))
    except nlopt.RoundoffLimited:
        return Ended("ROUNDOFF_LIMITED", optimizer.get_numevals())
    finally:
        objective.end()
    code = optimizer.last_optimize_result()
    reasons = (text for text in _RESULTS if getattr(nlopt, text) == code)
    return Ended(next(reasons, str(code)), optimizer.get_numevals())


def _algorithm(name: str, about: str, ends: bool = True) -> tuple[str, BuiltIn]:
    own = "initial_step" if name.startswith("LN_") else "population"
    options = {"xtol_rel": None, "xtol_abs": 1e-9, "ftol_rel": None, "ftol_abs": 1e-13, own: None}
    method, knows = Method(solve, name, options), name in _CONSTRAINED
    built_in = BuiltIn(method, about, (NLOPT,), needs_budget=not ends, constraints=knows)
    return f"nlopt:{name}", built_in


OPTIMIZERS = dict((
    _algorithm("LN_BOBYQA", "quadratic models in a trust region"),
    _algorithm("LN_COBYLA", "linear models in a trust region"),
    _algorithm("LN_NELDERMEAD", "simplex search"),
    _algorithm("LN_PRAXIS", "principal axes"),
    _algorithm("LN_SBPLX", "simplex search in subspaces"),
    _algorithm("GN_CRS2_LM", "controlled random search"),
    _algorithm("GN_DIRECT", "dividing rectangles"),
    _algorithm("GN_DIRECT_L", "dividing rectangles, locally biased"),
    _algorithm("GN_ESCH", "evolutionary", ends=False),
    _algorithm("GN_ISRES", "evolution strategy with ranking"),
))  # fmt: skip

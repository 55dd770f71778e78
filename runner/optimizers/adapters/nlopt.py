"""Declare derivative-free algorithms of the package NLopt, by NLopt's names.

The name of a local algorithm begins with ``LN``, and that of a global algorithm with ``GN``.
``LN_NEWUOA_BOUND`` is not declared, because it continues for minutes after the budget is spent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....suites.arrays import Floats
from .built_in import BuiltIn, Method, Package, StartResult, finite_bounds

NLOPT = Package("nlopt", "nlopt", "LGPL-2.1-or-later")
_RESULTS = ("SUCCESS", "STOPVAL_REACHED", "FTOL_REACHED", "XTOL_REACHED", "MAXEVAL_REACHED",
            "MAXTIME_REACHED")  # fmt: skip
"""Names of the constants of NLopt that are reasons for the end of an algorithm."""
_CONSTRAINED = ("LN_COBYLA", "GN_ISRES")
"""Algorithms that accept constraints."""


class _Objective:
    """Objective and constraints as functions that NLopt calls. They never raise an exception.

    Some algorithms of NLopt continue to call the objective after it raised an exception. Python
    code must not run in this state, because locks that it acquires are never released. Therefore an
    exception of the problem is stored, and NLopt is asked to stop. `end` raises the stored
    exception.
    """

    def __init__(self, problem: Any, optimizer: Any) -> None:
        self._problem = problem
        self._optimizer = optimizer
        self._error: BaseException | None = None

    def __call__(self, x: Floats, gradient: Floats) -> float:
        try:
            return float(self._problem(x))
        except BaseException as error:
            self._error = self._error or error
            self._optimizer.force_stop()
            return float("inf")

    def constraints(self, values: Floats, x: Floats, gradient: Floats) -> None:
        """Write the values of the constraints at ``x`` into ``values``; ignore ``gradient``."""
        try:
            values[:] = self._problem.constraint(x)
        except BaseException as error:
            self._error = self._error or error
            self._optimizer.force_stop()
            values[:] = np.inf

    def end(self) -> None:
        """Raise the exception that stopped the optimizer, if there was one."""
        # The optimizer refers to this object. Without this reference, there is no reference cycle.
        self._optimizer = None
        if self._error is not None:
            raise self._error


def solve(name: str, problem: Any, x0: Floats, seed: int, **options: Any) -> StartResult:
    """Run an algorithm of NLopt in the problem's bounds until a tolerance is reached.

    Args:
        name: Name of the algorithm.
        problem: The observed problem, with finite bounds.
        x0: Start point, shape ``(dimension,)``. Some global algorithms do not use it.
        seed: Seed of NLopt's global generator.
        **options: Values for NLopt's methods ``set_…``.

    Returns:
        NLopt's reason for the end, and the number of evaluations.
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
    except nlopt.RoundoffLimited:  # rounding errors stop the progress: the start has converged
        return StartResult("ROUNDOFF_LIMITED", optimizer.get_numevals())
    finally:
        objective.end()
    code = optimizer.last_optimize_result()
    reasons = (reason for reason in _RESULTS if getattr(nlopt, reason) == code)
    return StartResult(next(reasons, str(code)), optimizer.get_numevals())


def _declare(name: str, about: str, ends_by_itself: bool = True) -> tuple[str, BuiltIn]:
    """Declare an algorithm, and return the name of the optimizer with its description.

    Args:
        name: NLopt's name of the algorithm.
        about: The method in a few words.
        ends_by_itself: Whether the algorithm ends without a budget.
    """
    # As a default of a parameter, None means NLopt's default.
    special = "initial_step" if name.startswith("LN_") else "population"
    # The final target 1e-8 needs these absolute tolerances.
    tolerances = {"xtol_rel": None, "xtol_abs": 1e-9, "ftol_rel": None, "ftol_abs": 1e-13}
    built_in = BuiltIn(
        Method(solve, name, {**tolerances, special: None}),
        about,
        (NLOPT,),
        needs_budget=not ends_by_itself,
        constraints=name in _CONSTRAINED,
    )
    return f"nlopt:{name}", built_in


OPTIMIZERS = dict((
    _declare("LN_BOBYQA", "quadratic models in a trust region"),
    _declare("LN_COBYLA", "linear models in a trust region"),
    _declare("LN_NELDERMEAD", "simplex search"),
    _declare("LN_PRAXIS", "principal axes"),
    _declare("LN_SBPLX", "simplex search in subspaces"),
    _declare("GN_CRS2_LM", "controlled random search"),
    _declare("GN_DIRECT", "dividing rectangles"),
    _declare("GN_DIRECT_L", "dividing rectangles, locally biased"),
    _declare("GN_ESCH", "evolutionary", ends_by_itself=False),
    _declare("GN_ISRES", "evolution strategy with ranking"),
))  # fmt: skip

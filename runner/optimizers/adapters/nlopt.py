"""NLopt: its derivative-free algorithms, by its own names (L: local, G: global).

Not among them: ``LN_NEWUOA_BOUND``, which goes on for minutes after its evaluations were refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .built_in import BuiltIn, Ended, Method, Package, Vector, finite_bounds

NLOPT = Package("nlopt", "nlopt", "LGPL-2.1-or-later")
_RESULTS = ("SUCCESS", "STOPVAL_REACHED", "FTOL_REACHED", "XTOL_REACHED", "MAXEVAL_REACHED",
            "MAXTIME_REACHED")  # fmt: skip


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

    def end(self) -> None:
        """Let go of the optimizer, which holds this; raise what stopped it, if anything did."""
        self._optimizer = None
        if self._error is not None:
            raise self._error


def solve(name: str, problem: Any, x0: Vector, seed: int, **options: Any) -> Ended:
    """Algorithm ``name`` from ``x0`` in the problem's bounds, until a tolerance is reached.

    ``RoundoffLimited``, which NLopt raises when rounding stops its progress, is a natural end.

    Args:
        name: Of the constant in ``nlopt``.
        problem: The observed problem.
        x0: Start point; global algorithms may not use it.
        seed: For NLopt's generator.
        options: Of NLopt, set by ``set_…``: tolerances, ``initial_step``, ``population``.
    """
    import nlopt

    nlopt.srand(seed)
    low, high = finite_bounds(f"nlopt:{name}", problem)
    optimizer = nlopt.opt(getattr(nlopt, name), problem.dimension)
    objective = _Objective(problem, optimizer)
    optimizer.set_min_objective(objective)
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


def _local(name: str, about: str) -> BuiltIn:
    options = {"xtol_rel": None, "xtol_abs": 1e-9, "ftol_rel": None, "ftol_abs": 1e-13,
               "initial_step": None}  # fmt: skip
    return BuiltIn(Method(solve, name, options), about, (NLOPT,))


def _global(name: str, about: str, ends: bool = False) -> BuiltIn:
    options = {"xtol_rel": None, "xtol_abs": 1e-9, "ftol_rel": None, "ftol_abs": 1e-13,
               "population": None}  # fmt: skip
    return BuiltIn(Method(solve, name, options), about, (NLOPT,), needs_budget=not ends)


OPTIMIZERS: Mapping[str, BuiltIn] = {
    "nlopt:LN_BOBYQA": _local("LN_BOBYQA", "quadratic models in a trust region"),
    "nlopt:LN_COBYLA": _local("LN_COBYLA", "linear models in a trust region"),
    "nlopt:LN_NELDERMEAD": _local("LN_NELDERMEAD", "simplex search"),
    "nlopt:LN_PRAXIS": _local("LN_PRAXIS", "principal axes"),
    "nlopt:LN_SBPLX": _local("LN_SBPLX", "simplex search in subspaces"),
    "nlopt:GN_CRS2_LM": _global("GN_CRS2_LM", "controlled random search", ends=True),
    "nlopt:GN_DIRECT": _global("GN_DIRECT", "dividing rectangles", ends=True),
    "nlopt:GN_DIRECT_L": _global("GN_DIRECT_L", "dividing rectangles, locally biased", ends=True),
    "nlopt:GN_ESCH": _global("GN_ESCH", "evolutionary"),
    "nlopt:GN_ISRES": _global("GN_ISRES", "evolution strategy with ranking", ends=True),
}

"""Two ways to optimize under constraints, for ``bbob-constrained.yaml`` and to copy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def slsqp(problem: Any, x0: NDArray[np.float64]) -> Any:
    """SciPy's SLSQP, which evaluates the constraints itself; feasible for it is >= 0."""
    from scipy.optimize import minimize

    constraints = {"type": "ineq", "fun": lambda x: -problem.constraint(x)}
    return minimize(problem, x0, method="SLSQP", constraints=constraints)


def nelder_mead(problem: Any, x0: NDArray[np.float64], penalty_weight: float = 10.0) -> Any:
    """SciPy's Nelder-Mead, which knows no constraints, on the penalized objective."""
    from scipy.optimize import minimize

    return minimize(problem.penalized(penalty_weight), x0, method="Nelder-Mead")

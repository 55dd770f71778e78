"""Adapter of Py-BOBYQA: quadratic models in a trust region. Its licence is the GPL."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....suites.arrays import Floats
from .built_in import BuiltIn, Package, StartResult, finite_bounds

PYBOBYQA = Package("pybobyqa", "Py-BOBYQA", "GPL-3.0-or-later")
_MAX_EVALUATIONS = 1_000_000
"""Limit of one start, because Py-BOBYQA allocates memory for the maximum number of evaluations."""


def solve(
    problem: Any,
    x0: Floats,
    budget: int | None = None,
    *,
    rhobeg: float | None = None,
    rhoend: float = 1e-8,
    npt: int | None = None,
    seek_global_minimum: bool = False,
    objfun_has_noise: bool = False,
    scaling_within_bounds: bool = False,
) -> StartResult:
    """Call ``pybobyqa.solve`` in the problem's bounds.

    It draws from numpy's global generator, which the run seeds at each start. Its restarts are not
    announced, because Py-BOBYQA does not report them.

    Args:
        problem: The observed problem, with finite bounds.
        x0: Start point, shape ``(dimension,)``.
        budget: Remaining evaluations of the run. None: no limit.
        rhobeg: First radius of the trust region. None: Py-BOBYQA's default.
        rhoend: Radius at which it stops.
        npt: Number of interpolation points. None: Py-BOBYQA's default.
        seek_global_minimum: Whether it restarts from other points.
        objfun_has_noise: Whether it restarts because of noise.
        scaling_within_bounds: Whether variables are scaled to the bounds.

    Returns:
        Py-BOBYQA's message, and the number of evaluations.
    """
    import pybobyqa

    low, high = finite_bounds("pybobyqa:solve", problem)
    max_evaluations = _MAX_EVALUATIONS
    if budget is not None:
        # One more than the budget, so that the run ends by its budget and not by this limit.
        max_evaluations = min(_MAX_EVALUATIONS, budget + 1)
    result = pybobyqa.solve(
        problem, np.clip(x0, low, high), bounds=(low, high), npt=npt, rhobeg=rhobeg, rhoend=rhoend,
        maxfun=max_evaluations, seek_global_minimum=seek_global_minimum,
        objfun_has_noise=objfun_has_noise, scaling_within_bounds=scaling_within_bounds,
        do_logging=False,
    )  # fmt: skip
    return StartResult(str(result.msg), int(result.nf))


OPTIMIZERS = {
    "pybobyqa:solve": BuiltIn(solve, "quadratic models in a trust region", (PYBOBYQA,)),
}

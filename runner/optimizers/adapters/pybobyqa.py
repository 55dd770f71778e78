"""Py-BOBYQA, whose licence is the GPL: quadratic models in a trust region."""

from __future__ import annotations

from typing import Any

import numpy as np

from .built_in import BuiltIn, Ended, Package, Vector, finite_bounds

PYBOBYQA = Package("pybobyqa", "Py-BOBYQA", "GPL-3.0-or-later")
_MOST = 1_000_000
"""Evaluations of one start; each start allocates memory for as many as it may make."""


def solve(
    problem: Any,
    x0: Vector,
    budget: int | None = None,
    *,
    rhobeg: float | None = None,
    rhoend: float = 1e-8,
    npt: int | None = None,
    seek_global_minimum: bool = False,
    objfun_has_noise: bool = False,
    scaling_within_bounds: bool = False,
) -> Ended:
    """``pybobyqa.solve`` from ``x0`` in the problem's bounds.

    Its restarts (``seek_global_minimum``, ``objfun_has_noise``) are not announced: it does not
    tell when it makes them. It draws from numpy's global generator, which each start seeds.
    """
    import pybobyqa

    low, high = finite_bounds("pybobyqa:solve", problem)
    most = _MOST if budget is None else min(_MOST, budget + 1)
    result = pybobyqa.solve(
        problem, np.clip(x0, low, high), bounds=(low, high), npt=npt, rhobeg=rhobeg, rhoend=rhoend,
        maxfun=most, seek_global_minimum=seek_global_minimum,
        objfun_has_noise=objfun_has_noise, scaling_within_bounds=scaling_within_bounds,
        do_logging=False,
    )  # fmt: skip
    return Ended(str(result.msg), int(result.nf))


OPTIMIZERS = {
    "pybobyqa:solve": BuiltIn(solve, "quadratic models in a trust region", (PYBOBYQA,)),
}

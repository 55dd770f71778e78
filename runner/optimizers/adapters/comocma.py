"""comocma: COMO-CMA-ES, a set of CMA-ES that share the hypervolume (Touré et al. 2019)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .built_in import BuiltIn, Ended, Method, Package, finite_bounds
from .cma import CMA

COMOCMA = Package("comocma", "comocma", "BSD-3-Clause")


def solve(
    name: str,
    problem: Any,
    seed: int,
    *,
    kernels: int = 11,
    sigma0: float = 0.2,
    popsize: int | None = None,
    tolx: float = 1e-9,
) -> Ended:
    """``comocma.Sofomore`` with so many CMA-ES, until all of them have stopped.

    They start at uniform points with steps of ``sigma0`` times the bounds' mean width. The
    hypervolume's reference point is the largest values of interest that the problem tells, or the
    worst that the start points have.
    """
    import comocma

    low, high = finite_bounds("comocma:COMO-CMA-ES", problem)
    starts = np.random.default_rng(seed).uniform(low, high, (kernels, problem.dimension))
    options: dict[str, Any] = {
        "bounds": [low, high], "seed": seed, "tolx": tolx, "verbose": -9, "verb_log": 0,
    }  # fmt: skip
    if popsize is not None:
        options["popsize"] = popsize
    solvers = comocma.get_cmas(starts, sigma0 * float(np.mean(high - low)), options)
    worst = getattr(problem, "largest_fvalues_of_interest", None)
    if worst is None:
        worst = problem(starts).max(axis=0)
    quiet = {"archive": False, "verb_log": 0, "verb_disp": 0}
    strategy = comocma.Sofomore(solvers, np.asarray(worst).tolist(), quiet)
    while not strategy.stop():
        points = strategy.ask("all")
        strategy.tell(points, problem(np.array(points)))
    return Ended("all kernels stopped")


OPTIMIZERS = {
    "comocma:COMO-CMA-ES": BuiltIn(
        Method(solve, "", {"kernels": None, "sigma0": None, "popsize": None, "tolx": None}),
        "several CMA-ES that share the hypervolume", (COMOCMA, CMA), batch="yes",
        objectives=(2,),
    ),
}  # fmt: skip

"""Adapter of comocma: COMO-CMA-ES for two objectives (Touré et al. 2019).

Several instances of CMA-ES, the kernels, move together to maximize the hypervolume of their means.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .built_in import BuiltIn, Method, Package, StartResult, finite_bounds
from .cma import CMA

COMOCMA = Package("comocma", "comocma", "BSD-3-Clause")


def solve(
    problem: Any,
    seed: int,
    *,
    kernels: int = 11,
    sigma0: float = 0.2,
    popsize: int | None = None,
    tolx: float = 1e-9,
) -> StartResult:
    """Run ``comocma.Sofomore`` until all kernels have stopped.

    The kernels start at uniformly distributed points. The reference point of the hypervolume is the
    problem's ``largest_fvalues_of_interest`` if it has one, otherwise the largest values of the
    evaluated start points.

    Args:
        problem: The observed problem, of two objectives and with finite bounds.
        seed: Seed of this start.
        kernels: Number of instances of CMA-ES.
        sigma0: First step size as a share of the mean width of the bounds.
        popsize: Population of each kernel. None: pycma's default.
        tolx: Step size at which a kernel stops.
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
    reference_point = getattr(problem, "largest_fvalues_of_interest", None)
    if reference_point is None:
        reference_point = problem(starts).max(axis=0)
    quiet = {"archive": False, "verb_log": 0, "verb_disp": 0}
    strategy = comocma.Sofomore(solvers, np.asarray(reference_point).tolist(), quiet)
    while not strategy.stop():
        points = strategy.ask("all")
        strategy.tell(points, problem(np.array(points)))
    return StartResult("all kernels stopped")


OPTIMIZERS = {
    "comocma:COMO-CMA-ES": BuiltIn(
        Method(solve, None, {"kernels": None, "sigma0": None, "popsize": None, "tolx": None}),
        "several CMA-ES that share the hypervolume", (COMOCMA, CMA), batch="yes",
        objectives=(2,),
    ),
}  # fmt: skip

"""Adapters of cmaes: CMA-ES, its separable variant and its variant with margin.

Each generation is evaluated as one batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....suites.arrays import Floats
from .built_in import BuiltIn, Method, Package, StartResult, finite_bounds, first_sigma

CMAES = Package("cmaes", "cmaes", "MIT")


def solve(
    name: str, problem: Any, x0: Floats, seed: int, *, sigma: float | None = None, **options: Any
) -> StartResult:
    """Run a class of cmaes in the problem's bounds until its ``should_stop()`` is true.

    Args:
        name: Name of the class. Only ``CMAwM`` is told of integer variables.
        problem: The observed problem, with finite bounds.
        x0: Start point, shape ``(dimension,)``.
        seed: Seed of this start.
        sigma: First step size. None: a fifth of the mean width of the bounds.
        **options: Further arguments of the class.
    """
    import cmaes

    bounds = np.column_stack(finite_bounds(f"cmaes:{name}", problem))
    if name == "CMAwM":
        integers = np.arange(problem.dimension) < problem.number_of_integer_variables
        options["steps"] = integers.astype(np.float64)
    step = first_sigma(problem, sigma)
    strategy = getattr(cmaes, name)(mean=x0, sigma=step, bounds=bounds, seed=seed, **options)
    while not strategy.should_stop():
        candidates = [strategy.ask() for _ in range(strategy.population_size)]
        # CMAwM asks with two points: the rounded one is evaluated, the other one is told.
        pairs = candidates if name == "CMAwM" else [(x, x) for x in candidates]
        values = problem(np.array([x for x, _ in pairs])).tolist()
        strategy.tell([(x, value) for (_, x), value in zip(pairs, values, strict=True)])
    return StartResult("should_stop", strategy.generation * strategy.population_size)


def _declare(name: str, about: str, **options: Any) -> tuple[str, BuiltIn]:
    shared = {"sigma": None, "population_size": None, "n_max_resampling": None}
    method = Method(solve, name, {**shared, **options})
    has_margin = name == "CMAwM"
    built_in = BuiltIn(
        method,
        about,
        (CMAES,),
        batch="yes",
        integers=has_margin,
        bits="yes" if has_margin else "no",
    )
    return f"cmaes:{name}", built_in


OPTIMIZERS = dict((
    _declare("CMA", "CMA-ES", lr_adapt=None),
    _declare("SepCMA", "separable CMA-ES"),
    _declare("CMAwM", "CMA-ES with margin for integer variables", margin=None),
))  # fmt: skip

"""cmaes: CMA-ES, its separable form and the one with margin; each generation is a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from .built_in import BuiltIn, Ended, Method, Package, Vector, finite_bounds, first_sigma

CMAES = Package("cmaes", "cmaes", "MIT")


def solve(
    name: str, problem: Any, x0: Vector, seed: int, *, sigma: float | None = None, **options: Any
) -> Ended:
    """Class ``name`` of cmaes in the problem's bounds, until ``should_stop()``.

    ``sigma``, the first step size, is by default a fifth of the region's mean width. ``CMAwM``
    treats the problem's integer variables as such.
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
        pairs = candidates if name == "CMAwM" else [(x, x) for x in candidates]
        values = problem(np.array([x for x, _ in pairs])).tolist()
        strategy.tell([(x, value) for (_, x), value in zip(pairs, values, strict=True)])
    return Ended("should_stop", strategy.generation * strategy.population_size)


def _class(name: str, about: str, **options: Any) -> tuple[str, BuiltIn]:
    shared = {"sigma": None, "population_size": None, "n_max_resampling": None}
    method = Method(solve, name, {**shared, **options})
    knows = name == "CMAwM"
    built_in = BuiltIn(
        method, about, (CMAES,), batch="yes", integers=knows, bits="yes" if knows else "no"
    )
    return f"cmaes:{name}", built_in


OPTIMIZERS = dict((
    _class("CMA", "CMA-ES", lr_adapt=None),
    _class("SepCMA", "separable CMA-ES"),
    _class("CMAwM", "CMA-ES with margin for integer variables", margin=None),
))  # fmt: skip

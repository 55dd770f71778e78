"""pymoo: its algorithms for two objectives; generations are evaluated as batches."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ..built_in import UNLIMITED, BuiltIn, Ended, Knows, Method
from ..pymoo import PYMOO, as_pymoo, driven

_MODULES = {
    "NSGA2": "nsga2", "NSGA3": "nsga3", "MOEAD": "moead", "SMSEMOA": "sms", "SPEA2": "spea2",
    "CMOPSO": "cmopso",
}  # fmt: skip
_WITH_DIRECTIONS = ("NSGA3", "MOEAD")


def solve(name: str, problem: Any, seed: int, *, pop_size: int = 100, **options: Any) -> Ended:
    """Algorithm ``name``, for ever, from a random population of ``pop_size``.

    NSGA3 and MOEAD take as many reference directions, evenly spread (Das and Dennis 1998).
    """
    from pymoo.util.ref_dirs import get_reference_directions

    module = import_module(f"pymoo.algorithms.moo.{_MODULES[name]}")
    if name in _WITH_DIRECTIONS:
        options["ref_dirs"] = get_reference_directions("das-dennis", 2, n_partitions=pop_size - 1)
    if name != "MOEAD":
        options["pop_size"] = pop_size
    algorithm = getattr(module, name)(**options)
    algorithm.setup(
        as_pymoo(problem, name), seed=seed, verbose=False, termination=("n_gen", UNLIMITED)
    )
    return driven(algorithm, problem)


def _algorithm(name: str, about: str, batch: str = "yes", **options: Any) -> BuiltIn:
    method = Method(solve, name, {"pop_size": None, **options})
    knows = Knows(integers=True, objectives=(2,))
    return BuiltIn(method, about, (PYMOO,), needs_budget=True, batch=batch, knows=knows)


OPTIMIZERS: Mapping[str, BuiltIn] = {
    "pymoo:NSGA2": _algorithm("NSGA2", "sorting by dominance and crowding", n_offsprings=None),
    "pymoo:NSGA3": _algorithm("NSGA3", "sorting by dominance and reference directions",
                              n_offsprings=None),
    "pymoo:MOEAD": _algorithm("MOEAD", "decomposition, point by point", "no", n_neighbors=None,
                              prob_neighbor_mating=None),
    "pymoo:SMSEMOA": _algorithm("SMSEMOA", "selection by hypervolume", n_offsprings=None),
    "pymoo:SPEA2": _algorithm("SPEA2", "strength and density", n_offsprings=None),
    "pymoo:CMOPSO": _algorithm("CMOPSO", "particle swarm with competitions",
                               max_velocity_rate=None, elite_size=None, mutation_rate=None),
}  # fmt: skip

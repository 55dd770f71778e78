"""pygmo: its heuristics for two objectives, on one population with the start point in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..built_in import BuiltIn, Knows, Method
from ..pygmo import PYGMO, solve

_IN_BATCHES = ("nsga2", "moead_gen", "maco", "nspso")


def _heuristic(name: str, about: str, popsize: int, **options: Any) -> BuiltIn:
    batch = "yes" if name in _IN_BATCHES else "no"
    method = Method(solve, name, {"popsize": popsize, **options})
    knows = Knows(objectives=(2,))
    return BuiltIn(method, about, (PYGMO,), needs_budget=True, batch=batch, knows=knows)


_DECOMPOSITION: dict[str, Any] = {
    "weight_generation": None, "decomposition": None, "neighbours": None, "CR": None, "F": None,
    "eta_m": None, "realb": None, "limit": None, "preserve_diversity": None,
}  # fmt: skip
OPTIMIZERS: Mapping[str, BuiltIn] = {
    "pygmo:nsga2": _heuristic(
        "nsga2", "sorting by dominance and crowding", 100, cr=None, eta_c=None, m=None, eta_m=None,
    ),
    "pygmo:moead": _heuristic("moead", "decomposition, point by point", 100, **_DECOMPOSITION),
    "pygmo:moead_gen": _heuristic(
        "moead_gen", "decomposition, a batch each generation", 100, **_DECOMPOSITION
    ),
    "pygmo:maco": _heuristic("maco", "ant colony", 100, ker=None, q=None, focus=None),
    "pygmo:nspso": _heuristic(
        "nspso", "particle swarm", 100, omega=None, c1=None, c2=None, chi=None, v_coeff=None,
        leader_selection_range=None, diversity_mechanism=None,
    ),
}  # fmt: skip

"""optuna: its samplers for two objectives, asked and told point by point. They never end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..built_in import BuiltIn, Knows, Method
from ..optuna import OPTUNA, solve


def _sampler(name: str, about: str, **options: Any) -> BuiltIn:
    shared = {"population_size": None, "mutation_prob": None, "crossover_prob": None}
    method = Method(solve, name, {**shared, **options})
    knows = Knows(integers=True, objectives=(2,))
    return BuiltIn(method, about, (OPTUNA,), needs_budget=True, knows=knows)


OPTIMIZERS: Mapping[str, BuiltIn] = {
    "optuna:NSGA-II": _sampler("NSGAIISampler", "sorting by dominance and crowding",
                               swapping_prob=None),
    "optuna:NSGA-III": _sampler("NSGAIIISampler", "sorting by dominance and reference directions",
                                swapping_prob=None, dividing_parameter=None),
}  # fmt: skip
